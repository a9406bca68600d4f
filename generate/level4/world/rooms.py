"""The rooms of the office and their bookings."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.diaries import DAY_END, DAY_START, Diary, mask
from mpcbench.generate.level4.world.names import ROOMS
from mpcbench.generate.level4.world.series import SeriesMaker, monthly, weekly
from mpcbench.generate.level4.world.sites import DAYS, OFFICES, SATURDAY, ZONES, minute, moment
from mpcbench.generate.wording.vocabulary import BOOKING_TITLES, EQUIPMENT
from mpcbench.schema.level4.calendar import Entry, Status
from mpcbench.schema.level4.world import Bookings
from mpcbench.schema.world import Room

PER_SITE: Final = 20
_CAPACITIES: Final = (4, 4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 10, 12, 12, 14, 14, 16, 18, 20, 24)
_STATES: Final = (*20 * [Status.BUSY], *2 * [Status.TENTATIVE], Status.CANCELLED)


def rooms_of(rng: Random) -> tuple[Room, ...]:
    """Equally many rooms at each site, of mixed size and equipment; IDs tell nothing of sites."""
    names = rng.sample(ROOMS, PER_SITE * len(OFFICES))
    plan = [(office.site, capacity) for office in OFFICES for capacity in _CAPACITIES]
    rng.shuffle(plan)
    rooms = []
    for number, (site, capacity) in enumerate(plan, start=1):
        equipment = rng.sample(EQUIPMENT, rng.randint(3, 5) + (capacity > 8))
        rooms.append(
            Room(
                room_id=f"R{number:02}",
                name=names[number - 1],
                site=site,
                floor=rng.randint(0, 4),
                capacity=capacity,
                equipment=tuple(sorted(equipment)),
            )
        )
    return tuple(rooms)


def bookings_of(rooms: Sequence[Room], rng: Random) -> tuple[Bookings, ...]:
    """Bookings that take about 35 to 60 % of the working hours, some of them recurring or tentative."""
    found = []
    for room in rooms:
        diary = Diary(room.room_id, ZONES[room.site])
        for title in rng.sample(BOOKING_TITLES, rng.randint(4, 7)):
            _series(diary, title, rng)
        share = rng.uniform(0.35, 0.55)
        for day in DAYS:
            if day.weekday() < SATURDAY:
                _fill(diary, day, share + rng.uniform(-0.1, 0.1), rng)
            elif rng.random() < 0.15:
                _single(diary, day, rng)
        found.append(Bookings(room_id=room.room_id, entries=diary.finished()))
    return tuple(found)


def _series(diary: Diary, title: str, rng: Random) -> None:
    weekdays = tuple(sorted(rng.sample(range(SATURDAY), rng.choice((1, 1, 2)))))
    rule = monthly(rng, weekdays[0]) if rng.random() < 0.2 else weekly(rng, weekdays, rng.choice((1, 1, 2)))
    start = rng.randrange(DAY_START, DAY_END - 120, 30)
    one = SeriesMaker(rng).make(title, start, rng.choice((60, 90, 120)), rule, diary.zone)
    diary.add(one.entry(one.title, rng.choice(_STATES)), None)


def _fill(diary: Diary, day: date, share: float, rng: Random) -> None:
    for _ in range(30):
        if diary.minutes_taken(day) >= share * (DAY_END - DAY_START) - 20:
            return
        _single(diary, day, rng)


def _single(diary: Diary, day: date, rng: Random) -> None:
    at = rng.randrange(DAY_START, DAY_END - 60, 30)
    begins = minute(day, at, diary.zone)
    minutes = rng.choice((45, 60, 90, 120, 150, 180))
    title = rng.choice(BOOKING_TITLES)
    if diary.fits(mask(begins, begins + minutes)) and diary.may_call(title, day):
        start = moment(day, at, diary.zone)
        diary.add(Entry("", title, start, start + timedelta(minutes=minutes), rng.choice(_STATES)), day)
