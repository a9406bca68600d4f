"""Level 3: three to six people and a room; everything about the meeting is said in chat, and some of it amended.

Blind sampling almost never finds five calendars that all matter, so the search is guided. It looks for a time soon
after which every calendar and the policy is the sole blocker of some start, lets the meeting start only from there,
and bans hours in which candidates would come too early.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from random import Random

from mpcbench.generate.sampling.blockers import Blockers
from mpcbench.generate.sampling.demands import Demand, ban_hours, thread_demand
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.level3_statements import put_into_statements
from mpcbench.generate.sampling.sample import Check, Rejected, Sample, check, pick_days
from mpcbench.generate.sampling.setting import Setting, slot_constraints
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.problem import Problem, RoomSearch, StartsFrom, Turnaround
from mpcbench.schema import AfterEvent, NotBefore, Order, RoomTurnaround, Section, Statement, TieBreakKey

_DAILY = ((9 * 60, 17 * 60 + 30), (8 * 60 + 30, 17 * 60 + 30), (9 * 60, 18 * 60))
_DURATIONS = {3: (30, 45, 45, 60), 4: (30, 30, 45), 5: (30, 30, 30, 45), 6: (30,)}
"""Durations by number of participants: the more people, the shorter their common gaps."""

_CHOICE = 8
_WINDOWS = ((5, 0), (4, 1), (12, 0), (12, 0), (11, 1))
"""Length of a window in days, and the weekday on which it begins; all end on a Friday."""

_COUNTS = (3, 4, 5, 6)
_ROOM_TRIES = 40
_MOST_ROOMS = 9


@dataclass(frozen=True, slots=True)
class Shape:
    """What many samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    after_event: bool
    ban: bool
    turnaround: bool
    site: bool
    equipment: int
    amendments: tuple[str, ...]

    @property
    def most_leading(self) -> int:
        """How many slots may come before every constraint has mattered; more with a ban, which removes some."""
        return 12 if self.ban else 4

    @classmethod
    def draw(cls, rng: Random) -> "Shape":
        """A random shape."""
        amendments = rng.sample(("add", "remove", "duration", "guests"), rng.choice((1, 1, 2)))
        site = rng.random() < 0.5
        participants = rng.choice((3, 3, 3, 4, 4, 4, 5, 5, 6))
        return cls(
            participants=participants,
            duration=rng.choice(_DURATIONS[participants]),
            after_event=rng.random() < 0.6,
            ban=rng.random() < 0.6,
            turnaround=rng.random() < 0.35,
            site=site,
            equipment=1 if site else rng.choice((1, 2)),
            amendments=tuple(amendments),
        )


@dataclass(frozen=True, slots=True)
class Start:
    """A time from which the meeting may start."""

    offset: int
    """Minutes after the start of the window."""

    instant: int
    after: tuple[str, str] | None
    """The person and the event whose end it is; None for a plain time."""

    def demand(self, setting: Setting) -> Demand:
        """The demand to start after the event or, without one, not before the time."""
        statement: Statement
        if self.after is None:
            statement = NotBefore(at=to_datetime(self.instant, setting.zone))
        else:
            statement = AfterEvent(person_id=self.after[0], event_id=self.after[1])
        return thread_demand(statement, StartsFrom(self.instant))


