"""One meeting of a task: the starts that each room allows under each situation."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from itertools import groupby
from typing import TypeVar

from mpcbench.oracle.level4.axis import Axis, Hours, any_group, at_least
from mpcbench.oracle.level4.brief import Brief
from mpcbench.oracle.level4.cast import Cast, cast, depends_on_day
from mpcbench.oracle.level4.knowledge import Place
from mpcbench.oracle.level4.layout import Layout
from mpcbench.oracle.level4.memory import Memory
from mpcbench.oracle.level4.policies import Meant, RoomTerms, Terms, counting_on, room_terms, terms
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import Room
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.model import minute_of_day

_ALL_DAYS = (0, 1, 2, 3, 4, 5, 6)
_EMPTY = Timeline()

T = TypeVar("T")

Days = list[tuple[int, Cast, tuple[Policy, ...]]]
"""Starts of days on which people and policies stay the same, with who is needed and the policies."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What holds for candidates of some days in rooms of one site."""

    cast: Cast
    starts: int
    """When everybody needed is available."""

    buffers: Mapping[str, int]
    """The buffer that binds each person who is required or can be chosen."""

    available: Mapping[str, int]
    """When each person who can be chosen is available."""

    room: RoomTerms
    people: frozenset[str] = field(compare=False, repr=False)
    """Everybody whose calendar matters."""

    policies: tuple[Policy, ...] = field(compare=False, repr=False)
    """Those that apply."""

    days: int = field(compare=False, repr=False)
    """The starts of the days."""

    demands: Mapping[str, Terms] = field(compare=False, repr=False)
    """What the policies demand of people, by site."""

    masks: Mapping[str, int] = field(compare=False, repr=False)
    """When each of the people is available."""


@dataclass(frozen=True, slots=True)
class Option:
    """A room in a situation, with the starts that are feasible."""

    room: Room
    situation: Situation
    starts: int


@dataclass(frozen=True)
class Ground:
    """What the starts of a meeting follow from, rooms aside."""

    situations: Mapping[str, Sequence[Situation]]
    """By site of the room."""

    @cached_property
    def people(self) -> frozenset[str]:
        """Everybody whose calendar matters."""
        return frozenset().union(*(situation.people for some in self.situations.values() for situation in some))

    @property
    def available(self) -> int:
        """The number of starts at which everybody needed is available for some room."""
        found = 0
        for some in self.situations.values():
            for situation in some:
                found |= situation.starts
        return found.bit_count()


@dataclass(frozen=True)
class Meeting:
    """One meeting to be placed."""

    brief: Brief
    length: int
    options: tuple[Option, ...]
    """In the ranking order of rooms; options of one room share no start."""

    generated: int
    agreed: int
    available: int
    """How many slots remain after each stage."""

    ground: Ground = field(compare=False, repr=False)
    axis: Axis = field(compare=False, repr=False)

    @cached_property
    def layout(self) -> Layout:
        """Where each candidate has its bit."""
        return Layout([option.starts for option in self.options], self.axis)

    def option_at(self, start: int, room_id: str) -> int | None:
        """The number of the option that has a start, given as its bit, in a room; None if there is none."""
        for number, option in enumerate(self.options):
            if option.room.room_id == room_id and option.starts & start:
                return number
        return None

    def offers_same(self, other: "Meeting") -> bool:
        """Whether the candidates are the same, and what they may follow."""
        return (self.brief.name, self.brief.after_meetings, self.length) == (
            other.brief.name,
            other.brief.after_meetings,
            other.length,
        ) and self.options == other.options


def needed(value: T | None, brief: Brief, what: str) -> T:
    """The value; raises `UnresolvedError` if nothing states it."""
    if value is None:
        msg = f"{brief.name!r}: nothing states the {what}"
        raise UnresolvedError(msg)
    return value


