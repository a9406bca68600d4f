"""The rungs of the ladder: how much an instance of each one holds."""

from typing import Final, NamedTuple


class Rung(NamedTuple):
    """What is drawn for the instances of a rung; pairs are the least and the most."""

    load: tuple[int, int]
    """The composition load."""

    mechanisms: tuple[int, int]
    people: tuple[int, int]
    weeks: tuple[int, int]
    """Of a single meeting's window; that of a plan follows from its meetings."""

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

    daily: tuple[int, ...]
    """In how many of a plan's meetings anybody may take part on one day; one of these."""

    linked: float = 0.85
    """The probability that a meeting of a plan has to wait for the one before it."""

    told: float = 0.3
    """The probability that a later meeting of a plan is told by alias, as a proposal or by reference, each for itself."""

    amended: float = 0.3
    """The probability that somebody is invited to a meeting first and is not in the end."""

    found: float = 0.4
    """What share of the gold somebody may still find who ignores one of the mechanisms altogether."""

    sizes: tuple[float, float] = (0.5, 1.0)
    """Between which sizes the first sample is drawn; 0 is the least of each pair, 1 the most."""

    every: int = 4
    """A first estimate of the load tries one of so many facts."""


FACTOR: Final = 1.5
"""How much more load a rung has than the one below."""

_MOST_WEEKS: Final = 10
_MOST_MEETINGS: Final = 30
_FEW_LINKED, _MUCH_FOUND = 0.4, 0.9
"""Above the table: a chain of meetings does not hold so much, and without one most meetings stay where they are."""

RUNGS: Final = (
    Rung(
        load=(16, 24),
        mechanisms=(1, 2),
        people=(3, 3),
        weeks=(1, 1),
        options=(3, 3),
        meetings=(2, 2),
        group=(2, 3),
        rooms=(8, 4),
        demands=(1, 1),
        daily=(1, 1, 1, 1, 2),
        sizes=(0.2, 0.8),
        every=3,
    ),
    Rung(
        load=(24, 36),
        mechanisms=(2, 3),
        people=(3, 4),
        weeks=(1, 1),
        options=(3, 4),
        meetings=(2, 2),
        group=(2, 3),
        rooms=(6, 2),
        demands=(1, 2),
        daily=(1, 1, 1, 1, 2),
        sizes=(0.2, 0.8),
        every=3,
    ),
    Rung(
        load=(36, 54),
        mechanisms=(3, 5),
        people=(3, 6),
        weeks=(1, 2),
        options=(3, 6),
        meetings=(2, 3),
        group=(2, 4),
        rooms=(5, 2),
        demands=(1, 3),
        daily=(1, 1, 1, 1, 2),
        sizes=(0.2, 0.8),
        every=3,
    ),
    Rung(
        load=(54, 81),
        mechanisms=(4, 6),
        people=(5, 10),
        weeks=(1, 3),
        options=(6, 8),
        meetings=(3, 4),
        group=(2, 4),
        rooms=(3, 1),
        demands=(2, 5),
        daily=(1, 1, 1, 1, 2),
    ),
    Rung(
        load=(81, 122),
        mechanisms=(5, 8),
        people=(6, 12),
        weeks=(1, 2),
        options=(8, 8),
        meetings=(5, 6),
        group=(2, 4),
        rooms=(8, 5),
        demands=(3, 5),
        daily=(1, 1, 2),
    ),
    Rung(
        load=(122, 182),
        mechanisms=(6, 9),
        people=(7, 11),
        weeks=(1, 3),
        options=(8, 8),
        meetings=(6, 8),
        group=(2, 4),
        rooms=(8, 5),
        demands=(3, 6),
        daily=(1, 2),
    ),
    Rung(
        load=(182, 273),
        mechanisms=(8, 10),
        people=(8, 12),
        weeks=(2, 4),
        options=(8, 8),
        meetings=(10, 12),
        group=(3, 4),
        rooms=(4, 3),
        demands=(7, 12),
        daily=(2,),
        told=0.6,
        found=0.5,
    ),
    Rung(
        load=(273, 410),
        mechanisms=(10, 11),
        people=(9, 13),
        weeks=(2, 6),
        options=(8, 8),
        meetings=(16, 16),
        group=(3, 4),
        rooms=(3, 2),
        demands=(8, 12),
        daily=(1,),
        told=1.0,
        amended=0.9,
        found=0.6,
    ),
)
"""The table of loads; each rung's is `FACTOR` times that of the one below."""

FIRST_JOINT: Final = 2
"""Below this rung no plans are drawn: two meetings hold more than the rung."""

ALWAYS_JOINT: Final = 5
"""From this rung on, several meetings are planned together: a single one does not hold so much."""


def rung_of(number: int) -> Rung:
    """The rung of a number from 1; above the table load, people, meetings and demands go on rising.

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
        people=(top.people[0] + 13 * more, top.people[1] + 13 * more),
        meetings=(min(_MOST_MEETINGS, top.meetings[0] + 8 * more),) * 2,
        demands=(top.demands[0] + 22 * more, top.demands[1] + 24 * more),
        linked=_FEW_LINKED,
        found=_MUCH_FOUND,
        sizes=(1.0, 1.0),
    )
