"""A level 3 meeting without its policy, tried under one policy after another on the grid of a timetable."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.party import Party, Under
from mpcbench.generate.sampling.room_request import RoomRequest
from mpcbench.generate.sampling.room_table import Picks, RoomTable, View, candidates
from mpcbench.generate.sampling.sample import THINNING
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.truth_table import rows_and_places, table_of
from mpcbench.oracle.interval import members
from mpcbench.schema import Source, TieBreakKey

Passing = list[tuple[Under, Picks]]
"""Policies, each with the gold under it."""

_THINNING = THINNING[3]


@dataclass(frozen=True, slots=True)
class Trial:
    """People and what they ask for."""

    setting: Setting
    party: Party
    rooms: RoomTable
    request: RoomRequest
    starts: int
    """The starts at which a suitable room is free."""

    @classmethod
    def of(cls, setting: Setting, party: Party, rooms: RoomTable, request: RoomRequest) -> "Trial":
        """The trial of a request."""
        return cls(setting, party, rooms, request, rooms.starts(request.view))

    def gold(self, under: Under, limits: Limits) -> Picks | None:
        """The gold under a policy; None if one of the calendars, demands and rules of the policy does not matter to it.

        Nor may it be dense among the slots that are left without the policy or the calendars.
        """
        free = self.starts
        feasible = under.feasible & free
        starts = feasible & limits.allowed
        gold = self.first(starts)
        if candidates(gold) < self.count:
            return None
        last, taken = gold[-1]
        ahead = ((1 << last) - 1) & free
        lost = ahead & limits.allowed
        reached = feasible & ((2 << last) - 1)
        if not (all(lost & alone for alone in under.alone) and all(reached & change for change in limits.changes)):
            return None
        if not starts >> (last + 1) and taken == self.rooms.rooms(self.request.view, last):
            return None
        left = (
            (Source.POLICY, ahead & limits.without_policies & self.party.everybody),
            (Source.CALENDAR, ahead & limits.without_calendars & under.ruling.allowed),
        )
        is_sparse = all(starts.bit_count() + 1 >= _THINNING[source] * len(gold) for source, starts in left)
        return gold if is_sparse else None

    def passing(self, unders: Sequence[Under], limits: Limits, least: int = 0) -> Passing:
        """The policies that pass, see `gold`, each with its gold; none if they are fewer than `least`."""
        # Most policies fail even with all starts ahead of the gold, which is soon found out.
        for change in limits.changes:
            left = change & self.starts
            unders = [under for under in unders if under.feasible & left]
        left = limits.allowed & self.starts
        unders = [under for under in unders if all(map(left.__and__, under.alone))]
        found: Passing = []
        for number, under in enumerate(unders):
            if len(found) + len(unders) - number < least:
                return []
            gold = self.gold(under, limits)
            if gold is not None:
                found.append((under, gold))
        return found

    @property
    def count(self) -> int:
        """How many options are asked for."""
        return self.request.problem.count

    def first(self, starts: int) -> Picks:
        """The first N candidates that lie at one of the starts."""
        return self.rooms.first(starts, self.request.view, self.count)

    def cut_off(self, passing: Passing) -> list[tuple[Under, int, int]]:
        """The policies under which a tie-break matters: those whose gold has only some rooms of its last start.

        With all rooms that are free then, and how many of them are taken.
        """
        last = ((under, self.rooms.rooms(self.request.view, gold[-1][0]), gold[-1][1]) for under, gold in passing)
        return [(under, rooms, taken.bit_count()) for under, rooms, taken in last if rooms != taken]

    def with_tie_break(self, keys: tuple[TieBreakKey, ...]) -> "Trial":
        """The trial with a tie-break."""
        return replace(self, request=self.request.with_tie_break(keys))

    def load_bearing(self, passing: Passing, limits: Limits) -> Passing:
        """The policies under which each part of the room request but its tie-break matters, and who of two namesakes attends."""
        for view in self.request.variants:
            passing = self._changed_by_view(passing, limits, view)
        return [(under, gold) for under, gold in passing if self._is_changed_by_namesakes(under, limits, gold)]

    def changed_by_person(self, passing: Passing, limits: Limits, person: str) -> Passing:
        """The policies under which one more person's calendar would change the gold."""
        return [
            (under, gold)
            for under, gold in passing
            if gold != self.first(under.feasible & limits.allowed & self.party.calendar(person, under.ruling))
        ]

    def changed_by_seats(self, passing: Passing, limits: Limits, seats: int) -> Passing:
        """The policies under which another number of seats would change the gold."""
        return self._changed_by_view(passing, limits, self.request.with_seats(seats))

    def told_apart(self, passing: Passing, limits: Limits, unders: Iterable[Under]) -> Passing:
        """The policies whose gold is that of no other one of the world's policies."""
        golds = Counter(self.first(under.feasible & limits.allowed) for under in unders)
        return [(under, gold) for under, gold in passing if golds[gold] == 1]

    def expected_share(self, passing: Passing) -> float:
        """The share of the gold that the best guess is expected to find which knows everything but which policy is called for."""
        times: Counter[tuple[int, int]] = Counter()
        for _, gold in passing:
            times.update((place, room) for place, rooms in gold for room in members(rooms))
        best = sorted(times.values(), reverse=True)[: self.count]
        return sum(best) / (len(passing) * self.count)

    def _changed_by_view(self, passing: Passing, limits: Limits, view: View) -> Passing:
        return [
            (under, gold)
            for under, gold in passing
            if gold != self.rooms.first(under.feasible & limits.allowed, view, self.count)
        ]

    def _is_changed_by_namesakes(self, under: Under, limits: Limits, gold: Picks) -> bool:
        mistaken = self.party.mistaken(under.ruling, self.setting.namesakes)
        return all(self.first(other & limits.allowed) != gold for other in mistaken)

    def beginnings(self, unders: Sequence[Under]) -> Iterator[tuple[int, int, int]]:
        """From where the meeting might start such that everything matters under one of some policies.

        The first and the last place of each range, and the start that the gold then begins with.
        """
        import numpy as np  # noqa: PLC0415 - a tenth of a second

        size = self.party.timetable.slots.bit_length()
        rooms = np.array([self.rooms.rooms(self.request.view, place).bit_count() for place in range(size)])
        policies, places = rows_and_places(table_of([under.feasible & self.starts for under in unders], size))
        totals = rooms[places].cumsum()
        # The gold that begins at the next feasible start has to be complete under the same policy.
        ends = totals.searchsorted(totals + self.count)
        complete = np.flatnonzero(ends < len(places))
        complete = complete[policies[complete] == policies[ends[complete]]]
        policy, before, start, end = policies[complete], places[complete], places[complete + 1], places[ends[complete]]
        latest = start
        # Each calendar and rule has to rule a start out between the two. Policies with fewer are filled up with all starts,
        # which rules out nothing more.
        for masks in zip_longest(*(under.alone for under in unders), fillvalue=self.starts):
            blocked = np.flatnonzero(table_of([mask & self.starts for mask in masks], size))
            last = np.append(blocked, -1)[blocked.searchsorted(policy * size + end) - 1] - policy * size
            latest = np.minimum(latest, last)
            kept = latest > before
            policy, before, start, end, latest = (each[kept] for each in (policy, before, start, end, latest))
        yield from zip((before + 1).tolist(), latest.tolist(), start.tolist(), strict=True)
