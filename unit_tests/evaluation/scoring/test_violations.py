"""A candidate breaks nothing if and only if the oracle finds it feasible, and each reason names its values."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from pydantic import JsonValue

from mpcbench.evaluation.scoring.resolved import ResolvedInstance
from mpcbench.evaluation.scoring.score import Proposal, proposal_key
from mpcbench.evaluation.scoring.violations import MAX_DETAILED, broken, violations
from mpcbench.oracle import Problem, resolve, solve
from mpcbench.oracle.interval import to_datetime
from mpcbench.schema import Candidate
from mpcbench.schema.episode import AnswerCandidate, Violation, WrongCandidate
from mpcbench.schema.model import Level
from unit_tests.builders import tiny
from unit_tests.examples import examples
from unit_tests.marks import UNTRACED
from unit_tests.strategies import cases


def ranking(problem: Problem) -> tuple[Candidate, ...]:
    """Every feasible candidate, in order."""
    return solve(replace(problem, count=1_000_000)).gold


@st.composite
def proposals(draw: st.DrawFn, problem: Problem, feasible: tuple[Candidate, ...]) -> AnswerCandidate:
    """Feasible candidates, near misses of them, and slots in and around the window."""
    rooms = [room.room_id for room in problem.rooms.rooms] if problem.rooms else []
    room = draw(st.sampled_from([*rooms, *rooms, "R99", None])) if problem.rooms else None
    seconds = draw(st.sampled_from([0] * 8 + [30]))
    longer = draw(st.sampled_from([0] * 8 + [-15, 15, 1, 3000]))
    near_miss = bool(feasible) and draw(st.sampled_from([True, False]))
    if near_miss:
        near = feasible[draw(st.integers(0, len(feasible) - 1))]
        shift = draw(st.sampled_from([0, 0, -15, 15, 1]))
        start = near.start.astimezone(UTC) + timedelta(minutes=shift, seconds=seconds)
        room = draw(st.sampled_from([near.room_id, room]))
    else:
        length = problem.window.end - problem.window.start
        quarters = st.integers(-8, length // 15 + 8).map(lambda quarter: quarter * 15)
        minutes = draw(st.one_of(quarters, quarters, st.integers(-120, length + 120)))
        start = to_datetime(problem.window.start + minutes, UTC) + timedelta(seconds=seconds)
    end = start + timedelta(minutes=problem.duration + longer)
    return AnswerCandidate(start.astimezone(problem.zone), end.astimezone(problem.zone), room)


@UNTRACED
@pytest.mark.parametrize("level", [1, 2, 3])
def test_candidate_breaks_nothing_exactly_if_feasible(level: Level) -> None:
    """No constraint is broken if and only if the candidate is in the oracle's feasible set."""

    @examples(50)
    @given(cases(level), st.data())
    def check(case: tuple[Any, Any], data: st.DataObject) -> None:
        problem = resolve(*case)
        everything = ranking(problem)
        feasible = {proposal_key(candidate) for candidate in everything}
        looked_up = ResolvedInstance(*case, problem)
        for _ in range(15):
            candidate = data.draw(proposals(problem, everything))
            expected = proposal_key(candidate) in feasible
            event("feasible" if expected else "infeasible")
            actual = not broken(looked_up, candidate)

            assert expected == actual

    check()


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_feasible_candidate_knows_its_rank(level: Level) -> None:
    """What is feasible but not gold is wrong for its rank alone, and the rank is its place in the full order."""

    @examples(30)
    @given(cases(level))
    def check(case: tuple[Any, Any]) -> None:
        problem = resolve(*case)
        everything = ranking(problem)
        beyond = everything[problem.count :][:20]
        found = violations(ResolvedInstance(*case, problem), beyond, everything[: problem.count], None)
        expected = [(rank, len(everything)) for rank in range(problem.count + 1, problem.count + 1 + len(beyond))]
        actual = [
            (one.violations[0].values["rank"], one.violations[0].values["feasible"])
            for one in found
            if one.place is not None
        ]

        assert expected == actual

    check()


def wrong(level: Level, *candidates: Proposal, shown: tuple[str, ...] | None = ()) -> tuple[WrongCandidate, ...]:
    world, instance = tiny.world(level), tiny.instance(level)
    case = ResolvedInstance(world, instance, resolve(world, instance))
    return violations(case, candidates, tiny.label(level).gold, shown)


def slot(start: str, end: str, room_id: str | None = None) -> AnswerCandidate:
    return AnswerCandidate(tiny.at(start), tiny.at(end), room_id)


