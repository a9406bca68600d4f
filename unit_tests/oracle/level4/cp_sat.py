"""An independent search: level-4 tasks as a constraint model, solved by OR-Tools CP-SAT.

Who takes part and which policies apply on a day is read by the engine (the archive checks that). When people are
available, which rooms can be used, and how meetings fit together is left to the solver: it shares no mask and no search
with the engine. The first candidates are found one after the other, each as the minimum of a rank; the first plan
lexicographically, meeting by meeting.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model

from mpcbench.oracle.level4.axis import Hours
from mpcbench.oracle.level4.brief import Brief, Reader
from mpcbench.oracle.level4.cast import Cast, cast
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.policies import Meant, RoomTerms, Terms, counting_on, room_terms, terms
from mpcbench.oracle.level4.solve import Pick
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import Room
from mpcbench.schema.level4.facts import RoomClosed, SiteClosed, SiteOpen
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.model import minute_of_day, to_minutes

Domain = cp_model.Domain
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class UndecidedError(RuntimeError):
    """The solver stopped before it had an answer."""


@dataclass
class Group:
    """Days and a site for which the same people and policies count."""

    site: str
    cast: Cast
    policies: tuple[Policy, ...]
    days: list[date]
    chosen: cp_model.IntVar


@dataclass
class Variables:
    """One meeting of the model."""

    brief: Brief
    length: int
    start: cp_model.IntVar
    rooms: list[tuple[Room, cp_model.IntVar]]
    groups: list[Group]
    attends: dict[str, cp_model.IntVar]
    buffers: dict[str, Any]
    turnaround: Any
    rank: Any


def cp_sat_picks(knowledge: Knowledge) -> tuple[Pick, ...]:
    """The gold, in minutes since 1970-01-01 UTC; of a plan none if there is no plan."""
    return _Model(knowledge).picks()


class _Model:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.reader = Reader(knowledge)
        self.model = cp_model.CpModel()
        subject = self.reader.brief(self.reader.subject)
        self.count, self.limit = subject.count, subject.daily_limit
        briefs = [self.reader.brief(name) for name in self.reader.agenda] or [subject]
        self.meetings = [self._meeting(brief) for brief in briefs]
        if self.reader.agenda:
            self._joined()

    def picks(self) -> tuple[Pick, ...]:
        found: list[Pick] = []
        if not self.reader.agenda:
            assert self.count is not None
            meeting = self.meetings[0]
            while len(found) < self.count:
                solver = self._least(meeting)
                if solver is None:
                    break
                found.append(_pick(solver, meeting, None))
                self.model.add(meeting.rank > solver.value(meeting.rank))
            return tuple(found)
        solver = None
        for meeting in self.meetings:
            solver = self._least(meeting)
            if solver is None:
                return ()
            self.model.add(meeting.rank == solver.value(meeting.rank))
        assert solver is not None
        return tuple(_pick(solver, meeting, meeting.brief.name) for meeting in self.meetings)

    def _least(self, meeting: Variables) -> cp_model.CpSolver | None:
        self.model.minimize(meeting.rank)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        if status == cp_model.INFEASIBLE:
            return None
        if status != cp_model.OPTIMAL:
            raise UndecidedError(solver.status_name(status))
        return solver

    def _meeting(self, brief: Brief) -> Variables:
        assert brief.duration is not None
        length = brief.duration
        starts = self._starts(brief, length)
        if starts.is_empty():
            self.model.add_bool_or([])  # never holds; a variable without a value would be no valid model
            starts = Domain(*brief.window or (0, 0))
        start = self.model.new_int_var_from_domain(starts, f"start {brief.name}")
        ranked = sorted(self._rooms(brief), key=lambda room: room_rank(room, brief.tie_break))
        rooms = [(room, self.model.new_bool_var(room.room_id)) for room in ranked]
        self.model.add_exactly_one(chosen for _, chosen in rooms)
        groups = list(self._groups(brief))
        self.model.add_exactly_one(group.chosen for group in groups)
        people = sorted({one for group in groups for one in group.cast.required | group.cast.choosable})
        meeting = Variables(
            brief,
            length,
            start,
            rooms,
            groups,
            {person: self.model.new_bool_var(person) for person in people},
            dict.fromkeys(people, 0),
            0,
            start * 1000 + sum(place * chosen for place, (_, chosen) in enumerate(rooms)),
        )
        for group in groups:
            self._group(meeting, group)
        return meeting

    def _starts(self, brief: Brief, length: int) -> cp_model.Domain:
        assert brief.window is not None
        first, last = brief.window
        grid = [at for at in range(first, last - length + 1) if _local(at, self.knowledge.zone).minute % 15 == 0]
        found = Domain.from_values(grid)
        if brief.daily is not None:
            found = found.intersection_with(self._inside(self.knowledge.zone, (*brief.daily, tuple(range(7))), length))
        if brief.deadline is not None:
            found = found.intersection_with(Domain(first, brief.deadline - length))
        if brief.not_before is not None:
            found = found.intersection_with(Domain(brief.not_before, last))
        if brief.required:
            found = found.intersection_with(_allowed(brief.required, length))
        for person, event_id, day in brief.after_entries:
            end = self.knowledge.calendars[person].end_of(event_id, day)
            assert end is not None
            found = found.intersection_with(Domain(end, max(end, last)))
        return found.intersection_with(_apart(brief.bans, length, 0))

    def _rooms(self, brief: Brief) -> Iterator[Room]:
        for room in self.knowledge.rooms:
            if brief.equipment <= set(room.equipment) and (brief.site is None or room.site == brief.site):
                yield room

    def _groups(self, brief: Brief) -> Iterator[Group]:
        assert brief.window is not None
        assert brief.organiser is not None
        team = self.knowledge.people[brief.organiser].team
        first, last = (_local(at, self.knowledge.zone).date() for at in brief.window)
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        for site in sorted({room.site for room in self._rooms(brief)}):
            meant = Meant(self.knowledge.policies, brief, team, site)
            by_state: dict[Any, Group] = {}
            for day in days:
                people = cast(self.knowledge, brief.invitations, day)
                policies = meant.applying(counting_on(self.knowledge.policies, day))
                key = (people, tuple(map(id, policies)))
                if key not in by_state:
                    by_state[key] = Group(site, people, policies, [], self.model.new_bool_var(f"{site} {day}"))
                by_state[key].days.append(day)
            yield from by_state.values()

    def _group(self, meeting: Variables, group: Group) -> None:
        brief, length, found = meeting.brief, meeting.length, group.cast
        days = Domain.from_intervals([list(_day(day, self.knowledge.zone)) for day in group.days])
        self.model.add_linear_expression_in_domain(meeting.start, days).only_enforce_if(group.chosen)
        if not found.possible:
            self.model.add(group.chosen == 0)
        for person in found.required | found.choosable:
            demand = terms(brief, group.policies, self.knowledge.people[person].site)
            meeting.buffers[person] += demand.buffer * group.chosen
            attends = meeting.attends[person]
            free = self._available(person, demand, length)
            self.model.add_linear_expression_in_domain(meeting.start, free).only_enforce_if(group.chosen, attends)
            if person in found.required:
                self.model.add_implication(group.chosen, attends)
        for groups in found.alternatives:
            options = []
            for people in groups:
                option = self.model.new_bool_var("option")
                self.model.add_bool_and(meeting.attends[person] for person in people).only_enforce_if(option)
                options.append(option)
            self.model.add_bool_or(options).only_enforce_if(group.chosen)
        for count, people in found.thresholds:
            attending = sum(meeting.attends[person] for person in people)
            self.model.add(attending >= count).only_enforce_if(group.chosen)
        demand_room = room_terms(group.policies)
        meeting.turnaround += demand_room.turnaround * group.chosen
        for room, chosen in meeting.rooms:
            seats = len(found.invited) + brief.guests if brief.seats is None else brief.seats
            if room.site != group.site or room.capacity < seats:
                self.model.add_bool_or(~group.chosen, ~chosen)
            else:
                usable = self._usable(room, demand_room, length)
                self.model.add_linear_expression_in_domain(meeting.start, usable).only_enforce_if(group.chosen, chosen)

    def _available(self, person: str, demand: Terms, length: int) -> cp_model.Domain:
        teams = [team_id for team_id, team in self.knowledge.teams.items() if demand.by_team and person in team.members]
        calendars = [self.knowledge.calendars.get(person, Timeline())]
        calendars += [self.knowledge.team_calendars.get(team, Timeline()) for team in teams]
        blocks = [one for calendar in calendars for one in _blocking(calendar, tentative=demand.tentative_blocks)]
        found = _apart(blocks, length, demand.buffer)
        place = self.knowledge.sites[self.knowledge.people[person].site]
        for hours in demand.inside:
            found = found.intersection_with(self._inside(place.zone, hours, length))
        for hours in demand.outside:
            found = found.intersection_with(_apart(self._spans(place.zone, hours), length, 0))
        if demand.holidays:
            holidays = self.knowledge.holidays.get(place.country, ())
            found = found.intersection_with(_apart((_whole(day, place.zone) for day in holidays), length, 0))
        return found

    def _usable(self, room: Room, demand: RoomTerms, length: int) -> cp_model.Domain:
        bookings = _blocking(self.knowledge.bookings.get(room.room_id, Timeline()), tentative=True)
        found = _apart(bookings, length, demand.turnaround)
        replaced = {posted.notice.replaces for posted in self.knowledge.notices}
        notices = [one.notice for one in self.knowledge.notices if one.notice.notice_id not in replaced]
        opened = []
        for effect in (effect for notice in notices for effect in notice.effects):
            span = to_minutes(effect.start), to_minutes(effect.end)
            match effect:
                case RoomClosed(room_id=room_id) if room_id == room.room_id:
                    found = found.intersection_with(_apart([span], length, 0))
                case SiteClosed(site=site) if site == room.site:
                    found = found.intersection_with(_apart([span], length, 0))
                case SiteOpen(site=site) if site == room.site:
                    opened.append(span)
        if demand.building_open:
            place = self.knowledge.sites[room.site]
            for hours in place.opening:
                opened += self._spans(place.zone, (minute_of_day(hours.start), minute_of_day(hours.end), hours.days))
            minutes = Domain.from_intervals([[start, end - 1] for start, end in opened])
            merged = minutes.flattened_intervals()
            found = found.intersection_with(
                _allowed([(low, high + 1) for low, high in zip(merged[::2], merged[1::2], strict=True)], length)
            )
        return found

    def _spans(self, zone: tzinfo, hours: Hours) -> list[tuple[int, int]]:
        windows = [one.window for one in map(self.reader.brief, self.reader.agenda or (self.reader.subject,))]
        first = min(window[0] for window in windows if window is not None)
        last = max(window[1] for window in windows if window is not None)
        start, end, days = hours
        day, found = _local(first, zone).date() - timedelta(days=1), []
        while day <= _local(last, zone).date() + timedelta(days=1):
            if day.weekday() in days:
                found.append((_at(day, start, zone), _at(day, end, zone)))
            day += timedelta(days=1)
        return found

    def _inside(self, zone: tzinfo, hours: Hours, length: int) -> cp_model.Domain:
        return _allowed(self._spans(zone, hours), length)

    def _joined(self) -> None:
        """How the meetings of a plan have to fit together."""
        by_name = {meeting.brief.name: meeting for meeting in self.meetings}
        for meeting in self.meetings:
            for name in meeting.brief.after_meetings:
                self.model.add(meeting.start >= by_name[name].start + by_name[name].length)
        for one, other in combinations(self.meetings, 2):
            first = self.model.new_bool_var("first")
            for person in one.attends.keys() & other.attends.keys():
                both = (one.attends[person], other.attends[person])
                for gap in (one.buffers[person], other.buffers[person]):
                    self._separate(one, other, gap, first, both)
            chosen = {room.room_id: variable for room, variable in other.rooms}
            for room, variable in one.rooms:
                if room.room_id in chosen:
                    for gap in (one.turnaround, other.turnaround):
                        self._separate(one, other, gap, first, (variable, chosen[room.room_id]))
        if self.limit is not None:
            self._limited(self.limit)

    def _separate(
        self, one: Variables, other: Variables, gap: Any, first: cp_model.IntVar, both: Sequence[cp_model.IntVar]
    ) -> None:
        self.model.add(one.start + one.length + gap <= other.start).only_enforce_if(first, *both)
        self.model.add(other.start + other.length + gap <= one.start).only_enforce_if(~first, *both)

    def _limited(self, limit: int) -> None:
        counted: dict[tuple[str, date], list[cp_model.IntVar]] = {}
        for meeting in self.meetings:
            assert meeting.brief.window is not None
            days = sorted({day for group in meeting.groups for day in group.days})
            on_day = {day: self.model.new_bool_var(f"{day}") for day in days}
            self.model.add_exactly_one(on_day.values())
            for day, variable in on_day.items():
                span = Domain(*_day(day, self.knowledge.zone))
                self.model.add_linear_expression_in_domain(meeting.start, span).only_enforce_if(variable)
                for person, attends in meeting.attends.items():
                    takes_part = self.model.new_bool_var("takes part")
                    self.model.add_bool_or(takes_part, ~variable, ~attends)
                    counted.setdefault((person, day), []).append(takes_part)
        for some in counted.values():
            self.model.add(sum(some) <= limit)


def _pick(solver: cp_model.CpSolver, meeting: Variables, name: str | None) -> Pick:
    start = solver.value(meeting.start)
    room = next(room for room, chosen in meeting.rooms if solver.value(chosen))
    return Pick(start, start + meeting.length, room.room_id, name)


def _blocking(calendar: Timeline, *, tentative: bool) -> Iterable[tuple[int, int]]:
    return (calendar.firm_and_tentative if tentative else calendar.firm).intervals


def _apart(spans: Iterable[tuple[int, int]], length: int, margin: int) -> cp_model.Domain:
    """The starts of candidates that are at least the margin away from every span."""
    blocked = [[start - margin - length + 1, end + margin - 1] for start, end in spans]
    return Domain.from_intervals(blocked).complement()


def _allowed(spans: Iterable[tuple[int, int]], length: int) -> cp_model.Domain:
    """The starts of candidates inside one of the spans."""
    return Domain.from_intervals([[start, end - length] for start, end in spans if end - length >= start])


def _local(at: int, zone: tzinfo) -> datetime:
    return (_EPOCH + timedelta(minutes=at)).astimezone(zone)


def _at(day: date, minute: int, zone: tzinfo) -> int:
    return to_minutes(
        datetime.combine(day + timedelta(days=minute // 1440), time(minute % 1440 // 60, minute % 60), zone)
    )


def _whole(day: date, zone: tzinfo) -> tuple[int, int]:
    return _at(day, 0, zone), _at(day + timedelta(days=1), 0, zone)


def _day(day: date, zone: tzinfo) -> tuple[int, int]:
    """The first and the last minute of a day."""
    start, end = _whole(day, zone)
    return start, end - 1
