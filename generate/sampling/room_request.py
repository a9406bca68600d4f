"""Requests for a room of which every part can matter."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

from mpcbench.generate.sampling.room_table import View, suitable
from mpcbench.generate.sampling.variants import search_variants
from mpcbench.oracle.problem import Problem, RoomOption, RoomSearch, Turnaround
from mpcbench.schema import RoomTurnaround, Section, TieBreakKey

_SEATS = range(4, 13)
_SUITABLE = range(2, 17)
_MORE = 2
"""How many more rooms would do, at least, if a part of the request were dropped or guessed."""

TIE_BREAKS = {
    1: (
        (TieBreakKey.CAPACITY_ASCENDING,),
        (TieBreakKey.CAPACITY_DESCENDING,),
        (TieBreakKey.FLOOR_ASCENDING,),
        (TieBreakKey.FLOOR_DESCENDING,),
        (TieBreakKey.NAME_ASCENDING,),
    ),
    2: (
        (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.FLOOR_ASCENDING),
        (TieBreakKey.CAPACITY_DESCENDING, TieBreakKey.FLOOR_DESCENDING),
        (TieBreakKey.FLOOR_ASCENDING, TieBreakKey.CAPACITY_ASCENDING),
        (TieBreakKey.FLOOR_DESCENDING, TieBreakKey.NAME_ASCENDING),
        (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.NAME_ASCENDING),
    ),
}
"""Tie-breaks by the number of their keys."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Guests, equipment and perhaps a site."""

    search: RoomSearch
    suitable: int
    """The suitable rooms, as a set of places in the world's list of rooms."""

    variants: tuple[int, ...]
    """Those that would be suitable if a part were dropped or guessed."""


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """What is asked for, N and, in the end, a tie-break."""

    problem: Problem
    """The meeting with the request, without constraints on the slot."""

    turnaround: Section | None
    """The policy on turnarounds that is called for."""

    view: View
    variants: tuple[View, ...]
    """What is seen of the rooms if a part of the request is dropped or guessed."""

    @classmethod
    def of(cls, ask: Ask, frame: Problem, count: int, turnaround: Section | None) -> "RoomRequest":
        """The request for N = `count` options, without a tie-break."""
        turnarounds = turnarounds_of(turnaround)
        margin = margin_of(turnaround)
        view = View(ask.suitable, (), margin)
        others = [view._replace(suitable=rooms) for rooms in ask.variants]
        others += [view._replace(margin=other) for other in (None, 0) if other != margin]
        search = replace(ask.search, turnarounds=turnarounds)
        return cls(replace(frame, rooms=search, count=count), turnaround, view, tuple(others))

    def with_tie_break(self, keys: tuple[TieBreakKey, ...]) -> "RoomRequest":
        """The request with a tie-break, whose own parts are not among the variants."""
        return replace(
            self,
            problem=replace(self.problem, tie_break=keys),
            view=self.view._replace(tie_break=keys),
            variants=tuple(view._replace(tie_break=keys) for view in self.variants),
        )

    def with_seats(self, seats: int) -> View:
        """What is seen of the rooms with another number of seats."""
        assert self.problem.rooms is not None
        return self.view._replace(suitable=suitable(replace(self.problem.rooms, seats=seats)))


def turnarounds_of(section: Section | None) -> tuple[Turnaround, ...]:
    """The turnarounds that a policy demands."""
    rules = () if section is None else section.rules
    return tuple(
        Turnaround(rule.minutes, f"policy:{section.policy_id}")
        for rule in rules
        if section is not None and isinstance(rule, RoomTurnaround)
    )


def margin_of(section: Section | None) -> int:
    """The minutes that a policy on turnarounds keeps free before and after a meeting."""
    return max((one.minutes for one in turnarounds_of(section)), default=0)


@lru_cache(maxsize=16)
def asks_of(rooms: tuple[RoomOption, ...], participants: int) -> tuple[Ask, ...]:
    """All that so many people can ask for of which every part makes a difference at some time."""
    return tuple(_asks(rooms, participants))


def _asks(rooms: tuple[RoomOption, ...], participants: int) -> Iterator[Ask]:
    items = sorted({item for room in rooms for item in room.equipment})
    sites = sorted({room.site for room in rooms})
    wishes = [
        *((both, None) for size in (1, 2) for both in combinations(items, size)),
        *(((item,), site) for item, site in product(items, sites)),
    ]
    for seats, (equipment, site) in product(_SEATS, wishes):
        if seats > participants:
            search = RoomSearch(rooms, seats, frozenset(equipment), site, turnarounds=())
            fitting = suitable(search)
            found = fitting.bit_count()
            if found in _SUITABLE:
                variants = [suitable(other) for _, other in search_variants(search, participants)]
                if min(other.bit_count() for other in variants) >= found + _MORE:
                    yield Ask(search, fitting, tuple(dict.fromkeys(variants)))
