"""The committed data set, read once a process."""

from functools import cache

from generate.profile import Profile, profile
from schema.model import Level
from unit_tests.generate.samples import COMMITTED

INSTANCES = 100
DATASET = COMMITTED


@cache
def profile_of(level: Level) -> Profile:
    """A level in numbers."""
    return profile(DATASET, level)
