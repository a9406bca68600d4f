"""A fit tells without solving what solving would tell."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.diagnosis.choices import Choices, RoomUse, Spread
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import members
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema import Instance, Order
from mpcbench.schema.model import Level
from unit_tests.evaluation.diagnosis.planted import frame, instances
from unit_tests.examples import examples

levels: st.SearchStrategy[Level] = st.sampled_from([1, 2, 3])
spreads = st.sampled_from(Spread)
uses = st.sampled_from(RoomUse)
orders = st.sampled_from(Order)
randoms = st.randoms(use_true_random=False)


def instance(level: Level) -> Instance:
    return instances(level, 25)[1]


def solved(frame: Frame, slots: int, choices: Choices) -> list[tuple[int, str | None]]:
    """The first N of the ranking, candidate by candidate: the plain meaning of the choices."""
    latest = choices.order is Order.LATEST
    rooms = frame.rooms(choices)
    starts = [start for start in members(slots) if any(mask >> start & 1 for _, mask in rooms)]
    days = {start: place for start in starts for place, day in enumerate(frame.days) if day >> start & 1}
    opposite = choices.spread is Spread.DAYS_FORWARD
    starts.sort(
        key=lambda start: (-days[start] if latest is not opposite else days[start], -start if latest else start)
    )
    if choices.spread is Spread.FIRST_DAY:
        starts = [start for start in starts if days[start] == days[starts[0]]]
    found: list[tuple[int, str | None]] = []
    taken: list[int] = []
    for start in starts:
        if choices.spread is Spread.APART and any(abs(start - other) < frame.duration for other in taken):
            continue
        if choices.spread is Spread.PER_DAY and any(days[start] == days[other] for other in taken):
            continue
        if choices.spread is Spread.PER_GAP and (start + GRID_MINUTES if latest else start - GRID_MINUTES) in starts:
            continue
        taken.append(start)
    beyond = choices.use in {RoomUse.WHOLE_SLOTS, RoomUse.SLOTS_COUNTED}
    for start in taken[: choices.options] if choices.use is RoomUse.SLOTS_COUNTED else taken:
        here = [(start, room) for room, mask in rooms if mask >> start & 1]
        if choices.use is RoomUse.SAME:
            here = [one for one in here if not found or one[1] == found[0][1]][:1]
        if choices.use is not RoomUse.WHOLE_SLOTS or len(found) < choices.options:
            found += here[:1] if choices.use is RoomUse.FIRST else here
    found = found if beyond else found[: choices.options]
    if choices.use is RoomUse.UNCHECKED:
        before = [[other for other, _ in found[:place]].count(start) for place, (start, _) in enumerate(found)]
        return [(start, rooms[number][0]) for (start, _), number in zip(found, before, strict=True)]
    return found


@given(levels, spreads, uses, orders, st.integers(1, 6), st.sampled_from([0, 1, 1, 5, 200]), randoms)
@examples(60)
def test_fit_agrees_with_the_solution(
    level: Level, spread: Spread, use: RoomUse, order: Order, options: int, left: int, rng: Random
) -> None:
    """An answer fits if and only if the changed task has it as its solution, and in order if in the same order."""
    whole = frame(instance(level))
    choices = whole.choices.having({"spread": spread, "use": use, "order": order, "options": options})
    starts = [*members(whole.without(()))]
    slots = sum(1 << start for start in rng.sample(starts, min(left, len(starts))))
    solution = whole.top(slots, choices)
    other = [*reversed(solution)]
    lacking, moved = solution[:-1], [*solution[:-1], (starts[0], solution[-1][1])] if solution else []
    for answer in (solution, other, lacking, moved):
        fit = Fit(whole, tuple(answer))
        expected = None if {*answer} != {*solution} else answer == solution
        actual = fit.leads(slots, choices)

        assert expected == actual
    if use is not RoomUse.ROOM_FIRST:
        assert solved(whole, slots, choices) == solution
