"""Cheap certified instances of the committed seed, made once a process."""

from functools import cache

from mpcbench.generate.making import Made, make_instance, setting_of
from mpcbench.generate.sampling.setting import Setting
from mpcbench.schema.dataset import COMMITTED as CHECKOUT
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level

SEED = 2027
COMMITTED = Dataset(CHECKOUT)
QUICK = 32
"""A number of which the first sample passes at levels 2 and 3."""


def setting(level: Level) -> Setting:
    """The setting of the committed base world."""
    return setting_of(level, SEED)


@cache
def made(level: Level, index: int) -> Made:
    """A certified instance."""
    return make_instance(setting(level), index)
