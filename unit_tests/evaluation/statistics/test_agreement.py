"""How far two runs agree is counted episode by episode."""

from datetime import UTC, datetime

import pytest

from mpcbench.evaluation.statistics.agreement import Agreement, agreement
from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.run import case_of
from unit_tests.builders.results import result


def test_kappa_is_that_of_the_contingency_table() -> None:
    """20 solved by both, 5 and 10 by one of them, 15 by neither: the textbook's kappa of 0.4."""
    a = [result(1.0 if number < 25 else 0.5, number) for number in range(50)]
    b = [result(1.0 if number < 20 or 25 <= number < 35 else 0.5, number) for number in range(50)]
    found = agreement(a, b)

    assert found is not None
    assert (50, 0.7, None) == (found.episodes, found.exact_match, found.same_candidates)
    assert found.kappa == pytest.approx(0.4)


def test_same_candidates_may_come_in_another_order() -> None:
    """Sets are compared; an episode without an answer agrees with none, not even with another one."""
    slots = [
        AnswerCandidate(datetime(2027, 2, day, 9, tzinfo=UTC), datetime(2027, 2, day, 10, tzinfo=UTC)) for day in (1, 2)
    ]
    run = [result(1.0, number) for number in range(3)]
    first, second, third = (case_of(one) for one in run)
    a = {first: frozenset(slots), second: frozenset(slots[:1])}
    b = {first: frozenset(reversed(slots)), second: frozenset(slots)}
    found = agreement(run, run, (a, b))

    assert third not in a
    assert Agreement(episodes=3, same_candidates=1 / 3, exact_match=1.0, kappa=None) == found


def test_nothing_in_common_is_no_agreement() -> None:
    """Errors and other instances or trials make no pair."""
    assert agreement([result(1.0, 1), result(None, 2)], [result(1.0, 3), result(1.0, 2)]) is None
