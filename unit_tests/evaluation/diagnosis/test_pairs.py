"""Pairs of changes are found without trying every two: the same ones that trying every two finds."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.pairs import leads, pairs, singles
from mpcbench.evaluation.diagnosis.search import Search
from mpcbench.oracle import Problem
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import Instance, Order
from mpcbench.schema.model import Level
from unit_tests.evaluation.diagnosis.planted import chosen, instances, problem_of, search
from unit_tests.marks import EXHAUSTIVE


def answers(instance: Instance) -> Iterator[list[Choice]]:
    """Answers made by two changes of a task, and by none."""
    problem = problem_of(instance)
    for other in twice_changed(problem):
        yield gold_choices(other)
    yield [*chosen(instance, [5, 3, 11, 20])]


def twice_changed(problem: Problem) -> Iterator[Problem]:
    other = Order.EARLIEST if problem.order is Order.LATEST else Order.LATEST
    for constraint in problem.constraints[::2]:
        dropped = problem.without(constraint)
        yield replace(dropped, order=other)
        yield replace(dropped, count=problem.count + 1)
        yield replace(dropped, daily=None)
        if problem.rooms is not None:
            yield replace(dropped, rooms=replace(problem.rooms, seats=0))
            yield replace(dropped, tie_break=())


def changes(looked: Search, fit: Fit) -> tuple[list[Change], list[Change]]:
    near = ([*looked.hypotheses.mistakes(fit)], [*looked.hypotheses.additions(fit.frame)])
    mistakes, additions = ([one for one in some if one.part.ground is Ground.RECORD or one.fields] for some in near)
    return mistakes, additions


@pytest.mark.parametrize(("level", "every"), [(1, 45), (2, 45), (3, 90), pytest.param(3, 45, marks=EXHAUSTIVE)])
def test_pairs_are_those_that_lead_to_the_answer(level: Level, every: int) -> None:
    """Where no single change leads to an answer, the pairs found are all pairs that lead to it in its order."""
    compared = 0
    for instance in instances(level, every):
        for choices in answers(instance):
            looked = search(instance, choices)
            fit = Fit.of(looked.attempts.frame(), [(one.start, one.room_id) for one in choices])
            assert fit is not None
            mistakes, additions = changes(looked, fit)
            if [*singles(fit, mistakes, additions)]:
                continue
            expected = {frozenset(both) for both in combinations([*mistakes, *additions], 2) if leads(fit, both)}
            actual = [frozenset(both) for both in pairs(fit, mistakes, additions)]
            compared += bool(expected)

            assert expected == {*actual}
            assert len(actual) == len({*actual})
    assert compared > 2


@pytest.mark.parametrize("level", [1, 2, 3])
def test_singles_are_those_that_lead_to_the_answer(level: Level) -> None:
    """Of an answer that the task itself does not have, the single changes found are all that lead to it."""
    compared = 0
    for instance in instances(level, 25):
        problem = problem_of(instance)
        for constraint in problem.constraints:
            choices = gold_choices(problem.without(constraint))
            looked = search(instance, choices)
            fit = Fit.of(looked.attempts.frame(), [(one.start, one.room_id) for one in choices])
            assert fit is not None
            mistakes, additions = changes(looked, fit)
            expected = {change for change in (*mistakes, *additions) if leads(fit, (change,)) is not None}
            compared += len(expected)

            assert expected == {change for change, _ in singles(fit, mistakes, additions)}
    assert compared > 10
