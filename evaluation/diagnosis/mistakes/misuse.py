"""Changes that add or alter something: unrequested conditions, misread rules, another ranking or number."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground, part, part_by
from mpcbench.evaluation.diagnosis.choices import Form
from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.problem import Buffer, EndsBy, StartsFrom
from mpcbench.oracle.resolve import policy_constraint
from mpcbench.schema import OptionCount, Order, Ranking, RoomTurnaround, Section, TieBreak, TieBreakKey
from mpcbench.schema.cause import Reason

FINE_STEPS: Final = (1, 5, 10)
_EVERY_OPTION: Final = "every option of the ranking"
_OPPOSITE: Final = {
    TieBreakKey.CAPACITY_ASCENDING: TieBreakKey.CAPACITY_DESCENDING,
    TieBreakKey.CAPACITY_DESCENDING: TieBreakKey.CAPACITY_ASCENDING,
    TieBreakKey.FLOOR_ASCENDING: TieBreakKey.FLOOR_DESCENDING,
    TieBreakKey.FLOOR_DESCENDING: TieBreakKey.FLOOR_ASCENDING,
}


def added_policies(frame: Frame, policies: Collection[str] | None) -> Iterator[Change]:
    """Each policy that nobody called for; all policies of a document with a called one; all policies together.

    Args:
        frame: The problem.
        policies: IDs of the policies that the agent may have applied; None if unknown.
    """
    called = {record for constraint in frame.problem.constraints for record in constraint.records}
    if frame.problem.rooms is not None:
        called |= {turnaround.record for turnaround in frame.problem.rooms.turnarounds}
    single: dict[str, tuple[Section, Change]] = {}
    for section in frame.world.policies:
        record = f"policy:{section.policy_id}"
        if record not in called and (policies is None or section.policy_id in policies):
            single[record] = (section, _added(frame, {record: section}))
    yield from (change for _, change in single.values())
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


def _added(frame: Frame, sections: Mapping[str, Section]) -> Change:
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
    return Change(part(Reason.CONSTRAINT_ADDED, "policy", *facts), masks=masks, fields=fields)


def _clear_of_all(frame: Frame, before: int, after: int) -> int:
    return frame.clear(frame.all_taken, before, after)


def added_calendars(frame: Frame, calendars: Collection[str]) -> Iterator[Change]:
    """The calendar of each non-participant among the given people."""

    def facts(record: str, stakes: Stakes) -> Iterator[Fact]:
        near = [slot.span.widened(frame.buffer) for slot in stakes.missed]
        yield Fact(record, used={"events": frame.overlapped(record, near)})

    for person in sorted(set(calendars) - set(frame.persons)):
        record = f"calendar:{person}"
        yield Change(
            part_by(Reason.CONSTRAINT_ADDED, "participant", partial(facts, record)),
            masks={record: partial(frame.apart, record, frame.buffer, frame.buffer)},
            free=partial(frame.is_free, record, frame.buffer),
        )


def one_sided_buffers(frame: Frame) -> Iterator[Change]:
    """A buffer kept only before the meeting, or only after it."""
    for constraint, keys in frame.keys:
        if isinstance(constraint.rule, Buffer):
            minutes = constraint.rule.minutes
            for side, before, after in (("before", minutes, 0), ("after", 0, minutes)):
                fact = Fact(constraint.records[0], holds=constraint.rule, used={"minutes": minutes, "only": side})
                calendars = {key: f"calendar:{key.partition(':')[2]}" for key in keys}
                yield Change(
                    part(Reason.VALUE_WRONG, "buffer_side", fact),
                    masks={key: partial(frame.apart, record, before, after) for key, record in calendars.items()},
                    widens=True,
                )


def misread_limits(frame: Frame) -> Iterator[Change]:
    """A deadline read as the last start; an awaited event taken by its start instead of its end."""
    for constraint, keys in frame.keys:
        records, zone = constraint.records, frame.bare.zone
        match constraint.rule:
            case EndsBy(instant=instant):
                fact = Fact(records[0], holds=constraint.rule, used="as the last start")
                last_start = EndsBy(instant + frame.duration)
                yield _altered(part(Reason.VALUE_WRONG, constraint.kind, fact), frame, keys[0], last_start)
            case StartsFrom(instant=instant) if constraint.kind == "after_event":
                person = records[-1].partition(":")[2]
                for start in sorted({start for start, end in frame.world.busy[person].intervals if end == instant}):
                    ends, starts = (to_datetime(moment, zone) for moment in (instant, start))
                    facts = [Fact(record, holds={"ends": ends}, used={"starts": starts}) for record in records]
                    yield _altered(part(Reason.VALUE_WRONG, constraint.kind, *facts), frame, keys[0], StartsFrom(start))


def _altered(mistake: ChangedPart, frame: Frame, key: str, rule: EndsBy | StartsFrom) -> Change:
    return Change(mistake, masks={key: partial(frame.mask, rule)}, widens=True)


def fine_grids(frame: Frame) -> Iterator[Change]:
    """Starts off the grid: on a finer step, or shifted."""
    holds = {"step": GRID_MINUTES}
    for step in FINE_STEPS:
        yield Change(
            part(Reason.OFF_GRID, "", Fact(TASK, holds, {"step": step})),
            masks={"grid": partial(frame.every, step)},
            widens=GRID_MINUTES % step == 0,
        )
    for first in (5, 10):
        yield Change(
            part(Reason.OFF_GRID, "", Fact(TASK, holds, {"step": GRID_MINUTES, "first": first})),
            masks={"grid": partial(frame.every, GRID_MINUTES, first)},
        )


def rankings(frame: Frame) -> Iterator[Change]:
    """The opposite order, other tie-breaks, one room per slot, no overlapping slots."""
    order = frame.choices.order
    other = Order.EARLIEST if order is Order.LATEST else Order.LATEST
    ranked = Fact(frame.provenance.last(Ranking)[0], holds={"order": order}, used={"order": other})
    first = part(Reason.RANKING, f"{other.value}_first", ranked, ground=Ground.CONVENTION)
    yield Change(first, fields={"order": other})
    yield _form(Form.DISJOINT, "disjoint_slots", lambda slot, other: slot.span.overlaps(other.span))
    if frame.choices.rooms is None:
        return
    yield _form(Form.ONE_ROOM, "one_room_per_slot", lambda slot, other: slot.start == other.start)
    asked = frame.choices.tie_break
    for keys in dict.fromkeys(((), tuple(_OPPOSITE.get(key, key) for key in asked))):
        if keys != asked:
            yield tie_break(frame, keys)


def tie_break(frame: Frame, keys: tuple[TieBreakKey, ...], *, ground: Ground = Ground.CONVENTION) -> Change:
    """Other keys for ranking the rooms of a slot; no keys rank them by ID alone."""
    record, _ = frame.provenance.last(TieBreak)
    fact = Fact(record, holds={"keys": frame.choices.tie_break}, used={"keys": keys})
    return Change(part(Reason.RANKING, "tie_break", fact, ground=ground), fields={"tie_break": keys})


def _form(form: Form, detail: str, excludes: Callable[..., bool]) -> Change:
    def facts(stakes: Stakes) -> Iterator[Fact]:
        left_out = [slot for slot in stakes.missed if any(excludes(slot, other) for other in stakes.given)]
        yield Fact(TASK, holds=_EVERY_OPTION, used=form.value, more={"left_out": [slot.named() for slot in left_out]})

    return Change(part_by(Reason.RANKING, detail, facts, ground=Ground.CONVENTION), fields={"form": form})


def counts(frame: Frame, given: int) -> Iterator[Change]:
    """A number of candidates other than N; skips an empty answer, which is the top 0 of any problem."""
    asked = frame.choices.options
    if given not in {0, asked}:
        detail = "too_few" if given < asked else "too_many"
        yield Change(count(frame, detail, given), fields={"options": given})


def count(frame: Frame, detail: str, given: int) -> ChangedPart:
    """A wrong number of candidates."""
    fact = Fact(frame.provenance.last(OptionCount)[0], holds={"count": frame.choices.options}, used={"count": given})
    return part(Reason.COUNT, detail, fact, ground=Ground.CONVENTION)