def propose(setting: Setting, shape_rng: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`."""
    shape = Shape.draw(shape_rng)
    length, weekday = rng.choice(_WINDOWS)
    days = pick_days(setting, rng, (length,), (weekday,))
    daily = rng.choice(_DAILY)
    section = rng.choice(setting.slot_policies)
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
    draft = _invite(setting, Draft.of(setting, frame).with_constraints(*slot_constraints(section)), shape, rng)
    blockers = Blockers.of(draft, shape.most_leading)
    starts = [start for start in _starts(setting, draft, shape, rng) if blockers.worth(start.offset)]
    if not starts:
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
    raise Rejected(Check.LOAD_BEARING, "no room, start and ban make everything matter")


def _invite(setting: Setting, draft: Draft, shape: Shape, rng: Random) -> Draft:
    """Add people one by one, each time the most promising of a few (see `Blockers.promise`)."""
    people = [person.person_id for person in setting.world.people]
    for person in rng.sample(people, 2):
        draft = draft.with_person(setting, person)
    while len(draft.problem.participants) < shape.participants:
        others = [person for person in people if person not in draft.problem.participants]
        options = [draft.with_person(setting, person) for person in rng.sample(others, _CHOICE)]
        draft = max(options, key=lambda option: Blockers.of(option, shape.most_leading).promise)
    return draft


def _arrange(
    setting: Setting, shape: Shape, draft: Draft, starts: Sequence[Start], rng: Random
) -> tuple[Draft, list[Demand]] | None:
    """Choose a room request, a start, a ban and N such that everything matters; None if that fails."""
    asked = _ask_for_room(setting, shape, draft, rng)
    search = asked.problem.rooms
    assert search is not None
    suitable = [mask for room, mask in asked.free if search.suits(room)]
    if not 2 <= len(suitable) <= _MOST_ROOMS:
        return None
    somewhere = reduce(or_, suitable)
    with_room = replace(asked, slots=asked.slots & somewhere)
    blockers = Blockers.of(with_room, shape.most_leading)
    worth = [start for start in starts if blockers.worth(start.offset)]
    if not worth:
        return None
    start = rng.choice(worth)
    demands = [start.demand(setting)]
    whole = with_room.with_constraints(demands[0].constraint)
    if shape.ban:
        demands.append(_ban(setting, whole, rng))
        whole = whole.with_constraints(demands[1].constraint)
    whole = replace(whole, slots=asked.slots)
    for count in rng.sample(_COUNTS, len(_COUNTS)):
        counted = replace(whole, problem=replace(whole.problem, count=count))
        try:
            check(setting, counted)
        except Rejected:
            continue
        return counted, demands
    return None


def _starts(setting: Setting, draft: Draft, shape: Shape, rng: Random) -> list[Start]:
    """Possible earliest starts in the window: ends of some people's events, or half hours."""
    window = draft.problem.window
    if not shape.after_event:
        return [Start(minute, window.start + minute, None) for minute in range(9 * 60, window.end - window.start, 30)]
    low = bisect_left(setting.endings, (window.start + 1,))
    high = bisect_left(setting.endings, (window.end,))
    owners = set(rng.sample([person.person_id for person in setting.world.people], 6))
    return [
        Start(end - window.start, end, (person, event))
        for end, person, event in setting.endings[low:high]
        if person in owners
    ]


def _ban(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A ban on hours of the day of the first candidate."""
    starts = [draft.problem.window.start + start for start in members(draft.feasible())]
    if not starts:
        raise Rejected(Check.SOLVABLE, "no candidate before the ban")
    day = to_datetime(starts[0], setting.zone).date()
    same = [start for start in starts if to_datetime(start, setting.zone).date() == day]
    return ban_hours(setting, draft, starts[0], rng.choice(same[:16]), rng)


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
    keys = rng.choice(
        (
            (TieBreakKey.CAPACITY_ASCENDING,),
            (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.FLOOR_ASCENDING),
            (TieBreakKey.CAPACITY_DESCENDING,),
            (TieBreakKey.FLOOR_ASCENDING, TieBreakKey.CAPACITY_ASCENDING),
            (TieBreakKey.FLOOR_DESCENDING,),
            (TieBreakKey.NAME_ASCENDING,),
        )
    )
    asked = replace(
        search,
        seats=max(search.seats + 1, rng.randint(5, 12)),
        equipment=frozenset(rng.sample(items, shape.equipment)),
        site=rng.choice(sorted({room.site for room in rooms})) if shape.site else None,
    )
    return replace(draft, problem=replace(draft.problem, rooms=asked, tie_break=keys))
