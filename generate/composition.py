"""Turn a sample into an instance and the threads about its meeting."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random

from mpcbench.generate.sampling.sample import Sample, Talk
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.phrasing import NamedEvent
from mpcbench.generate.wording.tasks import write_tasks
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.base import MOST_INSTANCES, instance_thread_id, name_of_meeting, voice_of
from mpcbench.generate.world.calendars import local_time
from mpcbench.generate.world.threads import ThreadKind, ThreadPlan, write_thread
from mpcbench.oracle.interval import to_datetime
from mpcbench.schema import GENERATOR_VERSION, AfterEvent, Instance, References, Thread, World


def compose(setting: Setting, index: int, sample: Sample, rng: Random) -> tuple[Instance, tuple[Thread, ...]]:
    """Put a sample into words: three paraphrases of the task, and the threads about its meeting."""
    world = setting.world
    meeting = name_of_meeting(world, index)
    voice = voice_of(world, _named_events(world, sample.talks))
    threads: list[Thread] = []
    first_day = to_datetime(sample.window.start, setting.zone).date()
    first = local_time(first_day - timedelta(days=rng.randint(7, 20)), rng.randrange(9 * 60, 17 * 60), setting.zone)
    for number, talk in enumerate(sample.talks):
        plan = ThreadPlan(
            thread_id=instance_thread_id(world.seed, world.level, index, number),
            channel=rng.choice(CHANNELS),
            meeting=meeting,
            kind=ThreadKind.UPDATE if number else ThreadKind.KICKOFF,
            first=first,
            authors=_authors(world, sample, rng),
            statements=talk.statements,
            voice=voice,
            others=tuple(name_of_meeting(world, MOST_INSTANCES + rng.randrange(100)) for _ in range(2)),
        )
        threads.append(write_thread(plan, rng))
        first = threads[-1].messages[-1].sent + timedelta(hours=rng.randint(2, 30))
    instance = Instance(
        generator_version=GENERATOR_VERSION,
        seed=world.seed,
        instance_id=f"level{world.level}-{index:03d}",
        level=world.level,
        meeting=meeting,
        task=write_tasks(world.level, meeting, sample.task, voice, rng),
        references=References(statements=sample.task, threads=tuple(thread.thread_id for thread in threads)),
    )
    return instance, tuple(threads)


def _authors(world: World, sample: Sample, rng: Random) -> tuple[str, ...]:
    outsider = rng.choice(world.people).person_id
    writers = list(dict.fromkeys((*rng.sample(sample.participants, 2), outsider)))
    rng.shuffle(writers)
    return tuple(writers)


def _named_events(world: World, talks: Sequence[Talk]) -> dict[str, NamedEvent]:
    named = {}
    for statement in (planned.statement for talk in talks for planned in talk.statements):
        if isinstance(statement, AfterEvent):
            for event in world.events_by_person[statement.person_id]:
                if event.event_id == statement.event_id:
                    named[event.event_id] = NamedEvent(event.title, event.start)
    return named
