"""Timelines and pages of the tiny instances, for tests of how they look."""

from collections.abc import Iterator

from mpcbench.evaluation.report.episode.page import instance_page
from mpcbench.evaluation.report.timeline.timeline import Day, Timeline, timeline
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.schema import Instance, World
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import LADDER, Level
from unit_tests.builders import tiny


def low_level(episode: Episode) -> Level:
    """The level of an episode on a tiny instance."""
    assert episode.level != LADDER
    return episode.level


def drawn(episode: Episode, world: World | None = None, instance: Instance | None = None) -> Timeline:
    """The timeline of an episode on a tiny instance, or on another of the same gold."""
    level = low_level(episode)
    return timeline(world or tiny.world(level), instance or tiny.instance(level), tiny.label(level), episode)


def page(episode: Episode) -> str:
    """The page of an episode on a tiny instance."""
    level = low_level(episode)
    return instance_page(tiny.world(level), tiny.instance(level), tiny.label(level), episode)


def answer(level: Level, *slots: str) -> str:
    """An answer of slots such as `2027-02-08 09:30-10:30`, at level 3 with the room: `2027-02-08 09:30-10:30 R01`."""
    return f'{{"candidates": [{", ".join(_slot(slot, level) for slot in slots)}]}}'


def _slot(text: str, level: Level) -> str:
    date, times, *room = text.split()
    start, end = times.split("-")
    fields = f'"start": "{date}T{start}:00", "end": "{date}T{end}:00"'
    return f'{{{fields}, "room_id": "{room[0]}"}}' if level == 3 and room else f"{{{fields}}}"


def bars(day: Day, timeline: Timeline) -> list[str]:
    """The bars of a day as `Priya Nair busy 09:00-10:00 calendar:p001, hit by 1`, by row."""
    return [
        f"{row.name} {bar.kind} {clock(bar.span, day, timeline)} {' '.join(bar.records)}"
        + (f", hit by {' '.join(map(str, bar.hits))}" if bar.hits else "")
        for row in day.rows
        for bar in row.bars
    ]


def clock(span: Interval, day: Day, timeline: Timeline) -> str:
    """A span's local times; `24:00` at the end of the day."""
    return "-".join(
        "24:00" if instant == day.span.end else f"{to_datetime(instant, timeline.zone):%H:%M}" for instant in span
    )


def places(timeline: Timeline) -> Iterator[tuple[str, int | None, int | None]]:
    """What every mark says, in the order of the days."""
    for day in timeline.days:
        for mark in day.marks:
            yield mark.state.value, mark.rank, mark.place
