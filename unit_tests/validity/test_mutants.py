"""Mutants of the reference agent, and what is expected of their diagnosis."""

import ast
import sys
from itertools import count

import pytest

from mpcbench.benchmark.agents.reference import integrate as original
from mpcbench.benchmark.agents.reference import reference
from unit_tests.builders.committed import DATASET
from unit_tests.validity.bench import Bench
from unit_tests.validity.judge import Expected
from unit_tests.validity.mutants import drawn, wrong_answers
from unit_tests.validity.mutation import FOLDER, Mutation, TooLongError, modules, mutant, mutations, time_limit
from unit_tests.validity.observed import Observed
from unit_tests.validity.places import INTEGRATION, MIXED, RETRIEVAL, expected_of


def mutation(where: str, what: str) -> Mutation:
    return next(one for one in mutations() if one.where == where and one.what == what)


def test_a_mutant_is_another_agent() -> None:
    """A change takes effect in a copy of the agent; the agent itself stays as it is and in use."""
    bench = Bench(DATASET)
    instance = DATASET.instances(1)[0]
    changed = mutant(mutation("integrate.choose", "Eq becomes NotEq"))
    before = bench.right(instance).text
    reply = bench.attempt(changed, instance).reply
    again = bench.attempt(reference, instance).reply

    assert reply is not None
    assert again is not None
    assert before == again.text != reply.text
    assert sys.modules[original.__name__] is original


def test_changes_are_single() -> None:
    """Every change compiles, and no two of a place are the same."""
    every = mutations()

    assert len(every) == len({(one.module, one.number) for one in every})
    assert {*modules()} == {one.module for one in every}


def test_the_lot_is_the_same_each_time() -> None:
    """All mutations are drawn, in the same order each time."""
    assert drawn() == drawn() != [*mutations()]
    assert {*drawn()} == {*mutations()}


def test_time_limit() -> None:
    """A mutant that does not come to an end is stopped, and the limit ends with it."""
    with pytest.raises(TooLongError), time_limit(0.05):
        sum(1 for _ in count())


def test_wrong_answers() -> None:
    """A mutant that stops at the wrong number of options gives wrong answers, each with what a diagnosis should say."""
    found = [*wrong_answers(Bench(DATASET), mutation("integrate.choose", "Eq becomes NotEq"), 2)]

    assert 2 == len(found)
    assert all("integration.count" in expected.right for _, expected in found)


def test_places_exist() -> None:
    """The table of places names functions and constants of the reference agent."""
    known = {one.where for one in mutations()}
    trees = {module: ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8")) for module in modules()}
    defined = {
        f"{module}.{node.name}"
        for module, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }

    assert {*INTEGRATION, *MIXED, *RETRIEVAL} <= known | defined
    assert {one for one in known if one.startswith("integrate.")} <= {*INTEGRATION}


def test_what_is_expected() -> None:
    """A value that was misheard comes first, then a record that was not fetched, then the place of the change."""
    right = {"length": ("30",), "Pause": ("Pause(minutes=10)",), "bookings": ("a", "b")}
    length = ("integration.constraint_omitted:duration", "integration.value_wrong:duration")

    misheard = expected_of("grammar_time.number", (), right, right | {"length": ("45",), "bookings": ("a",)})
    unread = expected_of("acquire._bookings", (), right, right | {"bookings": ("a",)})
    computed = expected_of("integrate._busy", (), right, right)
    named = expected_of("integrate.feasible_slots", ("last_end",), right, right)

    rules = right | {"length": ("45",), "Pause": ("Pause(minutes=11)",)}
    both = expected_of("grammar_time.number", (), right | {"policies": ("POL-1",)}, rules | {"policies": ("POL-1",)})
    other = expected_of("grammar_time.number", (), right | {"policies": ("POL-1",)}, rules | {"policies": ("POL-2",)})

    assert "integration.value_wrong:buffer_min" in both.right
    assert "integration.value_wrong:buffer_min" not in other.right
    assert {*length} < {*misheard.right}
    assert "acquisition.record_never_seen" in misheard.acceptable
    assert "acquisition.record_never_seen" in unread.right
    assert Expected(INTEGRATION["integrate._busy"]) == computed
    assert {f"integration.{one}:deadline" for one in ("constraint_omitted", "value_wrong", "starts_only")} == {
        *named.right
    }


def test_known_values_of_a_mutant_compare_with_those_of_the_agent() -> None:
    """What a mutant knows is compared as text, since its classes are not those of the reference agent."""
    bench = Bench(DATASET)
    instance = DATASET.instances(3)[0]
    changed = Observed(mutant(mutation("integrate.choose", "Eq becomes NotEq")))
    bench.attempt(changed, instance)

    assert bench.right(instance).known == changed.known
