"""The candidates of one meeting as bits, and what a search for a plan asks of a set of them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from mpcbench.oracle.interval import members
from mpcbench.oracle.level4.axis import Axis


class Placement(NamedTuple):
    """A meeting at a start in a room; the numbers are places in the stage and on its axis."""

    meeting: int
    option: int
    start: int


class Extent(NamedTuple):
    """What is known of a set of candidates, not empty."""

    starts: int
    """Their starts, whatever the option, by number."""

    number: int
    """How many starts these are."""

    first: int
    last: int
    """The first and the last of them, in minutes since 1970-01-01 UTC."""

    days: int
    """Their days: bit d is the d-th day of the axis."""


class Layout:
    """Numbers the starts that a meeting has in any option, and gives each candidate a bit.

    Bit `option * width + number` is the candidate at the start of that number in that option. So a set of candidates is an
    integer of a few hundred bits, and the candidates at a set of starts in some options are a product: of the starts and of
    a number with the lowest bit of each of these options.

    Args:
        options: The starts of each option, as a set of the axis.
        axis: The axis.
    """

    def __init__(self, options: Sequence[int], axis: Axis) -> None:
        together = 0
        for starts in options:
            together |= starts
        self.starts = tuple(members(together))
        """The places of the starts on the axis, by number."""

        self.instants = tuple(axis.instants[place] for place in self.starts)
        """The same in minutes since 1970-01-01 UTC."""

        self.width = len(self.starts)
        self.every = (1 << self.width) - 1
        """All starts, by number."""

        self.lowest = tuple(1 << option * self.width for option in range(len(options)))
        """The lowest bit of each option."""

        self.options = sum(self.lowest)
        """The same together."""

        self.all = self.options * self.every
        """All bits, whether or not there is a candidate."""

        self._size = together.bit_length()
        self._digits = itemgetter(*(self._size - 1 - place for place in reversed(self.starts))) if self.starts else None
        self.candidates = self.packed(options)
        self._days: dict[int, int] = {}
        for number, place in enumerate(self.starts):
            day = axis.day_of[place]
            self._days[day] = self._days.get(day, 0) | 1 << number
        self._extents: dict[int, Extent] = {}

    def packed(self, options: Sequence[int]) -> int:
        """The candidates whose starts are given for each option as a set of the axis."""
        if self._digits is None:
            return 0
        return int("".join("".join(self._digits(f"{starts:0{self._size}b}")) for starts in reversed(options)), 2)

    def bit(self, option: int, place: int) -> int:
        """The candidate of an option at a place of the axis."""
        return self.lowest[option] << bisect_left(self.starts, place)

    def between(self, first: int, last: int) -> int:
        """The starts from an instant to before another, by number."""
        low, high = bisect_left(self.instants, first), bisect_left(self.instants, last)
        return ((1 << (high - low)) - 1) << low if low < high else 0

    def on_day(self, day: int) -> int:
        """The starts of a day, by number."""
        return self._days.get(day, 0)

    def bounds(self, starts: int) -> tuple[int, int]:
        """The first and the last of some starts, given by number, in minutes since 1970-01-01 UTC."""
        return self.instants[(starts & -starts).bit_length() - 1], self.instants[starts.bit_length() - 1]

    def extent(self, some: int) -> Extent:
        """What is known of some candidates, at least one."""
        if some not in self._extents:
            starts, left = 0, some
            while left:
                starts |= left & self.every
                left >>= self.width
            days = sum(1 << day for day, mask in self._days.items() if mask & starts)
            self._extents[some] = Extent(starts, starts.bit_count(), *self.bounds(starts), days)
        return self._extents[some]

    def ranked(self, some: int) -> Iterator[tuple[int, list[int]]]:
        """Some candidates in ranking order: the place of each start on the axis, and its options."""
        if not some:
            return
        for number in members(self.extent(some).starts):
            yield self.starts[number], [option for option, bit in enumerate(self.lowest) if some & bit << number]
