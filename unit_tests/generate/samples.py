"""Cheap certified instances of the committed seed, made once a process."""

from functools import cache

from mpcbench.generate.making import Made, make_instance, setting_of
from mpcbench.generate.sampling.setting import Setting
from mpcbench.schema.model import Level

SEED = 2027
QUICK = 38
"""A number of which one of the first samples passes at levels 2 and 3."""


def setting(level: Level) -> Setting:
    """The setting of the committed base world."""
    return setting_of(level, SEED)


@cache
def made(level: Level, index: int) -> Made:
    """A certified instance."""
    return make_instance(setting(level), index)
