"""Flaws of decomposition and acquisition: sources never queried, records never seen."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta, tzinfo
from typing import Any

from mpcbench.benchmark.agents.flawed.flaw import (
    Acquire,
    Choose,
    Flaw,
    acquiring,
    all_of,
    asking,
    before_acquiring,
    choosing,
    finding,
    hearing,
    with_tools,
)
from mpcbench.benchmark.agents.reference.acquire import read_threads
from mpcbench.benchmark.agents.reference.conversation import statements_about
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import (
    Facts,
    Heard,
    Kind,
    PersonName,
    PolicyCall,
    Request,
    Window,
    same_person,
)
from mpcbench.benchmark.agents.reference.grammar_policy import read_rules
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.benchmark.agents.reference.mentions import Meeting

_NO_EVENTS = json.dumps({"busy": [], "bookings": []})
_DEFAULT_WINDOW = Window(Days(date(2027, 2, 1), date(2027, 2, 7)), Hours(8 * 60, 18 * 60))
_DEFAULT_LENGTH = 60
_DEFAULT_COUNT = 3
_PAGE = re.compile(r"^page (\d+) of \d+, ", re.MULTILINE)


def _guess(request: Request) -> None:
    """Fill in defaults for what the agent has not learned, since it must answer anyway."""
    request.length = request.length or _DEFAULT_LENGTH
    request.count = request.count or _DEFAULT_COUNT
    request.window = request.window or _DEFAULT_WINDOW


def _look_around(desk: Desk, request: Request) -> None:
    """Query the sources that the agent has no lead to; an arbitrary person replaces unknown participants."""
    if not request.policies:
        desk.call("list_policies")
    if not request.people:
        row = desk.call_json("search_people", name="a")["people"][0]
        request.people = [PersonName(row["name"], row["team"])]


_MAKE_DO = all_of(asking(_guess), before_acquiring(_look_around))


def _wait_for_nothing(request: Request) -> None:
    request.after = []


def _wait_for_participants_only(request: Request) -> None:
    """Drop awaited events of non-participants, whose calendars are read for nothing else."""
    request.after = [
        event for event in request.after if any(same_person(event.person, person) for person in request.people)
    ]


def _call_for_nothing(request: Request) -> None:
    request.policies = []


def _errors_as_free_time(tool: str, _: Mapping[str, Any], result: str) -> str:
    return _NO_EVENTS if tool == "get_calendar" and result.startswith("error:") else result


def _in_the_first_room(choose: Choose, facts: Facts) -> list[Option]:
    return [option._replace(room_id="R01") for option in choose(facts)]


def _first_page(tool: str, _: Mapping[str, Any], result: str) -> str:
    if tool == "list_rooms":
        return _PAGE.sub(r"page \1 of \1, ", result)
    if tool in {"search_threads", "list_threads"}:
        return json.dumps(json.loads(result) | {"pages": 1})
    return result


def _kick_off(desk: Desk, meeting: str, threads: Sequence[str]) -> list[str]:
    """The thread that first names the meeting and says anything about it."""
    pages = desk.pages("search_threads", keyword=f'"{meeting}"')
    named = sorted((message["sent"], message["thread_id"]) for page in pages for message in page["messages"])
    for thread in dict.fromkeys(thread for _, thread in named if thread in threads):
        if statements_about(Meeting(meeting), read_threads(desk, [thread])):
            return [thread]
    return []


def _nobody_joins(statements: list[Heard]) -> list[Heard]:
    return [statement for statement in statements if statement.kind is not Kind.JOINS]


def _wrong_homonym(desk: Desk, request: Request) -> None:
    """Replace the first participant who has a namesake by that namesake."""
    for place, person in enumerate(request.people):
        rows = desk.call_json("search_people", name=person.name)["people"] if person.team else []
        others = [row["team"] for row in rows if row["name"] == person.name and row["team"] != person.team]
        if others:
            request.people[place] = PersonName(person.name, others[0])
            return


def _without_last(acquire: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    everybody = list(request.people)
    request.people = everybody[:-1]
    if not request.people:
        request.people = everybody
        return acquire(desk, request, zone)
    facts = acquire(desk, request, zone)
    request.people = everybody
    return facts


def _first_half(acquire: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    window = request.window
    assert window is not None
    first, last = window.days
    request.window = window._replace(days=Days(first, first + (last - first + timedelta(days=1)) // 2))
    facts = acquire(desk, request, zone)
    request.window = window
    return facts


def _titles_only(acquire: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    desk.call("list_policies")
    request.policies = []
    return acquire(desk, request, zone)


def _from_archive(acquire: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Apply the newest superseded edition of every policy instead of the one in force."""
    called, request.policies = request.policies, []
    desk.call("list_policies")
    rules = []
    for call in dict.fromkeys(PolicyCall(policy.policy_id) for policy in called):
        pages = desk.call_json("search_policy_archive", keyword=f'"{call.policy_id}"')["superseded"]
        editions = [page["page_id"] for page in pages if page["title"].startswith(f"{call.policy_id} ")]
        if editions:
            rules += read_rules(_edition(desk.call("read_archived_policy", page_id=max(editions))))
    facts = acquire(desk, request, zone)
    request.policies = called
    facts.rules = rules
    return facts


