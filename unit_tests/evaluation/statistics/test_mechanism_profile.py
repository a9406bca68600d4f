"""The mechanism profile: equal load, intervals, and the words."""

from random import Random

import pytest

from mpcbench.evaluation.statistics.mechanism_profile import MechanismEffect, Scored, in_words, mechanism_profile
from mpcbench.schema.level4.mechanism import Mechanism

QUORUM, STATES, ALIAS = Mechanism.QUORUM, Mechanism.STATES, Mechanism.ALIAS


def scored(rung: int, mechanisms: tuple[Mechanism, ...], exact: float) -> Scored:
    return Scored(rung, mechanisms, exact, max(exact, 0.5))


def drawn(cost: float, *, a_rung: int, seed: int) -> list[Scored]:
    """Instances of eight rungs; the higher, the more hold a quorum, which costs so much exact match; states cost nothing."""
    rng = Random(seed)
    found = []
    for rung in range(1, 9):
        for _ in range(a_rung):
            quorum, states = rng.random() < 0.2 + 0.07 * rung, rng.random() < 0.5
            chance = 0.95 - 0.08 * rung - (cost if quorum else 0)
            kinds = (*((QUORUM,) if quorum else ()), *((STATES,) if states else ()))
            found.append(scored(rung, kinds, float(rng.random() < max(chance, 0))))
    return found


def effect(effects: tuple[MechanismEffect, ...], mechanism: Mechanism) -> MechanismEffect:
    (one,) = (one for one in effects if one.mechanism is mechanism)
    return one


def test_instances_are_compared_within_their_rung() -> None:
    """Plainly, quorum instances do worse because they are on the hard rung; at equal load they do not."""
    easy = [scored(1, (), 1.0)] * 8 + [scored(1, (QUORUM,), 1.0)] * 2
    hard = [scored(8, (), 0.0)] * 2 + [scored(8, (QUORUM,), 0.0)] * 8
    (found,) = mechanism_profile(easy + hard)

    assert (10, 10) == (found.with_it, found.without_it)
    assert (0.5, 0.5, 0.0) == (found.exact_match.with_it, found.exact_match.without_it, found.exact_match.difference)
    assert found.exact_match.low < 0 < found.exact_match.high


def test_rungs_with_one_kind_only_say_nothing() -> None:
    """Where all instances hold it, there is nothing to compare with."""
    found = mechanism_profile([scored(1, (QUORUM,), 1.0), scored(2, (), 0.0), scored(3, (ALIAS,), 1.0)])

    assert () == found
    assert "" == in_words(found)


def test_difference_is_that_of_the_regression() -> None:
    """Weighted by a b / (a + b): rung 1 gives -1 with weight 1/2, rung 2 gives 0 with weight 4/5."""
    first = [scored(1, (QUORUM,), 0.0), scored(1, (), 1.0)]
    second = [scored(2, (QUORUM,), 1.0), *[scored(2, (), 1.0)] * 4]
    (found,) = mechanism_profile(first + second)

    assert pytest.approx(-0.5 / 1.3) == found.exact_match.difference


def test_intervals_hold_the_effect() -> None:
    """In 300 simulated runs of 96 instances, in 92 % of them or more, for an effect and for none."""
    truth = {QUORUM: -0.25, STATES: 0.0}
    hits = dict.fromkeys(truth, 0)
    for seed in range(300):
        found = mechanism_profile(drawn(0.25, a_rung=12, seed=seed))
        for mechanism, value in truth.items():
            contrast = effect(found, mechanism).exact_match
            hits[mechanism] += contrast.low <= value <= contrast.high

    assert min(hits.values()) >= 0.92 * 300


def test_words_name_what_stands_out() -> None:
    """A quorum that breaks everything is named; without any effect nothing is."""
    broken = in_words(mechanism_profile(drawn(0.9, a_rung=12, seed=3)))
    even = in_words(mechanism_profile(drawn(0.0, a_rung=12, seed=3)))

    assert broken.startswith("quorum breaks this model first: exact match is 0% with it and ")
    assert even.startswith("no mechanism stands out; the largest drop is that of ")


def test_simultaneous_intervals_are_wider() -> None:
    """With two mechanisms each has half of the error."""
    found = effect(mechanism_profile(drawn(0.3, a_rung=12, seed=5)), QUORUM).exact_match

    assert found.simultaneous_low < found.low < found.difference < found.high < found.simultaneous_high
