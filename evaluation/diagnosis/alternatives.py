"""Turn explanations that fit equally well into causes, each with the records that prove it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.evidence import as_evidence, joined
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding
from mpcbench.schema.cause import Cause, Reason, Stage, stage_of

MOST_KINDS: Final = 4
"""An answer that more sets of reasons than this explain equally well counts as unexplained."""

UNEXPLAINED: Final[tuple[Cause, ...]] = (Cause(reason=Reason.UNEXPLAINED.value),)


class _Key(NamedTuple):
    """What distinguishes alternatives: the reasons and, for each, its records."""

    reasons: tuple[str, ...]
    records: tuple[tuple[str, ...], ...]

    def is_less(self, other: "_Key") -> bool:
        """Whether it has the same reasons but only some of the records."""
        return (
            self.reasons == other.reasons
            and self.records != other.records
            and all(Counter(some) <= Counter(more) for some, more in zip(self.records, other.records, strict=True))
        )

    def rank(self) -> tuple[object, ...]:
        """The sort key: earlier stages first."""
        stages = [stage_of(reason) for reason in self.reasons]
        return [[*Stage].index(stage) for stage in stages if stage is not None], self


def causes(explanations: Sequence[Explanation], calls: Mapping[str, int | None], zone: tzinfo) -> tuple[Cause, ...]:
    """The causes; those of one explanation share an alternative number, from 1.

    Explanations with the same reasons and records are merged and list every value that fits. An explanation that
    needs more records than another with the same reasons, such as a whole document instead of one of its policies,
    is dropped as the larger change.

    Args:
        explanations: Explanations that fit equally well.
        calls: The number of the first call that showed each record.
        zone: The time zone of the evidence.
    """
    merged: dict[_Key, list[Explanation]] = {}
    for explanation in explanations:
        ordered = explanation._replace(findings=_ordered(explanation.findings))
        merged.setdefault(_key(ordered.findings), []).append(ordered)
    if len({key.reasons for key in merged}) > MOST_KINDS:
        # An answer that merely lacks candidates is certain, whatever else may be.
        merged = {key: alike for key, alike in merged.items() if not alike[0].reproduces}
    smallest = sorted((key for key in merged if not any(other.is_less(key) for other in merged)), key=_Key.rank)
    ordered_causes = []
    for number, key in enumerate(smallest, start=1):
        alike = merged[key]
        for findings in zip(*(one.findings for one in alike), strict=True):
            facts = joined([one.facts for one in findings])
            ordered_causes.append(
                Cause(
                    reason=findings[0].reason,
                    evidence=tuple(as_evidence(fact, calls.get(fact.record), zone) for fact in facts),
                    changes=len(alike[0].findings),
                    alternative=number,
                    reproduces=alike[0].reproduces,
                )
            )
    return tuple(ordered_causes) or UNEXPLAINED


def beside(first: Sequence[Cause], others: Sequence[Cause]) -> tuple[Cause, ...]:
    """Causes with further explanations after theirs."""
    last = max(cause.alternative for cause in first)
    return (*first, *(cause.model_copy(update={"alternative": last + cause.alternative}) for cause in others))


def _ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Sort by reason and record, so that equal sets of findings compare equal."""
    by_record = [one._replace(facts=tuple(sorted(one.facts, key=lambda fact: fact.record))) for one in findings]
    return tuple(sorted(by_record, key=lambda one: (one.reason, [fact.record for fact in one.facts])))


def _key(findings: Sequence[Finding]) -> _Key:
    return _Key(
        tuple(one.reason for one in findings), tuple(tuple(fact.record for fact in one.facts) for one in findings)
    )
