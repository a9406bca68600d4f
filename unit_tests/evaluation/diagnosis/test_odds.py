"""How likely each kind of mistake is, given that it leads to the answer."""

import pytest

from mpcbench.evaluation.diagnosis.change import Ground
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding
from mpcbench.evaluation.diagnosis.odds import PRIOR, UNKNOWN, Odds, kind_of, misread

BUSY = "integration.constraint_omitted:busy"
SITE = "integration.value_wrong:site"


def by(reason: str, ground: Ground = Ground.RECORD) -> Explanation:
    return Explanation((Finding(reason, (), ground),))


def test_share_of_the_mistakes_of_a_kind_counts() -> None:
    """Two of eight mistakes of a kind weigh a quarter as much as the only mistake of another kind."""
    odds = Odds.of([by(BUSY), by(SITE), by(SITE)], {(BUSY, Ground.RECORD): 1, (SITE, Ground.RECORD): 8}, 0.0)

    assert pytest.approx({(BUSY,): 2.0, (SITE,): 0.5}) == odds.weights
    assert pytest.approx(0.8) == odds.share([(BUSY,)])
    assert [(BUSY,), (SITE,)] == odds.ranked()


def test_weaker_ground_counts_less() -> None:
    """Each ground has its prior, and a weaker one never a larger one; the grounds of one kind add up."""
    grounds = [*Ground]
    odds = Odds.of([by(BUSY), by(BUSY, Ground.NOTHING)], {}, 0.0)

    assert sorted(PRIOR.values(), reverse=True) == [PRIOR[ground] for ground in grounds]
    assert PRIOR[Ground.RECORD] + PRIOR[Ground.NOTHING] == odds.weights[BUSY,]


def test_unknown_mistake_is_a_rival() -> None:
    """What no hypothesis knows takes its share, the larger, the likelier the answer is without a known mistake."""
    odds = Odds.of([by(SITE, Ground.COINCIDENCE)], {(SITE, Ground.COINCIDENCE): 100}, 1.0)

    assert pytest.approx(0.001 / (0.001 + UNKNOWN)) == odds.share([(SITE,)])


def test_pair_has_no_odds() -> None:
    """Two mistakes together are not weighed against single ones."""
    pair = Explanation((*by(BUSY).findings, *by(SITE).findings))

    assert (BUSY, SITE) == kind_of(pair)
    assert Odds.of([by(BUSY)], {}, 0.0).share([kind_of(pair)]) == 1.0


def test_condition_left_out_may_be_misread() -> None:
    """Of a condition left out, the other kind is the same condition misread; other kinds have none."""
    assert ("integration.value_wrong:busy",) == misread((BUSY,))
    assert (SITE,) == misread((SITE,))


def test_some_mistakes_are_more_usual_than_others() -> None:
    """On weak ground a misread limit weighs more than a whole week; a policy looked up by itself more than other records."""
    limit, week, policy = (
        f"integration.{what}" for what in ("value_wrong:deadline", "value_wrong:week", "constraint_added:policy")
    )
    odds = Odds.of([by(limit, Ground.NOTHING), by(week, Ground.NOTHING), by(policy), by(BUSY)], {}, 0.0)

    assert [(policy,), (BUSY,), (limit,), (week,)] == odds.ranked()


def test_fewest_kinds_that_are_likely_enough() -> None:
    """One kind is enough if little doubt is left; kinds that are equally likely are all named, up to three."""
    alike = [by(f"integration.value_wrong:{name}") for name in ("site", "capacity", "guests", "duration")]

    assert [(BUSY,)] == Odds.of([by(BUSY), by(SITE, Ground.COINCIDENCE)], {}, 0.0).likeliest()
    assert [2, 3, 0] == [len(Odds.of(alike[:number], {}, 0.0).likeliest()) for number in (2, 3, 4)]
    assert [] == Odds.of([by(BUSY)], {}, 2.0).likeliest()
