"""The stage of a task: for every meeting, the starts that each room allows under each situation."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import groupby
from typing import TypeVar

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.level4.axis import Axis, Hours, any_group, at_least, axis
from mpcbench.oracle.level4.brief import Brief, Reader
from mpcbench.oracle.level4.cast import Cast, cast, depends_on_day, turning_days, turning_days_of
from mpcbench.oracle.level4.knowledge import Knowledge, Place
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
"""Starts of days on which people and policies stay the same, with who is needed and which editions count."""


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


@dataclass(frozen=True, slots=True)
class Option:
    """A room in a situation, with the starts that are feasible."""

    room: Room
    situation: Situation
    starts: int


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that decides the gold."""

    axis: Axis
    meetings: tuple[Meeting, ...]
    """In the order in which they are placed."""

    count: int | None
    """How many candidates are wanted; None for a plan."""

    daily_limit: int | None
    memory: Memory = field(compare=False, repr=False)


def stage(knowledge: Knowledge, *, counted: bool = True, like: Stage | None = None) -> Stage:
    """The stage of the knowledge's task.

    Args:
        knowledge: What is known.
        like: The stage of a task with much the same knowledge; what follows from what they share is taken from it.
        counted: Whether the slots count at which people are available, too; without it, sites that have no room to offer
            are not looked at.

    Raises:
        UnresolvedError: something needed is not stated, or a record or alias is unknown.
    """
    known = None if like is None else like.memory
    reader = known.reader if known is not None and known.reads(knowledge) else Reader(knowledge)
    subject = reader.brief(reader.subject)
    briefs = [reader.brief(name) for name in reader.agenda] or [subject]
    windows = [_needed(brief.window, brief, "window") for brief in briefs]
    span = Interval(min(start for start, _ in windows), max(end for _, end in windows))
    count = None if reader.agenda else _needed(subject.count, subject, "number of options")
    _check_order(briefs)
    memory = Memory(knowledge, axis(span, knowledge.zone), reader, known)
    setting = _Setting(memory, counted=counted)
    return Stage(setting.axis, tuple(map(setting.meeting, briefs)), count, subject.daily_limit, memory)


def _needed(value: T | None, brief: Brief, what: str) -> T:
    if value is None:
        msg = f"{brief.name!r}: nothing states the {what}"
        raise UnresolvedError(msg)
    return value


def _check_order(briefs: Sequence[Brief]) -> None:
    names = {brief.name for brief in briefs}
    if len(names) < len(briefs):
        msg = f"{briefs[0].name!r}: a meeting is on the agenda twice"
        raise UnresolvedError(msg)
    for brief in briefs:
        for other in brief.after_meetings:
            if other not in names or len(briefs) == 1:
                msg = f"{brief.name!r}: {other!r} is not on the agenda"
                raise UnresolvedError(msg)


