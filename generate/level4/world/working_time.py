"""Policies on working time: hours, lunch, pauses and focus time, mostly by site."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Final

from mpcbench.generate.level4.world.guideline import Guideline, archived, current
from mpcbench.generate.level4.world.sites import HARBOUR, MILL, NORTH, STATION
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, WorkHours
from mpcbench.schema.level4.policy import Scope

WEEK: Final = (0, 1, 2, 3, 4)


def hours(start: str, end: str) -> WorkHours:
    """Working hours from Monday to Friday."""
    return WorkHours(start=start, end=end, days=WEEK)


def ban(day: int, start: str, end: str) -> BanDowTime:
    """Hours of a weekday that are kept free."""
    return BanDowTime(day=day, start=start, end=end)


def _lunch(start: str, end: str) -> LunchBlock:
    return LunchBlock(start=start, end=end, days=WEEK)


def working_time(rng: Random) -> Iterator[Guideline]:
    """The policies on hours, lunch, pauses and focus time."""
    spring = date(2027, 4, rng.choice((7, 8, 13, 14)))
    late = date(2027, 5, rng.choice((5, 11, 12, 19)))
    yield Guideline(
        "hours harbour",
        "Working time",
        (
            archived(hours("07:30", "18:30"), people_at=(HARBOUR,)),
            current(hours("08:00", "18:00"), people_at=(HARBOUR,), first=date(2026, 9, 1)),
        ),
    )
    yield Guideline(
        "hours mill",
        "Working time",
        (
            archived(hours("08:00", "17:30"), people_at=(MILL,)),
            current(hours("09:00", "18:30"), people_at=(MILL,), first=spring),
        ),
    )
    yield Guideline(
        "hours north",
        "Working time",
        (
            current(hours("08:00", "17:00"), people_at=(NORTH,)),
            current(hours("08:30", "17:30"), people_at=(NORTH,), first=late),
        ),
    )
    yield Guideline(
        "hours station",
        "Working time",
        (current(hours("07:30", "18:00"), people_at=(STATION,)),),
    )
    yield Guideline(
        "summer",
        "Working time",
        (current(hours("08:00", "17:00"), people_at=(HARBOUR, MILL), first=date(2027, 6, 1), last=date(2027, 8, 31)),),
        (("lunch mill", Scope(at_most=60)),),
    )
    lunch = rng.choice(("12:00", "12:15"))
    yield Guideline(
        "lunch harbour",
        "Lunch",
        (
            current(_lunch(lunch, "13:00"), people_at=(HARBOUR,)),
            current(_lunch("12:30", "13:30"), people_at=(HARBOUR,), first=date(2027, 3, rng.choice((16, 17, 23)))),
        ),
        (("lunch harbour", Scope(at_most=30)),),
    )
    yield Guideline("lunch mill", "Lunch", (current(_lunch("13:00", "14:00"), people_at=(MILL,)),))
    yield Guideline(
        "lunch overseas",
        "Lunch",
        (current(_lunch("12:00", "13:00"), people_at=(NORTH, STATION), scope=Scope(guests=False, longer_than=30)),),
    )
    yield Guideline(
        "long",
        "Pauses",
        (current(BufferMin(minutes=rng.choice((15, 20))), scope=Scope(longer_than=75)),),
    )
    yield Guideline(
        "short",
        "Pauses",
        (current(BufferMin(minutes=5), scope=Scope(at_most=30)),),
        (("pause station", Scope(at_most=45)),),
    )
    yield Guideline(
        "pause station",
        "Pauses",
        (
            archived(BufferMin(minutes=5), people_at=(STATION,)),
            current(BufferMin(minutes=10), people_at=(STATION,), first=date(2027, 4, rng.choice((20, 21, 28)))),
        ),
    )
    yield Guideline(
        "monday",
        "Focus time",
        (
            current(ban(0, "08:00", "10:00"), scope=Scope(guests=False, longer_than=60), last=date(2027, 4, 30)),
            current(ban(1, "08:00", "10:00"), scope=Scope(guests=False, longer_than=30), first=date(2027, 5, 3)),
        ),
    )
    yield Guideline(
        "friday mill",
        "Focus time",
        (current(ban(4, "13:00", "18:30"), people_at=(MILL,)),),
        (("friday mill", Scope(guests=True)),),
    )
    yield Guideline(
        "wednesday north",
        "Focus time",
        (current(ban(2, "08:00", "11:00"), people_at=(NORTH,), scope=Scope(longer_than=30)),),
    )
    yield Guideline(
        "thursday",
        "Focus time",
        (current(ban(3, "14:30", "18:00"), first=date(2027, 3, 15), last=date(2027, 4, 16), scope=Scope(at_most=45)),),
        (("thursday", Scope(guests=True)), ("thursday", Scope(room_sites=(NORTH, STATION)))),
    )
