"""Level 3: three to six people and a room; everything about the meeting is said in chat, and some of it amended.

Blind sampling almost never finds five calendars that all matter, so the search is guided. It invites people and sets
terms such that everything matters under many of the world's policies, of which any may then be called for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from mpcbench.generate.sampling.amendments import Amendment, Kind, amend
from mpcbench.generate.sampling.level3_statements import put_into_statements
from mpcbench.generate.sampling.limit_search import Beginning, LimitSearch
from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.party import Party, Under, rulings
from mpcbench.generate.sampling.room_request import TIE_BREAKS, RoomRequest
from mpcbench.generate.sampling.room_table import RoomTable
from mpcbench.generate.sampling.sample import DAILY, Check, Rejected, Sample, pick_days
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.generate.sampling.trial import Passing, Trial
from mpcbench.oracle.problem import Problem
from mpcbench.schema import Order, RoomTurnaround, Section

_DURATIONS = {3: (30, 45, 45, 60), 4: (30, 30, 45), 5: (30, 30, 45), 6: (30,)}
"""Durations by number of participants: the more people, the shorter their common gaps."""

_PEOPLE_AND_BANS = {
    Beginning.EVENT: ((3, 0), (3, 0), (3, 1), (4, 0), (4, 1)),
    Beginning.INSTANT: ((3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 1), (4, 2), *[(5, 0)] * 4, (6, 0)),
    Beginning.WINDOWS: ((3, 0),),
}
"""Numbers of participants and bans; more of both hardly ever matter together."""

_CHOICE = 12
_DAYS = (14, 15, 16, 17, 18, 19, 20)
_LIMIT_TRIES = 4
_ROOM_TRIES = 150
_IDLE = 25
"""After how many room requests the search gives up if under too few policies everything matters in all of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What some samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    beginning: Beginning
    bans: int
    has_turnaround: bool
    amendments: tuple[Kind, ...]

    @property
    def least_policies(self) -> int:
        """Under how many policies a sample must pass."""
        if self.beginning is Beginning.INSTANT and not self.bans:
            return {3: 14, 4: 12, 5: 7, 6: 6}[self.participants]
        return 5 if self.beginning is Beginning.WINDOWS else 6

    @classmethod
    def draw(cls, rng: Random) -> "Shape":
        """A random shape."""
        beginning = rng.choice((*[Beginning.EVENT] * 2, *[Beginning.INSTANT] * 7, Beginning.WINDOWS))
        participants, bans = rng.choice(_PEOPLE_AND_BANS[beginning])
        return cls(
            participants=participants,
            duration=30 if beginning is Beginning.WINDOWS else rng.choice(_DURATIONS[participants]),
            beginning=beginning,
            bans=bans,
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
        unders=[party.under(ruling) for ruling in party.rulings],
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
        for _ in range(_LIMIT_TRIES):
            limits = LimitSearch(self.setting, self._trial(), able, self.rng).best(
                self.shape.beginning, self.shape.bans
            )
            if limits is not None:
                hopeful = [under for under in able if all(limits.allowed & alone for alone in under.alone)]
                found = self._with_rooms(limits, hopeful)
                if found is not None:
                    return found
        raise Rejected(Check.LOAD_BEARING, "no room, start and demand make everything matter under many policies")

    def _trial(self) -> Trial:
        request = RoomRequest.draw(self.setting, self.rooms, self.frame, self.turnaround, self.rng)
        return Trial(self.setting, self.party, self.rooms, request)

    def _with_rooms(self, limits: Limits, hopeful: Sequence[Under]) -> Found | None:
        least = self.shape.least_policies
        tried = 0
        for number in range(_ROOM_TRIES):
            if number == _IDLE and not tried:
                return None
            plain = self._trial()
            for trial, unders in _with_tie_breaks(plain, plain.passing(hopeful, limits), least, self.rng):
                tried += 1
                passing = trial.load_bearing(trial.passing(unders, limits), limits)
                amendments: list[Amendment] = []
                for kind in self.shape.amendments:
                    if len(passing) >= least:
                        amendment, passing = amend(kind, self.setting, trial, limits, passing, self.rng)
                        amendments.append(amendment)
                passing = trial.told_apart(passing, limits, self.unders)
                if len(passing) >= least:
                    return Found(self.shape, self.unders, trial, limits, amendments, passing)
        return None


def _with_tie_breaks(trial: Trial, passing: Passing, least: int, rng: Random) -> Iterator[tuple[Trial, list[Under]]]:
    """Tie-breaks of which each key matters under many policies; those of two keys first half of the time."""
    cut_off = trial.cut_off(passing)
    if len(cut_off) < least:
        return
    for keys in (keys for group in rng.sample(TIE_BREAKS, 2) for keys in rng.sample(group, len(group))):
        found = [under for under, rooms, taken in cut_off if trial.rooms.is_decisive(rooms, keys, taken)]
        if len(found) >= least:
            yield trial.with_tie_break(keys), found


def _invite(setting: Setting, party: Party, size: int, rng: Random) -> Party:
    """Add people one by one, each time the most promising of a few (see `Party.promise`)."""
    people = [person.person_id for person in setting.world.people]
    for person in rng.sample(people, 2):
        party = party.with_person(person)
    while len(party.free) < size:
        others = [person for person in people if person not in party.free]
        options = [party.with_person(person) for person in rng.sample(others, _CHOICE)]
        party = max(options, key=lambda option: option.promise)
    return party
