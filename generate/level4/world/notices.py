"""Notices about rooms and buildings: closed, open late, taken back, replaced, or long over."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import count
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import OFFICE_PAGES, notice_id
from mpcbench.generate.level4.world.sites import DAYS, OFFICES, SATURDAY, TODAY, ZONES, moment
from mpcbench.schema.level4.facts import Effect, Notice, RoomClosed, SiteClosed, SiteOpen
from mpcbench.schema.world import Room

_ROOMS: Final = 52
_SITE_CLOSURES, _OPENINGS = 8, 8
"""For each site."""

_SHORT: Final = 4
"""So many of a site's closures are over on the day on which they begin, the others take some days."""

_EXPIRED: Final = 8


def notices(seed: int, rooms: Sequence[Room], rng: Random) -> tuple[Notice, ...]:
    """The notices of an office, in the order in which they are posted: what replaces another comes after it."""
    ids = (notice_id(seed, OFFICE_PAGES + place) for place in count())
    first: list[tuple[Effect, ...]] = [*_of_sites(rng)]
    first += [(_room_closed(room, rng),) for room in rng.sample(rooms, _ROOMS)]
    first += [(_over(room, rng),) for room in rng.sample(rooms, _EXPIRED)]
    rng.shuffle(first)
    posted = [Notice(notice_id=next(ids), effects=effects) for effects in first]
    by_id = {room.room_id: room for room in rooms}
    ahead = [one for one in posted if one.effects[0].end.date() > DAYS[0]]
    later = [_replacing(next(ids), notice, by_id, rng) for notice in rng.sample(ahead, 24)]
    again = rng.sample([one for one in later if one.effects], 4)
    return (*posted, *later, *(_replacing(next(ids), notice, by_id, rng) for notice in again))


def _weekday(rng: Random) -> date:
    return rng.choice([day for day in DAYS if day.weekday() < SATURDAY])


def _room_closed(room: Room, rng: Random) -> RoomClosed:
    """Closed for one to twelve days, or for some hours of a day."""
    zone = ZONES[room.site]
    day = _weekday(rng)
    if rng.random() < 0.25:
        start = rng.randrange(8 * 60, 14 * 60, 60)
        return RoomClosed(room_id=room.room_id, start=moment(day, start, zone), end=moment(day, start + 240, zone))
    last = day + timedelta(days=rng.choice((0, 1, 2, 4, 7, 11)))
    return RoomClosed(room_id=room.room_id, start=moment(day, 0, zone), end=moment(last + timedelta(days=1), 0, zone))


def _over(room: Room, rng: Random) -> RoomClosed:
    """Closed on days before today."""
    zone = ZONES[room.site]
    last = TODAY - timedelta(days=rng.randrange(2, 40))
    first = last - timedelta(days=rng.randrange(8))
    return RoomClosed(room_id=room.room_id, start=moment(first, 0, zone), end=moment(last + timedelta(days=1), 0, zone))


def _of_sites(rng: Random) -> Iterator[tuple[Effect, ...]]:
    for office in OFFICES:
        for number in range(_SITE_CLOSURES):
            first = last = _weekday(rng)
            opens, closes = rng.choice(((0, 24), (12, 24), (0, 12), (13, 18), (8, 11)))
            if number >= _SHORT:
                last += timedelta(days=rng.choice((1, 2, 3)))
                opens, closes = 0, 24
            yield (
                SiteClosed(
                    site=office.site,
                    start=moment(first, opens * 60, office.zone),
                    end=moment(last, closes * 60, office.zone),
                ),
            )
        for _ in range(_OPENINGS):
            start, end = rng.choice(((15, 20), (14, 21), (7, 20), (6, 9)))
            days = sorted(rng.sample([day for day in DAYS if day.weekday() < SATURDAY], rng.choice((1, 1, 2))))
            yield tuple(_open(office.site, day, start * 60, end * 60) for day in days)


def _open(site: str, day: date, start: int, end: int) -> SiteOpen:
    return SiteOpen(site=site, start=moment(day, start, ZONES[site]), end=moment(day, end, ZONES[site]))


def _replacing(number: str, notice: Notice, rooms: dict[str, Room], rng: Random) -> Notice:
    """A notice in the place of another: nothing, the same some days later, or something shorter."""
    kind = rng.random()
    if kind < 0.3:
        return Notice(notice_id=number, effects=(), replaces=notice.notice_id)
    effects = []
    for effect in notice.effects:
        zone = ZONES[rooms[effect.room_id].site if isinstance(effect, RoomClosed) else effect.site]
        local = effect.start.astimezone(zone)
        day = local.date() + timedelta(days=7 if kind < 0.6 else rng.choice((1, 1, 2, 3)))
        start = moment(day, local.hour * 60 + local.minute, zone)
        length = effect.end - effect.start
        if kind >= 0.6 and length > timedelta(days=1):
            length = timedelta(days=1)
        effects.append(effect.model_copy(update={"start": start, "end": start + length}))
    return Notice(notice_id=number, effects=tuple(effects), replaces=notice.notice_id)
