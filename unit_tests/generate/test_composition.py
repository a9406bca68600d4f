"""Samples put into words."""

import pytest

from mpcbench.generate.composition import compose
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling.sample import Sample, Talk
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.world.base import instance_thread_id, name_of_meeting
from mpcbench.oracle.interval import to_minutes
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
    window = found.window(found.days[28], found.days[32])
    talks = (*TALKS, *(Talk((PlannedStatement(statement),)) for statement in more))
    return compose(found, index, Sample((), talks, window, PEOPLE), stream(1, "words"))


def test_instance_refers_to_its_threads() -> None:
    """Their IDs are those of the instance's places, in the order of the talks."""
    instance, threads = composed()

    assert instance.instance_id == "level3-007"
    assert (instance.seed, instance.generator_version, instance.level) == (SEED, GENERATOR_VERSION, 3)
    assert instance.meeting == name_of_meeting(setting(3).world, 7)
    assert instance.references.statements == ()
    assert [instance_thread_id(SEED, 3, 7, number) for number in range(2)] == list(instance.references.threads)
    assert instance.references.threads == tuple(thread.thread_id for thread in threads)


def test_threads_say_what_the_sample_says() -> None:
    """Every statement is tagged once, in its talk and in order, and none other is about the meeting."""
    instance, threads = composed()
    world = setting(3).world.with_threads(threads)
    said = [item.statement for item in statements(world, instance)]

    assert [planned.statement for talk in TALKS for planned in talk.statements] == said


def test_threads_follow_each_other_before_the_window() -> None:
    """The first opens one to three weeks before the window; the next comes after its last message."""
    _, threads = composed()
    found = setting(3)
    days = (found.days[28] - threads[0].messages[0].sent.date()).days
    first, second = ([message.sent for message in thread.messages] for thread in threads)

    assert 7 <= days <= 20
    assert first == sorted(first)
    assert first[-1] < second[0]


def test_every_thread_names_the_meeting() -> None:
    """In full, so that a search finds it."""
    instance, threads = composed()
    for thread in threads:
        assert any(instance.meeting in message.text for message in thread.messages)
    assert all(instance.meeting in text for text in instance.task)


def test_an_event_to_wait_for_is_named() -> None:
    """By its title in the calendar, with the owner's name."""
    world = setting(3).world
    event = world.events_by_person["p010"][4]
    instance, threads = composed(AfterEvent(person_id="p010", event_id=event.event_id))
    text = next(
        message.text for message in threads[2].messages if any(tag.meeting == instance.meeting for tag in message.tags)
    )

    assert event.title in text
    assert world.person_by_id["p010"].name in text
    assert to_minutes(event.start) < to_minutes(event.end)


@pytest.mark.parametrize("index", [0, 42, 1234])
def test_numbers_of_instances(index: int) -> None:
    """At least three digits."""
    assert f"level3-{index:03d}" == composed(index=index)[0].instance_id
