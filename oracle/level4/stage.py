"""The stage of a task: for every meeting, the starts that each room allows under each situation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.level4.axis import Axis, axis
from mpcbench.oracle.level4.brief import Brief, Reader
from mpcbench.oracle.level4.difference import Difference
from mpcbench.oracle.level4.effects import Effects
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.meeting import Meeting, Meetings, needed
from mpcbench.oracle.level4.memory import Memory
from mpcbench.oracle.problem import UnresolvedError


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that decides the gold."""

    axis: Axis
    meetings: tuple[Meeting, ...]
    """In the order in which they are placed."""

    count: int | None
    """How many candidates are wanted; None for a plan."""

    daily_limit: int | None
    memory: Memory = field(compare=False, repr=False)
    _effects: dict[bool, Effects] = field(init=False, default_factory=dict, compare=False, repr=False)

    def effects(self, *, ordered: bool, like: "Stage | None" = None) -> Effects:
        """What placements do to the other meetings.

        Args:
            ordered: Whether the order of meetings counts.
            like: A stage that shares meetings, whose answers are then taken over.
        """
        if ordered not in self._effects:
            theirs = None if like is None or like is self else like.effects(ordered=ordered)
            self._effects[ordered] = Effects(self.meetings, self.axis, ordered=ordered, like=theirs)
        return self._effects[ordered]

    def offers_same(self, other: "Stage") -> bool:
        """Whether the same candidates and plans are possible."""
        return (
            (self.axis, self.count, self.daily_limit) == (other.axis, other.count, other.daily_limit)
            and len(self.meetings) == len(other.meetings)
            and all(one is two or one.offers_same(two) for one, two in zip(self.meetings, other.meetings, strict=True))
        )


class NotOfferedError(Exception):
    """A meeting does not have a candidate that it was to have."""


def stage(
    knowledge: Knowledge,
    *,
    counted: bool = True,
    like: Stage | None = None,
    having: Mapping[str, tuple[int, str]] | None = None,
) -> Stage:
    """The stage of the knowledge's task.

    Args:
        knowledge: What is known.
        like: The stage of a task with much the same knowledge; what follows from what they share is taken from it.
        counted: Whether the slots count at which people are available, too; without it, sites that have no room to offer
            are not looked at.
        having: A start (minutes since 1970-01-01 UTC) and a room by meeting, without which the stage is of no use. Meetings
            that lack theirs in the other stage are worked out first.

    Raises:
        NotOfferedError: a meeting lacks its start and room of `having`.
        UnresolvedError: something needed is not stated, or a record or alias is unknown.
    """
    known = None if like is None else like.memory
    if known is not None:
        knowledge.take_over(known.knowledge)
    difference = None if known is None else Difference(knowledge, known.knowledge)
    reader = _reader(knowledge, known, difference)
    subject = reader.brief(reader.subject)
    briefs = [reader.brief(name) for name in reader.agenda] or [subject]
    windows = [needed(brief.window, brief, "window") for brief in briefs]
    span = Interval(min(start for start, _ in windows), max(end for _, end in windows))
    count = None if reader.agenda else needed(subject.count, subject, "number of options")
    _check_order(briefs)
    memory = Memory(knowledge, axis(span, knowledge.zone), reader, known, difference)
    maker = Meetings(memory, counted=counted)
    made = {} if like is None or counted else {meeting.brief.name: meeting for meeting in like.meetings}
    wanted = having or {}
    lacking: set[str] = set()
    if like is not None:
        lacking = {name for name in wanted.keys() & made.keys() if not _offers(like.axis, made[name], wanted[name])}
    meetings = {}
    for brief in sorted(briefs, key=lambda one: one.name not in lacking):
        meeting = meetings[brief.name] = maker.meeting(brief, made.get(brief.name))
        if brief.name in wanted and not _offers(memory.axis, meeting, wanted[brief.name]):
            raise NotOfferedError(brief.name)
    ordered = tuple(meetings[brief.name] for brief in briefs)
    return Stage(memory.axis, ordered, count, subject.daily_limit, memory)


def _offers(axis: Axis, meeting: Meeting, candidate: tuple[int, str]) -> bool:
    start, room_id = candidate
    return meeting.option_at(axis.between(start, start + 1), room_id) is not None


def _reader(knowledge: Knowledge, known: Memory | None, difference: Difference | None) -> Reader:
    """A reader of what is said, which has read what is said likewise to somebody else."""
    if known is None or difference is None or difference.said is None:
        return Reader(knowledge)
    return Reader(knowledge, known.reader, difference.said) if difference.said else known.reader


def _check_order(briefs: Sequence[Brief]) -> None:
    names = {brief.name for brief in briefs}
    if len(names) < len(briefs):
        msg = f"{briefs[0].name!r}: a meeting is on the agenda twice"
        raise UnresolvedError(msg)
    for brief in briefs:
        for other in brief.after_meetings:
            if other not in names or len(briefs) == 1:
                msg = f"{brief.name!r}: {other!r} is not on the agenda"
                raise UnresolvedError(msg)
