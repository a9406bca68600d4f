"""How many examples Hypothesis tries of a property."""

from hypothesis import settings

FULL = 100
"""Of a property that does not say how many; Hypothesis's own default."""

QUICK = 20
"""The same where a selection leaves tests out, such as `-m "not slow"`."""

FEWEST = 5


def examples(count: int) -> settings:
    """So many examples; with `QUICK` the same share of them as of every property."""
    return settings(max_examples=max(FEWEST, count * settings().max_examples // FULL))
