"""A claim names the record that was read wrongly and the condition that is broken, and nothing beside it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mpcbench.oracle import Problem
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Buffer, Busy
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import AddParticipant, Instance, Order
from mpcbench.schema.cause import Cause
from unit_tests.evaluation.diagnosis.planted import alternatives, diagnosed, feasible, frame, instances, problem_of

CAPACITY = "integration.value_wrong:capacity"
BUFFER = {
    f"integration.{one}"
    for one in ("constraint_omitted:buffer_min", "value_wrong:buffer_min", "value_wrong:buffer_side")
}


def wrong(instance: Instance, problem: Problem) -> tuple[Cause, ...]:
    """The causes where a problem was solved in place of that of an instance; empty if the answer is right."""
    choices = gold_choices(problem)
    return () if {*choices} == {*gold_choices(problem_of(instance))} else diagnosed(instance, choices).causes


def test_seats_of_the_first_list_are_told_by_who_was_added() -> None:
    """Who counts no seat for somebody added later gets the message that added them as evidence."""
    seen = 0
    for instance in instances(3, 4):
        problem = problem_of(instance)
        added = frame(instance).provenance.every(AddParticipant)
        if problem.rooms is None or not added:
            continue
        causes = wrong(instance, replace(problem, rooms=replace(problem.rooms, seats=problem.rooms.seats - len(added))))
        named = [{one.record for one in cause.evidence} for cause in causes if cause.reason == CAPACITY]
        if causes:
            seen += 1
            assert any({one.record for one in added} <= records for records in named)

    assert seen > 1


def without_a_buffer(problem: Problem) -> Iterator[list[Choice]]:
    """The answers where no buffer is kept around one of the events, and each event is kept free."""
    minutes = max((one.rule.minutes for one in problem.constraints if isinstance(one.rule, Buffer)), default=0)
    if not minutes:
        return
    rules = tuple(one for one in problem.constraints if not isinstance(one.rule, Buffer))
    every = feasible(replace(problem, constraints=rules))
    every = sorted(every, reverse=True) if problem.order is Order.LATEST else every
    events = [event for one in rules if isinstance(one.rule, Busy) for event in one.rule.events]
    gold = gold_choices(problem)
    too_near = {slot: _too_near(slot, events, minutes) for slot in every}
    for event in events:
        freed = [slot for slot in every if too_near[slot] in ([], [event])]
        choices = freed[: len(gold)]
        if {*choices} != {*gold}:
            yield choices


def _too_near(slot: Choice, events: Iterable[Interval], minutes: int) -> list[Interval]:
    reach = Interval(slot.start, slot.end).widened(minutes)
    return [event for event in events if event.overlaps(reach)]


def test_buffer_that_is_not_kept_around_one_event_is_named() -> None:
    """An answer that comes too near to an event, and does not overlap it, breaks the buffer only."""
    found = [
        alternatives(diagnosed(instance, choices).causes)
        for instance in instances(1, 10)
        for choices in without_a_buffer(problem_of(instance))
    ]

    assert found
    assert all(any(one <= BUFFER for one in reasons) for reasons in found)


def test_site_that_nobody_asked_for_is_added() -> None:
    """Of a site that no message names it is not said that its value is wrong."""
    found = []
    for instance in instances(3, 3):
        problem = problem_of(instance)
        if problem.rooms is not None and problem.rooms.site is None:
            for site in {room.site for room in problem.rooms.rooms}:
                causes = wrong(instance, replace(problem, rooms=replace(problem.rooms, site=site)))
                found += [reason for reasons in alternatives(causes) for reason in reasons if reason.endswith(":site")]

    assert {"integration.constraint_added:site"} == {*found}


def test_everything_feasible_is_too_much() -> None:
    """An answer that goes on beyond the gold has too many candidates, also if it has every feasible one."""
    found = []
    for level in (1, 2):
        for instance in instances(level, 5):
            problem = problem_of(instance)
            choices = gold_choices(replace(problem, count=1000))
            if problem.count < len(choices) < 3 * problem.count:
                found.append(alternatives(diagnosed(instance, choices).causes))

    assert found
    assert all({"integration.count:too_many"} in reasons for reasons in found)


def test_one_option_of_another_length_is_a_slip() -> None:
    """Where a single end is late, the duration was not misread for all, neither alone nor beside another mistake."""
    found = []
    for instance in instances(1, 4):
        first, *others = gold_choices(problem_of(instance))
        late, later = first._replace(end=first.end + 15), first._replace(end=first.end + 75)
        answers = [[late, *others], [later, *others[:-1]]]
        found += [alternatives(diagnosed(instance, choices).causes) for choices in answers if len(choices) > 1]
    reasons = {one for some in found for pair in some if len(pair) > 1 for one in pair}

    assert any({"integration.candidate_slip:minutes"} in some for some in found)
    assert "integration.value_wrong:duration" not in reasons
