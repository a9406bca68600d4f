"""Conditions that nobody asked for: policies, calendars of people who do not take part, usual hours and breaks."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground, part, part_by
from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.oracle.problem import Buffer, InsideHours, OutsideHours
from mpcbench.oracle.resolve import policy_constraint
from mpcbench.schema import RoomTurnaround, Section
from mpcbench.schema.cause import Reason

_HOURS: Final = tuple((60 * start, 60 * end) for start in (7, 8, 9, 10) for end in (16, 17, 18, 19, 20))
_BREAKS: Final = ((12 * 60, 13 * 60), (12 * 60, 14 * 60), (12 * 60, 12 * 60 + 30), (12 * 60 + 30, 13 * 60 + 30))
_BUFFERS: Final = (5, 10, 15, 30)
_DAYS: Final = (tuple(range(7)), (0, 1, 2, 3, 4))


def added_policies(
    frame: Frame, policies: Collection[str] | None, sought: Collection[str] | None, *, together: bool = True
) -> Iterator[Change]:
    """Each policy that nobody called for; all policies of a document with a called one; all policies together.

    Args:
        frame: The problem.
        policies: IDs of the policies that the agent may have applied; None if unknown.
        sought: IDs of those that it went out of its way to read, which is a better ground; None if unknown.
        together: Whether to yield several policies together.
    """
    called = {record for constraint in frame.problem.constraints for record in constraint.records}
    if frame.problem.rooms is not None:
        called |= {turnaround.record for turnaround in frame.problem.rooms.turnarounds}
    single: dict[str, tuple[Section, Change]] = {}
    for section in frame.world.policies:
        record = f"policy:{section.policy_id}"
        if record not in called and (policies is None or section.policy_id in policies):
            ground = Ground.RECORD if sought is None or section.policy_id in sought else Ground.PRACTICE
            single[record] = (section, _added(frame, {record: section}, ground))
    yield from (change for _, change in single.values())
    if not together:
        return
    groups = {
        tuple(f"policy:{section.policy_id}" for section in document.sections if section.policy_id is not None)
        for document in frame.world.documents
    }
    groups = {group for group in groups if not called.isdisjoint(group)}
    groups.add(tuple(f"policy:{section.policy_id}" for section in frame.world.policies))
    for group in sorted(groups):
        members = {record: single[record][0] for record in group if record in single}
        if len(members) > 1:
            yield _added(frame, members)


def _added(frame: Frame, sections: Mapping[str, Section], ground: Ground = Ground.RECORD) -> Change:
    facts = [Fact(record, used={rule.kind: rule for rule in one.rules}) for record, one in sections.items()]
    query = frame.choices.rooms
    masks: dict[str, Callable[[], int]] = {}
    margins = []
    for record, section in sections.items():
        for number, rule in enumerate(section.rules):
            if isinstance(rule, RoomTurnaround):
                margins.append(rule.minutes)
                continue
            demanded = policy_constraint(record, rule).rule
            masks[f"{record}:{number}"] = (
                partial(_clear_of_all, frame, demanded.minutes, demanded.minutes)
                if isinstance(demanded, Buffer)
                else partial(frame.mask, demanded)
            )
    fields = {"margin": max(query.margin, *margins)} if query is not None and margins else {}
    return Change(part(Reason.CONSTRAINT_ADDED, "policy", *facts, ground=ground), masks=masks, fields=fields)


def _clear_of_all(frame: Frame, before: int, after: int) -> int:
    return frame.clear(frame.all_taken, before, after)


def added_calendars(frame: Frame, calendars: Collection[str], needed: Collection[str]) -> Iterator[Change]:
    """The calendar of each non-participant among the given people.

    Args:
        frame: The problem.
        calendars: IDs of the people whose calendars the agent may have applied.
        needed: IDs of those whose calendars it had to read for another purpose, which is a weaker ground.
    """

    def facts(record: str, stakes: Stakes) -> Iterator[Fact]:
        near = [slot.span.widened(frame.buffer) for slot in stakes.missed]
        yield Fact(record, used={"events": frame.overlapped(record, near)})

    for person in sorted(set(calendars) - set(frame.persons)):
        record = f"calendar:{person}"
        yield Change(
            part_by(
                Reason.CONSTRAINT_ADDED,
                "participant",
                partial(facts, record),
                ground=Ground.CONVENTION if person in needed else Ground.RECORD,
            ),
            masks={record: partial(frame.apart, record, frame.buffer, frame.buffer)},
            free=partial(frame.is_free, record, frame.buffer),
        )


def usual_conditions(frame: Frame) -> Iterator[Change]:
    """Office hours, a lunch break and a buffer that nobody stated."""
    for hours in _HOURS:
        for days in _DAYS:
            yield _usual("office_hours", InsideHours(*hours, days), frame)
    for hours in _BREAKS:
        yield _usual("lunch", OutsideHours(*hours, _DAYS[0]), frame)
    if not frame.buffer:
        for minutes in _BUFFERS:
            yield _usual("buffer", Buffer(minutes), frame)


def _usual(detail: str, rule: InsideHours | OutsideHours | Buffer, frame: Frame) -> Change:
    fact = Fact(TASK, used=rule)
    make = (
        partial(_clear_of_all, frame, rule.minutes, rule.minutes)
        if isinstance(rule, Buffer)
        else partial(frame.mask, rule)
    )
    mistake = part(Reason.CONSTRAINT_ADDED, detail, fact, ground=Ground.NOTHING)
    free = None if isinstance(rule, Buffer) else partial(frame.allows, rule)
    return Change(mistake, masks={f"usual:{rule}": make}, free=free)
