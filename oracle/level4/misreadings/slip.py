"""Misreadings: obvious wrong ways of resolving a mechanism, as functions from knowledge to knowledge."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings.entries import EntryEdit, edited
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema.level4.mechanism import Mechanism


class Slip(NamedTuple):
    """One thing misread."""

    misread: str
    """What is misread, and as what if there are several ways."""

    element: str
    """The thing itself; slips of one element exclude one another."""

    apply: Callable[[Knowledge], Knowledge]
    """What the solver then believes. Slips of different elements can be applied one after another."""


class Misreading(NamedTuple):
    """A mechanism and an obvious wrong way of resolving it."""

    mechanism: Mechanism
    way: str
    slips: Callable[[Knowledge, Touched], Iterator[Slip]]
    """Everything of a task that can be misread so; none if the mechanism is not at work."""

    at_once: Callable[[Knowledge, Touched], Knowledge | None] | None = None
    """What `misread` gives, where there is a quicker way to it than through the slips."""


def misread(knowledge: Knowledge, found: Touched, misreading: Misreading) -> Knowledge | None:
    """What a solver believes who always misreads so: of every element the first slip; None if there is none.

    Entries are edited last and all at once, a calendar at a time: no other slip touches a calendar.
    """
    if misreading.at_once is not None:
        return misreading.at_once(knowledge, found)
    first: dict[str, Slip] = {}
    for slip in misreading.slips(knowledge, found):
        first.setdefault(slip.element, slip)
    believed = knowledge
    edits = []
    for slip in first.values():
        if isinstance(slip.apply, EntryEdit):
            edits.append(slip.apply)
        else:
            believed = slip.apply(believed)
    return edited(believed, edits) if first else None
