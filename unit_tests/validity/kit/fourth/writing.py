"""Single slips at the answer: one candidate is written down wrongly, or the form of the answer is."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, candidate_of
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, agent, every, one_line

_SLIP = "integration.candidate_slip"
_ONE = "observed.one_wrong"
_COUNT = ("observed.wrong_number", _ONE)


def _moved(option: Option, **by: int) -> Option:
    step = timedelta(**by)
    return option._replace(start=option.start + step, end=option.end + step)


def _hour_on(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option:
    return _moved(options[place], hours=1)


def _week_early(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option:
    return _moved(options[place], weeks=-1)


def _month_on(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    start, end, room = options[place]
    if start.day > 28 or start.month == 12:
        return None
    return Option(start.replace(month=start.month + 1), end.replace(month=end.month + 1), room)


def _quarter_mixed_up(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    by = {15: 30, 45: -30}.get(options[place].start.minute)
    return None if by is None else _moved(options[place], minutes=by)


def _half_day_off(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    return _moved(options[place], hours=-12) if options[place].start.hour > 12 else None


def _day_of_line_above(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    option, above = options[place], options[place - 1]
    days = (above.start.date() - option.start.date()).days
    return _moved(option, days=days) if place and days else None


def _end_of_next_line(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    option = options[place]
    later = [one.end for one in options[place + 1 :] if one.end.date() == option.end.date() and one.end > option.end]
    return option._replace(end=later[0]) if later else None


def _start_of_line_above(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    option, above = options[place], options[place - 1]
    return option._replace(start=above.start) if place and above.start.date() == option.start.date() else None


def _in_utc(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    option = options[place]
    if option.start.utcoffset() == timedelta(0):
        return None
    return option._replace(start=option.start.replace(tzinfo=UTC), end=option.end.replace(tzinfo=UTC))


def _room_of_line_above(_: Mind, __: Facts, options: Sequence[Option], place: int) -> Option | None:
    return options[place]._replace(room_id=options[place - 1].room_id) if place else None


def _room_digits(_: Mind, facts: Facts, options: Sequence[Option], place: int) -> Option | None:
    room = options[place].room_id or ""
    swapped = f"{room[:-2]}{room[:-3:-1]}"
    return options[place]._replace(room_id=swapped) if swapped in {one.room_id for one in facts.rooms or ()} else None


def _room_below(_: Mind, facts: Facts, options: Sequence[Option], place: int) -> Option | None:
    rooms = [one.room_id for one in facts.rooms or ()]
    at = rooms.index(options[place].room_id or "") + 1
    return options[place]._replace(room_id=rooms[at]) if at < len(rooms) else None


def _next_best(_: Mind, facts: Facts, options: Sequence[Option], place: int) -> Option | None:
    others = every(facts)[len(options) :]
    return others[0] if others and place < len(options) - 1 else None


def _line_twice(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    if len(options) < 2:
        return options
    place = mind.rng.randrange(1, len(options))
    mind.note(written_twice=candidate_of(options[place - 1]), instead_of=candidate_of(options[place]))
    return [*options[:place], options[place - 1], *options[place + 1 :]]


def _line_lost(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    if not options:
        return options
    place = mind.rng.randrange(len(options))
    mind.note(not_written=candidate_of(options[place]))
    return [*options[:place], *options[place + 1 :]]


def _with_pm(mind: Mind, options: Sequence[Option]) -> str:
    def written(moment: datetime) -> str:
        return f"{moment:%Y-%m-%d %I:%M %p}"

    mind.note(written="12-hour times")
    answer = [candidate_of(one) | {"start": written(one.start), "end": written(one.end)} for one in options]
    return json.dumps({"candidates": answer})


def _asks_back(mind: Mind, options: Sequence[Option]) -> str:
    mind.note(written="a question")
    return f"I have found {len(options)} times for the {mind.meeting}. Shall I send them to you as a list?"


AGENTS = (
    agent(
        "line-hour-late",
        "Writes one candidate an hour late",
        one_line(_hour_on),
        f"{_SLIP}:hour",
        also=(_SLIP, _ONE),
        why="One candidate differs from what was found by an hour.",
        single=True,
    ),
    agent(
        "line-week-early",
        "Writes one candidate with the date of a week before",
        one_line(_week_early),
        f"{_SLIP}:week",
        also=(_SLIP, _ONE),
        why="One candidate differs from what was found by a week.",
        single=True,
    ),
    agent(
        "line-month-late",
        "Writes one candidate with the month after its own",
        one_line(_month_on),
        f"{_SLIP}:month",
        also=(_SLIP, _ONE),
        why="One candidate differs from what was found by a month.",
        single=True,
    ),
    agent(
        "line-quarters-mixed-up",
        "Writes one candidate at a quarter past instead of a quarter to, or the other way round",
        one_line(_quarter_mixed_up),
        f"{_SLIP}:minutes",
        also=(_SLIP, _ONE),
        why="One candidate differs from what was found by half an hour.",
        single=True,
    ),
    agent(
        "line-in-the-night",
        "Writes one candidate of the afternoon twelve hours early",
        one_line(_half_day_off),
        f"{_SLIP}:half_day",
        also=(_SLIP, _ONE),
        why="One candidate differs from what was found by half a day.",
        single=True,
    ),
    agent(
        "line-day-of-above",
        "Writes one candidate with the date of the one above it",
        one_line(_day_of_line_above),
        _SLIP,
        also=(_ONE,),
        why="One candidate has another date than was found; by how many days depends on the one above it.",
        single=True,
    ),
    agent(
        "line-end-of-next",
        "Writes one candidate with the end of a later one",
        one_line(_end_of_next_line),
        _SLIP,
        also=(_ONE, "integration.value_wrong:duration"),
        why="The end of one candidate was copied from another.",
        single=True,
    ),
    agent(
        "line-start-of-above",
        "Writes one candidate with the start of the one above it",
        one_line(_start_of_line_above),
        _SLIP,
        also=(_ONE, "integration.value_wrong:duration"),
        why="The start of one candidate was copied from another.",
        single=True,
    ),
    agent(
        "line-in-utc",
        "Writes one candidate with its local time as if it were UTC",
        one_line(_in_utc),
        _SLIP,
        also=(_ONE, "integration.value_wrong:offset"),
        why="One candidate is off by the offset of the time zone.",
        single=True,
    ),
    agent(
        "line-room-of-above",
        "Writes one candidate with the room of the one above it",
        one_line(_room_of_line_above),
        f"{_SLIP}:room",
        also=(_SLIP, _ONE),
        why="One candidate has the room of another.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "line-room-digits",
        "Swaps the digits of one room ID where another room has that ID",
        one_line(_room_digits),
        f"{_SLIP}:room",
        also=(_SLIP, _ONE),
        why="One candidate has a room with a similar ID.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "line-room-below",
        "Copies one room ID from the next row of the table of rooms",
        one_line(_room_below),
        f"{_SLIP}:room",
        also=(_SLIP, _ONE),
        why="One candidate has another room than was found.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "line-next-best",
        "Skips one option and gives the next best one after the last instead",
        one_line(_next_best),
        also=(_ONE, "observed.passed_over", _SLIP),
        why="No reason says that one option was skipped; that one candidate is wrong and a better one passed over is true.",
        single=True,
    ),
    agent(
        "line-twice",
        "Writes one candidate twice, and another one not at all",
        Plan(options=_line_twice),
        "integration.count:too_few",
        also=(_SLIP, *_COUNT),
        why="One that is given twice counts once, so the answer has one too few.",
        single=True,
    ),
    agent(
        "line-lost",
        "Leaves one candidate out",
        Plan(options=_line_lost),
        "integration.count:too_few",
        also=_COUNT,
        why="All that is given is right, and one is missing.",
        single=True,
    ),
    agent(
        "answer-with-pm",
        "Writes the times of the answer as 12-hour times",
        Plan(text=_with_pm),
        "format.unparsable",
        also=("format.no_answer",),
        why="The answer has the right form but for its times, which are not ISO 8601.",
        stage=Stage.FORMAT,
    ),
    agent(
        "answer-is-a-question",
        "Asks back instead of answering",
        Plan(text=_asks_back),
        *("format.no_answer", "format.unparsable"),
        also=("format.refused",),
        why="The final message has no answer in it.",
        stage=Stage.FORMAT,
    ),
)
