"""The certificate of level 4: what it says of an instance, and what it refuses."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.generate.level4 import shortcuts
from mpcbench.generate.level4.certificate import certify, check_ignorance, check_mechanisms, is_total
from mpcbench.generate.level4.shortcuts import shortcuts_of
from mpcbench.generate.sampling.sample import Check, Rejected
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.load import needed_of
from mpcbench.schema import Deadline, Duration, Site
from mpcbench.schema.level4.instance import Change
from mpcbench.schema.level4.label import MisreadEffect
from mpcbench.schema.level4.mechanism import LadderSource, Mechanism
from mpcbench.schema.level4.statements import Said
from unit_tests.builders import ladder
from unit_tests.builders.ladder_drafts import REVIEW, SmallInstance, at, setting, small_instance

SHORTER = Duration(minutes=30)
ELSEWHERE = Site(site="Mill Lane")
"""Of its room nobody has to know anything before."""


def rejection(one: SmallInstance) -> Rejected:
    with pytest.raises(Rejected) as caught:
        certify(setting(), *one, {})
    return caught.value


def starts(gold: Any) -> list[str]:
    return [f"{candidate.start:%H:%M}" for candidate in gold]


def knowledge(one: SmallInstance) -> Knowledge:
    return knowledge_of(setting().world_with(one.threads, one.pages), one.instance)


def test_the_label() -> None:
    """It has the gold that a reader works out, what it depends on, and the calls that show it."""
    label = certify(setting(), *small_instance(), {"solvable": 3})
    stored = label.certificate
    assert stored is not None
    facts = {fact.fact for fact in stored.load_bearing}

    assert ["12:30", "12:45", "13:00"] == starts(label.gold)
    assert () == label.gold_before
    assert {"entry:p001.e1", "entry:p003.e2", "booking:R00.e3", "definition:CPR", "said:T0002.0.0"} <= facts
    assert len(facts) == len(stored.load_bearing) == label.load
    assert {
        "calendar:p001",
        "calendar:p003",
        "person:p001",
        "person:p003",
        "thread:T0001",
        "thread:T0002",
        "glossary:G1",
        "room:R00",
        "room_calendar:R00",
    } == set(label.records)
    assert (
        LadderSource.CALENDAR,
        LadderSource.THREADS,
        LadderSource.DIRECTORY,
        LadderSource.ROOMS,
        LadderSource.PAGES,
    ) == label.sources
    assert [effect.changed for effect in stored.misreadings if effect.mechanism is Mechanism.ALIAS] == [True]
    assert {"solvable": 3} == stored.rejected
    assert len(label.records) == len(stored.steps)
    assert stored.result_characters > 1_000


def test_a_label_with_a_change() -> None:
    """The gold is that of the world after it, and what the change touches is read twice."""
    label = certify(setting(), *small_instance(later=SHORTER), {})
    stored = label.certificate
    assert stored is not None

    assert {timedelta(minutes=30)} == {candidate.end - candidate.start for candidate in label.gold}
    assert {timedelta(minutes=60)} == {candidate.end - candidate.start for candidate in label.gold_before}
    assert len(label.records) + 1 == len(stored.steps)
    assert "read_thread" == stored.steps[-1]


def test_what_a_change_can_wait_for() -> None:
    """For what matters before it: whoever does not look at anything else answers before it, and is right."""
    after = knowledge(small_instance(later=ELSEWHERE))
    records = ("calendar:p001", "room:R00", "room:R01")
    assert after.before is not None

    assert ("calendar:p001", "room:R00") == needed_of(after.before, records)
    assert {"room:R01"} <= set(needed_of(after, records))


def test_known_facts_are_not_worked_out_again() -> None:
    """The load-bearing facts of the sampler are taken as they are."""
    one = small_instance()
    stored = certify(setting(), *one, {}).certificate
    assert stored is not None

    assert certify(setting(), *one, {}, stored.load_bearing).certificate == stored


def with_statement(one: SmallInstance, statement: Any) -> SmallInstance:
    said = (*one.instance.references.statements, Said(about=REVIEW, statement=statement))
    references = one.instance.references.model_copy(update={"statements": said})
    return one._replace(instance=one.instance.model_copy(update={"references": references}))


def with_text(one: SmallInstance, text: str) -> SmallInstance:
    thread = one.threads[0]
    message = thread.messages[0].model_copy(update={"text": text})
    return one._replace(threads=(thread.model_copy(update={"messages": (message,)}), one.threads[1]))


def with_task(one: SmallInstance, text: str) -> SmallInstance:
    return one._replace(instance=one.instance.model_copy(update={"task": (*one.instance.task[:2], text)}))


def with_mechanisms(one: SmallInstance, *mechanisms: Mechanism) -> SmallInstance:
    return one._replace(instance=one.instance.model_copy(update={"mechanisms": mechanisms}))


def waiting_for(one: SmallInstance, record: str) -> SmallInstance:
    assert one.instance.change is not None
    change = Change(when_shown=(record,), edit=one.instance.change.edit)
    return one._replace(instance=one.instance.model_copy(update={"change": change}))


@pytest.mark.parametrize(
    ("one", "check", "message"),
    [
        (
            lambda: with_statement(small_instance(), Deadline(at=at("13:45"))),
            Check.SOLVABLE,
            "2 candidates of 3",
        ),
        (lambda: with_statement(small_instance(), Deadline(at=at("09:30"))), Check.SOLVABLE, "0 candidates of 3"),
        (
            lambda: with_mechanisms(small_instance(), Mechanism.ALIAS, Mechanism.JOINT),
            Check.LOAD_BEARING,
            "the gold is the same whichever way joint is misread",
        ),
        (
            lambda: with_text(small_instance(), "I'm the organiser of the Curlew pricing review. It's sunny."),
            Check.READABLE,
            "thread:T0001: a message states something else",
        ),
        (
            lambda: with_task(small_instance(), "Please find four options for the Curlew pricing review."),
            Check.READABLE,
            "paraphrase 2 of the task states something else",
        ),
        (
            lambda: waiting_for(small_instance(later=SHORTER), "person:p002"),
            Check.SOLVABLE,
            "the change waits for person:p002, on which the gold before it does not depend",
        ),
        (
            lambda: waiting_for(small_instance(later=SHORTER), "person:p999"),
            Check.SOLVABLE,
            "the change waits for person:p999, on which the gold before it does not depend",
        ),
    ],
)
def test_what_is_refused(one: Callable[[], SmallInstance], check: Check, message: str) -> None:
    """Each violated point has its check and says what is wrong."""
    found = rejection(one())

    assert check is found.check
    assert message in str(found)


def test_an_unsolvable_task() -> None:
    """A statement that is missing is said."""
    one = small_instance()
    references = one.instance.references.model_copy(update={"statements": one.instance.references.statements[:1]})
    found = rejection(one._replace(instance=one.instance.model_copy(update={"references": references})))

    assert Check.SOLVABLE is found.check
    assert "nothing states the window" in str(found)


def test_a_disagreement_of_the_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another digest is enough."""
    label = ladder_oracle.label
    monkeypatch.setattr(ladder_oracle, "label", lambda *records: label(*records) | {"digest": "0" * 64})

    assert Check.TWICE_LABELLED is rejection(small_instance()).check


