"""Two runs are compared on the instances that both scored, and nothing is claimed that their number cannot show."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.statistics import PairedTest, TestName, difference, mcnemar, permutation, share
from mpcbench.evaluation.statistics.comparison import CauseMove, Comparison, IncomparableError, compare
from mpcbench.evaluation.statistics.comparison_part import ComparisonPart, ComparisonVerdict, Needed
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.result import Result
from unit_tests.builders.results import diagnosis, result
from unit_tests.examples import examples

HASHES = {"instances/instances_level1.jsonl": "1", "worlds/world_level1.json": "2"}
POLICY, CAPACITY = "integration.constraint_added:policy", "integration.constraint_omitted:capacity"

few = examples(20)  # power and permutations take SciPy their time

scored = st.builds(
    result,
    st.sampled_from([0.0, 0.5, 2 / 3, 1.0]),
    st.integers(0, 6),
    level=st.sampled_from([1, 2]),
    trial=st.integers(1, 2),
)
runs = st.lists(scored, min_size=1, max_size=12, unique_by=lambda one: (one.instance_id, one.trial))  # as in a folder


def run(*scores: float | None, **more: Any) -> list[Result]:
    return [result(f1, number, **more) for number, f1 in enumerate(scores)]


def compared(a: list[Result], b: list[Result], **more: Any) -> Comparison:
    return compare(a, b, **{"hashes_a": HASHES, "hashes_b": HASHES, **more})


def only(comparison: Comparison) -> ComparisonPart:
    (part,) = comparison.levels
    return part


def test_part_holds_the_paired_numbers() -> None:
    """Means, difference, tests and flipped instances of one level."""
    a = [1.0, 0.5, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0]
    b = [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 0.2]
    part = only(compared(run(*a), run(*b)))

    assert (1, 8) == (part.level, part.instances)
    assert (share(a), share(b)) == (part.f1_a, part.f1_b)
    assert difference([y - x for x, y in zip(a, b, strict=True)]) == part.f1_difference
    assert difference([0, 1, 1, -1, 0, 0, 0, 0]) == part.exact_match_difference
    assert permutation(a, b, seed=0) == part.f1_test
    assert mcnemar(2, 1) == part.exact_match_test
    assert (("level1-001", "level1-002"), ("level1-003",)) == (part.gained, part.lost)


def test_clear_difference_has_a_winner() -> None:
    """Where the interval excludes 0 and the difference could be detected."""
    better, worse = run(*[1.0, 0.5] * 20), run(*[0.5, 0.2] * 20)

    assert ComparisonVerdict.B_BETTER is only(compared(worse, better)).verdict
    assert ComparisonVerdict.A_BETTER is only(compared(better, worse)).verdict


def test_difference_below_the_detectable_is_inconclusive() -> None:
    """Even where the interval excludes 0, by a little."""
    part = only(compared(run(*[0.5] * 40), run(*[0.5 + 0.25 * (-1) ** n + 0.1 for n in range(40)])))

    assert part.f1_difference.low is not None
    assert part.f1_difference.low > 0
    assert part.detectable is not None
    assert part.f1_difference.mean < part.detectable
    assert ComparisonVerdict.INCONCLUSIVE is part.verdict


def test_one_instance_is_inconclusive() -> None:
    """A single pair says nothing of how pairs vary; none of it is an error."""
    part = only(compared(run(0.0), run(0.5)))

    assert (None, ComparisonVerdict.INCONCLUSIVE) == (part.detectable, part.verdict)
    assert (Needed(difference=0.5, instances=None, trials=None, trials_enough=None),) == part.needed


def test_constant_difference_has_a_winner() -> None:
    """Without spread nothing tells the detectable difference, but the interval is honest."""
    part = only(compared(run(*[0.0] * 30), run(*[0.5] * 30)))

    assert (None, ComparisonVerdict.B_BETTER) == (part.detectable, part.verdict)


def test_trials_are_averaged_first() -> None:
    """The instance is the unit; with several trials rates of exact match are compared by permutation."""
    a = [*run(1.0, 0.0, 0.5), *run(0.0, 0.0, 0.5, trial=2), *run(0.0, 1.0, 0.5, trial=3)]
    b = [*run(1.0, 1.0, 0.5), *run(1.0, 0.0, 0.5, trial=2)]
    comparison = compared(a, b)
    part = only(comparison)
    thirds = (1 / 3, 1 / 3, 0.0)

    assert (3, 3, 2) == (part.instances, comparison.a.trials, comparison.b.trials)
    assert share([1 / 3, 1 / 3, 0.5]) == part.f1_a
    assert permutation(thirds, (1.0, 0.5, 0.0), seed=0) == part.exact_match_test
    assert (("level1-000",), ()) == (part.gained, part.lost)


def test_void_trial_does_not_change_the_test() -> None:
    """What counts is the number of scored trials."""
    part = only(compared(run(1.0, 0.0), [*run(1.0, 1.0), *run(None, None, trial=2)]))

    assert mcnemar(1, 0) == part.exact_match_test


def test_needed_trials_are_known_with_several_only() -> None:
    """One trial an instance does not tell how trials vary."""
    one = only(compared(run(1.0, 0.5, 0.0, 1.0), run(0.5, 1.0, 0.0, 1.0), target=0.1))
    a = [*run(1.0, 0.0, 0.5, 1.0), *run(0.0, 1.0, 0.5, 0.0, trial=2)]
    b = [*run(1.0, 0.5, 1.0, 1.0), *run(1.0, 1.0, 0.0, 1.0, trial=2)]
    several = only(compared(a, b, target=0.1))

    assert [(0.0, None, None), (0.1, None, None)] == [(w.difference, w.trials, w.trials_enough) for w in one.needed]
    assert one.needed[0].instances is None
    assert one.needed[1].instances is not None
    assert [True, True] == [wanted.trials_enough for wanted in several.needed]
    assert several.needed[1].trials is not None
    assert several.needed[1].trials > 2


def test_levels_and_all_together() -> None:
    """Each level is a part; all together are one more, in which differences between levels are no uncertainty."""
    a = [*run(1.0, 1.0, 0.9, 1.0), *run(0.0, 0.1, 0.0, 0.2, level=2)]
    b = [*run(0.9, 1.0, 0.8, 1.0), *run(0.0, 0.3, 0.2, 0.2, level=2)]
    comparison = compared(a, b)

    assert [1, 2] == [part.level for part in comparison.levels]
    assert comparison.overall is not None
    assert (None, 8) == (comparison.overall.level, comparison.overall.instances)
    assert pytest.approx(0.025) == comparison.overall.f1_difference.mean
    assert comparison.overall.gained == comparison.levels[0].gained + comparison.levels[1].gained
    assert compared(run(1.0), run(1.0)).overall is None


def test_what_is_not_in_both_is_left_out() -> None:
    """Instances that only one run scored are named, void ones among them."""
    a = [*run(1.0, 0.5, None, 0.0), result(1.0, 0, level=3)]
    comparison = compared(a, run(1.0, None, 0.5))

    assert (("level1-001", "level1-003", "level3-000"), ("level1-002",)) == (
        comparison.a.left_out,
        comparison.b.left_out,
    )
    assert only(comparison).instances == 1


def test_causes_move() -> None:
    """Counted by instance over the compared ones, most moved first; trials count by their part."""
    policy, capacity = diagnosis(0.5, 1.0, (POLICY, 1)), diagnosis(0.5, 1.0, (CAPACITY, 1))
    a = [result(0.5, 0, diagnosis=policy), result(0.5, 1, diagnosis=policy), result(0.5, 2, diagnosis=capacity)]
    b = [
        result(0.5, 0, diagnosis=diagnosis(0.5, 1.0, (POLICY, 1), (CAPACITY, 2))),
        result(1.0, 1, diagnosis=diagnosis(1.0, 1.0)),
        result(0.5, 1, trial=2, diagnosis=capacity),
        result(0.5, 9, diagnosis=capacity),
        result(0.0, 2),
    ]

    assert (CauseMove(reason=POLICY, a=2, b=0.5), CauseMove(reason=CAPACITY, a=1, b=1)) == compared(a, b).causes


def test_stages_that_differ_are_compared() -> None:
    """Whether answers can be read, and the scores of what comes before the candidates; those alike are left out."""
    a = [result(0.0, number, status="unparsable", diagnosis=diagnosis(0.0, 0.0)) for number in range(6)]
    b = [result(0.0, number, diagnosis=diagnosis(0.0, 0.5 if number else None)) for number in range(6)]
    answer, acquisition = only(compared(a, b)).stages

    assert ("answer", 6, 0, 1) == (answer.name, answer.instances, answer.a.mean, answer.b.mean)
    assert ("acquisition", 5, 0, 0.5) == (
        acquisition.name,
        acquisition.instances,
        acquisition.a.mean,
        acquisition.b.mean,
    )
    assert difference([0.5] * 5) == acquisition.difference
    assert permutation([0.0] * 5, [0.5] * 5, seed=0) == acquisition.test
    assert () == only(compared(a, a)).stages


def test_differing_settings_are_named() -> None:
    """What else than the model may make the difference."""
    comparison = compared(run(1.0, 1.0), [*run(1.0, tags="shown"), result(1.0, 1, tags="shown", reveal="plan")])

    assert {"tags": ("hidden", "shown"), "reveal": ("None", "None, plan")} == comparison.differing


def test_model_is_chosen() -> None:
    """Two models of one run can be compared; one that is not chosen is an error that names them."""
    given = [*run(1.0, 1.0, model="x"), *run(0.0, 0.5, model="y")]
    comparison = compared(given, given, models=("x", "y"))

    assert ("x", "y", -0.75) == (comparison.a.model, comparison.b.model, only(comparison).f1_difference.mean)
    with pytest.raises(IncomparableError, match=r"^A has several models, choose one: x, y$"):
        compared(given, given, models=(None, "y"))
    with pytest.raises(IncomparableError, match=r"^runs/b has no episodes of z$"):
        compared(given, given, models=("x", "z"), names=("runs/a", "runs/b"))
    with pytest.raises(IncomparableError, match=r"^B has no episodes$"):
        compared(run(1.0), [])


@pytest.mark.parametrize(
    ("hashes", "message"),
    [
        ({**HASHES, "worlds/world_level1.json": "3"}, "the runs are on different data: worlds/world_level1.json"),
        ({}, "the runs name no data in common"),
        ({"worlds/world_level2.json": "2"}, "the runs name no data in common"),
    ],
)
def test_different_data_is_refused(hashes: dict[str, str], message: str) -> None:
    """The files that differ are named."""
    with pytest.raises(IncomparableError, match=f"^{message}$"):
        compared(run(1.0), run(1.0), hashes_b=hashes)


def test_further_levels_are_no_other_data() -> None:
    """A run of more levels can be compared on those that both ran."""
    comparison = compared(
        [*run(1.0), result(1.0, level=2)], run(0.5), hashes_a={**HASHES, "worlds/world_level2.json": "9"}
    )

    assert ("level2-000",) == comparison.a.left_out


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (run(1.0), run(None), "no instance was scored in both runs"),
        (run(1.0), [result(1.0, 1)], "no instance was scored in both runs"),
        (run(1.0), run(1.0, grading_version="0"), f"graded by different versions: {GRADING_VERSION} and 0"),
        (
            [*run(1.0), result(1.0, 1, grading_version="0")],
            run(1.0),
            f"graded by different versions: 0, {GRADING_VERSION} and {GRADING_VERSION}",
        ),
    ],
)
def test_nothing_to_compare_is_refused(a: list[Result], b: list[Result], message: str) -> None:
    """The message says what is missing or differs."""
    with pytest.raises(IncomparableError, match=f"^{message}$"):
        compared(a, b)


@pytest.mark.parametrize("target", [0.0, -0.1, 1.5, float("nan")])
def test_impossible_target_is_refused(target: float) -> None:
    """A difference of F1 lies between 0 and 1."""
    with pytest.raises(IncomparableError, match="the difference to detect must be above 0 and at most 1, not"):
        compared(run(1.0), run(1.0), target=target)


@few
@given(runs)
def test_identical_runs_show_no_difference(given: list[Result]) -> None:
    """Whatever they hold: the difference is 0, p is 1, nothing flipped or moved, and the verdict is inconclusive."""
    comparison = compared(given, given)
    whole = comparison.overall or only(comparison)

    for part in (*comparison.levels, whole):
        assert (0, ComparisonVerdict.INCONCLUSIVE) == (part.f1_difference.mean, part.verdict)
        assert part.f1_test == PairedTest(name=TestName.PERMUTATION, p_value=1, exact=True)
        assert part.exact_match_test.p_value == 1
        assert ((), ()) == (part.gained, part.lost)
        assert part.f1_difference.low is not None
        assert part.f1_difference.high is not None
        assert part.f1_difference.low < 0 < part.f1_difference.high
    assert ((), ()) == (comparison.a.left_out, comparison.b.left_out)


MIRRORED = {
    ComparisonVerdict.A_BETTER: ComparisonVerdict.B_BETTER,
    ComparisonVerdict.B_BETTER: ComparisonVerdict.A_BETTER,
    ComparisonVerdict.INCONCLUSIVE: ComparisonVerdict.INCONCLUSIVE,
}


@few
@given(runs, runs)
def test_exchanged_runs_mirror_the_comparison(a: list[Result], b: list[Result]) -> None:
    """Differences change their sign, gained and lost their places; p, what is detectable and needed stay."""
    result_a, result_b = result(1.0, trial=3), result(0.5, trial=3)
    forth, back = compared([*a, result_a], [*b, result_b]), compared([*b, result_b], [*a, result_a])

    for one, other in zip(forth.levels, back.levels, strict=True):
        for name in ("f1_difference", "exact_match_difference"):
            left, right = getattr(one, name), getattr(other, name)
            assert pytest.approx((left.mean, left.low, left.high)) == (-right.mean, -right.high, -right.low)
        assert (one.f1_test, one.exact_match_test, one.detectable) == (
            other.f1_test,
            other.exact_match_test,
            other.detectable,
        )
        assert [wanted.instances for wanted in one.needed] == [wanted.instances for wanted in other.needed]
        assert (one.gained, one.lost, MIRRORED[one.verdict]) == (other.lost, other.gained, other.verdict)
    assert (forth.a.left_out, forth.b.left_out) == (back.b.left_out, back.a.left_out)


@few
@given(runs, st.randoms(use_true_random=False))
def test_order_of_results_does_not_matter(given: list[Result], random: Any) -> None:
    """Comparisons are equal to the last bit however the results of a run are shuffled."""
    other = run(0.5, 1.0, 0.0, 0.3, 0.7, 0.2, 0.9)
    given = [*given, result(0.5, trial=3)]
    expected = compared(given, other)
    random.shuffle(given)

    assert expected == compared(given, other)
