"""Baselines that lack one source and compose all others as the oracle does."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from random import Random

from mpcbench.benchmark.agents.baselines.known import Baseline, BaselineInput, Picks
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.problem import Buffer, Busy, Turnaround
from mpcbench.oracle.resolve import policy_constraint, statements
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import (
    BanDowTime,
    Duration,
    LunchBlock,
    OptionCount,
    Participants,
    PolicyRule,
    References,
    RoomTurnaround,
    Statement,
    Window,
)
from mpcbench.schema.model import Level

TYPICAL_MINUTES = 60
"""The duration that is assumed at level 2 without threads, where nothing states it."""


_THINNING: dict[Level, int] = {1: 8, 2: 8, 3: 3}
"""A task looks certified if at most one in so many of the slots that are left without a source is picked."""


_PAIRS = 100
"""How many pairs of policies are tried."""


class Missing(StrEnum):
    """What an agent has not looked up."""

    EVERYTHING = "everything"
    CALENDAR = "calendar"
    POLICY = "policy"
    POLICY_ID = "policy-id"
    """All policies are read, and which of them apply is ignored."""

    THREADS = "threads"
    ROOMS = "rooms"


MISSING: dict[Level, tuple[Missing, ...]] = {
    1: (Missing.EVERYTHING, Missing.CALENDAR, Missing.POLICY, Missing.POLICY_ID),
    2: (Missing.EVERYTHING, Missing.CALENDAR, Missing.POLICY, Missing.POLICY_ID, Missing.THREADS),
    3: (Missing.EVERYTHING, Missing.CALENDAR, Missing.POLICY, Missing.POLICY_ID, Missing.THREADS, Missing.ROOMS),
}
"""What can be missing at a level. Without the directory no calendar can be found, so that is as without calendars."""


def seen_without(known: BaselineInput, missing: Missing, minutes: int = TYPICAL_MINUTES) -> Problem:
    """The problem as an agent sees it that lacks something.

    Without everything it is told the task's parameters: window, duration, N, order and the rooms' IDs. Without threads
    it is told the duration that it assumes at level 2, and at level 3, where it would know nothing at all, who attends,
    window, duration and N.
    """
    world, problem = known.world, known.problem
    match missing:
        case Missing.EVERYTHING:
            return replace(_without_rooms(problem), constraints=())
        case Missing.CALENDAR:
            return resolve(world, known.instance, hidden={f"calendar:{one.person_id}" for one in world.people})
        case Missing.POLICY | Missing.POLICY_ID:
            return resolve(world, known.instance, hidden={f"policy:{policy_id}" for policy_id in world.policy_by_id})
        case Missing.THREADS:
            told = References(statements=(*known.instance.references.statements, *_told(known, minutes)), threads=())
            return resolve(world, known.instance.model_copy(update={"references": told}))
        case Missing.ROOMS:
            return _without_rooms(problem)


def _without_rooms(problem: Problem) -> Problem:
    if problem.rooms is None:
        return problem
    unknown = replace(problem.rooms, seats=0, equipment=frozenset(), site=None, turnarounds=(), use_bookings=False)
    return replace(problem, rooms=unknown, tie_break=())


def _told(known: BaselineInput, minutes: int) -> Sequence[Statement]:
    if known.problem.level < 3:
        return [Duration(minutes=minutes)]
    said = {type(item.statement): item.statement for item in statements(known.world, known.instance)}
    return [
        Participants(person_ids=known.problem.participants),
        *(said[kind] for kind in (Window, Duration, OptionCount)),
    ]


def with_rules(problem: Problem, rules: Sequence[PolicyRule]) -> Problem:
    """The problem under further rules of policies."""
    record = "policy"
    slot_rules = [policy_constraint(record, rule) for rule in rules if not isinstance(rule, RoomTurnaround)]
    rooms = problem.rooms
    if rooms is not None:
        turnarounds = [Turnaround(rule.minutes, record) for rule in rules if isinstance(rule, RoomTurnaround)]
        rooms = replace(rooms, turnarounds=(*rooms.turnarounds, *turnarounds))
    return replace(problem, constraints=(*problem.constraints, *slot_rules), rooms=rooms)


def under_each_policy(problem: Problem, known: BaselineInput) -> list[list[Choice]]:
    """The top N under each of the world's policies, by policy ID."""
    return [gold_choices(ruled) for ruled in _ruled(problem, known)]


