"""Mistakes made everywhere or turned round are found, as are two that each break another condition."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import pytest

from mpcbench.evaluation.diagnosis.choices import Blur
from mpcbench.oracle import Problem
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Buffer, Busy, Constraint, EndsBy, Inside, Outside, StartsFrom
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import Instance, Source
from mpcbench.schema.model import MINUTES_PER_DAY, Level
from unit_tests.evaluation.diagnosis.planted import alternatives, diagnosed, instances, problem_of

OTHERS = 8
"""Wrong answers of a mistake that are looked at."""

LEVELS: Final[tuple[Level, ...]] = (1, 2, 3)

LIMITS: Final = tuple(f"integration.value_wrong:{kind}" for kind in ("not_before", "deadline", "after_event"))

Mistake = Callable[[Problem], Problem | None]


def with_rules(problem: Problem, other: Callable[[Constraint], Constraint]) -> Problem:
    return replace(problem, constraints=tuple(map(other, problem.constraints)))


def events_read_as(blur: Blur) -> Mistake:
    def other(one: Constraint) -> Constraint:
        return (
            replace(one, rule=replace(one.rule, events=blur.of(one.rule.events))) if isinstance(one.rule, Busy) else one
        )

    return lambda problem: with_rules(problem, other)


def bookings_read_as(blur: Blur) -> Mistake:
    def read(problem: Problem) -> Problem | None:
        if problem.rooms is None:
            return None
        rooms = tuple(replace(room, bookings=blur.of(room.bookings)) for room in problem.rooms.rooms)
        return replace(problem, rooms=replace(problem.rooms, rooms=rooms))

    return read


def turned_round(problem: Problem) -> Problem | None:
    def other(one: Constraint) -> Constraint:
        match one.rule:
            case Outside(span=span):
                return replace(one, rule=Inside((span,)))
            case _:
                return one

    found = with_rules(problem, other)
    return found if sum(isinstance(one.rule, Outside) for one in problem.constraints) == 1 else None


def limits_an_hour_off(problem: Problem) -> Problem | None:
    def other(one: Constraint) -> Constraint:
        match one.rule:
            case StartsFrom(instant=instant):
                return replace(one, rule=StartsFrom(instant - 60))
            case EndsBy(instant=instant):
                return replace(one, rule=EndsBy(instant + 60))
            case _:
                return one

    limits = [one for one in problem.constraints if isinstance(one.rule, StartsFrom | EndsBy)]
    return with_rules(problem, other) if len(limits) == 1 else None


def any_of_the_equipment(problem: Problem) -> Problem | None:
    search = problem.rooms
    if search is None or len(search.equipment) < 2:
        return None
    rooms = tuple(
        replace(room, equipment=search.equipment if room.equipment & search.equipment else frozenset[str]())
        for room in search.rooms
    )
    return replace(problem, rooms=replace(search, rooms=rooms))


def another_item_in_place_of_one(problem: Problem) -> Problem | None:
    search = problem.rooms
    if search is None or not search.equipment:
        return None
    item = min(search.equipment)
    others = sorted({one for room in search.rooms for one in room.equipment} - search.equipment)
    rooms = tuple(
        replace(room, equipment=room.equipment | {item} if others[0] in room.equipment else room.equipment)
        for room in search.rooms
    )
    return replace(problem, rooms=replace(search, rooms=rooms))


def bookings_compared_with_starts(problem: Problem) -> Problem | None:
    found = bookings_read_as(Blur("later starts", problem.duration - 1, 0))(problem)
    return None if problem.rooms is None or problem.rooms.turnarounds else found


def turnaround_around_events(problem: Problem) -> Problem | None:
    search = problem.rooms
    if search is None or not search.turnarounds:
        return None
    buffer = Buffer(max(one.minutes for one in search.turnarounds))
    kept = Constraint(Source.POLICY, "buffer_min", (search.turnarounds[0].record,), buffer)
    return replace(problem, constraints=(*problem.constraints, kept), rooms=replace(search, turnarounds=()))


def first_week_only(problem: Problem) -> Problem | None:
    window = problem.window
    return replace(problem, window=Interval(window.start, window.start + 7 * MINUTES_PER_DAY))


def answers(level: Level, mistake: Mistake) -> Iterator[tuple[Instance, list[Choice]]]:
    """Full wrong answers of a mistake."""
    found = 0
    for instance in instances(level, 1):
        problem = problem_of(instance)
        other = mistake(problem)
        choices = [] if other is None else [*gold_choices(other)]
        if len(choices) == problem.count and {*choices} != {*gold_choices(problem)}:
            yield instance, choices
            found += 1
        if found == OTHERS:
            return


@pytest.mark.parametrize(
    ("level", "mistake", "expected"),
    [
        pytest.param(2, events_read_as(Blur("widened", 0, 0, 60)), "record_misread:event", id="widened"),
        pytest.param(1, events_read_as(Blur("an hour late", 60, 60)), "record_misread:event", id="an hour late"),
        pytest.param(
            3, bookings_read_as(Blur("half an hour early", -30, -30)), "record_misread:booking", id="bookings early"
        ),
        pytest.param(3, turned_round, "value_wrong:ban_window", id="ban as requirement"),
        pytest.param(2, limits_an_hour_off, "value_wrong", id="limit an hour off"),
        pytest.param(3, any_of_the_equipment, "equipment", id="any item"),
        pytest.param(3, another_item_in_place_of_one, "equipment", id="another item"),
        pytest.param(3, bookings_compared_with_starts, "starts_only:bookings", id="bookings by start"),
        pytest.param(3, turnaround_around_events, "room_turnaround", id="turnaround around events"),
        pytest.param(2, first_week_only, "value_wrong:window", id="first week"),
    ],
)
def test_mistake_is_found(level: Level, mistake: Mistake, expected: str) -> None:
    """Of the answers that hold an infeasible candidate, or of which a cause is claimed, most name the mistake."""
    named = told = 0
    for instance, choices in answers(level, mistake):
        found = alternatives(diagnosed(instance, choices).causes)
        told += found != [{"unexplained"}]
        named += any(expected in reason for reasons in found for reason in reasons)

    assert told > 0
    assert named > 0.5 * told


def test_shorter_options_looked_for_than_given() -> None:
    """Options of which the last quarter of an hour was never compared with anything have the right length, and clash."""
    named = told = 0
    for level in LEVELS:
        for instance, short in answers(level, lambda problem: replace(problem, duration=problem.duration - 15)):
            found = alternatives(diagnosed(instance, [one._replace(end=one.end + 15) for one in short]).causes)
            told += found != [{"unexplained"}]
            named += {"integration.value_wrong:duration"} in found

    assert named > 0.5 * told > 0


def test_two_mistakes_that_each_break_a_condition() -> None:
    """Events that are missed and a limit an hour off are found together, though little suggests the second."""
    narrowed, found = events_read_as(Blur("narrowed", 0, 0, 30, outwards=False)), list[set[str]]()

    def both(problem: Problem) -> Problem | None:
        other = narrowed(problem)
        return None if other is None else limits_an_hour_off(other)

    for level in LEVELS:
        for instance, choices in answers(level, both):
            found += alternatives(diagnosed(instance, choices).causes)
    pairs = [reasons for reasons in found if len(reasons) > 1]

    assert any(reason.startswith(LIMITS) for reasons in pairs for reason in reasons)
