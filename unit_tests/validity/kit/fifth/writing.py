"""Slips while the answer is written down: at one option, at several, or in its form."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Final

from mpcbench.benchmark.agents.reference.acquire import suitable_rooms
from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, answer_text, candidate_of
from unit_tests.validity.kit.fifth.step import (
    BROKEN,
    NUMBER,
    OMITTED,
    ONE,
    PASSED,
    SLIP,
    TOO_FEW,
    TOO_MANY,
    WRONG,
    agent,
)
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, every, lines, one_line
from unit_tests.validity.kit.third.steps import written

_QUARTER: Final = timedelta(minutes=15)


def _moved(option: Option, by: timedelta) -> Option:
    return option._replace(start=option.start + by, end=option.end + by)


def _day_digits(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    start, end, room = options[place]
    day = int(f"{start.day:02d}"[::-1])
    if not 0 < day <= 28 or day == start.day:
        return None
    return Option(start.replace(day=day), end.replace(day=day), room)


def _minutes_dropped(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    minute = options[place].start.minute
    return _moved(options[place], timedelta(minutes=-minute)) if minute else None


def _end_late(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option:
    return options[place]._replace(end=options[place].end + 2 * _QUARTER)


def _start_of_hour(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    option = options[place]
    return option._replace(start=option.start.replace(minute=0)) if option.start.minute else None


def _two_days_on(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option:
    return _moved(options[place], timedelta(days=2))


def _booked_room(mind: Mind, facts: Facts, options: Sequence[Option], place: int) -> Option | None:
    option = options[place]
    free = {one.room_id for one in every(facts) if one.start == option.start}
    booked = [room.room_id for room in suitable_rooms(facts) if room.room_id not in free]
    return option._replace(room_id=mind.rng.choice(booked)) if booked else None


def _at_end_of_event(_: Mind, facts: Facts, options: Sequence[Option], place: int) -> Option | None:
    """The same option some minutes early, as soon as the event before it has ended."""
    option = options[place]
    finer = [
        one
        for one in every(replace(facts, step=5))
        if one.room_id == option.room_id and timedelta(0) < option.start - one.start < _QUARTER
    ]
    return min(finer) if finer else None


def _two_hour_early(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    if len(options) < 3:
        return options
    places = mind.rng.sample(range(len(options)), 2)
    return [_moved(one, timedelta(hours=-1)) if place in places else one for place, one in enumerate(options)]


def _alternative_added(_: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """The last option once more on the day after, unchecked, for the case that none of the others suits."""
    if not options:
        return options
    more = _moved(options[-1], timedelta(days=1))
    return options if more in every(facts) else [*options, more]


def _rooms_sorted(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """The rooms sorted by ID, apart from the times."""
    rooms = sorted(one.room_id or "" for one in options)
    return [one._replace(room_id=room) for one, room in zip(options, rooms, strict=True)]


def _without_rooms(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    return [*options[:1], *(one._replace(room_id=None) for one in options[1:])]


def _hour_of_offset(option: Option) -> Option:
    start, end = (
        moment.replace(tzinfo=timezone((moment.utcoffset() or timedelta(0)) + timedelta(hours=1)))
        for moment in (option.start, option.end)
    )
    return option._replace(start=start, end=end)


def _cut_off(mind: Mind, options: Sequence[Option]) -> str:
    text = answer_text(mind, options)
    mind.note(written="two thirds of the answer")
    return text[: len(text) * 2 // 3]


def _with_durations(mind: Mind, options: Sequence[Option]) -> str:
    mind.note(written="durations instead of ends")
    answer = [candidate_of(one) | {"duration": str(one.end - one.start)} for one in options]
    return json.dumps({"candidates": [{key: one[key] for key in one if key != "end"} for one in answer]})


def _draft_then_nothing(mind: Mind, options: Sequence[Option]) -> str:
    mind.note(written="an empty list after the full one")
    return f"Draft:\n{answer_text(mind, options)}\nFinal answer:\n" + json.dumps({"candidates": []})


AGENTS = (
    agent(
        "line-day-digits",
        "Swaps the digits of the day of one option, such as 12 for 21",
        one_line(_day_digits),
        SLIP,
        also=(f"{SLIP}:day", f"{SLIP}:week", ONE),
        why="One option has another date than was found; by how many days depends on the date.",
        single=True,
    ),
    agent(
        "line-minutes-dropped",
        "Writes one option at the full hour before its start",
        one_line(_minutes_dropped),
        f"{SLIP}:minutes",
        also=(SLIP, ONE),
        why="One option lost its minutes.",
        single=True,
    ),
    agent(
        "line-end-late",
        "Writes one option with an end half an hour late",
        one_line(_end_late),
        *(SLIP, f"{WRONG}:duration"),
        also=(ONE,),
        why="One option is longer than asked for.",
        single=True,
    ),
    agent(
        "line-start-of-hour",
        "Lets one option begin at the full hour and end as found",
        one_line(_start_of_hour),
        *(SLIP, f"{WRONG}:duration"),
        also=(ONE,),
        why="One option begins too early, and is longer than asked for.",
        single=True,
    ),
    agent(
        "line-two-days-late",
        "Writes one option with a date two days late",
        one_line(_two_days_on),
        f"{SLIP}:day",
        also=(SLIP, ONE),
        why="One option differs from what was found by two days.",
        single=True,
    ),
    agent(
        "line-booked-room",
        "Writes one option with a suitable room that is booked at that time",
        one_line(_booked_room),
        f"{SLIP}:room",
        also=(SLIP, ONE, f"{OMITTED}:bookings", f"{BROKEN}:bookings", "integration.record_overlooked:booking"),
        why="One option has another room than was found; one may also say that a booking was overlooked.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "line-at-end-of-event",
        "Lets one option begin some minutes early, between two quarters of an hour, as soon as everything allows it",
        one_line(_at_end_of_event),
        "integration.off_grid",
        also=(SLIP, ONE),
        why="One option is possible but for the grid.",
        single=True,
    ),
    agent(
        "two-lines-hour-early",
        "Writes two options an hour early",
        written(_two_hour_early),
        f"{SLIP}:hour",
        also=(SLIP, BROKEN),
        why="Two options differ from what was found by an hour.",
    ),
    agent(
        "last-two-lost",
        "Leaves out the last two of several options",
        written(lambda _, __, options: options[:-2] if len(options) > 3 else options),
        TOO_FEW,
        also=(NUMBER, f"{WRONG}:option_count"),
        why="All that is given is right, and two are missing.",
    ),
    agent(
        "alternative-added",
        "Adds the last option once more on the day after, unchecked, as an alternative",
        written(_alternative_added),
        TOO_MANY,
        also=(NUMBER, ONE),
        why="All that is asked for is right, and one is added that was never checked.",
    ),
    agent(
        "rooms-sorted-apart",
        "Sorts the rooms of the options by ID, apart from their times",
        written(_rooms_sorted),
        f"{SLIP}:room",
        also=(SLIP, PASSED, f"{BROKEN}:bookings", f"{OMITTED}:bookings"),
        why="Times and rooms are right, and do not belong together.",
        levels=WITH_ROOMS,
    ),
    agent(
        "rooms-missing-after-first",
        "Names a room with the first option only",
        written(_without_rooms),
        "integration.room_missing",
        why="All options but one have no room.",
        levels=WITH_ROOMS,
    ),
    agent(
        "offset-hour-more",
        "Writes all times with an offset that is an hour too large",
        lines(_hour_of_offset),
        f"{WRONG}:offset",
        also=(f"{WRONG}:clock", f"{SLIP}:hour"),
        why="The times of the wall clock are right, and their offset is that of another zone or season.",
    ),
    agent(
        "answer-cut-off",
        "Breaks off in the middle of the answer",
        Plan(text=_cut_off),
        *("format.unparsable", "format.truncated"),
        also=("format.no_answer",),
        why="The answer is not JSON, since its end is missing.",
        stage=Stage.FORMAT,
    ),
    agent(
        "durations-for-ends",
        "Gives the duration of each option instead of its end",
        Plan(text=_with_durations),
        "format.unparsable",
        also=("format.no_answer",),
        why="A candidate without an end cannot be read.",
        stage=Stage.FORMAT,
    ),
    agent(
        "draft-then-nothing",
        "Gives the options in a draft, and an empty list as the final answer",
        Plan(text=_draft_then_nothing),
        also=(f"{NUMBER}:none", NUMBER, TOO_FEW),
        why="The last list counts, and is empty; no reason says why.",
    ),
)
