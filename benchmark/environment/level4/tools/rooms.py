"""Meeting rooms and their bookings, and desks."""

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.level4.entries import entries_between, entry_json
from mpcbench.benchmark.environment.level4.pages import LIST_SIZE, Name, one_page, packed, unknown_id
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.tools.calendars import FirstDay, LastDay
from mpcbench.benchmark.environment.tools.calendars import span_of_days
from mpcbench.benchmark.environment.tools.results import PageNumber, as_json, unknown
from mpcbench.benchmark.environment.tools.rooms import rooms_table
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.world import Room

MOST_ROOMS = 10


def search_rooms(
    records: LadderRecords,
    site: Annotated[Name | None, Field(description="Only rooms of this site.")] = None,
    min_capacity: Annotated[int | None, Field(ge=1, description="Only rooms with at least so many seats.")] = None,
    equipment: Annotated[
        tuple[Name, ...], Field(max_length=20, description="Only rooms that have all of these pieces of equipment.")
    ] = (),
    page: PageNumber = 1,
) -> ToolResult:
    """The meeting rooms of all sites, or those that fit, as a text table, by room ID, 20 a page.

    Columns: room ID, name, site, floor, capacity (seats) and equipment. A room's bookings show whether it is free.
    """
    rooms = sorted(records.world.rooms, key=lambda room: room.room_id)
    if site is not None:
        sites = sorted({room.site for room in rooms})
        if site.strip().casefold() not in {one.casefold() for one in sites}:
            raise unknown("site with rooms", site, sites, f"the sites are {', '.join(sites)}")
        rooms = [room for room in rooms if room.site.casefold() == site.strip().casefold()]
    pieces = sorted({piece for room in records.world.rooms for piece in room.equipment})
    wanted = {_piece(piece, pieces) for piece in equipment}
    fitting = [
        room
        for room in rooms
        if wanted <= set(room.equipment) and (min_capacity is None or room.capacity >= min_capacity)
    ]
    return rooms_table(fitting, page, LIST_SIZE)


def get_room(
    records: LadderRecords, room_id: Annotated[Name, Field(description="A room ID such as R01.")]
) -> ToolResult:
    """One meeting room's name, site, floor, capacity (seats) and equipment. JSON."""
    room = _room(records, room_id)
    return ToolResult(as_json(room.model_dump(mode="json")), (f"room:{room.room_id}",))


def get_room_bookings(
    records: LadderRecords,
    room_ids: Annotated[
        tuple[Name, ...],
        Field(min_length=1, max_length=MOST_ROOMS, description="One to ten room IDs such as R01."),
    ],
    start_date: FirstDay,
    end_date: LastDay,
    page: PageNumber = 1,
) -> ToolResult:
    """The bookings of one or several meeting rooms from a first to a last day, both included.

    JSON: for each room its bookings by start, in the time zone of its site and in the form of people's calendars. If
    they do not fit on one page, the last room of a page may go on at the beginning of the next.
    """
    rooms = list(dict.fromkeys(_room(records, room_id) for room_id in room_ids))
    rows = [row for room in rooms for row in _rows(records, room, start_date, end_date)]
    pages = packed(rows, lambda row: len(as_json(row[1])) + 50)
    shown = one_page(pages, page)
    content = {
        "first_day": str(start_date),
        "last_day": str(end_date),
        "page": page,
        "pages": len(pages),
        "rooms": [
            {"room_id": room_id, "bookings": [booking for _, booking in some if booking is not None]}
            for room_id, some in groupby(shown, lambda row: row[0])
        ],
    }
    on_page = dict.fromkeys(room_id for room_id, _ in shown)
    return ToolResult(
        as_json(content), tuple(f"room_calendar:{room_id}" for room_id in on_page if room_id in records.bookings)
    )


def _rows(
    records: LadderRecords, room: Room, start_date: FirstDay, end_date: LastDay
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The room's bookings; one empty row if there are none."""
    zone = records.zone_at(room.site)
    first, last = span_of_days(records.world.period, zone, start_date, end_date)
    bookings = records.bookings.get(room.room_id)
    entries = [] if bookings is None else entries_between(bookings.entries, first, last)
    if not entries:
        yield room.room_id, None
    for entry in entries:
        yield room.room_id, entry_json(entry, zone)


def _room(records: LadderRecords, room_id: str) -> Room:
    room = records.world.room_by_id.get(room_id.strip().upper())
    if room is None:
        raise unknown_id("room ID", room_id, "search_rooms shows the room IDs")
    return room


def _piece(name: str, pieces: list[str]) -> str:
    for piece in pieces:
        if piece.casefold() == name.strip().casefold():
            return piece
    known = f"there is {', '.join(pieces)}" if pieces else "no room has any"
    raise unknown("equipment", name, pieces, known)