class Meetings:
    """Works out the meetings of one task."""

    def __init__(self, memory: Memory, *, counted: bool) -> None:
        """If not `counted`, sites that have no room to offer are not looked at."""
        self.memory = memory
        self.knowledge = memory.knowledge
        self.axis = memory.axis
        self.counted = counted
        self.people: dict[tuple[object, ...], tuple[int, dict[str, int], dict[str, int]]] = {}
        """When everybody needed is available, when each who can be chosen is, and when each of all is."""

    def meeting(self, brief: Brief, like: Meeting | None = None) -> Meeting:
        """The meeting of a brief.

        Args:
            brief: What holds about it.
            like: The meeting of that name in the stage with the other memory; what has not changed is taken from it.

        Raises:
            UnresolvedError: something needed is not stated.
        """
        if like is not None and like.brief == brief and self.memory.leaves(brief, like.ground.situations):
            return self._alike(like)
        length = needed(brief.duration, brief, "duration")
        needed(brief.organiser, brief, "organiser")
        if not brief.invitations:
            msg = f"{brief.name!r}: nothing states who is invited"
            raise UnresolvedError(msg)
        generated = self._generated(brief, length)
        agreed = generated & self._agreed(brief, length)
        rooms = self._rooms(brief)
        ground = self._ground(brief, agreed, rooms)
        return Meeting(
            brief,
            length,
            tuple(self._options(brief, length, rooms, ground.situations)),
            generated.bit_count(),
            agreed.bit_count(),
            ground.available,
            ground,
            self.axis,
        )

    def _alike(self, like: Meeting) -> Meeting:
        """A meeting with the same times, people and policies as another, whose people or rooms may have changed."""
        others = self.memory.others(like.ground.people)
        situations = like.ground.situations
        if others is None or others:
            situations = {site: self._renewed(like, some) for site, some in situations.items()}
        if all(situations[site] is some for site, some in like.ground.situations.items()):
            return self._adapted(like) if self.memory.rooms_alike else self._with_options(like)
        return self._with_options(replace(like, ground=replace(like.ground, situations=situations)))

    def _renewed(self, like: Meeting, some: Sequence[Situation]) -> Sequence[Situation]:
        """The situations with people available as they are now; the same ones if nothing has changed for anybody."""
        found = [self._with_people(like, one) for one in some]
        return some if all(one is other for one, other in zip(found, some, strict=True)) else found

    def _with_people(self, like: Meeting, one: Situation) -> Situation:
        others = self.memory.others(one.people)
        if others is None:
            return self._situation(like.brief, one.cast, one.policies, one.days)
        masks = {person: self._mask(person, one.demands, like.length) for person in others}
        if all(one.masks[person] == mask for person, mask in masks.items()):
            return one
        masks = {**one.masks, **masks}
        starts, available = self._together(one.cast, masks)
        return replace(one, starts=starts & one.days, available=available, masks=masks)

    def _with_options(self, like: Meeting) -> Meeting:
        """The meeting with the options that its ground and the rooms give."""
        options = tuple(self._options(like.brief, like.length, self._rooms(like.brief), like.ground.situations))
        return replace(like, options=options, available=like.ground.available)

    def _adapted(self, like: Meeting) -> Meeting:
        """A meeting with the same ground as another, of which only some rooms have changed."""
        changed = self.memory.rooms_changed
        if not changed:
            return like
        some = [room for room in self._rooms(like.brief) if room.room_id in changed]
        options = [option for option in like.options if option.room.room_id not in changed]
        if not some and len(options) == len(like.options):
            return like
        options += self._options(like.brief, like.length, some, like.ground.situations)
        options.sort(key=lambda option: room_rank(option.room, like.brief.tie_break))
        return replace(like, options=tuple(options))

    def _rooms(self, brief: Brief) -> list[Room]:
        """The rooms that suit a meeting, its seats aside."""
        return [room for room in self.knowledge.rooms if brief.suits(room)]

    def _ground(self, brief: Brief, starts: int, rooms: Iterable[Room]) -> Ground:
        """What the starts follow from."""
        assert brief.organiser is not None
        team = self.knowledge.people[brief.organiser].team
        days = self.memory.on_days(("days", starts), brief.invitations, lambda: self._days(brief, starts))
        sites = sorted({room.site for room in (self.knowledge.rooms if self.counted else rooms)})
        situations = {
            site: [
                self._situation(brief, found, policies, mask)
                for mask, found, policies in self._states(brief, team, days, site)
            ]
            for site in sites
        }
        return Ground(situations)

    def _generated(self, brief: Brief, length: int) -> int:
        assert brief.window is not None
        starts = self.axis.inside([brief.window], length)
        if brief.daily is not None:
            starts &= self.axis.inside_hours(self.axis.zone, (*brief.daily, _ALL_DAYS), length)
        return starts

    def _agreed(self, brief: Brief, length: int) -> int:
        starts = self.axis.apart(brief.bans, length)
        first, last = self.axis.span
        if brief.deadline is not None:
            starts &= self.axis.between(first, brief.deadline - length + 1)
        if brief.not_before is not None:
            starts &= self.axis.between(brief.not_before, last)
        if brief.required:
            starts &= self.axis.inside(brief.required, length)
        for person, event_id, day in brief.after_entries:
            end = self.knowledge.calendars.get(person, _EMPTY).end_of(event_id, day)
            if end is None:
                msg = f"{brief.name!r}: no entry {event_id!r} in the calendar of {person!r}"
                raise UnresolvedError(msg)
            starts &= self.axis.between(end, last)
        return starts

    def _days(self, brief: Brief, starts: int) -> Days:
        """The starts of spans of days on which people and policies stay the same."""
        days = [(day, mask & starts) for day, mask in sorted(self.axis.dates.items()) if mask & starts]
        found: Days = []
        varies = depends_on_day(brief.invitations)
        turning = self.knowledge.turning_days if varies else self.knowledge.policy_days
        for _, some in groupby(days, lambda one: bisect_right(turning, one[0])):
            span = list(some)
            first = span[0][0]
            people = self.memory.cast(
                first if varies else None, brief.invitations, partial(cast, self.knowledge, brief.invitations, first)
            )
            found.append((sum(mask for _, mask in span), people, self._counting(first)))
        return found

    def _counting(self, day: date) -> tuple[Policy, ...]:
        editions = self.knowledge.editions
        passed = bisect_right(self.knowledge.policy_days, day)
        if passed not in editions:
            editions[passed] = counting_on(self.knowledge.policies, day)
        return editions[passed]

    def _states(self, brief: Brief, team: str, days: Days, site: str) -> Days:
        """The starts of the days, put together as far as the people and the policies for rooms of a site are the same."""
        meant = Meant(self.knowledge.policies, brief, team, site)
        states: dict[tuple[Cast, tuple[int, ...]], tuple[int, tuple[Policy, ...]]] = {}
        applying: dict[int, tuple[Policy, ...]] = {}
        for mask, found, counting in days:
            if id(counting) not in applying:
                applying[id(counting)] = meant.applying(counting)
            policies = applying[id(counting)]
            state = (found, tuple(map(id, policies)))
            states[state] = (states.get(state, (0, ()))[0] | mask, policies)
        return [(mask, found, policies) for (found, _), (mask, policies) in states.items()]

    def _situation(self, brief: Brief, found: Cast, policies: tuple[Policy, ...], days: int) -> Situation:
        length = needed(brief.duration, brief, "duration")
        everybody = found.required | found.choosable
        sites = {person: self.knowledge.people[person].site for person in everybody}
        demands = {
            site: self.memory.by_policies(
                ("people", brief.tentative, site), policies, partial(terms, brief, policies, site)
            )
            for site in sorted(set(sites.values()))
        }
        key = (id(found), length, *demands.items())
        if key not in self.people:
            masks = {person: self._mask(person, demands, length) for person in sites}
            self.people[key] = (*self._together(found, masks), masks)
        starts, available, masks = self.people[key]
        buffers = {person: demands[site].buffer for person, site in sites.items()}
        rooms = self.memory.by_policies("rooms", policies, partial(room_terms, policies))
        return Situation(found, starts & days, buffers, available, rooms, everybody, policies, days, demands, masks)

    def _mask(self, person: str, demands: Mapping[str, Terms], length: int) -> int:
        """When a person is available."""
        demand = demands[self.knowledge.people[person].site]
        return self.memory.mask(person, (demand, length), partial(self._available, person, demand, length))

    def _together(self, found: Cast, available: Mapping[str, int]) -> tuple[int, dict[str, int]]:
        """When everybody needed is available, and when each who can be chosen is."""
        starts = self.axis.all if found.possible else 0
        for person in found.required:
            starts &= available[person]
        for groups in found.alternatives:
            starts &= any_group([[available[person] for person in group] for group in groups], self.axis.all)
        for count, people in found.thresholds:
            starts &= at_least(count, [available[person] for person in people], self.axis.all)
        return starts, {person: available[person] for person in found.choosable}

    def _available(self, person: str, demand: Terms, length: int) -> int:
        site = self.knowledge.people[person].site
        starts = self.memory.mask(site, (demand, length), partial(self._by_rules, site, demand, length))
        calendars = [self.knowledge.calendars.get(person, _EMPTY)]
        if demand.by_team:
            teams = self.knowledge.teams_of.get(person, ())
            calendars += [self.knowledge.team_calendars.get(team, _EMPTY) for team in teams]
        for calendar in calendars:
            starts &= calendar.free(self.axis, length, demand.buffer, tentative=demand.tentative_blocks)
        return starts

    def _by_rules(self, site: str, demand: Terms, length: int) -> int:
        """The starts that the rules' hours and holidays allow at a site."""
        place = self._place(site)
        starts = self.axis.all
        for hours in demand.inside:
            starts &= self.axis.inside_hours(place.zone, hours, length)
        for hours in demand.outside:
            starts &= self.axis.outside_hours(place.zone, hours, length)
        if demand.holidays:
            starts &= self.axis.outside_days(place.zone, self.knowledge.holidays.get(place.country, ()), length)
        return starts

    def _place(self, site: str) -> Place:
        """A site; of an unknown one nothing is known but the world's zone."""
        return self.knowledge.sites.get(site) or Place(self.axis.zone, "", ())

    def _options(
        self, brief: Brief, length: int, rooms: Iterable[Room], situations: Mapping[str, Sequence[Situation]]
    ) -> Iterator[Option]:
        for room in sorted(rooms, key=lambda one: room_rank(one, brief.tie_break)):
            for situation in situations[room.site]:
                seats = len(situation.cast.invited) + brief.guests if brief.seats is None else brief.seats
                if room.capacity >= seats and situation.starts:
                    usable = self.memory.usable(
                        room.room_id, (situation.room, length), partial(self._usable, room, situation.room, length)
                    )
                    starts = situation.starts & usable
                    if starts:
                        yield Option(room, situation, starts)

    def _usable(self, room: Room, demand: RoomTerms, length: int) -> int:
        bookings = self.knowledge.bookings.get(room.room_id, _EMPTY)
        starts = bookings.free(self.axis, length, demand.turnaround, tentative=True)
        noticed = self.knowledge.noticed
        closed = [*noticed.get(("room_closed", room.room_id), ()), *noticed.get(("site_closed", room.site), ())]
        if closed:
            starts &= self.axis.apart(closed, length)
        if demand.building_open:
            place = self._place(room.site)
            hours: Iterable[Hours] = (
                (minute_of_day(one.start), minute_of_day(one.end), one.days) for one in place.opening
            )
            starts &= self.axis.open_hours(place.zone, hours, noticed.get(("site_open", room.site), ()), length)
        return starts
