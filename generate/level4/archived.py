"""The archive's word on an instance: its own label or, for a plan, its own predicates in a search that ends in time.

The archive tries plans one by one, which takes longer than anybody waits. So its predicates say which candidates are
feasible and whether some of them agree with one another; a search with these shows that the gold is a plan, and that none
comes before it.
"""

from collections.abc import Sequence
from datetime import date
from itertools import combinations, product
from typing import Any, Final

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.archive.v2.ladder_oracle import Record
from mpcbench.oracle.level4.solve import LadderSolution
from mpcbench.schema.level4.instance import LadderInstance

MOST_PLACEMENTS: Final = 20_000
"""How many placements the search tries before it gives up."""


class UndecidedError(RuntimeError):
    """Whether there is an earlier plan could not be decided within the bound."""


def archive_agrees(
    world: dict[str, Any], instance: LadderInstance, solution: LadderSolution, most: int = MOST_PLACEMENTS
) -> bool:
    """Whether the archive's oracle finds the same gold, counts and feasible candidates in a world as it is in a file.

    Raises:
        UndecidedError: the plan is too hard for it.
    """
    gold = [candidate.model_dump(mode="json") for candidate in solution.gold]
    task = instance.model_dump(mode="json")
    if gold[0]["meeting"] is None:
        slow = ladder_oracle.label(world, task)
        return bool(
            slow["gold"] == gold
            and slow["counts"] == solution.counts.model_dump()
            and slow["digest"] == solution.digest
        )
    plans = ArchivedPlans(ladder_oracle.after_change(world, task), task, most)
    return (
        plans.counts == solution.counts.model_dump()
        and ladder_oracle.digest(plans.feasible) == solution.digest
        and plans.is_first(gold)
    )


class _Remembering(ladder_oracle.Task):
    """The archive's task, which asks each of these of a predicate once."""

    def __init__(self, world: Record, task: Record) -> None:
        super().__init__(world, task)
        self._holidays: dict[str, set[date]] = {}
        self._rules: dict[tuple[int, str], list[Record]] = {}
        self._buffers: dict[tuple[int, str], int] = {}
        self._available: dict[tuple[object, ...], bool] = {}

    def holidays(self, country: str) -> set[date]:
        """The public holidays of a country."""
        if country not in self._holidays:
            self._holidays[country] = super().holidays(country)
        return self._holidays[country]

    def rules_for(self, policies: list[Record], person_id: str) -> list[Record]:
        """The rules that bind a person; the archive keeps its lists of policies, so that each has an `id` of its own."""
        key = (id(policies), person_id)
        if key not in self._rules:
            self._rules[key] = super().rules_for(policies, person_id)
        return self._rules[key]

    def buffer_of(self, policies: list[Record], person_id: str) -> int:
        """The longest buffer that binds a person."""
        key = (id(policies), person_id)
        if key not in self._buffers:
            self._buffers[key] = super().buffer_of(policies, person_id)
        return self._buffers[key]

    def available(self, brief: Record, policies: list[Record], person_id: str, start: int, end: int) -> bool:
        """Whether a person is available; of the policies only the rules that bind the person matter."""
        rules = frozenset(map(id, self.rules_for(policies, person_id)))
        key = (brief["tentative"], rules, person_id, start, end)
        if key not in self._available:
            self._available[key] = super().available(brief, policies, person_id, start, end)
        return self._available[key]


