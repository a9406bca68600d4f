"""Which tools level 4 offers, and which source each queries."""

from collections.abc import Callable
from functools import cache
from typing import Concatenate, Final

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.tools import calendars, chat, intranet, people, policies, rooms, sites
from mpcbench.benchmark.environment.tools.toolbox import Tool, ToolResult
from mpcbench.schema.level4.mechanism import LadderSource

_Function = Callable[Concatenate[LadderRecords, ...], ToolResult]

_TOOLS: Final[dict[LadderSource, tuple[_Function, ...]]] = {
    LadderSource.DIRECTORY: (people.search_people, people.get_person),
    LadderSource.TEAMS: (people.list_teams, people.get_team, calendars.get_team_calendar),
    LadderSource.ROSTERS: (people.list_rosters, people.get_roster),
    LadderSource.CALENDAR: (calendars.get_calendar,),
    LadderSource.THREADS: (
        chat.list_channels,
        chat.list_threads,
        chat.search_messages,
        chat.read_thread,
        chat.list_direct_messages,
        chat.search_direct_messages,
        chat.read_direct_messages,
    ),
    LadderSource.POLICY: (
        policies.list_policy_documents,
        policies.search_policies,
        policies.read_policy_document,
        policies.list_policy_archive,
        policies.read_archived_document,
    ),
    LadderSource.ROOMS: (rooms.search_rooms, rooms.get_room, rooms.get_room_bookings),
    LadderSource.SITES: (sites.list_sites, sites.get_site),
    LadderSource.HOLIDAYS: (sites.list_public_holidays,),
    LadderSource.PAGES: (
        intranet.search_announcements,
        intranet.read_announcement,
        intranet.search_site_news,
        intranet.read_site_news,
        intranet.search_wiki,
        intranet.read_wiki_page,
        intranet.look_up_glossary,
        intranet.search_newsletters,
        intranet.read_newsletter,
        intranet.search_contacts,
        intranet.list_desks,
    ),
}

SOURCE_OF_TOOL: Final = {function.__name__: source for source, functions in _TOOLS.items() for function in functions}
"""The source that a tool queries."""


@cache
def ladder_tools() -> tuple[Tool, ...]:
    """The tools of level 4, in the order in which the agent sees them."""
    return tuple(Tool(function) for functions in _TOOLS.values() for function in functions)
