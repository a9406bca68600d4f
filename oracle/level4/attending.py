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
        self._pairs: dict[int, dict[int, bool]] = {}
        """Whether people can be chosen for two attendances, by their `id`."""

        self._all: dict[frozenset[int], bool] = {}
        """Whether they can be for all of some attendances, by their `id`."""

    def fit(self, others: Sequence[Attendance], new: Attendance) -> bool:
        """Whether people can be chosen for one more attendance, given that they can be for the others.

        Of most placements that do not fit, two alone leave no choice.
        """
        some = [*others, new]
        if not any(one.needs for one in some):
            return True
        pairs = self._pairs.setdefault(id(new), {})
        for one in others:
            two_fit = pairs.get(id(one))
            if two_fit is None:
                two_fit = pairs[id(one)] = can_be_chosen([one, new], self._limit)
            if not two_fit:
                return False
        key = frozenset(map(id, some))
        if key not in self._all:
            self._all[key] = can_be_chosen(some, self._limit)
        return self._all[key]

    def key(self, some: Sequence[Attendance]) -> Hashable:
        """Equal for attendances that leave the same choices to others."""
        return frozenset(map(id, some)) if any(one.needs for one in some) else None

    def of(self, placement: Placement) -> Attendance:
        """The attendance of a placement; it does not depend on the room."""
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
