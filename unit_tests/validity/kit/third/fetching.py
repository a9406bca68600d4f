"""Records that were not fetched, or only in part."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Message
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.desks import FlawedDesk, is_for_a_day, whom
from unit_tests.validity.kit.third.steps import DAY

_NOTHING: dict[str, Any] = {"busy": [], "bookings": []}


def _range_of(tool: str, change: Callable[[date, date], tuple[date, date]]) -> type[FlawedDesk]:
    """A desk that asks a tool for other days; a week of level 1 counts if its first day is among them."""

    class OtherDays(FlawedDesk):
        _first: date | None = None

        def call_json(self, name: str, /, **arguments: Any) -> Any:
            if name != tool or is_for_a_day(arguments):
                return super().call_json(name, **arguments)
            if "date" in arguments:
                day = date.fromisoformat(arguments["date"])
                self._first = min(self._first or day, day)
                first, last = change(self._first, day)
                if first <= day <= last:
                    return super().call_json(name, **arguments)
                self.mind.note(unread=f"week of {day}")
                return _NOTHING
            asked = date.fromisoformat(arguments["start_date"]), date.fromisoformat(arguments["end_date"])
            first, last = change(*asked)
            if (first, last) != asked:
                self.mind.note(asked=f"{first} to {last}", right=f"{asked[0]} to {asked[1]}")
            return super().call_json(name, **arguments | {"start_date": str(first), "end_date": str(last)})

    return OtherDays


def _month_of(first: date, last: date) -> tuple[date, date]:
    start = first + DAY
    return first, min(last, (start.replace(day=1) + timedelta(days=32)).replace(day=1) - DAY)


class _FewRoomsAsked(FlawedDesk):
    """Asks for the bookings of the first four rooms, and takes all others for free."""

    _most = 4

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._rooms: dict[str, None] = {}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool == "get_room_bookings":
            self._rooms[arguments["room_id"]] = None
            if [*self._rooms].index(arguments["room_id"]) >= self._most:
                self.mind.note(unread=[*self._rooms][self._most :])
                return _NOTHING
        return super().call_json(tool, **arguments)


class _FirstHit(FlawedDesk):
    """Takes the first of several people with one name, whatever team is asked for."""

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        result = super().call_json(tool, **arguments)
        if tool == "search_people":
            same = [row for row in result["people"] if row["name"] == arguments["name"]]
            for row in same[1:]:
                self.mind.note(taken=f"calendar:{same[0]['person_id']}")
                row["person_id"] = same[0]["person_id"]
        return result


class _NamesakesSkipped(FlawedDesk):
    """Leaves out whoever shares a name with somebody, as it cannot tell who is meant."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._unclear: set[str] = set()

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool == "get_calendar" and whom(arguments) in self._unclear and not is_for_a_day(arguments):
            self.mind.note(unread=f"calendar:{whom(arguments)}")
            return _NOTHING
        result = super().call_json(tool, **arguments)
        if tool == "search_people":
            same = [row["person_id"] for row in result["people"] if row["name"] == arguments["name"]]
            self._unclear |= {*same} if len(same) > 1 else set()
        return result


class _FirstTwoPeople(FlawedDesk):
    """Asks for the calendars of the first two participants only."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._people: dict[str, None] = {}

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        if tool == "get_calendar" and not is_for_a_day(arguments):
            self._people[whom(arguments)] = None
            if [*self._people].index(whom(arguments)) > 1:
                self.mind.note(unread=f"calendar of {whom(arguments)}")
                return _NOTHING
        return super().call_json(tool, **arguments)


def _without_last(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    """Opens all threads found but the last."""
    if len(threads) < 2:
        return threads
    mind.note(record=f"thread:{threads[-1]}")
    return threads[:-1]


def _unfollowed(mind: Mind, messages: list[Message]) -> list[Message]:
    """Notes that nothing was looked for beyond the full name."""
    mind.note(what="threads that call the meeting by less than its name were not looked for")
    return messages


_agent = partial(flawed, lead="The record that was not read", stage=Stage.ACQUISITION)

_NEVER = "acquisition.record_never_seen"
_PART = "acquisition.record_seen_in_part"

MONTH_OF_CALENDARS = Plan(desk=_range_of("get_calendar", _month_of))
WEEK_OF_BOOKINGS = Plan(desk=_range_of("get_room_bookings", lambda first, last: (first, min(last, first + 7 * DAY))))
FIRST_HIT = Plan(desk=_FirstHit)
LAST_THREAD = Plan(threads=_without_last)

AGENTS = (
    _agent(
        "k4-calendars-of-one-month",
        "Asks for calendars until the end of the month only.",
        MONTH_OF_CALENDARS,
        (f"{_PART}:calendar",),
    ),
    _agent(
        "k4-calendars-from-fourth-day",
        "Asks for calendars from the fourth day on.",
        Plan(desk=_range_of("get_calendar", lambda first, last: (min(first + 4 * DAY, last), last))),
        (f"{_PART}:calendar",),
        levels=(2, 3),
    ),
    _agent(
        "k4-bookings-of-one-week",
        "Asks for the bookings of one week only.",
        WEEK_OF_BOOKINGS,
        (f"{_PART}:room_calendar",),
        levels=(3,),
    ),
    _agent(
        "k4-four-rooms-asked",
        _FewRoomsAsked.__doc__ or "",
        Plan(desk=_FewRoomsAsked),
        (f"{_NEVER}:room_calendar",),
        "integration.constraint_omitted:bookings",
        levels=(3,),
    ),
    _agent(
        "k4-first-namesake",
        _FirstHit.__doc__ or "",
        FIRST_HIT,
        (f"{_NEVER}:calendar",),
        f"{_NEVER}:person",
        "integration.constraint_added:participant",
        levels=(3,),
    ),
    _agent(
        "k4-namesakes-skipped",
        _NamesakesSkipped.__doc__ or "",
        Plan(desk=_NamesakesSkipped),
        (f"{_NEVER}:calendar",),
        "integration.constraint_omitted:participant",
        levels=(3,),
    ),
    _agent(
        "k4-two-calendars-asked",
        _FirstTwoPeople.__doc__ or "",
        Plan(desk=_FirstTwoPeople),
        (f"{_NEVER}:calendar",),
        "integration.constraint_omitted:participant",
    ),
    _agent(
        "k4-last-thread-unopened",
        _without_last.__doc__ or "",
        LAST_THREAD,
        (f"{_NEVER}:thread",),
        levels=(2, 3),
    ),
    _agent(
        "k4-full-name-only",
        "Reads only the threads that give the meeting's full name.",
        Plan(messages=_unfollowed),
        (f"{_NEVER}:thread",),
        levels=(2, 3),
        follows_up=False,
    ),
)
"""The agents of this module."""
