"""The people, rooms and policies of an organisation."""

from collections.abc import Sequence
from random import Random

from mpcbench.generate.wording.vocabulary import (
    EQUIPMENT,
    FIRST_NAMES,
    JOB_TITLES,
    LAST_NAMES,
    ROOM_NAMES,
    SITES,
    TEAMS,
)
from mpcbench.generate.world.documents import PolicyPlan
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, Person, PolicyRule, Room, RoomTurnaround, WorkHours
from mpcbench.schema.model import Level, clock

PEOPLE = {1: 12, 2: 24, 3: 60}
TEAM_SIZE = 6
HOMONYMS = 8
ROOMS_PER_SITE = 10
_WORKING_DAYS = ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3), (1, 2, 3, 4), (1, 2, 3))
_CAPACITIES = (4, 4, 6, 6, 8, 8, 10, 12, 14, 16, 20, 24, 30)


def people_of(level: Level, rng: Random) -> tuple[Person, ...]:
    """The people directory; at level 3 some share their full name with somebody in another team."""
    count = PEOPLE[level]
    names = list(zip(rng.sample(FIRST_NAMES, count), rng.sample(LAST_NAMES, count), strict=True))
    teams = rng.sample(TEAMS, max(2, count // TEAM_SIZE))
    sites = SITES[:3] if level == 3 else SITES[:1]
    if level == 3:
        for place in range(HOMONYMS):
            names[count - 1 - place] = names[place * 2]
    people = []
    for number, (first, last) in enumerate(names, start=1):
        team = teams[(number - 1) // TEAM_SIZE % len(teams)]
        people.append(
            Person(
                person_id=f"p{number:03d}",
                name=f"{first} {last}",
                team=team,
                site=sites[teams.index(team) % len(sites)],
                title=rng.choice(JOB_TITLES),
                email=f"{first}.{last}{'' if number <= count - HOMONYMS or level < 3 else number}@example.com".lower(),
            )
        )
    return tuple(people)


def rooms_of(rng: Random) -> tuple[Room, ...]:
    """The room system's metadata: equally many rooms at each site, of mixed size and equipment."""
    names = rng.sample(ROOM_NAMES, ROOMS_PER_SITE * 3)
    rooms = []
    for number in range(1, ROOMS_PER_SITE * 3 + 1):
        capacity = rng.choice(_CAPACITIES)
        equipment = rng.sample(EQUIPMENT, rng.randint(3, 5) + (capacity > 8))
        rooms.append(
            Room(
                room_id=f"R{number:02d}",
                name=names[number - 1],
                site=SITES[rng.randrange(3)],
                floor=rng.randint(0, 6),
                capacity=capacity,
                equipment=tuple(sorted(equipment)),
            )
        )
    return tuple(rooms)


def policies_of(level: Level, rng: Random) -> tuple[PolicyPlan, ...]:
    """Policies with consecutive IDs in shuffled order: one rule each at level 2, one or two elsewhere."""
    rules: list[tuple[PolicyRule, ...]] = [
        (_buffer(rng, 15),),
        (_buffer(rng, 20),),
        (_buffer(rng, 30),),
        (_ban(rng, 0),),
        (_ban(rng, rng.randint(1, 2)),),
        (_ban(rng, rng.randint(3, 4)),),
        (_lunch(rng),),
        (_lunch(rng),),
        (_work_hours(rng),),
        (_work_hours(rng),),
    ]
    if level == 1:
        rules[6] = (_lunch(rng), _buffer(rng, 15))
        rules[8] = (_work_hours(rng), _ban(rng, 2))
    if level == 3:
        rules += [(_lunch(rng), _buffer(rng, 10)), (_work_hours(rng), _ban(rng, 3))]
        rules += [(RoomTurnaround(minutes=minutes),) for minutes in rng.sample((10, 15, 20, 25, 30), 3)]
    rng.shuffle(rules)
    return tuple(
        PolicyPlan(policy_id=f"POL-{number:02d}", title=title_of(rule), rules=rule)
        for number, rule in enumerate(rules, start=1)
    )


def title_of(rules: Sequence[PolicyRule]) -> str:
    """A heading that names the subject of a policy."""
    titles = {
        "buffer_min": "Breathing space",
        "ban_dow_time": "Protected focus time",
        "lunch_block": "Lunch",
        "work_hours": "Core hours",
        "room_turnaround": "Room turnaround",
    }
    return " and ".join(titles[rule.kind].lower() if place else titles[rule.kind] for place, rule in enumerate(rules))


def _buffer(rng: Random, least: int) -> BufferMin:
    return BufferMin(minutes=least + rng.choice((0, 5, 10)))


def _ban(rng: Random, day: int) -> BanDowTime:
    start, end = rng.choice(((8, 12), (9, 12), (9, 13), (12, 17), (13, 17), (13, 18), (8, 14)))
    return BanDowTime(day=day, start=clock(start * 60), end=clock(end * 60))


def _lunch(rng: Random) -> LunchBlock:
    start, end = rng.choice(((690, 780), (720, 780), (720, 810), (720, 840), (705, 795), (750, 840)))
    return LunchBlock(start=clock(start), end=clock(end), days=(0, 1, 2, 3, 4))


def _work_hours(rng: Random) -> WorkHours:
    start, end = rng.choice(((570, 990), (600, 960), (600, 1020), (630, 990), (660, 1020), (600, 930)))
    return WorkHours(start=clock(start), end=clock(end), days=rng.choice(_WORKING_DAYS))
