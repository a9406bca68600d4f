"""Records that are not asked for, not all of the way, or with the wrong arguments."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from itertools import groupby
from typing import Any, Final

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan
from unit_tests.validity.kit.fifth.step import NEVER, OMITTED, PART, PASSED, SOURCE, agent
from unit_tests.validity.kit.fourth.habit import OWNER, Answer, Arguments, Habit, by, is_of_participant, owner_of
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, WITH_THREADS

_FREE: Final = json.dumps({"busy": [], "bookings": []})
_NO_HITS: Final = json.dumps({"total": 0, "page": 1, "pages": 1, "messages": [], "threads": []})
_DAY: Final = timedelta(days=1)

Asked = Callable[[int, date], bool]
"""Whether a day is asked for, by its place in what should be, from 0, and its date."""


def _some_days(asked: Asked, most: int = 1_000, tool_name: str = "get_calendar") -> Answer:
    """Asking for some days only, for the first people or rooms; others are taken for free."""

    def answer(desk: Habit, tool: str, arguments: Arguments) -> str:
        if tool != tool_name or not (is_of_participant(tool, arguments) or "room_id" in arguments):
            return desk.plainly(tool, arguments)
        whose = str(arguments["room_id"]) if "room_id" in arguments else owner_of(arguments)
        if desk.place(whose) >= most:
            return desk.plainly(tool, arguments)
        if "date" in arguments:  # a week in each call
            day = date.fromisoformat(arguments["date"])
            if asked((day - _first_day(desk.mind)).days, day):
                return desk.plainly(tool, arguments)
            desk.mind.note(not_asked=f"{whose}, week of {day}")
            return _FREE
        return _in_stretches(desk, tool, arguments, asked)

    return answer


def _first_day(mind: Mind) -> date:
    """The first day that a careful agent would ask for, by the task."""
    window = next(one.value for one in mind.asked if one.kind is Kind.WINDOW)
    day: date = window.days.first
    return day - _DAY


def _in_stretches(desk: Habit, tool: str, arguments: Arguments, asked: Asked) -> str:
    first, last = (date.fromisoformat(arguments[name]) for name in ("start_date", "end_date"))
    days = [(place, first + place * _DAY) for place in range((last - first).days + 1)]
    desk.mind.note(not_asked=[str(day) for place, day in days if not asked(place, day)])
    shown: dict[str, Any] = json.loads(_FREE)
    for is_asked, group in groupby(days, key=lambda one: asked(*one)):
        if is_asked:
            (_, start), *_, (_, end) = [*group] * 2
            dates = {"start_date": str(start), "end_date": str(end)}
            result = json.loads(desk.plainly(tool, {**arguments, **dates}))
            for key in ("busy", "bookings"):
                shown[key] += [one for one in result.get(key, []) if one not in shown[key]]
    return json.dumps(shown)


def _month_early(desk: Habit, tool: str, arguments: Arguments) -> str:
    """The second participant's calendar is asked for with the dates of the month before."""
    if not is_of_participant(tool, arguments) or desk.place(owner_of(arguments)) != 1:
        return desk.plainly(tool, arguments)
    days = {
        name: date.fromisoformat(arguments[name]) for name in ("date", "start_date", "end_date") if name in arguments
    }
    desk.in_vain(tool, {**arguments, **{name: str(day - 28 * _DAY) for name, day in days.items()}})
    desk.mind.note(**_named(arguments))
    return _FREE


def _named(arguments: Arguments) -> dict[str, str]:
    """Whose calendar it is, as a part of a slip."""
    owner = owner_of(arguments)
    return {"record": f"calendar:{owner}"} if "person_id" in arguments else {"person": owner}


def _same_person_twice(desk: Habit, tool: str, arguments: Arguments) -> str:
    """The call for the first participant is repeated where that for the second is due."""
    if not is_of_participant(tool, arguments) or desk.place(owner_of(arguments)) != 1:
        return desk.plainly(tool, arguments)
    desk.mind.note(**_named(arguments))
    name = next(one for one in OWNER if one in arguments)
    return desk.plainly(tool, {**arguments, name: desk.met[0]})


def _room_misspelt(desk: Habit, tool: str, arguments: Arguments) -> str:
    """The bookings of the first suitable room are asked for under "Room 04", and the error taken for none."""
    if tool != "get_room_bookings" or desk.place(arguments["room_id"]) != 0:
        return desk.plainly(tool, arguments)
    desk.in_vain(tool, {**arguments, "room_id": f"Room {arguments['room_id'][1:]}"})
    desk.mind.note(record=f"room_calendar:{arguments['room_id']}")
    return _FREE


