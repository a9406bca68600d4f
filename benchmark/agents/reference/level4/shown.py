"""The form of results: what each tool shows, as values; not what texts mean."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status
from mpcbench.schema.level4.world import OpeningHours, Shift
from mpcbench.schema.world import Room

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PRIVATE: Final = "(private)"
_PAGE = re.compile(r", page (\d+) of (\d+)$")
_TABLE_PAGE = re.compile(r"page (\d+) of (\d+), .*")
_MESSAGE = re.compile(r"^\[\w{3} (\S+)\] ([^\n]*?): ", re.MULTILINE)
_PERSON = re.compile(r"(.+?) \((?:.+, )?(p\d+)\)|(.+?)(?: \(.+\))?")
_ENTRY = re.compile(r"^\[(\S+)\] (.*), (\d{4}-\d\d-\d\dT\S+)$")
_SHIFT = re.compile(r"(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d): (.+)")
_ROLE = re.compile(r"(.+): (nobody|.+ \(p\d+\)|p\d+)")
_HOURS = re.compile(r"- (\d\d:\d\d) to (\d\d:\d\d) on (.+)")
_RULE = re.compile(r"every (?:(\d+) )?(day|week|month)s?(?: on (?:the (first|second|third|fourth|last) )?(.+))?")
_UNITS: Final = {"day": Frequency.DAILY, "week": Frequency.WEEKLY, "month": Frequency.MONTHLY}
_COUNTED: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_COLUMNS: Final = ["room_id", "name", "site", "floor", "capacity", "equipment"]


class Known(NamedTuple):
    """A person as a result shows one."""

    name: str
    person_id: str | None


class SitePage(NamedTuple):
    """The page of a site."""

    country: str
    zone: ZoneInfo
    opening: tuple[OpeningHours, ...]
    roles: tuple[tuple[str, Known | None], ...]


class RosterPage(NamedTuple):
    """The page of a roster; people by name."""

    shifts: tuple[tuple[date, date, Known], ...]
    roles: tuple[tuple[str, Known | None], ...]


class Page(NamedTuple):
    """A page of the intranet."""

    page_id: str
    title: str
    posted: datetime
    text: str


def pages_of(text: str) -> int:
    """How many pages a text has, by its first line or, of a table, its last."""
    lines = text.splitlines()
    match = _PAGE.search(lines[0]) or _TABLE_PAGE.fullmatch(lines[-1])
    if match is None:
        raise ReadingError(f"a result does not say how many pages it has: {lines[0]!r}")
    return int(match[2])


def body(texts: Iterable[str]) -> str:
    """The pages of a text as one, without their first lines."""
    return "\n".join(text.partition("\n")[2] for text in texts)


def known(text: str) -> Known | None:
    """`Ada Larsen (p001)`, or a name with a team; None for nobody."""
    if text == "nobody":
        return None
    match = _PERSON.fullmatch(text)
    if match is None:
        raise ReadingError(f"no person: {text!r}")
    return Known(match[1] or match[3], match[2])


def messages_of(texts: Iterable[str]) -> list[Message]:
    """The messages of a thread, in order; authors by name."""
    _, *parts = _MESSAGE.split(body(texts))
    found = []
    for sent, author, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        person = known(author)
        assert person is not None
        found.append(Message(person.name, datetime.fromisoformat(sent), text.strip("\n").replace("\n    ", "\n")))
    return found


def page_of(texts: list[str]) -> Page:
    """A page that was read."""
    return _page(_PAGE.sub("", texts[0].partition("\n")[0]), body(texts))


def whole_pages(text: str) -> list[Page]:
    """The pages that a look-up shows whole."""
    blocks = text.partition("\n")[2].split("\n\n[")
    parts = [block.lstrip("\n").removeprefix("[").partition("\n") for block in blocks if block.strip()]
    return [_page(f"[{head}", text) for head, _, text in parts]


def _page(heading: str, text: str) -> Page:
    match = _ENTRY.fullmatch(heading)
    if match is None:
        raise ReadingError(f"a page does not begin with its ID, title and time: {heading!r}")
    return Page(match[1], match[2], datetime.fromisoformat(match[3]), text)


def site_page(text: str) -> SitePage:
    """The page of a site."""
    lines = body([text]).splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    hours = [match for line in lines if (match := _HOURS.fullmatch(line))]
    return SitePage(
        fields["Country"],
        ZoneInfo(fields["Time zone"]),
        tuple(
            OpeningHours(start=match[1], end=match[2], days=tuple(map(WEEKDAYS.index, match[3].split(", "))))
            for match in hours
        ),
        _roles(lines),
    )


def roster_page(texts: Iterable[str]) -> RosterPage:
    """The page of a roster."""
    lines = body(texts).splitlines()
    shifts = []
    for match in filter(None, map(_SHIFT.fullmatch, lines)):
        person = known(match[3])
        assert person is not None
        shifts.append((date.fromisoformat(match[1]), date.fromisoformat(match[2]), person))
    return RosterPage(tuple(shifts), _roles(line for line in lines if not _SHIFT.fullmatch(line)))


def _roles(lines: Iterable[str]) -> tuple[tuple[str, Known | None], ...]:
    return tuple((match[1], known(match[2])) for match in filter(None, map(_ROLE.fullmatch, lines)))


def shift(first: date, last: date, person_id: str) -> Shift:
    """A line of a roster."""
    return Shift(first=first, last=last, person_id=person_id)


def holidays(texts: Iterable[str]) -> tuple[date, ...]:
    """The dates of a country's public holidays."""
    return tuple(date.fromisoformat(line.split()[1]) for line in body(texts).splitlines() if line != "none")


