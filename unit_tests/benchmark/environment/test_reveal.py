"""What `--reveal` hands over with a task, on the committed data and on small worlds."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.reveal import NAMED_TITLE, TITLES, named_text, revealed_records, revealed_text
from mpcbench.benchmark.harness.selection import spread
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.oracle import resolve
from mpcbench.schema import AfterEvent, Candidate
from mpcbench.schema.dataset import LEVELS, Dataset
from mpcbench.schema.episode import Outcome, Reveal
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from unit_tests.benchmark.environment.constraints_solver import constraints_solver
from unit_tests.builders import tiny
from unit_tests.builders.committed import DATASET

STAGES: tuple[Reveal, ...] = get_args(Reveal)
EVERY_LEVEL = pytest.mark.parametrize("level", LEVELS)
EVERY_STAGE = pytest.mark.parametrize("stage", STAGES)


def committed() -> Dataset:
    return DATASET


def some(level: Level, count: int = 20) -> Iterator[Exam]:
    """Exams that are spread over a level."""
    for instance in spread(committed().instances(level), count):
        yield committed().exam(instance.instance_id)


@EVERY_LEVEL
def test_plan_names_records_and_nothing_of_their_content(level: Level) -> None:
    """It holds no time, no date, no room, no length and no title of an event."""
    for exam in some(level):
        plan = revealed_text("plan", exam).removeprefix(TITLES["plan"])
        people = resolve(exam.world, exam.instance).participants
        titles = {event.title for person in people for event in exam.world.events_by_person[person]}

        assert re.search(r"\d\d?:\d\d|\d{4}-\d\d|\b20\d\d\b|\bR\d\d|\d+ ?min|\d ?[ap]m\b", plan) is None
        assert not any(title in plan for title in titles if " " in title)


@EVERY_LEVEL
def test_plan_names_every_required_record(level: Level) -> None:
    """The IDs of all required calendars, policies, threads and people are in it."""
    for exam in some(level):
        plan = revealed_text("plan", exam)
        wanted = [record.partition(":")[2] for record in exam.label.records if "room" not in record]

        assert [name for name in wanted if not re.search(rf"\b{name}\b", plan)] == []


@EVERY_LEVEL
def test_records_hold_the_texts_of_all_that_is_needed(level: Level) -> None:
    """Messages, policies, events near the window, directory entries, and bookings of suitable rooms are in it."""
    for exam in some(level):
        world, instance, label = exam.world, exam.instance, exam.label
        text = revealed_text("records", exam)
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
    for exam in some(level):
        text = revealed_text("records", exam)
        ids = {record.partition(":")[2] for record in exam.label.records}
        others = [section.text for section in exam.world.policies if section.policy_id not in ids]

        assert [other for other in others if other in text] == []


@EVERY_LEVEL
@EVERY_STAGE
def test_help_does_not_depend_on_the_gold(level: Level, stage: Reveal) -> None:
    """Another gold makes no other text, and the text is the same every time."""
    for exam in some(level, 5):
        gold = tuple(
            Candidate(start=one.start + timedelta(days=1), end=one.end + timedelta(days=1)) for one in exam.label.gold
        )
        other = replace(exam, label=exam.label.model_copy(update={"gold": gold, "counts": None, "digest": ""}))

        assert revealed_text(stage, exam) == revealed_text(stage, other)


@EVERY_LEVEL
def test_constraints_are_enough_to_solve(level: Level) -> None:
    """An agent that reads only their JSON finds the gold in its order."""
    for exam in some(level, 12):
        episode = run_episode(constraints_solver, exam, reveal="constraints")

        assert (exam.instance.instance_id, True) == (
            episode.instance_id,
            episode.scores and episode.scores.ranked_match,
        )


@EVERY_LEVEL
def test_constraints_name_every_kind_of_requirement(level: Level) -> None:
    """No kind of constraint that an instance needs is missing, on a tiny world with nearly all of them."""
    text = revealed_text("constraints", tiny.exam(level))
    problem = resolve(tiny.world(level), tiny.instance(level))
    kinds = {constraint["kind"] for constraint in json.loads(text.partition("\n")[2])["constraints"]}

    assert {constraint.kind for constraint in problem.constraints} <= kinds
    assert (level == 3) == ("room_turnaround" in kinds)


@EVERY_STAGE
@EVERY_LEVEL
def test_help_is_no_part_of_what_the_reference_agent_reads(level: Level, stage: Reveal) -> None:
    """It looks everything up by itself, so that it stays right whatever is handed over."""
    (exam,) = some(level, 1)

    assert run_episode(reference, exam, reveal=stage).outcome is Outcome.PASSED


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
    exam = Exam(world, instance.model_copy(update={"references": references}), tiny.label(3))

    assert "Regatta" in revealed_text("records", exam)
    assert "come after: Sam Carter (p003), Priya Nair (p001)." in revealed_text("plan", exam)


def test_tags_are_handed_over_where_tools_show_them() -> None:
    """Records come as the run's tools show them."""
    revealed = [revealed_text("records", tiny.exam(2), show_tags=show) for show in (False, True)]

    assert ['"ban_window"' in text for text in revealed] == [False, True]
    assert ['"work_hours"' in text for text in revealed] == [False, True]


@EVERY_LEVEL
def test_records_and_constraints_reveal_all_that_is_required(level: Level) -> None:
    """They count as having shown every required record; without either, and in a plan, nothing is shown."""
    stages: tuple[Reveal | None, ...] = (None, *STAGES)
    for exam in some(level):
        revealed = [revealed_records(stage, exam.world, exam.instance) for stage in stages]
        required = {*exam.label.records}

        assert [False, False, True, True] == [required <= {*found} for found in revealed]
        assert [(), ()] == revealed[:2]


def test_only_records_reveal_rooms_that_do_not_suit() -> None:
    """The table of rooms has every room; the constraints list those that suit, and both show only their bookings."""
    world, instance = tiny.world(3), tiny.instance(3)
    revealed = {stage: revealed_records(stage, world, instance) for stage in STAGES}
    rooms = {stage: [one for one in found if "room" in one] for stage, found in revealed.items()}

    assert {
        "plan": [],
        "records": ["room:R01", "room:R02", "room:R03", "room_calendar:R01", "room_calendar:R03"],
        "constraints": ["room:R01", "room:R03", "room_calendar:R01", "room_calendar:R03"],
    } == rooms


def test_named_records_are_handed_over_alone() -> None:
    """The text holds the content of the named records and of no others; a task that needs none of them gets none."""
    exam = tiny.exam(2)
    policy = next(record for record in exam.label.records if record.startswith("policy:"))
    text = named_text([policy, "task"], exam)

    assert text is not None
    assert [NAMED_TITLE, f"=== Policy {policy[7:]} ==="] == [
        line for line in text.splitlines() if line == NAMED_TITLE or line.startswith("===")
    ]
    assert None is named_text(["task", "policy:POL-99"], exam)
