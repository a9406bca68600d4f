"""Variants of the problem that an agent may have solved: superseded values, other participants, another week."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from mpcbench.evaluation.diagnosis.change import ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.provenance import Provenance, record_of
from mpcbench.oracle import Problem, UnresolvedError, resolve
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.resolve import Located, StatementKey
from mpcbench.schema import (
    AddParticipant,
    Deadline,
    Duration,
    Guests,
    Instance,
    NotBefore,
    OptionCount,
    Ranking,
    RemoveParticipant,
    Site,
    TieBreak,
    Window,
    World,
)
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_SCALARS = {
    Duration: "duration",
    OptionCount: "option_count",
    Window: "window",
    Guests: "guests",
    Deadline: "deadline",
    NotBefore: "not_before",
    Site: "site",
    Ranking: "order",
    TieBreak: "tie_break",
}
_WEEK = 7 * MINUTES_PER_DAY


class Variant(NamedTuple):
    """A problem that the agent may have solved instead, and the mistakes that lead to it."""

    parts: tuple[ChangedPart, ...]
    problem: Problem


def variants(
    world: World, instance: Instance, problem: Problem, provenance: Provenance, looked_up: Collection[str]
) -> list[Variant]:
    """The problem itself first, then the variants.

    Args:
        world: The records.
        instance: The task.
        problem: The task's problem.
        provenance: The statements behind it.
        looked_up: The records that tool calls showed. Overlooking that a participant was added is far-fetched if the
            agent looked up that participant's calendar, and overlooking that one was removed if it did not.
    """
    found = [Variant((), problem)]
    for mistake, unsaid in _overheard(provenance, looked_up):
        try:
            found.append(Variant((mistake,), resolve(world, instance, unsaid=unsaid)))
        except UnresolvedError:
            continue
    for weeks in (-1, 1):
        window = Interval(problem.window.start + weeks * _WEEK, problem.window.end + weeks * _WEEK)
        fact = Fact(provenance.last(Window)[0], problem.window, window)
        mistake = part(Reason.VALUE_WRONG, "window", fact, ground=Ground.NOTHING)
        found.append(Variant((mistake,), replace(problem, window=window)))
    return found


def _said(item: Located) -> object:
    """A statement; a number of guests or options with its name."""
    match item.statement:
        case Guests(count=count):
            return {"guests": count}
        case OptionCount(count=count):
            return {"options": count}
        case statement:
            return statement


def _overheard(
    provenance: Provenance, looked_up: Collection[str]
) -> Iterator[tuple[ChangedPart, Collection[StatementKey]]]:
    """Each way to overlook later messages: the mistake and the statements to leave out."""
    for kind, what in _SCALARS.items():
        said = [item for item in provenance.located if isinstance(item.statement, kind)]
        for last in range(1, len(said)):
            used, holds = said[last - 1], said[-1]
            fact = Fact(record_of(holds), _said(holds), _said(used), {"used_of": record_of(used)})
            yield part(Reason.VALUE_WRONG, what, fact), {item.key for item in said[last:]}
    for item in provenance.located:
        match item.statement:
            case AddParticipant(person_id=person):
                calendar = f"calendar:{person}"
                facts = [Fact(record, holds={"takes_part": person}) for record in (record_of(item), calendar)]
                ground = Ground.NOTHING if calendar in looked_up else Ground.RECORD
                yield part(Reason.CONSTRAINT_OMITTED, "participant", *facts, ground=ground), {item.key}
            case RemoveParticipant(person_id=person):
                facts = [
                    Fact(record, used={"takes_part": person}) for record in (record_of(item), f"calendar:{person}")
                ]
                if not looked_up or f"calendar:{person}" in looked_up:
                    yield part(Reason.CONSTRAINT_ADDED, "participant", *facts), {item.key}
