"""An exam: one instance with everything that an agent's answer to it is judged by."""

from dataclasses import dataclass, field

from mpcbench.schema.instance import Instance
from mpcbench.schema.label import Label
from mpcbench.schema.world import World


@dataclass(frozen=True, slots=True)
class Exam:
    """An instance with its world and its label; `Dataset.exam` gives one."""

    world: World = field(repr=False)
    """The world of the instance's level."""

    instance: Instance
    label: Label
    """The gold and the required records."""