def _ruled(problem: Problem, known: BaselineInput) -> list[Problem]:
    """The problem under each of the world's policies, by policy ID."""
    policies = known.world.policy_by_id
    return [with_rules(problem, policies[policy_id].rules) for policy_id in sorted(policies)]


def most_unlike(problem: Problem, known: BaselineInput) -> list[Choice]:
    """The top N under the policy that leaves least of the top N without any."""
    plain = set(gold_choices(problem))
    return min(under_each_policy(problem, known), key=lambda picks: len(plain & set(picks)))


def that_look_certified(problem: Problem, known: BaselineInput) -> list[list[Choice]]:
    """The top N under each policy under which the task looks like a certified one, by policy ID.

    Then more than N are feasible, every calendar and demand changes the top N, and it is scattered over the slots that
    are left without the policy and without the calendars.
    """
    return [picks for ruled in _ruled(problem, known) if (picks := _certifiable(ruled, problem))]


def two_that_look_certified(problem: Problem, known: BaselineInput, rng: Random) -> list[Choice]:
    """The top N under some two policies under which the task looks like a certified one; none if few tries find none.

    One of the two is a single lunch break or ban, as every second policy is.
    """
    policies = [section.rules for section in known.world.policies if section.rules]
    light = [rules for rules in policies if len(rules) == 1 and isinstance(rules[0], BanDowTime | LunchBlock)]
    for _ in range(_PAIRS if light else 0):
        ruled = with_rules(problem, (*rng.choice(light), *rng.choice(policies)))
        if picks := _certifiable(ruled, problem):
            return picks
    return []


def _certifiable(ruled: Problem, problem: Problem) -> list[Choice]:
    """The top N of a problem under a policy, if they look certified; else none."""
    picks = gold_choices(replace(ruled, count=ruled.count + 1))
    if len(picks) <= ruled.count:
        return []
    picks = picks[: ruled.count]
    chosen = set(picks)
    without_calendar = (one for one in ruled.constraints if not isinstance(one.rule, Busy | Buffer))
    least = _THINNING[ruled.level] * len({pick.start for pick in picks})
    for other in (problem, replace(ruled, constraints=tuple(without_calendar))):
        first = {pick.start for pick in gold_choices(replace(other, count=least - 1, rooms=None))}
        if all(pick.start in first for pick in picks):
            return []
    is_inert = (set(gold_choices(ruled.without(one))) == chosen for one in ruled.constraints)
    return [] if any(is_inert) else picks


def _first(known: BaselineInput, *, missing: Missing, skipped: int = 0, times: int = 1) -> Picks:
    """The first N that it sees, after `skipped` times N, or `times` as many; none where it lacks nothing needed."""
    if missing not in MISSING[known.problem.level]:
        return []
    problem = seen_without(known, missing)
    count = problem.count
    first = gold_choices(replace(problem, count=count * (skipped + times)))
    return first[count * skipped :]


def _any_policy(known: BaselineInput) -> Picks:
    return most_unlike(seen_without(known, Missing.POLICY_ID), known)


_SOURCES = (Missing.CALENDAR, Missing.POLICY, Missing.THREADS, Missing.ROOMS)

WITHOUT: dict[str, Baseline] = {
    **{f"without-{missing}": partial(_first, missing=missing) for missing in _SOURCES},
    **{f"without-{missing}-skip": partial(_first, missing=missing, skipped=1) for missing in _SOURCES},
    **{f"without-{missing}-2n": partial(_first, missing=missing, times=2) for missing in _SOURCES},
    "any-policy": _any_policy,
}
"""What each baseline proposes.

- without-SOURCE: the top N that all sources but one give. Nothing where the level does not need the source.
- without-SOURCE-skip: the N after these.
- without-SOURCE-2n: the first 2N.
- any-policy: all sources are composed, but which policy applies is ignored: the top N under that policy which keeps
  least of the top N without policies.
"""
