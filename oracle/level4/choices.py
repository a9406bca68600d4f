"""Whether people can be chosen for the stand-ins and thresholds of meetings placed together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from mpcbench.oracle.level4.cast import Cast, People

Need = tuple[People, ...]
"""Groups, one of which has to take part."""


class Attendance(NamedTuple):
    """A meeting placed, with who may take part."""

    start: int
    end: int
    """In minutes since 1970-01-01 UTC."""

    day: int
    """Equal for meetings of one day."""

    required: People
    buffers: Mapping[str, int]
    needs: tuple[Need, ...]
    """What choices have to meet, out of those who are available, the plan's other meetings aside."""

    choosable: People
    """Who may be chosen to meet them."""


_Open = tuple[Attendance, list[People]]
"""A need that is not met yet: its meeting, and the groups that can meet it."""


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
    attending: dict[str, list[Attendance]] = {person: [] for meeting in asked for person in meeting.choosable}
    for meeting in meetings:
        for person in attending.keys() & meeting.required:
            attending[person].append(meeting)
    found: list[_Open] = []
    for meeting in asked:
        fitting = meeting.required.union(
            one for one in meeting.choosable if not attending[one] or _fits(meeting, attending[one], limit, one)
        )
        for need in meeting.needs:
            groups = [group for group in need if group <= fitting]
            if not groups:
                return False
            found.append((meeting, groups))
    needs = [one for one in found if not _met_alone(one, found)]
    return _met(limit, attending, sorted(needs, key=lambda one: len(one[1])))


def interact(one: Attendance, two: Attendance) -> bool:
    """Whether a choice for one of two meetings may rule out a choice for the other."""
    shared = one.choosable & (two.choosable | two.required) | two.choosable & one.required
    return any(one.day == two.day or _too_close(one, two, person) for person in shared)


def _met_alone(need: _Open, needs: Sequence[_Open]) -> bool:
    """Whether some group takes nothing from any other meeting, so that choosing it is always right."""
    one, groups = need
    own = frozenset().union(*groups) - one.required
    rivals = {
        person
        for other, some in needs
        if other is not one
        for person in own & frozenset().union(*some) - other.required
        if other.day == one.day or _too_close(one, other, person)
    }
    return any(rivals.isdisjoint(group) for group in groups)


def _met(limit: int | None, attending: Mapping[str, list[Attendance]], needs: list[_Open]) -> bool:
    if not needs:
        return True
    (meeting, groups), *rest = needs
    for group in groups:
        new = [
            person for person in group - meeting.required if all(other is not meeting for other in attending[person])
        ]
        if all(_fits(meeting, attending[person], limit, person) for person in new):
            for person in new:
                attending[person].append(meeting)
            if _met(limit, attending, rest):
                return True
            for person in new:
                attending[person].pop()
    return False


def _fits(meeting: Attendance, others: Sequence[Attendance], limit: int | None, person: str) -> bool:
    """Whether a person who attends some meetings can take part in one more."""
    if limit is not None and sum(other.day == meeting.day for other in others) >= limit:
        return False
    return not any(_too_close(meeting, other, person) for other in others)


def _too_close(one: Attendance, other: Attendance, person: str) -> bool:
    """Whether a person cannot take part in both meetings."""
    gap = max(one.buffers[person], other.buffers[person])
    return other.start < one.end + gap and one.start < other.end + gap
