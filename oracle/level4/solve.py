"""Solve a task of level 4: the first N candidates of a meeting, or the first plan."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.meeting import Meeting
from mpcbench.oracle.level4.plan import SEARCH_LIMIT, first_plan, is_first_plan
from mpcbench.oracle.level4.stage import NotOfferedError, Stage, stage
from mpcbench.schema.level4.label import LadderCandidate, LadderCounts


class Pick(NamedTuple):
    """A candidate in minutes since 1970-01-01 UTC; the meeting is None unless it is one of a plan."""

    start: int
    end: int
    room_id: str
    meeting: str | None


@dataclass(frozen=True, slots=True)
class LadderSolution:
    """The oracle's answer to a task."""

    gold: tuple[LadderCandidate, ...]
    """The first N candidates in ranking order, or all if there are fewer; of a plan one candidate a meeting, or none."""

    counts: LadderCounts
    digest: str
    wanted: int
    """How many candidates a complete gold has."""


def solve(knowledge: Knowledge) -> LadderSolution:
    """The gold of a task, the counts after each stage and the digest of the feasible candidates of every meeting.

    Raises:
        UnresolvedError: something needed is not stated, or a record or alias is unknown.
        SearchLimitError: the plan could not be found within the bound.
    """
    found = stage(knowledge)
    zone = knowledge.zone
    return LadderSolution(
        gold=tuple(
            LadderCandidate(
                start=to_datetime(pick.start, zone),
                end=to_datetime(pick.end, zone),
                room_id=pick.room_id,
                meeting=pick.meeting,
            )
            for pick in picks(knowledge, found)
        ),
        counts=LadderCounts(
            generated=sum(meeting.generated for meeting in found.meetings),
            agreed=sum(meeting.agreed for meeting in found.meetings),
            available=sum(meeting.available for meeting in found.meetings),
            rooms=sum(option.starts.bit_count() for meeting in found.meetings for option in meeting.options),
        ),
        digest=_digest(found),
        wanted=len(found.meetings) if found.count is None else found.count,
    )


def picks(
    knowledge: Knowledge,
    found: Stage | None = None,
    *,
    most: int = SEARCH_LIMIT,
    likely: Sequence[Pick] = (),
    least: Sequence[Pick] = (),
    like: Stage | None = None,
) -> tuple[Pick, ...]:
    """The gold alone, in minutes; faster than `solve`. Raises what `solve` raises.

    Args:
        knowledge: What is known.
        found: Its stage, if it is at hand.
        most: The number of placements to try to find a plan.
        likely: A plan that may be possible, which makes the search shorter.
        least: A plan before which there certainly is none, which makes it shorter, too.
        like: The stage of much the same knowledge, where it is at hand.
    """
    found = found or stage(knowledge, counted=False)
    if found.count is not None:
        return _first(found, found.meetings[0], found.count)
    plan = first_plan(
        found,
        lookahead=knowledge.lookahead,
        ordered=knowledge.ordered,
        limited=knowledge.limited,
        most=most,
        likely=_by_meeting(likely),
        least=_by_meeting(least),
        like=like,
    )
    return tuple(
        Pick(start, start + meeting.length, room_id, meeting.brief.name)
        for meeting, (start, room_id) in zip(found.meetings, plan, strict=False)
    )


def gives(knowledge: Knowledge, answer: AbstractSet[Pick], like: Stage, rival: AbstractSet[Pick] = frozenset()) -> bool:
    """Whether a task has this answer, not empty, as its gold. Raises what `solve` raises.

    Args:
        knowledge: What is known.
        answer: Candidates in any order.
        like: The stage of a task with much the same knowledge.
        rival: Another answer. If it is a plan that is possible and comes before, that is soon known.
    """
    if like.count is not None or not knowledge.lookahead:
        return set(picks(knowledge, stage(knowledge, counted=False, like=like))) == answer
    plan = _by_meeting(answer)
    try:
        found = stage(knowledge, counted=False, like=like, having=plan)
    except NotOfferedError:
        return False
    if found.count is not None:
        return set(picks(knowledge, found)) == answer
    ends = {(one.meeting, one.end - one.start) for one in answer}
    if ends != {(meeting.brief.name, meeting.length) for meeting in found.meetings} or len(answer) > len(plan):
        return False
    return is_first_plan(
        found, plan, ordered=knowledge.ordered, limited=knowledge.limited, rival=_by_meeting(rival), like=like
    )


def _by_meeting(plan: Iterable[Pick]) -> dict[str, tuple[int, str]]:
    """The start and the room of each meeting of a plan, by its name."""
    return {str(one.meeting): (one.start, one.room_id) for one in plan}


def _first(found: Stage, meeting: Meeting, count: int) -> tuple[Pick, ...]:
    remaining = 0
    for option in meeting.options:
        remaining |= option.starts
    chosen: list[Pick] = []
    while remaining and len(chosen) < count:
        lowest = remaining & -remaining
        remaining ^= lowest
        start = found.axis.instants[lowest.bit_length() - 1]
        rooms = (option.room.room_id for option in meeting.options if option.starts & lowest)
        chosen += [Pick(start, start + meeting.length, room_id, None) for room_id in rooms]
    return tuple(chosen[:count])


def _digest(found: Stage) -> str:
    lines: list[str] = []
    for place, meeting in enumerate(found.meetings):
        pairs = sorted(
            (found.axis.instants[start], option.room.room_id)
            for option in meeting.options
            for start in members(option.starts)
        )
        lines += [f"{place} {start} {start + meeting.length} {room_id}\n" for start, room_id in pairs]
    return sha256("".join(lines).encode()).hexdigest()
