"""Hypothesis strategies for arbitrary valid worlds and instances, by level.

The pairs are valid for the schema and always resolve; nothing else is tidy about them: events off the grid,
odd buffers, changes of the zone's offset inside the window, windows of a minute, statements in any order.
Windows are at most four days, so that brute force is quick. Strategies without much of an argument are built
once: building and validating them anew for every draw costs as much as drawing.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

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
    LunchBlock,
    MeetingStatement,
    Message,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Period,
    Person,
    PolicyRule,
    Ranking,
    References,
    RemoveParticipant,
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
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours

T = TypeVar("T")

DAY = 24 * 60
MEETING = "Quarterly review"
OTHER_MEETING = "Quarterly review (draft)"
SITES = ("Harbour", "Hill")
EQUIPMENT = ("projector", "video", "whiteboard")

# Zones with the local date on which a window's story begins, mostly a day or two before the offset changes.
PLACES = (
    ("UTC", "2026-03-02"),
    ("Asia/Kathmandu", "2026-05-08"),  # +05:45
    ("Europe/Berlin", "2026-03-28"),
    ("Europe/Berlin", "2026-10-24"),
    ("America/New_York", "2026-03-07"),
    ("America/New_York", "2026-10-31"),
    ("Australia/Lord_Howe", "2026-04-04"),  # half an hour
    ("Australia/Lord_Howe", "2026-10-03"),
    ("Africa/Casablanca", "2026-02-14"),
    ("Africa/Casablanca", "2026-03-21"),
    ("America/Havana", "2026-03-07"),  # 00:00 becomes 01:00
    ("America/Santiago", "2026-04-04"),  # 24:00 becomes 23:00 of the same date
    ("Pacific/Chatham", "2026-04-04"),  # +13:45 to +12:45
    ("Antarctica/Troll", "2026-10-24"),  # two hours
    ("America/St_Johns", "2010-11-06"),  # 00:01 becomes 23:01 of the date before
    ("Pacific/Apia", "2011-12-29"),  # 30 December did not happen
    ("Asia/Singapore", "1935-12-31"),  # +07:00 to +07:20, off the quarters of UTC
)


class GeneratedCase(NamedTuple):
    """A world and an instance of it."""

    world: World
    instance: Instance


class Theme(StrEnum):
    """What people talk about: a case keeps to few themes, so that statements of one kind supersede, join and undo
    one another often."""

    BANS = "bans"
    LIMITS = "limits"
    PARAMETERS = "parameters"
    PEOPLE = "people"
    RANKING = "ranking"
    REQUIRED_WINDOWS = "required_windows"
    ROOMS = "rooms"


class Clock(NamedTuple):
    """Where and when a case plays: moments count in minutes from a local midnight."""

    zone: ZoneInfo
    midnight: datetime

    def at(self, minutes: int, *, offset_minutes: int | None = None) -> datetime:
        """The moment, written with a fixed offset of its own or with the zone's."""
        moment = self.midnight + timedelta(minutes=minutes)
        if offset_minutes is not None:
            return moment.astimezone(timezone(timedelta(minutes=offset_minutes)))
        local_offset = moment.astimezone(self.zone).utcoffset()
        assert local_offset is not None
        return moment.astimezone(timezone(local_offset))


@cache
def clocks() -> st.SearchStrategy[Clock]:
    """A zone and the first midnight of the story."""

    def clock(place: tuple[str, str]) -> Clock:
        zone = ZoneInfo(place[0])
        return Clock(zone, datetime.fromisoformat(place[1]).replace(tzinfo=zone).astimezone(UTC))

    return st.sampled_from(PLACES).map(clock)


