"""Options that were left out or preferred for a reason that nobody gave."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import Pause
from mpcbench.benchmark.agents.reference.integrate import Option, Slot
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.third.steps import HOUR, NOON, QUARTER, remembered, slots, weekday
from unit_tests.validity.kit.tools import (
    all_options,
    local,
    options_of,
    ordered_slots,
    top,
)

_MONDAY, _FRIDAY, _SUNDAY = 0, 4, 6
_HOLIDAY = re.compile(r"^- \w+ (\d+) (January|February|March|April)\b", re.MULTILINE)
_MONTHS = ("January", "February", "March", "April")


def _minute(minute: int, facts: Facts) -> int:
    moment = local(minute, facts.zone)
    return moment.hour * HOUR + moment.minute


def _avoids(low: int, high: int) -> Plan:
    """The plan that leaves out slots of which a part lies between two minutes of the day."""
    return slots(lambda slot, _: not any(piece.start < high and low < piece.end for piece in slot.pieces))


def _holidays(mind: Mind, facts: Facts) -> list[Option]:
    """Leaves out the public holidays of other countries."""
    listed = mind.tools.call("list_public_holidays", {}, turn=max(call.turn for call in mind.tools.log))
    days = {(_MONTHS.index(month) + 1, int(day)) for day, month in _HOLIDAY.findall(listed)}

    def is_working(slot: Slot) -> bool:
        start = local(slot.start, facts.zone)
        return (start.month, start.day) not in days

    return top(facts, options_of(facts, ordered_slots(facts, is_working)))


def _at_most(number: int, mark: Callable[[Option], object]) -> Plan:
    """The plan that proposes at most so many options that have the same mark."""

    def choose(_: Mind, facts: Facts) -> list[Option]:
        seen: Counter[object] = Counter()

        def few() -> Iterator[Option]:
            for option in all_options(facts):
                seen[mark(option)] += 1
                if seen[mark(option)] <= number:
                    yield option

        return top(facts, few())

    return Plan(choose=choose)


def _every_other(_: Mind, facts: Facts) -> list[Option]:
    """Leaves out a start a quarter of an hour after or before one that it has taken."""

    def spaced() -> Iterator[Slot]:
        last: int | None = None
        for slot in ordered_slots(facts):
            if last is None or abs(slot.start - last) > QUARTER:
                last = slot.start
                yield slot

    return top(facts, options_of(facts, spaced()))


def _another_room(_: Mind, facts: Facts) -> list[Option]:
    """Proposes no room twice in succession."""

    def changing() -> Iterator[Option]:
        last: str | None = None
        for option in all_options(facts):
            if option.room_id is None or option.room_id != last:
                last = option.room_id
                yield option

    return top(facts, changing())


def _room_of_the_day(_: Mind, facts: Facts) -> list[Option]:
    """Keeps to the room of a day's first option for that day."""

    def kept() -> Iterator[Option]:
        rooms: dict[object, str | None] = {}
        for option in all_options(facts):
            if rooms.setdefault(option.start.date(), option.room_id) == option.room_id:
                yield option

    return top(facts, kept())


def _edges_of_gaps(_: Mind, facts: Facts) -> list[Option]:
    """Proposes the first and the last start of each free gap."""
    every = [*ordered_slots(facts)]
    starts = {slot.start for slot in every}
    edges = [slot for slot in every if not {slot.start - QUARTER, slot.start + QUARTER} <= starts]
    return top(facts, options_of(facts, edges))


def _days_backwards(_: Mind, facts: Facts) -> list[Option]:
    """Asked for the latest, goes through the days from the last, and through each day from its morning."""
    if not facts.request.latest:
        return top(facts, all_options(facts))
    days = [list(same) for _, same in groupby(all_options(facts), key=lambda option: option.start.date())]
    return top(facts, iter([option for day in days for option in reversed(day)]))


def _own_buffer(mind: Mind, facts: Facts) -> Facts:
    """Leaves ten minutes around events where no policy wants a buffer."""
    if any(isinstance(rule, Pause) for rule in facts.rules):
        return facts
    mind.note(used="10 minutes")
    return replace(facts, rules=[*facts.rules, Pause(10)])


def _finer_grid(mind: Mind, facts: Facts) -> Facts:
    """Starts every five minutes."""
    mind.note(right=facts.step, used=5)
    return replace(facts, step=5)


def _monday_morning(slot: Slot, facts: Facts) -> bool:
    return not (weekday(slot.start, facts) == _MONDAY and _minute(slot.start, facts) < NOON)


