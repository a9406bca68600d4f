"""Splits by seed: every seed belongs to one split, so no two splits share a world."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple


class Split(StrEnum):
    """What data are for."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    """Nothing may be trained or tuned on them; the committed data are among them."""


FIRST_SEEDS: Final = {Split.TEST: 0, Split.VALIDATION: 10_000, Split.TRAIN: 100_000}
"""Each split has the seeds from here up to the next split's; negative ones are for tests, too."""

WORLD_SIZE: Final = 100
"""Instances of one world, as in the committed data."""


class WorldPlan(NamedTuple):
    """One world to generate."""

    seed: int
    instances: int


class SplitError(ValueError):
    """The seeds do not belong to the split."""


def split_of(seed: int) -> Split:
    """The split that a seed belongs to."""
    return next((split for split, first in reversed(FIRST_SEEDS.items()) if seed >= first), Split.TEST)


def worlds(split: Split, count: int, seed: int | None = None) -> Iterator[WorldPlan]:
    """The worlds for a number of instances, in the order of their consecutive seeds.

    Args:
        split: What the instances are for.
        count: The number of instances.
        seed: That of the first world; the split's first by default.

    Raises:
        SplitError: a world's seed belongs to another split.
    """
    first = FIRST_SEEDS[split] if seed is None else seed
    starts = range(0, count, WORLD_SIZE)
    for one in (first, first + len(starts) - 1):
        if split_of(one) is not split:
            raise SplitError(
                f"seed {one} belongs to the split {split_of(one)}, not to {split}; change --split, --seed or --count, "
                f"which takes a seed for every {WORLD_SIZE} instances"
            )
    return (WorldPlan(first + number, min(WORLD_SIZE, count - start)) for number, start in enumerate(starts))