def _details_for_bookings(desk: Habit, tool: str, arguments: Arguments) -> str:
    """Of the second suitable room the details are read, which have no bookings."""
    if tool != "get_room_bookings" or desk.place(arguments["room_id"]) != 1:
        return desk.plainly(tool, arguments)
    desk.plainly("get_room_details", {"room_id": arguments["room_id"]})
    desk.mind.note(record=f"room_calendar:{arguments['room_id']}")
    return _FREE


def _second_page_skipped(desk: Habit, tool: str, arguments: Arguments) -> str:
    if tool != "list_rooms" or arguments.get("page") != 2:
        return desk.plainly(tool, arguments)
    third = desk.mind.tools.call(tool, {**arguments, "page": 3}, turn=desk.turn)
    if third.startswith("error:"):
        return desk.plainly(tool, arguments)
    desk.mind.note(page_not_read=2)
    return third


def _last_row_lost(desk: Habit, tool: str, arguments: Arguments) -> str:
    result = desk.plainly(tool, arguments)
    if tool != "list_rooms":
        return result
    *rows, last, pages = result.splitlines()
    desk.mind.note(**{f"not_noticed_{last.split()[0]}": True})
    return "\n".join([*rows, pages])


def _not_searched(is_left_out: Callable[[str, Arguments], bool]) -> Answer:
    """Leaving out some of the searches for threads."""

    def answer(desk: Habit, tool: str, arguments: Arguments) -> str:
        if not is_left_out(tool, arguments):
            return desk.plainly(tool, arguments)
        desk.mind.note(not_searched=str(arguments))
        return _NO_HITS

    return answer


def _is_for_people(tool: str, arguments: Arguments) -> bool:
    """Whether a search is for the subject together with the name of a participant."""
    keyword = arguments.get("keyword", "")
    return tool == "search_threads" and '"' in keyword and not keyword.startswith('"')


def _one_channel(desk: Habit, tool: str, arguments: Arguments) -> str:
    """Of what is found, only messages in the channel of the first hit are looked at."""
    result = desk.plainly(tool, arguments)
    if tool != "search_threads":
        return result
    shown = json.loads(result)
    kept = [one for one in shown["messages"] if desk.place(one["channel"]) == 0]
    if len(kept) < len(shown["messages"]):
        desk.mind.note(channel=desk.met[0])
    return json.dumps({**shown, "messages": kept})


def _policy_digits(desk: Habit, tool: str, arguments: Arguments) -> str:
    """The digits of the policy's ID are swapped; where there is no such policy, none is applied."""
    if tool != "get_policy":
        return desk.plainly(tool, arguments)
    head, _, digits = arguments["keyword"].partition("-")
    if digits == digits[::-1]:
        return desk.plainly(tool, arguments)
    desk.mind.note(asked_for=f"{head}-{digits[::-1]}", record=f"policy:{arguments['keyword']}")
    shown = desk.mind.tools.call(tool, {"keyword": f"{head}-{digits[::-1]}"}, turn=desk.turn)
    return json.dumps({"rules": []}) if shown.startswith("error:") else shown


