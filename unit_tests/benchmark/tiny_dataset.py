"""A data set of a few small instances at levels 1 and 3, labelled by the oracle."""

from pathlib import Path

from mpcbench.oracle import resolve, solve
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
from mpcbench.schema.dataset import (
    Dataset,
    instances_path,
    labels_path,
    to_json_text,
    to_jsonl_text,
    world_path,
    write_files,
)
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours
from unit_tests.benchmark.small_worlds import at, world

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
    solution = solve(resolve(world(found.level), found))
    return Label(
        generator_version="0",
        seed=7,
        instance_id=found.instance_id,
        level=found.level,
        gold=solution.gold,
        sources=(Source.CALENDAR, Source.POLICY),
        records=("calendar:p001", "policy:POL-01"),
        requirements=(),
        counts=solution.counts,
        digest=solution.digest,
    )


def write(folder: Path) -> Dataset:
    """Write the data set into a folder."""
    texts = {}
    for level in LEVELS:
        instances = [instance(level, number) for number in range(1, COUNT + 1)]
        texts[world_path(level)] = to_json_text(world(level))
        texts[instances_path(level)] = to_jsonl_text(instances)
        texts[labels_path(level)] = to_jsonl_text([label(found) for found in instances])
    write_files(folder, texts)
    return Dataset.open(folder)
