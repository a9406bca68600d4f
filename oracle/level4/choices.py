"""Whether people can be chosen for the stand-ins and thresholds of meetings placed together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from mpcbench.oracle.level4.cast import Cast, People


class Attendance(NamedTuple):
    """A meeting placed, with who may take part."""

    start: int
    end: int
    day: int
    """Equal for meetings of one day."""

    cast: Cast
    buffers: Mapping[str, int]
    can_attend: People
    """Of the people who can be chosen, those who are available, the plan's other meetings aside."""


def can_be_chosen(meetings: Sequence[Attendance], limit: int | None) -> bool:
    """Whether people can be chosen so that nobody is too close to another meeting, or in too many on one day."""
    needs = [(place, need) for place, meeting in enumerate(meetings) for need in _needs(meeting)]
    return not needs or _met(meetings, limit, [set(meeting.cast.required) for meeting in meetings], needs)


Need = list[People]
"""Groups, one of which has to take part."""


def _needs(meeting: Attendance) -> Iterator[Need]:
    for groups in meeting.cast.alternatives:
        yield [group for group in groups if group <= meeting.can_attend]
    for count, people in meeting.cast.thresholds:
        certain = people & meeting.cast.required
        others = sorted(people & meeting.can_attend - certain)
        yield [frozenset(some) for some in combinations(others, max(0, count - len(certain)))]


def _met(
    meetings: Sequence[Attendance], limit: int | None, attending: list[set[str]], needs: list[tuple[int, Need]]
) -> bool:
    if not needs:
        return True
    (place, groups), *rest = needs
    for group in groups:
        new = group - attending[place]
        if all(_fits(meetings, limit, attending, place, person) for person in new):
            attending[place] |= new
            if _met(meetings, limit, attending, rest):
                return True
            attending[place] -= new
    return False


def _fits(
    meetings: Sequence[Attendance], limit: int | None, attending: list[set[str]], place: int, person: str
) -> bool:
    """Whether a person can take part in one more meeting."""
    one = meetings[place]
    others = [other for number, other in enumerate(meetings) if number != place and person in attending[number]]
    if limit is not None and sum(other.day == one.day for other in others) >= limit:
        return False
    for other in others:
        gap = max(one.buffers[person], other.buffers[person])
        if other.start < one.end + gap and one.start < other.end + gap:
            return False
    return True
