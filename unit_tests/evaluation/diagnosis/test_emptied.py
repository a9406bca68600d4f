"""Of an answer without options it is said what would leave none, and nothing is claimed."""

from dataclasses import replace

import pytest

from mpcbench.oracle.solve import gold_choices
from mpcbench.schema import Duration
from mpcbench.schema.cause import Evidence
from unit_tests.evaluation.diagnosis.planted import dataset, diagnosed, instances, problem_of, search


def _said(instance_id: str) -> tuple[Evidence, ...]:
    (cause,) = diagnosed(dataset().exam(instance_id).instance, []).causes
    assert cause.reason == "observed.wrong_number:none"
    return cause.evidence[1:]


@pytest.mark.parametrize("instance_id", ["level2-053", "level3-010"])
def test_superseded_length_that_leaves_nothing_comes_first(instance_id: str) -> None:
    """A length that was said before is named with the record that holds; with it the engine finds no option, either."""
    instance = dataset().exam(instance_id).instance
    problem = problem_of(instance)
    first, *_ = _said(instance_id)
    minutes = first.values["leaves_no_option"]
    assert isinstance(minutes, dict)
    assert isinstance(minutes["minutes"], int)

    assert first.record == search(instance, []).attempts.provenance.last(Duration)[0]
    assert first.values["holds"] == {"minutes": problem.duration}
    assert gold_choices(replace(problem, duration=minutes["minutes"])) == []


def test_few_values_are_named() -> None:
    """At most one value of each of three kinds of mistake, and of some tasks none."""
    numbers = {len(_said(instance.instance_id)) for instance in instances(2)}

    assert numbers <= {0, 1, 2, 3}
    assert max(numbers) > 1
