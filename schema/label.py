"""A label: the oracle's output for one instance."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.model import Header, Instant, Level, Model
from mpcbench.schema.world import Source


class Candidate(Model):
    """One proposal: a slot at levels 1 and 2, a slot and a room at level 3; half-open."""

    start: Instant
    end: Instant
    room_id: str | None = None


class Requirement(Model):
    """One constraint that must be looked up."""

    kind: str
    """The statement's kind, or `capacity` or `bookings` for conditions of the room system."""

    sources: tuple[Source, ...]
    """Where its values are found; more than one if they must be joined."""

    records: tuple[str, ...]


class Counts(Model):
    """How many candidates remain after each stage: slots before the room join, (slot, room) pairs after it."""

    generated: int
    calendar: int
    policy: int
    threads: int
    rooms: int | None = None


class Effect(Model):
    """What dropping one required thing does to the gold."""

    dropped: str
    """A record ID, a requirement or one statement of a thread."""

    gold_lost: Annotated[int, Field(ge=0)] | None
    """How many gold candidates the changed top N lacks; null if the task can no longer be solved."""

    ranking_changed: bool
    """Whether the changed top N differs from the gold as a set."""


class ShortcutCheck(Model):
    """How many gold candidates the top N of a shortcut shares with the gold."""

    shortcut: str
    """What the guess is based on, such as a source alone, everything without a source, or another policy."""

    shared: int
    """Less than N; the greatest number if the shortcut is a family of guesses."""


class Certificate(Model):
    """The evidence that an instance is valid: the outcomes of the certificate's checks."""

    solvable: bool
    unique: bool
    load_bearing: tuple[Effect, ...]
    shortcuts: tuple[ShortcutCheck, ...]
    archive_agrees: bool
    readable: bool
    steps: tuple[str, ...]
    """The tools that the reference agent called: the retrieval steps of its plan."""

    rejected: dict[str, int]
    """How many samples were discarded before this one, by the check that they failed."""


class Label(Header):
    """The gold of one instance and the records that a solver must have seen."""

    kind: Literal["label"] = "label"
    instance_id: Annotated[str, Field(pattern=r"^level[123]-[0-9]{3,}$")]
    level: Level
    gold: Annotated[tuple[Candidate, ...], Field(min_length=1)]
    """The first N feasible candidates, in ranking order."""

    sources: tuple[Source, ...]
    records: tuple[str, ...]
    """The required records: removing any one of them changes the gold."""

    requirements: tuple[Requirement, ...]
    counts: Counts
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the whole feasible set: one line `<start> <end> <room_id or ->` per candidate, in minutes
    since 1970-01-01 UTC, sorted by start and room ID, each terminated by a line feed."""

    certificate: Certificate | None = None
