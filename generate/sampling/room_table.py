"""The rooms of a world on the grid of a timetable."""

from functools import reduce
from operator import or_
from typing import NamedTuple

from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.generate.sampling.truth_table import sets_of, table_of
from mpcbench.generate.sampling.variants import tie_break_variants
from mpcbench.oracle.problem import RoomSearch
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import TieBreakKey

Picks = tuple[tuple[int, int], ...]
"""A gold: its starts by time, each with the set of its rooms."""


class View(NamedTuple):
    """Which rooms are considered, and how they rank."""

    suitable: int
    """The suitable rooms, as a set of places in the world's list of rooms."""

    tie_break: tuple[TieBreakKey, ...]
    margin: int | None
    """The turnaround in minutes; None if bookings are not looked at."""


class RoomTable:
    """The rooms of a world at the starts of a timetable."""

    def __init__(self, setting: Setting, timetable: Timetable) -> None:
        self._rooms = setting.rooms
        self._timetable = timetable
        self._free: dict[int, list[int]] = {}
        self._at: dict[int | None, list[int]] = {}
        self._ranked: dict[tuple[TieBreakKey, ...], list[int]] = {}
        self._any: dict[View, int] = {}
        self._decides: dict[tuple[int, tuple[TieBreakKey, ...], int], bool] = {}

    def starts(self, view: View) -> int:
        """The starts at which any suitable room is free."""
        if view not in self._any:
            margin = view.margin
            if margin is None:
                self._any[view] = self._timetable.slots
            else:
                free = self.free(margin)
                rooms = (mask for place, mask in enumerate(free) if view.suitable >> place & 1)
                self._any[view] = reduce(or_, rooms, 0)
        return self._any[view]

    def first(self, starts: int, view: View, count: int) -> Picks:
        """The first `count` candidates that lie at one of the starts; all of them if there are fewer."""
        remaining = starts & self.starts(view)
        free = self._by_start(view.margin)
        found = []
        left = count
        while remaining and left:
            lowest = remaining & -remaining
            remaining ^= lowest
            place = lowest.bit_length() - 1
            rooms = view.suitable & free[place]
            number = rooms.bit_count()
            if number > left:
                rooms, number = self._best(rooms, view.tie_break, left), left
            left -= number
            found.append((place, rooms))
        return tuple(found)

    def rooms(self, view: View, place: int) -> int:
        """The suitable rooms that are free at a start."""
        return view.suitable & self._by_start(view.margin)[place]

    def is_decisive(self, rooms: int, tie_break: tuple[TieBreakKey, ...], count: int) -> bool:
        """Whether every key of a tie-break matters to which of some rooms are the first `count`."""
        key = rooms, tie_break, count
        if key not in self._decides:
            best = self._best(rooms, tie_break, count)
            others = (self._best(rooms, other, count) for _, other in tie_break_variants(tie_break))
            self._decides[key] = all(best != other for other in others)
        return self._decides[key]

    def free(self, margin: int) -> list[int]:
        """The starts at which each room is free, with a turnaround in minutes."""
        if margin not in self._free:
            self._free[margin] = [self._timetable.room(room.room_id, margin) for room in self._rooms]
        return self._free[margin]

    def _by_start(self, margin: int | None) -> list[int]:
        """The rooms that are free at each start; all of them if bookings are not looked at."""
        if margin not in self._at:
            size = self._timetable.slots.bit_length()
            if margin is None:
                self._at[margin] = [(1 << len(self._rooms)) - 1] * size
            else:
                self._at[margin] = sets_of(table_of(self.free(margin), size).T)
        return self._at[margin]

    def _best(self, rooms: int, tie_break: tuple[TieBreakKey, ...], count: int) -> int:
        if tie_break not in self._ranked:
            places = range(len(self._rooms))
            self._ranked[tie_break] = sorted(places, key=lambda place: room_rank(self._rooms[place], tie_break))
        best = 0
        for place in self._ranked[tie_break]:
            if rooms >> place & 1:
                best |= 1 << place
                count -= 1
                if not count:
                    break
        return best


def suitable(search: RoomSearch) -> int:
    """The rooms that fit a search, as a set of places in the world's list of rooms."""
    return sum(1 << place for place, room in enumerate(search.rooms) if search.suits(room))


def candidates(picks: Picks) -> int:
    """How many candidates there are."""
    return sum(rooms.bit_count() for _, rooms in picks)
