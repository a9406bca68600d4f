"""Readings of an answer: what the agent may have meant by the times and rooms that it wrote."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import NamedTuple

from mpcbench.evaluation.diagnosis.change import ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot
from mpcbench.evaluation.diagnosis.fit import ANY_ROOM
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.evaluation.scoring.score import Proposal, proposal_key
from mpcbench.oracle.interval import Interval, to_datetime, to_minutes
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_WEEK = timedelta(days=7)
_YEAR = 366 * MINUTES_PER_DAY
_MOST_CANDIDATES = 200
_HOUR = 60


class Reading(NamedTuple):
    """An answer with mistakes in writing it undone, and these mistakes."""

    parts: tuple[ChangedPart, ...]
    candidates: tuple[Slot, ...]


def written(candidates: Sequence[Proposal], near: Interval) -> tuple[Slot, ...] | None:
    """The distinct candidates in minutes; None if no small mistake can have led to them.

    That is the case if one lies more than a year from `near` or is not on whole minutes, or if there are far too many.
    """
    reach = near.widened(_YEAR)
    if any(moment.second or moment.microsecond for one in candidates for moment in (one.start, one.end)):
        return None
    found = tuple(dict.fromkeys(map(_slot, candidates)))
    if not all(reach.start <= one.start <= one.end <= reach.end for one in found):
        return None
    return found if len(found) <= _MOST_CANDIDATES else None


def repeated(candidates: Sequence[Proposal]) -> tuple[Slot, ...]:
    """The candidates that are not the first of their kind."""
    slots = [*map(_slot, candidates)]
    return tuple(one for place, one in enumerate(slots) if one in slots[:place])


def _slot(candidate: Proposal) -> Slot:
    start, end, room_id, _ = proposal_key(candidate)
    return Slot(to_minutes(start), to_minutes(end), room_id)


def readings(
    answer: tuple[Slot, ...], zone: tzinfo, room_ids: Mapping[str, str], near: Interval | None = None
) -> list[Reading]:
    """The literal answer first, then one reading per mistake in writing, with the mistake undone.

    Args:
        answer: The candidates.
        zone: The world's time zone.
        room_ids: Room IDs by the rooms' names, case folded.
        near: The window.
    """
    found = [Reading((), answer)]
    known = {answer}
    for mistake, candidates in _undone(answer, zone, room_ids, near or Interval(0, 0)):
        if candidates not in known:
            known.add(candidates)
            found.append(Reading((mistake,), candidates))
    return found


def _undone(
    answer: tuple[Slot, ...], zone: tzinfo, room_ids: Mapping[str, str], near: Interval
) -> Iterator[tuple[ChangedPart, tuple[Slot, ...]]]:
    holds = {"zone": str(zone)}
    mistaken = partial(part, ground=Ground.CONVENTION)
    for hours in (-1, 1):
        shift = mistaken(Reason.VALUE_WRONG, "offset", Fact(TASK, holds, {"hours_late": hours}))
        yield shift, tuple(_moved(one, -hours * _HOUR) for one in answer)
    half_a_year = 183 * MINUTES_PER_DAY
    offsets = {_offset(one.start + later, zone) for one in answer for later in (0, half_a_year)}
    for offset in sorted(offsets | {0}):
        other = mistaken(Reason.VALUE_WRONG, "offset", Fact(TASK, holds, {"minutes_from_utc": offset}))
        yield other, tuple(_moved(one, _as_wall_clock(one.start + offset, zone) - one.start) for one in answer)
    as_utc = mistaken(Reason.VALUE_WRONG, "offset", Fact(TASK, holds, "UTC without its offset"))
    yield as_utc, tuple(_moved(one, _offset(one.start, zone)) for one in answer)
    for weeks in (-1, 1):
        shift = mistaken(Reason.VALUE_WRONG, "week", Fact(TASK, {"weeks_late": 0}, {"weeks_late": weeks}))
        yield shift, tuple(_moved(one, _week_before(one.start, weeks, zone) - one.start) for one in answer)
    for years in (-1, 1):
        other = mistaken(Reason.VALUE_WRONG, "year", Fact(TASK, {"years_late": 0}, {"years_late": years}))
        yield other, tuple(_dated(one, zone, partial(_years_before, years=years)) for one in answer)
    swapped = mistaken(Reason.VALUE_WRONG, "day_and_month", Fact(TASK, "year-month-day", "year-day-month"))
    yield swapped, tuple(_swapped_into(one, zone, near) for one in answer)
    for hours in (-12, 12):
        shift = mistaken(Reason.VALUE_WRONG, "half_day", Fact(TASK, {"hours_late": 0}, {"hours_late": hours}))
        yield shift, tuple(_moved(one, -hours * _HOUR) for one in answer)
    for days in (-1, 1):
        shift = mistaken(Reason.VALUE_WRONG, "day", Fact(TASK, {"days_late": 0}, {"days_late": days}))
        yield shift, tuple(_moved(one, -days * MINUTES_PER_DAY) for one in answer)
    stray = {one.start % GRID_MINUTES for one in answer}
    if len(stray) == 1 and stray != {0}:
        (minutes,) = stray
        for late in (minutes, minutes - GRID_MINUTES):
            off = mistaken(Reason.OFF_GRID, "", Fact(TASK, {"step": GRID_MINUTES}, {"minutes_late": late}))
            yield off, tuple(_moved(one, -late) for one in answer)
    nameless = sum(one.room_id is None for one in answer)
    if room_ids and nameless:
        missing = mistaken(Reason.ROOM_MISSING, "", Fact(TASK, "a room for every option", more={"without": nameless}))
        yield missing, tuple(one._replace(room_id=one.room_id or ANY_ROOM) for one in answer)
    used = dict.fromkeys(one.room_id for one in answer if one.room_id is not None)
    names = {name: room_ids[name.casefold()] for name in used if name.casefold() in room_ids}
    by_name = [Fact(f"room:{room_id}", {"room_id": room_id}, {"room_id": name}) for name, room_id in names.items()]
    named = tuple(one._replace(room_id=names.get(one.room_id or "", one.room_id)) for one in answer)
    yield mistaken(Reason.VALUE_WRONG, "room_id", *by_name), named


def _moved(one: Slot, minutes: int) -> Slot:
    return one._replace(start=one.start + minutes, end=one.end + minutes)


def _offset(minutes: int, zone: tzinfo) -> int:
    offset = to_datetime(minutes, zone).utcoffset()
    assert offset is not None
    return offset // timedelta(minutes=1)


def _as_wall_clock(wall: int, zone: tzinfo) -> int:
    """The instant at which clocks in the zone show what UTC clocks show at minute `wall`."""
    return to_minutes(to_datetime(wall, UTC).replace(tzinfo=zone))


def _dated(one: Slot, zone: tzinfo, other: Callable[[datetime], datetime]) -> Slot:
    """A candidate on another date, at the same local time; unchanged if there is no such date."""
    start = to_datetime(one.start, zone)
    try:
        return _moved(one, to_minutes(other(start)) - one.start)
    except ValueError:
        return one


def _years_before(start: datetime, years: int) -> datetime:
    return start.replace(year=start.year - years)


def _swapped_into(one: Slot, zone: tzinfo, near: Interval) -> Slot:
    """A candidate with day and month swapped, if only that lies near the window."""
    other = _dated(one, zone, lambda start: start.replace(month=start.day, day=start.month))
    return other if near.contains(other.span) and not near.contains(one.span) else one


def _week_before(minutes: int, weeks: int, zone: tzinfo) -> int:
    return to_minutes(to_datetime(minutes, zone) - weeks * _WEEK)
