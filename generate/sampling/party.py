"""People in a window, and when they could meet under each of a world's policies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from operator import and_

from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.generate.sampling.truth_table import table_of
from mpcbench.oracle.problem import Buffer
from mpcbench.schema import Section

_ENOUGH = 4
_PLENTY = 8


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a policy says about the starts of a timetable."""

    section: Section
    allowed: int
    """The starts that all of its rules but a buffer allow."""

    alone: tuple[int, ...]
    """The starts that each of them alone rules out."""

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
        masks = [timetable.rule(rule) for rule in rules if not isinstance(rule, Buffer)]
        allowed, alone = _blocking(masks, timetable.slots)
        found.append(Ruling(section, allowed, alone, max(buffers, default=0)))
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

    def unders(self) -> list[Under]:
        """When they could meet under each of the policies."""
        calendars = {
            buffer: _blocking([self.timetable.person(person, buffer) for person in self.free], self.timetable.slots)
            for buffer in {ruling.buffer for ruling in self.rulings}
        }
        found, close = [], self.everybody
        for ruling in self.rulings:
            everybody, calendars_alone = calendars[ruling.buffer]
            feasible = everybody & ruling.allowed
            alone = [*map(ruling.allowed.__and__, calendars_alone), *map(everybody.__and__, ruling.alone)]
            if ruling.buffer:
                alone.append(close & ruling.allowed & ~feasible)
            found.append(Under(ruling, feasible, tuple(alone)))
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


def promises(parties: Sequence[Party]) -> list[int]:
    """How much room for a sample in which every calendar matters each party has under the policies, summed up.

    Under each it is the number of feasible starts, or at most a few times that of the starts that the rarest sole
    blocker rules out. Policies with a buffer are left out, which would take long. The parties are of one size, and of
    one timetable and its policies.
    """
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    slots = parties[0].timetable.slots
    size = slots.bit_length()
    allowed = table_of([ruling.allowed for ruling in parties[0].rulings if not ruling.buffer], size)
    blocking = [_blocking(list(party.free.values()), slots) for party in parties]
    starts = table_of([mask for everybody, alone in blocking for mask in (everybody, *alone)], size)
    matter = starts.any(axis=0)
    # Without BLAS, whose threads would get into each other's way; and 16 bits, which a count of starts fits into.
    counts = np.einsum("as,bs->ab", starts[:, matter].astype(np.int16), allowed[:, matter].astype(np.int16))
    feasible, alone = np.split(counts.reshape(len(parties), -1, len(allowed)), [1], axis=1)
    least = np.minimum(feasible[:, 0], _ENOUGH * alone.min(axis=1))
    found: list[int] = np.minimum(least, _PLENTY).sum(axis=1).tolist()
    return found


def _blocking(masks: Sequence[int], slots: int) -> tuple[int, tuple[int, ...]]:
    """The slots that all masks allow, and those that each of them alone rules out."""
    after = [*accumulate(reversed(masks), and_, initial=slots)][::-1]
    before, alone = slots, []
    for mask, rest in zip(masks, after[1:], strict=True):
        alone.append(before & rest & ~mask)
        before &= mask
    return before, tuple(alone)
