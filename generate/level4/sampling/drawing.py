"""Draws what shall hold so that the gold is complete and each demand changes it."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from math import ceil
from random import Random
from typing import Final

from mpcbench.generate.level4.sampling.people import Inviting
from mpcbench.generate.level4.sampling.rungs import Rung
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.terms import Outline, Rejected, Terms, gold_of, gold_on
from mpcbench.generate.level4.world.sites import SATURDAY, moment
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.solve import Pick
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import (
    BanWindow,
    Deadline,
    Equipment,
    Guests,
    NotBefore,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.level4.facts import RoomClosed, SiteClosed
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import Named, Required
from mpcbench.schema.level4.statements import LadderStatement, Seats, TentativeEntries
from mpcbench.schema.statements import DailyHours

_DURATIONS: Final = (30, 30, 45, 45, 60, 60, 75, 90)
_DAILY: Final = (None, None, ("08:00", "18:00"), ("09:00", "17:00"), ("10:00", "18:30"), ("13:00", "19:00"))
_OWN_ITEMS: Final = 0.4
"""The probability that a meeting of a plan needs something that the others do not."""

_SEATS: Final = 7
"""Rooms with no more seats do not count as an offer."""

_SPECIAL: Final = {Mechanism.QUORUM: 0.4, Mechanism.ROLE: 0.6}
"""The probability that people are invited so to a later meeting of a plan."""

_EASINGS: Final = 8
_DAYS_TRIED: Final = 16
_BEFORE: Final = (0, 1, 2)
"""How many days before something is closed a window may begin."""

_FEW_STARTS: Final = 6
"""A meeting with fewer starts, those in several rooms counted apart, is made easier before the order of meetings is."""

_SLACK: Final = 3
_SPREAD: Final = 1.6
"""A plan's window has so many times the fewest working days that the plan can take, and three more, in whole weeks."""

_WORKING_DAYS: Final = 5
_MORE: Final = (1, 4)
_MORE_IF_CHANGED: Final = (5, 10)
"""How many midnights after the last candidate a window ends."""


