"""People, rooms and policies."""

from collections import Counter
from random import Random

import pytest

from mpcbench.generate.world.organisation import HOMONYMS, PEOPLE, people_of, policies_of, rooms_of, title_of
from mpcbench.schema import BufferMin, LunchBlock, RoomTurnaround
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level

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


@each_level
@each_seed
def test_policies(level: Level, seed: int) -> None:
    """IDs count up; every kind of rule has several policies, of which level 2 gives each one rule."""
    plans = policies_of(level, Random(seed))
    first = Counter(plan.rules[0].kind for plan in plans)

    assert [f"POL-{number:02d}" for number in range(1, len(plans) + 1)] == [plan.policy_id for plan in plans]
    assert len(plans) == (15 if level == 3 else 10)
    assert first["buffer_min"] == first["ban_dow_time"] == 3
    assert min(first["lunch_block"], first["work_hours"]) >= 2
    assert first["room_turnaround"] == (3 if level == 3 else 0)
    assert {len(plan.rules) for plan in plans} == ({1} if level == 2 else {1, 2})


def test_policies_of_a_kind_are_scattered() -> None:
    """The order of the IDs says nothing about the kind."""
    assert len({policies_of(2, Random(seed))[0].rules[0].kind for seed in range(20)}) == 4


def test_title_of() -> None:
    """A heading names every rule's concern."""
    lunch = LunchBlock(start="12:00", end="13:00", days=(0,))

    assert title_of((lunch,)) == "Lunch"
    assert title_of((lunch, BufferMin(minutes=15))) == "Lunch and breathing space"
    assert title_of((RoomTurnaround(minutes=10),)) == "Room turnaround"