class _Setting:
    def __init__(self, memory: Memory, *, counted: bool) -> None:
        self.memory = memory
        knowledge = self.knowledge = memory.knowledge
        self.axis = memory.axis
        self.counted = counted
        self.turning = memory.on_days("turning", lambda: sorted(set(turning_days(knowledge))))
        self.sites = sorted({room.site for room in knowledge.rooms})
        self.editions: dict[int, tuple[Policy, ...]] = {}
        """The editions that count, by the number of turning days of policies that have passed."""

        self.policy_days = memory.on_days("policies", lambda: sorted(set(turning_days_of(knowledge.policies))))
        self.people: dict[tuple[object, ...], tuple[int, dict[str, int]]] = {}
        """When everybody needed is available, and when each who can be chosen is."""

    def meeting(self, brief: Brief) -> Meeting:
        length = _needed(brief.duration, brief, "duration")
        _needed(brief.organiser, brief, "organiser")
        if not brief.invitations:
            msg = f"{brief.name!r}: nothing states who is invited"
            raise UnresolvedError(msg)
        generated = self._generated(brief, length)
        agreed = generated & self._agreed(brief, length)
        days = self.memory.on_days(("days", brief.name, agreed), lambda: self._days(brief, agreed))
        rooms = [
            room
            for room in self.knowledge.rooms
            if brief.equipment <= set(room.equipment) and (brief.site is None or room.site == brief.site)
        ]
        sites = self.sites if self.counted else sorted({room.site for room in rooms})
        states = {site: self._states(brief, days, site, agreed) for site in sites}
        situations = {
            site: [self._situation(brief, length, found, policies, mask) for mask, found, policies in some]
            for site, some in states.items()
        }
        available = 0
        for some in situations.values():
            for situation in some:
                available |= situation.starts
        return Meeting(
            brief,
            length,
            tuple(self._options(brief, length, rooms, situations)),
            generated.bit_count(),
            agreed.bit_count(),
            available.bit_count(),
        )

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

    def _states(self, brief: Brief, days: Days, site: str, starts: int) -> Days:
        """The starts of the days, put together as far as the people and the policies for rooms of a site are the same."""
        return self.memory.on_days(("states", brief.name, site, starts), lambda: self._merged(brief, days, site))

    def _merged(self, brief: Brief, days: Days, site: str) -> Days:
        assert brief.organiser is not None
        meant = Meant(self.knowledge.policies, brief, self.knowledge.people[brief.organiser].team, site)
        states: dict[tuple[Cast, tuple[int, ...]], tuple[int, tuple[Policy, ...]]] = {}
        applying: dict[int, tuple[Policy, ...]] = {}
        for mask, found, counting in days:
            if id(counting) not in applying:
                applying[id(counting)] = meant.applying(counting)
            policies = applying[id(counting)]
            state = (found, tuple(map(id, policies)))
            states[state] = (states.get(state, (0, ()))[0] | mask, policies)
        return [(mask, found, policies) for (found, _), (mask, policies) in states.items()]

    def _days(self, brief: Brief, starts: int) -> Days:
        """The starts of spans of days on which people and policies stay the same."""
        days = [(day, mask & starts) for day, mask in sorted(self.axis.dates.items()) if mask & starts]
        found: Days = []
        varies = depends_on_day(brief.invitations)
        turning = self.turning if varies else self.policy_days
        for _, some in groupby(days, lambda one: bisect_right(turning, one[0])):
            span = list(some)
            first = span[0][0]
            key = (brief.name, first if varies else None)
            people = self.memory.cast(key, partial(cast, self.knowledge, brief.invitations, first))
            found.append((sum(mask for _, mask in span), people, self._counting(first)))
        return found

    def _counting(self, day: date) -> tuple[Policy, ...]:
        passed = bisect_right(self.policy_days, day)
        if passed not in self.editions:
            self.editions[passed] = counting_on(self.knowledge.policies, day)
        return self.editions[passed]

    def _situation(self, brief: Brief, length: int, found: Cast, policies: tuple[Policy, ...], days: int) -> Situation:
        everybody = found.required | found.choosable
        sites = {person: self.knowledge.people[person].site for person in everybody}
        applied = tuple(map(id, policies))
        demands = {
            site: self.memory.on_days(("terms", brief.tentative, applied, site), partial(terms, brief, policies, site))
            for site in sorted(set(sites.values()))
        }
        key = (found, length, *demands.items())
        if key not in self.people:
            self.people[key] = self._together(found, sites, demands, length)
        starts, available = self.people[key]
        buffers = {person: demands[site].buffer for person, site in sites.items()}
        return Situation(found, starts & days, buffers, available, room_terms(policies))

    def _together(
        self, found: Cast, sites: Mapping[str, str], demands: Mapping[str, Terms], length: int
    ) -> tuple[int, dict[str, int]]:
        """When everybody needed is available, and when each who can be chosen is."""
        available = {
            person: self.memory.mask(
                person, (demands[site], length), partial(self._available, person, demands[site], length)
            )
            for person, site in sites.items()
        }
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
        closed = [*self.memory.closed.get(room.room_id, ()), *self.memory.closed.get(room.site, ())]
        if closed:
            starts &= self.axis.apart(closed, length)
        if demand.building_open:
            place = self._place(room.site)
            hours: Iterable[Hours] = (
                (minute_of_day(one.start), minute_of_day(one.end), one.days) for one in place.opening
            )
            starts &= self.axis.open_hours(place.zone, hours, self.memory.opened.get(room.site, ()), length)
        return starts
