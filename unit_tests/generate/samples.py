"""Cheap certified instances of the committed seed, made once a process."""

from functools import cache

from generate.making import Made, make_instance, setting_of
from generate.setting import Setting
from schema.model import Level

SEED = 2027


def setting(level: Level) -> Setting:
    """The setting of the committed base world."""
    return setting_of(level, SEED)


@cache
def made(level: Level, index: int) -> Made:
    """A certified instance."""
    return make_instance(setting(level), index)
