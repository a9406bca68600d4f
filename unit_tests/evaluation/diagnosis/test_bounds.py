"""Bounds taken strictly, and conditions compared with the starts of candidates only."""

import pytest

from mpcbench.evaluation.diagnosis.mistakes.bounds import strict_bounds
from mpcbench.evaluation.diagnosis.mistakes.starts import starts_only
from mpcbench.oracle.interval import members
from mpcbench.schema.model import Level
from unit_tests.evaluation.diagnosis.planted import frame, instances


@pytest.mark.parametrize("level", [1, 2, 3])
def test_strict_bounds_forbid_only_what_reaches_a_limit(level: Level) -> None:
    """A strict bound forbids some candidates and allows no others; all that it forbids lie at one end of a free time."""
    compared = 0
    for instance in instances(level, 20):
        whole = frame(instance)
        for change in strict_bounds(whole):
            (key,) = change.masks
            before, after = whole.at(key), change.allowed
            lost = before & ~after
            compared += lost != 0

            assert after == before & after
            assert all(not (before >> start - 1 & 1 and before >> start + 1 & 1) for start in members(lost) if start)
            assert all(change.allows(start) is bool(after >> start & 1) for start in [*members(lost)][:5])
    assert compared > 10


@pytest.mark.parametrize("level", [1, 2, 3])
def test_starts_only_permits_more(level: Level) -> None:
    """Who compares only starts permits every candidate that the conditions permit, and with everything the most."""
    for instance in instances(level, 20):
        whole = frame(instance)
        found = [*starts_only(whole)]
        for change in found:
            assert all(whole.at(key) & ~make() == 0 for key, make in change.masks.items())
            assert change.relaxes(whole)
        everything = next(one for one in found if one.part.reason.endswith(":everything"))

        assert {key for one in found for key in one.masks} == {*everything.masks}
