"""Parse one sentence about a meeting or plan into the statement that it makes."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Any, Final, NamedTuple

from mpcbench.benchmark.agents.reference.facts import Window as WindowRead
from mpcbench.benchmark.agents.reference.grammar_meeting import items_in, room_order, window_of
from mpcbench.benchmark.agents.reference.grammar_time import (
    MINUTES_PER_DAY,
    Moment,
    Span,
    instant,
    number,
)
from mpcbench.benchmark.agents.reference.level4.forms import FORMS
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.phrases import Found, Phrases
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
    TieBreakKey,
    Window,
)
from mpcbench.schema.level4.header import MeetingRef
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
from mpcbench.schema.model import clock
from mpcbench.schema.statements import DailyHours

_FRAMES: Final = tuple(
    re.compile(rf"{text} ", re.IGNORECASE)
    for text in (
        r"(?:please note that|note that|it's settled that|i've decided that we|i've decided that|for the record,)",
        r"i've decided that",
        r"(?:to be clear|just so everybody knows|just to let you know|change of plan|on second thoughts|correction),",
        r"we've had to change this,",
        r"(?:please|let's|we'll|we're going to)",
        r"(?:i'd suggest that we|i'd propose that we|maybe we could|perhaps we could)",
        r"(?:i'd suggest that|i'd propose that|my suggestion would be that|my proposal is that)",
        r"(?:could we say that|can we agree that|would it be fine to say that|what about saying that)",
        r"(?:just an idea|a suggestion|a thought), maybe",
        r"(?:could we|shall we|can't we|why don't we)",
        r"would it (?:make sense|be all right) to",
    )
)
_PRONOUN = re.compile(
    r"it|this|(?:this|that) one|(?:the|this) (?:meeting|plan)|(?:each|any) of its meetings|(?:each|every) one of its meetings",
    re.IGNORECASE,
)
_EACH = re.compile(r"(?:each|every|any) meeting of (.+)", re.IGNORECASE)
_NO_ITEM = re.compile(r"\u00ab|\b(?:seats?|equipment|the one for)\b", re.IGNORECASE)
"""What is no piece of equipment, though a room may need it."""

_KEYS: Final = {
    "capacity": TieBreakKey.CAPACITY_ASCENDING,
    "-capacity": TieBreakKey.CAPACITY_DESCENDING,
    "floor": TieBreakKey.FLOOR_ASCENDING,
    "-floor": TieBreakKey.FLOOR_DESCENDING,
    "name": TieBreakKey.NAME_ASCENDING,
}


class Stated(NamedTuple):
    """A statement, and the meeting or plan that its sentence names as the one that it is about."""

    statement: LadderStatement
    about: MeetingRef | None


class StatementReader:
    """Reads sentences of one author."""

    def __init__(self, names: NameReader) -> None:
        self._names = names
        self._zone: tzinfo = names.resolver.zone

    def read(self, phrases: Phrases, text: str) -> Stated | None:
        """The statement of a sentence; None if it makes none.

        Args:
            phrases: The sentence.
            text: The part of it, with tokens, that is to be read.
        """
        return next(self.readings(phrases, text), None)

    def readings(self, phrases: Phrases, text: str) -> Iterator[Stated]:
        """Every way in which a sentence can be read."""
        for body in bare(text):
            for kind, forms in FORMS:
                for form in forms:
                    for found in phrases.find(body, form):
                        stated = self._stated(kind, found)
                        if stated is not None:
                            yield stated

    def _stated(self, kind: str, found: Found) -> Stated | None:
        named = _EACH.sub(r"\1", found.words["it"])
        about = None
        if not _PRONOUN.fullmatch(named):
            about = self._names.meeting(named)
            if about is None:
                return None
        statement = self._statement(kind, found)
        return None if statement is None else Stated(statement, about)

    def _statement(self, kind: str, found: Found) -> LadderStatement | None:  # noqa: C901, PLR0911, PLR0912
        words, values, names = found.words, found.values, self._names
        count = number(words.get("count", "no"))
        match kind:
            case "duration":
                return Duration(minutes=values["length"])
            case "option_count":
                return OptionCount(count=count)
            case "guests" | "no_guests":
                return Guests(count=count)
            case "seats":
                return Seats(count=count)
            case "daily_limit":
                return DailyLimit(count=count)
            case "window":
                return self._window(values["window"] if "window" in values else window_of(values["span"]))
            case "deadline":
                return Deadline(at=self._instant(values["moment"]))
            case "not_before":
                return NotBefore(at=self._instant(values["moment"]))
            case "ban_window":
                return BanWindow(**self._ends(values["span"]))
            case "required_window":
                return RequiredWindow(**self._ends(values["span"]))
            case "tentative_block" | "tentative_free":
                return TentativeEntries(block=kind == "tentative_block")
            case "tie_break":
                return TieBreak(keys=tuple(_KEYS[key] for key in room_order(words["keys"])))
            case "equipment":
                return None if _NO_ITEM.search(words["items"]) else Equipment(items=tuple(items_in(words["items"])))
            case "site":
                return None if names.resolver.site_zone(words["site"]) is None else Site(site=words["site"])
            case "after_entry":
                return self._after_entry(found)
            case _:
                slot, read, build, field = _BY_NAME[kind]
                value = read(names, words.get(slot) or words["me"])
                return None if value is None else build(**{field: value})

    def _after_entry(self, found: Found) -> LadderStatement | None:
        owner = found.words.get("owner")
        person = self._names.author if owner is None else self._names.person(owner)
        if person is None:
            return None
        entry = self._names.resolver.entry(person, found.values["title"], found.values["day"])
        return None if entry is None else AfterEntry(person=person, event_id=entry.event_id, day=entry.day)

    def _window(self, read: WindowRead) -> Window:
        daily = None if read.hours is None else DailyHours(start=clock(read.hours.start), end=clock(read.hours.end))
        days = Span(Moment(read.days.first, 0), Moment(read.days.last, MINUTES_PER_DAY))
        return Window(**self._ends(days), daily=daily)

    def _ends(self, span: Span) -> dict[str, Any]:
        return {"start": self._instant(span.start), "end": self._instant(span.end)}

    def _instant(self, moment: Moment) -> datetime:
        return instant(moment, self._zone)


def bare(text: str) -> Iterator[str]:
    """What is left of the text without words that make it a decision or a proposal, then the text."""
    for frame in _FRAMES:
        match = frame.match(text)
        if match is not None:
            yield from bare(text[match.end() :])
    yield text


_BY_NAME: Final[Mapping[str, tuple[str, Callable[[NameReader, str], Any], Callable[..., LadderStatement], str]]] = {
    "organiser": ("person", NameReader.person, Organiser, "person"),
    "delegate": ("person", NameReader.person, Delegate, "person"),
    "duration_of": ("other", NameReader.meeting, DurationOf, "meeting"),
    "equipment_of": ("other", NameReader.meeting, EquipmentOf, "meeting"),
    "site_of": ("other", NameReader.meeting, SiteOf, "meeting"),
    "after_meeting": ("other", NameReader.meeting, AfterMeeting, "meeting"),
    "agenda": ("meetings", NameReader.meetings, Agenda, "meetings"),
    "invited": ("invitations", NameReader.invitations, Invited, "invitations"),
    "invite": ("invitation", NameReader.invitation, Invite, "invitation"),
    "uninvite": ("who", NameReader.who, Uninvite, "who"),
}
"""By kind: the slot, how it is read, the statement and the field that the slot fills."""
