"""The demands about the time of a level 3 meeting under which most policies make everything matter."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from itertools import accumulate, cycle
from random import Random

from mpcbench.generate.sampling.limits import (
    Limit,
    Limits,
    ban,
    from_event,
    from_instant,
    half_hours,
    light_policy,
    pick_windows,
    required_windows,
)
from mpcbench.generate.sampling.party import Under
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.trial import Trial
from mpcbench.oracle.interval import members, to_datetime

_LEAST = 3
"""Under how many policies everything must matter for demands to be considered."""

_EVENTS = 60
_EVENTS_TRIED = 30
_WINDOWS = 120
_WINDOWS_TRIED = 24
_BANS = 10
_POLICIES = 12
_GOOD = 6
"""Of how many of the best half hours some are taken."""

_KEPT = 2
_OWNERS = 20
"""How many people's events are considered besides those of the participants."""


class Beginning(StrEnum):
    """What says from when on the meeting may be."""

    EVENT = "event"
    INSTANT = "instant"
    WINDOWS = "windows"


class LimitSearch:
    """The search for a trial that has only a request for a room so far."""

    def __init__(self, setting: Setting, trial: Trial, unders: Sequence[Under], rng: Random) -> None:
        self._setting = setting
        self._trial = trial
        self._unders = unders
        self._problem = trial.request.problem
        self._rng = rng
        self._timetable = trial.party.timetable
        self._common = trial.party.everybody & trial.starts

    def best(self, beginning: Beginning, bans: int, *, has_light_policy: bool) -> list[Limits]:
        """Some of the best demands that were found, with so many bans, and perhaps with a light policy."""
        match beginning:
            case Beginning.WINDOWS:
                found = self._windows()
            case Beginning.INSTANT:
                found = self._instants()
            case Beginning.EVENT:
                found = self._events()
        options = [[limit] for limit in found]
        if has_light_policy:
            options = self._most_passing(more for option in options for more in self._with_policy(option))
        for _ in range(bans):
            options = self._most_passing(more for option in options for more in self._with_ban(option))
        return [Limits.of(option) for option in options[:_KEPT]]

    def _most_passing(self, options: Iterable[list[Limit]]) -> list[list[Limit]]:
        """Those of some combinations of demands under which there are most different golds, the best first."""
        best: list[tuple[int, list[Limit]]] = []
        for option in options:
            # With fewer it would not be among those that are kept.
            least = _LEAST if len(best) < _KEPT else best[-1][0] + 1
            count = len({gold for _, gold in self._trial.passing(self._unders, Limits.of(option), least)})
            if count >= least:
                best = sorted([*best, (count, option)], key=lambda item: item[0], reverse=True)[:_KEPT]
        return [option for _, option in best]

    def _windows(self) -> list[Limit]:
        """Pairs of required windows."""
        drawn = [pick_windows(self._setting, self._problem, self._rng) for _ in range(_WINDOWS)]
        inside = self._timetable.inside
        drawn.sort(key=lambda spans: min((self._common & inside(span)).bit_count() for span in spans), reverse=True)
        limits = (required_windows(self._setting, self._timetable, spans) for spans in drawn[:_WINDOWS_TRIED])
        return [limit for (limit,) in self._most_passing([limit] for limit in limits)]

    def _instants(self) -> list[Limit]:
        """Half hours from which the meeting may start, one of the best first."""
        known = list(half_hours(self._setting, self._problem))
        ranked = sorted(zip(self._worth(known), known, strict=True), key=lambda item: item[0], reverse=True)
        good = [at for count, at in ranked[:_GOOD] if count >= _LEAST]
        instants = self._rng.sample(good, min(len(good), _KEPT))
        return [from_instant(self._setting, self._timetable, at) for at in instants]

    def _events(self) -> list[Limit]:
        """Events of participants and of some others after which the meeting may start."""
        people = [person.person_id for person in self._setting.world.people]
        owners = {*self._problem.participants, *self._rng.sample(people, _OWNERS)}
        window = self._problem.window
        known = self._setting.endings
        inside = known[bisect_right(known, (window.start + 1,)) : bisect_left(known, (window.end,))]
        endings = [ending for ending in inside if ending[1] in owners]
        worth = self._worth([ending[0] for ending in endings])
        good = [ending for ending, count in zip(endings, worth, strict=True) if count >= _LEAST]
        good = self._rng.sample(good, min(len(good), _EVENTS))
        limits = [from_event(self._setting, self._timetable, *ending) for ending in good]
        limits.sort(key=self._told_from_guesses, reverse=True)
        return [limit for (limit,) in self._most_passing([limit] for limit in limits[:_EVENTS_TRIED])]

    def _told_from_guesses(self, limit: Limit) -> int:
        """The least number of starts at which everybody and a room are free that tell a demand from a guess at it."""
        return min((self._common & (limit.allowed ^ other)).bit_count() for other in limit.others)

    def _with_policy(self, option: list[Limit]) -> list[list[Limit]]:
        """The demands with one of some light policies."""
        light = self._setting.light_policies
        return [
            [*option, light_policy(self._setting, self._timetable, section)]
            for section in self._rng.sample(light, min(len(light), _POLICIES))
        ]

    def _with_ban(self, option: list[Limit]) -> list[list[Limit]]:
        """The demands with one more, a ban on a day on which the gold lies under some policy."""
        allowed = Limits.of(option).allowed
        golds = (self._trial.first(under.feasible & allowed) for under in self._unders)
        starts = [self._rng.choice(gold)[0] for gold in golds if gold]
        days = (self._day(self._rng.choice(starts)) for _ in range(_BANS if starts else 0))
        return [[*option, ban(self._setting, self._timetable, self._problem, day, self._rng)] for day in days]

    def _day(self, place: int) -> date:
        """The day of a start."""
        return to_datetime(self._timetable.instant(place), self._setting.zone).date()

    def _worth(self, instants: Sequence[int]) -> list[int]:
        """For each of the ascending instants how many different starts golds begin with if the meeting may start from it."""
        ranges: defaultdict[int, int] = defaultdict(int)
        for first, last, start in self._trial.beginnings(self._unders):
            ranges[start] |= (2 << last) - (1 << first)
        # A start counts from where its ranges begin and no longer from where they end.
        size = self._timetable.slots.bit_length()
        steps = [0] * (size + 1)
        for places in ranges.values():
            for step, place in zip(cycle((1, -1)), members(places ^ places << 1), strict=False):
                steps[place] += step
        worth = list(accumulate(steps))
        return [worth[min(place, size)] for place in self._timetable.places(instants)]
