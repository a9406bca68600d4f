"""The office of a seed, made once for all tests of a process, and only when one of them looks at it."""

from functools import cache

from mpcbench.generate.level4.world.office import make_office
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.schema.level4.world import LadderWorld

SEED = 1


@cache
def made_office(seed: int = SEED) -> LadderWorld:
    """The office; making it takes seconds, so no module does when it is imported."""
    return make_office(seed)


@cache
def made_knowledge() -> Knowledge:
    """What is known of the office."""
    return known(made_office())
