"""Statements and records are joined: later ones win, hidden and unsaid ones do not count."""

from collections.abc import Callable

import pytest

from mpcbench.oracle import Problem, StatementKey, UnresolvedError, resolve
from mpcbench.oracle.interval import to_minutes
from mpcbench.oracle.problem import Busy, EndsBy, Inside, Outside, StartsFrom
from mpcbench.oracle.resolve import statements
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanWindow,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    Instance,
    MeetingStatement,
    Message,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Ranking,
    References,
    RemoveParticipant,
    RequiredWindow,
    Site,
    Source,
    Statement,
    Thread,
    TieBreak,
    TieBreakKey,
    Window,
    World,
)
from mpcbench.schema.interval import Interval
from unit_tests.builders import tiny
from unit_tests.builders.tiny import MEETING, at


def thread(thread_id: str, *messages: tuple[str, tuple[Statement, ...]], meeting: str = MEETING) -> Thread:
    """A thread of messages: a time of 20 January 2027 and what is said about a meeting."""
    return Thread(
        thread_id=thread_id,
        channel="general",
        messages=tuple(
            Message(
                sent=at(f"2027-01-20 {time}"),
                author="p001",
                text="Text",
                tags=tuple(MeetingStatement(meeting=meeting, statement=statement) for statement in said),
            )
            for time, said in messages
        ),
    )


def world(*threads: Thread) -> World:
    """The tiny world of level 3 with other threads."""
    return tiny.world(3).model_copy(update={"threads": threads})


def instance(*said: Statement, threads: tuple[str, ...] = ()) -> Instance:
    """An instance whose task says what is needed, then more."""
    references = References(statements=(*tiny.NEEDED, *said), threads=threads)
    return tiny.instance(3).model_copy(update={"references": references})


def resolved(*said: Statement) -> Problem:
    return resolve(world(), instance(*said))


def span(start: str, end: str) -> Interval:
    """An interval of 8 February 2027, local."""
    return Interval(to_minutes(at(f"2027-02-08 {start}")), to_minutes(at(f"2027-02-08 {end}")))


def test_statements_come_in_the_order_they_were_made() -> None:
    """The task comes first, then messages by time, thread ID and place; other meetings' statements do not count."""
    spoken = world(
        thread("T0002", ("10:00", (Duration(minutes=30), Guests(count=1))), ("10:30", (Duration(minutes=45),))),
        thread("T0001", ("10:00", (Duration(minutes=90),)), ("10:00", (Duration(minutes=75),))),
        thread("T0003", ("12:00", (Duration(minutes=15),)), meeting="Heron pricing workshop"),
        thread("T0004", ("12:00", (Duration(minutes=105),))),
    )
    asked = instance(threads=("T0003", "T0002", "T0001"))
    located = statements(spoken, asked)

    assert [StatementKey(None, 0, place) for place in range(len(tiny.NEEDED))] == [
        item.key for item in located[: len(tiny.NEEDED)]
    ]
    assert [
        StatementKey("T0001", 0, 0),
        StatementKey("T0001", 1, 0),
        StatementKey("T0002", 0, 0),
        StatementKey("T0002", 0, 1),
        StatementKey("T0002", 1, 0),
    ] == [item.key for item in located[len(tiny.NEEDED) :]]
    assert 45 == resolve(spoken, asked).duration


