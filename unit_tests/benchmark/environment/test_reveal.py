"""What is handed over with a task, on the committed data and on small worlds."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.reveal import TITLES, help_text
from mpcbench.benchmark.harness.selection import spread
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.runs.folder import Case
from mpcbench.oracle import resolve
from mpcbench.schema import AfterEvent, Candidate, Instance, Label, World
from mpcbench.schema.dataset import LEVELS, Dataset
from mpcbench.schema.episode import Outcome, Reveal
from mpcbench.schema.model import Level
from unit_tests.benchmark.environment.constraints_solver import constraints_solver
from unit_tests.builders import tiny
from unit_tests.builders.committed import DATASET

STAGES: tuple[Reveal, ...] = get_args(Reveal)
EVERY_LEVEL = pytest.mark.parametrize("level", LEVELS)
EVERY_STAGE = pytest.mark.parametrize("stage", STAGES)


def committed() -> Dataset:
    return DATASET


def some(level: Level, count: int = 20) -> Iterator[tuple[World, Instance, Label]]:
    """Instances that are spread over a level."""
    labels = committed().labels(level)
    for instance in spread(committed().instances(level), count):
        yield committed().world(level), instance, labels[instance.instance_id]


def exam(level: Level, world: World, instance: Instance, label: Label, reveal: Reveal) -> Trial:
    settings = Settings.from_options({"reveal": reveal}, Path())
    return Trial(Case(instance.instance_id, level, "test"), world, instance, label, settings)


@EVERY_LEVEL
def test_plan_names_records_and_nothing_of_their_content(level: Level) -> None:
    """It holds no time, no date, no room, no length and no title of an event."""
    for world, instance, label in some(level):
        plan = help_text("plan", world, instance, label).removeprefix(TITLES["plan"])
        titles = {
            event.title for person in resolve(world, instance).participants for event in world.events_by_person[person]
        }

        assert re.search(r"\d\d?:\d\d|\d{4}-\d\d|\b20\d\d\b|\bR\d\d|\d+ ?min|\d ?[ap]m\b", plan) is None
        assert not any(title in plan for title in titles if " " in title)


@EVERY_LEVEL
def test_plan_names_every_required_record(level: Level) -> None:
    """The IDs of all required calendars, policies, threads and people stand in it."""
    for world, instance, label in some(level):
        plan = help_text("plan", world, instance, label)
        wanted = [record.partition(":")[2] for record in label.records if "room" not in record]

        assert [name for name in wanted if not re.search(rf"\b{name}\b", plan)] == []


@EVERY_LEVEL
def test_records_hold_the_texts_of_all_that_is_needed(level: Level) -> None:
    """Messages, policies, events near the window, directory entries, and bookings of suitable rooms stand in it."""
    for world, instance, label in some(level):
        text = help_text("records", world, instance, label)
        problem = resolve(world, instance)
        needed = [message.text.replace("\n", "\n    ") for one in instance.references.threads for message in world.thread_by_id[one].messages]  # fmt: skip
        ids = {record.partition(":")[2] for record in label.records}
        needed += [section.text for section in world.policies if section.policy_id in ids and level > 1]
        needed += [f'"person_id": "{person}"' for person in problem.participants]
        needed += [f"\n{room.room_id} " for room in world.rooms]
        near = [event for person in problem.participants for event in world.events_by_person[person]]
        near += [booking for room in ids & world.bookings_by_room.keys() for booking in world.bookings_by_room[room]]
        reach = problem.window.widened(24 * 60)
        needed += [
            f'"title": {json.dumps(event.title, ensure_ascii=False)}, "start": "{event.start.isoformat(timespec="minutes")}"'
            for event in near
            if reach.start <= event.start.timestamp() / 60 < reach.end
        ]

        assert [part for part in needed if part not in text] == []


@EVERY_LEVEL
def test_records_hold_no_other_policy(level: Level) -> None:
    """Of a document only the sections that are called for are handed over."""
    for world, instance, label in some(level):
        text = help_text("records", world, instance, label)
        ids = {record.partition(":")[2] for record in label.records}
        others = [section.text for section in world.policies if section.policy_id not in ids]

        assert [other for other in others if other in text] == []


@EVERY_LEVEL
@EVERY_STAGE
def test_help_does_not_depend_on_the_gold(level: Level, stage: Reveal) -> None:
    """Another gold makes no other text, and the text is the same every time."""
    for world, instance, label in some(level, 5):
        other = tuple(
            Candidate(start=one.start + timedelta(days=1), end=one.end + timedelta(days=1)) for one in label.gold
        )

        assert help_text(stage, world, instance, label) == help_text(
            stage, world, instance, label.model_copy(update={"gold": other, "counts": None, "digest": ""})
        )


@EVERY_LEVEL
def test_constraints_are_enough_to_solve(level: Level) -> None:
    """An agent that reads only their JSON finds the gold in its order."""
    for world, instance, label in some(level, 12):
        examined = exam(level, world, instance, label, "constraints")
        episode = examined.trial(constraints_solver, examined.toolbox()).episode

        assert (instance.instance_id, True) == (episode.instance_id, episode.scores and episode.scores.ranked_match)


@EVERY_LEVEL
def test_constraints_name_every_kind_of_requirement(level: Level) -> None:
    """No kind of constraint that an instance needs is missing, on a tiny world with nearly all of them."""
    text = help_text("constraints", tiny.world(level), tiny.instance(level), tiny.label(level))
    problem = resolve(tiny.world(level), tiny.instance(level))
    kinds = {constraint["kind"] for constraint in json.loads(text.partition("\n")[2])["constraints"]}

    assert {constraint.kind for constraint in problem.constraints} <= kinds
    assert (level == 3) == ("room_turnaround" in kinds)


@EVERY_STAGE
@EVERY_LEVEL
def test_help_is_no_part_of_what_the_reference_agent_reads(level: Level, stage: Reveal) -> None:
    """It looks everything up by itself, so that it stays right whatever is handed over."""
    ((world, instance, label),) = some(level, 1)
    examined = exam(level, world, instance, label, stage)

    assert examined.trial(reference, examined.toolbox()).episode.outcome is Outcome.PASSED


def test_awaited_event_outside_the_window_is_handed_over() -> None:
    """The calendar shows the day of an event that the meeting waits for, however far from the window."""
    world, instance = tiny.world(3), tiny.instance(3)
    late = AfterEvent(person_id="p003", event_id="far")
    calendars = (
        *world.calendars,
        world.calendars[0].model_copy(
            update={
                "person_id": "p003",
                "events": (tiny.event("far", "Regatta", "2027-01-11 09:00", "2027-01-11 10:00"),),
            }
        ),
    )
    world = world.model_copy(update={"calendars": calendars})
    references = instance.references.model_copy(update={"statements": (*instance.references.statements, late)})
    instance = instance.model_copy(update={"references": references})

    assert "Regatta" in help_text("records", world, instance, tiny.label(3))
    assert "come after: Sam Carter (p003), Priya Nair (p001)." in help_text("plan", world, instance, tiny.label(3))


def test_tags_are_handed_over_where_tools_show_them() -> None:
    """Records come as the run's tools show them."""
    given = [
        help_text("records", tiny.world(2), tiny.instance(2), tiny.label(2), show_tags=show) for show in (False, True)
    ]

    assert ['"ban_window"' in text for text in given] == [False, True]
    assert ['"work_hours"' in text for text in given] == [False, True]
