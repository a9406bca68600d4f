"""Level 3: three to six people and a room; everything about the meeting is said in chat, and some of it amended.

Blind sampling almost never finds five calendars that all matter, so the search is guided. It invites people and sets
terms such that everything matters under many of the world's policies, of which any may then be called for.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from random import Random

from mpcbench.generate.sampling.amendments import Amendment, Kind, amend
from mpcbench.generate.sampling.level3_statements import put_into_statements
from mpcbench.generate.sampling.limit_search import Beginning, LimitSearch
from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.party import Party, Under, promises, rulings
from mpcbench.generate.sampling.room_choice import COUNTS, Promising, RoomChoice
from mpcbench.generate.sampling.room_request import TIE_BREAKS, Ask, RoomRequest, asks_of, margin_of
from mpcbench.generate.sampling.room_table import RoomTable
from mpcbench.generate.sampling.sample import DAILY, Check, Rejected, Sample, pick_days
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.generate.sampling.trial import Passing, Trial
from mpcbench.oracle.problem import Problem
from mpcbench.schema import Order, RoomTurnaround, Section

_DURATIONS = {3: (30, 45, 45), 4: (30, 45, 45), 5: (30, 45, 45), 6: (30,)}
"""Durations by number of participants: the more people, the shorter their common gaps."""

_DURATIONS_WITHOUT_BANS = {**_DURATIONS, 3: (45, 60, 60, 75), 4: (30, 45, 45, 60)}
"""The same where the meeting may be from an instant on and there is no ban."""

_LONG = 60
"""Meetings of at least so many minutes fit under few policies."""

_PEOPLE_AND_BANS = {
    Beginning.EVENT: ((3, 0), (3, 1), (3, 1)),
    Beginning.INSTANT: (
        *((3, 0), (3, 0), (3, 1), (3, 1), (3, 2), (4, 0), (4, 0), (4, 1), (4, 1), (4, 1), (4, 2)),
        *[(5, 0)] * 4,
        *[(6, 0)] * 3,
    ),
    Beginning.WINDOWS: ((3, 0),),
}
"""Numbers of participants and bans; more of both hardly ever matter together."""

_LIGHT, _SELDOM_LIGHT = 0.9, 0.3
"""How often a second policy is called for, which leaves most times: seldom where that would hardly ever pass."""

_CHOICE = 12
"""How many people are considered for each place but the first two."""

_DAYS = (14, 15, 16, 17, 18, 19, 20)
_LIMIT_TRIES = 2
_ROOM_TRIES = 50
_ASKS = 80
"""How many of the requests for a room are considered."""

_MANY = 7
"""How many rooms suit at least where the tie-break has two keys, so that both can matter."""

_MOST_EXPECTED = {Beginning.EVENT: 0.65, Beginning.INSTANT: 0.48, Beginning.WINDOWS: 0.48}
"""The share of the gold that may be expected to be found by who knows everything but which policy is called for.

