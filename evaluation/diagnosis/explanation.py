"""Explanations of an answer: mistakes that together lead to it, and which of several are given."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.change import Ground
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.schema.cause import Reason

MOST_USUAL: Final = 2
_RULES: Final = ("work_hours", "lunch_block", "ban_dow_time", "buffer_min", "room_turnaround")
_STARTS: Final = (*_RULES[:3], "busy", "daily_hours", "ban_window", "required_window", "deadline")
_LARGER: Final = {
    **{f"{Reason.STARTS_ONLY}:{what}": {f"{Reason.STARTS_ONLY}:everything"} for what in _STARTS},
    f"{Reason.CONSTRAINT_OMITTED}:participant": {f"{Reason.CONSTRAINT_OMITTED}:busy"},
    **{f"{Reason.CONSTRAINT_OMITTED}:{rule}": {f"{Reason.CONSTRAINT_OMITTED}:policy"} for rule in _RULES},
    f"{Reason.CONSTRAINT_OMITTED}:buffer_min": {
        f"{Reason.CONSTRAINT_OMITTED}:{what}" for what in ("busy", "participant", "policy")
    }
    | {f"{Reason.RECORD_OVERLOOKED}:event", f"{Reason.STARTS_ONLY}:busy"},
    f"{Reason.VALUE_WRONG}:buffer_side": {f"{Reason.CONSTRAINT_OMITTED}:{what}" for what in ("busy", "participant")}
    | {f"{Reason.STARTS_ONLY}:busy"},
}
"""Reasons with those of larger changes, which are not given beside them."""


class Finding(NamedTuple):
    """One mistake of an explanation, with its evidence."""

    reason: str
    facts: tuple[Fact, ...]
    ground: Ground = Ground.RECORD


class Explanation(NamedTuple):
    """Mistakes that together lead to the whole answer."""

    findings: tuple[Finding, ...]
    in_order: bool = True
    """Whether they lead to the answer's order, too."""

    reproduces: bool = True
    """Whether they lead to the whole answer; if not, it merely lacks candidates."""

    rooms: frozenset[str | None] = frozenset()
    """The rooms that the mistakes leave suitable, if their bookings count."""

    @property
    def ground(self) -> Ground:
        """The weakest ground among the mistakes."""
        return max(one.ground for one in self.findings)

    @property
    def is_habit(self) -> bool:
        """Whether a habit of choosing is among the mistakes."""
        return any(one.reason.startswith(Reason.HABIT.value) for one in self.findings)

    @property
    def is_misread(self) -> bool:
        """Whether a value taken wrongly is among the mistakes."""
        return any(one.reason.startswith(Reason.VALUE_WRONG.value) for one in self.findings)

    @property
    def is_near(self) -> bool:
        """Whether something suggests every mistake."""
        return self.ground < Ground.NOTHING


def most_usual(found: Sequence[Explanation]) -> list[Explanation]:
    """The explanations by the first two sets of reasons, listed by how usual they are: misread values after others."""
    ordered = sorted(found, key=lambda one: (one.is_habit, one.is_misread))
    kinds = dict.fromkeys(tuple(sorted(finding.reason for finding in one.findings)) for one in ordered)
    kept = [*kinds][:MOST_USUAL]
    return [one for one in found if tuple(sorted(finding.reason for finding in one.findings)) in kept]


def strongest(found: Sequence[Explanation]) -> list[Explanation]:
    """The explanations whose mistakes have together the strongest ground."""

    def weakness(one: Explanation) -> int:
        return sum(finding.ground for finding in one.findings)

    least = min(map(weakness, found), default=0)
    return [one for one in found if weakness(one) == least]


def smaller(found: Sequence[Explanation]) -> list[Explanation]:
    """Without explanations of which another one has a smaller mistake in place of one and is otherwise alike."""
    reasons = [sorted(finding.reason for finding in one.findings) for one in found]
    larger = {
        tuple(sorted([*own[:place], bigger, *own[place + 1 :]]))
        for own in reasons
        for place, reason in enumerate(own)
        for bigger in _LARGER.get(reason, ())
    }
    return [one for one, own in zip(found, reasons, strict=True) if tuple(own) not in larger]


def likelier(found: Sequence[Explanation]) -> list[Explanation]:
    """Without explanations by compared starts, where enough others remain: a skipped record is the likelier mistake."""
    others = [
        one for one in found if not any(part.reason.startswith(Reason.STARTS_ONLY.value) for part in one.findings)
    ]
    kinds = {frozenset(finding.reason for finding in one.findings) for one in others}
    return others if len(kinds) >= MOST_USUAL else [*found]
