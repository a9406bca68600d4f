"""Results become numbers: scored episodes and errors add up to attempted, the instance is the unit, and order does not matter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.scoring.score import GRADING_VERSION
from mpcbench.evaluation.statistics import Method, combined, share
from mpcbench.evaluation.statistics.averages import EpisodesSummary, LevelSummary
from mpcbench.evaluation.statistics.summary import MixedVersionsError, Summary, summarise, summary_of
from mpcbench.schema.episode import Usage
from mpcbench.schema.result import Result
from unit_tests.builders.results import diagnosis, result, results
from unit_tests.examples import examples

many_results = st.lists(results, max_size=20)
few = examples(40)  # an interval takes SciPy its time

POLICY, CAPACITY, TOO_FEW = (
    "integration.constraint_added:policy",
    "integration.constraint_omitted:capacity",
    "integration.count:too_few",
)


def test_row_counts_and_averages() -> None:
    """Averages are over scored episodes; an error counts as attempted and as nothing else but cost and tokens."""
    usage = Usage(input_tokens=100, output_tokens=10)
    (row,) = summarise(
        [
            result(1.0, 0, turns=5, usage=usage, cost_usd=0.25),
            result(0.5, 1),
            result(0.0, 2, status="truncated"),
            result(None, 3, seconds=99.0, usage=usage, cost_usd=0.5),
        ]
    )
    expected = {
        "level": 1,
        "model": "m",
        "grading_version": GRADING_VERSION,
        "instances": 4,
        "trials": 1,
        "worlds": 1,
        "attempted": 4,
        "scored": 3,
        "passed": 1,
        "unearned": 0,
        "failed": 2,
        "errors": 1,
        "unparsable": 0,
        "truncated": 1,
        "refused": 0,
        "no_answer": 0,
        "total_input_tokens": 200,
        "total_cached_input_tokens": None,
        "total_output_tokens": 20,
        "total_reasoning_tokens": None,
        "total_cost_usd": 0.75,
        "cost_unknown": 2,
        "causes": (),
        "symptoms": (),
        "fix_first": (),
    }

    assert expected == row.model_dump(exclude={"estimates", "pass_rates"})
    assert means(row) == {
        "f1": 0.5,
        "precision": 0.5,
        "recall": 0.5,
        "exact_match": 1 / 3,
        "ranked_match": 0.0,
        "decomposition": None,
        "acquisition": None,
        "integration": None,
        "turns": 11 / 3,
        "tool_calls": 0.0,
        "input_tokens": 100.0,
        "cached_input_tokens": None,
        "output_tokens": 10.0,
        "reasoning_tokens": None,
        "cost_usd": 0.25,
        "seconds": 2.0,
    }


def means(summary: EpisodesSummary) -> dict[str, float | None]:
    """The averages by name."""
    return {name: None if one is None else one.mean for name, one in summary.estimates}


def test_averages_have_their_intervals() -> None:
    """Every average has its number of instances and an interval."""
    scores = [0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0, 1.0]
    (row,) = summarise([result(f1, number, turns=number + 1) for number, f1 in enumerate(scores)])

    assert share(scores) == row.estimates.f1
    assert share([0.0] * 6 + [1.0] * 2) == row.estimates.exact_match
    assert row.estimates.turns is not None
    assert (4.5, 8, Method.STUDENT) == (row.estimates.turns.mean, row.estimates.turns.n, row.estimates.turns.method)
    assert row.estimates.cost_usd is None


def test_instance_is_the_unit() -> None:
    """Trials are averaged by instance first: an instance with more of them does not weigh more."""
    given = [result(f1, 0, trial=trial) for trial, f1 in enumerate([1.0, 1.0, 1.0, 0.0], start=1)]
    given += [result(0.0, 1), result(None, 1, trial=2)]
    (row,) = summarise(given)

    assert (2, 4, 6, 5) == (row.instances, row.trials, row.attempted, row.scored)
    assert (0.375, 0.375) == (means(row)["f1"], means(row)["exact_match"])
    assert row.estimates.f1 is not None
    assert row.estimates.f1.n == 2


def test_pass_rates() -> None:
    """For every k over the instances that have as many scored trials; with one trial both are the exact match."""
    given = [result(f1, 0, trial=trial) for trial, f1 in enumerate([1.0, 1.0, 0.0], start=1)]
    given += [result(f1, 1, trial=trial) for trial, f1 in enumerate([0.0, 0.5, None], start=1)]
    (row,) = summarise(given)
    found = [(rate.k, rate.at_least_one.n, rate.at_least_one.mean, rate.every.mean) for rate in row.pass_rates]

    assert [(1, 2, 1 / 3, 1 / 3), (2, 2, 0.5, 1 / 6), (3, 1, 1.0, 0.0)] == found
    (simple,) = summarise([result(1.0, 0), result(0.5, 1)])
    (rate,) = simple.pass_rates
    assert simple.estimates.exact_match == rate.at_least_one == rate.every


def test_overall_is_over_all_instances() -> None:
    """One entry a model, with the intervals of its levels combined."""
    given = [result(1.0, number) for number in range(3)] + [result(0.0, 0, level=2), result(None, 1, level=2)]
    given += [result(1.0, level=3, model="other")]
    summary = summary_of(given)
    first, second = summary.overall

    assert ("m", (1, 2), 5, 4, 1) == (first.model, first.levels, first.instances, first.scored, first.errors)
    assert (0.75, 2) == (means(first)["f1"], first.worlds)
    assert combined([row.estimates.f1 for row in summary.rows[:2]]) == first.estimates.f1
    assert first.pass_rates[0].every == combined([row.pass_rates[0].every for row in summary.rows[:2]])
    assert ("other", (3,)) == (second.model, second.levels)
    assert summary.rows[2].estimates.f1 is not None
    assert second.estimates.f1 == summary.rows[2].estimates.f1


def test_overall_pass_rates_are_those_of_every_level() -> None:
    """A k that one level lacks is left out, a level without scored episodes is not."""
    given = [result(1.0, trial=1), result(0.0, trial=2), result(1.0, level=2), result(None, level=3)]
    (overall,) = summary_of(given).overall

    assert [(1, 0.75)] == [(rate.k, rate.every.mean) for rate in overall.pass_rates]


def test_worlds_are_clusters() -> None:
    """Where several data sets are pooled, the same number is another instance, and the world is the unit."""
    given = [result(f1, number % 3, trial=number + 1) for number, f1 in enumerate([0.1, 0.5, 0.6, 0.9, 0.8, 1.0])]
    (row,) = summarise(given, world_of=lambda one: "here" if one.trial <= 3 else "there")

    assert (6, 1, 2) == (row.instances, row.trials, row.worlds)
    assert row.estimates.f1 is not None
    assert (6, Method.CLUSTER_ROBUST) == (row.estimates.f1.n, row.estimates.f1.method)


def test_primary_causes_are_ranked() -> None:
    """An episode counts once: shared by the explanations that fit equally well, and by the parts of each."""
    (row,) = summarise(
        [
            result(1.0, 0, diagnosis=diagnosis(1.0, 1.0)),
            result(0.5, 1, diagnosis=diagnosis(0.5, 0.5, (POLICY, 1))),
            result(0.0, 2, diagnosis=diagnosis(0.0, None, (POLICY, 1), (TOO_FEW, 1))),
            result(0.5, 3, diagnosis=diagnosis(0.5, 0.0, (TOO_FEW, 1), (CAPACITY, 2))),
        ]
    )

    assert [(POLICY, 1.5), (TOO_FEW, 1.0), (CAPACITY, 0.5)] == [(one.reason, one.episodes) for one in row.causes]
    assert {"deduced"} == {one.method for one in row.causes}
    assert [1.0, 0.5, 0.5] == [means(row)[name] for name in ("decomposition", "acquisition", "integration")]


def test_what_to_fix_first() -> None:
    """Causes rank by the exact matches that mending each alone would give: those of two mistakes at once give none."""
    found = summary_of(
        [
            result(0.5, 0, diagnosis=diagnosis(0.5, 0.5, (POLICY, 1), reproduces=True)),
            result(0.5, 1, level=2, diagnosis=diagnosis(0.5, 0.5, (POLICY, 1), (CAPACITY, 2), reproduces=True)),
            result(0.5, 2, diagnosis=diagnosis(0.5, 0.5, (TOO_FEW, 1), (CAPACITY, 1), reproduces=True)),
            result(0.5, 3, diagnosis=diagnosis(0.5, 0.5, (TOO_FEW, 1), reproduces=False)),
        ]
    )

    assert [(POLICY, 1.5, 1.5), (CAPACITY, 0.5, 1.0)] == [
        (one.reason, one.mended, one.episodes) for one in found.overall[0].fix_first
    ]


def test_symptoms_are_no_causes() -> None:
    """What is observed is counted apart, and is nothing to mend."""
    symptom = "observed.passed_over:slot"
    (row,) = summarise(
        [
            result(0.5, 0, diagnosis=diagnosis(0.5, 0.5, (POLICY, 1))),
            result(0.5, 1, diagnosis=diagnosis(0.5, 0.5, (symptom, 1))),
            result(0.5, 2, diagnosis=diagnosis(0.5, 0.5, ("unexplained", 1))),
        ]
    )

    assert [POLICY] == [one.reason for one in row.causes]
    assert [(symptom, "observed"), ("unexplained", "observed")] == [(one.reason, one.method) for one in row.symptoms]
    assert () == row.fix_first


def test_nothing_scored_has_no_average() -> None:
    """Where every episode is an error, all estimates are None."""
    (row,) = summarise([result(None)])

    assert {None} == set(row.estimates.model_dump().values())
    assert () == row.pass_rates


def test_grading_versions_do_not_mix() -> None:
    """Episodes that were graded by different rules are not averaged."""
    with pytest.raises(MixedVersionsError, match=f"mix grading versions 0, {GRADING_VERSION}"):
        summarise([result(1.0), result(1.0, grading_version="0")])


def test_summary_is_read_back() -> None:
    """As JSON it holds everything, with numbers that every JSON parser takes."""
    summary = summary_of([result(1.0), result(0.3, 1), result(None, 2), result(0.0, level=2)])

    assert summary == Summary.model_validate_json(summary.model_dump_json())


@few
@given(many_results)
def test_scored_episodes_and_errors_are_all_attempted(given: list[Result]) -> None:
    """Every episode is in exactly one row, as passed, failed or error, and again in the model's overall summary."""
    summary = summary_of(given)

    for found in (summary.rows, summary.overall):
        assert len(given) == sum(one.attempted for one in found)
        assert all(one.passed + one.failed == one.scored for one in found)
        assert all(one.scored + one.errors == one.attempted for one in found)
        assert all((one.estimates.f1 is None) == (one.scored == 0) for one in found)


