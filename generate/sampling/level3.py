"""Level 3: three to six people and a room; everything about the meeting is said in chat, and some of it amended.

Blind sampling almost never finds five calendars that all matter, so the search is guided. It invites people such that
every calendar is the sole blocker of some start, and lets the meeting start only where they still all are afterwards.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from random import Random

from mpcbench.generate.sampling.blockers import Blockers
from mpcbench.generate.sampling.demands import Demand, ban_window, required_windows
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.level3_statements import put_into_statements
from mpcbench.generate.sampling.sample import DAILY, THINNING, Check, Checked, Rejected, Sample, pick_days
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.starts import Start, starts_after_events, starts_at_plain_times, that_matter
from mpcbench.oracle.problem import Problem, RoomSearch, Turnaround
from mpcbench.schema import Order, RoomTurnaround, Section, Source, TieBreakKey

_DURATIONS = {3: (30, 45, 45, 60), 4: (30, 30, 45), 5: (30, 30, 45), 6: (30,)}
"""Durations by number of participants: the more people, the shorter their common gaps."""

_CHOICE = 12
_DAYS = (13, 14, 15, 16)
_COUNTS = (3, 4, 5, 6)
_ROOM_TRIES = 15
_DEMAND_TRIES = 4
_MOST_ROOMS = 9
_LEADING = 8
"""Around how many leading candidates bans and required windows are placed."""

_ONE_KEY = (
    (TieBreakKey.CAPACITY_ASCENDING,),
    (TieBreakKey.CAPACITY_DESCENDING,),
    (TieBreakKey.FLOOR_ASCENDING,),
    (TieBreakKey.FLOOR_DESCENDING,),
    (TieBreakKey.NAME_ASCENDING,),
)
_TWO_KEYS = (
    (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.FLOOR_ASCENDING),
    (TieBreakKey.CAPACITY_DESCENDING, TieBreakKey.FLOOR_DESCENDING),
    (TieBreakKey.FLOOR_ASCENDING, TieBreakKey.CAPACITY_ASCENDING),
    (TieBreakKey.FLOOR_DESCENDING, TieBreakKey.NAME_ASCENDING),
    (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.NAME_ASCENDING),
)

_StartsOf = Callable[[Setting, Draft, Random], Sequence[Start]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What many samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    starts: _StartsOf | None
    """From where the meeting may start; None if it has required windows instead."""

    bans: int
    passed: int
    """How many of the slots that are left without the policy come before the gold, at least.

    An even spread keeps the first ones from being a good guess.
    """

    turnaround: bool
    site: bool
    equipment: int
    tie_breaks: Sequence[tuple[TieBreakKey, ...]]
    amendments: tuple[str, ...]

    @property
    def most_leading(self) -> int:
        """How many slots may come before every constraint has mattered; more if bans remove some."""
        return 12 if self.bans else 5

    @classmethod
    def draw(cls, rng: Random) -> "Shape":
        """A random shape."""
        starts = rng.choice((starts_after_events, starts_at_plain_times, starts_at_plain_times, None))
        participants = 3 if starts is None else rng.choice((3, 3, 4, 4, 4, 5, 5, 6))
        site = rng.random() < 0.5
        return cls(
            participants=participants,
            duration=30 if starts is None else rng.choice(_DURATIONS[participants]),
            starts=starts,
            bans=rng.choice((0, 0, 1, 1, 2)),
            passed=0 if starts is starts_after_events else rng.randrange(5),
            turnaround=rng.random() < 0.35,
            site=site,
            equipment=1 if site else rng.choice((1, 2)),
            tie_breaks=rng.choice((_ONE_KEY, _TWO_KEYS)),
            amendments=tuple(rng.sample(("add", "remove", "duration", "guests"), rng.choice((1, 1, 2)))),
        )


def propose(setting: Setting, shape_rng: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`."""
    section = shape_rng.choice(setting.slot_policies)
    shape = Shape.draw(shape_rng)
    days = pick_days(setting, rng, _DAYS)
    daily = rng.choice(DAILY)
    frame = Problem(
        level=3,
        zone=setting.zone,
        participants=(),
        window=setting.window(days[0], days[-1]),
        daily=daily,
        duration=shape.duration,
        count=_COUNTS[0],
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )
    draft = _invite(setting, Draft.of(setting, frame).with_policy(setting, section), shape, rng)
    if Blockers.of(draft).promise < _COUNTS[0]:
        raise Rejected(Check.LOAD_BEARING, "a calendar or the policy is hardly ever the sole blocker")
    starts = [] if shape.starts is None else shape.starts(setting, draft, rng)
    if shape.starts is not None and not _worth(shape, draft, starts):
        raise Rejected(Check.LOAD_BEARING, "no start lets every calendar and the policy matter")
    search, turnaround = _room_search(setting, shape, draft.problem, rng)
    draft = replace(draft, problem=replace(draft.problem, rooms=search)).with_rooms(setting)
    for _ in range(_ROOM_TRIES):
        arrangement = _arrange(setting, shape, draft, starts, rng)
        if arrangement is not None:
            whole, demands = arrangement
            policies = [section] if turnaround is None else [section, turnaround]
            return put_into_statements(
                setting, shape.amendments, whole, demands, policies, (days[0], days[-1], daily), rng
            )
    raise Rejected(Check.LOAD_BEARING, "no room, start and demand make everything matter")


