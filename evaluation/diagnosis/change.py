"""The changes of a task that an agent's mistake may amount to: a condition dropped, added or altered."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from evaluation.diagnosis.cause import Evidence, Reason, reason_text
from evaluation.diagnosis.frame import Form, Frame, combined
from oracle.local_time import GRID_MINUTES
from oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Outside,
    OutsideHours,
    StartsFrom,
)
from oracle.resolve import policy_constraint
from schema import Order, RoomTurnaround, Section, TieBreakKey
from schema.model import MINUTES_PER_DAY

_FINE_STEPS = (1, 5, 10)


@dataclass(frozen=True)
class Part:
    """One mistake: its reason and what shows it."""

    reason: str
    evidence: tuple[Evidence, ...] = ()
    far_fetched: bool = False
    """Nothing on record suggests it: it is weighed only where nothing else explains the answer."""


@dataclass(frozen=True)
class Change:
    """What a mistake does to the masks and choices of a frame."""

    part: Part
    masks: Mapping[str, int] = field(default_factory=dict)
    """New masks by key: of altered conditions, or of added ones."""

    dropped: frozenset[str] = frozenset()
    fields: Mapping[str, object] = field(default_factory=dict)
    """Fields of the choices or of the room query with their new values."""

    @cached_property
    def touched(self) -> frozenset[str]:
        """The keys of the conditions that no longer hold as they were."""
        return self.dropped | frozenset(self.masks)

    @cached_property
    def allowed(self) -> int:
        """The starts that all of its new masks allow."""
        return combined(self.masks.values())

    def only_adds(self, frame: Frame) -> bool:
        """Whether it adds masks and changes nothing else."""
        return not self.fields and not self.dropped and frame.masks.keys().isdisjoint(self.masks)

    def never_forbids(self, frame: Frame) -> bool:
        """Whether every start that was allowed still is, and none moves in the ranking."""
        return not self.masks and all(_permits(frame, name, value) for name, value in self.fields.items())


def _permits(frame: Frame, name: str, value: Any) -> bool:
    query = frame.choices.rooms
    match name:
        case "tie_break" | "options":
            return True
        case "seats" | "margin" if query is not None:
            return bool(value <= getattr(query, name))
        case "equipment" if query is not None:
            return bool(value <= query.equipment)
        case "site":
            return value is None
        case "booked":
            return not value
        case _:
            return False


def part(reason: Reason, detail: str, *records: str, far_fetched: bool = False, **values: JsonValue) -> Part:
    """A part whose evidence is some records, with the same values."""
    evidence = tuple(Evidence(record=record, values=values) for record in records)
    if not records and values:
        evidence = (Evidence(values=values),)
    return Part(reason_text(reason, detail), evidence, far_fetched)


def changes(frame: Frame, *, policies: Collection[str] | None, calendars: Collection[str], given: int) -> list[Change]:
    """Every single change of a frame's problem that something on record suggests.

    Args:
        frame: The problem.
        policies: IDs of the policies that the agent may have applied; None if that is not known.
        calendars: The people whose calendars it saw.
        given: How many candidates it gave.
    """
    return [
        *_omitted(frame),
        *_omitted_of_room(frame),
        *_added_policies(frame, policies),
        *_added_calendars(frame, calendars),
        *_misread_busy(frame),
        *_misread_limits(frame),
        *(_fine_grids(frame) if given else ()),
        *_rankings(frame),
        *_counts(frame, given),
    ]


def _omitted(frame: Frame) -> Iterator[Change]:
    by_kind: dict[str, list[tuple[Constraint, frozenset[str]]]] = {}
    by_policy: dict[str, list[frozenset[str]]] = {}
    for constraint, masks in frame.conditions:
        keys = frozenset(masks)
        if isinstance(constraint.rule, Busy):
            keys |= {key for key in frame.masks if key.endswith(f":{constraint.rule.person_id}")}
        by_kind.setdefault(constraint.kind, []).append((constraint, keys))
        if constraint.records and constraint.records[0].startswith("policy:"):
            by_policy.setdefault(constraint.records[0], []).append(keys)
    for kind, found in by_kind.items():
        for constraint, keys in found:
            yield Change(part(Reason.CONSTRAINT_OMITTED, kind, *constraint.records), dropped=keys)
        if len(found) > 1:
            records = dict.fromkeys(record for constraint, _ in found for record in constraint.records)
            every = frozenset[str]().union(*(keys for _, keys in found))
            yield Change(part(Reason.CONSTRAINT_OMITTED, kind, *records), dropped=every)
    for policy, policy_keys in by_policy.items():
        if len(policy_keys) > 1:
            yield Change(
                part(Reason.CONSTRAINT_OMITTED, "policy", policy), dropped=frozenset[str]().union(*policy_keys)
            )
    if frame.problem.daily is not None:
        yield Change(part(Reason.CONSTRAINT_OMITTED, "daily_hours"), dropped=frozenset({"daily_hours"}))


def _omitted_of_room(frame: Frame) -> Iterator[Change]:
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return

    def omitted(kind: str, *records: str, **fields: object) -> Change:
        return Change(part(Reason.CONSTRAINT_OMITTED, kind, *records), fields=fields)

    people = len(frame.problem.participants)
    if query.seats != people:
        yield omitted("guests", seats=people)
    yield omitted("capacity", seats=0)
    yield omitted("bookings", booked=False)
    if query.equipment:
        yield omitted("equipment", equipment=frozenset())
        if len(query.equipment) > 1:
            for item in sorted(query.equipment):
                yield omitted("equipment", equipment=query.equipment - {item})
    if query.site is not None:
        yield omitted("site", site=None)
    if query.margin:
        yield omitted("room_turnaround", *(turnaround.record for turnaround in search.turnarounds), margin=0)


def _added_policies(frame: Frame, policies: Collection[str] | None) -> Iterator[Change]:
    called = {record for constraint in frame.problem.constraints for record in constraint.records}
    if frame.problem.rooms is not None:
        called |= {turnaround.record for turnaround in frame.problem.rooms.turnarounds}
    single: dict[str, Change] = {}
    for section in frame.world.policies:
        record = f"policy:{section.policy_id}"
        if record not in called and (policies is None or section.policy_id in policies):
            single[record] = _added_policy(frame, section, record)
    yield from single.values()
    groups = {
        tuple(f"policy:{section.policy_id}" for section in document.sections if section.policy_id is not None)
        for document in frame.world.documents
    }
    groups = {group for group in groups if not called.isdisjoint(group)}
    groups.add(tuple(f"policy:{section.policy_id}" for section in frame.world.policies))
    for group in sorted(groups):
        members = [single[record] for record in group if record in single]
        if len(members) > 1:
            masks: dict[str, int] = {}
            for member in members:
                masks |= member.masks
            margins = [margin for member in members for margin in member.fields.values() if isinstance(margin, int)]
            yield Change(
                part(Reason.CONSTRAINT_ADDED, "policy", *(record for record in group if record in single)),
                masks=masks,
                fields={"margin": max(margins)} if margins else {},
            )


def _added_policy(frame: Frame, section: Section, record: str) -> Change:
    masks: dict[str, int] = {}
    fields: dict[str, object] = {}
    query = frame.choices.rooms
    for number, rule in enumerate(section.rules):
        if isinstance(rule, RoomTurnaround):
            if query is not None:
                fields["margin"] = max(query.margin, rule.minutes)
            continue
        demanded = policy_constraint(record, rule).rule
        key = f"{record}:{number}"
        if isinstance(demanded, Buffer):
            masks[key] = frame.clear(frame.all_taken, demanded.minutes, demanded.minutes)
        else:
            masks[key] = frame.mask(demanded)
    return Change(part(Reason.CONSTRAINT_ADDED, "policy", record), masks=masks, fields=fields)


def _added_calendars(frame: Frame, calendars: Collection[str]) -> Iterator[Change]:
    buffer = _buffer(frame)
    for person in sorted(set(calendars) - set(frame.persons)):
        record = f"calendar:{person}"
        yield Change(
            part(Reason.CONSTRAINT_ADDED, "participant", record),
            masks={record: frame.clear(frame.taken(record), buffer, buffer)},
        )


def _misread_busy(frame: Frame) -> Iterator[Change]:
    buffers = [(item, masks) for item, masks in frame.conditions if isinstance(item.rule, Buffer)]
    for constraint, masks in buffers:
        assert isinstance(constraint.rule, Buffer)
        minutes = constraint.rule.minutes
        for side, before, after in (("before", minutes, 0), ("after", 0, minutes)):
            altered = {
                key: frame.clear(frame.taken(f"calendar:{key.partition(':')[2]}"), before, after) for key in masks
            }
            yield Change(
                part(Reason.VALUE_WRONG, "buffer_side", *constraint.records, only=side, minutes=minutes), masks=altered
            )
    busy = [f"calendar:{person}" for person in frame.persons]
    wide = _buffer(frame) + 1
    events = {"touching": frame.clear(frame.all_taken, wide, wide)}
    spans = [item.rule.span for item, _ in frame.conditions if isinstance(item.rule, Outside)]
    hours = [item.rule for item, _ in frame.conditions if isinstance(item.rule, OutsideHours)]
    clock = {
        f"touching:{number}": frame.mask(
            OutsideHours(max(0, rule.start - 1), min(MINUTES_PER_DAY, rule.end + 1), rule.days)
        )
        for number, rule in enumerate(hours)
    }
    banned = {"touching:bans": frame.clear(frame.painted(spans), 1, 1)} if spans else {}
    query = frame.choices.rooms
    rooms: dict[str, object] = {} if query is None else {"margin": query.margin + 1}
    seen = set()
    none: dict[str, object] = {}
    for masks in (events, events | banned, events | banned | clock):
        for more in (none, rooms):
            if (frozenset(masks), frozenset(more)) not in seen:
                seen.add((frozenset(masks), frozenset(more)))
                yield Change(part(Reason.VALUE_WRONG, "touching", *busy), masks=masks, fields=more)
    if rooms:
        yield Change(part(Reason.VALUE_WRONG, "touching"), fields=rooms)


def _misread_limits(frame: Frame) -> Iterator[Change]:
    """A deadline taken as the last start, an event to wait for taken by its start."""
    for constraint, masks in frame.conditions:
        (key, *_) = masks or ("",)
        match constraint.rule:
            case EndsBy(instant=instant):
                yield Change(
                    part(Reason.VALUE_WRONG, constraint.kind, *constraint.records),
                    masks={key: frame.mask(EndsBy(instant + frame.duration))},
                )
            case StartsFrom(instant=instant) if constraint.kind == "after_event":
                person = constraint.records[-1].partition(":")[2]
                for start in sorted({start for start, end in frame.world.busy[person].intervals if end == instant}):
                    yield Change(
                        part(Reason.VALUE_WRONG, constraint.kind, *constraint.records),
                        masks={key: frame.mask(StartsFrom(start))},
                    )


def _fine_grids(frame: Frame) -> Iterator[Change]:
    for step in _FINE_STEPS:
        yield Change(part(Reason.OFF_GRID, "", step=step), masks={"grid": frame.every(step)})
    for first in (5, 10):
        yield Change(part(Reason.OFF_GRID, "", first=first), masks={"grid": frame.every(GRID_MINUTES, first)})


def _rankings(frame: Frame) -> Iterator[Change]:
    order = frame.choices.order
    other = Order.EARLIEST if order is Order.LATEST else Order.LATEST
    yield Change(part(Reason.RANKING, f"{other.value}_first"), fields={"order": other})
    if frame.choices.rooms is None:
        return
    yield Change(part(Reason.RANKING, "one_room_per_slot"), fields={"form": Form.ONE_ROOM})
    for keys in ((), *((key,) for key in TieBreakKey)):
        if keys != frame.choices.tie_break:
            yield Change(part(Reason.RANKING, "tie_break", used=list(keys)), fields={"tie_break": keys})


def _counts(frame: Frame, given: int) -> Iterator[Change]:
    asked = frame.choices.options
    if given not in {0, asked}:  # an empty answer is the top 0 of whatever there is
        detail = "too_few" if given < asked else "too_many"
        yield Change(part(Reason.COUNT, detail, given=given, asked=asked), fields={"options": given})


def _buffer(frame: Frame) -> int:
    rules: Iterable[Any] = (item.rule for item, _ in frame.conditions)
    return max((rule.minutes for rule in rules if isinstance(rule, Buffer)), default=0)
