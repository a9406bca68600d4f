"""What summaries, reports and comparisons say of level 4."""

import json
from typing import Any

from mpcbench.evaluation.report.plots.horizon_plot import horizon_plot
from mpcbench.evaluation.statistics.comparison import compare
from mpcbench.evaluation.statistics.comparison_text import comparison_text
from mpcbench.evaluation.statistics.summary import summarise, summary_of
from mpcbench.evaluation.statistics.summary_text import markdown, table
from mpcbench.schema.episode import Traits
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.result import Result
from unit_tests.builders.results import result


def climb(top: int, model: str = "m", **more: Any) -> list[Result]:
    """Four instances on each of eight rungs, solved up to a rung; every second one holds a quorum."""
    return [
        result(
            1.0 if rung <= top else 0.5,
            4 * rung + number,
            level=4,
            model=model,
            tool_calls=30,
            result_characters=8000,
            ladder=Traits(
                rung=rung,
                load=10 * 2**rung + number,
                mechanisms=(Mechanism.QUORUM, Mechanism.STATES) if number % 2 else (Mechanism.STATES,),
                plan_calls=10,
                plan_characters=2000,
            ),
            **more,
        )
        for rung in range(1, 9)
        for number in range(4)
    ]


def test_row_of_level_4_has_its_ladder() -> None:
    """The horizon, a line a rung, the profile, and the effort."""
    (row,) = summarise(climb(5))

    assert row.ladder is not None
    assert row.ladder.horizon is not None
    assert row.ladder.efficiency is not None
    assert 5 == row.ladder.horizon.estimate.rung
    assert [(rung, 1.0 if rung <= 5 else 0.0) for rung in range(1, 9)] == [
        (one.rung, one.exact_match.mean) for one in row.ladder.rungs
    ]
    assert [Mechanism.QUORUM] == [one.mechanism for one in row.ladder.profile]
    assert (3.0, 4.0, 0.25) == (
        row.ladder.efficiency.calls.mean,
        row.ladder.efficiency.characters.mean,
        row.ladder.efficiency.acquisition_precision.mean,
    )


def test_other_levels_store_nothing_of_it() -> None:
    """Their rows have the same fields as before."""
    (row,) = summarise([result(1.0, 1)])
    stored = row.model_dump(mode="json")

    assert {"ladder", "out_of_calls"}.isdisjoint(stored)


def test_trials_of_an_instance_are_one_rate() -> None:
    """An instance solved in one of two trials counts half."""
    (row,) = summarise([*climb(8), *climb(0, trial=2)])

    assert row.ladder is not None
    assert [0.5] * 8 == [one.exact_match.mean for one in row.ladder.rungs]
    assert [4] * 8 == [one.instances for one in row.ladder.rungs]


def test_errors_count_nowhere() -> None:
    """They have no score."""
    broken = [one.model_copy(update={"scores": None, "trial": 9}) for one in climb(5)]
    (without,), (with_errors,) = summarise(climb(5)), summarise([*climb(5), *broken])

    assert without.ladder == with_errors.ladder


def test_terminal_and_markdown_say_it() -> None:
    """Horizon, effort, what stands out, and the tables."""
    summary = summary_of(climb(5))
    told, marked = table(summary), markdown(summary)

    for text in (told, marked):
        assert "composition horizon: load 45" in text
        assert "acquisition precision 0.25" in text
        assert "no mechanism costs exact matches at equal load" in text
    assert "rung n load exact match F1 [95%] calls characters" in " ".join(told.split())
    assert "| rung | n | load | exact match |" in marked


def test_budgets_say_how_often_they_ran_out() -> None:
    """At any level; an episode that asked for more calls than it had."""
    results = [result(1.0, number, tool_calls=number, max_calls=3) for number in range(1, 6)]
    (row,) = summarise(results)

    assert 2 == row.out_of_calls
    assert "the budget of tool calls ran out in 2 of 5 episodes" in table(summary_of(results))


def test_comparison_gives_the_factor() -> None:
    """Of two models on the same instances."""
    found = compare(climb(3, "a"), climb(5, "b"), hashes_a={"x": "1"}, hashes_b={"x": "1"})
    text = " ".join(comparison_text(found).split())

    assert found.horizon is not None
    assert "the latter is 4 times the former" in text
    assert "horizon" in json.loads(found.model_dump_json())


def test_comparison_of_other_levels_has_none() -> None:
    """Its fields are those of before."""
    found = compare([result(1.0, 1)], [result(0.5, 1)], hashes_a={"x": "1"}, hashes_b={"x": "1"})

    assert "horizon" not in json.loads(found.model_dump_json())


def test_plot_has_a_point_a_rung() -> None:
    """With the curve only where the horizon is among the loads."""
    (at,), (above,) = summarise(climb(5)), summarise(climb(8))
    assert at.ladder is not None
    assert above.ladder is not None
    drawn, open_ended = horizon_plot(at.ladder, "m"), horizon_plot(above.ladder, "m")

    assert [8, 8] == [sum(len(group.discs) for group in plot.groups) for plot in (drawn, open_ended)]
    assert ["stroke-accent" in [group.look for group in plot.groups] for plot in (drawn, open_ended)] == [True, False]
