"""Which tools each level offers."""

from functools import cache

from benchmark.tools.calendars import get_calendar_by_id, get_calendar_by_name, get_week_calendar
from benchmark.tools.decoys import (
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
from benchmark.tools.directory import get_person, search_people
from benchmark.tools.policies import get_policy, list_policies, read_policy_document
from benchmark.tools.rooms import get_room_bookings, get_room_details, list_rooms
from benchmark.tools.threads import list_threads, read_thread, search_threads
from benchmark.tools.toolbox import Tool
from schema import Source
from schema.model import Level

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
    unneeded = (Tool(search_wiki), Tool(list_public_holidays), Tool(list_announcements))
    talk_and_policies = (
        Tool(list_threads),
        Tool(search_threads),
        Tool(read_thread),
        Tool(list_policies),
        Tool(read_policy_document),
    )
    match level:
        case 1:
            return (Tool(get_week_calendar, "get_calendar"), Tool(get_policy))
        case 2:
            return (Tool(get_calendar_by_name, "get_calendar"), *talk_and_policies, *unneeded)
        case 3:
            return (
                Tool(search_people),
                Tool(get_person),
                Tool(search_external_contacts),
                Tool(get_calendar_by_id, "get_calendar"),
                Tool(get_team_calendar),
                *talk_and_policies,
                Tool(search_policy_archive),
                Tool(read_archived_policy),
                Tool(list_rooms),
                Tool(get_room_details),
                Tool(get_room_bookings),
                Tool(list_desks),
                Tool(get_building_hours),
                Tool(search_newsletters),
                *unneeded,
            )
