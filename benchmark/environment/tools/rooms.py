"""The rooms source: the rooms' metadata and bookings."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from mpcbench.benchmark.environment.tools.calendars import LocalDate, events_between, events_json
from mpcbench.benchmark.environment.tools.results import PageNumber, as_json, page_of, unknown
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult
from mpcbench.schema import Room

LIST_SIZE = 10
COLUMNS = ("room_id", "name", "site", "floor", "capacity", "equipment")

RoomIdArgument = Annotated[str, Field(description="A room ID such as R01.")]


def list_rooms(
    sources: Sources,
    site: Annotated[str | None, Field(description="Only the rooms of this site.")] = None,
    page: PageNumber = 1,
) -> ToolResult:
    """The meeting rooms of one site or of all sites as a text table, by room ID, 10 a page.

    Columns: room ID, name, site, floor, capacity (seats) and equipment. A room's bookings show whether it is free.
    """
    rooms = sorted(sources.world.rooms, key=lambda room: room.room_id)
    if site is not None:
        sites = sorted({room.site for room in rooms})
        rooms = [room for room in rooms if room.site.casefold() == site.strip().casefold()]
        if not rooms:
            raise unknown("site", site, sites, f"the sites are {', '.join(sites)}")
    return rooms_table(rooms, page, LIST_SIZE)


def rooms_table(rooms: Sequence[Room], page: int, size: int) -> ToolResult:
    """One page of a text table of rooms."""
    rows, pages = page_of(rooms, page, size)
    table = [COLUMNS, *(_row(room) for room in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(COLUMNS))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    lines.append(f"page {page} of {pages}, {len(rooms)} rooms in all")
    return ToolResult("\n".join(lines), tuple(f"room:{room.room_id}" for room in rows))


def get_room_details(sources: Sources, room_id: RoomIdArgument) -> ToolResult:
    """One meeting room's name, site, floor, capacity (seats) and equipment. JSON."""
    room = _room(sources, room_id)
    return ToolResult(as_json(room.model_dump(mode="json")), (f"room:{room.room_id}",))


def get_room_bookings(
    sources: Sources,
    room_id: RoomIdArgument,
    start_date: Annotated[LocalDate, Field(description="The first day, YYYY-MM-DD.")],
    end_date: Annotated[LocalDate, Field(description="The last day (included), at most 31 days in all.")],
) -> ToolResult:
    """One meeting room's bookings from a first to a last day, both included.

    JSON, by start. Times are local to the organisation's time zone; the room is free whenever no booking is listed.
    """
    room = _room(sources, room_id)
    bookings = events_between(sources, sources.world.bookings_by_room.get(room.room_id, ()), start_date, end_date)
    content = {
        "room_id": room.room_id,
        "name": room.name,
        "first_day": str(start_date),
        "last_day": str(end_date),
        "time_zone": sources.world.timezone,
        "bookings": events_json(sources, bookings),
    }
    return ToolResult(as_json(content), (f"room_calendar:{room.room_id}",))


def _room(sources: Sources, room_id: str) -> Room:
    room = sources.world.room_by_id.get(room_id.strip().upper())
    if room is None:
        raise ToolError(f"no room ID {room_id!r}: list_rooms shows the room IDs")
    return room


def _row(room: Room) -> tuple[str, ...]:
    return (
        room.room_id,
        room.name,
        room.site,
        str(room.floor),
        str(room.capacity),
        ", ".join(room.equipment) or "none",
    )
