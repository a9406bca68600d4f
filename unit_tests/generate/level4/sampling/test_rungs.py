"""The table of rungs rises without gaps, and goes on above its end."""

import pytest

from mpcbench.generate.level4.sampling.rungs import FACTOR, RUNGS, rung_of


def test_bands_of_loads_join() -> None:
    """Each rung's band begins where the one below ends, and is about `FACTOR` times as high."""
    bands = [rung_of(number).load for number in range(1, len(RUNGS) + 4)]

    assert [high for _, high in bands[:-1]] == pytest.approx([low for low, _ in bands[1:]], abs=1)
    assert [high / low for low, high in bands] == pytest.approx([FACTOR] * len(bands), rel=0.05)


def test_nothing_falls_from_rung_to_rung() -> None:
    """Mechanisms, people, meetings, groups and demands rise or stay."""
    for number in range(1, len(RUNGS) + 3):
        below, above = rung_of(number), rung_of(number + 1)

        assert below.mechanisms <= above.mechanisms
        assert below.people <= above.people
        assert below.meetings <= above.meetings
        assert below.group <= above.group
        assert below.demands <= above.demands
