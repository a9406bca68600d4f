"""Changes that drop a condition that the agent could know but did not apply."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mpcbench.evaluation.diagnosis.change import Change, part, part_by
from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.room_omission import omissions_of_room, overlapped
from mpcbench.evaluation.scoring.rule_text import hours_values
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.problem import Busy, Constraint, StartsFrom
from mpcbench.schema import AddParticipant, Window
from mpcbench.schema.cause import Reason


class _Held(NamedTuple):
    """A constraint and the keys of the masks that are dropped with it."""

    constraint: Constraint
    keys: frozenset[str]


def omissions(frame: Frame) -> list[Change]:
    """Every way to omit a condition, all conditions of a kind, or a whole policy."""
    return [*_of_slot(frame), *_of_policies(frame), *omissions_of_room(frame)]


def _of_slot(frame: Frame) -> Iterator[Change]:
    by_kind: dict[str, list[_Held]] = {}
    joined = {said.statement.person_id for said in frame.provenance.every(AddParticipant)}
    for constraint, own in frame.keys:
        keys = frozenset(own)
        if isinstance(constraint.rule, Busy):  # a dropped calendar does not count for buffers either
            keys |= {key for key in frame.conditions if key.endswith(f":{constraint.rule.person_id}")}
        by_kind.setdefault(constraint.kind, []).append(_Held(constraint, keys))
    for kind, found in by_kind.items():
        for some in ([one] for one in found):
            yield _omitted(frame, _told(kind, some, joined), some)
        if len(found) > 1:
            yield _omitted(frame, kind, found)
    if frame.problem.daily is not None:
        hours = Fact(frame.provenance.last(Window)[0], holds=hours_values(*frame.problem.daily))
        yield Change(part(Reason.CONSTRAINT_OMITTED, "daily_hours", hours), dropped=frozenset({"daily_hours"}))


def _told(kind: str, some: Sequence[_Held], joined: Collection[str]) -> str:
    """What is said of an omission: the calendar of somebody who joined later is omitted with its owner."""
    rules = [one.constraint.rule for one in some]
    return "participant" if any(isinstance(rule, Busy) and rule.person_id in joined for rule in rules) else kind


def _omitted(frame: Frame, kind: str, found: Sequence[_Held]) -> Change:
    def facts(stakes: Stakes) -> Iterator[Fact]:
        for held in found:
            yield from demanded(frame, held.constraint, stakes)

    keys = frozenset[str]().union(*(held.keys for held in found))
    return Change(part_by(Reason.CONSTRAINT_OMITTED, kind, facts), dropped=keys)


def demanded(frame: Frame, constraint: Constraint, stakes: Stakes) -> Iterator[Fact]:
    """What a constraint's records demand; for a calendar, the events that the answer overlaps."""
    match constraint.rule:
        case Busy(person_id=person):
            record = f"calendar:{person}"
            yield Fact(record, holds={"events": overlapped(frame, record, stakes, margin=frame.buffer)})
        case StartsFrom(instant=instant) if constraint.kind == "after_event":
            thread, calendar = constraint.records
            yield Fact(thread, holds={"after_event_of": calendar.partition(":")[2]})
            yield Fact(calendar, holds={"event_ends": to_datetime(instant, frame.bare.zone)})
        case rule:
            said = [*frame.provenance.behind(constraint)]
            yield from (Fact(record, holds=statement) for record, statement in said)
            if not said:
                yield from (Fact(record, holds={constraint.kind: rule}) for record in constraint.records)


def _of_policies(frame: Frame) -> Iterator[Change]:
    """Omit a whole policy that has several rules."""
    search = frame.problem.rooms
    turnarounds = () if search is None else search.turnarounds
    for section in frame.world.policies:
        record = f"policy:{section.policy_id}"
        own = [(constraint, keys) for constraint, keys in frame.keys if record in constraint.records]
        others = [one.minutes for one in turnarounds if one.record != record]
        if len(own) + len(turnarounds) - len(others) > 1:
            holds = Fact(record, holds={rule.kind: rule for rule in section.rules})
            yield Change(
                part(Reason.CONSTRAINT_OMITTED, "policy", holds),
                dropped=frozenset(key for _, keys in own for key in keys),
                fields={"margin": max(others, default=0)} if len(others) < len(turnarounds) else {},
            )
