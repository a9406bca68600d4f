"""What the tools read: one world, and whether results also show the tags."""

from dataclasses import dataclass

from mpcbench.schema import World


@dataclass(frozen=True, slots=True)
class Sources:
    """The systems of record behind the tools."""

    world: World
    show_tags: bool = False
