"""Explanations are held against the rooms whose bookings the agent looked up."""

from dataclasses import replace

from mpcbench.evaluation.diagnosis.explanation import Explanation
from unit_tests.evaluation.diagnosis.planted import instances, search

_ATTEMPTS = search(instances(3)[0], ()).attempts
_OWN = _ATTEMPTS.frame().looked_up(_ATTEMPTS.frame().choices)
_NARROW = Explanation((), rooms=_OWN)
_WIDE = Explanation((), rooms=_OWN | {"another room"})


def test_explanations_by_rooms_that_were_never_looked_up_give_way() -> None:
    """Who takes further rooms for suitable looks their bookings up."""
    attempts = replace(_ATTEMPTS, looked_up=frozenset())

    assert attempts.borne_out([_WIDE, _NARROW]) == [_NARROW]


def test_explanations_by_rooms_that_were_looked_up_stay() -> None:
    """Bookings that were looked up speak for an explanation as little as against it."""
    attempts = replace(_ATTEMPTS, looked_up=frozenset({"another room"}))

    assert attempts.borne_out([_WIDE, _NARROW]) == [_WIDE, _NARROW]


def test_explanations_that_the_calls_never_bear_out_stay() -> None:
    """If no explanation agrees with the calls, or they are unknown, the calls say nothing."""
    attempts = replace(_ATTEMPTS, looked_up=frozenset())

    assert attempts.borne_out([_WIDE]) == [_WIDE]
    assert _ATTEMPTS.borne_out([_WIDE, _NARROW]) == [_WIDE, _NARROW]