def of_kind(kind: str, level: Level, candidate: Proposal, shown: tuple[str, ...] | None = ()) -> Violation:
    (found,) = [one for one in wrong(level, candidate, shown=shown)[0].violations if one.kind == kind]
    return found


@pytest.mark.parametrize(
    ("level", "candidate", "kind", "message", "records", "values"),
    [
        (
            1,
            slot("2027-02-08 14:45", "2027-02-08 15:45"),
            "busy",
            "overlaps Priya Nair (p001)'s 'Supplier audit' (Mon 2027-02-08 14:00-15:20)",
            ["calendar:p001"],
            {
                "events": [
                    {
                        "calendar": "calendar:p001",
                        "title": "Supplier audit",
                        "start": "2027-02-08T14:00:00+01:00",
                        "end": "2027-02-08T15:20:00+01:00",
                    }
                ]
            },
        ),
        (
            1,
            slot("2027-02-08 13:00", "2027-02-08 13:55"),
            "buffer_min",
            (
                "leaves 0 minutes to Sam Carter (p002)'s '1:1' (Mon 2027-02-08 12:00-13:00), "
                "Priya Nair (p001)'s 'Supplier audit' (Mon 2027-02-08 14:00-15:20), where 10 are asked for"
            ),
            ["policy:POL-01", "calendar:p002", "calendar:p001"],
            None,
        ),
        (
            1,
            slot("2027-02-08 16:30", "2027-02-08 17:30"),
            "work_hours",
            "does not lie inside 09:00-17:00 on Mon, Tue, Wed, Thu, Fri",
            ["policy:POL-01"],
            {"hours": "09:00-17:00", "days": [0, 1, 2, 3, 4]},
        ),
        (
            2,
            slot("2027-02-09 10:15", "2027-02-09 11:15"),
            "ban_dow_time",
            "overlaps 09:00-10:30 on Tue",
            ["policy:POL-03"],
            {"hours": "09:00-10:30", "days": [1]},
        ),
        (
            2,
            slot("2027-02-08 10:45", "2027-02-08 11:45"),
            "ban_window",
            "overlaps the banned span Mon 2027-02-08 10:00-11:00",
            ["thread:T0001"],
            {"start": "2027-02-08T10:00:00+01:00", "end": "2027-02-08T11:00:00+01:00"},
        ),
        (
            3,
            slot("2027-02-09 15:15", "2027-02-09 16:15", "R03"),
            "required_window",
            "does not lie inside Mon 2027-02-08 08:00 to Tue 2027-02-09 16:00",
            ["thread:T0001"],
            {"spans": [{"start": "2027-02-08T08:00:00+01:00", "end": "2027-02-09T16:00:00+01:00"}]},
        ),
        (
            3,
            slot("2027-02-09 18:15", "2027-02-09 19:15", "R03"),
            "deadline",
            "ends after the deadline Tue 2027-02-09 19:00",
            ["thread:T0001"],
            {"at": "2027-02-09T19:00:00+01:00"},
        ),
        (
            3,
            slot("2027-02-08 08:15", "2027-02-08 09:15", "R03"),
            "not_before",
            "starts before Mon 2027-02-08 08:30",
            ["thread:T0001"],
            {"at": "2027-02-08T08:30:00+01:00"},
        ),
        (
            3,
            slot("2027-02-08 09:45", "2027-02-08 10:45", "R03"),
            "after_event",
            "starts before Mon 2027-02-08 10:00, when Priya Nair (p001)'s 'Design review' has ended",
            ["thread:T0001", "calendar:p001"],
            {"at": "2027-02-08T10:00:00+01:00"},
        ),
        (
            1,
            slot("2027-02-10 10:15", "2027-02-10 11:15"),
            "window",
            "does not lie inside the window Mon 2027-02-08 08:00 to Tue 2027-02-09 20:00",
            ["task"],
            {"start": "2027-02-08T08:00:00+01:00", "end": "2027-02-09T20:00:00+01:00"},
        ),
        (
            1,
            slot("2027-02-08 17:30", "2027-02-08 18:30"),
            "daily_hours",
            "does not lie inside the window's daily hours 08:00-18:00",
            ["task"],
            {"hours": "08:00-18:00"},
        ),
        (
            1,
            slot("2027-02-08 10:30:10", "2027-02-08 11:30:10"),
            "off_grid",
            "starts at Mon 2027-02-08 10:30:10, not at :00, :15, :30 or :45",
            [],
            {"start": "2027-02-08T10:30:10+01:00"},
        ),
        (
            1,
            slot("2027-02-08 10:15", "2027-02-08 10:45"),
            "duration",
            "lasts 30 minutes, where 60 minutes are asked for",
            ["task"],
            {"minutes": 30.0, "required": 60},
        ),
        (
            1,
            slot("2027-02-08 11:15", "2027-02-08 10:15"),
            "duration",
            "does not end after it starts, where 60 minutes are asked for",
            ["task"],
            {"minutes": -60.0, "required": 60},
        ),
        (3, slot("2027-02-08 15:30", "2027-02-08 16:30"), "room_missing", "names no room", [], {}),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "R\x1b9"),
            "room_unknown",
            r"no room has the ID 'R\x1b9'",
            [],
            {"room_id": "R\x1b9"},
        ),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "BIRCH"),
            "room_unknown",
            "'BIRCH' is the name of R02: the ID is needed",
            [],
            {"room_id": "BIRCH"},
        ),
        (
            1,
            slot("2027-02-08 10:15", "2027-02-08 11:15", "R01"),
            "room_unknown",
            "names a room where none is asked for",
            [],
            {"room_id": "R01"},
        ),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "R02"),
            "capacity",
            "room Birch seats 4, fewer than the 3 participants and 2 guests",
            ["room:R02", "task", "thread:T0001"],
            {"capacity": 4, "participants": 3, "guests": 2},
        ),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "R02"),
            "equipment",
            "room Birch has no projector",
            ["room:R02", "thread:T0001"],
            {"lacking": ["projector"]},
        ),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "R02"),
            "site",
            "room Birch is at Hill, not at Harbour",
            ["room:R02", "thread:T0001"],
            {"site": "Hill", "required": "Harbour"},
        ),
        (
            3,
            slot("2027-02-08 15:30", "2027-02-08 16:30", "R01"),
            "bookings",
            "overlaps room Ash's 'Board' (Mon 2027-02-08 15:00-16:00)",
            ["room_calendar:R01"],
            None,
        ),
        (
            3,
            slot("2027-02-08 16:15", "2027-02-08 17:15", "R01"),
            "room_turnaround",
            "leaves 15 minutes to room Ash's 'Board' (Mon 2027-02-08 15:00-16:00), where 20 are asked for",
            ["policy:POL-02", "room_calendar:R01"],
            None,
        ),
        (
            3,
            slot("2027-02-08 12:30", "2027-02-08 13:30", "R01"),
            "lunch_block",
            "overlaps 12:00-13:00 on Mon, Tue, Wed, Thu, Fri",
            ["policy:POL-02"],
            None,
        ),
        (
            3,
            slot("2027-02-09 15:00", "2027-02-09 16:00", "R03"),
            "ranking",
            (
                "breaks no constraint, but ranks 27 of 27 (earliest start first, then capacity descending); "
                "the first 2 are asked for"
            ),
            ["thread:T0001"],
            {"rank": 27, "feasible": 27, "count": 2, "order": "earliest"},
        ),
    ],
)
def test_violation_names_records_and_values(
    level: Level,
    candidate: Proposal,
    kind: str,
    message: str,
    records: list[str],
    values: dict[str, JsonValue] | None,
) -> None:
    """Each kind of violation says in words and in fields what was broken, by how much, and where it is."""
    actual = of_kind(kind, level, candidate)

    assert message == actual.message
    assert records == list(actual.records)
    assert values is None or values == actual.values