def _edition(page: str) -> str:
    """The text of an archived policy without its status line, which says that it is superseded."""
    return "\n".join(line for line in page.splitlines() if not line.startswith(("[", "Status:", "page ")))


FLAWS = (
    Flaw(
        "no-calendar",
        "Never looks into any calendar.",
        ("decomposition.source_never_queried:calendar",),
        all_of(asking(_wait_for_nothing), with_tools(instead={"get_calendar": _NO_EVENTS})),
    ),
    Flaw(
        "no-policy",
        "Never looks a policy up.",
        ("decomposition.source_never_queried:policy",),
        asking(_call_for_nothing),
    ),
    Flaw(
        "no-threads",
        "Never looks into the chat, and guesses what it says.",
        ("decomposition.source_never_queried:threads",),
        all_of(finding(lambda _desk, _meeting, _threads: []), with_tools(hidden=["search_threads"]), _MAKE_DO),
        (2, 3),
    ),
    Flaw(
        "no-directory",
        "Never asks the people directory, and gives names where calendars want IDs.",
        ("decomposition.source_never_queried:directory",),
        all_of(
            asking(_wait_for_nothing),
            with_tools(hidden=["search_people", "get_person"], rewrite=_errors_as_free_time),
        ),
        (3,),
    ),
    Flaw(
        "no-rooms",
        "Never asks the room system, and takes room R01.",
        ("decomposition.source_never_queried:rooms",),
        all_of(
            with_tools(hidden=["list_rooms", "get_room_details", "get_room_bookings"]), choosing(_in_the_first_room)
        ),
        (3,),
    ),
    Flaw(
        "search-results-only",
        "Searches the chat but reads none of the threads found.",
        ("acquisition.record_never_seen:thread",),
        all_of(finding(lambda _desk, _meeting, _threads: []), _MAKE_DO),
        (2, 3),
    ),
    Flaw(
        "first-page",
        "Reads only the first page of search results and of lists.",
        (
            "acquisition.record_never_seen:room",
            "acquisition.record_never_seen:room_calendar",
            "acquisition.record_never_seen:thread",
        ),
        all_of(with_tools(rewrite=_first_page), _MAKE_DO),
        (2, 3),
    ),
    Flaw(
        "kick-off-only",
        "Stops at the kick-off thread and misses the amendment in another one.",
        ("acquisition.record_never_seen:thread",),
        all_of(finding(_kick_off), _MAKE_DO),
        (2, 3),
    ),
    Flaw(
        "misses-new-participant",
        "Overlooks that somebody was added, and so never looks that person up.",
        ("acquisition.record_never_seen:calendar", "acquisition.record_never_seen:person"),
        hearing(_nobody_joins),
        (3,),
    ),
    Flaw(
        "wrong-homonym",
        "Takes a participant for the namesake in another team.",
        ("acquisition.record_never_seen:calendar", "acquisition.record_seen_in_part:calendar"),
        before_acquiring(_wrong_homonym),
        (3,),
    ),
    Flaw(
        "skips-calendar",
        "Never fetches the calendar of the last participant, but perhaps the day of an event that it waits for.",
        (
            "acquisition.record_never_seen:calendar",
            "acquisition.record_never_seen:person",
            "acquisition.record_seen_in_part:calendar",
        ),
        acquiring(_without_last),
    ),
    Flaw(
        "half-calendar",
        "Fetches calendars and bookings for the first half of the window only.",
        ("acquisition.record_seen_in_part:calendar", "acquisition.record_seen_in_part:room_calendar"),
        acquiring(_first_half),
    ),
    Flaw(
        "skips-event",
        "Never looks up the event of somebody else that has to be over first.",
        ("acquisition.record_never_seen:calendar", "acquisition.record_never_seen:person"),
        asking(_wait_for_participants_only),
        (3,),
    ),
    Flaw(
        "policy-titles-only",
        "Lists the policies but reads none of them.",
        ("acquisition.record_never_seen:policy",),
        acquiring(_titles_only),
        (2, 3),
    ),
    Flaw(
        "archived-policy",
        "Obeys the archived edition of each policy instead of the one in force.",
        ("acquisition.record_never_seen:policy",),
        acquiring(_from_archive),
        (3,),
    ),
    Flaw(
        "skips-bookings",
        "Never fetches the bookings of rooms.",
        ("acquisition.record_never_seen:room_calendar",),
        with_tools(instead={"get_room_bookings": _NO_EVENTS}),
        (3,),
    ),
)
"""In the order of the stages."""