@pytest.mark.parametrize("f1", [(0.1, 0.2, 0.3), (0.3, 0.2, 0.1)])
def test_average_is_exact(f1: tuple[float, ...]) -> None:
    """The average is the exact sum, rounded once, in whichever order the episodes finished."""
    (row,) = summarise([result(one, number) for number, one in enumerate(f1)])
    (trials,) = summarise([result(one, trial=number + 1) for number, one in enumerate(f1)])

    assert means(row)["f1"] == 0.6 / 3
    assert means(trials)["f1"] == 0.6 / 3


@few
@given(many_results, st.randoms(use_true_random=False))
def test_order_of_results_does_not_matter(given: list[Result], random: Any) -> None:
    """The whole summary is equal to the last bit however the results are shuffled."""
    expected = summary_of(given)
    random.shuffle(given)

    assert expected == summary_of(given)


def averages(row: LevelSummary) -> dict[str, Any]:
    return row.model_dump(include={"estimates", "pass_rates", "causes", "passed", "failed"})


@few
@given(many_results, many_results)
def test_errors_change_no_average(given: list[Result], others: list[Result]) -> None:
    """However many are added, to known instances or to new ones."""
    errors = [result(None, level=one.level, model=one.model, instance_id=one.instance_id, trial=9) for one in others]
    before = {(row.level, row.model): averages(row) for row in summarise(given)}
    after = {(row.level, row.model): averages(row) for row in summarise([*given, *errors])}

    assert before == {key: after[key] for key in before}