@pytest.mark.parametrize(
    ("shown", "seen", "unseen"),
    [
        (None, None, ()),
        ((), False, ("policy:POL-01", "calendar:p001")),
        (("calendar:p001",), False, ("policy:POL-01",)),
        (("calendar:p001", "policy:POL-01"), True, ()),
    ],
)
def test_violation_tells_what_had_been_seen(
    shown: tuple[str, ...] | None, seen: bool | None, unseen: tuple[str, ...]
) -> None:
    """A violation says whether tool results had shown its records, and which they had not."""
    actual = of_kind("buffer_min", 1, slot("2027-02-08 10:00", "2027-02-08 11:00"), shown)

    assert (seen, unseen) == (actual.seen, actual.unseen)


def test_task_text_counts_as_seen() -> None:
    """What the task itself says needs no tool result."""
    assert of_kind("duration", 1, slot("2027-02-08 10:15", "2027-02-08 10:45")).seen is True


def test_right_and_repeated_candidates_are_not_listed() -> None:
    """Only wrong candidates are listed, each once, with their place in the answer."""
    late = slot("2027-02-08 15:45", "2027-02-08 16:45")
    expected = [2]
    actual = [found.place for found in wrong(1, tiny.label(1).gold[0], late, late)]

    assert expected == actual


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (1, "the answer has 1 candidate where 2 are asked for"),
        (3, "the answer has 3 candidates where 2 are asked for"),
        (
            MAX_DETAILED + 7,
            f"the answer has {MAX_DETAILED + 7} candidates where 2 are asked for; 7 more wrong ones are not listed",
        ),
    ],
)
def test_wrong_number_of_candidates_is_said(given: int, message: str) -> None:
    """An answer of too few or too many candidates says so at the end, with the number of those left out."""
    start = tiny.at("2027-03-01 00:00")
    quarter, hour = timedelta(minutes=15), timedelta(hours=1)
    *details, whole = wrong(
        1, *(AnswerCandidate(start + number * quarter, start + number * quarter + hour) for number in range(given))
    )

    assert min(given, MAX_DETAILED) == len(details)
    assert whole.place is None
    assert message == whole.violations[0].message


