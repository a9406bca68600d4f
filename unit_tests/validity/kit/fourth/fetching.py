"""Habits of looking things up: only the first page, only the first week, a failed call taken for an empty result."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from typing import Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Message, PersonName, Request
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.habit import OWNER, Answer, Arguments, Habit, by, is_of_participant, owner_of
from unit_tests.validity.kit.fourth.step import HOUR, WITH_ROOMS, WITH_THREADS, agent

_NEVER: Final = "acquisition.record_never_seen"
_PART: Final = "acquisition.record_seen_in_part"
_SOURCE: Final = "decomposition.source_never_queried"
_OF_POLICIES: Final = ("policy", "work_hours", "lunch_block", "ban_dow_time", "buffer_min", "room_turnaround")
_FREE: Final = json.dumps({"busy": [], "bookings": []})
_PAGE: Final = re.compile(r"^page (\d+) of \d+", re.MULTILINE)


def _first_page(desk: Habit, tool: str, arguments: Arguments) -> str:
    result = desk.plainly(tool, arguments)
    if tool == "list_rooms":
        desk.mind.note(pages="first of the rooms")
        return _PAGE.sub(r"page \1 of \1", result)
    return result


def _last_two_lines(desk: Habit, tool: str, arguments: Arguments) -> str:
    """Of each list of threads the last two lines of the first page are read."""
    result = desk.plainly(tool, arguments)
    if tool not in ("search_threads", "list_threads"):
        return result
    shown = json.loads(result)
    key = "messages" if tool == "search_threads" else "threads"
    if len(shown[key]) > 2:
        desk.mind.note(lines_read=2)
    return json.dumps({**shown, key: shown[key][-2:], "pages": shown["page"]})


def _days_only(tool_name: str, days: int) -> Answer:
    def answer(desk: Habit, tool: str, arguments: Arguments) -> str:
        if tool != tool_name:
            return desk.plainly(tool, arguments)
        if "date" in arguments:  # a week in each call
            owner = owner_of(arguments)
            if owner in desk.met and days <= 7:
                desk.mind.note(days_read=days)
                return _FREE
            desk.place(owner)
            return desk.plainly(tool, arguments)
        first, last = (date.fromisoformat(arguments[name]) for name in ("start_date", "end_date"))
        end = min(last, first + timedelta(days=days))
        if end < last:
            desk.mind.note(days_read=days)
        return desk.plainly(tool, {**arguments, "end_date": end.isoformat()})

    return answer


def _failed_is_free(desk: Habit, tool: str, arguments: Arguments) -> str:
    """The calendar of the second participant is asked for with a misspelt name."""
    if is_of_participant(tool, arguments) and desk.place(owner_of(arguments)) == 1:
        name = next(one for one in OWNER if one in arguments)
        owner = str(arguments[name])
        desk.in_vain(tool, {**arguments, name: f"{owner}x"})
        desk.mind.note(**({"record": f"calendar:{owner}"} if name == "person_id" else {"person": owner}))
        return _FREE
    return desk.plainly(tool, arguments)


def _first_rooms(desk: Habit, tool: str, arguments: Arguments) -> str:
    if tool == "get_room_bookings" and desk.place(arguments["room_id"]) >= 2:
        desk.mind.note(rooms_taken_for_free=desk.met[2:])
        return _FREE
    return desk.plainly(tool, arguments)


def _two_calendars(desk: Habit, tool: str, arguments: Arguments) -> str:
    if is_of_participant(tool, arguments) and desk.place(owner_of(arguments)) >= 2:
        desk.mind.note(calendars_not_read=desk.met[2:])
        return _FREE
    return desk.plainly(tool, arguments)


def _first_of_the_name(desk: Habit, tool: str, arguments: Arguments) -> str:
    result = desk.plainly(tool, arguments)
    if tool != "search_people":
        return result
    shown = json.loads(result)
    found = [row for row in shown["people"] if row["name"] == arguments["name"]]
    if len(found) > 1:
        desk.mind.note(taken_of_several=found[0]["person_id"])
    return json.dumps({**shown, "people": found[:1], "pages": shown["page"]})


def _without_teams(_: Mind, request: Request) -> Request:
    after = [event._replace(person=PersonName(event.person.name)) for event in request.after]
    people = list(dict.fromkeys(PersonName(person.name) for person in request.people))
    return replace(request, people=people, after=after)


def _policy_unread(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    facts = acquire(desk, replace(request, policies=[]), zone)
    mind.note(policies_not_read=[call.policy_id for call in request.policies])
    facts.rules = [InsideHours(Hours(9 * HOUR, 17 * HOUR), frozenset(range(5)))]
    return facts


def _one_policy(mind: Mind, request: Request) -> Request:
    mind.note(policies_not_read=[call.policy_id for call in request.policies[1:]])
    return replace(request, policies=request.policies[:1])


def _event_not_looked_up(mind: Mind, request: Request) -> Request:
    mind.note(events_not_looked_up=[event.title for event in request.after])
    return replace(request, after=[])


def _no_more(mind: Mind, messages: list[Message]) -> list[Message]:
    mind.note(searches="one, for the full name")
    return messages


def _one_thread(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    mind.note(threads_not_opened=threads[1:])
    return threads[:1]


AGENTS = (
    agent(
        "rooms-of-first-page",
        "Reads only the first page of the rooms",
        by(_first_page),
        _NEVER,
        also=("observed.passed_over:room",),
        why="Later pages of the table were never asked for, and the rooms on them never seen, nor their bookings.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "last-hits-only",
        "Looks at the last two lines of each list of threads and opens no others",
        by(_last_two_lines),
        f"{_NEVER}:thread",
        also=(_NEVER, _SOURCE),
        why="Threads that were listed or found were never opened; what they lead to is not seen, either.",
        stage=Stage.ACQUISITION,
        levels=WITH_THREADS,
    ),
    agent(
        "no-second-search",
        "Searches for the full name of the meeting once and never for what refers to it in other words",
        Plan(messages=_no_more),
        f"{_NEVER}:thread",
        also=(_NEVER,),
        why="The thread of a later change was never seen, so that an older value is used.",
        stage=Stage.ACQUISITION,
        levels=WITH_THREADS,
        follows_up=False,
    ),
    agent(
        "one-thread-opened",
        "Opens only the first of the threads found",
        Plan(threads=_one_thread),
        f"{_NEVER}:thread",
        also=(_NEVER, _SOURCE),
        why="A thread that was found was never opened; what it leads to is not seen, either.",
        stage=Stage.ACQUISITION,
        levels=WITH_THREADS,
    ),
    agent(
        "calendars-of-one-week",
        "Reads the calendars of the first week and takes later weeks for free",
        by(_days_only("get_calendar", 7)),
        f"{_PART}:calendar",
        also=(_PART, _NEVER),
        why="The calendars were read for a part of the window only.",
        stage=Stage.ACQUISITION,
    ),
    agent(
        "bookings-of-three-days",
        "Reads the bookings of the first three days and takes later days for free",
        by(_days_only("get_room_bookings", 3)),
        f"{_PART}:room_calendar",
        also=(_PART, _NEVER),
        why="The bookings were read for a part of the window only.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "failed-call-is-free",
        "Misspells one participant and takes the error for an empty calendar",
        by(_failed_is_free),
        f"{_NEVER}:calendar",
        also=(_NEVER, "integration.constraint_omitted:busy"),
        why="The calendar was asked for in vain and never seen.",
        stage=Stage.ACQUISITION,
        single=True,
    ),
    agent(
        "two-calendars-only",
        "Reads the calendars of the first two people and takes the others for free",
        by(_two_calendars),
        f"{_NEVER}:calendar",
        also=(_NEVER, "integration.constraint_omitted:participant"),
        why="The calendars of the other participants were never asked for.",
        stage=Stage.ACQUISITION,
    ),
    agent(
        "two-rooms-looked-up",
        "Reads the bookings of the first two suitable rooms and takes the others for free",
        by(_first_rooms),
        f"{_NEVER}:room_calendar",
        also=(_NEVER, "integration.constraint_omitted:bookings"),
        why="The bookings of the other rooms were never asked for.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "first-of-the-name",
        "Takes the first person of a name, whatever the team",
        replace(by(_first_of_the_name), request=_without_teams),
        f"{_NEVER}:calendar",
        also=(_NEVER, "integration.constraint_added:participant", "integration.constraint_omitted:participant"),
        why="Two people are confused: the calendar of the right one was never seen.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "policy-from-memory",
        "Reads no policy and assumes nine to five on working days",
        Plan(acquire=_policy_unread),
        f"{_SOURCE}:policy",
        also=(_SOURCE, _NEVER),
        why="The policies were never looked up; usual hours are assumed.",
        stage=Stage.DECOMPOSITION,
    ),
    agent(
        "one-policy-only",
        "Reads the first of the policies that apply and no other",
        Plan(request=_one_policy),
        f"{_NEVER}:policy",
        *(f"integration.constraint_omitted:{one}" for one in _OF_POLICIES),
        also=(_NEVER,),
        why="The second policy was never read; where the document of the first shows it, too, its rules are dropped.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "event-not-looked-up",
        "Never looks up the event that the meeting has to wait for",
        Plan(request=_event_not_looked_up),
        *(f"{_NEVER}:calendar", "integration.constraint_omitted:after_event"),
        also=(_NEVER, "observed.condition_broken:after_event"),
        why="The calendar with the event was never read; where it is that of a participant, the condition is ignored.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
)
