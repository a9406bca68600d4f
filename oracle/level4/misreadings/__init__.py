"""Every misreading, for the certificate, the flawed agents, the mechanism profile and the diagnosis."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings.calendars import CALENDARS
from mpcbench.oracle.level4.misreadings.language import LANGUAGE
from mpcbench.oracle.level4.misreadings.people import PEOPLE
from mpcbench.oracle.level4.misreadings.rules import RULES
from mpcbench.oracle.level4.misreadings.slip import Misreading, Slip, misread
from mpcbench.oracle.level4.touched import Touched, touched
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import AfterMeeting, DailyLimit, Said

__all__ = ["MISREADINGS", "Misreading", "Slip", "habits_of", "misread", "misread_all", "ways_of"]


def _planning(
    way: str, needs: type[AfterMeeting | DailyLimit] | None, apply: Callable[[Knowledge], Knowledge]
) -> Misreading:
    """A misreading of plans; only of those in which such a statement is made, if one is needed."""

    def slips(_: Knowledge, found: Touched) -> Iterator[Slip]:
        statements = [line.tag.statement for line in found.lines if isinstance(line.tag, Said)]
        planned = any(statement.kind == "agenda" for statement in statements)
        if planned and (needs is None or any(isinstance(statement, needs) for statement in statements)):
            yield Slip(way, way, apply)

    return Misreading(Mechanism.JOINT, way, slips)


def _first_state(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
    if knowledge.before is not None:
        yield Slip("change", "change", lambda known: known.before or known)


MISREADINGS = (
    *LANGUAGE,
    *PEOPLE,
    *RULES,
    *CALENDARS,
    _planning("greedy", None, lambda known: replace(known, lookahead=False)),
    _planning("order_ignored", AfterMeeting, lambda known: replace(known, ordered=False)),
    _planning("limit_ignored", DailyLimit, lambda known: replace(known, limited=False)),
    Misreading(Mechanism.CHANGES, "first_state", _first_state),
)
"""In the order of docs/level4.md."""


def ways_of(mechanism: Mechanism) -> tuple[Misreading, ...]:
    """All obvious wrong ways of resolving a mechanism."""
    return tuple(misreading for misreading in MISREADINGS if misreading.mechanism is mechanism)


def habits_of(mechanism: Mechanism) -> tuple[tuple[Misreading, ...], ...]:
    """What those do who ignore a mechanism altogether: all of its ways at once.

    Of zones also the first alone, which takes everybody to be in one zone: an offset of another date can make up for it.
    """
    ways = ways_of(mechanism)
    return (ways, ways[:1]) if mechanism is Mechanism.ZONES else (ways,)


def misread_all(knowledge: Knowledge, misreadings: Iterable[Misreading]) -> Knowledge:
    """What somebody believes who has all of these habits: each is applied to what the ones before it leave."""
    believed = knowledge
    for misreading in misreadings:
        believed = misread(believed, touched(believed), misreading) or believed
    return believed