def sections(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The headings and texts of a policy document."""
    parts = [part.partition("\n") for part in f"\n{body(texts)}".split("\n## ")[1:]]
    return [(heading, text.strip()) for heading, _, text in parts]


def rooms_of(table: str) -> list[Room]:
    """The rooms of one page of the table."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    if lines[0] != _COLUMNS:
        raise ReadingError(f"the table of rooms has the columns {lines[0]}")
    return [
        Room(
            room_id=room_id,
            name=name,
            site=site,
            floor=int(floor),
            capacity=int(capacity),
            equipment=() if items == "none" else tuple(items.split(", ")),
        )
        for room_id, name, site, floor, capacity, items in lines[2:-1]
    ]


def entry_of(row: Mapping[str, Any]) -> Entry:
    """An entry of a calendar, or a booking of a room."""
    title = None if row["title"] == _PRIVATE else row["title"]
    if "repeats" not in row:
        start, end = (datetime.fromisoformat(row[name]) for name in ("starts", "ends"))
        return Entry(row["entry_id"], title, start, end, _status(row["state"]))
    zone = ZoneInfo(row["time_zone"])
    start = datetime.fromisoformat(f"{row['first_day']}T{row['time']}").replace(tzinfo=zone)
    end = (start.astimezone(ZoneInfo("UTC")) + timedelta(minutes=row["minutes"])).astimezone(zone)
    moved = tuple(
        Moved(
            day=one["instead_of"],
            start=datetime.fromisoformat(one["starts"]),
            end=datetime.fromisoformat(one["ends"]),
            status=_status(one["state"]),
        )
        for one in row.get("moved", ())
    )
    excepted = tuple(date.fromisoformat(day) for day in row.get("not_on", ()))
    rule = _rule(row["repeats"]) | {"timezone": row["time_zone"], "until": row["last_day"]}
    series = Recurrence(**rule, excepted=excepted, moved=moved)
    return Entry(row["entry_id"], title, start, end, _status(row["state"]), series)


def _rule(text: str) -> dict[str, Any]:
    match = _RULE.fullmatch(text)
    if match is None:
        raise ReadingError(f"no rule of a series: {text!r}")
    interval, unit, counted, days = match.groups()
    named = [] if days is None else re.split(", | and ", days)
    return {
        "frequency": _UNITS[unit],
        "interval": int(interval or 1),
        "weekdays": tuple(map(WEEKDAYS.index, named)),
        "nth": None if counted is None else _COUNTED[counted],
    }


def _status(words: str) -> Status:
    return Status(words.replace(" ", "_"))
