"""Sets of candidates as integers, against sets of pairs of an option and a start."""

from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle.interval import Interval, members, to_datetime
from mpcbench.oracle.level4.axis import Axis
from mpcbench.oracle.level4.layout import Layout

AXIS = Axis(Interval(0, 3 * 24 * 60), UTC)

options = st.lists(st.sets(st.integers(0, len(AXIS.instants) - 1), max_size=6), max_size=4)


def as_sets(some: list[set[int]]) -> list[int]:
    """The starts of each option as a set of the axis."""
    return [sum(1 << place for place in places) for places in some]


@given(some=options, data=st.data())
def test_candidates_are_bits(some: list[set[int]], data: st.DataObject) -> None:
    """Every candidate has a bit of its own, and the sets that are asked for hold those of the right starts and options."""
    layout = Layout(as_sets(some), AXIS)
    candidates = {(option, place): layout.bit(option, place) for option, places in enumerate(some) for place in places}
    first, last = sorted(data.draw(st.tuples(*[st.sampled_from(AXIS.instants)] * 2)))
    day = data.draw(st.integers(0, 2))

    def among(bits: int) -> set[tuple[int, int]]:
        return {one for one, bit in candidates.items() if bits & bit}

    assert len(set(candidates.values())) == len(candidates)
    assert layout.candidates == sum(candidates.values())
    assert layout.candidates & ~layout.all == 0
    assert {one for one in candidates if first <= AXIS.instants[one[1]] < last} == among(
        layout.between(first, last) * layout.options
    )
    assert {one for one in candidates if AXIS.day_of[one[1]] == day} == among(layout.on_day(day) * layout.options)
    for option, lowest in enumerate(layout.lowest):
        assert {one for one in candidates if one[0] == option} == among(layout.every * lowest)


@given(some=options, data=st.data())
def test_what_is_known_of_a_set(some: list[set[int]], data: st.DataObject) -> None:
    """Of any candidates left, the starts with their number, ends and days, and the ranking order, are theirs."""
    layout = Layout(as_sets(some), AXIS)
    left = [{place for place in sorted(places) if data.draw(st.booleans())} for places in some]
    bits = layout.packed(as_sets(left))
    starts = sorted({place for places in left for place in places})

    assert [(start, [option for option, places in enumerate(left) if start in places]) for start in starts] == list(
        layout.ranked(bits)
    )
    if starts:
        extent = layout.extent(bits)
        assert starts == [layout.starts[number] for number in members(extent.starts)]
        assert (len(starts), AXIS.instants[starts[0]], AXIS.instants[starts[-1]]) == extent[1:4]
        assert {AXIS.day_of[start] for start in starts} == {*members(extent.days)}


def test_days_of_an_axis_are_numbered() -> None:
    """The number of a start's day counts the dates of the axis."""
    dates = [to_datetime(instant, UTC).date() for instant in AXIS.instants]

    assert [sorted(set(dates)).index(day) for day in dates] == list(AXIS.day_of)
