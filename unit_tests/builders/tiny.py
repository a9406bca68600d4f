"""A tiny world for each level, with one instance whose gold is worked out by the engine."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanDowTime,
    BanWindow,
    BufferMin,
    Calendar,
    CallPolicy,
    Deadline,
    Document,
    Duration,
    Equipment,
    Event,
    Guests,
    Instance,
    Label,
    LunchBlock,
    MeetingStatement,
    Message,
    NotBefore,
    OptionCount,
    Participants,
    Period,
    Person,
    References,
    RequiredWindow,
    Room,
    RoomCalendar,
    RoomTurnaround,
    Section,
    Site,
    Statement,
    Thread,
    TieBreak,
    TieBreakKey,
    Window,
    WorkHours,
    World,
)
from mpcbench.schema.episode import Episode, Fault, Finish, Reply, ToolCall
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.dataset_files import label_of, write_level

ZONE = ZoneInfo("Europe/Berlin")
MEETING = "Heron pricing review"


def at(text: str) -> datetime:
    """A local time, such as `2027-02-08 09:00`; 8 February 2027 is a Monday."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def event(event_id: str, title: str, start: str, end: str) -> Event:
    return Event(event_id=event_id, title=title, start=at(start), end=at(end))


CALENDARS = (
    Calendar(
        person_id="p001",
        events=(
            event("e1", "Design review", "2027-02-08 09:00", "2027-02-08 10:00"),
            event("e2", "Supplier audit", "2027-02-08 14:00", "2027-02-08 15:20"),
        ),
    ),
    Calendar(person_id="p002", events=(event("e3", "1:1", "2027-02-08 12:00", "2027-02-08 13:00"),)),
)
POLICIES = (
    ("POL-01", (WorkHours(start="09:00", end="17:00", days=(0, 1, 2, 3, 4)), BufferMin(minutes=10))),
    ("POL-02", (LunchBlock(start="12:00", end="13:00", days=(0, 1, 2, 3, 4)), RoomTurnaround(minutes=20))),
    ("POL-03", (BanDowTime(day=1, start="09:00", end="10:30"),)),
)
NEEDED: tuple[Statement, ...] = (
    Participants(person_ids=("p001", "p002")),
    Window(start=at("2027-02-08 08:00"), end=at("2027-02-09 20:00"), daily=DailyHours(start="08:00", end="18:00")),
    Duration(minutes=60),
    OptionCount(count=2),
    CallPolicy(policy_id="POL-01"),
)
SAID: tuple[Statement, ...] = (
    CallPolicy(policy_id="POL-03"),
    BanWindow(start=at("2027-02-08 10:00"), end=at("2027-02-08 11:00")),
)
SAID_OF_ROOMS: tuple[Statement, ...] = (
    *SAID,
    CallPolicy(policy_id="POL-02"),
    AddParticipant(person_id="p003"),
    Guests(count=2),
    Equipment(items=("projector",)),
    Site(site="Harbour"),
    TieBreak(keys=(TieBreakKey.CAPACITY_DESCENDING,)),
    AfterEvent(person_id="p001", event_id="e1"),
    Deadline(at=at("2027-02-09 19:00")),
    NotBefore(at=at("2027-02-08 08:30")),
    RequiredWindow(start=at("2027-02-08 08:00"), end=at("2027-02-09 16:00")),
)
ROOMS = (
    Room(room_id="R01", name="Ash", site="Harbour", floor=1, capacity=8, equipment=("projector",)),
    Room(room_id="R02", name="Birch", site="Hill", floor=1, capacity=4, equipment=()),
    Room(room_id="R03", name="Cedar", site="Harbour", floor=2, capacity=5, equipment=("projector", "video")),
)
BOOKINGS = (
    RoomCalendar(room_id="R01", bookings=(event("b1", "Board", "2027-02-08 15:00", "2027-02-08 16:00"),)),
    RoomCalendar(room_id="R03", bookings=()),
)