def test_a_shortcut_that_finds_the_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever needs no calendar need not look anything up."""
    monkeypatch.setattr(shortcuts, "_shortcuts", lambda known: [("guessing", known)])

    assert "guessing finds the gold" in str(rejection(small_instance()))


def test_shortcuts_share_what_they_find() -> None:
    """Without the calendar the first of three starts is wrong; the rooms do not matter."""
    known = ladder.known(calendars={"p1": (ladder.entry("09:00", "09:15"),)})

    assert {
        "without calendars": 2,
        "calendars alone": 3,
        "rooms alone": 2,
        "policies alone": 2,
        "the window alone": 2,
    } == {found.shortcut: found.shared for found in shortcuts_of(known)}


def test_a_mechanism_needs_one_way_that_changes_the_gold() -> None:
    """Ways that change nothing are stored, too, and do not matter beside one that does."""

    def effect(mechanism: Mechanism, way: str, *, changed: bool) -> MisreadEffect:
        return MisreadEffect(mechanism=mechanism, way=way, misread="*", gold_lost=0, changed=changed)

    effects = [
        effect(Mechanism.ZONES, "one_zone", changed=True),
        effect(Mechanism.ZONES, "one_country", changed=False),
        effect(Mechanism.ROLE, "last_holder", changed=False),
    ]
    check_mechanisms([Mechanism.ZONES], effects)

    with pytest.raises(Rejected, match="whichever way role is misread"):
        check_mechanisms([Mechanism.ZONES, Mechanism.ROLE], effects)


def test_a_mechanism_that_can_be_ignored() -> None:
    """An alias that is not found loses what is said with it; who there is in other zones does not matter here."""
    one = small_instance()
    check_ignorance(knowledge(one), [Mechanism.ALIAS], most=0.4)

    with pytest.raises(Rejected, match="whoever ignores zones still finds more than 40% of the gold"):
        check_ignorance(knowledge(one), [Mechanism.ALIAS, Mechanism.ZONES], most=0.4)


def test_a_ranking_with_ties() -> None:
    """Two rooms of one ID would rank alike."""
    known = knowledge(small_instance())

    assert is_total(known)
    assert not is_total(replace(known, rooms=(*known.rooms, *known.rooms)))
