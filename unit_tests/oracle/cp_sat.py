"""An independent solver: the rules as a constraint model, its solutions enumerated by OR-Tools CP-SAT.

Shares nothing with `oracle/` but the data model. The variables are the candidate's start, in minutes since
1970-01-01 UTC, and at level 3 the place of its room in the world's list.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby
from typing import TypeVar

from ortools.sat.python import cp_model

from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanDowTime,
    BanWindow,
    BufferMin,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    Instance,
    LunchBlock,
    NotBefore,
    Participants,
    PolicyRule,
    RemoveParticipant,
    RequiredWindow,
    RoomTurnaround,
    Site,
    Statement,
    Window,
    WorkHours,
    World,
)

S = TypeVar("S", bound=Statement)
Span = tuple[int, int]
Choice = tuple[int, int, str]
"""Start, end, room ID or `-`."""


def feasible_set(world: World, instance: Instance) -> list[Choice]:
    """Every feasible candidate, by start and room ID."""
    return _Model(world, instance).solutions()


def feasible_digest(world: World, instance: Instance) -> str:
    """The digest of the whole feasible set, as a label holds it."""
    rows = (f"{start} {end} {room_id}\n" for start, end, room_id in feasible_set(world, instance))
    return sha256("".join(rows).encode()).hexdigest()


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.variables = variables
        self.rows: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.rows.append(tuple(self.value(variable) for variable in self.variables))


class _Model:
    def __init__(self, world: World, instance: Instance) -> None:
        self.world = world
        self.instance = instance
        self.said = list(_statements(world, instance))
        self.duration = self.last(Duration).minutes
        self.window = self.last(Window)
        self.participants = self.people()
        self.first, self.end = _minutes(self.window.start), _minutes(self.window.end)
        self.clock = [
            datetime.fromtimestamp(minute * 60, UTC).astimezone(world.zone) for minute in range(self.first, self.end)
        ]
        self.model = cp_model.CpModel()
        self.grid = [self.first + place for place, time in enumerate(self.clock) if time.minute % 15 == 0]
        self.start = self.model.new_int_var_from_domain(cp_model.Domain.from_values(self.grid), "start")
        self.candidate = self.model.new_fixed_size_interval_var(self.start, self.duration, "candidate")
        self.variables = [self.start]

    def solutions(self) -> list[Choice]:
        if not self.grid or (self.instance.level == 3 and not self.world.rooms):
            return []  # a variable needs a value to be modelled at all
        self.constrain_to_window()
        self.constrain_by_records()
        self.constrain_by_statements()
        if self.instance.level == 3:
            self.constrain_room()
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        collector = _Collector(self.variables)
        status = solver.solve(self.model, collector)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
            raise RuntimeError(f"CP-SAT gave up: {solver.status_name(status)}")
        rooms = self.world.rooms
        return sorted(
            (start, start + self.duration, rooms[room[0]].room_id if room else "-") for start, *room in collector.rows
        )

    # What was said.

    def every(self, kind: type[S]) -> list[S]:
        return [statement for statement in self.said if isinstance(statement, kind)]

    def last(self, kind: type[S]) -> S:
        return self.every(kind)[-1]

    def people(self) -> dict[str, None]:
        people: dict[str, None] = {}
        for statement in self.said:
            if isinstance(statement, Participants):
                people = dict.fromkeys(statement.person_ids)
            elif isinstance(statement, AddParticipant):
                people[statement.person_id] = None
            elif isinstance(statement, RemoveParticipant):
                people.pop(statement.person_id, None)
        return people

    def rules(self) -> list[PolicyRule]:
        called = {statement.policy_id for statement in self.every(CallPolicy)}
        return [rule for section in self.world.policies if section.policy_id in called for rule in section.rules]

    # Constraints.

    def constrain_to_window(self) -> None:
        self.inside([(self.first, self.end)])
        if self.window.daily is not None:
            self.inside(self.days_with(_within(self.window.daily.start, self.window.daily.end)))

    def constrain_by_records(self) -> None:
        busy = [
            (_minutes(event.start), _minutes(event.end))
            for person in self.participants
            for event in self.world.events_by_person.get(person, ())
        ]
        self.apart(busy)
        for rule in self.rules():
            match rule:
                case WorkHours(start=start, end=end, days=days):
                    self.inside(self.days_with(_within(start, end, days)))
                case LunchBlock(start=start, end=end, days=days):
                    self.apart(self.days_with(_within(start, end, days)))
                case BanDowTime(start=start, end=end, day=day):
                    self.apart(self.days_with(_within(start, end, (day,))))
                case BufferMin(minutes=minutes):
                    self.apart((start - minutes, end + minutes) for start, end in busy)

    def constrain_by_statements(self) -> None:
        for deadline in self.every(Deadline)[-1:]:
            self.model.add(self.start + self.duration <= _minutes(deadline.at))
        for not_before in self.every(NotBefore)[-1:]:
            self.model.add(self.start >= _minutes(not_before.at))
        self.apart((_minutes(ban.start), _minutes(ban.end)) for ban in self.every(BanWindow))
        required = self.every(RequiredWindow)
        if required:
            self.inside((_minutes(span.start), _minutes(span.end)) for span in required)
        for after in self.every(AfterEvent):
            calendar = self.world.events_by_person[after.person_id]
            (end_of_event,) = (event.end for event in calendar if event.event_id == after.event_id)
            self.model.add(self.start >= _minutes(end_of_event))

    def constrain_room(self) -> None:
        seats = len(self.participants) + sum(guests.count for guests in self.every(Guests)[-1:])
        needed = {item for statement in self.every(Equipment) for item in statement.items}
        sites = [statement.site for statement in self.every(Site)[-1:]] or [room.site for room in self.world.rooms]
        turnaround = max((rule.minutes for rule in self.rules() if isinstance(rule, RoomTurnaround)), default=0)
        places = range(len(self.world.rooms))
        room = self.model.new_int_var_from_domain(cp_model.Domain.from_values(places), "room")
        chosen = [self.model.new_bool_var(f"room {place}") for place in places]
        self.model.add_map_domain(room, chosen)
        self.model.add(
            sum(candidate.capacity * literal for candidate, literal in zip(self.world.rooms, chosen, strict=True))
            >= seats
        )
        for place, literal in zip(places, chosen, strict=True):
            record = self.world.rooms[place]
            if needed - set(record.equipment) or record.site not in sites:
                self.model.add(literal == 0)
            stay = self.model.new_optional_fixed_size_interval_var(
                self.start, self.duration, literal, f"stay in {record.room_id}"
            )
            for booking in self.world.bookings_by_room.get(record.room_id, ()):
                start, end = _minutes(booking.start) - turnaround, _minutes(booking.end) + turnaround
                if self.matters((start, end)):
                    self.model.add_no_overlap([stay, self.fixed(start, end)])
        self.variables.append(room)

    def inside(self, spans: Iterable[Span]) -> None:
        """The candidate lies wholly inside one of the spans."""
        starts = [[start, end - self.duration] for start, end in spans if end - start >= self.duration]
        self.model.add_linear_expression_in_domain(self.start, cp_model.Domain.from_intervals(starts))

    def apart(self, spans: Iterable[Span]) -> None:
        """The candidate overlaps none of the spans, which may overlap one another."""
        for start, end in filter(self.matters, spans):
            self.model.add_no_overlap([self.candidate, self.fixed(start, end)])

    def matters(self, span: Span) -> bool:
        """Whether the span reaches into the window, where all candidates are."""
        return span[0] < self.end and self.first < span[1]

    def fixed(self, start: int, end: int) -> cp_model.IntervalVar:
        return self.model.new_fixed_size_interval_var(start, end - start, f"{start} to {end}")

    def days_with(self, holds: Callable[[datetime], bool]) -> Iterator[Span]:
        """The unbroken spans of the window, each of one local date, at whose every minute the condition holds."""
        runs = groupby(enumerate(self.clock), key=lambda item: (item[1].date(), holds(item[1])))
        for (_, held), items in runs:
            places = [place for place, _ in items]
            if held:
                yield self.first + places[0], self.first + places[-1] + 1


def _within(start: str, end: str, days: Iterable[int] = range(7)) -> Callable[[datetime], bool]:
    # Strings of the same shape compare as the times they show; "24:00" is after all of them.
    return lambda time: time.weekday() in days and start <= f"{time:%H:%M}" < end


def _statements(world: World, instance: Instance) -> Iterator[Statement]:
    yield from instance.references.statements
    messages = [
        (message.sent, thread.thread_id, place, message)
        for thread in world.threads
        if thread.thread_id in instance.references.threads
        for place, message in enumerate(thread.messages)
    ]
    for *_, message in sorted(messages, key=lambda item: item[:3]):
        yield from (tag.statement for tag in message.tags if tag.meeting == instance.meeting)


def _minutes(moment: datetime) -> int:
    return int(moment.timestamp()) // 60