def _friday_afternoon(slot: Slot, facts: Facts) -> bool:
    return not (weekday(slot.start, facts) == _FRIDAY and _minute(slot.start, facts) >= NOON)


_agent = partial(flawed, lead="How options are picked")

_ADDED = "integration.constraint_added"
_HABIT = "integration.habit"
_PASSED = "observed.passed_over"
_OFFICE = f"{_ADDED}:office_hours"

LUNCH = _avoids(NOON, NOON + HOUR)
SUNDAY = slots(lambda slot, facts: weekday(slot.start, facts) != _SUNDAY)
AFTER_FIVE = slots(lambda slot, _: all(piece.end <= 17 * HOUR for piece in slot.pieces))
ONE_ROOM = _at_most(1, lambda option: option.start)
TWO_A_DAY = _at_most(2, lambda option: option.start.date())
ROOM_OF_DAY = Plan(choose=_room_of_the_day)
EVERY_OTHER = Plan(choose=_every_other)
HOLIDAYS = Plan(choose=_holidays)
OWN_BUFFER = remembered(_own_buffer)

AGENTS = (
    _agent(
        "k4-lunch-kept-free", "Keeps noon to one o'clock free, though nobody asks for it.", LUNCH, (f"{_ADDED}:lunch",)
    ),
    _agent("k4-home-at-five", "Proposes nothing that ends after five o'clock.", AFTER_FIVE, (_OFFICE,)),
    _agent(
        "k4-nothing-before-ten",
        "Proposes nothing that starts before ten o'clock.",
        slots(lambda slot, facts: _minute(slot.start, facts) >= 10 * HOUR),
        (_OFFICE,),
    ),
    _agent("k4-sundays-kept-free", "Leaves Sundays out, although they count.", SUNDAY, (f"{_ADDED}:weekdays",)),
    _agent(
        "k4-monday-mornings-kept-free",
        "Proposes nothing on Monday mornings.",
        slots(_monday_morning),
        (),
        f"{_ADDED}:weekdays",
        _OFFICE,
        _PASSED,
    ),
    _agent(
        "k4-friday-afternoons-kept-free",
        "Proposes nothing on Friday afternoons.",
        slots(_friday_afternoon),
        (),
        f"{_ADDED}:weekdays",
        _OFFICE,
        _PASSED,
    ),
    _agent("k4-holidays-kept-free", _holidays.__doc__ or "", HOLIDAYS, (), _PASSED, levels=(2, 3)),
    _agent("k4-own-buffer", _own_buffer.__doc__ or "", OWN_BUFFER, (f"{_ADDED}:buffer",)),
    _agent(
        "k4-two-a-day",
        "Proposes at most two options a day.",
        TWO_A_DAY,
        (),
        _HABIT,
        _PASSED,
    ),
    _agent(
        "k4-every-other-start",
        _every_other.__doc__ or "",
        EVERY_OTHER,
        (f"{_HABIT}:spaced",),
        f"{_HABIT}:coarse_grid",
        "integration.ranking:disjoint_slots",
        _PASSED,
    ),
    _agent(
        "k4-edges-of-gaps",
        _edges_of_gaps.__doc__ or "",
        Plan(choose=_edges_of_gaps),
        (),
        _HABIT,
        _PASSED,
    ),
    _agent(
        "k4-one-room-per-start",
        "Proposes one room for each start.",
        ONE_ROOM,
        ("integration.ranking:one_room_per_slot",),
        levels=(3,),
    ),
    _agent(
        "k4-two-rooms-per-start",
        "Proposes at most two rooms for each start.",
        _at_most(2, lambda option: option.start),
        (),
        "integration.ranking:one_room_per_slot",
        f"{_PASSED}:room",
        levels=(3,),
    ),
    _agent(
        "k4-room-never-twice-running",
        _another_room.__doc__ or "",
        Plan(choose=_another_room),
        (),
        _HABIT,
        _PASSED,
        levels=(3,),
    ),
    _agent(
        "k4-room-of-the-day",
        _room_of_the_day.__doc__ or "",
        ROOM_OF_DAY,
        (),
        f"{_HABIT}:one_room_for_all",
        "integration.ranking:one_room_per_slot",
        _PASSED,
        levels=(3,),
    ),
    _agent(
        "k4-last-days-forwards",
        _days_backwards.__doc__ or "",
        Plan(choose=_days_backwards),
        (f"{_HABIT}:days_before_times",),
        "integration.ranking",
        levels=(2,),
    ),
    _agent("k4-five-minute-grid", _finer_grid.__doc__ or "", remembered(_finer_grid), ("integration.off_grid",)),
)
"""The agents of this module."""
