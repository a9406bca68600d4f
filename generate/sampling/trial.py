"""A level 3 meeting without its policy, tried under one policy after another on the grid of a timetable."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_

from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.party import Party, Under
from mpcbench.generate.sampling.room_request import RoomRequest
from mpcbench.generate.sampling.room_table import Picks, RoomTable, View, candidates
from mpcbench.generate.sampling.sample import THINNING
from mpcbench.generate.sampling.setting import Setting
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

    def gold(self, under: Under, limits: Limits) -> Picks | None:
        """The gold under a policy; None if one of the calendars, demands and rules of the policy does not matter to it.

        Nor may it be dense among the slots that are left without the policy or the calendars.
        """
        view = self.request.view
        free = self.rooms.starts(view)
        if not _might_matter(under, limits, free):
            return None
        starts = under.feasible & free & limits.allowed
        gold = self.rooms.first(starts, view, self.count)
        if candidates(gold) < self.count:
            return None
        last, taken = gold[-1]
        is_all = not starts >> (last + 1) and taken == self.rooms.rooms(view, last)
        ahead = ((1 << last) - 1) & free
        lost = ahead & limits.allowed
        if is_all or not all(lost & alone for alone in under.alone):
            return None
        if any(self.first(under.feasible & other) == gold for other in limits.others):
            return None
        ruled = reduce(and_, under.ruling.masks, self.party.timetable.slots)
        left = (
            (Source.POLICY, lost & self.everybody),
            (Source.CALENDAR, ahead & ruled & limits.without_calendars),
        )
        is_sparse = all(starts.bit_count() + 1 >= _THINNING[source] * len(gold) for source, starts in left)
        return gold if is_sparse else None

    def passing(self, unders: Iterable[Under], limits: Limits) -> Passing:
        """The policies that pass, see `gold`, each with its gold."""
        tried = ((under, self.gold(under, limits)) for under in unders)
        return [(under, gold) for under, gold in tried if gold is not None]

    @property
    def everybody(self) -> int:
        """The starts at which all people are free."""
        return reduce(and_, self.party.free.values(), self.party.timetable.slots)

    @property
    def starts(self) -> int:
        """The starts at which a suitable room is free."""
        return self.rooms.starts(self.request.view)

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
        return self._changed_by_view(passing, limits, self.request.with_seats(self.rooms, seats))

    def told_apart(self, passing: Passing, limits: Limits, unders: Iterable[Under]) -> Passing:
        """The policies whose gold is that of no other one of the world's policies."""
        golds = Counter(self.first(under.feasible & limits.allowed) for under in unders)
        return [(under, gold) for under, gold in passing if golds[gold] == 1]

    def _changed_by_view(self, passing: Passing, limits: Limits, view: View) -> Passing:
        return [
            (under, gold)
            for under, gold in passing
            if gold != self.rooms.first(under.feasible & limits.allowed, view, self.count)
        ]

    def _is_changed_by_namesakes(self, under: Under, limits: Limits, gold: Picks) -> bool:
        mistaken = self.party.mistaken(under.ruling, self.setting.namesakes)
        return all(self.first(other & limits.allowed) != gold for other in mistaken)

    def beginnings(self, under: Under) -> Iterator[tuple[int, int]]:
        """From where the meeting might start such that everything matters under a policy: first and last place of each range."""
        alone = [mask & self.starts for mask in under.alone]
        before = None
        remaining = under.feasible & self.starts
        while remaining:
            lowest = remaining & -remaining
            place = lowest.bit_length() - 1
            if before is not None:
                gold = self.first(remaining)
                if candidates(gold) < self.count:
                    return
                ahead = (1 << gold[-1][0]) - 1
                latest = min(place, *((mask & ahead).bit_length() - 1 for mask in alone))
                if latest > before:
                    yield before + 1, latest
            before = place
            remaining ^= lowest


def _might_matter(under: Under, limits: Limits, free: int) -> bool:
    """Whether everything rules some start out at which a room is free: what can be told without ranking."""
    allowed, feasible = limits.allowed & free, under.feasible & free
    return all(allowed & alone for alone in under.alone) and all(feasible & change for change in limits.changes)