def _other_document(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """A document is opened that has none of the policies called for, and they are taken to say nothing."""
    called = {call.policy_id for call in request.policies}
    desk.next_turn()
    listed = desk.call_json("list_policies")
    other = next(one["document_id"] for one in listed if not called & {*one["policy_ids"]})
    desk.next_turn()
    desk.call("read_policy_document", document_id=other)
    mind.note(opened=other, policies_not_read=sorted(called))
    return replace(acquire(desk, replace(request, policies=[]), zone), request=request)


def _again_and_again(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """The first search is repeated until the budget is used up."""
    acquire(desk, request, zone)
    first = mind.tools.log[0]
    arguments: Any = first.arguments
    mind.note(repeated=first.name)
    while True:
        desk.next_turn()
        mind.tools.call(first.name, arguments, turn=desk.turn)


def _fetching(
    name: str,
    description: str,
    plan: Plan,
    *right: str,
    also: tuple[str, ...],
    why: str,
    levels: tuple[int, ...] = (1, 2, 3),
) -> FlawedAgent:
    return agent(name, description, plan, *right, also=also, why=why, levels=levels, stage=Stage.ACQUISITION)


AGENTS = (
    _fetching(
        "second-week-not-asked",
        "Leaves the second week out when it asks for the first participant's calendar week by week",
        by(_some_days(lambda place, _: not 7 <= place < 14, most=1)),
        f"{PART}:calendar",
        also=(PART, f"{OMITTED}:busy"),
        why="The calendar of one participant was read for a part of the window only.",
    ),
    _fetching(
        "every-other-week",
        "Asks for every other week of the calendars and takes the weeks between for free",
        by(_some_days(lambda place, _: place // 7 % 2 == 0)),
        f"{PART}:calendar",
        also=(PART, f"{OMITTED}:busy"),
        why="The calendars were read for a part of the window only.",
    ),
    _fetching(
        "working-days-asked",
        "Asks for calendars from Mondays to Fridays only and takes weekends for free",
        by(_some_days(lambda _, day: day.weekday() < 5)),
        f"{PART}:calendar",
        also=(PART, f"{OMITTED}:busy"),
        why="The calendars were read for a part of the window only.",
        levels=WITH_THREADS,
    ),
    _fetching(
        "bookings-of-working-days",
        "Asks for bookings from Mondays to Fridays only and takes weekends for free",
        by(_some_days(lambda _, day: day.weekday() < 5, tool_name="get_room_bookings")),
        f"{PART}:room_calendar",
        also=(PART, f"{OMITTED}:bookings"),
        why="The bookings were read for a part of the window only.",
        levels=WITH_ROOMS,
    ),
    _fetching(
        "month-early",
        "Asks for one participant's calendar with dates four weeks early, and finds nothing on the right days",
        by(_month_early),
        *(f"{PART}:calendar", f"{NEVER}:calendar"),
        also=(PART, NEVER, f"{OMITTED}:busy", f"{OMITTED}:participant"),
        why="The calendar of one participant was read for other days than those of the window, or not at all.",
    ),
    _fetching(
        "same-person-twice",
        "Asks for the first participant's calendar again where that of the second is due",
        by(_same_person_twice),
        f"{NEVER}:calendar",
        also=(NEVER, f"{OMITTED}:participant", f"{OMITTED}:busy"),
        why="The calendar of one participant was never asked for.",
    ),
    _fetching(
        "room-misspelt",
        'Asks for the bookings of one room under a wrong ID, such as "Room 04", and takes the error for no bookings',
        by(_room_misspelt),
        f"{NEVER}:room_calendar",
        also=(NEVER, f"{OMITTED}:bookings"),
        why="The bookings of one room were asked for in vain and never seen.",
        levels=WITH_ROOMS,
    ),
    _fetching(
        "details-for-bookings",
        "Reads the details of one room instead of its bookings, and takes it for free",
        by(_details_for_bookings),
        f"{NEVER}:room_calendar",
        also=(NEVER, f"{OMITTED}:bookings"),
        why="The bookings of one room were never asked for.",
        levels=WITH_ROOMS,
    ),
    _fetching(
        "second-page-of-rooms-skipped",
        "Goes from the first page of the rooms to the third",
        by(_second_page_skipped),
        *(NEVER, f"{NEVER}:room", f"{NEVER}:room_calendar"),
        also=(f"{PASSED}:room", PASSED),
        why="The rooms of one page were never seen, nor their bookings.",
        levels=WITH_ROOMS,
    ),
    _fetching(
        "last-row-lost",
        "Does not notice the last row of each page of rooms",
        by(_last_row_lost),
        f"{NEVER}:room_calendar",
        also=(NEVER, f"{PASSED}:room", PASSED),
        why="The bookings of a suitable room were never asked for, since its row was overlooked.",
        levels=WITH_ROOMS,
    ),
    _fetching(
        "people-not-searched",
        "Does not search for threads by the people who attend",
        by(_not_searched(_is_for_people)),
        f"{NEVER}:thread",
        also=(NEVER,),
        why="A thread that refers to the meeting by its people was never found.",
        levels=WITH_THREADS,
    ),
    _fetching(
        "channel-not-listed",
        "Does not list the channel in which changes were announced to be posted",
        by(_not_searched(lambda tool, _: tool == "list_threads")),
        f"{NEVER}:thread",
        also=(NEVER,),
        why="A thread in that channel was never found.",
        levels=WITH_THREADS,
    ),
    _fetching(
        "one-channel-only",
        "Opens only threads in the channel of the first hit",
        by(_one_channel),
        f"{NEVER}:thread",
        also=(NEVER, SOURCE),
        why="Threads in other channels were found and never opened; what they lead to is not seen, either.",
        levels=WITH_THREADS,
    ),
    _fetching(
        "policy-digits",
        "Swaps the digits of the policy's ID, such as POL-17 for POL-71",
        by(_policy_digits),
        f"{NEVER}:policy",
        also=(NEVER, SOURCE, "integration.constraint_added:policy"),
        why="The policy that was called for was never seen; another one is applied, or none.",
        levels=(1,),
    ),
    _fetching(
        "other-document-opened",
        "Opens a policy document that has none of the policies called for, and applies none",
        Plan(acquire=_other_document),
        f"{NEVER}:policy",
        also=(NEVER, SOURCE),
        why="Policies were looked for in the wrong document and never seen.",
        levels=WITH_THREADS,
    ),
    agent(
        "again-and-again",
        "Repeats one call until the budget is used up",
        Plan(acquire=_again_and_again),
        "format.no_answer",
        also=("format.truncated",),
        why="There is no final message within the budget.",
        stage=Stage.FORMAT,
    ),
)
