"""Independent streams of random numbers, each named by what it is for.

What one part draws never moves what another part gets: instance k depends on (seed, level, k) alone.
"""

from random import Random


def stream(seed: int, *names: object) -> Random:
    """The stream of that seed and name; the same on every machine and Python version."""
    return Random("/".join(str(part) for part in ("mpcbench", seed, *names)))  # noqa: S311 - no secrets here
