"""The committed data set, read once a process."""

from functools import cache

from mpcbench.generate.profile import Profile, profile
from mpcbench.schema.model import Level
from unit_tests.generate.samples import COMMITTED

INSTANCES = 100
DATASET = COMMITTED


@cache
def profile_of(level: Level) -> Profile:
    """A level in numbers."""
    return profile(DATASET, level)
