"""Options that were found and are written down wrongly, and answers in another form."""

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, answer_text
from unit_tests.validity.kit.sixth.step import ONE, ROOMS, SLIP, WRONG, agent, giving

_UNPARSABLE: Final = ("format.unparsable", "format.no_answer")


_ROOM: Final = re.compile(r"(\d)(\d)$")


def _one(change: Callable[[Option], Option]) -> Plan:
    """Write one of the options wrongly, by lot among those that come out otherwise."""

    def step(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
        slips = [place for place, one in enumerate(options) if change(one) not in options]
        if not slips:
            return options
        place = mind.rng.choice(slips)
        mind.note(option=place + 1)
        return [*options[:place], change(options[place]), *options[place + 1 :]]

    return giving(step)


def _each(change: Callable[[Option], Option]) -> Plan:
    """Write all options wrongly."""
    return giving(lambda _mind, _facts, options: [*map(change, options)])


def _moved(option: Option, **by: float) -> Option:
    return option._replace(start=option.start + timedelta(**by), end=option.end + timedelta(**by))


def _half_day(option: Option) -> Option:
    return _moved(option, hours=-12) if option.start.hour > 12 else option


def _at(option: Option, change: Callable[[datetime], datetime]) -> Option:
    return option._replace(start=change(option.start), end=change(option.end))


def _day_and_month(moment: datetime) -> datetime:
    return moment.replace(month=moment.day, day=moment.month) if moment.day <= 12 else moment


def _digits_swapped(option: Option) -> Option:
    return option._replace(room_id=_ROOM.sub(r"\2\1", option.room_id or ""))


def _rooms_rotated(_mind: Mind, _facts: Facts, options: list[Option]) -> list[Option]:
    """Each option gets the room of the one after it."""
    rooms = [one.room_id for one in options[1:] + options[:1]]
    return [one._replace(room_id=room) for one, room in zip(options, rooms, strict=True)]


def _local_as_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) + (timedelta(hours=1) if not moment.utcoffset() else timedelta(0))


def _text(write: Callable[[Iterable[Option]], str]) -> Plan:
    return Plan(text=lambda _, options: write(options))


def _weekday(moment: datetime) -> str:
    return f"{moment:%A %-d %B, %H:%M}"


def _as_prose(options: Iterable[Option]) -> str:
    lines = (
        f"- {_weekday(one.start)} to {one.end:%H:%M}" + (f" in {one.room_id}" if one.room_id else "") for one in options
    )
    return "These times suit everybody:\n" + "\n".join(lines)


def _with_weekdays(options: Iterable[Option]) -> str:
    return json.dumps(
        {
            "candidates": [
                {"start": _weekday(one.start), "end": _weekday(one.end), "room_id": one.room_id} for one in options
            ]
        }
    )


def _asking_back(options: Iterable[Option]) -> str:
    first = next(iter(options), None)
    return f"I have gone through all calendars. Shall I propose {'several times' if first is None else _weekday(first.start)}?"


AGENTS = (
    agent(
        "option-day-late",
        "Writes one option with the date of the following day",
        _one(lambda one: _moved(one, days=1)),
        f"{SLIP}:day",
        also=(ONE,),
        why="One option is a day off.",
    ),
    agent(
        "option-in-the-night",
        "Writes one option of the afternoon as if it were in the morning, such as 02:30 for 14:30",
        _one(_half_day),
        f"{SLIP}:half_day",
        also=(ONE,),
        why="One option is twelve hours off.",
    ),
    agent(
        "option-end-short",
        "Writes the end of one option a quarter of an hour early",
        _one(lambda one: one._replace(end=one.end - timedelta(minutes=15))),
        f"{SLIP}:minutes",
        also=(ONE, f"{WRONG}:duration"),
        why="One option is shorter than the others.",
    ),
    agent(
        "option-ten-past",
        "Writes one option to start at ten past instead of a quarter past, and so on",
        _one(lambda one: _moved(one, minutes=-5)),
        *(f"{SLIP}:minutes", "integration.off_grid"),
        also=(ONE,),
        why="One option is five minutes off and so no longer on the grid.",
    ),
    agent(
        "option-last-year",
        "Writes one option with the year before",
        _one(lambda one: _at(one, lambda moment: moment.replace(year=moment.year - 1, day=min(moment.day, 28)))),
        f"{SLIP}:year",
        also=(ONE, f"{WRONG}:year"),
        why="One option is a year off.",
    ),
    agent(
        "option-room-digits",
        "Swaps the digits in the room of one option, such as R12 and R21",
        _one(_digits_swapped),
        f"{SLIP}:room",
        also=(ONE, "integration.room_missing"),
        why="One option has another room, which may not exist.",
        levels=ROOMS,
    ),
    agent(
        "rooms-shifted-a-row",
        "Writes each option with the room of the one after it",
        giving(_rooms_rotated),
        also=(f"{SLIP}:room", "observed.condition_broken:bookings", ONE),
        why="In words: the times are right and the rooms belong to other options.",
        levels=ROOMS,
    ),
    agent(
        "offset-wrong",
        "Writes all times with a wrong offset from UTC",
        _each(lambda one: _at(one, _local_as_utc)),
        f"{WRONG}:offset",
        also=(f"{WRONG}:clock",),
        why="All options are off by an offset.",
    ),
    agent(
        "dates-american",
        "Writes dates up to the twelfth of a month with day and month swapped",
        _each(lambda one: _at(one, _day_and_month)),
        *(f"{WRONG}:day_and_month", f"{SLIP}:day_and_month"),
        also=(ONE,),
        why="Day and month are swapped.",
    ),
    agent(
        "answers-in-prose",
        "Answers with a list of times in words and without JSON",
        _text(_as_prose),
        *_UNPARSABLE,
        why="There is no JSON object.",
        stage=Stage.FORMAT,
    ),
    agent(
        "answers-with-weekdays",
        "Writes times as weekday, day and month within the JSON",
        _text(_with_weekdays),
        *_UNPARSABLE,
        why="The times are no ISO 8601.",
        stage=Stage.FORMAT,
    ),
    agent(
        "answer-breaks-off",
        "Breaks off in the middle of its JSON",
        Plan(text=lambda mind, options: answer_text(mind, options)[: 60 + 30 * len(options)]),
        *(*_UNPARSABLE, "format.truncated"),
        why="The JSON object is not complete.",
        stage=Stage.FORMAT,
    ),
    agent(
        "asks-back",
        "Asks in its final message whether it shall go on",
        _text(_asking_back),
        *_UNPARSABLE,
        why="There are no options in the final message.",
        stage=Stage.FORMAT,
    ),
)