class Drawing:
    """Draws the outline of one instance."""

    def __init__(
        self,
        setting: Setting,
        shape: Rung,
        mechanisms: frozenset[Mechanism],
        size: float,
        rng: Random,
    ) -> None:
        """Draw when and where; raises `Rejected` if notices are to matter, and none closes what can be asked for.

        Args:
            setting: The office.
            shape: What the rung's instances hold.
            mechanisms: Those to be load-bearing.
            size: From 0 to 1, how large the instance is within its rung.
            rng: Chooses.
        """
        self.setting = setting
        self.shape = shape
        self.mechanisms = mechanisms
        self.size = size
        self.rng = rng
        self.base: Stage | None = None
        """Of an outline over the same days, with which later ones share much."""

        self.count = self.between(shape.meetings)
        self.limit = shape.daily[0] if len(shape.daily) == 1 else rng.choice(shape.daily)
        weeks = self.between(shape.weeks)
        if Mechanism.JOINT in mechanisms:
            weeks = ceil((_SLACK + _SPREAD * self.count / self.limit) / _WORKING_DAYS)
            weeks += Mechanism.CHANGES in mechanisms
        days = [day for day in setting.days[: -7 * weeks] if day.weekday() < SATURDAY]
        self.start: date = rng.choice(days)
        self.days = 7 * weeks if weeks > 1 else rng.choice((5, 7, 7))
        self.starts = days
        self.closed: RoomClosed | SiteClosed | None = None
        """What a notice in force closes and the instance asks for, if notices are to matter."""

        if Mechanism.NOTICES in mechanisms:
            closures = [one for one in setting.closures if self._can_be_asked_for(one)]
            if not closures:
                raise Rejected(f"ignoring {Mechanism.NOTICES}")
            self.closed = rng.choice(closures)
            near = self._days_before(self.closed)
            self.start = rng.choice(near) if near else self.start
        self.inviting = Inviting(setting, mechanisms, self.start, self.days, rng)

    def _days_before(self, closed: RoomClosed | SiteClosed) -> list[date]:
        """The days on which a window may begin so that something is closed on one of its first days."""
        first = closed.start.astimezone(self.setting.known.zone).date()
        return [day for back in _BEFORE if (day := first - timedelta(days=back)) in self.starts]

    def _can_be_asked_for(self, closed: RoomClosed | SiteClosed) -> bool:
        """Whether it is where rooms are asked for without the mechanism `zones`, and a room has seats enough.

        Of a plan nothing but a site that is closed for days puts off much.
        """
        far = Mechanism.ZONES in self.mechanisms
        if isinstance(closed, SiteClosed):
            long = Mechanism.JOINT not in self.mechanisms or closed.end - closed.start > timedelta(days=1)
            return long and (far or closed.site == self.setting.home)
        if Mechanism.JOINT in self.mechanisms:
            return False  # other rooms do for most meetings of a plan
        room = self.setting.office.room_by_id[closed.room_id]
        return room.capacity > _SEATS and (far or room.site == self.setting.home)

    def between(self, ends: tuple[int, int]) -> int:
        """A number of a range, the larger the larger the instance is to be."""
        low, high = ends
        wanted = low + (high - low) * self.size + self.rng.uniform(-0.5, 0.5)
        return min(high, max(low, round(wanted)))

    def single(self, name: str) -> tuple[Outline, tuple[Pick, ...]]:
        """One meeting, and its gold; raises `Rejected` if none was found."""
        rng = self.rng
        people = self.inviting.people(self.between(self.shape.people))
        wide = self.shape.people[1] > 8
        terms = Terms(
            name=name,
            organiser=people[0],
            duration=rng.choice(_DURATIONS),
            invitations=tuple(self.inviting.invitations(people, self.mechanisms, wide=wide)),
            demands=tuple(self._places()),
        )
        outline = Outline(name, people[0], self._window(), (terms,), self.between(self.shape.options))
        return self._placed(outline)

    def _placed(self, outline: Outline) -> tuple[Outline, tuple[Pick, ...]]:
        """The outline, made easier and with its window moved, and its gold; raises `Rejected`."""
        outline, gold = self._solvable(outline)
        return self._later(outline, gold) if self.closed is None else self._facing(outline, gold)

    def _later(self, outline: Outline, gold: tuple[Pick, ...]) -> tuple[Outline, tuple[Pick, ...]]:
        """The same with a window that begins on the day of the first candidate, and its gold.

        Raises:
            Rejected: there is none.
        """
        first = self._local(min(pick.start for pick in gold)).date()
        return self._beginning(outline, first)

    def _beginning(self, outline: Outline, day: date) -> tuple[Outline, tuple[Pick, ...]]:
        """The same with a window of the same length that begins on a day, and its gold.

        Raises:
            Rejected: it is not complete.
        """
        start, end = moment(day, 0), moment(day + timedelta(days=self.days), 0)
        outline = replace(outline, window=outline.window.model_copy(update={"start": start, "end": end}))
        gold = self.gold(outline)
        if len(gold) < outline.wanted:
            raise Rejected("solvable")
        return outline, gold

    def _facing(self, outline: Outline, gold: tuple[Pick, ...]) -> tuple[Outline, tuple[Pick, ...]]:
        """The same with a window that begins when something is closed that would be chosen otherwise, and its gold.

        Raises:
            Rejected: there is no such time.
        """
        if self._notices_matter(outline, gold):
            return outline, gold
        wanted = self._asked_for(outline)
        closures = [
            closed
            for closed in self.setting.closures
            if (closed.site if isinstance(closed, SiteClosed) else closed.room_id) in wanted
            and self._can_be_asked_for(closed)
        ]
        days = sorted({day for closed in closures for day in self._days_before(closed)})
        for day in self.rng.sample(days, min(len(days), _DAYS_TRIED)):
            with suppress(Rejected):
                other, gold = self._beginning(outline, day)
                if self._notices_matter(other, gold):
                    return other, gold
        raise Rejected(f"ignoring {Mechanism.NOTICES}")

    def _asked_for(self, outline: Outline) -> set[str]:
        """The rooms that have what is asked for, and their sites."""
        found: set[str] = set()
        for terms in outline.meetings:
            demands = (*outline.demands, *terms.demands)
            sites = {one.site for one in demands if isinstance(one, Site)} or set(self.setting.people_at)
            items = {item for one in demands if isinstance(one, Equipment) for item in one.items}
            rooms = [room for room in self.setting.office.rooms if room.site in sites and items <= {*room.equipment}]
            found |= {name for room in rooms for name in (room.room_id, room.site)}
        return found

    def _notices_matter(self, outline: Outline, gold: tuple[Pick, ...]) -> bool:
        """Whether somebody who knows of no notice finds no more of the gold than the rung allows."""
        knowledge = replace(outline.knowledge(self.setting.known), notices=())
        return len({*gold_of(knowledge, self.base)} & {*gold}) <= self.shape.found * len(gold)

    def plan(self, name: str, names: list[str]) -> tuple[Outline, tuple[Pick, ...]]:
        """Several meetings of these names, and their gold, which nobody finds who plans them one by one.

        One person has to be in all of them, and most wait for another one: whatever puts off the first puts off most.
        """
        rng = self.rng
        core, *others = self.inviting.people(max(4, self.between(self.shape.people)))
        special = [kind for kind in (Mechanism.QUORUM, Mechanism.ROLE) if kind in self.mechanisms]
        places = self._places()
        meetings = []
        for place, one in enumerate(names[: self.count]):
            chosen = frozenset(kind for kind in special if place == 0 or rng.random() < _SPECIAL[kind])
            more = 2 if Mechanism.QUORUM in chosen else 0
            some = [core, *rng.sample(others, min(len(others), rng.randint(*self.shape.group) - 1 + more))]
            meetings.append(
                Terms(
                    name=one,
                    organiser=rng.choice(some) if rng.random() < 0.3 else core,
                    duration=rng.choice(_DURATIONS),
                    invitations=tuple(self.inviting.invitations(some, chosen, wide=False)),
                    demands=tuple(self._own_items(places)),
                )
            )
        meetings = self._ordered(meetings)
        rng.shuffle(meetings)
        outline = Outline(name, core, self._window(), tuple(meetings), None, tuple(places), self.limit)
        return self._placed(outline)

    def shorter(self, outline: Outline, gold: tuple[Pick, ...]) -> tuple[Outline, tuple[Pick, ...]]:
        """The same with a window that ends soon after the gold, if that leaves the gold as it is: less is to be read."""
        last = self._local(max(pick.end for pick in gold)).date()
        more = _MORE_IF_CHANGED if Mechanism.CHANGES in self.mechanisms else _MORE
        end = moment(last + timedelta(days=self.rng.randint(*more)), 0)
        if end < outline.window.end:
            shorter = replace(outline, window=outline.window.model_copy(update={"end": end}))
            if self.gold(shorter, gold) == gold:
                return shorter, gold
        return outline, gold

    def gold(self, outline: Outline, likely: Sequence[Pick] = ()) -> tuple[Pick, ...]:
        """The gold, of which much may be as it was; empty if there is none."""
        try:
            found = stage(outline.knowledge(self.setting.known), counted=False, like=self.base)
        except UnresolvedError:
            return ()
        if self.base is None or self.base.axis is not found.axis:
            self.base = found
        return gold_on(found, self.base, likely)

    def _ordered(self, meetings: list[Terms]) -> list[Terms]:
        """The meetings, most of which come after the one before them."""
        found = meetings[:1]
        for before, one in pairwise(meetings):
            found.append(replace(one, after=(before.name,)) if self.rng.random() < self.shape.linked else one)
        return found

    def _solvable(self, outline: Outline) -> tuple[Outline, tuple[Pick, ...]]:
        """The outline, made easier as long as its gold is not complete; raises `Rejected` where it cannot be."""
        for _ in range(_EASINGS + 3 * len(outline.meetings)):
            gold = self.gold(outline)
            if len(gold) == outline.wanted:
                return outline, gold
            easier = self._eased(outline)
            if easier == outline:
                break
            outline = easier
        raise Rejected("solvable")

    def _eased(self, outline: Outline) -> Outline:
        """An easier outline: of the meeting with the fewest starts, or with a meeting less that waits for another."""
        waiting = [place for place, terms in enumerate(outline.meetings) if terms.after]
        place = self.rng.choice(waiting or range(len(outline.meetings)))
        with suppress(UnresolvedError):
            found = stage(outline.knowledge(self.setting.known), counted=False, like=self.base)
            starts = [sum(option.starts.bit_count() for option in one.options) for one in found.meetings]
            if min(starts) < _FEW_STARTS or not waiting:
                tight = starts.index(min(starts))
                return outline.with_meeting(tight, self._easier(outline.meetings[tight]))
        terms = outline.meetings[place]
        return outline.with_meeting(place, replace(terms, after=()) if waiting else self._easier(terms))

    def _easier(self, terms: Terms) -> Terms:
        """Terms under which more slots are left: with fewer who have to be there, or shorter."""
        plainly = terms.plainly_required
        if len(terms.invitations) > 2 and len(plainly) > 1:
            lost = Required(who=Named(person=self.rng.choice(plainly[1:])))
            return replace(terms, invitations=tuple(one for one in terms.invitations if one != lost))
        return replace(terms, duration=max(30, terms.duration - 15))

    def _window(self) -> Window:
        hours = self.rng.choice(_DAILY)
        daily = None if hours is None else DailyHours(start=hours[0], end=hours[1])
        last = self.start + timedelta(days=self.days)
        return Window(start=moment(self.start, 0), end=moment(last, 0), daily=daily)

    def _places(self) -> list[LadderStatement]:
        """Where the room is, and what it has."""
        rng = self.rng
        found: list[LadderStatement] = []
        if Mechanism.ZONES not in self.mechanisms:
            found.append(Site(site=self.setting.home))
        elif site := self._closed_site():
            found.append(Site(site=site))
        elif rng.random() < 0.5:
            found.append(Site(site=rng.choice(list(self.setting.people_at))))
        found.append(Equipment(items=self._items(found)))
        return found

    def _closed_site(self) -> str | None:
        """Where something is closed."""
        match self.closed:
            case RoomClosed(room_id=room):
                return self.setting.office.room_by_id[room].site
            case SiteClosed(site=site):
                return site
        return None

    def _own_items(self, places: list[LadderStatement]) -> list[LadderStatement]:
        """What a meeting of a plan needs in its room besides, if anything: something that several rooms can offer."""
        if self.rng.random() > _OWN_ITEMS:
            return []
        item = self.rng.choice(self.setting.items)
        wanted = {item}.union(*(one.items for one in places if isinstance(one, Equipment)))
        return [Equipment(items=(item,))] if self._offering(places, wanted) > 1 else []

    def _offering(self, places: list[LadderStatement], items: Collection[str]) -> int:
        """How many rooms have the equipment, at the site if one is asked for."""
        sites = {one.site for one in places if isinstance(one, Site)} or set(self.setting.people_at)
        rooms = [room for room in self.setting.office.rooms if room.site in sites and room.capacity > _SEATS]
        return sum(set(items) <= set(room.equipment) for room in rooms)

    def _items(self, demands: list[LadderStatement]) -> tuple[str, ...]:
        """Equipment that the fewer rooms have, the larger the instance is to be: then more slots have to be looked at."""
        wanted = self.shape.rooms[0] + (self.shape.rooms[1] - self.shape.rooms[0]) * self.size
        items: Sequence[str] = self.setting.items
        if isinstance(self.closed, RoomClosed):
            items = sorted(self.setting.office.room_by_id[self.closed.room_id].equipment)
        drawn = [frozenset(self.rng.sample(items, min(len(items), self.rng.choice((1, 2, 2, 3))))) for _ in range(16)]
        offered = {items: self._offering(demands, items) for items in drawn}
        possible = [items for items, count in offered.items() if count]
        best = min(possible or drawn, key=lambda items: (abs(offered[items] - wanted), sorted(items)))
        return tuple(sorted(best))

    def demanding(self, outline: Outline, gold: tuple[Pick, ...], wanted: int) -> tuple[Outline, tuple[Pick, ...]]:
        """The outline with up to so many more demands, each of which changes the gold, and its gold."""
        for _ in range(3 * wanted):
            if wanted == 0:
                break
            place = self.rng.randrange(len(outline.meetings))
            terms = outline.meetings[place]
            own = [one for one in gold if one.meeting in {None, terms.name}]
            demand = self._demand(own)
            if any(one.kind == demand.kind for one in (*terms.demands, *outline.demands)):
                continue
            other = outline.with_meeting(place, replace(terms, demands=(*terms.demands, demand)))
            changed = self.gold(other, gold)
            if len(changed) == outline.wanted and set(changed) != set(gold):
                if self.closed is not None and not self._notices_matter(other, changed):
                    continue
                outline, gold, wanted = other, changed, wanted - 1
        return outline, gold

    def _demand(self, gold: list[Pick]) -> LadderStatement:  # noqa: PLR0911 - one case a kind
        rng = self.rng
        chosen = rng.choice(gold)
        start, end = self._local(chosen.start), self._local(chosen.end)
        kinds = ["ban", "ban", "not_before", "guests", "seats", "tie", "deadline"]
        kinds += ["tentative", "tentative"] if Mechanism.STATES in self.mechanisms else []
        kind = rng.choice(kinds)
        if kind == "ban":
            return BanWindow(start=half_hour(start), end=half_hour(end) + timedelta(hours=rng.choice((1, 2, 3))))
        if kind == "not_before":
            return NotBefore(at=half_hour(start) + timedelta(minutes=30))
        if kind == "deadline":
            return Deadline(at=half_hour(self._local(gold[-1].end)) - timedelta(minutes=30))
        if kind == "guests":
            return Guests(count=rng.randint(1, 6))
        if kind == "seats":
            return Seats(count=rng.randint(6, 16))
        if kind == "tie":
            return TieBreak(keys=(rng.choice(tuple(TieBreakKey)),))
        return TentativeEntries(block=rng.random() < 0.4)

    def _local(self, instant: int) -> datetime:
        return to_datetime(instant, self.setting.known.zone)


def half_hour(at: datetime) -> datetime:
    """The last half hour before, with a fixed offset."""
    return moment(at.date(), (at.hour * 60 + at.minute) // 30 * 30)
