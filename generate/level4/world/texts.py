"""The texts of what states something: the sections of policies, pages with facts, and messages."""

from mpcbench.schema.level4.world import LadderWorld


def worded(office: LadderWorld) -> LadderWorld:
    """The office with the texts that it still lacks."""
    return office
