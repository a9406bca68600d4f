"""The rungs of the ladder: how much an instance of each one holds."""

from typing import Final, NamedTuple


class Rung(NamedTuple):
    """What is drawn for the instances of a rung; pairs are the least and the most."""

    load: tuple[int, int]
    """The composition load."""

    mechanisms: tuple[int, int]
    people: tuple[int, int]
    weeks: tuple[int, int]
    options: tuple[int, int]
    """How many are asked for of a single meeting."""

    meetings: tuple[int, int]
    """How many are planned together with the mechanism `joint`."""

    group: tuple[int, int]
    """How many people each meeting of a plan has."""

    rooms: tuple[int, int]
    """How many rooms have what is asked for, in the smallest and in the largest instances."""

    demands: tuple[int, int]
    """How much is asked for besides people, length and window."""


FACTOR: Final = 1.5
"""How much more load a rung has than the one below."""

_MOST_WEEKS: Final = 10

RUNGS: Final = (
    Rung((16, 24), (1, 2), (3, 3), (1, 1), (3, 3), (2, 2), (2, 3), (8, 4), (1, 1)),
    Rung((24, 36), (2, 3), (3, 4), (1, 1), (3, 4), (2, 2), (2, 3), (6, 2), (1, 2)),
    Rung((36, 54), (3, 5), (3, 6), (1, 2), (3, 6), (2, 3), (2, 4), (5, 2), (1, 3)),
    Rung((54, 81), (4, 6), (5, 10), (1, 3), (6, 8), (3, 4), (3, 4), (3, 1), (2, 5)),
    Rung((81, 122), (5, 8), (6, 12), (1, 2), (8, 8), (4, 6), (3, 5), (4, 2), (3, 5)),
    Rung((122, 182), (6, 9), (8, 16), (1, 3), (8, 8), (5, 8), (3, 5), (3, 2), (3, 6)),
    Rung((182, 273), (8, 10), (10, 20), (2, 4), (8, 8), (7, 11), (4, 6), (3, 2), (4, 7)),
    Rung((273, 410), (11, 11), (14, 25), (2, 6), (8, 8), (10, 12), (5, 7), (3, 1), (5, 9)),
)
"""The table of loads; each rung's is `FACTOR` times that of the one below."""

FIRST_JOINT: Final = 2
"""Below this rung no plans are drawn: two meetings hold more than the rung."""

ALWAYS_JOINT: Final = 5
"""From this rung on, several meetings are planned together: a single one does not hold so much."""


def rung_of(number: int) -> Rung:
    """The rung of a number from 1; above the table load, windows, groups and demands go on rising.

    Raises:
        ValueError: the number is less than 1.
    """
    if number < 1:
        msg = f"rung {number} is less than 1"
        raise ValueError(msg)
    if number <= len(RUNGS):
        return RUNGS[number - 1]
    top, more = RUNGS[-1], number - len(RUNGS)
    return top._replace(
        load=(round(top.load[0] * FACTOR**more), round(top.load[1] * FACTOR**more)),
        weeks=(top.weeks[0], min(_MOST_WEEKS, top.weeks[1] + more)),
        group=(top.group[0] + more, top.group[1] + more),
        demands=(top.demands[0] + more, top.demands[1] + 2 * more),
    )
