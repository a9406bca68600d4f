"""All that may be asked of a room, tried at once: under how many policies everything might matter."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.party import Under
from mpcbench.generate.sampling.room_request import Ask
from mpcbench.generate.sampling.room_table import RoomTable
from mpcbench.generate.sampling.truth_table import rows_and_places, table_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

COUNTS = (3, 4, 5, 6)
"""How many options may be asked for."""

_STARTS = 20
"""How many feasible starts under a policy are looked at for a gold."""


class Promising(NamedTuple):
    """Something asked for, and the policies under which everything might matter."""

    ask: Ask
    wanted: int
    """How many options are asked for."""

    unders: list[Under]


class RoomChoice:
    """The asks of some people, with how many rooms each leaves at each start of a timetable."""

    def __init__(self, table: RoomTable, asks: Sequence[Ask], margin: int, size: int) -> None:
        """The starts of the timetable are those below `size`."""
        import numpy as np  # noqa: PLC0415 - a tenth of a second

        self._size = size
        by_rooms: dict[int, list[Ask]] = {}
        for ask in asks:
            by_rooms.setdefault(ask.suitable, []).append(ask)
        self._asks = list(by_rooms.values())
        free = table_of(table.free(margin), size + 1).astype(np.uint8)
        places = [[place for place in range(len(free)) if rooms >> place & 1] for rooms in by_rooms]
        self._marks = np.random.default_rng(0).integers(1 << 48, size=size + 1)
        self._rooms = np.stack([free[rooms].sum(axis=0, dtype=np.uint8) for rooms in places], axis=1)

    def promising(
        self, unders: Sequence[Under], others: Sequence[Under], limits: Limits, least: int
    ) -> list[Promising]:
        """The asks with which everything might matter under enough of the policies, whose golds are those of no other ones.

        What is looked at is necessary: there are more than N candidates, the last start of the first N has a room too
        many, and every calendar, rule of the policy and demand rules some start out before it.
        """
        import numpy as np  # noqa: PLC0415 - a tenth of a second

        starts = [under.feasible & limits.allowed for under in (*unders, *others)]
        # The axes are the starts, the policies and the asks.
        first = first_places(table_of(starts, self._size), _STARTS, self._size).T[..., None]
        rooms = self._rooms[first[..., 0]]
        total = _summed_up(rooms.astype(np.uint16))
        # The sum of the random numbers of its starts tells a gold from others.
        marks = _summed_up(self._marks[first] * (rooms > 0))
        since = np.array([_since(under, limits) for under in unders])[:, None]
        found: list[Promising] = []
        for count in COUNTS:
            number = np.minimum((total < count).sum(axis=0, dtype=np.uint8), _STARTS - 1)[None]
            last = np.take_along_axis(np.broadcast_to(first, total.shape), number, axis=0)[0, : len(unders)]
            have = np.take_along_axis(total, number, axis=0)[0, : len(unders)]
            mark = np.take_along_axis(marks, number, axis=0)[0]
            might = (have > count) & (last >= since)
            might &= might.sum(axis=0) >= least
            # The gold is that of no other policy.
            place, which = might.nonzero()
            might[place, which] = (mark[:, which] == mark[place, which]).sum(axis=0) == 1
            for one in np.flatnonzero(might.sum(axis=0) >= least):
                hopeful = [unders[int(place)] for place in np.flatnonzero(might[:, one])]
                found += [Promising(ask, count, hopeful) for ask in self._asks[one]]
        return found


def first_places(table: "npt.NDArray[np.bool_]", most: int, filler: int) -> "npt.NDArray[np.intp]":
    """The first so many places of each row, ascending; the filler where there are fewer."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    rows, places = rows_and_places(table)
    begins = np.searchsorted(rows, np.arange(len(table)))
    number = np.arange(len(rows)) - begins[rows]
    found = np.full((len(table), most), filler)
    kept = number < most
    found[rows[kept], number[kept]] = places[kept]
    return found


def _summed_up(table: "npt.NDArray[np.integer]") -> "npt.NDArray[np.integer]":
    """The table with all earlier parts added to each of its parts, in place; along the first axis cumsum is slow."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    for before, part in pairwise(table):
        np.add(before, part, out=part)
    return table


def _since(under: Under, limits: Limits) -> int:
    """The first place by which every calendar, rule and demand may have ruled something out."""
    return max(
        *(_lowest(limits.allowed & alone) for alone in under.alone),
        *(_lowest(under.feasible & change) for change in limits.changes),
    )


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1 if places else 1 << 30
