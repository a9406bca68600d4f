"""An answer as people write it, row by row, made the JSON that an agent submits."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

_WEEKDAY = re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+(?=\d{4}-)")
_NEXT = re.compile(r"[\s,;]+(?=\d{4}-\d\d-\d\d)")
"""What lies between two rows."""

_ROW = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<start>\d\d?:\d\d) ?(?:-|\u2013|to|/) ?(?P<end>\d\d?:\d\d)"
    r"(?:[ ,]+(?P<room>\S.*))?"
)


class RowError(ValueError):
    """A row is no option; the message is one line."""


class Row(NamedTuple):
    """One option as it was typed: local times of one day."""

    date: str
    start: str
    end: str
    room: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not any(part.strip() for part in self)


def rows_of(text: str) -> list[Row]:
    """The rows of a text such as `2027-02-17 17:30-18:15 R23`, one behind the other or one a line; raises `RowError`."""
    rows = []
    for part in _NEXT.split(_WEEKDAY.sub("", text).strip(" \t\n,;")):
        match = _ROW.fullmatch(" ".join(part.split()))
        if match is None:
            raise RowError(f"{part!r} is not DATE START-END, such as 2027-02-17 17:30-18:15, with the room behind it")
        rows.append(Row(match["date"], match["start"], match["end"], match["room"] or ""))
    return rows


def answer_json(rows: Iterable[Row]) -> str:
    """The answer that the rows make; empty ones are left out.

    Raises:
        RowError: something is missing in a row, it ends before it starts, or no row holds anything.
    """
    candidates = []
    for number, row in enumerate(rows, start=1):
        if row.is_empty:
            continue
        for name in ("date", "start", "end"):
            if not getattr(row, name).strip():
                raise RowError(f"row {number}: the {name} is missing")
        start, end = (f"{row.date.strip()}T{part.strip().rjust(5, '0')}" for part in (row.start, row.end))
        if end <= start:
            raise RowError(f"row {number}: it ends at {row.end.strip()}, not after its start at {row.start.strip()}")
        room = {"room_id": row.room.strip()} if row.room.strip() else {}
        candidates.append({"start": start, "end": end, **room})
    if not candidates:
        raise RowError("no row holds an option")
    return json.dumps({"candidates": candidates})