def world(level: Level) -> World:
    """The world; its one thread says what its level leaves to threads."""
    said = SAID_OF_ROOMS if level == 3 else SAID
    message = Message(
        sent=at("2027-01-20 10:00"),
        author="p001",
        text="About the review",
        tags=tuple(MeetingStatement(meeting=MEETING, statement=statement) for statement in said),
    )
    return World(
        generator_version="0",
        seed=0,
        level=level,
        timezone=ZONE.key,
        period=Period(start=at("2027-01-04 00:00"), end=at("2027-04-05 00:00")),
        people=tuple(
            Person(person_id=person_id, name=name, team="Team", site="Harbour", title="Engineer", email="a@example.org")
            for person_id, name in (("p001", "Priya Nair"), ("p002", "Sam Carter"), ("p003", "Sam Carter"))
        ),
        calendars=CALENDARS,
        documents=(
            Document(
                document_id="DOC-01",
                title="Policies",
                introduction="",
                sections=tuple(
                    Section(policy_id=policy_id, heading=policy_id, text="Text", rules=rules)
                    for policy_id, rules in POLICIES
                ),
            ),
        ),
        threads=(Thread(thread_id="T0001", channel="pricing", messages=(message,)),) if level > 1 else (),
        rooms=ROOMS if level == 3 else (),
        room_calendars=BOOKINGS if level == 3 else (),
    )


def instance(level: Level, number: int = 0) -> Instance:
    """The task; at level 1 it says everything, above it a thread says the rest."""
    return Instance(
        generator_version="0",
        seed=0,
        instance_id=f"level{level}-{number:03}",
        level=level,
        meeting=MEETING,
        task=(f"Find slots for the {MEETING}.", "Second", "Third"),
        references=References(statements=NEEDED, threads=("T0001",) if level > 1 else ()),
    )


@cache
def label(level: Level, number: int = 0) -> Label:
    """The gold by the engine."""
    records = ("calendar:p001", "policy:POL-01", *(("thread:T0001",) if level > 1 else ()))
    return label_of(world(level), instance(level, number), records)


def exam(level: Level, **changes: Any) -> Exam:
    """The world, the instance and the label; the label with other values of the fields that are named."""
    return Exam(world(level), instance(level), label(level).model_copy(update=changes))


def call(*records: str, name: str = "get_calendar", is_error: bool = False, **arguments: Any) -> ToolCall:
    return ToolCall(
        turn=1,
        name=name,
        arguments=arguments,
        result="error: no such person" if is_error else "{}",
        is_error=is_error,
        records=records,
    )


def episode(
    level: Level = 1,
    text: str = "",
    *,
    finish: Finish = Finish.STOP,
    calls: tuple[ToolCall, ...] | None = (),
    fault: Fault | None = None,
    **more: Any,
) -> Episode:
    """An episode on the tiny instance, graded."""
    arguments: dict[str, Any] = {
        "model": "agent",
        "paraphrase": 1,
        "tags": "hidden",
        "system_prompt": "You schedule meetings.",
        "task": instance(level).task[0],
        "reply": Reply(text=text, finish=finish),
        "tool_calls": calls,
        "fault": fault,
        "seconds": 1.5,
    }
    return grade(exam(level), Attempt(**{**arguments, **more}))


def gold_text(level: Level) -> str:
    """The right answer as a final message."""
    return label(level).model_dump_json(include={"gold": {"__all__": _fields(level)}}).replace('"gold"', '"candidates"')


def _fields(level: Level) -> set[str]:
    return {"start", "end", "room_id"} if level == 3 else {"start", "end"}


def write_dataset(folder: Path, levels: tuple[Level, ...] = (1, 2, 3), count: int = 2) -> Path:
    """The tiny worlds as a data set on disk, with some equal instances each."""
    for level in levels:
        numbers = range(count)
        instances = [instance(level, number) for number in numbers]
        write_level(folder, world(level), instances, [label(level, number) for number in numbers])
    return folder
