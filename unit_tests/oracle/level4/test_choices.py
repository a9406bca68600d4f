"""Whether people can be chosen for meetings placed together, against trying every combination."""

from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle.level4.choices import Attendance, attendance, can_be_chosen

PEOPLE = "abcde"

groups = st.frozensets(st.sampled_from(PEOPLE), min_size=1, max_size=3)


@st.composite
def attendances(draw: st.DrawFn) -> Attendance:
    """A meeting of one of three days, with at most three needs."""
    day = draw(st.integers(0, 2))
    start = 24 * day + draw(st.integers(0, 6))
    return attendance(
        start,
        start + draw(st.integers(1, 3)),
        1 << day,
        draw(st.frozensets(st.sampled_from(PEOPLE), max_size=2)),
        {person: draw(st.integers(0, 2)) for person in PEOPLE},
        map(tuple, draw(st.lists(st.lists(groups, max_size=4), max_size=3))),
    )


def tried(meetings: Sequence[Attendance], limit: int | None) -> bool:
    """Whether some choice of a group for every need lets everybody attend."""
    needs = [(place, need) for place, meeting in enumerate(meetings) for need in meeting.needs]
    for chosen in product(*(need for _, need in needs)):
        extra: list[set[str]] = [set() for _ in meetings]
        for (place, _), group in zip(needs, chosen, strict=True):
            extra[place] |= group - meetings[place].required
        if all(fits(meetings, extra, limit, place, person) for place, people in enumerate(extra) for person in people):
            return True
    return False


def fits(meetings: Sequence[Attendance], extra: Sequence[set[str]], limit: int | None, place: int, person: str) -> bool:
    one = meetings[place]
    others = [
        other for number, other in enumerate(meetings) if number != place and person in other.required | extra[number]
    ]
    near = any(
        other.start < one.end + gap and one.start < other.end + gap
        for other in others
        for gap in [max(one.buffers[person], other.buffers[person])]
    )
    return not near and (limit is None or sum(other.day == one.day for other in others) < limit)


@given(meetings=st.lists(attendances(), min_size=1, max_size=4), limit=st.sampled_from([None, 1, 2]))
def test_choices_agree_with_trying_all(meetings: list[Attendance], limit: int | None) -> None:
    """Needs that touch no other meeting are met alone, and nothing else changes."""
    assert tried(meetings, limit) == can_be_chosen(meetings, limit)
