"""Flaws in how options are picked among those that are possible."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby, islice

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import Pause
from mpcbench.benchmark.agents.reference.integrate import Option, Slot, room_choices
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import all_options, length_of, local, options_of, ordered_slots, top, wanted

_GRID = 15
_FRIDAY = 4
_HOUR = 60


def _first_of(options: Iterator[Option], key: str) -> Iterator[Option]:
    seen = set()
    for option in options:
        mark = option.start.date() if key == "day" else option.start
        if mark not in seen:
            seen.add(mark)
            yield option


def _one_per_day(_: Mind, facts: Facts) -> list[Option]:
    return top(facts, _first_of(all_options(facts), "day"))


def _one_room_per_slot(_: Mind, facts: Facts) -> list[Option]:
    return top(facts, _first_of(all_options(facts), "slot"))


def _one_per_gap(_: Mind, facts: Facts) -> list[Option]:
    """The first option of each run of starts a quarter of an hour apart."""
    step = -_GRID if facts.request.latest else _GRID
    slots: list[Slot] = []
    previous = None
    for slot in ordered_slots(facts):
        if previous is None or slot.start != previous + step:
            slots.append(slot)
        previous = slot.start
    return top(facts, options_of(facts, slots))


def _apart(facts: Facts, pause: int) -> list[Option]:
    length, last = length_of(facts.request), None
    slots = []
    for slot in ordered_slots(facts):
        if last is None or abs(slot.start - last) >= length + pause:
            slots.append(slot)
            last = slot.start
    return top(facts, options_of(facts, slots))


def _disjoint(_: Mind, facts: Facts) -> list[Option]:
    return _apart(facts, 0)


def _buffered(mind: Mind, facts: Facts) -> list[Option]:
    pause = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not pause:
        return top(facts, all_options(facts))
    mind.note(minutes=pause)
    return _apart(facts, pause)


def _every(minutes: int) -> Plan:
    return Plan(
        choose=lambda _, facts: top(
            facts,
            options_of(facts, ordered_slots(facts, lambda slot: local(slot.start, facts.zone).minute % minutes == 0)),
        )
    )


def _one_room_for_all(mind: Mind, facts: Facts) -> list[Option]:
    """Keeps to the room of the first option."""
    first = next(all_options(facts), None)
    if first is None:
        return []
    mind.note(record=f"room:{first.room_id}")
    return top(facts, (option for option in all_options(facts) if option.room_id == first.room_id))


def _room_before_time(mind: Mind, facts: Facts) -> list[Option]:
    """Goes through the rooms in order of preference, and takes all times of the first one before the next."""
    place = {room_id: number for number, (room_id, _) in enumerate(room_choices(facts))}
    chosen = top(facts, iter(sorted(all_options(facts), key=lambda option: place[option.room_id])))
    mind.note(record=f"room:{chosen[0].room_id}" if chosen else None)
    return chosen


def _unchecked_rooms(_: Mind, facts: Facts) -> list[Option]:
    """The right times, but with the first suitable rooms, free or not."""
    rooms = [room_id for room_id, _ in room_choices(facts)]
    options: list[Option] = []
    for start, same in groupby(top(facts, all_options(facts)), key=lambda option: option.start):
        taken = list(same)
        options += [option._replace(room_id=room) for option, room in zip(taken, rooms, strict=False)]
        assert all(option.start == start for option in taken)
    return options


def _whole_last_slot(mind: Mind, facts: Facts) -> list[Option]:
    """Takes all rooms of the last slot, beyond N."""
    options = top(facts, all_options(facts))
    for option in islice(all_options(facts), len(options), None):
        if option.start != options[-1].start:
            break
        options.append(option)
    mind.note(given=len(options), wanted=facts.request.count)
    return options


def _n_slots_all_rooms(mind: Mind, facts: Facts) -> list[Option]:
    """Takes N for the number of slots, and gives every free room of each."""
    options: list[Option] = []
    for number, (_, same) in enumerate(groupby(all_options(facts), key=lambda option: option.start)):
        if number == facts.request.count:
            break
        options += same
    mind.note(given=len(options), wanted=facts.request.count)
    return options


def _first_day_only(mind: Mind, facts: Facts) -> list[Option]:
    """Stops at the end of the first day that has options."""
    options = top(facts, all_options(facts))
    kept = [option for option in options if option.start.date() == options[0].start.date()]
    mind.note(given=len(kept), wanted=facts.request.count)
    return kept


def _one_each_then_none(_: Mind, facts: Facts) -> list[Option]:
    """Gives the first option and then jumps a whole meeting plus an hour between proposals."""
    return _apart(facts, _HOUR)


def _without_fridays(_: Mind, facts: Facts) -> list[Option]:
    return top(facts, (option for option in all_options(facts) if option.start.weekday() != _FRIDAY))


def _other_order(mind: Mind, facts: Facts) -> list[Option]:
    request = replace(facts.request, latest=not facts.request.latest)
    mind.note(latest=request.latest)
    turned = replace(facts, request=request)
    return top(turned, all_options(turned))


def _latest_read_as_last_day(mind: Mind, facts: Facts) -> list[Option]:
    """Where the latest are asked for, takes the last N of the earliest order, day by day from the first day."""
    if not facts.request.latest:
        return top(facts, all_options(facts))
    options = list(all_options(replace(facts, request=replace(facts.request, latest=False))))
    days = [list(same) for _, same in groupby(options, key=lambda option: option.start.date())]
    mind.note(order="latest of each day, from the first day")
    return [option for day in days for option in reversed(day)][: wanted(facts.request)]


_agent = partial(flawed, lead="How options are picked")

_RANK = "integration.ranking"
_ONE_ROOM = f"{_RANK}:one_room_per_slot"
_MANY = "integration.count:too_many"
_FEW = "integration.count:too_few"

AGENTS = (
    _agent(
        "one-per-day",
        "Proposes one option per day.",
        Plan(choose=_one_per_day),
        (),
        f"{_RANK}:disjoint_slots",
        "options of the same day left out",
    ),
    _agent(
        "one-per-gap",
        "Proposes only the first option of each free gap.",
        Plan(choose=_one_per_gap),
        (f"{_RANK}:disjoint_slots",),
        "one option per gap",
    ),
    _agent("disjoint", "Proposes no two options that overlap.", Plan(choose=_disjoint), (f"{_RANK}:disjoint_slots",)),
    _agent(
        "own-proposals-buffered",
        "Keeps the policy's buffer between its own proposals, too.",
        Plan(choose=_buffered),
        (f"{_RANK}:disjoint_slots",),
        "the buffer applied among the proposals",
        levels=(1, 2, 3),
    ),
    _agent(
        "hour-between-proposals",
        "Leaves an hour between its own proposals.",
        Plan(choose=_one_each_then_none),
        (f"{_RANK}:disjoint_slots",),
        "proposals spread out",
    ),
    _agent("full-hours", "Considers only starts on the full hour.", _every(60), (), "a coarser grid of starts"),
    _agent("half-hours", "Considers only starts at :00 and :30.", _every(30), (), "a coarser grid of starts"),
    _agent(
        "one-room-for-all",
        "Gives every option the room of the first one.",
        Plan(choose=_one_room_for_all),
        (),
        _ONE_ROOM,
        "a single room considered",
        levels=(3,),
    ),
    _agent(
        "room-before-time",
        "Chooses the best room first and then its times.",
        Plan(choose=_room_before_time),
        (_RANK,),
        _ONE_ROOM,
        "rooms ranked before starts",
        levels=(3,),
    ),
    _agent(
        "one-room-per-slot", "Proposes one room per slot.", Plan(choose=_one_room_per_slot), (_ONE_ROOM,), levels=(3,)
    ),
    _agent(
        "first-rooms",
        "Has the right slots with the first suitable rooms, booked or not.",
        Plan(choose=_unchecked_rooms),
        ("integration.constraint_omitted:bookings",),
        levels=(3,),
    ),
    _agent(
        "all-rooms-of-last-slot",
        "Takes all rooms of the last slot, beyond N.",
        Plan(choose=_whole_last_slot),
        (_MANY,),
        levels=(3,),
    ),
    _agent(
        "n-slots-all-rooms",
        "Counts slots instead of options and gives every room of each.",
        Plan(choose=_n_slots_all_rooms),
        (_MANY,),
        levels=(3,),
    ),
    _agent(
        "first-day-only",
        "Stops after the first day that has options.",
        Plan(choose=_first_day_only),
        (_FEW,),
        "searched one day only",
    ),
    _agent(
        "fridays-left-out",
        "Leaves Fridays out, although they count.",
        Plan(choose=_without_fridays),
        ("integration.constraint_added:weekdays",),
    ),
    _agent(
        "other-end-first",
        "Gives the latest options instead of the earliest, or the other way round.",
        Plan(choose=_other_order),
        (f"{_RANK}:earliest_first", f"{_RANK}:latest_first", "integration.value_wrong:order"),
    ),
    _agent(
        "latest-of-each-day",
        "Asked for the latest, gives the latest options of the first days.",
        Plan(choose=_latest_read_as_last_day),
        (f"{_RANK}:latest_first", f"{_RANK}:earliest_first", _RANK),
        levels=(2,),
    ),
)
"""The agents of this module."""
