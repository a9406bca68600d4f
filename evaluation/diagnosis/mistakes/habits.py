"""Habits of choosing: another order, other tie-breaks, a coarser grid, or only some of the feasible candidates."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.change import Change, Ground, part, part_by
from mpcbench.evaluation.diagnosis.choices import RoomUse, Spread
from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema import OptionCount, Order, Ranking, TieBreak, TieBreakKey
from mpcbench.schema.cause import Reason

FINE_STEPS: Final = (1, 5, 10)
COARSE_STEPS: Final = (30, 60)
_SPACES: Final = (15, 30, 60)
_EVERY_OPTION: Final = "every option of the ranking"
_OPPOSITE: Final = {
    TieBreakKey.CAPACITY_ASCENDING: TieBreakKey.CAPACITY_DESCENDING,
    TieBreakKey.CAPACITY_DESCENDING: TieBreakKey.CAPACITY_ASCENDING,
    TieBreakKey.FLOOR_ASCENDING: TieBreakKey.FLOOR_DESCENDING,
    TieBreakKey.FLOOR_DESCENDING: TieBreakKey.FLOOR_ASCENDING,
}


class _Habit(NamedTuple):
    reason: Reason
    detail: str
    used: str
    fields: Mapping[str, object]
    ground: Ground = Ground.PRACTICE


_OF_SLOTS: Final = (
    _Habit(Reason.HABIT, "one_per_day", "one slot a day", {"spread": Spread.PER_DAY}),
    _Habit(Reason.RANKING, "disjoint_slots", "no two options that overlap", {"spread": Spread.APART}),
    _Habit(Reason.HABIT, "one_per_gap", "one slot in each free gap", {"spread": Spread.PER_GAP}),
    _Habit(Reason.HABIT, "first_day_only", "options of one day only", {"spread": Spread.FIRST_DAY}),
    _Habit(
        Reason.HABIT,
        "days_before_times",
        "days and times in opposite orders",
        {"spread": Spread.DAYS_FORWARD},
        Ground.NOTHING,
    ),
)
_OF_ROOMS: Final = (
    _Habit(Reason.RANKING, "one_room_per_slot", "one room a slot", {"use": RoomUse.FIRST}),
    _Habit(Reason.HABIT, "one_room_for_all", "the same room for all options", {"use": RoomUse.SAME}),
    _Habit(Reason.HABIT, "room_before_time", "the best room first, then its times", {"use": RoomUse.ROOM_FIRST}),
    _Habit(Reason.HABIT, "slots_counted", "all rooms of N slots", {"use": RoomUse.SLOTS_COUNTED}),
    _Habit(Reason.HABIT, "whole_slots", "all rooms of the last slot, beyond N", {"use": RoomUse.WHOLE_SLOTS}),
)


def habits(frame: Frame) -> Iterator[Change]:
    """Another order, other tie-breaks, coarser grids, and choosing by slots or rooms.

    With rooms, a habit about slots may go with one room a slot.
    """
    yield _opposite_order(frame)
    if frame.choices.rooms is not None:
        yield from (_chosen(habit) for habit in _OF_ROOMS)
    for habit in (*_OF_SLOTS, *_spaced(frame)):
        yield _chosen(habit)
        if frame.choices.rooms is not None:
            yield _chosen(habit._replace(fields={**habit.fields, "use": RoomUse.FIRST}))
    for step in COARSE_STEPS:
        fact = Fact(TASK, {"step": GRID_MINUTES}, {"step": step})
        mistake = part(Reason.HABIT, "coarse_grid", fact, ground=Ground.PRACTICE)
        yield Change(mistake, masks={"grid": partial(frame.every, step)})
    if frame.choices.rooms is None:
        return
    asked = frame.choices.tie_break
    for keys in dict.fromkeys(((), tuple(_OPPOSITE.get(key, key) for key in asked), _first_opposite(asked), asked[:1])):
        if keys != asked:
            yield tie_break(frame, keys)


def _spaced(frame: Frame) -> Iterator[_Habit]:
    """Options with so many minutes between them; the minutes of a buffer or turnaround may have been taken for it."""
    query = frame.choices.rooms
    asked = {frame.buffer, 0 if query is None else query.margin} - {0}
    for space in sorted(asked | {*_SPACES}):
        ground = Ground.PRACTICE if space in asked else Ground.NOTHING
        fields = {"spread": Spread.APART, "space": space}
        yield _Habit(Reason.HABIT, "spaced", f"{space} minutes between options", fields, ground)


def _opposite_order(frame: Frame) -> Change:
    order = frame.choices.order
    other = Order.EARLIEST if order is Order.LATEST else Order.LATEST
    ranked = Fact(frame.provenance.last(Ranking)[0], holds={"order": order}, used={"order": other})
    return Change(part(Reason.RANKING, f"{other.value}_first", ranked), fields={"order": other})


def _first_opposite(keys: tuple[TieBreakKey, ...]) -> tuple[TieBreakKey, ...]:
    return tuple(_OPPOSITE.get(key, key) if place == 0 else key for place, key in enumerate(keys))


def tie_break(
    frame: Frame, keys: tuple[TieBreakKey, ...], *, ground: Ground = Ground.PROSE, ids_descending: bool = False
) -> Change:
    """Other keys for ranking the rooms of a slot; no keys rank them by ID alone, from the highest if so asked."""
    record, _ = frame.provenance.last(TieBreak)
    fact = Fact(record, holds={"keys": frame.choices.tie_break}, used={"keys": keys, "ids_descending": ids_descending})
    fields = {"tie_break": keys, **({"ids_descending": True} if ids_descending else {})}
    return Change(part(Reason.RANKING, "tie_break", fact, ground=ground), fields=fields)


def _chosen(habit: _Habit) -> Change:
    def facts(stakes: Stakes) -> Iterator[Fact]:
        left_out = [slot.named() for slot in stakes.missed]
        yield Fact(TASK, holds=_EVERY_OPTION, used=habit.used, more={"left_out": left_out})

    return Change(part_by(habit.reason, habit.detail, facts, ground=habit.ground), fields=habit.fields)


def fixed_room(fit: Fit) -> Iterator[Change]:
    """The one room that all candidates of the answer have."""
    rooms = {room for _, room in fit.pairs if fit.frame.room(room) is not None}
    if len(rooms) == 1 and len(fit.pairs) > 1:
        (room,) = rooms
        habit = _Habit(Reason.HABIT, "one_room_for_all", f"{room} for all options", {"only": room})
        yield _chosen(habit)


def counts(frame: Frame, given: int) -> Iterator[Change]:
    """A number of candidates other than N; skips an empty answer, which is the top 0 of any problem."""
    asked = frame.choices.options
    if given not in {0, asked}:
        detail = "too_few" if given < asked else "too_many"
        fact = Fact(frame.provenance.last(OptionCount)[0], holds={"options": asked}, used={"options": given})
        yield Change(part(Reason.COUNT, detail, fact, ground=Ground.PRACTICE), fields={"options": given})


def fine_grids(fit: Fit) -> Iterator[Change]:
    """Starts off the grid, where the answer has some: on a finer step, or shifted."""
    frame = fit.frame
    if not fit.starts & ~frame.at("grid"):
        return
    holds = {"step": GRID_MINUTES}
    for step in FINE_STEPS:
        yield Change(
            part(Reason.OFF_GRID, "", Fact(TASK, holds, {"step": step})),
            masks={"grid": partial(frame.every, step)},
            widens=GRID_MINUTES % step == 0,
        )
    for first in (5, 10):
        yield Change(
            part(Reason.OFF_GRID, "", Fact(TASK, holds, {"step": GRID_MINUTES, "first": first})),
            masks={"grid": partial(frame.every, GRID_MINUTES, first)},
        )