class ArchivedPlans:
    """The plans of one instance by the archive's predicates; candidates are known by their places.

    Args:
        world: The world after the change, as it is in a file.
        task: The instance, likewise.
        most: How many placements may be tried.
    """

    def __init__(self, world: Record, task: Record, most: int) -> None:
        self.world = world
        self.task = _Remembering(world, task)
        self.left = most
        self.counts = {"generated": 0, "agreed": 0, "available": 0, "rooms": 0}
        self.feasible = [self._candidates(self.task.brief(name)) for name in self.task.agenda]
        self._casts: dict[tuple[int, int], list[set[str]]] = {}
        self._pairs: dict[tuple[int, int, int, int], bool] = {}

    def _candidates(self, brief: Record) -> list[Record]:
        """The feasible candidates of a meeting in ranking order, as the archive's `label` finds them."""
        found = []
        for start in range(*brief["window"]):
            end = start + brief["duration"]
            if not self.task.is_generated(brief, start, end):
                continue
            self.counts["generated"] += 1
            if not self.task.is_agreed(brief, start, end):
                continue
            self.counts["agreed"] += 1
            sites = [one for one in self.task.room_sites if self.task.people_available(brief, start, end, one)]
            self.counts["available"] += bool(sites)
            found += [
                {"brief": brief, "start": start, "end": end, "room": room}
                for room in self.world["rooms"]
                if room["site"] in sites and self.task.room_usable(brief, start, end, room)
            ]
        self.counts["rooms"] += len(found)
        return sorted(found, key=ladder_oracle.rank)

    def is_first(self, gold: Sequence[Record]) -> bool:
        """Whether the gold is a plan and no plan comes before it; raises `UndecidedError`."""
        if len(gold) != len(self.feasible):
            return False
        places = []
        for meeting, candidate in enumerate(gold):
            found = [place for place, one in enumerate(self.feasible[meeting]) if self._is(one, candidate)]
            if not found:
                return False
            places.append(found[0])
        if not all(self._pair(*one, *two) for one, two in combinations(enumerate(places), 2)):
            return False
        if not self._people_fit(list(enumerate(places))):
            return False
        for meeting, place in enumerate(places):
            fixed = dict(enumerate(places[:meeting]))
            for earlier in range(place):
                if self._can_be_completed(fixed, self._others(fixed), meeting, earlier):
                    return False
        return True

    def _is(self, one: Record, candidate: Record) -> bool:
        zone = self.task.zone
        return bool(
            one["brief"]["name"] == candidate["meeting"]
            and one["room"]["room_id"] == candidate["room_id"]
            and ladder_oracle.iso(one["start"], zone) == candidate["start"]
            and ladder_oracle.iso(one["end"], zone) == candidate["end"]
        )

    def _others(self, fixed: dict[int, int]) -> dict[int, list[int]]:
        """The candidates of the meetings that are not fixed which agree with those that are."""
        return {
            meeting: [place for place in range(len(some)) if self._agrees(fixed, meeting, place)]
            for meeting, some in enumerate(self.feasible)
            if meeting not in fixed
        }

    def _agrees(self, fixed: dict[int, int], meeting: int, place: int) -> bool:
        return all(self._pair(one, other, meeting, place) for one, other in fixed.items())

    def _can_be_completed(self, fixed: dict[int, int], domains: dict[int, list[int]], meeting: int, place: int) -> bool:
        """Whether the candidate and those that are fixed are part of a plan; the fewest candidates are placed first."""
        if place not in domains[meeting]:
            return False
        if self.left == 0:
            raise UndecidedError
        self.left -= 1
        longer = fixed | {meeting: place}
        if not self._people_fit(sorted(longer.items())):
            return False
        rest = {
            one: [other for other in some if self._pair(meeting, place, one, other)]
            for one, some in domains.items()
            if one != meeting
        }
        if not rest:
            return True
        if not all(rest.values()):
            return False
        following = min(rest, key=lambda one: len(rest[one]))
        return any(self._can_be_completed(longer, rest, following, other) for other in rest[following])

    def _people_fit(self, chosen: Sequence[tuple[int, int]], people: tuple[set[str], ...] = ()) -> bool:
        """Whether people can be chosen for candidates that agree by two.

        The archive tries all choices at once. If those for the first candidates do not fit, no longer ones do.
        """
        placed = [self.feasible[meeting][place] for meeting, place in chosen[: len(people)]]
        rules = [self.task.policies(one["brief"], one["start"], one["room"]["site"]) for one in placed]
        if not self.task.people_fit(placed, rules, people):
            return False
        if len(people) == len(chosen):
            return True
        return any(self._people_fit(chosen, (*people, some)) for some in self._cast(*chosen[len(people)]))

    def _pair(self, meeting: int, place: int, other: int, other_place: int) -> bool:
        """Whether two candidates agree; of those of a plan any two do."""
        key = (meeting, place, other, other_place) if meeting < other else (other, other_place, meeting, place)
        if key not in self._pairs:
            self._pairs[key] = self._fit(*key)
        return self._pairs[key]

    def _fit(self, meeting: int, place: int, other: int, other_place: int) -> bool:
        pair = [self.feasible[meeting][place], self.feasible[other][other_place]]
        one, two = pair
        if _too_early(one, two) or _too_early(two, one):
            return False
        rules = [self.task.policies(each["brief"], each["start"], each["room"]["site"]) for each in pair]
        if one["room"] is two["room"]:
            gap = max(map(ladder_oracle.turnaround_of, rules))
            if not ladder_oracle.far_enough(one["start"], one["end"], two["start"], two["end"], gap):
                return False
        casts = (self._cast(meeting, place), self._cast(other, other_place))
        return any(self.task.people_fit(pair, rules, people) for people in product(*casts))

    def _cast(self, meeting: int, place: int) -> list[set[str]]:
        if (meeting, place) not in self._casts:
            self._casts[meeting, place] = self.task.casts(self.feasible[meeting][place])
        return self._casts[meeting, place]


def _too_early(one: Record, other: Record) -> bool:
    """Whether one begins before the end of another that has to come first."""
    return other["brief"]["name"] in one["brief"]["after_meetings"] and bool(one["start"] < other["end"])
