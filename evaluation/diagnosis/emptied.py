"""Single mistakes that leave a task without options: said of an answer without options, and not claimed."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.change import Ground
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.explanation import Explanation
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.odds import Odds, kind_of
from mpcbench.evaluation.diagnosis.pairs import leads

_MOST: Final = 3
"""How many kinds of mistake are named."""


def leaving_nothing(attempts: Attempts, hypotheses: Hypotheses) -> list[Fact]:
    """For each of the likeliest kinds of mistake that leave no option, the value that does, likeliest kind first.

    Mistakes that nothing suggests are left out: a window that is cut short enough leaves nothing of any task.
    """
    frame = attempts.frame()
    found = [*_found(attempts, hypotheses)]
    sizes = Counter((one.part.reason, one.part.ground) for one in hypotheses.general(frame))
    kinds = Odds.of(found, sizes, 0.0).ranked()[:_MOST]
    likeliest = [min((one for one in found if kind_of(one) == kind), key=lambda one: one.ground) for kind in kinds]
    facts = [fact for one in likeliest for fact in one.findings[0].facts[:1]]
    return [Fact(one.record, one.holds, more={"leaves_no_option": one.used}) for one in facts]


def _found(attempts: Attempts, hypotheses: Hypotheses) -> Iterator[Explanation]:
    for attempt in attempts.every:
        if len(attempt.parts) == 1 and attempt.is_near:
            yield from [attempt.explained(())] if leads(attempt.fit, ()) else []
        elif not attempt.parts:
            changes = [one for one in hypotheses.general(attempt.fit.frame) if one.part.ground < Ground.NOTHING]
            yield from (attempt.explained((one,)) for one in changes if leads(attempt.fit, (one,)))
