"""From explanations that fit equally well to causes, each with the records that show it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.evidence import as_evidence, joined
from mpcbench.evaluation.diagnosis.search import Explanation, Finding
from mpcbench.schema.cause import Cause, Reason, Stage, stage_of

MOST_KINDS: Final = 4
"""An answer that more sets of reasons explain equally well is not explained by any."""

UNEXPLAINED: Final[tuple[Cause, ...]] = (Cause(reason=Reason.UNEXPLAINED.value),)


class _Key(NamedTuple):
    """What tells alternatives apart: the reasons and, for each, the records that show it."""

    reasons: tuple[str, ...]
    records: tuple[tuple[str, ...], ...]

    def is_less(self, other: "_Key") -> bool:
        """Whether it has the same reasons and names only some of the records."""
        return (
            self.reasons == other.reasons
            and self.records != other.records
            and all(Counter(some) <= Counter(more) for some, more in zip(self.records, other.records, strict=True))
        )

    def rank(self) -> tuple[object, ...]:
        """The earlier stage first."""
        stages = [stage_of(reason) for reason in self.reasons]
        return [[*Stage].index(stage) for stage in stages if stage is not None], self


def causes(explanations: Sequence[Explanation], calls: Mapping[str, int | None], zone: tzinfo) -> tuple[Cause, ...]:
    """The causes, those of one explanation with one number.

    Explanations that name the same records for the same reasons are one, with every value that fits. One that names
    more records than another, such as a whole document beside one of its policies, is the larger change and left out.

    Args:
        explanations: Those that fit equally well.
        calls: The number of the first call that showed a record.
        zone: Of the times in the evidence.
    """
    merged: dict[_Key, list[Explanation]] = {}
    for explanation in explanations:
        ordered = explanation._replace(findings=_ordered(explanation.findings))
        merged.setdefault(_key(ordered.findings), []).append(ordered)
    if len({key.reasons for key in merged}) > MOST_KINDS:
        # That the answer lacks candidates is plain, whatever else may be.
        merged = {key: alike for key, alike in merged.items() if not alike[0].reproduces}
    smallest = sorted((key for key in merged if not any(one.is_less(key) for one in merged)), key=_Key.rank)
    found = []
    for number, key in enumerate(smallest, start=1):
        alike = merged[key]
        for findings in zip(*(one.findings for one in alike), strict=True):
            facts = joined([one.facts for one in findings])
            found.append(
                Cause(
                    reason=findings[0].reason,
                    evidence=tuple(as_evidence(fact, calls.get(fact.record), zone) for fact in facts),
                    changes=len(alike[0].findings),
                    alternative=number,
                    reproduces=alike[0].reproduces,
                )
            )
    return tuple(found) or UNEXPLAINED


def _ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """By reason and record, so that the same ones in another order are the same."""
    by_record = [one._replace(facts=tuple(sorted(one.facts, key=lambda fact: fact.record))) for one in findings]
    return tuple(sorted(by_record, key=lambda one: (one.reason, [fact.record for fact in one.facts])))


def _key(findings: Sequence[Finding]) -> _Key:
    return _Key(
        tuple(one.reason for one in findings), tuple(tuple(fact.record for fact in one.facts) for one in findings)
    )
