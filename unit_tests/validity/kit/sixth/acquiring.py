"""Calendars and bookings that are not looked up, or in part only."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from typing import Any, Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk, minutes
from mpcbench.benchmark.agents.reference.facts import Facts, PersonName, Request
from mpcbench.benchmark.agents.reference.grammar_time import Moment, instant
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    BOOKED,
    BUSY,
    LOST,
    NEVER,
    OMITTED,
    PART,
    PASSED,
    ROOMS,
    UNBOOKED,
    WRONG,
    Call,
    agent,
    calling,
)

_NOTHING: Final = json.dumps({"busy": [], "bookings": [], "threads": [], "messages": [], "page": 1, "pages": 1})


_PAGE: Final = re.compile(r"^page (\d+) of \d+, ", re.MULTILINE)


_LIMIT: Final = 8


_DAYS: Final = 10


_NO_CALENDAR: Final = (f"{OMITTED}:participant", LOST, *BUSY)


def _asked(mind: Mind, tool: str) -> list[dict[str, Any]]:
    """The arguments of all calls of a tool so far."""
    return [dict(one.arguments) for one in mind.tools.log if one.name == tool and isinstance(one.arguments, dict)]


def _days(mind: Mind, call: Call, tool: str, arguments: dict[str, Any], kind: str, most: int) -> str:
    """The first days of a look-up only."""
    if tool != kind:
        return call(tool, **arguments)
    if "date" in arguments:
        asked = sum(one["keyword"] == arguments["keyword"] for one in _asked(mind, "get_calendar"))
        return call(tool, **arguments) if asked * 7 < most else _NOTHING
    end = date.fromisoformat(arguments["start_date"]) + timedelta(days=most - 1)
    return call(tool, **arguments | {"end_date": min(arguments["end_date"], end.isoformat())})


def _last_year(mind: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """The first calendar is looked up in the year before."""
    if tool != "get_calendar":
        return call(tool, **arguments)
    key = next(one for one in ("keyword", "person", "person_id") if one in arguments)
    first = next(iter(_asked(mind, "get_calendar")), arguments)
    if first.get(key) != arguments[key]:
        return call(tool, **arguments)
    dates = {name: f"{int(value[:4]) - 1}{value[4:]}" for name, value in arguments.items() if name != key}
    mind.note(person=arguments[key])
    return call(
        tool, **{key: arguments[key]} | {name: value.replace("-02-29", "-02-28") for name, value in dates.items()}
    )


def _few_rooms(mind: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    asked = {one["room_id"] for one in _asked(mind, "get_room_bookings")}
    return _NOTHING if tool == "get_room_bookings" and len(asked) >= 2 else call(tool, **arguments)


def _first_pages(_: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    result = call(tool, **arguments)
    if tool == "list_rooms":
        return _PAGE.sub(r"page \1 of \1, ", result)
    return result


def _out_of_patience(mind: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """After so many calls for entries, what is left is taken to be free."""
    asked = sum(one.name in {"get_calendar", "get_room_bookings"} for one in mind.tools.log)
    free = asked >= _LIMIT and tool in {"get_calendar", "get_room_bookings"}
    return _NOTHING if free else call(tool, **arguments)


def _namesakes(mind: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """Of people with the same name, the first one in the directory."""
    result = call(tool, **arguments)
    if tool != "search_people":
        return result
    found = json.loads(result)
    first = [row for row in found["people"] if row["name"] == arguments["name"]][:1]
    teams = [row["team"] for row in found["people"] if row["name"] == arguments["name"]]
    # The desk looks for the team that was said, so that the first row has to pass for every team.
    people = [row | {"team": team} for row in first for team in dict.fromkeys(teams)]
    if len(teams) > 1:
        mind.note(people=[arguments["name"]])
    return json.dumps(found | {"people": people})


def _last_unread(_: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The calendar of the participant named last is not looked up."""
    people: list[PersonName] = request.people[:-1] if len(request.people) > 1 else request.people
    facts = acquire(desk, replace(request, people=people), zone)
    return replace(facts, request=request)


