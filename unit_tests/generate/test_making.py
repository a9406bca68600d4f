"""Making instances."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mpcbench.generate import making, parallel
from mpcbench.generate.making import GenerationError, Made, make_instance, make_instances, setting_of, whole_world
from mpcbench.generate.parallel import Processes
from mpcbench.schema import Message, Thread
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET
from unit_tests.generate.samples import QUICK, SEED, made, setting


@pytest.fixture
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first sample of an instance may pass."""
    monkeypatch.setattr(making, "_MOST_TRIES", 1)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_an_instance_depends_on_seed_level_and_number_alone(level: Level) -> None:
    """Made alone, first of all, it is the committed one of that number, with its threads."""
    found = make_instance(setting(level), QUICK)

    assert DATASET.instances(level)[QUICK] == found.instance
    assert DATASET.labels(level)[found.instance.instance_id] == found.label
    for thread in found.threads:
        assert thread == DATASET.world(level).thread_by_id[thread.thread_id]


def test_numbers_are_made_in_the_order_given() -> None:
    """Whatever the order, each is what it is alone."""
    found = list(make_instances(1, SEED, [7, 2, 5], Processes(1)))

    assert [made(1, index) for index in (7, 2, 5)] == found


def test_workers_change_nothing() -> None:
    """Two processes make the same in the same order."""
    assert list(make_instances(1, SEED, range(4), Processes(2))) == [made(1, index) for index in range(4)]


def test_no_more_workers_than_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without work costs as much as one with it."""
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", None)

    assert list(make_instances(1, SEED, [2], Processes(1_000_000))) == [made(1, 2)]


def test_nothing_is_made_for_no_numbers() -> None:
    """An empty shard has no instances."""
    assert list(make_instances(1, SEED, [], Processes(1))) == []


def test_settings_are_kept() -> None:
    """The base world is made once a process."""
    assert setting_of(1, SEED) is setting_of(1, SEED)


@pytest.mark.usefixtures("one_try")
def test_giving_up() -> None:
    """When no sample passes the message says which instance it was to be."""
    hard = next(number for number, label in enumerate(DATASET.labels(1).values()) if rejections(label.instance_id))
    with pytest.raises(GenerationError, match=rf"^level 1, instance {hard}: none of 1 samples passed$"):
        make_instance(setting(1), hard)


def rejections(instance_id: str) -> int:
    certificate = DATASET.labels(1)[instance_id].certificate
    assert certificate is not None
    return sum(certificate.rejected.values())


def test_rejected_samples_are_counted() -> None:
    """The label says how many samples were rejected before it, by check."""
    counts = [sum(made(1, index).label.certificate.rejected.values()) for index in range(8)]  # type: ignore[union-attr]

    assert [rejections(f"level1-{index:03d}") for index in range(8)] == counts
    assert max(counts) > 0


@pytest.mark.parametrize("level", [1, 2])
def test_whole_world_holds_the_threads_of_all(level: Level) -> None:
    """Those of the base world and of every instance."""
    world = whole_world(level, SEED, [made(level, index) for index in (5, 8, QUICK)])
    brought = {thread.thread_id for index in (5, 8, QUICK) for thread in made(level, index).threads}

    assert brought | set(setting(level).world.thread_by_id) == set(world.thread_by_id)
    assert bool(brought) == (level == 2)


def test_instances_must_be_readable_among_the_others() -> None:
    """Another instance's thread that also names the meeting and contradicts it is detected."""
    first, second = made(2, 5), made(2, 8)
    thread = second.threads[0]
    renamed = [
        message.model_copy(update={"text": message.text.replace(second.instance.meeting, first.instance.meeting)})
        for message in thread.messages
    ]
    misleading = Made(second.instance, (retold(thread, renamed), *second.threads[1:]), second.label)
    with pytest.raises(GenerationError, match=r"^level2-00\d among the others: readable: "):
        whole_world(2, SEED, [first, misleading])


def retold(thread: Thread, messages: Sequence[Message]) -> Thread:
    return thread.model_copy(update={"messages": tuple(messages)})


def test_made_values_are_compared_by_value() -> None:
    """Two instances of different numbers differ."""
    assert made(1, 0) == replace(made(1, 0))
    assert made(1, 0) != made(1, 1)
