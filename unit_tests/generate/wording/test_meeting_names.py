"""Names of meetings."""

from itertools import combinations

import pytest

from mpcbench.generate.wording.meeting_names import KINDS, MEETING_NAMES, PROJECTS, SUBJECTS, meeting_name

VENUES = 14
NAMED = [meeting_name(index, 42, VENUES) for index in range(MEETING_NAMES)]


def test_no_two_meetings_share_project_and_subject() -> None:
    """So "the Falcon pricing one" is a single meeting of its world."""
    assert MEETING_NAMES == len({(name.project, name.subject) for name, _ in NAMED})


def test_meetings_of_one_kind_are_announced_in_different_places() -> None:
    """Kind and venue are repeated only after all combinations were used."""
    cycle = len(KINDS) * VENUES
    for first in range(0, len(NAMED) - cycle, 500):
        assert len({(name.kind, venue) for name, venue in NAMED[first : first + cycle]}) == cycle
    assert {venue for _, venue in NAMED} == set(range(VENUES))


def test_no_meeting_name_is_part_of_another() -> None:
    """A search for one name never finds another meeting."""
    names = [str(name) for name, _ in NAMED[:1000]]

    assert [(name, other) for name, other in combinations(names, 2) if name in other or other in name] == []


def test_seeds_give_other_orders() -> None:
    """The order of the names depends on the seed."""
    assert [meeting_name(index, 1, VENUES) for index in range(20)] != [
        meeting_name(index, 2, VENUES) for index in range(20)
    ]


@pytest.mark.parametrize("index", [-1, MEETING_NAMES])
def test_names_run_out(index: int) -> None:
    """An index beyond the names is an error."""
    with pytest.raises(IndexError, match=f"meeting index {index} is not from 0"):
        meeting_name(index, 1, VENUES)


def test_words_are_unique() -> None:
    """No list names a thing twice, and no word is in two lists."""
    words = [*PROJECTS, *SUBJECTS, *KINDS]

    assert sorted(set(words)) == sorted(words)
