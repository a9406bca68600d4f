"""Whether the days left can hold everybody's meetings: a bound for plans with a limit per person and day."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

D = TypeVar("D", bound=Hashable)


def days_suffice(wanted: Sequence[Sequence[D]], capacity: Mapping[D, int]) -> bool:
    """Whether every meeting of one person can have one of its days, no day more meetings than its capacity.

    A maximum bipartite matching by augmenting paths.

    Args:
        wanted: The days that each meeting can have.
        capacity: How many meetings each day can hold.
    """
    held: dict[D, list[int]] = {day: [] for day in capacity}

    def found(meeting: int, seen: set[D]) -> bool:
        for day in wanted[meeting]:
            if day in seen or not capacity[day]:
                continue
            seen.add(day)
            if len(held[day]) < capacity[day]:
                held[day].append(meeting)
                return True
            for place, other in enumerate(held[day]):
                if found(other, seen):
                    held[day][place] = meeting
                    return True
        return False

    return all(found(meeting, set()) for meeting in range(len(wanted)))
