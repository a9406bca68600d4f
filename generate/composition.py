"""Turn a sample into an instance, the threads about its meeting, and others that are easily taken for them."""

from collections.abc import Sequence
from random import Random

from mpcbench.generate.sampling.sample import Sample, Talk
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.phrasing import NamedEvent
from mpcbench.generate.wording.tasks import write_tasks
from mpcbench.generate.world.calendars import local_time
from mpcbench.generate.world.lookalikes import (
    Sought,
    called,
    deputy,
    earlier_edition,
    guest,
    lookalikes,
    mentioned,
    room_for_earlier_edition,
    rumours,
)
from mpcbench.generate.world.meetings import MOST_THREADS, MeetingPlan, write_meeting
from mpcbench.generate.world.naming import (
    channel_of_meeting,
    instance_thread_ids,
    is_only_one,
    name_of_meeting,
    voice_of,
)
from mpcbench.oracle.interval import to_datetime
from mpcbench.schema import (
    GENERATOR_VERSION,
    AddParticipant,
    AfterEvent,
    Instance,
    Participants,
    References,
    RemoveParticipant,
    Statement,
    Thread,
    World,
)

_EARLIER_EDITIONS = {2: 0.75, 3: 0.5}
"""The share of instances whose meeting had a namesake, by level, among those that begin late enough for one."""


def compose(setting: Setting, index: int, sample: Sample, rng: Random) -> tuple[Instance, tuple[Thread, ...]]:
    """Put a sample into words: three paraphrases of the task, and threads, of which the instance refers to its own."""
    world = setting.world
    name = name_of_meeting(world, index)
    threads, decoys = _threads(setting, index, sample, rng) if sample.talks else ((), ())
    instance = Instance(
        generator_version=GENERATOR_VERSION,
        seed=world.seed,
        instance_id=f"level{world.level}-{index:03d}",
        level=world.level,
        meeting=str(name),
        task=write_tasks(world.level, str(name), sample.task, voice_of(world), rng),
        references=References(statements=sample.task, threads=tuple(thread.thread_id for thread in threads)),
    )
    return instance, (*threads, *decoys)


def _threads(
    setting: Setting, index: int, sample: Sample, rng: Random
) -> tuple[tuple[Thread, ...], tuple[Thread, ...]]:
    """The threads about the meeting, and those about others."""
    world = setting.world
    ids = instance_thread_ids(world, index)
    people = _always_there(sample)
    first_day, last_day = (to_datetime(moment, setting.zone).date() for moment in sample.window)
    name = name_of_meeting(world, index)
    sought = Sought(index, sample.participants, people[0], first_day, tuple(_said(sample)))
    old: tuple[Thread, ...] = ()
    remark = ""
    if room_for_earlier_edition(world, first_day) and rng.random() < _EARLIER_EDITIONS[world.level]:
        old, remark = earlier_edition(world, sought, ids[2 * MOST_THREADS :][:1], rng)
    plan = MeetingPlan(
        key=str(name),
        name=name,
        channel=channel_of_meeting(world, index),
        thread_ids=ids[:MOST_THREADS],
        talks=tuple(talk.statements for talk in sample.talks),
        people=people,
        first_day=first_day,
        days=(last_day - first_day).days,
        first=local_time(called(first_day, rng), rng.randrange(9 * 60, 17 * 60), setting.zone),
        voice=voice_of(world, _named_events(world, sample.talks)),
        deputy=deputy(world, (*sample.participants, *_removed(sample)), rng),
        known_by_people=is_only_one(world, index, name),
        remark=remark,
        guest=guest(world, first_day, rng),
        others=mentioned(world, rng),
        hearsay=rumours(world, people, rng),
    )
    threads = write_meeting(plan, rng)
    organised = sought._replace(organiser=threads[0].messages[0].author)
    return threads, (*lookalikes(world, organised, ids[MOST_THREADS : 2 * MOST_THREADS], rng), *old)


def _said(sample: Sample) -> list[Statement]:
    return [*sample.task, *(planned.statement for talk in sample.talks for planned in talk.statements)]


def _removed(sample: Sample) -> set[str]:
    return {statement.person_id for statement in _said(sample) if isinstance(statement, RemoveParticipant)}


def _always_there(sample: Sample) -> tuple[str, ...]:
    """Who takes part from beginning to end."""
    changing = _removed(sample) | {
        statement.person_id for statement in _said(sample) if isinstance(statement, AddParticipant)
    }
    first = next(statement for statement in _said(sample) if isinstance(statement, Participants))
    return tuple(person for person in first.person_ids if person not in changing)


def _named_events(world: World, talks: Sequence[Talk]) -> dict[str, NamedEvent]:
    named = {}
    for statement in (planned.statement for talk in talks for planned in talk.statements):
        if isinstance(statement, AfterEvent):
            for event in world.events_by_person[statement.person_id]:
                if event.event_id == statement.event_id:
                    named[event.event_id] = NamedEvent(event.title, event.start)
    return named
