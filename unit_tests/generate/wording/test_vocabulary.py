"""Words and names of meetings."""

from itertools import pairwise

import pytest

from mpcbench.generate.wording import vocabulary
from mpcbench.generate.wording.vocabulary import MEETING_NAMES, meeting_name


def test_meeting_names_are_unique() -> None:
    """Every index has a name of its own."""
    assert MEETING_NAMES >= 10_000
    assert len({meeting_name(index, 42) for index in range(MEETING_NAMES)}) == MEETING_NAMES


def test_no_meeting_name_is_part_of_another() -> None:
    """A search for one name never finds another meeting."""
    names = [meeting_name(index, 1) for index in range(1500)]

    assert [(name, other) for name in names for other in names if name != other and name in other] == []


def test_neighbours_look_unrelated() -> None:
    """Names of successive indices do not share their code name."""
    names = [meeting_name(index, 3).split()[0] for index in range(500)]

    assert sum(first == second for first, second in pairwise(names)) < 50


def test_seeds_give_other_orders() -> None:
    """The order of the names depends on the seed."""
    assert [meeting_name(index, 1) for index in range(20)] != [meeting_name(index, 2) for index in range(20)]


@pytest.mark.parametrize("index", [-1, MEETING_NAMES])
def test_names_run_out(index: int) -> None:
    """An index beyond the names is an error."""
    with pytest.raises(IndexError, match=f"meeting index {index} is not from 0"):
        meeting_name(index, 1)


def test_words_are_unique() -> None:
    """No list names a thing twice."""
    lists = {name: value for name, value in vars(vocabulary).items() if name.isupper() and isinstance(value, tuple)}

    assert lists
    assert [name for name, value in lists.items() if len(set(value)) < len(value)] == []
