"""Phrase a statement about a meeting or plan as one sentence: a decision, or a proposal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from random import Random
from typing import Final

from mpcbench.generate.level4.wording import frames
from mpcbench.generate.level4.wording.invitations import say_invitation, say_invitations, say_who
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.statements_meeting import MEETING
from mpcbench.generate.level4.wording.statements_room import ROOM
from mpcbench.generate.level4.wording.statements_time import TIME
from mpcbench.generate.wording import statements_room as rooms
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, chosen, one_of
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.generate.wording.vocabulary import EQUIPMENT_PHRASES
from mpcbench.schema import (
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
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.people import Named, SamePeople
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    DailyLimit,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)

BODIES: Final = {**MEETING, **TIME, **ROOM}
"""The phrasings by kind of statement; some kinds have several sets, such as one for authors who speak of themselves."""

CALLED: Final = ("the meeting", "this meeting", "this one")
"""How a message calls a meeting that it does not name."""

_FORMAL: Final = re.compile(r"\b(?:of|at|to|in) \{(?:it|this)\}")
"""Where "it" does not read well."""

_NOT_EACH: Final = re.compile(r"we (?:can't|cannot) hold \{it\} \{span\}, not even in part")
"""Of the meetings of a plan it could mean that not all of them may be then."""

_EACH: Final = re.compile(r"^(?:each|every one|every)\b")
_PLAN: Final = ("the plan", "this plan")
_ITS_MEETINGS: Final = ("each of its meetings", "every one of its meetings")
_MOST_DAYS: Final = timedelta(days=175)
"""Within this time of what is said, a day without its year cannot be taken for that of another year."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Who says something, when, and about what."""

    names: Names
    rng: Random
    zone: tzinfo
    sent: date | None = None
    """The day on which it is said; None: days are written with their year."""

    author: str | None = None
    """The person who says it; None: the task."""

    decides: bool = True
    """Whether it reads as a decision."""

    is_plan: bool = False
    """Whether it is about a plan."""

    named: MeetingRef | None = None
    """The meeting or plan, to call it by its name; None: it is clear which one is meant."""

    called: str = CALLED[0]
    """What to call a meeting that is not named."""

    pronoun: str = "it"
    """What else to call it."""

    changed: bool = False
    """Whether it replaces what was said before, or adds to it."""

    @property
    def styles(self) -> Sequence[str]:
        """How days are written."""
        return words.DATED_STYLES if self.sent is None else words.DAY_STYLES

    site: str | None = None
    """The site whose clock may be used; None: only the world's."""

    def moment(self, at: datetime) -> str:
        """A day and a time."""
        zone, local = self._clock(at)
        return words.moment(self.rng, at, zone, self.styles) + local

    def span(self, stated: BanWindow | RequiredWindow, *, between: bool = False) -> str:
        """A span of time, as an adverbial."""
        zone, local = self._clock(stated.start, stated.end)
        return words.span(self.rng, stated, zone, between=between, styles=self.styles) + local

    def check(self, *moments: datetime) -> None:
        """Raise `PhrasingError` for a moment that its day and time in the world's zone do not tell."""
        for moment in moments:
            local = moment.astimezone(self.zone)
            if local.fold:
                raise PhrasingError(f"the clock shows {local:%Y-%m-%d %H:%M} twice")
            if self.sent is not None and abs(local.date() - self.sent) > _MOST_DAYS:
                raise PhrasingError(f"{local.date()} is too far from {self.sent} to be written without its year")

    def _clock(self, *moments: datetime) -> tuple[tzinfo, str]:
        """By which zone to write moments, and the words that say so."""
        self.check(*moments)
        zone = self.zone if self.site is None else self.names.zone_of(self.site)
        if any(one.astimezone(zone).fold for one in moments):
            zone = self.zone
        return zone, "" if zone == self.zone else f" (local time at {self.site})"


def say(statement: LadderStatement, speech: Speech) -> str:
    """One sentence that expresses the statement exactly; raises `PhrasingError` where none would."""
    rng = speech.rng
    found = BODIES[kind_of(statement, speech)]
    is_action = rng.random() < len(found.actions) / len(found.clauses + found.actions)
    body = one_of(found.actions if is_action else found.clauses, rng)
    if speech.is_plan:
        body = _NOT_EACH.sub("no part of {it} can be held {span}", body)
    if _FORMAL.search(body):
        speech = replace(speech, pronoun=speech.called)
    it = _it(speech)
    if speech.is_plan and body.startswith("no part of {it}"):
        it = _EACH.sub("any", it)
    body = body.format(it=it, this=_this(speech), **fields(statement, speech))
    if isinstance(statement, Organiser):
        return sentence(body)
    return sentence(one_of(_frames(speech, is_action=is_action), rng).format(body=body))


def sentence(text: str) -> str:
    """The text as a sentence, with a full stop unless it is a question."""
    return capitalised(text) + ("" if text.endswith("?") else ".")


def _frames(speech: Speech, *, is_action: bool) -> Sequence[str]:
    if not speech.decides:
        return frames.PROPOSED_ACTIONS if is_action else frames.PROPOSED_CLAUSES
    if speech.author is None:
        return ("please {body}",) if is_action else ("{body}", "[please note that|note that] {body}")
    if speech.changed and speech.rng.random() < 0.6:
        return frames.CHANGED_ACTIONS if is_action else frames.CHANGED_CLAUSES
    return frames.DECIDED_ACTIONS if is_action else frames.DECIDED_CLAUSES