@cache
def moments(clock: Clock, first: int = -DAY, last: int = 5 * DAY) -> st.SearchStrategy[datetime]:
    """Whole minutes of the story, on the grid half of the time, mostly written with the zone's offset."""
    minutes = st.one_of(
        st.integers(first, last), st.integers(-(-first // 15), last // 15).map(lambda quarter: quarter * 15)
    )
    offsets = st.sampled_from((None, None, None, 0, 345, -720))
    return st.builds(lambda at, offset: clock.at(at, offset_minutes=offset), minutes, offsets)


@cache
@st.composite
def spans(
    draw: st.DrawFn, clock: Clock, first: int = -DAY, last: int = 5 * DAY, longest: int = DAY
) -> tuple[datetime, datetime]:
    """A start and a later end."""
    start = draw(moments(clock, first, last))
    lengths = st.one_of(st.sampled_from((15, 30, 60, 120)), st.integers(1, 200), st.integers(1, longest))
    return start, start + timedelta(minutes=draw(lengths))


@cache
@st.composite
def hours(draw: st.DrawFn) -> dict[str, str]:
    """The start and end of a part of the day, up to 24:00."""
    usual = st.sampled_from(
        ((0, DAY), (0, 600), (60, 720), (480, 1080), (540, 1020), (735, 1439), (1080, DAY), (1290, DAY))
    )
    unusual = st.integers(0, DAY - 1).flatmap(lambda start: st.tuples(st.just(start), st.integers(start + 1, DAY)))
    start, end = draw(st.one_of(usual, usual, unusual))
    return {"start": f"{start // 60:02}:{start % 60:02}", "end": f"{end // 60:02}:{end % 60:02}"}


@cache
@st.composite
def short_hours(draw: st.DrawFn) -> dict[str, str]:
    """The start and end of some minutes or a few hours, as bans have them."""
    start = draw(st.one_of(st.sampled_from((0, 60, 120, 720, 1080)), st.integers(0, DAY - 1)))
    end = min(start + draw(st.one_of(st.sampled_from((15, 60, 120)), st.integers(1, 300))), DAY)
    return {"start": f"{start // 60:02}:{start % 60:02}", "end": f"{end // 60:02}:{end % 60:02}"}


@cache
def weekdays() -> st.SearchStrategy[tuple[int, ...]]:
    """Some days of the week; the story's windows start on any of them."""
    some = st.lists(st.integers(0, 6), min_size=1, max_size=7, unique=True)
    return st.one_of(st.sampled_from([(0, 1, 2, 3, 4, 5, 6), (5, 6), (6, 0), (0, 1, 2, 3, 4)]), some.map(tuple))


@cache
def rules() -> st.SearchStrategy[PolicyRule]:
    """Any rule of a policy."""
    minutes = st.one_of(st.sampled_from((1, 7, 10, 20, 30)), st.integers(1, 200))
    return st.one_of(
        st.builds(lambda span, days: WorkHours(**span, days=days), hours(), weekdays()),
        st.builds(lambda span, days: LunchBlock(**span, days=days), short_hours(), weekdays()),
        st.builds(BufferMin, minutes=minutes),
        st.builds(lambda span, day: BanDowTime(**span, day=day), short_hours(), st.integers(0, 6)),
        st.builds(RoomTurnaround, minutes=minutes),
    )


@cache
def windows(clock: Clock) -> st.SearchStrategy[Window]:
    """Windows of a minute to four days, often with daily hours, on the grid or off it."""

    def window(start: int, length: int, offset: int | None, daily: dict[str, str] | None) -> Window:
        return Window(
            start=clock.at(start, offset_minutes=offset),
            end=clock.at(start + length, offset_minutes=offset),
            daily=daily and DailyHours(**daily),
        )

    return st.builds(
        window,
        st.one_of(st.sampled_from((0, 8 * 60, DAY)), st.integers(0, DAY)),
        st.one_of(st.sampled_from((2 * DAY, 3 * DAY, 4 * DAY)), st.integers(DAY, 4 * DAY), st.integers(1, 4 * DAY)),
        st.sampled_from((None, None, 0)),
        st.one_of(st.none(), st.none(), hours()),
    )


@cache
def events(clock: Clock, prefix: str, most: int) -> st.SearchStrategy[tuple[Event, ...]]:
    """Busy spans in order of start: off the grid, overlapping, across midnight, outside the window, or none."""

    def numbered(times: list[tuple[datetime, datetime]]) -> tuple[Event, ...]:
        return tuple(
            Event(event_id=f"{prefix}-{number}", title="Busy", start=start, end=end)
            for number, (start, end) in enumerate(sorted(times), start=1)
        )

    return st.lists(spans(clock, longest=DAY // 2), max_size=most).map(numbered)


def needed_statements(
    clock: Clock, person_ids: tuple[str, ...], anchor: str
) -> tuple[st.SearchStrategy[Statement], ...]:
    """The four statements without which there is no task; the anchor always takes part."""
    durations = st.one_of(
        st.sampled_from((15, 30, 45, 60)),
        st.sampled_from((75, 90, 105, 120)),
        st.integers(1, 32).map(lambda quarters: quarters * 15),
    )
    others = st.lists(st.sampled_from(person_ids), max_size=3, unique=True)
    return (
        st.builds(Duration, minutes=durations),
        st.builds(OptionCount, count=st.integers(1, 20)),
        windows(clock),
        others.map(lambda more: Participants(person_ids=tuple(dict.fromkeys([*more, anchor])))),
    )


def themes(
    clock: Clock, person_ids: tuple[str, ...], anchor: str, policy_ids: tuple[str, ...], calendars: tuple[Calendar, ...]
) -> dict[Theme, st.SearchStrategy[Statement]]:
    """The statements by theme: all that the records at hand can support."""
    duration, option_count, window, participants = needed_statements(clock, person_ids, anchor)
    people = [participants, st.builds(AddParticipant, person_id=st.sampled_from(person_ids))]
    removable = [person_id for person_id in person_ids if person_id != anchor]
    if removable:
        people.append(st.builds(RemoveParticipant, person_id=st.sampled_from(removable)))
    limits: list[st.SearchStrategy[Statement]] = [
        st.builds(Deadline, at=moments(clock, DAY // 2, 4 * DAY)),
        st.builds(NotBefore, at=moments(clock, -DAY // 2, 2 * DAY)),
    ]
    required = spans(clock, last=3 * DAY, longest=5 * DAY).map(lambda span: RequiredWindow(start=span[0], end=span[1]))
    named = [(calendar.person_id, event.event_id) for calendar in calendars for event in calendar.events]
    if named:
        limits.append(st.sampled_from(named).map(lambda pair: AfterEvent(person_id=pair[0], event_id=pair[1])))
    keys = st.lists(st.sampled_from(TieBreakKey), min_size=1, max_size=3)
    items = st.lists(st.sampled_from(EQUIPMENT), min_size=1, max_size=2)
    return {
        Theme.BANS: spans(clock).map(lambda span: BanWindow(start=span[0], end=span[1])),
        Theme.LIMITS: st.one_of(limits),
        Theme.PARAMETERS: st.one_of(duration, window, st.builds(CallPolicy, policy_id=st.sampled_from(policy_ids))),
        Theme.PEOPLE: st.one_of(people),
        Theme.RANKING: st.one_of(
            keys.map(lambda keys: TieBreak(keys=tuple(keys))),
            st.builds(Ranking, order=st.sampled_from(Order)),
            option_count,
        ),
        Theme.REQUIRED_WINDOWS: required,
        Theme.ROOMS: st.one_of(
            items.map(lambda items: Equipment(items=tuple(items))),
            st.builds(Guests, count=st.integers(0, 4)),
            st.builds(Site, site=st.sampled_from(SITES)),
        ),
    }


def _people(count: int) -> tuple[Person, ...]:
    return tuple(
        Person(
            person_id=f"p{number:03}",
            name=f"Person {number}",
            team="Team",
            site=SITES[0],
            title="Engineer",
            email=f"p{number:03}@example.org",
        )
        for number in range(1, count + 1)
    )


def _documents(sections: list[list[PolicyRule]]) -> tuple[Document, ...]:
    texts = [
        Section(policy_id=f"POL-{number:02}", heading="Heading", text="Text", rules=tuple(section))
        for number, section in enumerate(sections, start=1)
    ]
    # A section without an ID binds nobody, whatever its rules say.
    loose = Section(policy_id=None, heading="Heading", text="Text", rules=tuple(sections[0]))
    return (
        Document(document_id="DOC-01", title="Title", introduction="", sections=(loose, texts[0])),
        Document(document_id="DOC-02", title="Title", introduction="", sections=tuple(texts[1:])),
    )


@st.composite
def _rooms(draw: st.DrawFn, clock: Clock, counts: tuple[int, ...]) -> tuple[tuple[Room, ...], tuple[RoomCalendar, ...]]:
    """Few rooms that tie in most respects, in any order; some without a calendar."""
    count = draw(st.sampled_from(counts))
    room_ids = [f"R{number:02}" for number in draw(st.permutations(range(8, 12)))][:count]
    rooms = tuple(
        Room(
            room_id=room_id,
            name=draw(st.sampled_from(("Ash", "Birch"))),
            site=draw(st.sampled_from(SITES)),
            floor=draw(st.integers(-1, 1)),
            capacity=draw(st.sampled_from((2, 6, 6, 12, 12))),
            equipment=tuple(item for item in EQUIPMENT if draw(st.integers(0, 2))),
        )
        for room_id in room_ids
    )
    booked = [room_id for room_id in room_ids if draw(st.integers(0, 4))]
    return rooms, tuple(
        RoomCalendar(room_id=room_id, bookings=draw(events(clock, f"booking-{room_id}", 4))) for room_id in booked
    )


@st.composite
def _threads(
    draw: st.DrawFn,
    clock: Clock,
    count: int,
    person_ids: tuple[str, ...],
    said: list[Statement],
    noise: st.SearchStrategy[Statement],
) -> tuple[Thread, ...]:
    """The statements spread over the messages of some threads, among statements about another meeting."""
    tags = [MeetingStatement(meeting=MEETING, statement=statement) for statement in said]
    tags += [
        MeetingStatement(meeting=OTHER_MEETING, statement=statement) for statement in draw(st.lists(noise, max_size=3))
    ]
    messages: list[list[tuple[datetime, list[MeetingStatement]]]] = [
        [(sent, []) for sent in sorted(draw(st.lists(moments(clock, -15, 0), min_size=1, max_size=3)))]
        for _ in range(count)
    ]
    for tag in draw(st.permutations(tags)):
        draw(st.sampled_from(draw(st.sampled_from(messages))))[1].append(tag)
    numbers = draw(st.permutations(range(1, count + 1)))
    return tuple(
        Thread(
            thread_id=f"T{number:04}",
            channel="general",
            messages=tuple(
                Message(sent=sent, author=person_ids[0], text="Text", tags=tuple(tags)) for sent, tags in thread
            ),
        )
        for number, thread in zip(numbers, messages, strict=True)
    )


@st.composite
def cases(draw: st.DrawFn, level: Level, theme: Theme | None = None) -> GeneratedCase:
    """A world and an instance of a level that resolve to a problem.

    With a theme, people talk of nothing else, and the rest is plain: a window of two whole days, short meetings,
    no policy unless somebody calls for it. The theme then decides what is feasible.
    """
    clock = draw(clocks())
    people = _people(draw(st.integers(1, 4)) if theme is None else 3)
    person_ids = tuple(person.person_id for person in people)
    anchor = draw(st.sampled_from(person_ids))
    with_calendar = [person_id for person_id in person_ids if draw(st.integers(0, 7))]
    calendars = tuple(
        Calendar(person_id=person_id, events=draw(events(clock, f"event-{person_id}", 4)))
        for person_id in with_calendar
    )
    documents = _documents([draw(st.lists(rules(), min_size=1, max_size=2)) for _ in range(draw(st.integers(1, 3)))])
    policy_ids = tuple(
        section.policy_id for document in documents for section in document.sections if section.policy_id is not None
    )
    needed = needed_statements(clock, person_ids, anchor)
    topics = themes(clock, person_ids, anchor, policy_ids, calendars)
    anything = st.one_of(list(topics.values()))
    said: list[Statement]
    if theme is None:
        discussed = st.one_of(draw(st.lists(st.sampled_from(list(topics.values())), min_size=1, max_size=2)))
        said = [draw(statement) for statement in needed]
        said += [CallPolicy(policy_id=policy_id) for policy_id in policy_ids if draw(st.booleans())]
        said += [draw(discussed) for _ in range(draw(st.sampled_from((4, 2, 3, 5, 7, 1, 0))))]
    else:
        _, option_count, _, participants = needed
        discussed = topics[theme]
        said = [
            Duration(minutes=draw(st.sampled_from((30, 15, 60)))),
            draw(option_count),
            Window(start=clock.at(0), end=clock.at(2 * DAY)),
            draw(participants),
            *(draw(discussed) for _ in range(draw(st.integers(1, 5)))),
        ]
    in_task = [bool(draw(st.integers(0, 1))) for _ in said]
    thread_count = draw(st.integers(1, 3))
    threads = draw(
        _threads(
            clock,
            thread_count,
            person_ids,
            [statement for statement, in_text in zip(said, in_task, strict=True) if not in_text],
            discussed,
        )
    )
    unread = Thread(
        thread_id="T9999",
        channel="general",
        messages=(
            Message(
                sent=clock.at(0),
                author=person_ids[0],
                text="Nobody refers to this thread.",
                tags=(MeetingStatement(meeting=MEETING, statement=draw(anything)),),
            ),
        ),
    )
    rooms, room_calendars = draw(_rooms(clock, (4, 3) if theme else (4, 3, 4, 3, 2, 1, 0))) if level == 3 else ((), ())
    world = World(
        generator_version="0",
        seed=0,
        level=level,
        timezone=clock.zone.key,
        period=Period(start=clock.at(-DAY), end=clock.at(7 * DAY)),
        people=people,
        calendars=calendars,
        documents=documents,
        threads=(*threads, unread),
        rooms=rooms,
        room_calendars=room_calendars,
    )
    instance = Instance(
        generator_version="0",
        seed=0,
        instance_id=f"level{level}-000",
        level=level,
        meeting=MEETING,
        task=("Task", "Task", "Task"),
        references=References(
            statements=tuple(
                draw(st.permutations([statement for statement, in_text in zip(said, in_task, strict=True) if in_text]))
            ),
            threads=tuple(draw(st.permutations([thread.thread_id for thread in threads]))),
        ),
    )
    return GeneratedCase(world, instance)


def cases_of_any_level() -> st.SearchStrategy[GeneratedCase]:
    """A world and an instance of level 1, 2 or 3 that resolve to a problem."""
    levels: tuple[Level, ...] = (1, 2, 3)
    return st.sampled_from(levels).flatmap(cases)


@st.composite
def broken_cases(draw: st.DrawFn) -> GeneratedCase:
    """A case with one kind of statement left out, or with a reference to an unknown record; may still resolve."""
    world, instance = draw(cases_of_any_level())
    references = instance.references
    damage = draw(st.sampled_from(("kind", "person", "policy", "thread", "event", "participants")))
    if damage == "kind":
        kind = draw(st.sampled_from(("duration", "option_count", "window", "participants", "ranking")))
        return GeneratedCase(*_without(world, instance, lambda statement: statement.kind == kind))
    if damage == "thread":
        changed = references.model_copy(update={"threads": (*references.threads, "T0000")})
    else:
        person_id = draw(st.sampled_from([person.person_id for person in world.people]))
        unknown: dict[str, Statement] = {
            "person": AddParticipant(person_id="p999"),
            "policy": CallPolicy(policy_id="POL-99"),
            "event": AfterEvent(person_id=person_id, event_id="no such event"),
            "participants": RemoveParticipant(person_id=person_id),
        }
        place = draw(st.integers(0, len(references.statements)))
        statements = (*references.statements[:place], unknown[damage], *references.statements[place:])
        changed = references.model_copy(update={"statements": statements})
    return GeneratedCase(world, instance.model_copy(update={"references": changed}))


def _without(world: World, instance: Instance, unwanted: Callable[[Statement], bool]) -> tuple[World, Instance]:
    threads = tuple(
        thread.model_copy(
            update={
                "messages": tuple(
                    message.model_copy(
                        update={"tags": tuple(tag for tag in message.tags if not unwanted(tag.statement))}
                    )
                    for message in thread.messages
                )
            }
        )
        for thread in world.threads
    )
    statements = tuple(statement for statement in instance.references.statements if not unwanted(statement))
    references = instance.references.model_copy(update={"statements": statements})
    return (
        world.model_copy(update={"threads": threads}),
        instance.model_copy(update={"references": references}),
    )


def as_json(case: GeneratedCase) -> tuple[dict[str, Any], dict[str, Any]]:
    """The pair as the data files hold it."""
    return case.world.model_dump(mode="json"), case.instance.model_dump(mode="json")
