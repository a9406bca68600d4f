"""The minimal plan: the calls of somebody who knows where everything is, and reads each required record once."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from mpcbench.benchmark.environment.level4.records import DIRECT, LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox, UnshownRecordError
from mpcbench.benchmark.environment.level4.tools.rooms import MOST_ROOMS
from mpcbench.oracle.level4.changes import UnknownRecordError
from mpcbench.schema.level4.instance import BookingChanged, Change, EntryChanged, MessageSent
from mpcbench.schema.level4.world import LadderCollection, policy_record

_MOST_DAYS: Final = 31
_READERS: Final[Mapping[str, str]] = {
    LadderCollection.ANNOUNCEMENT: "read_announcement",
    LadderCollection.SITE_NEWS: "read_site_news",
    LadderCollection.WIKI: "read_wiki_page",
    LadderCollection.NEWSLETTER: "read_newsletter",
}
_SEARCHES: Final[Mapping[str, str]] = {
    LadderCollection.GLOSSARY: "look_up_glossary",
    LadderCollection.CONTACT: "search_contacts",
}
_BY_ID: Final[Mapping[str, tuple[str, str]]] = {
    "person": ("get_person", "person_id"),
    "team": ("get_team", "team_id"),
    "roster": ("get_roster", "roster_id"),
    "site": ("get_site", "site"),
    "holidays": ("list_public_holidays", "country"),
}
_PAGES: Final = (re.compile(r"page \d+ of (\d+)"), re.compile(r'"pages": ?(\d+)'))


class UnreachableError(ValueError):
    """No tool shows a required record, or a change waits for a record that is not read."""


@dataclass(frozen=True, slots=True)
class MinimalPlan:
    """What it takes to read all required records."""

    tools: tuple[str, ...]
    """The tool of each call, in order."""

    characters: int
    """The length of all results."""


def minimal_plan(
    records: LadderRecords, required: Collection[str], span: tuple[datetime, datetime], change: Change | None = None
) -> MinimalPlan:
    """The calls that show every required record, calendars over the whole span; what a change touches is read again.

    Args:
        records: Those of the world before the change.
        required: What has to be shown.
        span: From the start of the first window to the end of the last.
        change: That of the instance, which waits for required records only.

    Raises:
        UnreachableError: a record cannot be shown, or the change does not happen.
    """
    try:
        toolbox = LadderToolbox(records, change)
    except (UnshownRecordError, UnknownRecordError) as error:
        raise UnreachableError(str(error)) from error
    reader = _Reader(toolbox, span)
    needed = set(required)
    later = set() if change is None else {_record_of(change)} - set(records.world.record_ids())
    reader.read(needed - later)
    if change is not None:
        if not toolbox.has_changed:
            missing = sorted(set(change.when_shown) - reader.shown)
            raise UnreachableError(f"the change waits for {missing[0]}, which is not read")
        reader.read({_record_of(change)})
    unseen = sorted(needed - reader.shown)
    if unseen:
        raise UnreachableError(f"no call shows {unseen[0]}")
    return MinimalPlan(tuple(call.name for call in toolbox.log), sum(len(call.result) for call in toolbox.log))


def _record_of(change: Change) -> str:
    """The record that a change touches."""
    match change.edit:
        case MessageSent(thread_id=thread_id):
            return f"thread:{thread_id}"
        case EntryChanged(person_id=person_id):
            return f"calendar:{person_id}"
        case BookingChanged(room_id=room_id):
            return f"room_calendar:{room_id}"
        case other:
            return f"{other.page.collection}:{other.page.page_id}"


class _Reader:
    """Reads records, each with as few calls as show it whole."""

    def __init__(self, toolbox: LadderToolbox, span: tuple[datetime, datetime]) -> None:
        self.toolbox = toolbox
        self.span = span
        self.shown: set[str] = set()

    @property
    def records(self) -> LadderRecords:
        found: LadderRecords = self.toolbox.sources
        return found

    def read(self, required: Collection[str]) -> None:
        """Read all of these."""
        by_kind: dict[str, list[str]] = {}
        for record in sorted(required):
            kind, _, name = record.partition(":")
            by_kind.setdefault(kind, []).append(name)
        for kind, names in by_kind.items():
            self._read_kind(kind, names)

    def _read_kind(self, kind: str, names: Sequence[str]) -> None:
        if kind == "policy":
            for tool, document in dict.fromkeys(self._documents(names)):
                self._all_pages(tool, document_id=document)
        elif kind == "room":
            self._rooms(names)
        elif kind == "room_calendar":
            for first in range(0, len(names), MOST_ROOMS):
                for days in self._days():
                    self._all_pages("get_room_bookings", room_ids=list(names[first : first + MOST_ROOMS]), **days)
        else:
            for name in names:
                self._read_one(kind, name)

    def _read_one(self, kind: str, name: str) -> None:
        if kind in {"calendar", "team_calendar"}:
            tool, owner = ("get_calendar", "person_id") if kind == "calendar" else ("get_team_calendar", "team_id")
            for days in self._days():
                self._all_pages(tool, **{owner: name}, **days)
        elif kind == "thread":
            direct = self.records.world.thread_by_id[name].channel == DIRECT
            self._all_pages("read_direct_messages" if direct else "read_thread", thread_id=name)
        elif kind in _READERS:
            self._all_pages(_READERS[kind], page_id=name)
        elif kind in _SEARCHES:
            title = next(page.title for page in self.records.pages(LadderCollection(kind)) if page.page_id == name)
            self._until_shown(f"{kind}:{name}", _SEARCHES[kind], keyword=title)
        elif kind == LadderCollection.DESK:
            self._until_shown(f"{kind}:{name}", "list_desks")
        else:
            tool, argument = _BY_ID[kind]
            self._all_pages(tool, **{argument: name})

    def _documents(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        wanted = {f"policy:{name}" for name in names}
        for document in self.records.world.documents:
            policies = (section.policy for section in document.sections)
            if any(policy is not None and policy_record(policy) in wanted for policy in policies):
                yield "read_archived_document" if document.archived else "read_policy_document", document.document_id

    def _rooms(self, names: Sequence[str]) -> None:
        """Read rooms one by one or, where that takes fewer calls, in the list of all."""
        order = sorted(room.room_id for room in self.records.world.rooms)
        pages = sorted({1 + order.index(name) // 20 for name in names})
        if len(pages) < len(names):
            for page in pages:
                self._call("search_rooms", page=page)
        else:
            for name in names:
                self._call("get_room", room_id=name)

    def _days(self) -> Iterator[dict[str, str]]:
        first, last = (moment.date() for moment in self.span)
        while first <= last:
            end = min(last, first + timedelta(days=_MOST_DAYS - 1))
            yield {"start_date": str(first), "end_date": str(end)}
            first = end + timedelta(days=1)

    def _all_pages(self, tool: str, **arguments: Any) -> None:
        pages = self._call(tool, **arguments)
        for page in range(2, pages + 1):
            self._call(tool, page=page, **arguments)

    def _until_shown(self, record: str, tool: str, **arguments: Any) -> None:
        page, pages = 1, self._call(tool, **arguments)
        while record not in self.toolbox.log[-1].records and page < pages:
            page += 1
            self._call(tool, page=page, **arguments)

    def _call(self, tool: str, **arguments: Any) -> int:
        """Make one call; returns the number of pages that its result speaks of."""
        self.toolbox.call(tool, json.dumps(arguments))
        call = self.toolbox.log[-1]
        if call.is_error:
            raise UnreachableError(f"{tool} says {call.result}")
        self.shown.update(call.records)
        found = (pattern.search(call.result) for pattern in _PAGES)
        return max((int(match[1]) for match in found if match), default=1)
