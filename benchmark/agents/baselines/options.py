"""What an agent that lacks a source can choose from, and what is measured of a choice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mpcbench.benchmark.agents.baselines.known import BaselineInput
from mpcbench.benchmark.agents.baselines.without import Missing, seen_without
from mpcbench.oracle import Problem
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Order


class Option(NamedTuple):
    """A candidate that is feasible as far as the agent knows."""

    choice: Choice
    minute: int
    """When it starts, in minutes of the local day."""

    weekday: int
    day: int
    """Its day, counted from the end of the window at which the ranking begins."""

    rank: int
    place_on_day: int
    """The place of its slot among those of its day."""

    room_place: int
    """The place of its room among those of its slot."""

    before: int
    """How many feasible slots lead up to it without a gap."""

    after: int
    """How many follow it without a gap."""


@dataclass(frozen=True, slots=True)
class Case:
    """An instance as an agent sees it that lacks something, and the gold to compare with."""

    known: BaselineInput
    seen: Problem
    options: Sequence[Option]
    """In the order of the ranking; of each slot at most N rooms."""

    gold: frozenset[Choice]

    @property
    def count(self) -> int:
        """How many options are asked for."""
        return self.seen.count

    @classmethod
    def of(cls, known: BaselineInput, missing: Missing, minutes: int) -> "Case":
        """The case of an instance; minutes is the duration to assume where nothing states it."""
        seen = seen_without(known, missing, minutes)
        return cls(known, seen, tuple(_options(seen)), frozenset(gold_choices(known.problem)))


class Hit(NamedTuple):
    """How good a choice is."""

    exact: bool
    f1: float


def hit(picks: Sequence[Choice], case: Case) -> Hit:
    """Exact match and F1 of the picks, as sets."""
    proposed = set(picks)
    return Hit(proposed == case.gold, 2 * len(proposed & case.gold) / (len(proposed) + len(case.gold)))


def _unbroken(places: Sequence[int]) -> list[int]:
    """For each of the ascending places how many lead up to it on the grid."""
    found: list[int] = []
    for number, place in enumerate(places):
        found.append(found[-1] + 1 if number and place - places[number - 1] == GRID_MINUTES else 0)
    return found


def _options(problem: Problem) -> Iterator[Option]:
    slots, _ = filtered_slots(problem)
    masks = room_masks(problem, slots)
    window, is_latest = problem.window, problem.order is Order.LATEST
    places = list(members(slots))
    first_day = to_datetime(window.end - 1 if is_latest else window.start, problem.zone).date()
    before, after = _unbroken(places), _unbroken([-place for place in reversed(places)])[::-1]
    neighbours = dict(zip(places, zip(before, after, strict=True), strict=True))
    rank, on_day, today = 0, 0, None
    for place in reversed(places) if is_latest else places:
        rooms = [room for room, mask in masks if mask >> place & 1][: problem.count]
        instant = window.start + place
        local = to_datetime(instant, problem.zone)
        on_day, today = (on_day + 1 if today == local.date() else 0), local.date()
        for room_place, room in enumerate(rooms):
            yield Option(
                Choice(instant, instant + problem.duration, None if room is None else room.room_id),
                local.hour * 60 + local.minute,
                local.weekday(),
                abs((local.date() - first_day).days),
                rank,
                on_day,
                room_place,
                *neighbours[place],
            )
            rank += 1
