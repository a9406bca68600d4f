"""Answers made by one change of a committed instance are explained by that change; random ones by none.

The changed tasks are solved by the engine itself, so these tests also hold the frames' masks to the engine.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from evaluation.diagnosis import Cause, Diagnosis
from evaluation.diagnosis.diagnose import diagnose
from evaluation.episode import Episode, Outcome, Scores, ToolCall
from oracle import Problem, resolve
from oracle.interval import members, to_datetime
from oracle.masks import slot_mask
from oracle.problem import Buffer, Constraint
from oracle.resolve import policy_constraint, statements
from oracle.solve import Choice, gold_choices
from schema import Duration, Guests, Instance, Order, RoomTurnaround
from schema.dataset import Dataset
from schema.model import Level

ROOT = Path(__file__).parents[3]
EVERY = 10
"""One instance in so many is looked at."""


@cache
def dataset() -> Dataset:
    return Dataset.open(ROOT)


def instances(level: Level) -> tuple[Instance, ...]:
    return dataset().instances(level)[::EVERY]


def shown(instance: Instance) -> tuple[str, ...]:
    """Every required record, and the policies that a careless agent may apply as well."""
    label = dataset().labels(instance.level)[instance.instance_id]
    policies = (f"policy:{section.policy_id}" for section in dataset().world(instance.level).policies)
    return (*label.records, *policies)


def episode(instance: Instance, choices: list[Choice]) -> Episode:
    """An episode of an agent that has seen everything needed and proposes these candidates."""
    zone = dataset().world(instance.level).zone
    rows = [
        {"start": to_datetime(one.start, zone).isoformat(), "end": to_datetime(one.end, zone).isoformat()}
        | ({} if one.room_id is None else {"room_id": one.room_id})
        for one in choices
    ]
    call = ToolCall(turn=1, name="all", arguments={}, result="", is_error=False, records=shown(instance))
    return Episode(
        instance_id=instance.instance_id,
        level=instance.level,
        model="planted",
        outcome=Outcome.FAILED,
        paraphrase=1,
        tags="hidden",
        system_prompt="",
        task="",
        reply=None,
        tool_calls=(call,),
        answer=tuple(rows),
        answer_status="parsed",
        gold=(),
        scores=Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False),
        seconds=0,
    )


def diagnosed(instance: Instance, choices: list[Choice]) -> Diagnosis:
    label = dataset().labels(instance.level)[instance.instance_id]
    found = diagnose(dataset().world(instance.level), instance, label, episode(instance, choices))
    assert found is not None
    return found


def changed(instance: Instance, problem: Problem) -> Iterator[tuple[str, Problem]]:
    """Problems that differ by one mistake, with its reason."""
    for constraint in problem.constraints:
        alone = problem.without(constraint)
        if constraint.kind == "busy" and any(isinstance(one.rule, Buffer) for one in problem.constraints):
            continue  # without its calendar the events do not count for the buffer either
        yield f"integration.constraint_omitted:{constraint.kind}", alone
    yield from _changed_parameters(instance, problem)
    yield from _changed_rooms(problem)
    for constraint in _other_policies(instance, problem):
        yield "integration.constraint_added:policy", replace(problem, constraints=(*problem.constraints, constraint))


def _changed_parameters(instance: Instance, problem: Problem) -> Iterator[tuple[str, Problem]]:
    order = Order.EARLIEST if problem.order is Order.LATEST else Order.LATEST
    yield f"integration.ranking:{order.value}_first", replace(problem, order=order)
    yield "integration.count:too_few", replace(problem, count=problem.count - 1)
    yield "integration.count:too_many", replace(problem, count=problem.count + 1)
    yield "integration.constraint_omitted:daily_hours", replace(problem, daily=None)
    yield "integration.value_wrong:duration", replace(problem, duration=problem.duration + 15)
    said = statements(dataset().world(instance.level), instance)
    for kind in (Duration, Guests):
        keys = [item.key for item in said if isinstance(item.statement, kind)]
        if len(keys) > 1:
            earlier = resolve(dataset().world(instance.level), instance, unsaid=set(keys[1:]))
            yield f"integration.value_wrong:{kind.model_fields['kind'].default}", earlier


def _changed_rooms(problem: Problem) -> Iterator[tuple[str, Problem]]:
    search = problem.rooms
    if search is None:
        return
    guests = search.seats - len(problem.participants)
    for kind, other in (
        ("guests", replace(search, seats=search.seats - guests)),
        ("capacity", replace(search, seats=0)),
        ("equipment", replace(search, equipment=frozenset())),
        ("site", replace(search, site=None)),
        ("bookings", replace(search, use_bookings=False)),
        ("room_turnaround", replace(search, turnarounds=())),
    ):
        if other != search:
            yield f"integration.constraint_omitted:{kind}", replace(problem, rooms=other)
    if problem.tie_break:
        yield "integration.ranking:tie_break", replace(problem, tie_break=())


def _other_policies(instance: Instance, problem: Problem) -> Iterator[Constraint]:
    called = {record for constraint in problem.constraints for record in constraint.records}
    for section in dataset().world(instance.level).policies:
        record = f"policy:{section.policy_id}"
        if record not in called and len(section.rules) == 1 and not isinstance(section.rules[0], RoomTurnaround):
            yield policy_constraint(record, section.rules[0])


def planted(level: Level) -> Iterator[tuple[Instance, str, list[Choice]]]:
    """Wrong answers made by one mistake."""
    for instance in instances(level):
        problem = resolve(dataset().world(level), instance)
        gold = gold_choices(problem)
        for reason, other in changed(instance, problem):
            choices = gold_choices(other)
            if set(choices) != set(gold):
                yield instance, reason, choices


def alternatives(causes: tuple[Cause, ...]) -> list[set[str]]:
    found: dict[int, set[str]] = {}
    for cause in causes:
        found.setdefault(cause.alternative, set()).add(cause.reason)
    return list(found.values())


@pytest.mark.parametrize("level", [1, 2, 3])
def test_planted_change_is_found(level: Level) -> None:
    """Every answer made by one change is explained by single changes, the true one almost always among two."""
    told = [
        (instance.instance_id, reason, alternatives(diagnosed(instance, choices).causes))
        for instance, reason, choices in planted(level)
    ]
    lost = [one for one in told if {one[1]} not in one[2]]
    vague = [one for one in told if len(one[2]) > 2]

    assert len(told) > 50
    assert len(lost) <= 0.01 * len(told), lost
    assert len(vague) <= 0.05 * len(told), vague


@pytest.mark.parametrize("level", [1, 2, 3])
def test_random_answers_are_unexplained(level: Level) -> None:
    """Of random slots of the window at most one in twenty is explained."""
    claims = 0
    rng = Random(level)
    for instance in instances(level):
        problem = resolve(dataset().world(level), instance)
        starts = [*members(slot_mask(problem))]
        rooms = [None] if problem.rooms is None else [room.room_id for room in problem.rooms.rooms]
        for _ in range(4):
            chosen = sorted(rng.sample(starts, problem.count))
            moments = [problem.window.start + start for start in chosen]
            choices = [Choice(start, start + problem.duration, rng.choice(rooms)) for start in moments]
            claims += [cause.reason for cause in diagnosed(instance, choices).causes] != ["unexplained"]

    assert claims <= 0.05 * 4 * len(instances(level))
