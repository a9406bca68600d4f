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

_ROOM_AND_MEETING = re.compile(r"([A-Za-z]+[0-9]+)[ ,]+(\S.*)")


class RowError(ValueError):
    """A row is no option; the message is one line."""


class Row(NamedTuple):
    """One option as it was typed: local times of one day."""

    date: str
    start: str
    end: str
    room: str = ""
    meeting: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not any(part.strip() for part in self)


def rows_of(text: str, *, with_rooms: bool, with_meetings: bool) -> list[Row]:
    """The rows of a text such as `2027-02-17 17:30-18:15 R23`, one behind the other or one a line.

    Args:
        text: As it was typed.
        with_rooms: Whether an option has a room.
        with_meetings: Whether it has a meeting, whose name stands behind the ID of the room.

    Raises:
        RowError: a row is none, or has something that an option does not have.
    """
    rows = []
    for part in _NEXT.split(_WEEKDAY.sub("", text).strip(" \t\n,;")):
        match = _ROW.fullmatch(" ".join(part.split()))
        if match is None:
            raise RowError(f"{part!r} is not DATE START-END, such as 2027-02-17 17:30-18:15, with the room behind it")
        room, meeting = match["room"] or "", ""
        if room and not with_rooms:
            raise RowError(f"{room!r} is too much: options at this level have no room")
        if with_meetings:
            named = _ROOM_AND_MEETING.fullmatch(room)
            if named is None:
                raise RowError(
                    f"{part!r} is not DATE START-END ROOM MEETING, such as 2027-02-17 17:30-18:15 R23 Review"
                )
            room, meeting = named.groups()
        rows.append(Row(match["date"], match["start"], match["end"], room, meeting))
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
        meeting = {"meeting": row.meeting.strip()} if row.meeting.strip() else {}
        candidates.append({**meeting, "start": start, "end": end, **room})
    if not candidates:
        raise RowError("no row holds an option")
    return json.dumps({"candidates": candidates})
