"""Base worlds."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording.meeting_names import KINDS, MEETING_NAMES, PROJECTS, SUBJECTS
from mpcbench.generate.world.base import FIRST_DAY, TIMEZONES, base_world, with_threads
from mpcbench.generate.world.naming import MOST_INSTANCES, name_of_meeting
from mpcbench.schema import (
    AfterEvent,
    BanWindow,
    Message,
    NotBefore,
    RequiredWindow,
    Source,
    Statement,
    Thread,
    Window,
)
from mpcbench.schema.dataset import LEVELS, to_json_text
from mpcbench.schema.model import Level
from unit_tests.generate.samples import QUICK, SEED, made, setting
from unit_tests.marks import UNTRACED

each_level = pytest.mark.parametrize("level", LEVELS)


def thread(name: str) -> Thread:
    message = Message(sent=datetime(2027, 2, 1, 9, tzinfo=UTC), author="p001", text="Morning!")
    return Thread(thread_id=name, channel="general", messages=(message,))


@UNTRACED
@each_level
def test_a_base_world_depends_on_level_and_seed_alone(level: Level) -> None:
    """Made again it has the same bytes."""
    assert to_json_text(base_world(level, SEED)) == to_json_text(setting(level).world)


def test_another_seed_gives_another_world() -> None:
    """No part of any size is that of the other seed."""
    world, other = setting(1).world, base_world(1, SEED + 1)

    assert (world.seed, other.seed) == (SEED, SEED + 1)
    for part in ("people", "calendars", "documents"):
        assert getattr(world, part) != getattr(other, part)


@each_level
def test_period_is_twelve_weeks_from_a_monday(level: Level) -> None:
    """Local midnight to local midnight in the level's zone, across a change of the clocks."""
    world = setting(level).world
    start, end = (moment.astimezone(world.zone) for moment in (world.period.start, world.period.end))

    assert TIMEZONES[level] == world.timezone
    assert (start.date(), start.weekday(), (end.date() - start.date()).days) == (FIRST_DAY, 0, 84)
    assert (start.hour, end.hour) == (0, 0)
    assert start.utcoffset() != end.utcoffset()


@each_level
def test_sources_of_a_level(level: Level) -> None:
    """Level 1 has no threads and only level 3 has rooms, a directory of homonyms and archived policies."""
    world = setting(level).world

    assert bool(world.threads) == (level > 1)
    assert bool(world.rooms) == bool(world.room_calendars) == (level == 3)
    assert ("policy_archive" in {page.collection for page in world.pages}) == (level == 3)
    assert len(world.documents) == {1: 1, 2: 8, 3: 16}[level]


@pytest.mark.parametrize("level", [2, 3])
def test_noise_names_no_instance(level: Level) -> None:
    """No tag of a base world is about a meeting that an instance may ask for."""
    world = setting(level).world
    tagged = {tag.meeting for thread in world.threads for message in thread.messages for tag in message.tags}
    asked = {str(name_of_meeting(world, index)) for index in range(MOST_INSTANCES)}

    assert len(tagged) > 80
    assert tagged.isdisjoint(asked)


@pytest.mark.parametrize("level", [2, 3])
def test_noise_states_what_exists(level: Level) -> None:
    """Authors are people, policies have sections, and awaited events are in their owner's calendar."""
    world = setting(level).world
    messages = [message for thread in world.threads for message in thread.messages]
    awaited = [tag.statement for message in messages for tag in message.tags if isinstance(tag.statement, AfterEvent)]

    assert {message.author for message in messages} <= set(world.person_by_id)
    assert bool(awaited) == (level == 3)
    for said in awaited:
        assert said.event_id in {event.event_id for event in world.events_by_person[said.person_id]}


@pytest.mark.parametrize("level", [2, 3])
def test_a_statement_is_about_the_meeting_last_named(level: Level) -> None:
    """A thread that has named another meeting names this one again before it says more about it."""
    world = setting(level).world
    names = {str(name_of_meeting(world, index)): index for index in range(MEETING_NAMES)}
    pattern = re.compile(rf"(?:{'|'.join(PROJECTS)}) (?:{'|'.join(SUBJECTS)}) (?:{'|'.join(KINDS)})")
    for thread in world.threads:
        last = ""
        for message in thread.messages:
            named = [name for name in pattern.findall(message.text) if name in names]
            last = named[-1] if named else last
            assert all(last in ("", tag.meeting) or refers_to(tag.meeting, message.text) for tag in message.tags)


def refers_to(meeting: str, text: str) -> bool:
    """Whether a text has the project or else the kind of a meeting, with its subject."""
    project, subject, kind = meeting.split(" ", 2)
    return subject in text and (project in text or kind in text)


def test_terms_of_other_meetings_fit_together() -> None:
    """Limits, bans and awaited events are within the window and its hours, and leave time for the meeting."""
    world = setting(3).world
    terms: dict[str, list[Statement]] = {}
    for message in (message for thread in world.threads for message in thread.messages):
        for tag in message.tags:
            terms.setdefault(tag.meeting, []).append(tag.statement)
    windows = 0
    for said in terms.values():
        for window in (one for one in said if isinstance(one, Window)):
            windows += 1
            assert window.daily is not None
            hours = window.daily.start, window.daily.end
            starts = [window.start]
            for one in said:
                match one:
                    case BanWindow(start=start, end=end) | RequiredWindow(start=start, end=end):
                        assert window.start <= start < end <= window.end
                        assert hours[0] <= clock_of(start, world.zone) < clock_of(end, world.zone) <= hours[1]
                    case NotBefore(at=at):
                        assert hours[0] < clock_of(at, world.zone) < hours[1]
                        starts.append(at)
                    case AfterEvent(person_id=person, event_id=event):
                        (end,) = (one.end for one in world.events_by_person[person] if one.event_id == event)
                        starts.append(end)
            assert window.start <= max(starts) < window.end - timedelta(days=2)
            required = [one for one in said if isinstance(one, RequiredWindow)]
            assert not required or len(starts) == 1
            assert all(one.start >= max(starts) for one in said if isinstance(one, BanWindow))

    assert windows > 100


def clock_of(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%H:%M}"


def test_threads_are_sorted_by_id() -> None:
    """Added threads are sorted among the others, and the rest of the world is the same."""
    world = setting(2).world
    more = with_threads(world, [thread("T999999"), thread("T0000")])
    ids = [found.thread_id for found in more.threads]

    assert ids == sorted(ids)
    assert len(ids) == len(world.threads) + 2
    assert more.thread_by_id["T0000"].channel == "general"
    assert more.model_dump(exclude={"threads"}) == world.model_dump(exclude={"threads"})
    assert "T0000" not in world.thread_by_id


def test_thread_ids_must_be_unique() -> None:
    """A duplicate ID is rejected."""
    world = setting(2).world
    with pytest.raises(ValueError, match=r"^record ID 'thread:T\d+' is not unique$"):
        with_threads(world, world.threads[:1])


@pytest.mark.parametrize("level", [2, 3])
def test_instances_bring_threads_that_the_base_world_lacks(level: Level) -> None:
    """The threads of an instance have IDs of their own."""
    assert made(level, QUICK).threads
    assert not {found.thread_id for found in made(level, QUICK).threads} & set(setting(level).world.thread_by_id)
    assert Source.THREADS in made(level, QUICK).label.sources
