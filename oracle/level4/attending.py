"""Who attends the meetings placed so far, and whether people can be chosen for all of them."""

from collections.abc import Hashable, Iterable, Sequence

from mpcbench.oracle.level4.cast import Cast, People
from mpcbench.oracle.level4.choices import Attendance, attendance, can_be_chosen, interact, needs_of


class Attending:
    """Answers for the searches of stages that share their axis, and remembers what it has found.

    Equal attendances of one meeting are the very same, so that they are known by their `id`.
    """

    def __init__(self, limit: int | None) -> None:
        """`limit` is in how many meetings anybody takes part on one day."""
        self._limit = limit
        self._known: dict[Hashable, Attendance] = {}
        self._pairs: dict[int, dict[int, tuple[bool, bool]]] = {}
        """Whether people can be chosen for two attendances, and whether their choices depend on each other, by `id`."""

        self._groups: dict[frozenset[int], bool] = {}
        """Whether people can be chosen for some attendances that depend on one another."""

    def attendance(
        self,
        place: int,
        start: int,
        end: int,
        day: int,
        cast: Cast,
        can_attend: People,
        buffers: Iterable[tuple[str, int]],
    ) -> Attendance:
        """Who attends a meeting.

        Args:
            place: The meeting's place among those of its stage.
            start: Its start in minutes since 1970-01-01 UTC.
            end: Its end.
            day: The number of its day.
            cast: Who is needed.
            can_attend: Of those who can be chosen, who is available.
            buffers: The buffer that binds each person who is required or can be chosen.
        """
        bound = frozenset(buffers)
        key = (place, start, end, cast, can_attend, bound)
        if key not in self._known:
            needs = needs_of(cast, can_attend)
            self._known[key] = attendance(start, end, day, cast.required, dict(bound), needs)
        return self._known[key]

    def fit(self, others: Sequence[Attendance], new: Attendance) -> bool:
        """Whether people can be chosen for one more attendance, given that they can be for the others.

        Of most placements that do not fit, two alone leave no choice. Otherwise only those attendances matter whose choices
        depend on those of the new one, directly or through others.
        """
        group = [new]
        rest: list[Attendance] = []
        for one in others:
            two_fit, depend = self._pair(one, new)
            if not two_fit:
                return False
            (group if depend else rest).append(one)
        reached = 1
        while reached < len(group) and rest:
            one = group[reached]
            reached += 1
            apart: list[Attendance] = []
            for other in rest:
                (group if self._pair(one, other)[1] else apart).append(other)
            rest = apart
        key = frozenset(map(id, group))
        if key not in self._groups:
            self._groups[key] = can_be_chosen(group, self._limit)
        return self._groups[key]

    def _pair(self, one: Attendance, two: Attendance) -> tuple[bool, bool]:
        found = self._pairs.setdefault(id(two), {})
        if id(one) not in found:
            found[id(one)] = (can_be_chosen([one, two], self._limit), interact(one, two))
        return found[id(one)]

    def key(self, some: Sequence[Attendance]) -> Hashable:
        """Equal for attendances that leave the same choices to others."""
        return frozenset(map(id, some)) if any(one.needs for one in some) else None
