"""The committed data set, read once a process."""

from functools import cache

from mpcbench.generate.profile import Profile, profile
from mpcbench.schema.dataset import COMMITTED, Dataset
from mpcbench.schema.model import Level

INSTANCES = 100
DATASET = Dataset(COMMITTED)


@cache
def profile_of(level: Level) -> Profile:
    """A level in numbers."""
    return profile(DATASET, level)
