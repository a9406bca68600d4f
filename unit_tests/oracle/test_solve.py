"""Properties of solving a problem that need no second solver."""

from hypothesis import given

from mpcbench.oracle import resolve, solve
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema.model import to_minutes
from unit_tests.examples import examples
from unit_tests.strategies import GeneratedCase, cases_of_any_level


@examples(50)
@given(cases_of_any_level())
def test_gold_choices_are_the_gold(case: GeneratedCase) -> None:
    """The quick way to the gold alone finds the same candidates in the same order."""
    problem = resolve(case.world, case.instance)
    expected = [
        (to_minutes(candidate.start), to_minutes(candidate.end), candidate.room_id) for candidate in solve(problem).gold
    ]

    assert expected == gold_choices(problem)
