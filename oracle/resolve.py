"""Join the statements about a meeting with the records that they name into one `Problem`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    Problem,
    RoomOption,
    RoomSearch,
    Rule,
    StartsFrom,
    Turnaround,
    UnresolvedError,
)
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
    Event,
    Guests,
    Instance,
    LunchBlock,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    PolicyRule,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    Room,
    RoomTurnaround,
    Site,
    Source,
    Statement,
    TieBreak,
    Window,
    WorkHours,
    World,
)
from mpcbench.schema.interval import IntervalIndex
from mpcbench.schema.model import MINUTES_PER_DAY, Model, minute_of_day

_EMPTY = IntervalIndex()

S = TypeVar("S", bound=Model)
V = TypeVar("V")


class StatementKey(NamedTuple):
    """The position of a statement: a thread's message and tag, or a place in the task text (thread None)."""

    thread: str | None
    message: int
    tag: int


class Located(NamedTuple):
    """A statement and its position."""

    key: StatementKey
    statement: Statement


def statements(world: World, instance: Instance, hidden: Collection[str] = ()) -> list[Located]:
    """The statements about the instance's meeting, oldest first.

    The task's come first, then those of its threads by (time sent, thread ID, place in the thread). Hidden threads
    are left out.
    """
    located = [
        Located(StatementKey(None, 0, place), statement)
        for place, statement in enumerate(instance.references.statements)
    ]
    messages = []
    for thread_id in instance.references.threads:
        if thread_id not in world.thread_by_id:
            msg = f"{instance.instance_id}: no thread {thread_id!r}"
            raise UnresolvedError(msg)
        if f"thread:{thread_id}" not in hidden:
            thread = world.thread_by_id[thread_id]
            messages += [
                (to_minutes(message.sent), thread_id, place, message) for place, message in enumerate(thread.messages)
            ]
    for _, thread_id, place, message in sorted(messages, key=lambda item: item[:3]):
        located += [
            Located(StatementKey(thread_id, place, index), tag.statement)
            for index, tag in enumerate(message.tags)
            if tag.meeting == instance.meeting
        ]
    return located


def resolve(
    world: World,
    instance: Instance,
    *,
    hidden: Collection[str] = frozenset(),
    unsaid: Collection[StatementKey] = frozenset(),
) -> Problem:
    """Join an instance's statements with the world's records.

    Args:
        world: The records.
        instance: The task.
        hidden: Records to leave out, as if the solver had never seen them: a hidden thread states nothing,
            a hidden policy demands nothing, a hidden calendar or room calendar is empty, a hidden person
            cannot take part, a hidden room cannot be booked.
        unsaid: Statements to leave out.

    Raises:
        UnresolvedError: nothing states the duration, option count, window or participants, or a record is
            unknown.
    """
    return _Join(world, instance, hidden, unsaid).problem()