def _event_guessed(_: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """An event that has to be over is not looked up; it is taken to end at noon."""
    facts = acquire(desk, replace(request, after=[]), zone)
    return replace(
        facts,
        request=request,
        after=[minutes(instant(Moment(event.day, 12 * 60), zone)) for event in request.after],
    )


def _without_second_week(mind: Mind, call: Call, tool: str, arguments: dict[str, Any]) -> str:
    """Of the weeks of each calendar the second is not asked for."""
    if tool != "get_calendar":
        return call(tool, **arguments)
    skipped = mind.slip is not None and (arguments["keyword"] in mind.slip.get("people", []))
    asked = sum(one["keyword"] == arguments["keyword"] for one in _asked(mind, "get_calendar"))
    if asked == 1 and not skipped:
        mind.note(people=[*(mind.slip or {}).get("people", []), arguments["keyword"]])
        return _NOTHING
    return call(tool, **arguments)


_ACQUISITION: Final = Stage.ACQUISITION

AGENTS = (
    agent(
        "calendars-ten-days",
        "Looks calendars up for ten days only and takes the rest of the window to be free",
        calling(lambda mind, call, tool, arguments: _days(mind, call, tool, arguments, "get_calendar", _DAYS)),
        f"{PART}:calendar",
        also=(LOST, *BUSY),
        why="The days after the tenth were never shown.",
        stage=_ACQUISITION,
    ),
    agent(
        "second-week-unread",
        "Jumps from the first week of a calendar to the third",
        calling(_without_second_week),
        f"{PART}:calendar",
        also=(LOST, *BUSY),
        why="A week of each calendar was never shown.",
        stage=_ACQUISITION,
        levels=(1,),
    ),
    agent(
        "calendar-of-last-year",
        "Looks one calendar up with the year before and finds it free",
        calling(_last_year),
        *(f"{PART}:calendar", f"{NEVER}:calendar"),
        also=_NO_CALENDAR,
        why="The days that matter of one calendar were never shown.",
        stage=_ACQUISITION,
    ),
    agent(
        "patience-lost",
        "Loses patience after eight calls for calendars and bookings and takes the rest to be free",
        calling(_out_of_patience),
        *(f"{PART}:calendar", f"{NEVER}:calendar", f"{NEVER}:room_calendar"),
        also=(*_NO_CALENDAR, UNBOOKED, *BOOKED),
        why="Calendars or bookings that matter were never shown.",
        stage=_ACQUISITION,
    ),
    agent(
        "last-calendar-unread",
        "Forgets to look up the calendar of the participant named last",
        Plan(acquire=_last_unread),
        f"{NEVER}:calendar",
        also=_NO_CALENDAR,
        why="One calendar was never shown.",
        stage=_ACQUISITION,
    ),
    agent(
        "first-namesake",
        "Opens the calendar of the first person of a name in the directory, whatever the team",
        calling(_namesakes),
        f"{NEVER}:calendar",
        also=(*_NO_CALENDAR, f"{NEVER}:person", "integration.constraint_added:participant"),
        why="The calendar of a participant was never shown, but that of a namesake.",
        stage=_ACQUISITION,
        levels=ROOMS,
    ),
    agent(
        "rooms-first-page",
        "Reads only the first page of the list of rooms",
        calling(_first_pages),
        f"{NEVER}:room",
        also=(f"{NEVER}:room_calendar", PASSED),
        why="The rooms on later pages were never shown.",
        stage=_ACQUISITION,
        levels=ROOMS,
    ),
    agent(
        "two-rooms-checked",
        "Looks up the bookings of two rooms and takes the others to be free",
        calling(_few_rooms),
        f"{NEVER}:room_calendar",
        also=(UNBOOKED, *BOOKED),
        why="The bookings of most rooms were never shown.",
        stage=_ACQUISITION,
        levels=ROOMS,
    ),
    agent(
        "bookings-three-days",
        "Looks bookings up for three days only and takes rooms to be free afterwards",
        calling(lambda mind, call, tool, arguments: _days(mind, call, tool, arguments, "get_room_bookings", 3)),
        f"{PART}:room_calendar",
        also=(UNBOOKED, *BOOKED),
        why="The bookings of later days were never shown.",
        stage=_ACQUISITION,
        levels=ROOMS,
    ),
    agent(
        "awaited-event-guessed",
        "Takes the event that has to be over to end at noon without looking it up",
        Plan(acquire=_event_guessed),
        *(f"{NEVER}:calendar", f"{WRONG}:after_event"),
        also=(f"{OMITTED}:after_event", "observed.condition_broken:after_event", f"{PART}:calendar"),
        why="The event was never shown, unless its owner takes part.",
        stage=_ACQUISITION,
        levels=ROOMS,
    ),
)
