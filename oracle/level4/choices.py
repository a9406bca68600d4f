"""Whether people can be chosen for the stand-ins and thresholds of meetings placed together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from mpcbench.oracle.level4.cast import Cast, People

Need = tuple[People, ...]
"""Groups, one of which has to take part."""

_Open = tuple[int, list[People]]
"""A need that is not met yet: the place of its meeting, and the groups that can meet it."""


class Attendance(NamedTuple):
    """A meeting placed, with who may take part."""

    start: int
    end: int
    day: int
    """Equal for meetings of one day."""

    required: People
    buffers: Mapping[str, int]
    needs: tuple[Need, ...]
    """What choices have to meet, out of those who are available, the plan's other meetings aside."""

    choosable: People
    """Who may be chosen to meet them."""


def attendance(
    start: int, end: int, day: int, required: People, buffers: Mapping[str, int], needs: Iterable[Need]
) -> Attendance:
    """The attendance at a meeting."""
    found = tuple(needs)
    people = frozenset().union(*(group for need in found for group in need)) - required
    return Attendance(start, end, day, required, buffers, found, people)


def needs_of(cast: Cast, can_attend: People) -> Iterator[Need]:
    """What has to be met by choices, given who of those who can be chosen is available."""
    for groups in cast.alternatives:
        yield tuple(group for group in groups if group <= can_attend)
    for count, people in cast.thresholds:
        certain = people & cast.required
        others = sorted(people & can_attend - certain)
        yield tuple(frozenset(some) for some in combinations(others, max(0, count - len(certain))))


def can_be_chosen(meetings: Sequence[Attendance], limit: int | None) -> bool:
    """Whether people can be chosen so that nobody is too close to another meeting, or in too many on one day."""
    asked = [meeting for meeting in meetings if meeting.needs]
    if not asked:
        return True
    people = frozenset().union(*(meeting.choosable for meeting in asked))
    meetings = [meeting for meeting in meetings if meeting.needs or not people.isdisjoint(meeting.required)]
    attending = [set(meeting.required) for meeting in meetings]
    found: list[_Open] = []
    for place, meeting in enumerate(meetings):
        fitting = meeting.required.union(
            one for one in meeting.choosable if _fits(meetings, limit, attending, place, one)
        )
        for need in meeting.needs:
            groups = [group for group in need if group <= fitting]
            if not groups:
                return False
            found.append((place, groups))
    needs = [one for one in found if not _met_alone(meetings, one, found)]
    return _met(meetings, limit, attending, sorted(needs, key=lambda one: len(one[1])))


def _met_alone(meetings: Sequence[Attendance], need: _Open, needs: Sequence[_Open]) -> bool:
    """Whether some group takes nothing from any other meeting, so that choosing it is always right."""
    place, groups = need
    one = meetings[place]
    own = frozenset().union(*groups) - one.required
    rivals = {
        person
        for other, some in needs
        if other != place
        for person in own & frozenset().union(*some) - meetings[other].required
        if meetings[other].day == one.day or _too_close(one, meetings[other], person)
    }
    return any(rivals.isdisjoint(group) for group in groups)


def _met(meetings: Sequence[Attendance], limit: int | None, attending: list[set[str]], needs: list[_Open]) -> bool:
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
    return not any(_too_close(one, other, person) for other in others)


def _too_close(one: Attendance, other: Attendance, person: str) -> bool:
    """Whether a person cannot take part in both meetings."""
    gap = max(one.buffers[person], other.buffers[person])
    return other.start < one.end + gap and one.start < other.end + gap
