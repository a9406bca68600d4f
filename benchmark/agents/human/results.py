"""What a tool's result says, in parts that a page or a terminal can show: facts, tables, calendars and texts."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias, TypeGuard

from mpcbench.schema.episode import ToolCall


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the call gave nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with values."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below the names of their columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Busy:
    """An entry of a calendar; its times are local."""

    title: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Schedule:
    """The entries of a calendar from a first to a last day, both included, by start."""

    first: date
    last: date
    entries: tuple[Busy, ...]

    @property
    def days(self) -> list[date]:
        """Every day that was asked for."""
        return [self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1)]

    def on(self, day: date) -> list[tuple[Busy, int, int]]:
        """The entries that touch a day, each with its first and last minute of that day."""
        start = datetime.combine(day, datetime.min.time())
        found = []
        for entry in self.entries:
            first = max(0, int((entry.start - start).total_seconds() // 60))
            last = min(24 * 60, int((entry.end - start).total_seconds() // 60))
            if first < last:
                found.append((entry, first, last))
        return found


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, perhaps below a heading."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of a thread: when, who, what."""

    heading: str
    messages: tuple[tuple[str, str, str], ...]


Part: TypeAlias = Problem | Facts | Table | Schedule | Passage | Talk

_MESSAGE = re.compile(r"\[([^\]]+)\] ([^:]+): (.*)", re.DOTALL)
_ENTRY = {"title", "start", "end"}
_BOOKINGS = "bookings"


def parts(call: ToolCall) -> list[Part]:
    """The parts of a call's result; together they say all that it says."""
    if call.is_error:
        return [Problem(call.result.removeprefix("error: "))]
    try:
        content = json.loads(call.result)
    except ValueError:
        return list(_of_text(call.result))
    if isinstance(content, dict):
        return list(_of_object(content))
    return list(_tables("", content)) if _is_rows(content) else [Passage("", call.result)]


def words(name: str) -> str:
    """A name of JSON for people."""
    return re.sub(r"\bid(s?)\b", r"ID\1", name.replace("_", " "))


def _of_object(content: dict[str, Any]) -> Iterator[Part]:
    facts = {name: value for name, value in content.items() if not _is_rows(value)}
    lists = {name: value for name, value in content.items() if name not in facts}
    days = facts.get("first_day"), facts.get("last_day")
    dated = all(isinstance(day, str) for day in days)
    yield Facts(tuple((words(name), _value(value)) for name, value in facts.items()))
    for name, rows in lists.items():
        if dated and all(row.keys() >= _ENTRY for row in rows):
            first, last = (date.fromisoformat(str(day)) for day in days)
            yield Schedule(first, last, tuple(map(_busy, rows)))
        elif rows and all(_BOOKINGS in row for row in rows):
            for row in rows:
                whose = ", ".join(f"{words(key)} {_value(value)}" for key, value in row.items() if key != _BOOKINGS)
                yield from _tables(f"{_BOOKINGS} of {whose}", row[_BOOKINGS])
        else:
            yield from _tables(words(name), rows)


def _is_rows(value: object) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _busy(row: dict[str, Any]) -> Busy:
    start, end = (datetime.fromisoformat(row[name]).replace(tzinfo=None) for name in ("start", "end"))
    return Busy(row["title"], start, end)


def _tables(title: str, rows: Sequence[dict[str, Any]]) -> Iterator[Table]:
    """The rows as tables: where some calendar entries are single and others recur, each kind has its own columns."""
    if not any("repeats" in row for row in rows):
        yield _table(title, rows)
        return
    single = [row for row in rows if "repeats" not in row]
    if single:
        yield _table(title, single)
    yield _table(f"{title}, recurring", [row for row in rows if "repeats" in row])


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    cells = tuple(tuple(_value(row.get(name, "")) for name in columns) for row in rows)
    return Table(title, tuple(map(words, columns)), cells)


def _value(value: object) -> str:
    match value:
        case None:
            return "none"
        case str():
            return value
        case list() if not any(isinstance(inner, dict | list) for inner in value):
            return ", ".join(map(_value, value)) or "none"
        case dict():
            return ", ".join(f"{words(key)} {_value(inner)}" for key, inner in value.items())
        case list() if _is_rows(value):
            return "; ".join(map(_value, value))
    return json.dumps(value, ensure_ascii=False)


def _of_text(text: str) -> Iterator[Part]:
    lines = text.split("\n")
    if len(lines) > 1 and re.fullmatch(r"[-+]+", lines[1]):
        rows = [tuple(cell.strip() for cell in line.split(" | ")) for line in (lines[0], *lines[2:]) if " | " in line]
        yield Table("", tuple(map(words, rows[0])), tuple(rows[1:]))
        yield from (Passage("", line) for line in lines[2:] if " | " not in line)
    elif lines[0].startswith(("Thread ", "Direct messages ")):
        yield Talk(lines[0], tuple(_messages("\n".join(lines[1:]))))
    else:
        for section in re.split(r"\n(?=#{1,2} |\[[^\]\n]+\] )", text):
            heading, _, rest = section.partition("\n")
            if re.match(r"#{1,2} |\[[^\]]+\] ", heading):
                yield Passage(heading.lstrip("# "), rest.strip())
            else:
                yield Passage("", section.strip())


def _messages(text: str) -> Iterator[tuple[str, str, str]]:
    for line in re.split(r"\n(?=\[)", text):
        match = _MESSAGE.fullmatch(line)
        when, author, said = match.groups() if match else ("", "", line)
        yield when, author, said.replace("\n    ", "\n")
