"""Whether the days left can hold everybody's meetings: bounds for plans with a limit per person and day."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from mpcbench.oracle.level4.attending import Placement
from mpcbench.oracle.level4.cast import People
from mpcbench.oracle.level4.meeting import Option
from mpcbench.oracle.level4.stage import Stage

D = TypeVar("D", bound=Hashable)
Domain = tuple[int, ...]
"""The starts left of each option of a meeting."""


class DailyCapacity:
    """Answers for the states of one search with a limit."""

    def __init__(self, stage: Stage, limit: int) -> None:
        self._limit = limit
        self._days = tuple(stage.axis.dates.values())
        self._open: dict[int, tuple[int, ...]] = {}
        """The days of a set of starts."""

        self._required: dict[str, list[int]] = {}
        """The meetings that a person is required in wherever they are placed."""

        self._people_days: dict[tuple[int, Domain], tuple[tuple[str, int], ...]] = {}
        """The people and days that a meeting which needs a choice can have, by its place and domain."""

        self._chosen: dict[int, tuple[tuple[str, ...], ...]] = {}
        """Of meetings that need a choice wherever they are placed: by option, some of whom one has to be chosen."""

        for place, meeting in enumerate(stage.meetings):
            people = [option.situation.cast.required for option in meeting.options]
            for person in frozenset.intersection(*people) if people else ():
                self._required.setdefault(person, []).append(place)
            choices = tuple(tuple(sorted(_to_choose_from(option))) for option in meeting.options)
            if all(choices):
                self._chosen[place] = choices

    def suffices(
        self, placed: Sequence[Placement], domains: Mapping[int, Domain], taken: Mapping[tuple[str, int], int]
    ) -> bool:
        """Whether it leaves days enough, as far as these bounds tell.

        Args:
            placed: The meetings placed.
            domains: By meeting, those not placed.
            taken: In how many of the meetings placed a person is required on a day, by person and the day's starts.
        """
        return self._for_required(domains, taken) and self._for_choices(placed, domains, taken)

    def _for_required(self, domains: Mapping[int, Domain], taken: Mapping[tuple[str, int], int]) -> bool:
        """Whether everybody has days for the meetings that they are required in."""
        days = {place: self._open_days(union(domain)) for place, domain in domains.items()}
        full: dict[str, set[int]] = {}
        for (person, day), meetings in taken.items():
            if meetings >= self._limit:
                full.setdefault(person, set()).add(day)
        for person, places in self._required.items():
            wanted = [days[place] for place in places if place in days]
            closed = full.get(person, set())
            # Of as many days as there are meetings, one is free whatever the others take.
            few = [some for some in wanted if len(some) - len(closed) < len(wanted)]
            scarce = [some for some in few if sum(day not in closed for day in some) < len(wanted)]
            if len(wanted) > 1 and scarce:
                capacity = {day: self._limit - taken.get((person, day), 0) for some in scarce for day in some}
                if not days_suffice(scarce, capacity):
                    return False
        return True

    def _for_choices(
        self, placed: Sequence[Placement], domains: Mapping[int, Domain], taken: Mapping[tuple[str, int], int]
    ) -> bool:
        """Whether each meeting that needs a choice can have one person on one day, all other needs aside."""
        if len(self._chosen) < 2:
            return True
        at = {one.meeting: one for one in placed}
        full = {slot for slot, meetings in taken.items() if meetings >= self._limit}
        wanted = []
        for place, choices in self._chosen.items():
            if place in domains:
                slots = self._slots(place, domains[place])
            else:
                (day,) = self._open_days(1 << at[place].start)
                slots = tuple((person, day) for person in choices[at[place].option])
            if len(slots) - len(full) < len(self._chosen):
                left = [slot for slot in slots if slot not in full]
                if len(left) < len(self._chosen):  # with so many, one is free whatever the others take
                    wanted.append(left)
        capacity = {slot: self._limit - taken.get(slot, 0) for slots in wanted for slot in slots}
        return days_suffice(wanted, capacity)

    def _slots(self, place: int, domain: Domain) -> tuple[tuple[str, int], ...]:
        """The people and days that a meeting which needs a choice can have, each once."""
        key = (place, domain)
        if key not in self._people_days:
            starts_of: dict[tuple[str, ...], int] = {}
            for people, starts in zip(self._chosen[place], domain, strict=True):
                starts_of[people] = starts_of.get(people, 0) | starts
            slots = (
                (person, day)
                for people, starts in starts_of.items()
                for day in self._open_days(starts)
                for person in people
            )
            self._people_days[key] = tuple(dict.fromkeys(slots))
        return self._people_days[key]

    def _open_days(self, starts: int) -> tuple[int, ...]:
        if starts not in self._open:
            self._open[starts] = tuple(day for day in self._days if day & starts)
        return self._open[starts]


def _to_choose_from(option: Option) -> People:
    """People of whom at least one has to be chosen for a meeting in this option; nobody if there is no such need."""
    cast = option.situation.cast
    for groups in cast.alternatives:
        if all(group - cast.required for group in groups):
            return frozenset().union(*groups) - cast.required
    for count, people in cast.thresholds:
        if len(people & cast.required) < count:
            return people - cast.required
    return frozenset()


def days_suffice(wanted: Sequence[Sequence[D]], capacity: Mapping[D, int]) -> bool:
    """Whether every meeting can have one of its days, no day more meetings than its capacity.

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


def union(domain: Domain) -> int:
    """The starts left of any option."""
    found = 0
    for starts in domain:
        found |= starts
    return found
