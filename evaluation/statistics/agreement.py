"""How far two runs agree, episode by episode: in what they answer, and in which instances they solve."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.model import Model
from mpcbench.schema.result import Result
from mpcbench.schema.run import Case, case_of

Answers: TypeAlias = Mapping[Case, AbstractSet[AnswerCandidate]]
"""The candidates of every answer, in no order; an episode without an answer has none."""


class Agreement(Model):
    """The agreement of two runs, or of two people, on the episodes that both scored."""

    episodes: int
    """Pairs of the same instance and number of the trial."""

    same_candidates: float | None
    """The share of pairs with the same candidates in whatever order; without an answer, an episode agrees with none.
    None where the answers are not at hand."""

    exact_match: float
    """The share of pairs in which both have an exact match, or neither has."""

    kappa: float | None
    """Cohen's kappa of exact match (Cohen 1960): the agreement beyond what their rates give by chance, 1 at most. None
    where all episodes of both runs ended alike, as chance alone then gives full agreement."""


def agreement(
    a: Sequence[Result], b: Sequence[Result], answers: tuple[Answers, Answers] | None = None
) -> Agreement | None:
    """The agreement of two runs of one model each; None if they scored no episode of the same instance and number.

    No two results of a run have the same instance and number, as in a folder of results.
    """
    of_a, of_b = ({(one.instance_id, one.trial): one for one in run if one.scores is not None} for run in (a, b))
    pairs = [(of_a[key], of_b[key]) for key in sorted(of_a.keys() & of_b.keys())]
    if not pairs:
        return None
    n = len(pairs)
    solved = [tuple(one.scores is not None and one.scores.exact_match for one in pair) for pair in pairs]
    alike = sum(first == second for first, second in solved) / n
    rates = [sum(pair[place] for pair in solved) / n for place in (0, 1)]
    by_chance = rates[0] * rates[1] + (1 - rates[0]) * (1 - rates[1])
    same = None
    if answers is not None:
        given = [(answers[0].get(case_of(first)), answers[1].get(case_of(second))) for first, second in pairs]
        same = sum(first is not None and first == second for first, second in given) / n
    return Agreement(
        episodes=n,
        same_candidates=same,
        exact_match=alike,
        kappa=None if by_chance == 1 else (alike - by_chance) / (1 - by_chance),
    )
