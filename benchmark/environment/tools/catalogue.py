"""Which tools each level offers."""

from collections.abc import Callable
from functools import cache
from typing import Concatenate

from mpcbench.benchmark.environment.tools.calendars import get_calendar_by_id, get_calendar_by_name, get_week_calendar
from mpcbench.benchmark.environment.tools.decoys import (
    get_building_hours,
    get_team_calendar,
    list_announcements,
    list_desks,
    list_public_holidays,
    read_archived_policy,
    search_external_contacts,
    search_newsletters,
    search_policy_archive,
    search_wiki,
)
from mpcbench.benchmark.environment.tools.directory import get_person, search_people
from mpcbench.benchmark.environment.tools.policies import get_policy, list_policies, read_policy_document
from mpcbench.benchmark.environment.tools.rooms import get_room_bookings, get_room_details, list_rooms
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.threads import list_threads, read_thread, search_threads
from mpcbench.benchmark.environment.tools.toolbox import Tool, ToolResult
from mpcbench.schema import Source
from mpcbench.schema.model import Level

SOURCE_OF_TOOL = {
    "get_calendar": Source.CALENDAR,
    "get_policy": Source.POLICY,
    "list_policies": Source.POLICY,
    "read_policy_document": Source.POLICY,
    "list_threads": Source.THREADS,
    "search_threads": Source.THREADS,
    "read_thread": Source.THREADS,
    "search_people": Source.DIRECTORY,
    "get_person": Source.DIRECTORY,
    "list_rooms": Source.ROOMS,
    "get_room_details": Source.ROOMS,
    "get_room_bookings": Source.ROOMS,
}
"""The source that a tool queries; every other tool is a decoy."""


@cache
def tools_of_level(level: Level) -> tuple[Tool, ...]:
    """The tools of a level, in the order in which the agent sees them."""
    unneeded = (_tool(search_wiki), _tool(list_public_holidays), _tool(list_announcements))
    talk_and_policies = (
        _tool(list_threads),
        _tool(search_threads),
        _tool(read_thread),
        _tool(list_policies),
        _tool(read_policy_document),
    )
    match level:
        case 1:
            return (_tool(get_week_calendar, "get_calendar"), _tool(get_policy))
        case 2:
            return (_tool(get_calendar_by_name, "get_calendar"), *talk_and_policies, *unneeded)
        case 3:
            return (
                _tool(search_people),
                _tool(get_person),
                _tool(search_external_contacts),
                _tool(get_calendar_by_id, "get_calendar"),
                _tool(get_team_calendar),
                *talk_and_policies,
                _tool(search_policy_archive),
                _tool(read_archived_policy),
                _tool(list_rooms),
                _tool(get_room_details),
                _tool(get_room_bookings),
                _tool(list_desks),
                _tool(get_building_hours),
                _tool(search_newsletters),
                *unneeded,
            )


def _tool(function: Callable[Concatenate[Sources, ...], ToolResult], alias: str | None = None) -> Tool:
    return Tool(function, alias, SOURCE_OF_TOOL.get(alias or function.__name__))
