"""A data set of a few small instances at levels 1 and 3, labelled by the oracle."""

from pathlib import Path

from mpcbench.schema import (
    CallPolicy,
    Duration,
    Equipment,
    Guests,
    Instance,
    Label,
    OptionCount,
    Participants,
    References,
    Source,
    Statement,
    Window,
)
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.dataset_files import label_of, write_level
from unit_tests.builders.small_worlds import at, world

LEVELS: tuple[Level, ...] = (1, 3)
COUNT = 6


def instance(level: Level, number: int) -> Instance:
    """Instance k looks for two slots on the k-th of February 2027."""
    day = f"02-{number:02}"
    said: list[Statement] = [
        Participants(person_ids=("p001", "p002")),
        Window(start=at(f"{day} 08:00"), end=at(f"{day} 18:00"), daily=DailyHours(start="09:00", end="17:00")),
        Duration(minutes=45),
        OptionCount(count=2),
        CallPolicy(policy_id="POL-01"),
    ]
    if level == 3:
        said += [Guests(count=3), Equipment(items=("projector",))]
    text = f"Find two slots for the Heron review on {number} February 2027."
    return Instance(
        generator_version="0",
        seed=7,
        instance_id=f"level{level}-{number:03}",
        level=level,
        meeting="Heron review",
        task=(text, f"{text} Please.", f"{text} Thanks."),
        references=References(statements=tuple(said), threads=()),
    )


def label(found: Instance) -> Label:
    """What the oracle says of an instance."""
    return label_of(world(found.level), found, ("calendar:p001", "policy:POL-01"), (Source.CALENDAR, Source.POLICY))


def write(folder: Path) -> Dataset:
    """Write the data set into a folder."""
    for level in LEVELS:
        instances = [instance(level, number) for number in range(1, COUNT + 1)]
        write_level(folder, world(level), instances, map(label, instances))
    return Dataset.open(folder)
