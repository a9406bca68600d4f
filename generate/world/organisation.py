"""The people, rooms and policies of an organisation."""

from collections.abc import Callable, Sequence
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
from mpcbench.generate.world.calendars import DAY_END, DAY_START
from mpcbench.generate.world.documents import PolicyPlan
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, Person, PolicyRule, Room, RoomTurnaround, WorkHours
from mpcbench.schema.model import Level, clock, minute_of_day

PEOPLE = {1: 12, 2: 24, 3: 60}
TEAM_SIZE = 6
HOMONYMS = 8
ROOMS_PER_SITE = 10
POLICIES = {1: 96, 2: 96, 3: 240}
"""The number of policies that leave few times, by level."""

LIGHT_POLICIES = 24
"""The number of policies of level 3 that leave most times."""

_CAPACITIES = (4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 16, 16, 20)


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
    # Not in the order of teams, so that an ID tells nothing about its person.
    ids = rng.sample(range(1, count + 1), count)
    for place, ((first, last), number) in enumerate(zip(names, ids, strict=True)):
        team = teams[place // TEAM_SIZE % len(teams)]
        people.append(
            Person(
                person_id=f"p{number:03d}",
                name=f"{first} {last}",
                team=team,
                site=sites[teams.index(team) % len(sites)],
                title=rng.choice(JOB_TITLES),
                email=f"{first}.{last}{'' if place < count - HOMONYMS or level < 3 else number}@example.com".lower(),
            )
        )
    return tuple(sorted(people, key=lambda person: person.person_id))


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
                floor=rng.randint(0, 3),
                capacity=capacity,
                equipment=tuple(sorted(equipment)),
            )
        )
    return tuple(rooms)


def policies_of(level: Level, rng: Random) -> tuple[PolicyPlan, ...]:
    """Policies with consecutive IDs in shuffled order, of one or two rules each.

    Each leaves few times: narrow core hours, or wider ones with a buffer, or a long buffer. Their days include weekends.
    There are so many that no single one is a good guess. At level 3 some leave most times, and some are on turnarounds.
    """
    rules = [rng.choice(makers)(rng) for makers in _MIX for _ in range(POLICIES[level] // len(_MIX))]
    if level == 3:
        rules = [_with_outer_hours(one, rng) for one in rules]
        rules += [(make(rng),) for make in (_lunch_hours, _quiet_block) for _ in range(LIGHT_POLICIES // 2)]
        rules += [(RoomTurnaround(minutes=minutes),) for minutes in rng.sample((10, 15, 20, 25, 30), 3)]
    rng.shuffle(rules)
    digits = len(str(len(rules)))
    return tuple(
        PolicyPlan(policy_id=f"POL-{number:0{digits}d}", title=title_of(rule), rules=rule)
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


def _core_hours(rng: Random, parts: int, days: int) -> WorkHours:
    """One of the parts of a day, which are about equally long, on some days of the week.

    Any part and any run of days is as likely as any other, so that no hour or weekday is favoured.
    """
    length = (DAY_END - DAY_START) // parts
    cuts = [DAY_START - 30, *(DAY_START + number * length for number in range(1, parts)), DAY_END + 30]
    cuts[1:-1] = [(cut + rng.randrange(-45, 60)) // 15 * 15 for cut in cuts[1:-1]]
    part = rng.randrange(parts)
    first = rng.randrange(7)
    step = rng.choice((1, 1, 2))
    weekdays = sorted((first + number * step) % 7 for number in range(days))
    return WorkHours(start=clock(cuts[part]), end=clock(cuts[part + 1]), days=tuple(weekdays))


def _with_outer_hours(rules: tuple[PolicyRule, ...], rng: Random) -> tuple[PolicyRule, ...]:
    """The same with core hours that begin later or end earlier if they cover the first or the last hour of the day.

    Otherwise all that cover it would leave the same early or late times, and hardly any such time would tell two apart.
    """
    hours, *others = rules
    if not isinstance(hours, WorkHours) or any(isinstance(other, BanDowTime) for other in others):
        return rules
    opens, closes = minute_of_day(hours.start), minute_of_day(hours.end)
    if opens < DAY_START:
        opens += rng.randrange(0, 120, 15)
    if closes > DAY_END:
        closes -= rng.randrange(0, 120, 15)
    return (WorkHours(start=clock(opens), end=clock(closes), days=hours.days), *others)


def _hours(rng: Random) -> tuple[PolicyRule, ...]:
    return (_core_hours(rng, *rng.choice(((2, 3), (3, 3), (3, 4), (4, 4), (4, 5)))),)


def _hours_and_buffer(rng: Random) -> tuple[PolicyRule, ...]:
    return (
        _core_hours(rng, *rng.choice(((2, 3), (2, 4), (3, 4), (3, 5)))),
        BufferMin(minutes=rng.randrange(10, 30, 5)),
    )


def _hours_and_ban(rng: Random) -> tuple[PolicyRule, ...]:
    hours = _core_hours(rng, *rng.choice(((2, 3), (2, 4), (3, 4), (3, 5))))
    opens, closes = minute_of_day(hours.start), minute_of_day(hours.end)
    length = rng.randrange(60, 135, 15)
    start = rng.randrange(opens, closes - length + 1, 15)
    return (hours, BanDowTime(day=rng.choice(hours.days), start=clock(start), end=clock(start + length)))


def _hours_and_lunch(rng: Random) -> tuple[PolicyRule, ...]:
    days = _core_hours(rng, 2, rng.choice((3, 4))).days
    lunch = _lunch(rng)
    opens = rng.randrange(9 * 60, 11 * 60, 15)
    closes = rng.randrange(14 * 60 + 30, 17 * 60, 15)
    return (WorkHours(start=clock(opens), end=clock(closes), days=days), lunch)


def _long_buffer_and_ban(rng: Random) -> tuple[PolicyRule, ...]:
    start = rng.randrange(8 * 60, 13 * 60, 30)
    ban = BanDowTime(day=rng.randrange(7), start=clock(start), end=clock(start + rng.randrange(240, 375, 30)))
    return (BufferMin(minutes=rng.randrange(35, 60, 5)), ban)


def _lunch_hours(rng: Random) -> LunchBlock:
    start = rng.randrange(11 * 60, 13 * 60 + 30, 15)
    return LunchBlock(start=clock(start), end=clock(start + rng.randrange(60, 135, 15)), days=(0, 1, 2, 3, 4, 5, 6))


def _quiet_block(rng: Random) -> BanDowTime:
    start = rng.randrange(8 * 60, 14 * 60, 30)
    return BanDowTime(day=rng.randrange(7), start=clock(start), end=clock(start + rng.randrange(180, 330, 30)))


def _lunch(rng: Random) -> LunchBlock:
    start, end = rng.choice(((690, 780), (720, 780), (720, 810), (720, 840), (705, 795), (750, 840)))
    return LunchBlock(start=clock(start), end=clock(end), days=(0, 1, 2, 3, 4, 5, 6))


_MIX: Sequence[Sequence[Callable[[Random], tuple[PolicyRule, ...]]]] = (
    *[(_hours,)] * 4,
    (_hours_and_buffer,),
    (_hours_and_buffer, _hours_and_ban),
    (_hours_and_ban, _hours_and_lunch),
    (_hours_and_buffer, _hours_and_lunch, _long_buffer_and_ban),
)
"""The kinds of policy: each of these groups is as frequent as any other."""
