"""Requests for a room of which every part can matter."""

from dataclasses import dataclass, replace
from random import Random

from mpcbench.generate.sampling.room_table import RoomTable, View
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.variants import room_variants
from mpcbench.oracle.problem import Problem, RoomSearch, Turnaround
from mpcbench.schema import RoomTurnaround, Section, TieBreakKey

_COUNTS = (3, 4, 5, 6)
_SUITABLE = range(2, 10)
_MORE = 2
"""How many more rooms would do, at least, if a part of the request were dropped or guessed."""

TIE_BREAKS = (
    (
        (TieBreakKey.CAPACITY_ASCENDING,),
        (TieBreakKey.CAPACITY_DESCENDING,),
        (TieBreakKey.FLOOR_ASCENDING,),
        (TieBreakKey.FLOOR_DESCENDING,),
        (TieBreakKey.NAME_ASCENDING,),
    ),
    (
        (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.FLOOR_ASCENDING),
        (TieBreakKey.CAPACITY_DESCENDING, TieBreakKey.FLOOR_DESCENDING),
        (TieBreakKey.FLOOR_ASCENDING, TieBreakKey.CAPACITY_ASCENDING),
        (TieBreakKey.FLOOR_DESCENDING, TieBreakKey.NAME_ASCENDING),
        (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.NAME_ASCENDING),
    ),
)
"""Tie-breaks of one key and of two."""


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """Guests, equipment, perhaps a site, N and, in the end, a tie-break."""

    problem: Problem
    """The meeting with the request, without constraints on the slot."""

    turnaround: Section | None
    """The policy on turnarounds that is called for."""

    view: View
    variants: tuple[View, ...]
    """What is seen of the rooms if a part of the request is dropped or guessed."""

    @classmethod
    def draw(
        cls, setting: Setting, table: RoomTable, frame: Problem, turnaround: Section | None, rng: Random
    ) -> "RoomRequest":
        """A random request without a tie-break of which every part makes a difference at some time."""
        while True:
            problem = _ask(setting, frame, turnaround, rng)
            assert problem.rooms is not None
            margin = max((one.minutes for one in problem.rooms.turnarounds), default=0)
            view = table.view(problem, margin=margin)
            found = view.suitable.bit_count()
            if found in _SUITABLE:
                variants = [table.view(variant, margin=margin) for _, variant in room_variants(problem)]
                if min(other.suitable.bit_count() for other in variants) >= found + _MORE:
                    variants += [view._replace(margin=other) for other in (None, 0) if other != margin]
                    return cls(problem, turnaround, view, tuple(variants))

    def with_tie_break(self, keys: tuple[TieBreakKey, ...]) -> "RoomRequest":
        """The request with a tie-break, whose own parts are not among the variants."""
        return replace(
            self,
            problem=replace(self.problem, tie_break=keys),
            view=self.view._replace(tie_break=keys),
            variants=tuple(view._replace(tie_break=keys) for view in self.variants),
        )

    def with_seats(self, table: RoomTable, seats: int) -> View:
        """What is seen of the rooms with another number of seats."""
        assert self.problem.rooms is not None
        problem = replace(self.problem, rooms=replace(self.problem.rooms, seats=seats))
        return table.view(problem, margin=self.view.margin)


def _ask(setting: Setting, frame: Problem, turnaround: Section | None, rng: Random) -> Problem:
    rooms = setting.world.rooms
    items = sorted({item for room in rooms for item in room.equipment})
    has_site = rng.random() < 0.5
    rules = () if turnaround is None else turnaround.rules
    search = RoomSearch(
        rooms=setting.rooms,
        seats=max(len(frame.participants) + 1, rng.randint(5, 12)),
        equipment=frozenset(rng.sample(items, 1 if has_site else rng.choice((1, 2)))),
        site=rng.choice(sorted({room.site for room in rooms})) if has_site else None,
        turnarounds=tuple(
            Turnaround(rule.minutes, f"policy:{turnaround.policy_id}")
            for rule in rules
            if turnaround is not None and isinstance(rule, RoomTurnaround)
        ),
    )
    return replace(frame, rooms=search, count=rng.choice(_COUNTS))
