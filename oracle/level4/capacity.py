"""Whether the days left can hold everybody's meetings: bounds for plans with a limit per person and day."""

from collections.abc import Iterable, Mapping, Sequence

from mpcbench.oracle.level4.cast import People
from mpcbench.oracle.level4.layout import Placement
from mpcbench.oracle.level4.meeting import Meeting, Situation
from mpcbench.oracle.level4.stage import Stage

Taken = tuple[int, ...]
"""On which days a person is required in one meeting or more, in two or more, and so on up to the limit: bit d is day d."""


def once_more(taken: Taken | None, day: int, limit: int) -> Taken:
    """The same with one more meeting on a day; the very same if that is full. None is in no meeting so far."""
    found = taken or (0,) * limit
    for number, days in enumerate(found):
        if not days >> day & 1:
            return (*found[:number], days | 1 << day, *found[number + 1 :])
    return found


def is_full(taken: Taken, day: int) -> bool:
    """Whether the person is required in as many meetings on a day as the limit allows."""
    return bool(taken[-1] >> day & 1)


class DailyCapacity:
    """Answers for the states of one search with a limit."""

    def __init__(self, stage: Stage, limit: int) -> None:
        self._none = (0,) * limit
        self._meetings = stage.meetings
        self._days = len(stage.axis.dates)
        self._required = tuple(_busiest(stage.meetings).items())
        """The meetings that a person is required in wherever they are placed."""

        self._chosen: dict[int, tuple[tuple[str, ...], ...]] = {}
        """Of meetings that need a choice wherever they are placed: by option, some of whom one has to be chosen."""

        for place, meeting in enumerate(stage.meetings):
            choices = tuple(tuple(sorted(_to_choose_from(option.situation))) for option in meeting.options)
            if all(choices):
                self._chosen[place] = choices
        choosable = {person for choices in self._chosen.values() for people in choices for person in people}
        self._shifts = {person: number * self._days for number, person in enumerate(sorted(choosable))}
        """Where the days of each person who can be chosen begin, in a set of people's days."""

        self._slots: dict[tuple[int, int], int] = {}
        """The people's days that a meeting which needs a choice can have, by its place and domain."""

    def suffices(self, placed: Sequence[Placement], domains: Sequence[int], taken: Mapping[str, Taken]) -> bool:
        """Whether it leaves days enough, as far as these bounds tell.

        Args:
            placed: The meetings placed.
            domains: By meeting, the candidates left; 0 of those placed.
            taken: On which days people are required in the meetings placed, by person.
        """
        return self._for_required(domains, taken) and self._for_choices(placed, domains, taken)

    def _for_required(self, domains: Sequence[int], taken: Mapping[str, Taken]) -> bool:
        """Whether everybody has days for the meetings that they are required in."""
        for person, places in self._required:
            days = [self._meetings[place].layout.extent(domains[place]).days for place in places if domains[place]]
            closed = taken.get(person, self._none)
            if len(days) > 1 and not each_has_one([_left(some, closed, self._days) for some in days]):
                return False
        return True

    def _for_choices(self, placed: Sequence[Placement], domains: Sequence[int], taken: Mapping[str, Taken]) -> bool:
        """Whether each meeting that needs a choice can have one person on one day, all other needs aside."""
        if len(self._chosen) < 2:
            return True
        closed = [0] * len(self._none)
        for person, shift in self._shifts.items():
            for number, days in enumerate(taken.get(person, ())):
                closed[number] |= days << shift
        at = {one.meeting: one for one in placed}
        wanted = [
            self._people_days(place, domains[place])
            if domains[place]
            else self._on_day(choices[at[place].option], 1 << self._meetings[place].axis.day_of[at[place].start])
            for place, choices in self._chosen.items()
        ]
        return each_has_one([_left(slots, closed, len(self._shifts) * self._days) for slots in wanted])

    def _people_days(self, place: int, domain: int) -> int:
        """The people's days that a meeting which needs a choice can have."""
        key = (place, domain)
        if key not in self._slots:
            layout = self._meetings[place].layout
            found = 0
            for people, lowest in zip(self._chosen[place], layout.lowest, strict=True):
                some = domain & lowest * layout.every
                found |= self._on_day(people, layout.extent(some).days) if some else 0
            self._slots[key] = found
        return self._slots[key]

    def _on_day(self, people: Iterable[str], days: int) -> int:
        """These days of each of these people."""
        return sum(days << self._shifts[person] for person in people)


def _left(days: int, closed: Sequence[int], width: int) -> int:
    """What is left of some days, each as often as it can hold a meeting: closed to a first one, to a second one, and so on."""
    return sum((days & ~some) << number * width for number, some in enumerate(closed))


def _busiest(meetings: Sequence[Meeting]) -> dict[str, list[int]]:
    """The meetings that a person is required in wherever they are placed, of people who have at least two.

    Whoever is required only where somebody else is, too, is left out: days enough for the other one are enough for both.
    """
    always: dict[str, list[int]] = {}
    wherever: dict[str, int] = {}
    bit = 1
    for place, meeting in enumerate(meetings):
        situations = {id(option.situation): option.situation.cast.required for option in meeting.options}
        for required in situations.values():
            for person in required:
                wherever[person] = wherever.get(person, 0) | bit
            bit <<= 1
        for person in frozenset.intersection(*situations.values()) if situations else ():
            always.setdefault(person, []).append(place)
    found: dict[str, list[int]] = {}
    for person in sorted(always, key=lambda one: (-wherever[one].bit_count(), one)):
        if len(always[person]) > 1 and all(wherever[person] & ~wherever[other] for other in found):
            found[person] = always[person]
    return found


def _to_choose_from(situation: Situation) -> People:
    """People of whom at least one has to be chosen for a meeting; nobody if there is no such need."""
    cast = situation.cast
    for groups in cast.alternatives:
        if all(group - cast.required for group in groups):
            return frozenset().union(*groups) - cast.required
    for count, people in cast.thresholds:
        if len(people & cast.required) < count:
            return people - cast.required
    return frozenset()


def each_has_one(wanted: Sequence[int]) -> bool:
    """Whether every set can have one of its members for itself.

    Args:
        wanted: Sets as integers: a member is a bit.
    """
    matching = _Matching(sorted(wanted, key=int.bit_count))
    return all(matching.has_one(number) for number in range(len(wanted)))


class _Matching:
    """A bipartite matching that grows by augmenting paths, and so to a maximum one."""

    def __init__(self, wanted: Sequence[int]) -> None:
        self._wanted = wanted
        self._held = 0
        self._holders: dict[int, int] = {}
        self._seen = 0

    def has_one(self, number: int) -> bool:
        """Whether one more set can have a member; it then has one."""
        self._seen = 0
        return self._found(number)

    def _found(self, number: int) -> bool:
        free = self._wanted[number] & ~self._held
        if free:
            one = free & -free
            self._held |= one
            self._holders[one] = number
            return True
        while left := self._wanted[number] & ~self._seen:
            one = left & -left
            self._seen |= one
            if self._found(self._holders[one]):
                self._holders[one] = number
                return True
        return False