class _Join:
    def __init__(
        self, world: World, instance: Instance, hidden: Collection[str], unsaid: Collection[StatementKey]
    ) -> None:
        self.world = world
        self.instance = instance
        self.hidden = hidden
        self.located = [item for item in statements(world, instance, hidden) if item.key not in unsaid]
        self.by_kind: dict[type[Model], list[tuple[str, Any]]] = {}
        for key, statement in self.located:
            record = "task" if key.thread is None else f"thread:{key.thread}"
            self.by_kind.setdefault(type(statement), []).append((record, statement))
        self.reach = interval_of(self.needed(Window)).widened(MINUTES_PER_DAY)

    def problem(self) -> Problem:
        participants = self.participants()
        window = self.needed(Window)
        return Problem(
            level=self.instance.level,
            zone=self.world.zone,
            participants=participants,
            window=interval_of(window),
            daily=None
            if window.daily is None
            else (minute_of_day(window.daily.start), minute_of_day(window.daily.end)),
            duration=self.needed(Duration).minutes,
            count=self.needed(OptionCount).count,
            constraints=(
                *self.calendar_constraints(participants),
                *self.policy_constraints(),
                *self.thread_constraints(),
            ),
            rooms=self.room_search(len(participants)) if self.instance.level == 3 else None,
            order=self.last(Ranking, lambda ranking: ranking.order, Order.EARLIEST),
            tie_break=self.last(TieBreak, lambda tie_break: tie_break.keys, ()),
        )

    def every(self, kind: type[S]) -> Sequence[tuple[str, S]]:
        """The statements of a kind, oldest first, each with its record."""
        return self.by_kind.get(kind, ())

    def last(self, kind: type[S], value: Callable[[S], V], default: V) -> V:
        stated = self.every(kind)
        return value(stated[-1][1]) if stated else default

    def needed(self, kind: type[S]) -> S:
        stated = self.every(kind)
        if not stated:
            msg = f"{self.instance.instance_id}: nothing states the {kind.model_fields['kind'].default}"
            raise UnresolvedError(msg)
        return stated[-1][1]

    def participants(self) -> tuple[str, ...]:
        people: list[str] | None = None
        for _, statement in self.located:
            match statement:
                case Participants(person_ids=ids):
                    people = list(dict.fromkeys(ids))
                case AddParticipant(person_id=person) if people is not None and person not in people:
                    people.append(person)
                case RemoveParticipant(person_id=person) if people is not None and person in people:
                    people.remove(person)
        if not people:
            msg = f"{self.instance.instance_id}: nothing states the participants"
            raise UnresolvedError(msg)
        for person in people:
            if person not in self.world.person_by_id:
                msg = f"{self.instance.instance_id}: no person {person!r}"
                raise UnresolvedError(msg)
        return tuple(person for person in people if f"person:{person}" not in self.hidden)

    def near(self, indexes: Mapping[str, IntervalIndex], owner: str) -> tuple[Interval, ...]:
        """An owner's intervals that can matter: buffers reach at most a day beyond the window."""
        return indexes.get(owner, _EMPTY).near(self.reach)

    def calendar_constraints(self, participants: Iterable[str]) -> Iterator[Constraint]:
        for person in participants:
            record = f"calendar:{person}"
            events = () if record in self.hidden else self.near(self.world.busy, person)
            yield Constraint(Source.CALENDAR, "busy", (record,), Busy(person, events))

    def called_rules(self) -> Iterator[tuple[str, PolicyRule]]:
        for policy_id in dict.fromkeys(statement.policy_id for _, statement in self.every(CallPolicy)):
            section = self.world.policy_by_id.get(policy_id)
            if section is None:
                msg = f"{self.instance.instance_id}: no policy {policy_id!r}"
                raise UnresolvedError(msg)
            if f"policy:{policy_id}" not in self.hidden:
                for rule in section.rules:
                    yield f"policy:{policy_id}", rule

    def policy_constraints(self) -> Iterator[Constraint]:
        for record, rule in self.called_rules():
            if not isinstance(rule, RoomTurnaround):
                yield policy_constraint(record, rule)

    def thread_constraints(self) -> Iterator[Constraint]:
        def constraint(record: str, statement: Statement, rule: Rule, *records: str) -> Constraint:
            return Constraint(Source.THREADS, statement.kind, (record, *records), rule)

        for record, deadline in self.every(Deadline)[-1:]:
            yield constraint(record, deadline, EndsBy(to_minutes(deadline.at)))
        for record, not_before in self.every(NotBefore)[-1:]:
            yield constraint(record, not_before, StartsFrom(to_minutes(not_before.at)))
        for record, ban in self.every(BanWindow):
            yield constraint(record, ban, Outside(interval_of(ban)))
        required = self.every(RequiredWindow)
        if required:
            records = dict.fromkeys(record for record, _ in required)
            spans = tuple(interval_of(statement) for _, statement in required)
            yield Constraint(Source.THREADS, required[0][1].kind, tuple(records), Inside(spans))
        for record, after in self.every(AfterEvent):
            end = self.end_of(after)
            if end is not None:
                yield constraint(record, after, StartsFrom(end), f"calendar:{after.person_id}")

    def end_of(self, after: AfterEvent) -> int | None:
        if f"calendar:{after.person_id}" in self.hidden or f"person:{after.person_id}" in self.hidden:
            return None
        for event in self.world.events_by_person.get(after.person_id, ()):
            if event.event_id == after.event_id:
                return to_minutes(event.end)
        msg = f"{self.instance.instance_id}: no event {after.event_id!r} in the calendar of {after.person_id!r}"
        raise UnresolvedError(msg)

    def room_search(self, participants: int) -> RoomSearch:
        return RoomSearch(
            rooms=tuple(
                room_option(
                    room,
                    ()
                    if f"room_calendar:{room.room_id}" in self.hidden
                    else self.near(self.world.booked, room.room_id),
                )
                for room in self.world.rooms
                if f"room:{room.room_id}" not in self.hidden
            ),
            seats=participants + self.last(Guests, lambda guests: guests.count, 0),
            equipment=frozenset(item for _, statement in self.every(Equipment) for item in statement.items),
            site=self.last(Site, lambda site: site.site, None),
            turnarounds=tuple(
                Turnaround(rule.minutes, record)
                for record, rule in self.called_rules()
                if isinstance(rule, RoomTurnaround)
            ),
        )


def interval_of(span: Window | BanWindow | RequiredWindow | Event) -> Interval:
    """The interval of a statement or event, in minutes."""
    return Interval(to_minutes(span.start), to_minutes(span.end))


def room_option(room: Room, bookings: tuple[Interval, ...]) -> RoomOption:
    """A room's metadata joined with its bookings."""
    return RoomOption(
        room_id=room.room_id,
        name=room.name,
        site=room.site,
        floor=room.floor,
        capacity=room.capacity,
        equipment=frozenset(room.equipment),
        bookings=bookings,
    )


def policy_constraint(record: str, rule: WorkHours | LunchBlock | BanDowTime | BufferMin) -> Constraint:
    """The constraint that a policy rule imposes on the slot; `record` is the policy's."""
    return Constraint(Source.POLICY, rule.kind, (record,), _slot_rule(rule))


def _slot_rule(rule: WorkHours | LunchBlock | BanDowTime | BufferMin) -> Rule:
    match rule:
        case WorkHours():
            return InsideHours(minute_of_day(rule.start), minute_of_day(rule.end), rule.days)
        case LunchBlock():
            return OutsideHours(minute_of_day(rule.start), minute_of_day(rule.end), rule.days)
        case BanDowTime():
            return OutsideHours(minute_of_day(rule.start), minute_of_day(rule.end), (rule.day,))
        case BufferMin():
            return Buffer(rule.minutes)
