"""What shall hold in the end, in plain words: one meeting, or several that are planned together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mpcbench.oracle.level4.knowledge import Knowledge, Line
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import Duration, OptionCount, Window
from mpcbench.schema.level4.people import Invitation, Named, Required
from mpcbench.schema.level4.statements import (
    AfterMeeting,
    Agenda,
    DailyLimit,
    Invited,
    LadderStatement,
    Organiser,
    Said,
)

PLACEMENTS: Final = 3000
"""Plans that take longer to find are discarded, so that what they depend on can be counted."""


class Rejected(Exception):  # noqa: N818 - the everyday outcome of a sample, not an error
    """The sample fails a check."""

    def __init__(self, check: str) -> None:
        super().__init__(check)
        self.check = check


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds about one meeting."""

    name: str
    organiser: str
    """Who decides about it."""

    duration: int
    invitations: tuple[Invitation, ...]
    demands: tuple[LadderStatement, ...] = ()
    after: tuple[str, ...] = ()
    """The meetings of the same plan that have to be over before."""

    def statements(self) -> Iterator[LadderStatement]:
        """Everything but the organiser."""
        yield Duration(minutes=self.duration)
        yield Invited(invitations=self.invitations)
        yield from self.demands
        yield from (AfterMeeting(meeting=one) for one in self.after)

    @property
    def plainly_required(self) -> list[str]:
        """Who is invited by name and has to be there."""
        return [one.who.person for one in self.invitations if isinstance(one, Required) and isinstance(one.who, Named)]


@dataclass(frozen=True, slots=True)
class Outline:
    """What is to be planned, and within what."""

    name: str
    organiser: str
    window: Window
    meetings: tuple[Terms, ...]
    """The meeting itself, of the same name, or those of a plan."""

    count: int | None
    """How many options are asked for; None for a plan."""

    demands: tuple[LadderStatement, ...] = ()
    """What holds for all meetings of a plan."""

    limit: int | None = None
    """In how many of a plan's meetings anybody takes part on one day."""

    @property
    def wanted(self) -> int:
        """How many candidates a complete gold has."""
        return len(self.meetings) if self.count is None else self.count

    def said(self) -> Iterator[Said]:
        """Everything, each statement with what it is about."""
        common: list[LadderStatement] = [Organiser(person=self.organiser), self.window, *self.demands]
        if self.count is not None:
            common.append(OptionCount(count=self.count))
        else:
            common.append(Agenda(meetings=tuple(one.name for one in self.meetings)))
        if self.limit is not None:
            common.append(DailyLimit(count=self.limit))
        for statement in common:
            yield Said(about=self.name, statement=statement)
        for terms in self.meetings:
            if terms.organiser != self.organiser:
                yield Said(about=terms.name, statement=Organiser(person=terms.organiser))
            for statement in terms.statements():
                yield Said(about=terms.name, statement=statement)

    def waiting_for(self, terms: Terms) -> set[str]:
        """The names of the meetings that cannot begin before one is over."""
        found = {terms.name}
        while more := {one.name for one in self.meetings if not found.isdisjoint(one.after)} - found:
            found |= more
        return found - {terms.name}

    def with_meeting(self, place: int, terms: Terms) -> "Outline":
        """The outline with another meeting in the place of one."""
        return replace(self, meetings=(*self.meetings[:place], terms, *self.meetings[place + 1 :]))

    def knowledge(self, office: Knowledge) -> Knowledge:
        """The knowledge of somebody to whom the task itself says everything."""
        lines: dict[str, tuple[Line, ...]] = {}
        for place, said in enumerate(self.said()):
            line = Line(-(2**62), "", 0, place, None, said)
            lines[said.about] = (*lines.get(said.about, ()), line)
        return office.having(subject=self.name, lines={**office.lines, **lines})


def gold_of(knowledge: Knowledge, like: Stage | None = None, likely: Sequence[Pick] = ()) -> tuple[Pick, ...]:
    """The gold; empty if there is none, or if it cannot be found.

    Args:
        knowledge: What is known.
        like: The stage of much the same knowledge, where it is at hand.
        likely: What may be the gold, or much of it.
    """
    try:
        return gold_on(stage(knowledge, counted=False, like=like), like, likely)
    except UnresolvedError:
        return ()


def gold_on(found: Stage, like: Stage | None = None, likely: Sequence[Pick] = ()) -> tuple[Pick, ...]:
    """The gold of a stage; as of `gold_of`."""
    try:
        return picks(found.memory.knowledge, found, most=PLACEMENTS, likely=likely, like=like)
    except SearchLimitError:
        return ()
