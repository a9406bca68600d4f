"""One small valid document of each concept that uses every model, and the many ways to change it."""

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanDowTime,
    BanWindow,
    BufferMin,
    Calendar,
    CallPolicy,
    Candidate,
    Certificate,
    Collection,
    Counts,
    Deadline,
    Document,
    Duration,
    Effect,
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
    Order,
    Page,
    Participants,
    Period,
    Person,
    Ranking,
    References,
    RemoveParticipant,
    RequiredWindow,
    Requirement,
    Room,
    RoomCalendar,
    RoomTurnaround,
    Section,
    ShortcutCheck,
    Site,
    Source,
    Statement,
    Thread,
    TieBreak,
    TieBreakKey,
    Window,
    WorkHours,
    World,
)
from mpcbench.schema.model import Model
from mpcbench.schema.statements import DailyHours
from unit_tests.builders.tiny import at
from unit_tests.schema import level4_documents

START, END = at("2027-02-08 10:00"), at("2027-02-08 11:00")
EVENT = Event(event_id="e1", title="Review", start=START, end=END)
STATEMENTS: tuple[Statement, ...] = (
    Duration(minutes=30),
    OptionCount(count=3),
    Window(start=START, end=END, daily=DailyHours(start="08:00", end="24:00")),
    Participants(person_ids=("p1",)),
    AddParticipant(person_id="p1"),
    RemoveParticipant(person_id="p1"),
    Guests(count=0),
    CallPolicy(policy_id="POL-01"),
    Deadline(at=END),
    NotBefore(at=START),
    BanWindow(start=START, end=END),
    RequiredWindow(start=START, end=END),
    AfterEvent(person_id="p1", event_id="e1"),
    Ranking(order=Order.LATEST),
    TieBreak(keys=(TieBreakKey.FLOOR_ASCENDING,)),
    Equipment(items=("projector",)),
    Site(site="Harbour"),
)
RULES = (
    WorkHours(start="09:00", end="17:00", days=(0,)),
    LunchBlock(start="09:30", end="13:00", days=(6,)),
    BufferMin(minutes=7),
    BanDowTime(start="10:00", end="17:00", day=4),
    RoomTurnaround(minutes=10),
)
WORLD = World(
    generator_version="1",
    seed=1,
    level=3,
    timezone="Europe/Berlin",
    period=Period(start=START, end=END),
    people=(Person(person_id="p1", name="Ada", team="A", site="Harbour", title="Engineer", email="ada@example.org"),),
    calendars=(Calendar(person_id="p1", events=(EVENT,)),),
    documents=(
        Document(
            document_id="DOC-01",
            title="Rules",
            introduction="",
            sections=(Section(policy_id="POL-01", heading="Rule", text="Do.", rules=RULES[:1]),),
        ),
    ),
    threads=(
        Thread(
            thread_id="T0001",
            channel="general",
            messages=(
                Message(
                    sent=START,
                    author="p1",
                    text="Hello",
                    tags=(MeetingStatement(meeting="Review", statement=STATEMENTS[2]),),
                ),
            ),
        ),
    ),
    rooms=(Room(room_id="R01", name="Ash", site="Harbour", floor=-1, capacity=4, equipment=("projector",)),),
    room_calendars=(RoomCalendar(room_id="R01", bookings=(EVENT,)),),
    pages=(Page(page_id="W1", collection=Collection.WIKI, title="Wiki", text="Text"),),
)
INSTANCE = Instance(
    generator_version="1",
    seed=1,
    instance_id="level3-000",
    level=3,
    meeting="Review",
    task=("One", "Two", "Three"),
    references=References(statements=STATEMENTS[:1], threads=("T0001",)),
)
LABEL = Label(
    generator_version="1",
    seed=1,
    instance_id="level3-000",
    level=3,
    gold=(Candidate(start=START, end=END, room_id="R01"),),
    sources=(Source.ROOMS,),
    records=("room:R01",),
    requirements=(Requirement(kind="capacity", sources=(Source.ROOMS,), records=("room:R01",)),),
    counts=Counts(generated=9, calendar=8, policy=7, threads=6, rooms=5),
    digest="0" * 64,
    certificate=Certificate(
        solvable=True,
        unique=True,
        load_bearing=(Effect(dropped="room:R01", gold_lost=1, ranking_changed=True),),
        shortcuts=(ShortcutCheck(shortcut="rooms", shared=0),),
        archive_agrees=True,
        readable=True,
        steps=("list_rooms",),
        rejected={"solvable": 2},
    ),
)
DOCUMENTS: dict[str, Model] = {
    "world.schema.json": WORLD,
    "instance.schema.json": INSTANCE,
    "oracle.schema.json": LABEL,
    **level4_documents.DOCUMENTS,
}

