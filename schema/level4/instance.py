"""An instance of level 4: one task, and what only the oracle and the environment read."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.header import LadderHeader, MeetingRef, RecordId
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderMessage, LadderPage
from mpcbench.schema.model import Model
from mpcbench.schema.statements import PersonId
from mpcbench.schema.world import RoomId


class MessageSent(Model):
    """A message is added to the end of a thread."""

    kind: Literal["message_sent"] = "message_sent"
    thread_id: str
    message: LadderMessage


class PagePosted(Model):
    """A page is added."""

    kind: Literal["page_posted"] = "page_posted"
    page: LadderPage


class EntryChanged(Model):
    """An entry of a calendar is added or, with the event ID of another one, takes its place."""

    kind: Literal["entry_changed"] = "entry_changed"
    person_id: PersonId
    entry: Entry


class BookingChanged(Model):
    """A booking of a room is added or, with the event ID of another one, takes its place."""

    kind: Literal["booking_changed"] = "booking_changed"
    room_id: RoomId
    entry: Entry


Edit = Annotated[MessageSent | PagePosted | EntryChanged | BookingChanged, Field(discriminator="kind")]


class Change(Model):
    """How the world changes while the agent works. The gold is that of the world after it."""

    when_shown: Annotated[tuple[RecordId, ...], Field(min_length=1)]
    """It happens after the first tool call by which all of these records have been shown."""

    edit: Edit


class LadderReferences(Model):
    """What the task text itself says, in reading order: decisions, older than any message."""

    statements: tuple[Said, ...]


class LadderInstance(LadderHeader):
    """One task of level 4."""

    kind: Literal["instance"] = "instance"
    instance_id: Annotated[str, Field(pattern=r"^level4-[0-9]{3,}$")]
    rung: Annotated[int, Field(ge=1)]
    mechanisms: tuple[Mechanism, ...]
    """The mechanisms that were drawn, each of them load-bearing, in the order of the enum."""

    subject: MeetingRef
    """What is to be planned: a meeting, or a plan of several meetings, by its full name or an alias."""

    task: Annotated[tuple[str, ...], Field(min_length=3, max_length=3)]
    """Three equivalent paraphrases of the task text; the first is the default."""

    references: LadderReferences
    change: Change | None = None
