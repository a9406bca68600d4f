"""The office of a seed, made once for all tests of a process."""

from functools import cache

from mpcbench.generate.level4.world.office import make_office
from mpcbench.schema.level4.world import LadderWorld

SEED = 1


@cache
def made_office(seed: int = SEED) -> LadderWorld:
    """The office."""
    return make_office(seed)
