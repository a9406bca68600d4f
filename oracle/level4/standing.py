"""Whether the first plan of a task certainly stays the first when some of its candidates are others.

A plan that comes before it places a meeting of the agenda earlier, all meetings before that one as it does, and at least one
meeting at a candidate that was not there before. So it stays where no new candidate agrees with the meetings that are placed
alike and the one that is placed earlier.
"""

from collections.abc import Iterator, Mapping, Sequence

from mpcbench.oracle.level4.capacity import Taken, is_full, once_more
from mpcbench.oracle.level4.layout import Placement
from mpcbench.oracle.level4.meeting import Meeting, Situation
from mpcbench.oracle.level4.plan import Search, State
from mpcbench.oracle.level4.stage import Stage

_Choice = tuple[int, str]
"""A start and the ID of a room."""

_Starts = tuple[int, ...]
"""Starts of each option of a meeting, as sets of the axis."""


class Standing:
    """The first plan of a stage.

    Args:
        stage: That of a plan.
        plan: The start (minutes since 1970-01-01 UTC) and the room of every meeting.
        ordered: Whether the order of meetings counts.
        limited: Whether the limit per person and day counts.
    """

    def __init__(self, stage: Stage, plan: Sequence[_Choice], *, ordered: bool, limited: bool) -> None:
        self._stage = stage
        self._ordered, self._limited = ordered, limited
        self._plan = plan
        search = Search(stage, ordered=ordered, limited=limited)
        self._limit = search.limit
        self._placements = [search.placement(place, *choice) for place, choice in enumerate(plan)]
        self._steps = list(self._walked(search))
        """For each meeting, on which days the ones placed before it require people, and the candidates before its own."""

    def _walked(self, search: Search) -> Iterator[tuple[Mapping[str, Taken], tuple[Placement, ...]]]:
        state: State | None = search.bounded(search.start())
        for place, chosen in enumerate(self._placements):
            assert state is not None
            assert chosen is not None
            earlier = []
            for one in search.candidates(state, place):
                if one == chosen:
                    break
                earlier.append(one)
            yield state.taken, tuple(earlier)
            state = search.place(state, chosen)

    def holds(self, other: Stage) -> bool:
        """Whether it is certainly the first plan of another stage, too; false where that is not plain."""
        if not _are_comparable(self._stage, other):
            return False
        new: dict[int, _Starts] = {}
        for place, (mine, theirs) in enumerate(zip(self._stage.meetings, other.meetings, strict=True)):
            if theirs is not mine:
                starts = _new(mine, theirs)
                if not self._is_old(place, theirs, starts):
                    return False
                if any(starts):
                    new[place] = starts
        return not new or not self._is_preceded(other, new)

    def _is_old(self, place: int, meeting: Meeting, new: _Starts) -> bool:
        """Whether a meeting still has its candidate of the plan as it was."""
        chosen = self._placements[place]
        assert chosen is not None
        return any(
            option.room.room_id == self._plan[place][1] and (option.starts & ~starts) >> chosen.start & 1
            for option, starts in zip(meeting.options, new, strict=True)
        )

    def _is_preceded(self, other: Stage, new: Mapping[int, _Starts]) -> bool:
        """Whether a plan with one of the new candidates may come before."""
        search = Search(other, ordered=self._ordered, limited=self._limited, like=self._stage)
        left = {place: search.layouts[place].packed(starts) for place, starts in new.items()}
        for place, (taken, earlier) in enumerate(self._steps):
            chosen = search.placement(place, *self._plan[place])
            assert chosen is not None
            if place in left:
                start, options = next(search.layouts[place].ranked(left[place]))
                if (start, options[0]) < (chosen.start, chosen.option):
                    return True
            later = {one: domain for one, domain in left.items() if one > place}
            if any(self._left(search, taken, one, later) for one in self._as_in(search, place, earlier)):
                return True
            left = self._left(search, taken, chosen, later)
            if not left:
                return False
        return False

    def _as_in(self, search: Search, place: int, some: Sequence[Placement]) -> Iterator[Placement]:
        """Placements as they are numbered in another stage, without those that it does not have."""
        mine = self._stage.meetings[place]
        if search.meetings[place] is mine:
            yield from some
            return
        for one in some:
            found = search.placement(place, self._stage.axis.instants[one.start], mine.options[one.option].room.room_id)
            if found is not None:
                yield found

    def _left(
        self, search: Search, taken: Mapping[str, Taken], candidate: Placement, new: Mapping[int, int]
    ) -> dict[int, int]:
        """What a placement leaves of the new candidates, without meetings of which none is left."""
        found = {one: some & ~search.effects.effect(candidate, one).all for one, some in new.items()}
        if self._limit is not None and any(found.values()):
            day = search.axis.day_of[candidate.start]
            for person in search.required(candidate):
                if is_full(once_more(taken.get(person), day, self._limit), day):
                    free = search.effects.without(person, day)
                    found = {one: some & free[one] for one, some in found.items()}
        return {one: some for one, some in found.items() if some}


def offers_no_more(stage: Stage, other: Stage) -> bool:
    """Whether all plans of another stage are certainly plans of this one, in the same order; false where that is not plain."""
    return _are_comparable(stage, other) and not any(
        theirs is not mine and any(_new(mine, theirs))
        for mine, theirs in zip(stage.meetings, other.meetings, strict=True)
    )


def _are_comparable(stage: Stage, other: Stage) -> bool:
    """Whether they place the same meetings under the same order and limit, and rank them alike."""
    return (
        (stage.axis, other.count, stage.daily_limit) == (other.axis, None, other.daily_limit)
        and len(stage.meetings) == len(other.meetings)
        and all(
            mine is theirs
            or (
                (mine.brief.name, mine.brief.after_meetings, mine.length)
                == (theirs.brief.name, theirs.brief.after_meetings, theirs.length)
                and _rank_alike(mine, theirs)
            )
            for mine, theirs in zip(stage.meetings, other.meetings, strict=True)
        )
    )


def _rank_alike(one: Meeting, other: Meeting) -> bool:
    """Whether the rooms that both can have rank alike."""
    rooms, others = (dict.fromkeys(option.room.room_id for option in meeting.options) for meeting in (one, other))
    return [room for room in rooms if room in others] == [room for room in others if room in rooms]


def _new(mine: Meeting, theirs: Meeting) -> _Starts:
    """The starts of each option at which a meeting could not be before, or not with the same people and demands."""
    return tuple(
        starts if starts == 0 else starts & ~_old(mine, option.room.room_id, option.situation)
        for option in theirs.options
        for starts in (option.starts,)
    )


def _old(mine: Meeting, room_id: str, situation: Situation) -> int:
    """The starts at which a meeting could be in a room in the very situation."""
    found = 0
    for option in mine.options:
        if option.room.room_id == room_id and (option.situation is situation or _alike(option.situation, situation)):
            found |= option.starts & ~_availability_differs(option.situation, situation)
    return found


def _alike(one: Situation, other: Situation) -> bool:
    return (one.cast, one.buffers, one.room) == (other.cast, other.buffers, other.room)


def _availability_differs(one: Situation, other: Situation) -> int:
    """The starts at which other people can be chosen."""
    found = 0
    if one.available is not other.available:
        for person, starts in one.available.items():
            found |= starts ^ other.available[person]
    return found