def kind_of(statement: LadderStatement, speech: Speech) -> str:  # noqa: PLR0911
    """The key of the phrasings of a statement."""
    match statement:
        case Organiser(person=person) if person == speech.author:
            return "own_organiser"
        case Delegate(person=person) if person == speech.author:
            return "own_delegate"
        case Uninvite(who=Named(person=person)) if person == speech.author:
            return "own_uninvite"
        case Guests(count=0):
            return "no_guests"
        case RequiredWindow() if speech.changed:
            return "another_window"
        case TentativeEntries(block=block):
            return "tentative_block" if block else "tentative_free"
        case _:
            return statement.kind


def _it(speech: Speech) -> str:
    """What is to be scheduled: the meeting, or each meeting of the plan."""
    if speech.named is None:
        return speech.rng.choice(_ITS_MEETINGS if speech.is_plan else (speech.pronoun, speech.called))
    name = speech.names.meeting(speech.named)
    return f"{speech.rng.choice(('each', 'every'))} meeting of {name}" if speech.is_plan else name


def _this(speech: Speech) -> str:
    if speech.named is None:
        return speech.rng.choice(_PLAN if speech.is_plan else (speech.pronoun, speech.called))
    return speech.names.meeting(speech.named)


def fields(statement: LadderStatement, speech: Speech) -> dict[str, str]:  # noqa: C901, PLR0911, PLR0912
    """What fills the fields of a phrasing; one case a statement."""
    names, rng, author = speech.names, speech.rng, speech.author
    match statement:
        case Organiser(person=person) | Delegate(person=person):
            return {"person": names.person(person, author)}
        case Duration(minutes=minutes):
            return {"duration": words.duration(rng, minutes)}
        case DurationOf(meeting=meeting) | EquipmentOf(meeting=meeting) | SiteOf(meeting=meeting):
            return {"other": names.meeting(meeting)}
        case AfterMeeting(meeting=meeting):
            return {"other": names.meeting(meeting)}
        case OptionCount(count=count):
            return {"options": words.counted(rng, count, "option", "proposal", "suggestion")}
        case Window():
            speech.check(statement.start, statement.end)
            return words.window(rng, statement, speech.zone, speech.styles)._asdict()
        case Invited(invitations=some):
            return {"people": say_invitations(some, names, rng, author)}
        case Invite(invitation=one):
            return {"people": say_invitation(one, names, rng, author)}
        case Uninvite(who=who):
            return {"who": say_who(who, names, rng, author)}
        case Guests(count=count):
            return {"visitors": f"{words.counted(rng, count, 'visitor', 'guest')} from outside"}
        case Seats(count=count):
            return {"seats": words.counted(rng, count, "seat")}
        case Deadline(at=at) | NotBefore(at=at):
            return {"moment": speech.moment(at)}
        case BanWindow() | RequiredWindow():
            return {"span": speech.span(statement), "between": speech.span(statement, between=True)}
        case AfterEntry():
            return {"event": _event(statement, speech)}
        case TentativeEntries():
            return {}
        case TieBreak(keys=keys):
            return {"keys": chosen(rooms.NEXT_KEY, rng).join(chosen(rooms.KEYS[key], rng) for key in keys)}
        case Equipment(items=items):
            return {"items": words.listed([EQUIPMENT_PHRASES.get(item, item) for item in items])}
        case Site(site=site):
            return {"site": names.site(site)}
        case Agenda(meetings=meetings):
            return {"meetings": _in_order([names.meeting(one) for one in meetings], rng)}
        case DailyLimit(count=count):
            return {"count": words.counted(rng, count, "meeting")}


def _event(statement: AfterEntry, speech: Speech) -> str:
    names, rng = speech.names, speech.rng
    title, day = names.title(statement.person, statement.event_id, statement.day)
    if speech.sent is not None and abs(day - speech.sent) > _MOST_DAYS:
        raise PhrasingError(f"{day} is too far from {speech.sent} to be written without its year")
    if statement.person == speech.author:
        event = rng.choice((f"my '{title}'", f"the '{title}' in my calendar"))
    else:
        name = names.person(statement.person)
        event = rng.choice((f"the '{title}' of {name}", f"the '{title}' in the calendar of {name}"))
    when = words.day(day, rng.choice(speech.styles))
    return f"{event} on {when}" if statement.day is None else f"{event} due on {when}"


def _in_order(meetings: Sequence[str], rng: Random) -> str:
    return rng.choice(("; ".join(meetings), "first " + ", then ".join(meetings)))


def other_meetings(statement: LadderStatement) -> set[MeetingRef]:
    """The other meetings that a statement names."""
    match statement:
        case DurationOf(meeting=meeting) | EquipmentOf(meeting=meeting) | SiteOf(meeting=meeting):
            return {meeting}
        case AfterMeeting(meeting=meeting):
            return {meeting}
        case Agenda(meetings=meetings):
            return set(meetings)
        case Invited(invitations=some):
            return {one.meeting for one in some if isinstance(one, SamePeople)}
        case Invite(invitation=SamePeople(meeting=meeting)):
            return {meeting}
        case _:
            return set()