def _invite(setting: Setting, draft: Draft, shape: Shape, rng: Random) -> Draft:
    """Add people one by one, each time the most promising of a few (see `Blockers.promise`)."""
    people = [person.person_id for person in setting.world.people]
    for person in rng.sample(people, 2):
        draft = draft.with_person(setting, person)
    while len(draft.problem.participants) < shape.participants:
        others = [person for person in people if person not in draft.problem.participants]
        options = [draft.with_person(setting, person) for person in rng.sample(others, _CHOICE)]
        draft = max(options, key=lambda option: Blockers.of(option).promise)
    return draft


def _arrange(
    setting: Setting, shape: Shape, draft: Draft, starts: Sequence[Start], rng: Random
) -> tuple[Draft, list[Demand]] | None:
    """Choose a room request, demands, a start and N such that everything matters; None if that fails."""
    asked = _ask_for_room(setting, shape, draft, rng)
    search = asked.problem.rooms
    assert search is not None
    suitable = [mask for room, mask in asked.free if search.suits(room)]
    if not 2 <= len(suitable) <= _MOST_ROOMS:
        return None
    whole = replace(asked, slots=asked.slots & reduce(or_, suitable))
    worth = () if shape.starts is None else _worth(shape, whole, starts)
    if shape.starts is not None and not worth:
        return None
    for _ in range(_DEMAND_TRIES):
        demands = _demand(setting, shape, whole, worth, rng)
        if not demands:
            return None
        limited = replace(whole.with_constraints(*(demand.constraint for demand in demands)), slots=asked.slots)
        checked = Checked(limited, max(_COUNTS))
        for count in rng.sample(_COUNTS, len(_COUNTS)):
            with suppress(Rejected):
                checked.gold(count)
                return replace(limited, problem=replace(limited.problem, count=count)), demands
    return None


def _demand(setting: Setting, shape: Shape, draft: Draft, worth: Sequence[Start], rng: Random) -> list[Demand]:
    """Demands about the time: one of the starts and bans, or required windows; none if the start does not matter then."""
    if shape.starts is None:
        return [required_windows(setting, draft, rng)]
    start = rng.choice(worth)
    demands = [start.demand]
    draft = draft.with_constraints(start.demand.constraint)
    for _ in range(shape.bans):
        near = replace(draft, slots=_first(draft.feasible(), _LEADING))
        demands.append(ban_window(setting, near, rng))
        draft = draft.with_constraints(demands[-1].constraint)
    feasible = draft.feasible(besides=start.demand.constraint)
    return demands if that_matter([start], feasible, draft.problem.window.start) else []


def _worth(shape: Shape, draft: Draft, starts: Sequence[Start]) -> Sequence[Start]:
    """The starts after which everything matters and the first feasible slots are few among others."""
    blockers = Blockers.of(draft)
    sources = ((Source.POLICY, shape.passed), (Source.CALENDAR, 0))
    without = [(draft.feasible_without(source), least, THINNING[3][source]) for source, least in sources]
    origin = draft.problem.window.start
    return [
        start
        for start in that_matter(starts, blockers.feasible, origin)
        if blockers.worth(start.at - origin, shape.most_leading)
        and all(_is_sparse(blockers.feasible, *others, start.at - origin) for others in without)
    ]


def _is_sparse(feasible: int, others: int, least: int, thinning: int, offset: int) -> bool:
    """Whether the first two feasible starts from an offset on are few among others, after at least so many of them."""
    later, among = feasible >> offset, others >> offset
    second = later & (later - 1)
    first, two = ((among & ((start & -start) - 1)).bit_count() for start in (later, second))
    return first >= least and two + 1 >= 2 * thinning


def _first(starts: int, number: int) -> int:
    """The first so many of a set of starts."""
    rest = starts
    for _ in range(number):
        rest &= rest - 1
    return starts & ~rest


def _room_search(setting: Setting, shape: Shape, problem: Problem, rng: Random) -> tuple[RoomSearch, Section | None]:
    """A search among all rooms, and the turnaround policy if the shape has one."""
    policy = None
    turnarounds: tuple[Turnaround, ...] = ()
    if shape.turnaround:
        policy = rng.choice(
            [section for section in setting.world.policies if isinstance(section.rules[0], RoomTurnaround)]
        )
        turnarounds = tuple(
            Turnaround(rule.minutes, f"policy:{policy.policy_id}")
            for rule in policy.rules
            if isinstance(rule, RoomTurnaround)
        )
    return (
        RoomSearch(
            rooms=setting.rooms,
            seats=len(problem.participants),
            equipment=frozenset(),
            site=None,
            turnarounds=turnarounds,
        ),
        policy,
    )


def _ask_for_room(setting: Setting, shape: Shape, draft: Draft, rng: Random) -> Draft:
    """The draft with guests, equipment, perhaps a site, and a tie-break."""
    search = draft.problem.rooms
    assert search is not None
    rooms = setting.world.rooms
    items = sorted({item for room in rooms for item in room.equipment})
    asked = replace(
        search,
        seats=max(search.seats + 1, rng.randint(5, 12)),
        equipment=frozenset(rng.sample(items, shape.equipment)),
        site=rng.choice(sorted({room.site for room in rooms})) if shape.site else None,
    )
    return replace(draft, problem=replace(draft.problem, rooms=asked, tie_break=rng.choice(shape.tie_breaks)))
