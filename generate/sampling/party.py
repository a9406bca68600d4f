"""People in a window, and when they could meet under each of a world's policies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from operator import and_

from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.oracle.problem import Buffer
from mpcbench.schema import Section

_ENOUGH = 4
_PLENTY = 8


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a policy says about the starts of a timetable."""

    section: Section
    masks: tuple[int, ...]
    """The starts that each of its rules but a buffer allows."""

    allowed: int
    """The starts that all of them allow."""

    buffer: int
    """Its buffer in minutes; 0 for none."""


@dataclass(frozen=True, slots=True)
class Under:
    """When people could meet under a policy."""

    ruling: Ruling
    feasible: int
    alone: tuple[int, ...]
    """For each calendar and each rule of the policy, the starts that it alone rules out."""


def rulings(setting: Setting, timetable: Timetable) -> tuple[Ruling, ...]:
    """The policies that constrain the slot."""
    found = []
    for section in setting.slot_policies:
        rules = [constraint.rule for constraint in setting.policy_constraints[section.policy_id]]
        buffers = [rule.minutes for rule in rules if isinstance(rule, Buffer)]
        masks = tuple(timetable.rule(rule) for rule in rules if not isinstance(rule, Buffer))
        allowed = reduce(and_, masks, timetable.slots)
        found.append(Ruling(section, masks, allowed, max(buffers, default=0)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Party:
    """People who are to meet at one of the starts of a timetable."""

    timetable: Timetable
    rulings: Sequence[Ruling]
    free: Mapping[str, int]
    """The starts at which each of them is free."""

    @property
    def everybody(self) -> int:
        """The starts at which all of them are free."""
        return reduce(and_, self.free.values(), self.timetable.slots)

    def with_person(self, person: str) -> "Party":
        """The party with one more person."""
        return replace(self, free={**self.free, person: self.timetable.person(person)})

    @property
    def promise(self) -> int:
        """How much room for a sample in which every calendar matters there is under the policies, summed up.

        Under each it is the number of feasible starts, or at most a few times that of the starts that the rarest sole
        blocker rules out. Policies with a buffer are left out, which would take long.
        """
        everybody, alone = self._blocking(list(self.free.values()))
        found = 0
        for ruling in self.rulings:
            if not ruling.buffer:
                least = min(map(int.bit_count, map(ruling.allowed.__and__, alone)))
                found += min(_ENOUGH * least, (everybody & ruling.allowed).bit_count(), _PLENTY)
        return found

    def unders(self) -> list[Under]:
        """When they could meet under each of the policies."""
        calendars = {
            buffer: [self.timetable.person(person, buffer) for person in self.free]
            for buffer in {ruling.buffer for ruling in self.rulings}
        }
        found, close = [], self.everybody
        for ruling in self.rulings:
            everybody, alone = self._blocking([*calendars[ruling.buffer], *ruling.masks])
            if ruling.buffer:
                alone = (*alone, close & ruling.allowed & ~everybody)
            found.append(Under(ruling, everybody, alone))
        return found

    def mistaken(self, ruling: Ruling, namesakes: Mapping[str, Sequence[str]]) -> Iterator[int]:
        """When they could meet if one of them were mistaken for a namesake, for each who has one."""
        for person in self.free:
            for other in namesakes[person]:
                if other not in self.free:
                    others = (self.calendar(one, ruling) for one in self.free if one != person)
                    yield reduce(and_, others, self.calendar(other, ruling) & ruling.allowed)

    def calendar(self, person: str, ruling: Ruling) -> int:
        """When somebody could meet under a policy."""
        return self.timetable.person(person, ruling.buffer)

    def _blocking(self, masks: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """The starts that all masks allow, and those that each of them alone rules out."""
        slots = self.timetable.slots
        after = [*accumulate(reversed(masks), and_, initial=slots)][::-1]
        before, alone = slots, []
        for mask, rest in zip(masks, after[1:], strict=True):
            alone.append(before & rest & ~mask)
            before &= mask
        return before, tuple(alone)
