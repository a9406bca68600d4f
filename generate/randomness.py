"""Independent streams of random numbers, each named after its purpose.

Draws from one stream never affect another: instance k depends on (seed, level, k) alone.
"""

from random import Random


def stream(seed: int, *names: object) -> Random:
    """The stream with a seed and name; the same on every machine and Python version."""
    return Random("/".join(str(part) for part in ("mpcbench", seed, *names)))  # noqa: S311 - no secrets here
