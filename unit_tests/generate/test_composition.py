"""Samples put into words."""

from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from mpcbench.generate.composition import compose
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling.sample import Sample, Talk
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.world.lookalikes import Sought, earlier_edition, room_for_earlier_edition
from mpcbench.generate.world.naming import instance_thread_ids, name_of_meeting
from mpcbench.oracle.resolve import statements
from mpcbench.schema import (
    GENERATOR_VERSION,
    AfterEvent,
    CallPolicy,
    Duration,
    Instance,
    OptionCount,
    Participants,
    Statement,
    Thread,
)
from unit_tests.generate.samples import SEED, setting

PEOPLE = ("p001", "p002", "p003")
BEGINS = 56
"""The day of the period on which the window begins: late enough for an earlier meeting of the same name."""
TALKS = (
    Talk(
        (
            PlannedStatement(Participants(person_ids=PEOPLE)),
            PlannedStatement(Duration(minutes=45)),
            PlannedStatement(OptionCount(count=3)),
        )
    ),
    Talk((PlannedStatement(Duration(minutes=30), correcting=True), PlannedStatement(CallPolicy(policy_id="POL-03")))),
)


def composed(*more: Statement, index: int = 7) -> tuple[Instance, tuple[Thread, ...]]:
    found = setting(3)
    window = found.window(found.days[BEGINS], found.days[BEGINS + 4])
    talks = (*TALKS, *(Talk((PlannedStatement(statement),)) for statement in more))
    return compose(found, index, Sample((), talks, window, PEOPLE), stream(1, "words", index))


def test_instance_refers_to_its_threads() -> None:
    """Their IDs are those of the instance's places, in the order of the talks."""
    instance, threads = composed()

    assert instance.instance_id == "level3-007"
    assert (instance.seed, instance.generator_version, instance.level) == (SEED, GENERATOR_VERSION, 3)
    assert instance.meeting == str(name_of_meeting(setting(3).world, 7))
    assert instance.references.statements == ()
    needed = instance.references.threads
    assert list(needed) == instance_thread_ids(setting(3).world, 7)[: len(needed)]
    assert needed == tuple(thread.thread_id for thread in threads)[: len(needed)]


def test_threads_say_what_the_sample_says() -> None:
    """Every statement is tagged once in the threads that the instance refers to, and corrections come last."""
    for index in range(20):
        instance, threads = composed(index=index)
        said = [item.statement for item in statements(setting(3).world.with_threads(threads), instance)]
        planned = [planned.statement for talk in TALKS for planned in talk.statements]

        assert sorted(map(repr, planned)) == sorted(map(repr, said))
        assert said.index(Duration(minutes=45)) < said.index(Duration(minutes=30))


def test_decoys_are_about_other_meetings() -> None:
    """No thread beyond the instance's own makes statements about its meeting, yet some of them mention it."""
    mentioned = editions = 0
    for index in range(40):
        instance, threads = composed(index=index)
        decoys = [thread for thread in threads if thread.thread_id not in instance.references.threads]
        messages = [message for thread in decoys for message in thread.messages]
        keys = {tag.meeting for message in messages for tag in message.tags}
        assert instance.meeting not in keys
        mentioned += any(instance.meeting in message.text for message in messages)
        editions += any(key.startswith(f"{instance.meeting} (") for key in keys)

    assert mentioned >= 10
    assert editions >= 4


def test_an_earlier_edition_is_told_apart_by_date() -> None:
    """Its threads are weeks older, and the kick-off says that it is over."""
    for index in range(40):
        instance, threads = composed(index=index)
        own = [thread for thread in threads if thread.thread_id in instance.references.threads]
        old = [
            message
            for thread in threads
            for message in thread.messages
            if any(tag.meeting.startswith(f"{instance.meeting} (") for tag in message.tags)
        ]
        if old:
            assert max(message.sent for message in old) + timedelta(days=14) < own[0].messages[0].sent
            assert f"{old[0].sent:%Y}" in {"2026", "2027"}
            assert any(word in own[0].messages[0].text for word in ("over", "done"))


def test_threads_follow_each_other_before_the_window() -> None:
    """The first opens one to three weeks before the window; the next comes after its last message."""
    for index in range(20):
        instance, threads = composed(index=index)
        own = [thread.messages for thread in threads if thread.thread_id in instance.references.threads]
        days = (setting(3).days[BEGINS] - own[0][0].sent.date()).days

        assert 5 <= days <= 20
        assert all(before[-1].sent < after[0].sent for before, after in pairwise(own))


def test_only_the_kick_off_has_to_name_the_meeting() -> None:
    """The kick-off begins with the name; in at least half of the instances some follow-up lacks it."""
    missing = 0
    for index in range(60):
        instance, threads = composed(index=index)
        first, *later = (thread for thread in threads if thread.thread_id in instance.references.threads)
        assert instance.meeting in first.messages[0].text
        assert all(instance.meeting in text for text in instance.task)
        missing += any(all(instance.meeting not in one.text for one in thread.messages) for thread in later)

    assert missing >= 30


def test_terms_come_from_participants_or_on_behalf_of_the_organiser() -> None:
    """Whoever states something about the meeting stays in it from beginning to end, or says for whom they speak."""
    for index in range(30):
        instance, threads = composed(index=index)
        own = [thread for thread in threads if thread.thread_id in instance.references.threads]
        organiser = setting(3).world.person_by_id[own[0].messages[0].author].name
        for message in (message for thread in own for message in thread.messages):
            if any(tag.meeting == instance.meeting for tag in message.tags):
                assert message.author in PEOPLE or organiser in message.text


def test_an_event_to_wait_for_is_named() -> None:
    """By its title in the calendar, with the owner's name."""
    world = setting(3).world
    event = world.events_by_person["p010"][4]
    awaited = AfterEvent(person_id="p010", event_id=event.event_id)
    _, threads = composed(awaited)
    text = next(
        message.text
        for thread in threads
        for message in thread.messages
        if any(tag.statement == awaited for tag in message.tags)
    )

    assert event.title in text
    assert world.person_by_id["p010"].name in text


@pytest.mark.parametrize("index", [0, 42, 1234])
def test_numbers_of_instances(index: int) -> None:
    """At least three digits."""
    assert f"level3-{index:03d}" == composed(index=index)[0].instance_id


def test_a_meeting_early_in_the_period_has_no_earlier_edition() -> None:
    """It would lie before the period, where no needed thread is; the least age is a window and a call."""
    world = setting(3).world
    first = setting(3).days[0]

    assert not room_for_earlier_edition(world, first + timedelta(days=34))
    assert room_for_earlier_edition(world, first + timedelta(days=35))
    for seed in range(20):
        sought = Sought(7, PEOPLE, PEOPLE[0], first + timedelta(days=40), ())
        threads, remark = earlier_edition(world, sought, ["T00001", "T00002", "T00003"], Random(seed))
        assert remark
        assert all(first - timedelta(days=21) <= thread.messages[0].sent.date() for thread in threads)
