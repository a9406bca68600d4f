"""Who attends the meetings placed so far, and whether people can be chosen for all of them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from mpcbench.oracle.level4.choices import Attendance, attendance, can_be_chosen, needs_of
from mpcbench.oracle.level4.stage import Stage


@dataclass(frozen=True, slots=True)
class Placement:
    """A meeting at a start in a room; the numbers are places in the stage."""

    meeting: int
    option: int
    start: int


class Attending:
    """Answers for the placements of one search, and remembers what it has found."""

    def __init__(self, stage: Stage, day_of: Mapping[int, int], limit: int | None) -> None:
        """`day_of` has the starts of a start's day, `limit` in how many meetings anybody takes part on one day."""
        self._stage = stage
        self._day_of = day_of
        self._limit = limit
        self._found: dict[tuple[int, int, int], Attendance] = {}
        self._pairs: dict[tuple[int, int], bool] = {}
        """Whether people can be chosen for two attendances, by their `id`."""

        self._all: dict[frozenset[int], bool] = {}
        """Whether they can be for all of some attendances, by their `id`."""

    def fit(self, placed: Sequence[Placement]) -> bool:
        """Whether people can be chosen for all placements, given that they can be for all but the last.

        Of most placements that do not fit, two alone leave no choice.
        """
        *others, new = some = [self._of(one) for one in placed]
        if not any(one.needs for one in some):
            return True
        if not all(self._two_fit(one, new) for one in others):
            return False
        key = frozenset(map(id, some))
        if key not in self._all:
            self._all[key] = can_be_chosen(some, self._limit)
        return self._all[key]

    def key(self, placed: Sequence[Placement]) -> Hashable:
        """Equal for placements that leave the same choices to others."""
        some = [self._of(one) for one in placed]
        return frozenset(map(id, some)) if any(one.needs for one in some) else None

    def _two_fit(self, one: Attendance, other: Attendance) -> bool:
        if not (one.needs or other.needs):
            return True
        pair = (id(one), id(other))
        if pair not in self._pairs:
            self._pairs[pair] = can_be_chosen([one, other], self._limit)
        return self._pairs[pair]

    def _of(self, placement: Placement) -> Attendance:
        """The attendance, which does not depend on the room."""
        situation = self._stage.meetings[placement.meeting].options[placement.option].situation
        key = (placement.meeting, placement.start, id(situation))
        if key not in self._found:
            start = self._stage.axis.instants[placement.start]
            end = start + self._stage.meetings[placement.meeting].length
            can_attend = frozenset(
                person for person, starts in situation.available.items() if starts >> placement.start & 1
            )
            cast, day = situation.cast, self._day_of[placement.start]
            needs = needs_of(cast, can_attend)
            self._found[key] = attendance(start, end, day, cast.required, situation.buffers, needs)
        return self._found[key]
