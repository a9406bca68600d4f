"""What is said about a meeting or plan at level 4. Of a scalar the latest in force holds; the others add up."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.level4.header import Day, MeetingRef, PersonRef
from mpcbench.schema.level4.people import Invitation, Who
from mpcbench.schema.model import Model
from mpcbench.schema.statements import (
    BanWindow,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    RequiredWindow,
    Site,
    TieBreak,
    Window,
)


class Organiser(Model):
    """This person organises it. The first such statement holds, whoever makes it."""

    kind: Literal["organiser"] = "organiser"
    person: PersonRef


class Delegate(Model):
    """From this message on, this person may decide, too."""

    kind: Literal["delegate"] = "delegate"
    person: PersonRef


class Invited(Model):
    """Exactly these invitations; later ones are added and taken back one by one. Scalar."""

    kind: Literal["invited"] = "invited"
    invitations: Annotated[tuple[Invitation, ...], Field(min_length=1)]


class Invite(Model):
    """One more invitation; it replaces the one to the same person, role, team or choice, if there is one."""

    kind: Literal["invite"] = "invite"
    invitation: Invitation


class Uninvite(Model):
    """The invitation to exactly this person, role, roster or team is taken back; others stay."""

    kind: Literal["uninvite"] = "uninvite"
    who: Who


class DurationOf(Model):
    """As long as another meeting. A scalar, the same as the duration."""

    kind: Literal["duration_of"] = "duration_of"
    meeting: MeetingRef


class EquipmentOf(Model):
    """All equipment that another meeting asks for. Adds up with the equipment."""

    kind: Literal["equipment_of"] = "equipment_of"
    meeting: MeetingRef


class SiteOf(Model):
    """The room is at the site of another meeting. A scalar, the same as the site."""

    kind: Literal["site_of"] = "site_of"
    meeting: MeetingRef


class Seats(Model):
    """The room has at least this many seats, however many are invited. Scalar."""

    kind: Literal["seats"] = "seats"
    count: Annotated[int, Field(ge=1, le=500)]


class TentativeEntries(Model):
    """Whether tentative entries of participants block; goes before policies. Scalar."""

    kind: Literal["tentative_entries"] = "tentative_entries"
    block: bool


class AfterEntry(Model):
    """The candidate starts when this entry of this person's calendar has ended, or later. Adds up."""

    kind: Literal["after_entry"] = "after_entry"
    person: PersonRef
    event_id: str
    day: Day | None = None
    """For a series: the date on which its rule puts the occurrence that is meant, even if it was moved."""


class Agenda(Model):
    """The meetings of a plan, in the order in which they are placed. Scalar."""

    kind: Literal["agenda"] = "agenda"
    meetings: Annotated[tuple[MeetingRef, ...], Field(min_length=2)]


class AfterMeeting(Model):
    """The candidate starts when another meeting of the same plan is over, or later. Adds up."""

    kind: Literal["after_meeting"] = "after_meeting"
    meeting: MeetingRef


class DailyLimit(Model):
    """Of a plan: nobody takes part in more than so many of its meetings a day. Scalar."""

    kind: Literal["daily_limit"] = "daily_limit"
    count: Annotated[int, Field(ge=1, le=20)]


LadderStatement = Annotated[
    Organiser
    | Delegate
    | Duration
    | DurationOf
    | OptionCount
    | Window
    | Invited
    | Invite
    | Uninvite
    | Guests
    | Seats
    | Deadline
    | NotBefore
    | BanWindow
    | RequiredWindow
    | AfterEntry
    | TentativeEntries
    | TieBreak
    | Equipment
    | EquipmentOf
    | Site
    | SiteOf
    | Agenda
    | AfterMeeting
    | DailyLimit,
    Field(discriminator="kind"),
]


class Said(Model):
    """One statement about a meeting or plan: a decision if its author may decide, a proposal otherwise."""

    kind: Literal["said"] = "said"
    about: MeetingRef
    statement: LadderStatement


class Agreed(Model):
    """What an earlier message of the same thread proposes about the meeting holds from here on.

    Without effect if the author may not decide.
    """

    kind: Literal["agreed"] = "agreed"
    about: MeetingRef
    message: Annotated[int, Field(ge=0)]
    """The place of the proposal in the thread, from 0."""


class Declined(Model):
    """What an earlier message of the same thread proposes is not wanted. Without effect on the gold."""

    kind: Literal["declined"] = "declined"
    about: MeetingRef
    message: Annotated[int, Field(ge=0)]
