"""Cheap certified instances of the committed seed, made once a process."""

from functools import cache

from mpcbench.generate.making import Made, make_instance, setting_of
from mpcbench.generate.sampling.setting import Setting
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

SEED = 2027
QUICK = 46
"""A number of which one of the first samples passes at levels 2 and 3."""


def setting(level: Level) -> Setting:
    """The setting of the committed base world."""
    return setting_of(level, SEED)


def quick() -> list[int]:
    """The numbers of the committed instances of level 3 whose first sample passed."""
    return [number for number, tries in enumerate(_tries()) if not tries]


def slow() -> list[int]:
    """The numbers of the others."""
    return [number for number, tries in enumerate(_tries()) if tries]


def _tries() -> list[int]:
    labels = DATASET.labels(3)
    certificates = (labels[instance.instance_id].certificate for instance in DATASET.instances(3))
    return [0 if certificate is None else sum(certificate.rejected.values()) for certificate in certificates]


@cache
def made(level: Level, index: int) -> Made:
    """A certified instance."""
    return make_instance(setting(level), index)
