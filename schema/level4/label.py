"""A label of level 4: the gold, the facts that it depends on, and the certificate."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.label import ShortcutCheck
from mpcbench.schema.level4.header import LadderHeader, RecordId
from mpcbench.schema.level4.mechanism import LadderSource, Mechanism
from mpcbench.schema.model import Instant, Model
from mpcbench.schema.world import RoomId


class LadderCandidate(Model):
    """A slot and a room; in a plan also the meeting, by its full name. Half-open."""

    start: Instant
    end: Instant
    room_id: RoomId
    meeting: str | None = None


class LadderCounts(Model):
    """How many candidates remain after each stage, summed over the meetings, each on its own.

    Slots until the rooms are joined, (slot, room) pairs after that.
    """

    generated: int
    """Slots on the grid inside the window."""

    agreed: int
    """Slots that keep what was said about times."""

    available: int
    """Slots for which the people are available under the policies of at least one site with rooms."""

    rooms: int
    """Pairs with a room that can be used."""


class LoadBearing(Model):
    """One fact whose loss changes the gold."""

    fact: str
    """What is lost, in the terms of docs/level4.md, such as `entry:p017:e0412` or `said:T0123.2.0`."""

    record: str
    """The record that it is found in; `task` is the task text."""

    gold_lost: Annotated[int, Field(ge=0)] | None
    """How many gold candidates are then missing; null if the task can no longer be solved."""


class MisreadEffect(Model):
    """What one obvious wrong way of resolving a mechanism does to the gold."""

    mechanism: Mechanism
    way: str
    misread: str
    """What is misread."""

    gold_lost: Annotated[int, Field(ge=0)] | None
    """How many gold candidates are then missing; null if the task can no longer be solved."""

    changed: bool
    """Whether the answer then differs from the gold."""


class LadderCertificate(Model):
    """The evidence that an instance is valid."""

    solvable: bool
    unique: bool
    load_bearing: tuple[LoadBearing, ...]
    misreadings: tuple[MisreadEffect, ...]
    shortcuts: tuple[ShortcutCheck, ...]
    archive_agrees: bool
    readable: bool
    """Whether the grammar finds the tags of every text that matters in the text alone."""

    steps: tuple[str, ...]
    """The tool of each call of the minimal plan: that of somebody who knows where everything is, and reads each required
    record once; what a change touches twice."""

    result_characters: Annotated[int, Field(ge=0)]
    """The length of all results of the minimal plan."""

    rejected: dict[str, int]
    """How many samples were discarded before this one, by the check that they failed."""


class LadderLabel(LadderHeader):
    """The gold of one instance and the records that a solver must have seen."""

    kind: Literal["label"] = "label"
    instance_id: Annotated[str, Field(pattern=r"^level4-[0-9]{3,}$")]
    rung: Annotated[int, Field(ge=1)]
    gold: Annotated[tuple[LadderCandidate, ...], Field(min_length=1)]
    """A single meeting: the first N candidates in ranking order. A plan: one candidate a meeting, in agenda order."""

    gold_before: tuple[LadderCandidate, ...] = ()
    """With a change: what the gold would be without it."""

    load: Annotated[int, Field(ge=0)]
    """The composition load."""

    sources: tuple[LadderSource, ...]
    records: tuple[RecordId, ...]
    """The required records: removing any one of them changes the gold."""

    counts: LadderCounts
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the feasible pairs of every meeting on its own: one line `<place> <start> <end> <room_id>` each, with
    the meeting's place in the agenda from 0 and minutes since 1970-01-01 UTC, in the order of place, start and room ID,
    each terminated by a line feed."""

    certificate: LadderCertificate | None = None
