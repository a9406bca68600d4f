"""The committed data set, read once a process."""

from functools import cache

from generate.profile import Profile, profile
from schema.dataset import Dataset
from schema.model import Level
from unit_tests.readme import CHECKOUT

SEED = 2027
INSTANCES = 100
DATASET = Dataset(CHECKOUT)


@cache
def profile_of(level: Level) -> Profile:
    """A level in numbers."""
    return profile(DATASET, level)
