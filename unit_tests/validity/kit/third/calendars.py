"""Calendars that were read in full, of which some events then do not count as they should."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby

from mpcbench.benchmark.agents.reference.facts import Busy, Facts
from mpcbench.benchmark.agents.reference.grammar_policy import Pause
from mpcbench.benchmark.agents.reference.integrate import Option, Slot
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.third.steps import HOUR, QUARTER, SATURDAY, events, remembered, weekday
from unit_tests.validity.kit.tools import (
    event_slip,
    every_event,
    first_that_matters,
    local,
    options_of,
    ordered_slots,
    top,
    with_events,
)

_PRIVATE = {
    *("Book club", "Choir practice", "Football training", "House viewing", "Driving lesson", "Language class"),
    *("Family visit", "Garden day", "School fair", "Museum tour", "Charity run", "Neighbourhood fair"),
}
_MOVABLE = {"One-on-one", "Mentoring", "Onboarding buddy hour", "Learning hour", "Recruiting chat", "Show and tell"}
_MOST_SHOWN = 90
"""Events of a listing that fit into what the agent keeps of a result."""

_LONG = 2 * HOUR
_CROWDED = 5


def _unless(ignored: Callable[[Busy, Facts], bool]) -> Plan:
    return events(lambda event, facts: None if ignored(event, facts) else event)


def _each_calendar(change: Callable[[list[Busy]], list[Busy]]) -> Plan:
    """The plan that keeps another list of the events of each calendar, given by start."""

    def step(mind: Mind, facts: Facts) -> Facts:
        calendars = {owner: change(sorted(listed)) for owner, listed in facts.calendars.items()}
        mind.note(lost=sum(len(facts.calendars[owner]) - len(kept) for owner, kept in calendars.items()))
        return replace(facts, calendars=calendars)

    return remembered(step)


def _without_followers(listed: list[Busy]) -> list[Busy]:
    """Loses an event that begins when the one before it ends."""
    ends = {event.end for event in listed}
    return [event for event in listed if event.start not in ends]


def _by_start(mind: Mind, facts: Facts) -> Facts:
    """Keeps everybody's events in one table by start, in which a later entry replaces an earlier one."""
    table = {event.start: (owner, event) for owner, event in every_event(facts)}
    calendars = {owner: [event for kept, event in table.values() if kept == owner] for owner in facts.calendars}
    mind.note(lost=sum(map(len, facts.calendars.values())) - len(table))
    return replace(facts, calendars=calendars)


def _last_of_day_lost(mind: Mind, facts: Facts) -> Facts:
    """Loses the last event of each day of five or more in a calendar, by an off-by-one."""
    kept = facts
    for owner, listed in facts.calendars.items():
        by_day = groupby(sorted(listed), key=lambda event: local(event.start, facts.zone).date())
        days = [list(same) for _, same in by_day]
        kept = with_events(kept, owner, [event for day in days for event in day[: len(day) - (len(day) >= _CROWDED)]])
    mind.note(lost=len(every_event(facts)) - len(every_event(kept)))
    return kept


