"""People, rooms and policies."""

from collections import Counter
from random import Random

import pytest

from mpcbench.generate.world.calendars import DAY_END, DAY_START
from mpcbench.generate.world.documents import PolicyPlan
from mpcbench.generate.world.organisation import (
    HOMONYMS,
    LIGHT_POLICIES,
    PEOPLE,
    POLICIES,
    people_of,
    policies_of,
    rooms_of,
    title_of,
)
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level, minute_of_day

SEEDS = range(5)
each_seed = pytest.mark.parametrize("seed", SEEDS)
each_level = pytest.mark.parametrize("level", LEVELS)


@each_level
@each_seed
def test_people_are_distinguishable(level: Level, seed: int) -> None:
    """IDs and e-mail addresses are unique, and so are names with their team."""
    people = people_of(level, Random(seed))

    assert len(people) == PEOPLE[level]
    for key in ("person_id", "email"):
        assert len({getattr(person, key) for person in people}) == len(people)
    assert len({(person.name, person.team) for person in people}) == len(people)


@each_seed
def test_homonyms_are_of_different_teams(seed: int) -> None:
    """Names are unique but at level 3, where some are those of two people."""
    for level in (1, 2):
        assert max(Counter(person.name for person in people_of(level, Random(seed))).values()) == 1
    names = Counter(person.name for person in people_of(3, Random(seed)))

    assert HOMONYMS == sum(count == 2 for count in names.values())
    assert max(names.values()) == 2


@each_seed
def test_teams_and_sites(seed: int) -> None:
    """There are several teams, each at one site; several sites at level 3 only."""
    for level in LEVELS:
        people = people_of(level, Random(seed))
        homes = {(person.team, person.site) for person in people}
        assert len(homes) == len({team for team, _ in homes}) == max(2, PEOPLE[level] // 6)
        assert len({site for _, site in homes}) == (3 if level == 3 else 1)


@each_seed
def test_rooms(seed: int) -> None:
    """Thirty rooms with unique IDs and names, of mixed size and equipment, at all three sites."""
    rooms = rooms_of(Random(seed))

    assert len({room.room_id for room in rooms}) == len({room.name for room in rooms}) == 30
    assert len({room.site for room in rooms}) == 3
    assert len({room.capacity for room in rooms}) >= 5
    assert all(len(set(room.equipment)) == len(room.equipment) >= 3 for room in rooms)
    assert all(room.equipment == tuple(sorted(room.equipment)) for room in rooms)


def is_light(plan: PolicyPlan) -> bool:
    return len(plan.rules) == 1 and isinstance(plan.rules[0], LunchBlock | BanDowTime)


@each_level
@each_seed
def test_policies(level: Level, seed: int) -> None:
    """IDs count up; there are so many policies that no single one is a good guess, of one rule or two each."""
    plans = policies_of(level, Random(seed))
    turnarounds = [plan for plan in plans if isinstance(plan.rules[0], RoomTurnaround)]

    digits = 3 if level == 3 else 2

    assert [f"POL-{number:0{digits}d}" for number in range(1, len(plans) + 1)] == [plan.policy_id for plan in plans]
    light = [plan for plan in plans if is_light(plan)]

    assert len(light) == (LIGHT_POLICIES if level == 3 else 0)
    assert len(plans) - len(turnarounds) - len(light) == POLICIES[level]
    assert len(turnarounds) == (3 if level == 3 else 0)
    assert {len(plan.rules) for plan in plans} == {1, 2}


@each_level
@each_seed
def test_every_policy_leaves_few_times(level: Level, seed: int) -> None:
    """Narrow core hours or a buffer of 25 minutes or more; only a light policy is a lunch break or a ban alone."""
    for plan in policies_of(level, Random(seed)):
        if is_light(plan):
            continue
        hours = [rule for rule in plan.rules if isinstance(rule, WorkHours)]
        buffers = [rule.minutes for rule in plan.rules if isinstance(rule, BufferMin)]
        for rule in hours:
            week = (minute_of_day(rule.end) - minute_of_day(rule.start)) * len(rule.days)
            assert week <= 7 * (DAY_END - DAY_START) * (0.4 if len(plan.rules) == 1 else 0.5)
        if not hours and not isinstance(plan.rules[0], RoomTurnaround):
            assert min(buffers) >= 25


def test_no_hour_or_weekday_is_favoured() -> None:
    """Over many worlds, core hours are about as often on any weekday, and cover any hour of the day."""
    rules = [rule for seed in range(60) for plan in policies_of(1, Random(seed)) for rule in plan.rules]
    hours = [rule for rule in rules if isinstance(rule, WorkHours)]
    weekdays = Counter(day for rule in hours for day in rule.days)
    covered = [
        sum(minute_of_day(rule.start) <= minute < minute_of_day(rule.end) for rule in hours)
        for minute in range(DAY_START, DAY_END, 30)
    ]

    assert set(range(7)) == set(weekdays)
    assert max(weekdays.values()) < 1.2 * min(weekdays.values())
    assert max(covered) < 1.7 * min(covered)


def test_policies_of_a_kind_are_scattered() -> None:
    """The order of the IDs says nothing about the kind."""
    assert len({policies_of(2, Random(seed))[0].title for seed in range(40)}) > 4


def test_title_of() -> None:
    """A heading names every rule's concern."""
    lunch = LunchBlock(start="12:00", end="13:00", days=(0,))

    assert title_of((lunch,)) == "Lunch"
    assert title_of((lunch, BufferMin(minutes=15))) == "Lunch and breathing space"
    assert title_of((RoomTurnaround(minutes=10),)) == "Room turnaround"


def test_core_hours_of_the_edges_of_the_day_differ_at_level_3() -> None:
    """Those that cover its first hour begin at several times, and those that cover its last end at several."""
    hours = [rule for plan in policies_of(3, Random(4)) for rule in plan.rules if isinstance(rule, WorkHours)]

    assert len({rule.start for rule in hours if rule.start < "10:00"}) > 6
    assert len({rule.end for rule in hours if rule.end > "17:00"}) > 6
