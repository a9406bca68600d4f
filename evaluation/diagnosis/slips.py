"""Slips in writing down one candidate: an answer that is right but for one day, week, year, half day, time or room."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.evidence import Slot
from mpcbench.oracle.interval import to_datetime, to_minutes
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema.cause import Reason, reason_text

_MOST_LIKELY: Final = 0.04
"""The highest share of feasible candidates in place of the right one that may look like a slip of it."""

_MINUTES: Final = (5, 10, 15, 30)


class Slip(NamedTuple):
    """One candidate written down as another."""

    reason: str
    meant: Slot
    given: Slot


def slips(given: Sequence[Slot], gold: Sequence[Slot], feasible: Collection[Slot], zone: tzinfo) -> list[Slip]:
    """The slips that make the gold into an answer: one, or two candidates with each other's rooms; none if others do.

    A slip to a feasible candidate is claimed only if few feasible candidates would look like one.

    Args:
        given: The answer, with repetitions: a slip may turn one candidate into another.
        gold: The gold.
        feasible: All feasible candidates.
        zone: The world's time zone.
    """
    wrong = [*(Counter(given) - Counter(gold)).elements()]
    lacking = [*(Counter(gold) - Counter(given)).elements()]
    if len(gold) < 2 or len(wrong) != len(lacking):
        return []
    if len(wrong) == 2:
        return _swapped_rooms(wrong, lacking)
    if len(wrong) != 1:
        return []
    ((one,), (meant,)) = wrong, lacking
    kind = _kind(meant, one, zone)
    others = [slot for slot in feasible if slot not in gold]
    alike = sum(_kind(meant, slot, zone) is not None for slot in others)
    is_telling = one not in others or alike <= _MOST_LIKELY * len(others)
    return [] if kind is None or not is_telling else [Slip(_reason(kind), meant, one)]


def _swapped_rooms(wrong: Sequence[Slot], lacking: Sequence[Slot]) -> list[Slip]:
    one, other = wrong
    first, second = sorted(lacking, key=lambda slot: slot.span != one.span)
    if (one, other) != (first._replace(room_id=second.room_id), second._replace(room_id=first.room_id)):
        return []
    return [Slip(_reason("room"), first, one), Slip(_reason("room"), second, other)]


def _reason(kind: str) -> str:
    return reason_text(Reason.CANDIDATE_SLIP, kind)


def _kind(meant: Slot, given: Slot, zone: tzinfo) -> str | None:
    """What was slipped; None if the two are not alike."""
    if meant.span == given.span:
        return "room" if _are_neighbours(meant.room_id, given.room_id) else None
    if meant.room_id != given.room_id:
        return None
    if meant.start == given.start:
        return "minutes" if abs(meant.end - given.end) in _MINUTES else None
    if meant.end - meant.start != given.end - given.start:
        return None
    return next((kind for kind, moment in _moved(to_datetime(meant.start, zone)) if moment == given.start), None)


def _moved(start: datetime) -> Iterator[tuple[str, int]]:
    """A time as it looks after a slip; by local clock."""
    for sign in (1, -1):
        yield "day", to_minutes(start + timedelta(days=sign))
        yield "week", to_minutes(start + timedelta(days=7 * sign))
        yield "half_day", to_minutes(start + timedelta(hours=12 * sign))
        for kind, years, months in (("year", sign, 0), ("month", 0, sign)):
            month = start.month - 1 + months
            try:
                moved = start.replace(year=start.year + years + month // 12, month=month % 12 + 1)
            except ValueError:  # no such day in that month
                continue
            yield kind, to_minutes(moved)
        for minutes in _MINUTES:
            if minutes % GRID_MINUTES:
                yield "minutes", to_minutes(start) + sign * minutes
        yield "hour", to_minutes(start) + sign * 60
    if start.day <= 12:
        yield "day_and_month", to_minutes(start.replace(month=start.day, day=start.month))


def _are_neighbours(meant: str | None, given: str | None) -> bool:
    """Whether two room IDs differ in one character, in the order of two, or by one in their numbers."""
    if meant is None or given is None:
        return False
    if len(meant) == len(given):
        differing = [place for place, (one, other) in enumerate(zip(meant, given, strict=True)) if one != other]
        if len(differing) == 1 or (len(differing) == 2 and sorted(meant) == sorted(given)):
            return True
    numbers = ["".join(filter(str.isdigit, name)) for name in (meant, given)]
    return all(numbers) and abs(int(numbers[0]) - int(numbers[1])) == 1