Path = tuple[str | int, ...]

_ANYWHERE: tuple[Any, ...] = (None, False, 7, 1.5, "x\ny", [], [None], {}, {"kind": "no such kind"})
_FOR_NUMBERS = (-1, 0, 3, 16, 24, 501, 10**6, "3")
_FOR_TEXTS = ("", "3", "Arabic \u0663", "10:30", "25:00", "9:00", "24:01", "2027-02-08T10:30:00+01:00")
_FOR_TIMES = (
    "2027-02-08T10:30+01:00",
    "2027-02-08T09:30:00.000Z",
    "2027-02-08T10:30:30+01:00",
    "2027-02-08T10:30:00+01:00:30",
    "2027-02-08T10:30:00",
    "2027-02-08 10:30:00+01:00",
    "20270208T103000+0100",
    "2027-W06-1T10:30:00+01:00",
    "2027-02-30T10:30:00+01:00",
    "2027-02-08T10:30:00+25:00",
    "2027-02-08",
    1_801_734_600,
)


def documents() -> Iterator[tuple[str, Any, Path]]:
    """Documents by schema file, with the part of each that the others do not show."""
    for name, model in DOCUMENTS.items():
        yield name, model.model_dump(mode="json"), ()
    for statement in STATEMENTS:
        references = References(statements=(statement,), threads=())
        instance = INSTANCE.model_copy(update={"references": references})
        yield "instance.schema.json", instance.model_dump(mode="json"), ("references", "statements", 0)
    for rule in RULES:
        world: Any = WORLD.model_dump(mode="json", include={"generator_version", "seed", "level", "timezone", "period"})
        section = {"policy_id": None, "heading": "", "text": "", "rules": [rule.model_dump(mode="json")]}
        document = {"document_id": "DOC-01", "title": "", "introduction": "", "sections": [section]}
        world |= {"people": [], "calendars": [], "documents": [document]}
        yield "world.schema.json", world, ("documents", 0, "sections", 0, "rules", 0)
    yield from level4_documents.parts()


class Mutant(NamedTuple):
    """A changed document, with the change in words."""

    change: str
    document: Any


def mutants(document: Any, part: Path = ()) -> Iterator[Mutant]:
    """The document with one change in that part of it: a value replaced, removed, longer or with an unknown field."""
    for path in _paths(_at(document, part), part):
        found = _at(document, path)
        values = list(_ANYWHERE)
        if isinstance(found, str):
            values += [*_FOR_TEXTS, f"{found}\n", f"{found}\u0663", f" {found}"]
            values += _FOR_TIMES if "T" in found and found.endswith(":00") else ()
        elif isinstance(found, int):
            values += _FOR_NUMBERS
        elif isinstance(found, dict):
            values.append({**found, "no such field": 1})
        elif isinstance(found, list):
            values.append(found * 2 if part else ["a", "b"])
        for value in values:
            changed, parent = _copied(document, path)
            parent[path[-1]] = value
            yield Mutant(f"{path} = {value!r}", changed)
        if isinstance(path[-1], str):
            changed, parent = _copied(document, path)
            del parent[path[-1]]
            yield Mutant(f"{path} removed", changed)


def _copied(document: Any, path: Path) -> tuple[Any, Any]:
    """A copy of the document, and the copy's parent of the path."""
    changed = copy.deepcopy(document)
    return changed, _at(changed, path[:-1])


def _at(document: Any, path: Path) -> Any:
    for part in path:
        document = document[part]
    return document


def _paths(value: Any, path: Path) -> Iterator[Path]:
    if path:
        yield path
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in items:
        yield from _paths(item, (*path, part))