@pytest.mark.parametrize(
    ("early", "late", "value", "expected"),
    [
        (Duration(minutes=15), Duration(minutes=30), lambda problem: problem.duration, 30),
        (OptionCount(count=5), OptionCount(count=4), lambda problem: problem.count, 4),
        (Ranking(order=Order.LATEST), Ranking(order=Order.EARLIEST), lambda problem: problem.order, Order.EARLIEST),
        (Guests(count=9), Guests(count=1), lambda problem: problem.rooms and problem.rooms.seats, 3),
        (Site(site="Hill"), Site(site="Harbour"), lambda problem: problem.rooms and problem.rooms.site, "Harbour"),
        (
            TieBreak(keys=(TieBreakKey.NAME_ASCENDING,)),
            TieBreak(keys=(TieBreakKey.FLOOR_ASCENDING,)),
            lambda problem: problem.tie_break,
            (TieBreakKey.FLOOR_ASCENDING,),
        ),
        (
            Deadline(at=at("2027-02-08 12:00")),
            Deadline(at=at("2027-02-08 11:00")),
            lambda problem: [item.rule for item in problem.constraints if isinstance(item.rule, EndsBy)],
            [EndsBy(span("11:00", "12:00").start)],
        ),
        (
            NotBefore(at=at("2027-02-08 12:00")),
            NotBefore(at=at("2027-02-08 11:00")),
            lambda problem: [item.rule for item in problem.constraints if isinstance(item.rule, StartsFrom)],
            [StartsFrom(span("11:00", "12:00").start)],
        ),
        (
            Window(start=at("2027-02-08 09:00"), end=at("2027-02-08 10:00")),
            Window(start=at("2027-02-08 11:00"), end=at("2027-02-08 12:00")),
            lambda problem: (problem.window, problem.daily),
            (span("11:00", "12:00"), None),
        ),
        (
            Participants(person_ids=("p001",)),
            Participants(person_ids=("p003", "p002", "p003")),
            lambda problem: problem.participants,
            ("p003", "p002"),
        ),
    ],
)
def test_later_scalar_wins(
    early: Statement, late: Statement, value: Callable[[Problem], object], expected: object
) -> None:
    """Of two statements of one scalar the later counts, wherever they are made."""
    spoken = world(thread("T0001", ("10:00", (early,)), ("11:00", (late,))))

    assert expected == value(resolved(early, late))
    assert expected == value(resolve(spoken, instance(threads=("T0001",))))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((), ("p001", "p002")),
        ((AddParticipant(person_id="p003"),), ("p001", "p002", "p003")),
        ((AddParticipant(person_id="p001"),), ("p001", "p002")),
        ((RemoveParticipant(person_id="p001"),), ("p002",)),
        ((RemoveParticipant(person_id="p003"),), ("p001", "p002")),
        ((RemoveParticipant(person_id="p001"), AddParticipant(person_id="p001")), ("p002", "p001")),
        ((AddParticipant(person_id="p003"), Participants(person_ids=("p001",))), ("p001",)),
    ],
)
def test_participants_are_added_and_removed_in_order(said: tuple[Statement, ...], expected: tuple[str, ...]) -> None:
    """A new list of participants takes the place of what was said before it."""
    problem = resolved(*said)

    assert expected == problem.participants
    assert [f"calendar:{person}" for person in expected] == [
        item.records[0] for item in problem.constraints if isinstance(item.rule, Busy)
    ]


def test_people_cannot_change_before_there_is_a_list() -> None:
    """Nobody can be added to, or removed from, a list that was never made."""
    said = (AddParticipant(person_id="p003"), RemoveParticipant(person_id="p001"), *tiny.NEEDED)
    asked = tiny.instance(3).model_copy(update={"references": References(statements=said, threads=())})

    assert ("p001", "p002") == resolve(world(), asked).participants


def test_bans_add_up_and_required_windows_are_alternatives() -> None:
    """Each ban is a constraint of its own; required windows make one constraint, with the records of all."""
    bans = tuple(BanWindow(start=at(f"2027-02-08 {h}:00"), end=at(f"2027-02-08 {h}:30")) for h in ("10", "12"))
    required = tuple(RequiredWindow(start=at(f"2027-02-08 {h}:00"), end=at(f"2027-02-08 {h}:45")) for h in ("09", "14"))
    spoken = world(
        thread("T0001", ("10:00", (bans[0], required[0]))), thread("T0002", ("11:00", (required[1], bans[1])))
    )
    found = [
        (item.kind, item.records, item.rule)
        for item in resolve(spoken, instance(threads=("T0001", "T0002"))).constraints
        if item.source is Source.THREADS
    ]

    assert [
        ("ban_window", ("thread:T0001",), Outside(span("10:00", "10:30"))),
        ("ban_window", ("thread:T0002",), Outside(span("12:00", "12:30"))),
        (
            "required_window",
            ("thread:T0001", "thread:T0002"),
            Inside((span("09:00", "09:45"), span("14:00", "14:45"))),
        ),
    ] == found


def test_what_the_task_says_has_no_record() -> None:
    """A constraint of the task text names the task."""
    found = resolved(Deadline(at=at("2027-02-08 12:00"))).constraints[-1]

    assert ("deadline", ("task",)) == (found.kind, found.records)


def test_policy_called_twice_applies_once() -> None:
    """Policies are called by ID; those that nobody calls do not apply."""
    once = [item for item in resolved().constraints if item.source is Source.POLICY]

    assert ["work_hours", "buffer_min"] == [item.kind for item in once]
    assert once == [
        item for item in resolved(CallPolicy(policy_id="POL-01")).constraints if item.source is Source.POLICY
    ]


def test_equipment_adds_up() -> None:
    """Every item that was ever asked for is needed."""
    rooms = resolved(Equipment(items=("video",)), Equipment(items=("projector", "video"))).rooms
    assert rooms is not None

    assert {"video", "projector"} == rooms.equipment


def test_turnaround_constrains_the_room() -> None:
    """A policy's turnaround is no constraint on the slot."""
    problem = resolved(CallPolicy(policy_id="POL-02"))
    assert problem.rooms is not None

    assert [(20, "policy:POL-02")] == [(item.minutes, item.record) for item in problem.rooms.turnarounds]
    assert "room_turnaround" not in {item.kind for item in problem.constraints}


