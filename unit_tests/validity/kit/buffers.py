"""Flaws in buffers, and in how options are compared with events."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Busy, Facts
from mpcbench.benchmark.agents.reference.grammar_policy import Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.integrate import Blocked, Option
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.policies import rules_changed
from unit_tests.validity.kit.tools import (
    all_options,
    event_slip,
    length_of,
    options_of,
    ordered_slots,
    policy_record,
    top,
    with_request,
)

_STEP = 15


def _longer(events: Iterable[Busy], before: int, after: int) -> list[Busy]:
    return [event._replace(start=event.start - before, end=event.end + after) for event in events]


def _one_side(front: bool) -> Plan:
    """The buffer is kept only in front of the meeting, or only behind it."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        pause = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
        if not pause:
            return facts
        mind.note(record=policy_record(mind, facts, Pause), minutes=pause, kept="before" if front else "after")
        before, after = (0, pause) if front else (pause, 0)
        calendars = {owner: _longer(events, before, after) for owner, events in facts.calendars.items()}
        return replace(facts, calendars=calendars, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])

    return Plan(facts=slip)


def _turnaround_in_front(mind: Mind, facts: Facts) -> Facts:
    """The room's turnaround is kept only before the meeting."""
    pause = max((rule.minutes for rule in facts.rules if isinstance(rule, RoomPause)), default=0)
    if not pause:
        return facts
    mind.note(record=policy_record(mind, facts, RoomPause), minutes=pause, kept="before")
    bookings = {room: _longer(booked, 0, pause) for room, booked in facts.bookings.items()}
    return replace(facts, bookings=bookings, rules=[rule for rule in facts.rules if not isinstance(rule, RoomPause)])


def _busy_by_start(mind: Mind, facts: Facts) -> list[Option]:
    """Only the start of an option is compared with the events."""
    pause = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    busy = Blocked((event for events in facts.calendars.values() for event in events), pause)
    mind.note(what="events compared with starts only")
    freed = replace(facts, calendars={})
    return top(
        facts, options_of(freed, ordered_slots(freed, lambda slot: not busy.overlap(slot.start, slot.start + 1)))
    )


def _all_by_start(mind: Mind, facts: Facts) -> list[Option]:
    """Treats an option as its first quarter of an hour: whether all of it fits is never asked."""
    right = length_of(facts.request)
    mind.note(right=right, used=_STEP)
    short = with_request(facts, length=min(right, _STEP))
    longer = timedelta(minutes=right - min(right, _STEP))
    return [option._replace(end=option.end + longer) for option in top(short, all_options(short))]


def _merged_badly(mind: Mind, facts: Facts) -> Facts:
    """Merging the calendars, takes each later event's end for the end of the busy time, although a longer one runs on."""
    merged: list[Busy] = []
    cut = []
    longest = None
    for event, owner in sorted((event, owner) for owner, own in facts.calendars.items() for event in own):
        if merged and event.start <= merged[-1].end:
            if longest is not None and event.end < longest[0].end:
                cut.append(event_slip(mind, longest[1], longest[0]))
            merged[-1] = merged[-1]._replace(end=event.end)
        else:
            merged.append(event)
            longest = None
        longest = (event, owner) if longest is None or event.end > longest[0].end else longest
    mind.note(cut=cut)
    return replace(facts, calendars={"all": merged})


def _touching(mind: Mind, facts: Facts) -> Facts:
    """Takes events that only touch an option for overlapping ones."""
    mind.note(minutes=1)
    calendars = {owner: _longer(events, 1, 1) for owner, events in facts.calendars.items()}
    return replace(facts, calendars=calendars)


def _halved(rule: Rule) -> Rule:
    assert isinstance(rule, Pause)
    return Pause(rule.minutes // 2)


def _for_people(rule: Rule) -> Rule:
    assert isinstance(rule, RoomPause)
    return Pause(rule.minutes)


_agent = partial(flawed, lead="The policy or condition of the slip with the value used")

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"
_START = "only starts compared"
_BUFFER = f"{_VALUE}:buffer_min"
_ROOM_BUFFER = f"{_VALUE}:room_turnaround"
_SIDE = f"{_VALUE}:buffer_side"

AGENTS = (
    _agent("buffer-before-only", "Keeps the buffer only before the meeting.", _one_side(front=True), (_SIDE,)),
    _agent("buffer-after-only", "Keeps the buffer only after the meeting.", _one_side(front=False), (_SIDE,)),
    _agent(
        "buffer-shared",
        "Takes the buffer for the sum of both sides and keeps half on each.",
        rules_changed(Pause, _halved),
        (_BUFFER,),
    ),
    _agent(
        "buffer-forgotten",
        "Forgets the buffer that it read.",
        rules_changed(Pause, lambda _: None),
        (f"{_OMITTED}:buffer_min",),
    ),
    _agent(
        "turnaround-before-only",
        "Keeps the room's turnaround only before the meeting.",
        Plan(facts=_turnaround_in_front),
        (_SIDE, _ROOM_BUFFER),
        levels=(3,),
    ),
    _agent(
        "turnaround-for-people",
        "Keeps the room's turnaround between events of people instead.",
        rules_changed(RoomPause, _for_people),
        (f"{_OMITTED}:room_turnaround",),
        "a buffer around events that nobody asked for",
        levels=(3,),
    ),
    _agent(
        "events-starts-only",
        "Compares only starts with events.",
        Plan(choose=_busy_by_start),
        (),
        f"{_OMITTED}:busy",
        f"{_VALUE}:duration",
        _START,
    ),
    _agent(
        "all-starts-only",
        "Compares only starts with events, hours, blocked times and bookings.",
        Plan(choose=_all_by_start),
        (),
        f"{_OMITTED}:busy",
        f"{_VALUE}:duration",
        _START,
    ),
    _agent(
        "events-merged-badly",
        "Merges overlapping events wrongly: a short one ends the busy time of a long one.",
        Plan(facts=_merged_badly),
        (f"{_OMITTED}:busy",),
        "the end of an overlapped event",
    ),
    _agent(
        "touching-is-overlap",
        "Takes touching events for overlapping ones.",
        Plan(facts=_touching),
        (f"{_VALUE}:touching",),
        "a buffer that nobody asked for",
    ),
)
"""The agents of this module."""
