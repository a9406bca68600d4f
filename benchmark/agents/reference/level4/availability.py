"""The questions about when people, rooms and buildings are free: what each looks up, and what it puts down."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile, Stretch
from mpcbench.benchmark.agents.reference.level4.desk import Call, Inquiry, call, json_pages, together
from mpcbench.benchmark.agents.reference.level4.questions import directory
from mpcbench.benchmark.agents.reference.level4.register import EntryNeed
from mpcbench.benchmark.agents.reference.level4.resolver import EntryFound
from mpcbench.benchmark.agents.reference.level4.searching import any_of, either, holding, search, whole_text, words_of
from mpcbench.benchmark.agents.reference.level4.shown import entry_of, holidays, rooms_of
from mpcbench.oracle.level4.timeline import series_days

_DAY = timedelta(days=1)
LENGTHS: Final = {"calendars": 28, "team_calendars": 28, "bookings": 7}
"""How many days of a calendar are looked at together, by its kind."""

MOST_ROOMS: Final = 10
_MOST_NAMES: Final = 25
"""How many IDs fit into one search."""

_CLOSING: Final = (("whole", "none", "stays"), ("no room used",), ("all rooms",))
_OPENING: Final = (("open", "opens"),)
"""What is looked for beside a site's name: in each search, one of these groups of words."""

_BUILDING_NEWS: Final = ("search_announcements", "search_site_news")


def entry(case: CaseFile, need: EntryNeed) -> Inquiry[None]:
    """The entry of a title in a person's calendar."""
    yield from directory(case, need.person)
    real = case.register.real[need.person]
    span = {"start_date": str(need.day - _DAY), "end_date": str(need.day + _DAY)}
    pages = yield from json_pages(call("get_calendar", person_id=real, **span))
    found = None
    for row in (row for page in pages for row in page["entries"] if row["title"] == need.title):
        one = entry_of(row)
        case.entries["calendars", need.person][one.event_id] = one
        rule = one.recurrence
        if rule is None:
            if need.day == one.start.astimezone(case.register.zone).date():
                found = EntryFound(one.event_id, None)
        elif need.day in series_days(rule, one.start.astimezone(rule.zone).date()):
            found = EntryFound(one.event_id, need.day)
    case.register.entries[need] = found


def calendar(case: CaseFile, stretch: Stretch) -> Inquiry[None]:
    """Some days of a person's or a team's calendar."""
    who = (
        call("get_calendar", person_id=case.register.real[stretch.owner])
        if stretch.kind == "calendars"
        else call("get_team_calendar", team_id=stretch.owner)
    )
    pages = yield from json_pages(Call(who.tool, (*who.arguments, *_days(stretch))))
    rows = [row for page in pages for row in page["entries"]]
    case.entries[stretch.kind, stretch.owner] |= {row["entry_id"]: entry_of(row) for row in rows}
    case.seen.add(stretch)


def bookings(case: CaseFile, rooms: Sequence[str], first: date) -> Inquiry[None]:
    """Some days of the bookings of up to ten rooms."""
    span = _days(Stretch("bookings", "", first))
    pages = yield from json_pages(Call("get_room_bookings", (("room_ids", tuple(rooms)), *span)))
    for page in pages:
        for row in page["rooms"]:
            found = case.entries["bookings", row["room_id"]]
            found |= {one["entry_id"]: entry_of(one) for one in row["bookings"]}
    case.seen.update(Stretch("bookings", room, first) for room in rooms)


def rooms(case: CaseFile, filters: Mapping[str, Any]) -> Inquiry[None]:
    """The rooms that fit."""
    texts = yield from whole_text(call("search_rooms", **filters))
    case.rooms |= {room.room_id: room for text in texts for room in rooms_of(text)}


def public_holidays(case: CaseFile, country: str) -> Inquiry[None]:
    """The public holidays of a country."""
    texts = yield from whole_text(call("list_public_holidays", country=country))
    case.holidays[country] = holidays(texts)


def room_notices(case: CaseFile, names: Sequence[str]) -> Inquiry[None]:
    """The notices that name any of these rooms or notices, by their IDs."""
    texts = [" ".join(names[place : place + _MOST_NAMES]) for place in range(0, len(names), _MOST_NAMES)]
    yield from together(search(case, tool, text, any_of(words_of(text))) for tool in _BUILDING_NEWS for text in texts)
    case.confirmed.update(names)


def site_notices(case: CaseFile, site: str, *, opening: bool) -> Inquiry[None]:
    """The notices that close a site, or those that open its building."""
    yield from together(
        search(case, tool, f"{site} {' '.join(cues)}", either(holding(f"{site} {cue}") for cue in cues))
        for tool in _BUILDING_NEWS
        for cues in (_OPENING if opening else _CLOSING)
    )
    if opening:
        case.openings.add(site)


def _days(stretch: Stretch) -> tuple[tuple[str, str], ...]:
    last = stretch.first + (LENGTHS[stretch.kind] - 1) * _DAY
    return ("start_date", str(stretch.first)), ("end_date", str(last))
