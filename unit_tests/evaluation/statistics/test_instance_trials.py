"""Trials are put together by instance; void ones are no part of any mean."""

from mpcbench.evaluation.statistics import by_instance
from unit_tests.builders.results import result


def test_trials_of_an_instance_are_one_group() -> None:
    """Sorted by world and instance; means are over the scored trials in which the measure is known."""
    given = [
        result(1.0, 7, trial=2),
        result(0.5, 1, turns=None),
        result(None, 7, trial=3),
        result(0.5, 7, trial=1, turns=None),
    ]
    first, second = by_instance(given)

    assert ("level1", "level1-001", 1) == (first.world, first.instance_id, len(first.results))
    assert ("level1-007", 3, 2, 1) == (second.instance_id, len(second.results), len(second.scored), second.passed)
    assert second.mean(lambda one: None if one.scores is None else one.scores.f1) == 0.75
    assert second.mean(lambda one: one.turns) == 3
    assert first.mean(lambda one: one.turns) is None


def test_same_instance_of_another_world_is_another() -> None:
    """Data sets number their instances alike."""
    given = [result(1.0, 1), result(0.0, 1)]
    worlds = iter(["here", "there"])
    found = by_instance(given, lambda _: next(worlds))

    assert [("here", "level1-001"), ("there", "level1-001")] == [(one.world, one.instance_id) for one in found]


def test_solved_is_more_than_half() -> None:
    """One of two trials is not enough; void ones do not count; without a scored one nothing is said."""
    outcomes: dict[tuple[float | None, ...], tuple[bool, bool]] = {
        (1.0,): (True, False),
        (0.9,): (False, True),
        (1.0, 0.9): (False, False),
        (1.0, None): (True, False),
        (1.0, 1.0, 0.0): (True, False),
        (0.0, 0.5, None): (False, True),
        (None,): (False, False),
    }
    for scores, expected in outcomes.items():
        (one,) = by_instance(result(f1, trial=trial) for trial, f1 in enumerate(scores, start=1))

        assert expected == (one.solved, one.never_solved), scores
