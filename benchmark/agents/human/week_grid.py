"""A calendar drawn week by week: a column for each day, a block for each entry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.human.results import Busy, Schedule
from mpcbench.evaluation.scoring.time_text import WEEKDAYS, hours_text

DAY: Final = 110
"""Width of a day."""

LEFT: Final = 40
"""Width of the hours' names."""

HEAD: Final = 22
"""Height of the days' names."""

HOUR: Final = 48
"""Height of an hour."""

WIDTH: Final = LEFT + 7 * DAY + 1

_CHARACTER: Final = 6.7  # width of one on average
_LINE: Final = 12  # height of one
_EARLY, _LATE = 8, 18  # hours that are always drawn


class Block(NamedTuple):
    """An entry on one day."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[float, float, str], ...]
    """What fits of its time and title, with where each line begins."""

    whole: str
    """All of it."""


class Column(NamedTuple):
    """A day."""

    x: int
    name: str
    asked: bool
    """Whether the result says anything of this day."""


@dataclass(frozen=True, slots=True)
class Week:
    """The drawing of one week."""

    name: str
    columns: tuple[Column, ...]
    hours: tuple[tuple[int, str], ...]
    """Where each hour begins, and its name."""

    blocks: tuple[Block, ...]
    height: int


def weeks(schedule: Schedule) -> Iterator[Week]:
    """The weeks from Monday to Sunday that the schedule touches, all with the same hours."""
    minutes = [minute for day in schedule.days for _, *span in schedule.on(day) for minute in span]
    early = min([_EARLY, *(minute // 60 for minute in minutes)])
    late = max([_LATE, *(-(-minute // 60) for minute in minutes)])
    monday = schedule.first - timedelta(days=schedule.first.weekday())
    while monday <= schedule.last:
        days = [monday + timedelta(days=number) for number in range(7)]
        yield Week(
            name=f"Week from {_named(days[0])} to {_named(days[6])}",
            columns=tuple(
                Column(LEFT + place * DAY, _named(day), schedule.first <= day <= schedule.last)
                for place, day in enumerate(days)
            ),
            hours=tuple((HEAD + (hour - early) * HOUR, f"{hour:02d}:00") for hour in range(early, late)),
            blocks=tuple(
                block
                for place, day in enumerate(days)
                if schedule.first <= day <= schedule.last
                for block in _blocks(schedule.on(day), LEFT + place * DAY, early)
            ),
            height=HEAD + (late - early) * HOUR + 1,
        )
        monday += timedelta(days=7)


def _named(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()]} {day.day} {day:%b}"


def _blocks(entries: Sequence[tuple[Busy, int, int]], left: int, early: int) -> Iterator[Block]:
    """The blocks of a day; entries that overlap are drawn beside one another."""
    ends: list[int] = []
    lanes = []
    for _, first, last in entries:
        lane = next((place for place, end in enumerate(ends) if end <= first), len(ends))
        ends[lane : lane + 1] = [last]
        lanes.append(lane)
    width = (DAY - 3) / max(len(ends), 1)
    for (entry, first, last), lane in zip(entries, lanes, strict=True):
        x, y = left + 2 + lane * width, HEAD + (first - early * 60) * HOUR / 60
        height = (last - first) * HOUR / 60
        span = hours_text(first, last)
        yield Block(
            x=round(x, 1),
            y=round(y + 0.5, 1),
            width=round(width - 1, 1),
            height=round(max(height - 1, 3), 1),
            lines=tuple(
                (round(x + 4, 1), round(y + 10.5 + number * _LINE, 1), text)
                for number, text in enumerate(_fitting(span, entry.title, width, height))
            ),
            whole=f"{span} {entry.title}",
        )


def _fitting(span: str, title: str, width: float, height: float) -> list[str]:
    """The lines of a block, as many and as long as it has room for."""
    room = int((width - 8) / _CHARACTER)
    if height < _LINE:
        return []
    if height < 2 * _LINE + 2:
        return [_cut(f"{span} {title}", room)]
    return [_cut(span, room), _cut(title, room)]


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
