"""Sampled instances have a complete gold that each drawn mechanism decides, and a load that is the rung's."""

from functools import cache

import pytest

from mpcbench.generate.level4.sampling import ladder
from mpcbench.generate.level4.sampling.draft import LadderDraft, with_drafts
from mpcbench.generate.level4.sampling.ladder import sample
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.load import Gold, ignorable, load_bearing, needed_of
from mpcbench.oracle.level4.misreadings import MISREADINGS, misread
from mpcbench.oracle.level4.solve import picks, solve
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema.level4.mechanism import Mechanism
from unit_tests.builders.made_office import SEED, made_knowledge, made_office

SPEECH = frozenset({Mechanism.ALIAS, Mechanism.AUTHORITY, Mechanism.BY_REFERENCE})
PLAN = frozenset({Mechanism.JOINT, Mechanism.QUORUM})
MOVING = frozenset({Mechanism.CHANGES, Mechanism.ROLE, Mechanism.ZONES})
ASKED: tuple[tuple[int, int, frozenset[Mechanism] | None], ...] = (
    (64, 1, None),
    (1, 2, None),
    (2, 2, SPEECH),
    (3, 2, PLAN),
    (12, 3, MOVING),
)
"""Places in the world, rungs, and the mechanisms asked for."""

CASES = [pytest.param(*case, id=f"{case[0]}") for case in ASKED]


@cache
def setting() -> Setting:
    return Setting(made_office(), made_knowledge())


@cache
def drawn(place: int, rung: int, mechanisms: frozenset[Mechanism] | None) -> LadderDraft:
    return sample(
        made_office(), made_knowledge(), seed=SEED, k=place, rung=rung, mechanisms=mechanisms, setting=setting()
    )


def told(draft: LadderDraft) -> Knowledge:
    """Everything in the office together with the instance."""
    return knowledge_of(with_drafts(made_office(), draft), draft.instance)


@pytest.mark.parametrize(("place", "rung", "mechanisms"), CASES)
def test_gold_is_complete(place: int, rung: int, mechanisms: frozenset[Mechanism] | None) -> None:
    """As many candidates are found as are asked for."""
    found = solve(told(drawn(place, rung, mechanisms)))

    assert found.wanted == len(found.gold)


@pytest.mark.parametrize(("place", "rung", "mechanisms"), CASES)
def test_mechanisms_matter(place: int, rung: int, mechanisms: frozenset[Mechanism] | None) -> None:
    """Each drawn mechanism has an obvious wrong way that changes the gold."""
    draft = drawn(place, rung, mechanisms)
    knowledge = told(draft)
    gold, found = Gold(knowledge), touched(knowledge)
    wrong = {
        one.mechanism
        for one in MISREADINGS
        if one.mechanism in draft.mechanisms
        and (believed := misread(knowledge, found, one)) is not None
        and gold.verdict(believed).changed
    }

    assert draft.mechanisms == wrong == set(draft.instance.mechanisms)
    assert mechanisms in (None, wrong)
    assert [] == [*ignorable(gold, draft.mechanisms, rung_of(rung).found)]


@pytest.mark.parametrize(("place", "rung", "mechanisms"), CASES)
def test_load_is_the_rungs(place: int, rung: int, mechanisms: frozenset[Mechanism] | None) -> None:
    """The load counted in the whole world lies within the band, and everything that the task says is part of it."""
    draft = drawn(place, rung, mechanisms)
    bearing = load_bearing(told(draft))
    low, high = rung_of(rung).load
    stated = [f"said:task.0.{number}" for number in range(len(draft.instance.references.statements))]

    assert draft.load_bearing == bearing
    assert low <= len(bearing) < high
    assert set(stated) <= {one.fact for one in bearing}


def test_change_waits_for_what_matters_before_it() -> None:
    """Whoever answers as of the world before it has had to see all that it waits for."""
    draft = drawn(*ASKED[-1])
    before = told(draft).before
    assert draft.instance.change is not None
    assert before is not None

    assert draft.instance.change.when_shown == needed_of(before, draft.instance.change.when_shown)


@pytest.mark.parametrize(("place", "rung", "mechanisms"), CASES)
def test_nothing_is_dated_later_than_today(place: int, rung: int, mechanisms: frozenset[Mechanism] | None) -> None:
    """What an instance adds was sent and posted by the world's today, in order."""
    draft = drawn(place, rung, mechanisms)
    sent = [[message.sent for message in thread.messages] for thread in draft.threads]

    assert all(times == sorted(times) and times[-1] <= made_office().today for times in sent)
    assert all(page.posted <= made_office().today for page in draft.pages)


def test_instances_share_a_world() -> None:
    """The additions of several instances do not clash, and none changes another's gold."""
    drafts = [drawn(*case) for case in ASKED]
    world = with_drafts(made_office(), *drafts)
    indexed = known(world)

    assert [picks(told(one)) for one in drafts] == [picks(knowledge_of(world, one.instance, indexed)) for one in drafts]


def test_a_change_makes_another_gold() -> None:
    """Once what matters has been shown, something happens that leaves no more of the answer than the rung allows."""
    draft = drawn(*ASKED[4])
    knowledge = told(draft)

    assert draft.instance.change is not None
    assert knowledge.before is not None
    gold = set(picks(knowledge))
    assert len(gold & {*picks(knowledge.before)}) <= rung_of(draft.rung).found * len(gold)
    assert set(draft.instance.change.when_shown) <= set(with_drafts(made_office(), draft).record_ids())


def test_the_same_place_gives_the_same_instance() -> None:
    """An instance depends on nothing but the seed, the place, the rung and the mechanisms."""
    place, rung, mechanisms = ASKED[1]

    assert drawn(place, rung, mechanisms) == sample(
        made_office(), made_knowledge(), seed=SEED, k=place, rung=rung, mechanisms=mechanisms
    )


def test_drawn_mechanisms_are_tried_for_longer_than_those_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some fit no instance of the rung, others are drawn."""
    monkeypatch.setattr(ladder, "_ATTEMPTS", 0)

    assert sample(made_office(), made_knowledge(), seed=SEED, k=1, rung=2, setting=setting())
    with pytest.raises(RuntimeError, match="no sample in 0 attempts for place 2, rung 2"):
        sample(made_office(), made_knowledge(), seed=SEED, k=2, rung=2, mechanisms=SPEECH, setting=setting())


def test_a_rung_below_the_first_is_refused() -> None:
    """Rungs count from 1."""
    with pytest.raises(ValueError, match="rung 0 is less than 1"):
        sample(made_office(), made_knowledge(), seed=SEED, k=0, rung=0)


def test_a_place_outside_the_world_is_refused() -> None:
    """There are IDs and names for so many instances only."""
    with pytest.raises(ValueError, match="place 180 is not from 0 to 179"):
        sample(made_office(), made_knowledge(), seed=SEED, k=180, rung=1)
