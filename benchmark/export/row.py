"""A row of training data: the conversation, its tools, and where it comes from."""

from functools import cache
from typing import Any, Final, TypeAlias

from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.export.sources import Taken
from mpcbench.benchmark.export.splits import Split
from mpcbench.generate.shards import index_of
from mpcbench.schema.model import Level, Model
from mpcbench.schema.versions import CANARY
from mpcbench.version import VERSION

Row: TypeAlias = dict[str, Any]

CANARY_NAME: Final = f"mpcbench-canary-{CANARY.split()[2].rstrip(':')}"
"""The canary as the name of a participant, where a format takes no other fields."""


class Provenance(Model):
    """Where a row comes from."""

    canary: str = CANARY
    split: Split
    do_not_train: bool
    """Whether it is for tests only."""

    level: Level
    seed: int
    index: int
    """The number of the instance in its world, from 0."""

    instance_id: str
    world_instances: int | None
    """The count with which the world is generated again; None for a run, and for shards that make no whole set."""

    generator_version: str
    """The version of the data."""

    schema_version: str
    mpcbench_version: str = VERSION
    model: str
    """The agent; `reference` for a demonstration."""

    run_id: str | None
    trial: int
    paraphrase: int
    load_bearing: int
    """How many things decide the gold, by the certificate: a measure of difficulty."""

    requirements: tuple[str, ...]
    """The kinds of constraint that must be looked up."""

    failure_rate: float | None
    """The share of the run's scored episodes of the instance that failed; None without a run."""

    step: int | None = None
    """Which of the agent's messages the row asks for, from 1; None for a whole conversation."""

    mistake: tuple[str, ...] = ()
    """The causes of the rejected message, as the diagnosis names them."""

    flaw: str | None = None
    """The flaw of the agent that wrote the rejected message."""


def provenance(taken: Taken, **more: Any) -> Provenance:
    """Where the rows of an episode come from."""
    instance, label, episode = taken.exam.instance, taken.exam.label, taken.episode
    return Provenance(
        split=taken.split,
        do_not_train=taken.split is Split.TEST,
        level=instance.level,
        seed=instance.seed,
        index=index_of(instance.instance_id),
        instance_id=instance.instance_id,
        world_instances=taken.world_instances,
        generator_version=instance.generator_version,
        schema_version=instance.schema_version,
        model=episode.model,
        run_id=taken.run_id,
        trial=episode.trial,
        paraphrase=episode.paraphrase,
        load_bearing=0 if label.certificate is None else len(label.certificate.load_bearing),
        requirements=tuple(sorted({requirement.kind for requirement in label.requirements})),
        failure_rate=taken.failure_rate,
        **more,
    )


@cache
def tool_definitions(level: Level) -> tuple[Row, ...]:
    """The tools of a level as OpenAI's chat format defines them."""
    return tuple(
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools_of_level(level)
    )


def row(taken: Taken, content: Row, **more: Any) -> Row:
    """A row of what is learned, with the tools and the provenance."""
    return {
        **content,
        "tools": tool_definitions(taken.exam.instance.level),
        "provenance": provenance(taken, **more).model_dump(mode="json"),
    }