def test_after_event_starts_at_its_end() -> None:
    """The event's end comes from the calendar, which is a record of the constraint too."""
    found = resolved(AfterEvent(person_id="p001", event_id="e2")).constraints[-1]

    assert StartsFrom(to_minutes(at("2027-02-08 15:20"))) == found.rule
    assert ("task", "calendar:p001") == found.records


def test_levels_without_rooms() -> None:
    """Below level 3 there is no room to find."""
    assert resolve(tiny.world(1), tiny.instance(1)).rooms is None


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        ("calendar:p001", lambda problem: problem.constraints[0].rule == Busy("p001", ())),
        ("person:p001", lambda problem: problem.participants == ("p002",)),
        ("policy:POL-01", lambda problem: not any(item.source is Source.POLICY for item in problem.constraints)),
        ("room:R01", lambda problem: [room.room_id for room in problem.rooms.rooms] == ["R02", "R03"]),
        ("room_calendar:R01", lambda problem: problem.rooms.rooms[0].bookings == ()),
        ("thread:T0001", lambda problem: problem.rooms.seats == 2 and len(problem.rooms.rooms) == 3),
        ("no such record", lambda problem: problem.rooms.seats == 11),
    ],
)
def test_hidden_records(hidden: str, expected: Callable[[Problem], bool]) -> None:
    """A hidden record counts as never seen."""
    spoken = world(thread("T0001", ("10:00", (Guests(count=9),))))
    asked = instance(threads=("T0001",))

    assert expected(resolve(spoken, asked, hidden={hidden}))
    assert hidden == "no such record" or not expected(resolve(spoken, asked))


@pytest.mark.parametrize("hidden", ["calendar:p003", "person:p003"])
def test_event_of_hidden_calendar_is_unknown(hidden: str) -> None:
    """Without the calendar or the person, the end of the event is unknown."""
    calendar = tiny.CALENDARS[1].model_copy(update={"person_id": "p003"})
    seen = tiny.world(3).model_copy(update={"calendars": (calendar,)})
    asked = instance(AfterEvent(person_id="p003", event_id="e3"))

    assert "after_event" in {item.kind for item in resolve(seen, asked).constraints}
    assert "after_event" not in {item.kind for item in resolve(seen, asked, hidden={hidden}).constraints}


def test_unsaid_statement() -> None:
    """Leaving the later statement out makes the earlier one count again."""
    spoken = world(thread("T0001", ("10:00", (Duration(minutes=90),)), ("11:00", (Duration(minutes=45),))))
    asked = instance(threads=("T0001",))

    assert 90 == resolve(spoken, asked, unsaid={StatementKey("T0001", 1, 0)}).duration
    assert 45 == resolve(spoken, asked, unsaid={StatementKey("T0001", 0, 0)}).duration
    with pytest.raises(UnresolvedError, match="nothing states the window"):
        resolve(spoken, asked, unsaid={StatementKey(None, 0, 1)})


@pytest.mark.parametrize("missing", [Duration, OptionCount, Window, Participants])
def test_needed_statements(missing: type[Statement]) -> None:
    """A missing required statement is named."""
    said = tuple(statement for statement in tiny.NEEDED if not isinstance(statement, missing))
    asked = tiny.instance(3).model_copy(update={"references": References(statements=said, threads=())})
    kind = missing.model_fields["kind"].default
    with pytest.raises(UnresolvedError) as caught:
        resolve(world(), asked)

    assert f"level3-000: nothing states the {kind}" == str(caught.value)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (AddParticipant(person_id="p999"), "no person 'p999'"),
        (CallPolicy(policy_id="POL-99"), "no policy 'POL-99'"),
        (AfterEvent(person_id="p001", event_id="e3"), "no event 'e3' in the calendar of 'p001'"),
        (AfterEvent(person_id="p999", event_id="e3"), "no event 'e3' in the calendar of 'p999'"),
    ],
)
def test_unknown_records(said: Statement, expected: str) -> None:
    """A statement about what the world does not hold is refused."""
    with pytest.raises(UnresolvedError) as caught:
        resolved(said)

    assert f"level3-000: {expected}" == str(caught.value)


def test_unknown_thread() -> None:
    """A reference to a thread that the world lacks is refused."""
    with pytest.raises(UnresolvedError, match="level3-000: no thread 'T9999'"):
        resolve(world(), instance(threads=("T9999",)))


def test_last_participant_removed() -> None:
    """A meeting of nobody is refused."""
    with pytest.raises(UnresolvedError, match="nothing states the participants"):
        resolved(RemoveParticipant(person_id="p001"), RemoveParticipant(person_id="p002"))
