"""Single slips are named: one event overlooked, one candidate written down wrongly, one slot a day."""

from dataclasses import replace

import pytest

from mpcbench.evaluation.diagnosis.mistakes.records import shifted
from mpcbench.evaluation.diagnosis.symptoms import symptoms
from mpcbench.oracle import Problem
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Busy
from mpcbench.oracle.solve import Choice, gold_choices, room_rank
from mpcbench.schema.episode import Violation, WrongCandidate
from mpcbench.schema.model import MINUTES_PER_DAY, Level
from unit_tests.evaluation.diagnosis.planted import (
    alternatives,
    dataset,
    diagnosed,
    episode,
    frame,
    instances,
    problem_of,
)


def without_an_event(problem: Problem) -> list[Problem]:
    """The problem without each single event."""
    found = []
    for constraint in problem.constraints:
        if isinstance(constraint.rule, Busy):
            for event in constraint.rule.events:
                rule = replace(constraint.rule, events=tuple(one for one in constraint.rule.events if one != event))
                changed = [replace(one, rule=rule) if one is constraint else one for one in problem.constraints]
                found.append(replace(problem, constraints=tuple(changed)))
    return found


@pytest.mark.parametrize("level", [1, 2])
def test_overlooked_event_is_named(level: Level) -> None:
    """Where one event is overlooked, the evidence is that event, and not its whole calendar."""
    seen = 0
    for instance in instances(level, 25):
        problem = problem_of(instance)
        gold = gold_choices(problem)
        for other in without_an_event(problem):
            choices = gold_choices(other)
            if {*choices} != {*gold}:
                found = diagnosed(instance, choices)
                seen += 1

                assert {"integration.record_overlooked:event"} in alternatives(found.causes) or {
                    "integration.constraint_omitted:buffer_min"
                } in alternatives(found.causes)
    assert seen > 5


def test_candidate_a_day_late_is_a_slip() -> None:
    """The gold with one candidate a day off, which breaks a condition, is a slip of a day."""
    slips = 0
    for instance in instances(1, 10):
        gold = gold_choices(problem_of(instance))
        last = gold[-1]
        late = [*gold[:-1], last._replace(start=last.start + MINUTES_PER_DAY, end=last.end + MINUTES_PER_DAY)]
        slips += {"integration.candidate_slip:day"} in alternatives(diagnosed(instance, late).causes)

    assert slips > 5


def test_first_rooms_booked_or_not() -> None:
    """The right slots with the first suitable rooms, of which some are booked, ignore bookings."""
    seen = 0
    for instance in instances(3, 5):
        problem = problem_of(instance)
        assert problem.rooms is not None
        rooms = [room for room in problem.rooms.rooms if problem.rooms.suits(room)]
        names = [name for _, name in sorted((room_rank(room, problem.tie_break), room.room_id) for room in rooms)]
        gold = gold_choices(problem)
        starts = [one.start for one in gold]
        choices = [one._replace(room_id=names[starts[:place].count(one.start)]) for place, one in enumerate(gold)]
        if sum(one not in gold for one in choices) > 1:
            reasons = {reason for some in alternatives(diagnosed(instance, choices).causes) for reason in some}
            seen += "integration.constraint_omitted:bookings" in reasons

    assert seen > 5


def test_bookings_of_two_rooms_mixed_up() -> None:
    """Where the bookings of two rooms are mixed up, they are named as misread."""
    misread = 0
    for instance in instances(3, 5):
        problem = problem_of(instance)
        assert problem.rooms is not None
        one, *_, other = (room for room in problem.rooms.rooms if problem.rooms.suits(room))
        mixed = {
            one.room_id: replace(one, bookings=other.bookings),
            other.room_id: replace(other, bookings=one.bookings),
        }
        swapped = tuple(mixed.get(room.room_id, room) for room in problem.rooms.rooms)
        choices = gold_choices(replace(problem, rooms=replace(problem.rooms, rooms=swapped)))
        found = alternatives(diagnosed(instance, choices).causes)
        misread += {"integration.record_misread:booking"} in found

    assert misread > 2


def test_another_duration_is_certain_whatever_else() -> None:
    """Candidates that end before they start have another duration than asked for, even if nothing explains them."""
    instance = instances(1)[0]
    turned = [one._replace(start=one.end, end=one.start) for one in gold_choices(problem_of(instance))]

    assert [{"integration.value_wrong:duration"}] == alternatives(diagnosed(instance, turned).causes)


def test_symptoms_name_what_is_broken() -> None:
    """One wrong candidate among right ones is observed first, then the condition that it breaks, with its record."""
    instance = instances(1)[0]
    exam = dataset().exam(instance.instance_id)
    gold = gold_choices(problem_of(instance))
    wrong = Choice(gold[0].start - 60, gold[0].end - 60, None)
    violation = Violation(
        kind="busy", message="overlaps an event", records=("calendar:p001",), values={}, seen=True, unseen=()
    )
    found = episode(instance, [wrong, *gold[1:]])
    assert found.answer is not None
    one = WrongCandidate(
        place=1, start=found.answer[0].start, end=found.answer[0].end, room_id=None, violations=(violation,)
    )
    actual = symptoms(found.model_copy(update={"violations": (one,)}), exam.label.gold, {"calendar:p001": 3})

    assert ["observed.one_wrong", "observed.condition_broken:busy"] == [cause.reason for cause in actual]
    assert [("calendar:p001", 3)] == [(evidence.record, evidence.tool_call) for evidence in actual[1].evidence]
    assert all(cause.stage is None for cause in actual)


@pytest.mark.parametrize("hours", [-12, -1, 1, 12])
def test_calendar_some_hours_off_is_its_events_moved(hours: int) -> None:
    """Shifting what is painted of a calendar keeps the same candidates clear as painting the moved events."""
    for instance in instances(2, 25):
        whole = frame(instance)
        for record in (f"calendar:{person}" for person in whole.persons):
            moved = whole.painted(
                Interval(one.start + 60 * hours, one.end + 60 * hours) for one in whole.events(record)
            )

            assert whole.clear(moved, 60, 60) == whole.clear(shifted(whole.taken(record), 60 * hours), 60, 60)