def test_repetitions_are_counted() -> None:
    """Where candidates are repeated the number with repetitions is said too."""
    late = slot("2027-02-08 15:45", "2027-02-08 16:45")
    expected = "the answer has 1 candidate (2 with repetitions) where 2 are asked for"
    actual = wrong(1, late, late)[-1].violations[0].message

    assert expected == actual


def test_absurd_slots_take_no_time() -> None:
    """A slot of a thousand years is compared with the window and not with every day in it."""
    kinds = [one.kind for one in wrong(1, slot("1000-01-02 00:00", "2999-12-30 00:00"))[0].violations]

    assert kinds == ["duration", "window", "daily_hours"]


def test_long_slot_names_only_some_events() -> None:
    """A slot that overlaps many events names the first few and counts the others."""
    world, instance = tiny.world(1), tiny.instance(1)
    events = tuple(
        tiny.event(f"e{hour}", f"Call {hour}", f"2027-02-08 {hour}:00", f"2027-02-08 {hour}:30")
        for hour in range(10, 18)
    )
    calendars = (world.calendars[0].model_copy(update={"events": events}),)
    world = world.model_copy(update={"calendars": calendars})
    case = ResolvedInstance(world, instance, resolve(world, instance))
    (busy,) = [one for one in broken(case, slot("2027-02-08 10:00", "2027-02-08 18:00")) if one.kind == "busy"]

    assert "'Call 14'" in busy.message
    assert busy.message.endswith(" and 3 more")
    assert len(events) == len(busy.values["events"])  # type: ignore[arg-type]


def test_event_without_statement_is_still_named_by_its_calendar() -> None:
    """An `after_event` whose statement is not at hand names the calendar."""
    world, instance = tiny.world(3), tiny.instance(3)
    case = ResolvedInstance(world, instance.model_copy(update={"meeting": "Another"}), resolve(world, instance))
    (found,) = [
        one for one in broken(case, slot("2027-02-08 09:45", "2027-02-08 10:45", "R03")) if one.kind == "after_event"
    ]

    assert found.message.endswith("when an event of calendar:p001 has ended")


@pytest.mark.parametrize(
    ("level", "kind", "start", "nearer"),
    [
        (1, "busy", "2027-02-08 10:00", -1),
        (1, "busy", "2027-02-08 13:00", 1),
        (1, "buffer_min", "2027-02-08 15:30", -1),
        (1, "buffer_min", "2027-02-08 10:50", 1),
        (1, "work_hours", "2027-02-08 16:00", 1),
        (1, "window", "2027-02-09 19:00", 1),
        (1, "daily_hours", "2027-02-09 17:00", 1),
        (2, "ban_dow_time", "2027-02-09 10:30", -1),
        (2, "ban_window", "2027-02-08 11:00", -1),
        (3, "lunch_block", "2027-02-08 13:00", -1),
        (3, "required_window", "2027-02-09 15:00", 1),
        (3, "deadline", "2027-02-09 18:00", 1),
        (3, "not_before", "2027-02-08 08:30", -1),
        (3, "after_event", "2027-02-08 10:00", -1),
        (3, "bookings", "2027-02-08 16:00", -1),
        (3, "room_turnaround", "2027-02-08 16:20", -1),
        (3, "room_turnaround", "2027-02-08 13:40", 1),
    ],
)
def test_bounds_are_exact(level: Level, kind: str, start: str, nearer: int) -> None:
    """At its bound each constraint still holds, one second nearer it does not."""
    world, instance = tiny.world(level), tiny.instance(level)
    case = ResolvedInstance(world, instance, resolve(world, instance))
    room = "R01" if level == 3 else None

    def kinds(start: datetime) -> set[str]:
        return {one.kind for one in broken(case, AnswerCandidate(start, start + timedelta(hours=1), room))}

    assert kind not in kinds(tiny.at(start))
    assert kind in kinds(tiny.at(start) + timedelta(seconds=nearer))
