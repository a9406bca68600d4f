"""The Pareto front is what nothing else beats, and names beside the points do not overlap."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.plots.cost_plot import Point, cost_plot, pareto_front, spread_down
from unit_tests.evaluation.report.plots.markup import drawn

points = st.lists(
    st.builds(Point, st.just("m"), st.floats(0, 10) | st.sampled_from([0.0, 1.0]), st.floats(0, 1)),
    min_size=1,
    max_size=8,
)


def test_front_leaves_out_what_is_dearer_and_no_better() -> None:
    """A dearer model with the same score is off the front; the cheapest and the best are on it."""
    found = pareto_front([Point("a", 1, 0.8), Point("b", 2, 0.9), Point("c", 3, 0.9), Point("d", 2, 0.5)])

    assert [True, True, False, False] == found


def test_equal_points_are_both_on_the_front() -> None:
    """Neither of two equal models is better than the other."""

    assert [True, True] == pareto_front([Point("a", 1, 0.8), Point("b", 1, 0.8)])


@given(points)
def test_front_beats_everything_else(found: list[Point]) -> None:
    """Each point off the front is beaten by one on it, and none on it by any."""
    front = pareto_front(found)
    best = [point for point, on_front in zip(found, front, strict=True) if on_front]

    def beats(one: Point, other: Point) -> bool:
        return one[1:] != other[1:] and one.cost <= other.cost and one.score >= other.score

    assert best
    assert not any(beats(other, point) for point in best for other in found)
    assert all(
        any(beats(other, point) for other in best) for point, on_front in zip(found, front, strict=True) if not on_front
    )


@given(st.lists(st.floats(0, 200), max_size=10), st.floats(1, 30))
def test_names_keep_apart_and_in_order(heights: list[float], apart: float) -> None:
    """Names stay in order, far enough apart, not below the axis; those with room enough stay where they are."""
    wanted = sorted(heights, reverse=True)
    placed = spread_down(wanted, apart)

    assert all(above - below >= apart - 1e-9 for above, below in itertools.pairwise(placed))
    assert all(height >= 0 for height in placed)
    if all(above - below >= apart for above, below in itertools.pairwise(wanted)):
        assert wanted == pytest.approx(placed)


def test_plot_names_every_point() -> None:
    """All names are in the plot; points of the front are filled, the others are hollow."""
    plot = cost_plot([Point("a", 0.01, 0.8), Point("b", 0.5, 0.9), Point("c", 0.6, 0.1)], "Cost")
    root = drawn(plot)
    circles = [group.attrib["class"] for group in root.iter("g") for _ in group.iter("circle")]

    assert {"a", "b", "c"} <= {one.text for one in root.iter("text")}
    assert ["hollow", "fill-accent", "fill-accent"] == circles


def test_wide_range_of_costs_is_logarithmic() -> None:
    """Where one model costs a thousand times as much as another, both can be told from the rest."""
    plot = cost_plot([Point("a", 0.001, 0.8), Point("b", 0.01, 0.85), Point("c", 1, 0.9)], "Cost")
    labels = [one.text or "" for one in drawn(plot).iter("text")]

    assert {"$0.001", "$0.01", "$0.1", "$1"} <= set(labels)


def test_free_models_have_a_plot() -> None:
    """A cost of 0 has a place on the axis."""

    assert "$0" in {one.text for one in drawn(cost_plot([Point("local", 0, 0.4)], "Cost")).iter("text")}


def test_no_points_is_an_error() -> None:
    """A plot of nothing is asked for by mistake."""
    with pytest.raises(ValueError, match="needs a point"):
        cost_plot([], "Cost")
