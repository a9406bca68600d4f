"""Episodes become rows: scored and void add up to attempted, and the order of episodes does not matter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.diagnosis import Capability, Cause, Diagnosis, Stage
from evaluation.episode import Episode, Fault, Finish, Outcome, Reply, Scores, Usage
from evaluation.result import Result, result_of
from evaluation.score import GRADING_VERSION
from evaluation.summary import MixedVersionsError, summarise, table
from schema.model import Level

STATUSES = ("parsed", "unparsable", "truncated", "refused", "no_answer")


def scores(f1: float) -> Scores:
    return Scores(precision=f1, recall=f1, f1=f1, exact_match=f1 == 1, ranked_match=False)


def episode(f1: float | None, *, level: Level = 1, model: str = "m", status: str = "parsed", **more: Any) -> Result:
    fields: dict[str, Any] = {
        "instance_id": f"level{level}-000",
        "level": level,
        "model": model,
        "outcome": Outcome.ERROR if f1 is None else Outcome.PASSED if f1 == 1 else Outcome.FAILED,
        "paraphrase": 1,
        "tags": "hidden",
        "system_prompt": "",
        "task": "",
        "reply": None if f1 is None else Reply(text="", finish=Finish.STOP, turns=3),
        "tool_calls": (),
        "answer": None,
        "answer_status": None if f1 is None else status,
        "gold": (),
        "scores": None if f1 is None else scores(f1),
        "fault": Fault(kind="endpoint", message="503") if f1 is None else None,
        "seconds": 2.0,
    }
    return result_of(Episode(**{**fields, **more}))


episodes = st.builds(
    episode,
    st.none() | st.floats(0, 1),
    level=st.sampled_from([1, 2, 3]),
    model=st.sampled_from("ab"),
    status=st.sampled_from(STATUSES),
    seconds=st.floats(0, 1e6),
)


def test_row_counts_and_averages() -> None:
    """Averages are over scored episodes; a void one counts as attempted and as nothing else."""
    usage = Usage(input_tokens=100, output_tokens=10)
    reply = Reply(text="", turns=5, usage=usage)
    (row,) = summarise(
        [episode(1.0, reply=reply), episode(0.5), episode(0.0, status="truncated"), episode(None, seconds=99.0)]
    )
    expected = {
        "level": 1,
        "model": "m",
        "grading_version": GRADING_VERSION,
        "attempted": 4,
        "scored": 3,
        "passed": 1,
        "failed": 2,
        "void": 1,
        "average_f1": 0.5,
        "average_precision": 0.5,
        "average_recall": 0.5,
        "exact_match_rate": 1 / 3,
        "ranked_match_rate": 0.0,
        "unparsable": 0,
        "truncated": 1,
        "refused": 0,
        "no_answer": 0,
        "average_turns": 11 / 3,
        "average_tool_calls": 0.0,
        "average_input_tokens": 100.0,
        "average_output_tokens": 10.0,
        "average_reasoning_tokens": None,
        "average_seconds": 2.0,
        "average_decomposition": None,
        "average_acquisition": None,
        "average_integration": None,
        "causes": (),
    }

    assert expected == row.model_dump()


def test_nothing_scored_has_no_average() -> None:
    """Where every episode is void, averages and rates are None and the table shows dashes."""
    rows = summarise([episode(None)])
    expected = """\
level  model  episodes  avg F1  exact match  errors
    1  m             1       -            -       1"""
    actual = table(rows)

    assert expected == actual
    assert (rows[0].average_f1, rows[0].exact_match_rate, rows[0].average_seconds) == (None, None, None)


def test_table_is_aligned_and_sorted() -> None:
    """One line a level and model, levels first, numbers to the right."""
    expected = """\
level  model            episodes  avg F1  exact match  errors
    1  a-long-name\\x1b         2   0.750        50.0%       0
    1  b                       2   1.000       100.0%       1
    3  b                       1   0.000         0.0%       0"""
    actual = table(
        summarise(
            [
                episode(0.0, level=3, model="b"),
                episode(None, model="b"),
                episode(1.0, model="a-long-name\x1b"),
                episode(0.5, model="a-long-name\x1b"),
                episode(1.0, model="b"),
            ]
        )
    )

    assert expected == actual


def test_no_episodes_make_an_empty_table() -> None:
    """Without episodes there is only the heading."""
    assert table(summarise([])) == "level  model  episodes  avg F1  exact match  errors"


def test_grading_versions_do_not_mix() -> None:
    """Episodes that were graded by different rules are not averaged."""
    with pytest.raises(MixedVersionsError, match="mix grading versions 0, 1"):
        summarise([episode(1.0), episode(1.0, grading_version="0")])


def diagnosed(f1: float, acquisition: float | None, *causes: tuple[str, int]) -> Result:
    diagnosis = Diagnosis(
        stage=Stage.INTEGRATION if causes else None,
        causes=tuple(Cause(reason=reason, alternative=number) for reason, number in causes),
        capability=Capability(decomposition=1, acquisition=acquisition, integration=f1),
    )
    return episode(f1, diagnosis=diagnosis)


def test_primary_causes_are_ranked() -> None:
    """An episode counts once: for the first cause of its explanation, or in shares where several fit equally well."""
    policy, capacity, too_few = (
        "integration.constraint_added:policy",
        "integration.constraint_omitted:capacity",
        "integration.count:too_few",
    )
    (row,) = summarise(
        [
            diagnosed(1.0, 1.0),
            diagnosed(0.5, 0.5, (policy, 1)),
            diagnosed(0.0, None, (policy, 1), (too_few, 1)),
            diagnosed(0.5, 0.0, (too_few, 1), (capacity, 2)),
        ]
    )
    expected = """\
level  model  episodes  avg F1  exact match  errors
    1  m             4   0.500        25.0%       0

level 1, m: decomposition 1.000, acquisition 0.500, integration 0.500
    2  Over-filtering by a policy nobody asked for (integration)
  0.5  Ignored the number of seats (integration)
  0.5  Too few options (integration)"""

    assert [(policy, 2.0), (capacity, 0.5), (too_few, 0.5)] == [(one.reason, one.episodes) for one in row.causes]
    assert expected == table([row])


@given(st.lists(episodes, max_size=30))
def test_scored_and_void_are_all_attempted(given: list[Result]) -> None:
    """Every episode is in exactly one row, as passed, failed or void."""
    rows = summarise(given)

    assert len(given) == sum(row.attempted for row in rows)
    assert all(row.passed + row.failed == row.scored for row in rows)
    assert all(row.scored + row.void == row.attempted for row in rows)
    assert all((row.average_f1 is None) == (row.scored == 0) for row in rows)


@pytest.mark.parametrize("f1", [(0.1, 0.2, 0.3), (0.3, 0.2, 0.1)])
def test_average_is_exact(f1: tuple[float, ...]) -> None:
    """The average is the exact sum, rounded once, in whichever order the episodes finished."""
    (row,) = summarise([episode(one) for one in f1])

    assert row.average_f1 == 0.6 / 3


@given(st.lists(episodes, max_size=30), st.randoms(use_true_random=False))
def test_order_of_episodes_does_not_matter(given: list[Result], random: Any) -> None:
    """Rows are equal to the last bit however the episodes are shuffled."""
    expected = summarise(given)
    random.shuffle(given)

    assert expected == summarise(given)
