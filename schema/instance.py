"""An instance: one task, and the references to its statements that only the oracle reads."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.model import Header, Level, Model
from mpcbench.schema.statements import Statement


class References(Model):
    """Where the oracle finds the statements about the meeting."""

    statements: tuple[Statement, ...]
    """What the task text itself says, in reading order; older than any message."""

    threads: tuple[str, ...]
    """IDs of the threads about the meeting."""


class Instance(Header):
    """One task of a level."""

    kind: Literal["instance"] = "instance"
    instance_id: Annotated[str, Field(pattern=r"^level[123]-[0-9]{3,}$")]
    level: Level
    meeting: str
    task: Annotated[tuple[str, ...], Field(min_length=3, max_length=3)]
    """Three equivalent paraphrases of the task text; the first is the default."""

    references: References