def _inwards(event: Busy, _: Facts) -> Busy | None:
    """Rounds the times of an event inwards to quarters of an hour."""
    start, end = -(-event.start // QUARTER) * QUARTER, event.end // QUARTER * QUARTER
    return event._replace(start=start, end=end) if start < end else None


def _outwards(event: Busy, _: Facts) -> Busy:
    return event._replace(start=event.start // 30 * 30, end=-(-event.end // 30) * 30)


def _copied_calendar(mind: Mind, facts: Facts) -> Facts:
    """Has copied the first participant's events to the place of the last one's."""
    if len(facts.calendars) < 2:
        return facts
    first, *_, last = facts.calendars
    mind.note(record=mind.calendar_record(last), used=mind.calendar_record(first))
    return with_events(facts, last, facts.calendars[first])


def _three_people(mind: Mind, facts: Facts) -> Facts:
    """Compares the calendars of the first three participants only."""
    kept = dict(list(facts.calendars.items())[:3])
    mind.note(left_out=[mind.calendar_record(owner) for owner in facts.calendars if owner not in kept])
    return replace(facts, calendars=kept)


def _ends_inside_only(_: Mind, facts: Facts) -> list[Option]:
    """Sees an overlap only if the option starts or ends during an event, not if it contains the event."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    busy = [(event.start - margin, event.end + margin) for listed in facts.calendars.values() for event in listed]
    anywhere = replace(facts, calendars={})

    def is_free(slot: Slot) -> bool:
        return not any(low <= slot.start < high or low < slot.end <= high for low, high in busy)

    def free() -> Iterator[Slot]:
        yield from ordered_slots(anywhere, is_free)

    return top(facts, options_of(facts, free()))


def _one_event(change: Callable[[Busy], Busy | None]) -> Plan:
    """The plan that slips at one event, by chance among those at which a slip changes the answer."""

    def step(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for owner, event in every_event(facts):
            used = change(event)
            others = [one for one in facts.calendars[owner] if one != event]
            changed = with_events(facts, owner, others if used is None else [*others, used])
            slips.append((event_slip(mind, owner, event), changed))
        return first_that_matters(mind, facts, slips)

    return remembered(step)


def _digit(event: Busy) -> Busy | None:
    """The event with its start an hour later."""
    later = event._replace(start=event.start + HOUR)
    return later if later.start < later.end else None


_agent = partial(flawed, lead="The events that were shown and do not count")

_EVENT = "integration.record_overlooked:event"
_MISREAD = "integration.record_misread:event"
_BUSY = "integration.constraint_omitted:busy"
_PARTICIPANT = "integration.constraint_omitted:participant"

STAND_UPS = _unless(lambda event, _: event.title == "Stand-up")
PRIVATE = _unless(lambda event, _: event.title in _PRIVATE)
WEEKENDS = _unless(lambda event, facts: weekday(event.start, facts) >= SATURDAY)
INWARDS = events(_inwards)
COPIED = remembered(_copied_calendar)
FOLLOWERS = _each_calendar(_without_followers)

AGENTS = (
    _agent("k4-stand-ups-movable", "Takes stand-ups for something that can be moved.", STAND_UPS, (_EVENT,), _BUSY),
    _agent("k4-private-events-free", "Takes private events for free time.", PRIVATE, (_EVENT,), _BUSY),
    _agent(
        "k4-soft-events-free",
        "Takes one-on-ones, mentoring and the like for events that give way.",
        _unless(lambda event, _: event.title in _MOVABLE),
        (_EVENT,),
        _BUSY,
    ),
    _agent(
        "k4-short-events-free",
        "Does not count events of at most a quarter of an hour.",
        _unless(lambda event, _: event.end - event.start <= QUARTER),
        (_EVENT,),
        _BUSY,
    ),
    _agent(
        "k4-long-events-free",
        "Takes events of two hours or more for notes about the day.",
        _unless(lambda event, _: event.end - event.start >= _LONG),
        (_EVENT,),
        _BUSY,
    ),
    _agent(
        "k4-weekend-events-free",
        "Does not count events on Saturdays and Sundays.",
        WEEKENDS,
        (_EVENT,),
        _BUSY,
    ),
    _agent("k4-follower-lost", _without_followers.__doc__ or "", FOLLOWERS, (_EVENT,), _BUSY),
    _agent("k4-same-start-replaced", _by_start.__doc__ or "", remembered(_by_start), (_EVENT,), _BUSY),
    _agent(
        "k4-last-of-day-lost",
        _last_of_day_lost.__doc__ or "",
        remembered(_last_of_day_lost),
        (_EVENT,),
        _BUSY,
    ),
    _agent("k4-events-rounded-inwards", _inwards.__doc__ or "", INWARDS, (_MISREAD,), _EVENT),
    _agent(
        "k4-events-in-half-hours",
        "Blocks whole half hours for every event.",
        events(_outwards),
        (_MISREAD,),
        "integration.constraint_added:buffer",
        "integration.habit:coarse_grid",
        "observed.passed_over",
    ),
    _agent("k4-calendar-copied", _copied_calendar.__doc__ or "", COPIED, (_PARTICIPANT, _BUSY), _EVENT),
    _agent(
        "k4-listing-cut",
        "Keeps only the first ninety events of a listing.",
        _each_calendar(lambda listed: listed[:_MOST_SHOWN]),
        (_EVENT,),
        _BUSY,
        _PARTICIPANT,
    ),
    _agent(
        "k4-three-people-compared",
        _three_people.__doc__ or "",
        remembered(_three_people),
        (_PARTICIPANT, _BUSY),
        _EVENT,
        levels=(3,),
    ),
    _agent(
        "k4-contained-event-unseen",
        _ends_inside_only.__doc__ or "",
        Plan(choose=_ends_inside_only),
        (_EVENT,),
        "integration.starts_only:busy",
        _MISREAD,
    ),
    _agent(
        "k4-one-start-late",
        "Reads the start of one event an hour later.",
        _one_event(_digit),
        (_MISREAD,),
        _EVENT,
        single=True,
    ),
    _agent(
        "k4-one-event-on-day-before",
        "Puts one event on the day before.",
        _one_event(lambda event: event._replace(start=event.start - 24 * HOUR, end=event.end - 24 * HOUR)),
        (_MISREAD,),
        _EVENT,
        single=True,
    ),
)
"""The agents of this module."""