A meeting that waits for an event soon follows it: otherwise no guess at its end would matter.
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """What some samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    beginning: Beginning
    bans: int
    keys: int
    """How many keys the tie-break has."""

    has_light_policy: bool
    """Whether a second policy is called for, which leaves most times."""

    has_turnaround: bool
    amendments: tuple[Kind, ...]

    @property
    def least_policies(self) -> int:
        """Under how many policies a sample must pass."""
        if self.has_light_policy:
            return 3
        if self.keys == 2:
            return 4
        if self.duration >= _LONG:
            return 5
        if self.beginning is Beginning.INSTANT and not self.bans:
            return {3: 10, 4: 9, 5: 6, 6: 5}[self.participants]
        return 5 if self.beginning is Beginning.WINDOWS else 6

    @classmethod
    def draw(cls, rng: Random) -> "Shape":
        """A random shape."""
        beginning = rng.choice((*[Beginning.EVENT] * 3, *[Beginning.INSTANT] * 6, Beginning.WINDOWS))
        participants, bans = rng.choice(_PEOPLE_AND_BANS[beginning])
        durations = _DURATIONS if bans or beginning is not Beginning.INSTANT else _DURATIONS_WITHOUT_BANS
        duration = 30 if beginning is Beginning.WINDOWS else rng.choice(durations[participants])
        takes_light = beginning is Beginning.INSTANT and participants < 6
        return cls(
            participants=participants,
            duration=duration,
            beginning=beginning,
            bans=bans,
            keys=1 if duration >= _LONG else rng.choice((1, 1, 2)),
            has_light_policy=rng.random() < (_LIGHT if takes_light else _SELDOM_LIGHT),
            has_turnaround=rng.random() < 0.35,
            amendments=tuple(rng.sample(tuple(Kind), rng.choice((1, 1, 2)))),
        )


def propose(setting: Setting, shape_rng: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate under many policies; raises `Rejected`."""
    found = search(setting, shape_rng, rng)
    section = rng.choice(found.passing)[0].ruling.section
    policies = [section] if found.turnaround is None else [section, found.turnaround]
    return put_into_statements(
        setting, found.trial.request.problem, found.limits.demands, policies, found.amendments, rng
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A sample without its policy, and the policies that may be called for."""

    shape: Shape
    unders: Sequence[Under]
    """All policies that constrain the slot."""

    trial: Trial
    limits: Limits
    amendments: Sequence[Amendment]
    passing: Passing

    @property
    def turnaround(self) -> Section | None:
        """The policy on turnarounds that is called for."""
        return self.trial.request.turnaround


def search(setting: Setting, shape_rng: Random, rng: Random) -> Found:
    """Search for a sample once; raises `Rejected`."""
    shape = Shape.draw(shape_rng)
    days = pick_days(setting, rng, _DAYS)
    frame = Problem(
        level=3,
        zone=setting.zone,
        participants=(),
        window=setting.window(days[0], days[-1]),
        daily=rng.choice(DAILY),
        duration=shape.duration,
        count=1,
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )
    timetable = Timetable(setting, frame)
    party = _invite(setting, Party(timetable, rulings(setting, timetable), {}), shape.participants, rng)
    turnarounds = [section for section in setting.world.policies if isinstance(section.rules[0], RoomTurnaround)]
    return _Search(
        setting=setting,
        shape=shape,
        frame=replace(frame, participants=tuple(party.free)),
        party=party,
        rooms=RoomTable(setting, timetable),
        unders=party.unders(),
        turnaround=rng.choice(turnarounds) if shape.has_turnaround else None,
        rng=rng,
    ).run()


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for demands, a room request and amendments that all matter under many policies."""

    setting: Setting
    shape: Shape
    frame: Problem
    party: Party
    rooms: RoomTable
    unders: Sequence[Under]
    turnaround: Section | None
    rng: Random

    def run(self) -> Found:
        """The first sample that passes under enough policies; raises `Rejected`."""
        able = [under for under in self.unders if all(under.alone)]
        if len(able) < self.shape.least_policies:
            raise Rejected(Check.LOAD_BEARING, "under few policies every calendar is ever the sole blocker")
        asks = [ask for ask in asks_of(self.setting.rooms, self.shape.participants) if self._is_fit(ask)]
        if not asks:
            raise Rejected(Check.LOAD_BEARING, "no request for a room makes everything matter")
        asks = self.rng.sample(asks, min(len(asks), _ASKS))
        size = self.party.timetable.slots.bit_length()
        choice = RoomChoice(self.rooms, asks, margin_of(self.turnaround), size)
        for _ in range(_LIMIT_TRIES):
            counts = self.rng.sample(COUNTS, len(COUNTS))
            trial = self._trial(self.rng.choice(asks), counts[0])
            search = LimitSearch(self.setting, trial, able, self.rng)
            for limits in search.best(
                self.shape.beginning, self.shape.bans, has_light_policy=self.shape.has_light_policy
            ):
                found = self._with_rooms(limits, self._promising(choice, able, limits, counts))
                if found is not None:
                    return found
        raise Rejected(Check.LOAD_BEARING, "no room, start and demand make everything matter under many policies")

    def _promising(
        self, choice: RoomChoice, able: Sequence[Under], limits: Limits, counts: Sequence[int]
    ) -> Iterator[Promising]:
        """Some of what may be asked of a room under these demands, by how many options are asked for, else in random order.

        More options make more policies pass, so without this order most tasks would ask for the most.
        """
        hopeful = [under for under in able if all(limits.allowed & alone for alone in under.alone)]
        known = {id(under) for under in hopeful}
        others = [under for under in self.unders if id(under) not in known]
        found = choice.promising(hopeful, others, limits, self.shape.least_policies)
        for count in counts:
            alike = [one for one in found if one.wanted == count]
            yield from self.rng.sample(alike, min(len(alike), _ROOM_TRIES))

    def _is_fit(self, ask: Ask) -> bool:
        """Whether so many rooms suit as the tie-break needs."""
        return (ask.suitable.bit_count() >= _MANY) == (self.shape.keys == 2)

    def _trial(self, ask: Ask, count: int) -> Trial:
        request = RoomRequest.of(ask, self.frame, count, self.turnaround)
        return Trial.of(self.setting, self.party, self.rooms, request)

    def _with_rooms(self, limits: Limits, promising: Iterable[Promising]) -> Found | None:
        least = self.shape.least_policies
        for ask, count, hopeful in promising:
            plain = self._trial(ask, count)
            passing = plain.passing(hopeful, limits, least)
            if len(passing) < least:
                continue
            for trial, unders in self._with_tie_breaks(plain, passing):
                passing = trial.load_bearing(trial.passing(unders, limits), limits)
                amendments: list[Amendment] = []
                for kind in self.shape.amendments:
                    if len(passing) >= least:
                        amendment, passing = amend(kind, self.setting, trial, limits, passing, self.rng)
                        amendments.append(amendment)
                if len(passing) >= least:
                    passing = trial.told_apart(passing, limits, self.unders)
                if len(passing) >= least and trial.expected_share(passing) <= _MOST_EXPECTED[self.shape.beginning]:
                    return Found(self.shape, self.unders, trial, limits, amendments, passing)
        return None

    def _with_tie_breaks(self, trial: Trial, passing: Passing) -> Iterator[tuple[Trial, list[Under]]]:
        """Tie-breaks of which each key matters under enough policies."""
        cut_off = trial.cut_off(passing)
        if len(cut_off) < self.shape.least_policies:
            return
        for keys in self.rng.sample(TIE_BREAKS[self.shape.keys], len(TIE_BREAKS[self.shape.keys])):
            found = [under for under, rooms, taken in cut_off if trial.rooms.is_decisive(rooms, keys, taken)]
            if len(found) >= self.shape.least_policies:
                yield trial.with_tie_break(keys), found


def _invite(setting: Setting, party: Party, size: int, rng: Random) -> Party:
    """Add people one by one, each time the most promising of a few (see `promises`)."""
    people = [person.person_id for person in setting.world.people]
    for person in rng.sample(people, 2):
        party = party.with_person(person)
    while len(party.free) < size:
        others = [person for person in people if person not in party.free]
        options = [party.with_person(person) for person in rng.sample(others, _CHOICE)]
        _, party = max(zip(promises(options), options, strict=True), key=itemgetter(0))
    return party
