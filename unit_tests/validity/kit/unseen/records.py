"""Slips at policies, events, bookings and rooms."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from mpcbench.benchmark.agents.reference.grammar_time import Hours
from unit_tests.validity.kit.unseen.acting import (
    ADDED,
    BROKEN,
    HABIT,
    MISREAD,
    OMITTED,
    OVERLOOKED,
    PASSED,
    RANKING,
    VALUE,
    Busy,
    Facts,
    InsideHours,
    Mind,
    Option,
    OutsideHours,
    Pause,
    RoomPause,
    agent,
    asked,
    bookings_changed,
    choose,
    events_changed,
    local,
    minute_of,
    policy_record,
    rules_changed,
)

_NOON = 12 * 60


def _noon_is_midnight(mind: Mind, facts: Facts) -> Facts:
    """12:30 pm is read as 0:30, as 12-hour clocks invite to."""

    def one(rule: Any) -> Any:
        if isinstance(rule, InsideHours | OutsideHours):
            start, end = rule.hours
            start = start - _NOON if _NOON <= start < _NOON + 60 else start
            end = end - _NOON if _NOON <= end < _NOON + 60 else end
            if start < end:
                return replace(rule, hours=Hours(start, end))
        return rule

    return rules_changed(mind, facts, one)


def _weekdays_from_sunday(mind: Mind, facts: Facts) -> Facts:
    """Counts weekdays from Sunday in the one place and from Monday in the other."""
    return rules_changed(
        mind,
        facts,
        lambda rule: (
            replace(rule, weekdays=frozenset((day + 1) % 7 for day in rule.weekdays))
            if isinstance(rule, InsideHours)
            else rule
        ),
    )


def _list_as_range(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(
        mind,
        facts,
        lambda rule: (
            replace(rule, weekdays=frozenset(range(min(rule.weekdays), max(rule.weekdays) + 1)))
            if isinstance(rule, InsideHours)
            else rule
        ),
    )


def _range_as_ends(mind: Mind, facts: Facts) -> Facts:
    def one(rule: Any) -> Any:
        if isinstance(rule, InsideHours) and len(rule.weekdays) > 2:
            days = sorted(rule.weekdays)
            if days[-1] - days[0] == len(days) - 1:
                return replace(rule, weekdays=frozenset((days[0], days[-1])))
        return rule

    return rules_changed(mind, facts, one)


def _weekly_block_day_early(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(
        mind,
        facts,
        lambda rule: (
            replace(rule, weekdays=frozenset((day - 1) % 7 for day in rule.weekdays))
            if isinstance(rule, OutsideHours) and len(rule.weekdays) == 1
            else rule
        ),
    )


def _weekly_block_daily(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(
        mind,
        facts,
        lambda rule: (
            replace(rule, weekdays=frozenset(range(7)))
            if isinstance(rule, OutsideHours) and len(rule.weekdays) == 1
            else rule
        ),
    )


def _hours_to_last_start(mind: Mind, facts: Facts) -> Facts:
    """Ends the working hours a duration early: takes their end for the latest start and subtracts once more."""
    length = facts.request.length or 0

    def one(rule: Any) -> Any:
        if isinstance(rule, InsideHours) and rule.hours.end - length > rule.hours.start:
            return replace(rule, hours=Hours(rule.hours.start, rule.hours.end - length))
        return rule

    return rules_changed(mind, facts, one)


def _buffer_to_quarter(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(
        mind, facts, lambda rule: Pause(-(-rule.minutes // 15) * 15) if isinstance(rule, Pause) else rule
    )


def _buffer_halved(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(mind, facts, lambda rule: Pause(rule.minutes // 2) if isinstance(rule, Pause) else rule)


def _buffer_of_first_person(mind: Mind, facts: Facts) -> Facts:
    """Keeps the buffer around the events of the first participant only."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin or len(facts.calendars) < 2:
        return facts
    record = policy_record(facts)
    mind.note(**({"record": record} if record else {}), right="everybody", used="first participant")
    first = next(iter(facts.calendars))
    calendars = {
        owner: [Busy(e.start - margin, e.end + margin, e.title) for e in events] if owner == first else events
        for owner, events in facts.calendars.items()
    }
    return replace(facts, calendars=calendars, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])


def _turnaround_after_only(mind: Mind, facts: Facts) -> Facts:
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, RoomPause)), default=0)
    if not margin:
        return facts
    mind.note(right="before and after", used="after bookings")
    bookings = {room: [Busy(b.start, b.end + margin, b.title) for b in some] for room, some in facts.bookings.items()}
    return replace(facts, bookings=bookings, rules=[rule for rule in facts.rules if not isinstance(rule, RoomPause)])


def _turnaround_around_people(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(mind, facts, lambda rule: Pause(rule.minutes) if isinstance(rule, RoomPause) else rule)


def _buffer_around_rooms(mind: Mind, facts: Facts) -> Facts:
    pauses = [rule for rule in facts.rules if isinstance(rule, Pause)]
    if not pauses or facts.rooms is None or any(isinstance(rule, RoomPause) for rule in facts.rules):
        return facts
    mind.note(right="people only", used="people and rooms")
    return replace(facts, rules=[*facts.rules, *(RoomPause(rule.minutes) for rule in pauses)])


def _ends_rounded_down(mind: Mind, facts: Facts) -> Facts:
    return events_changed(
        mind,
        facts,
        lambda _, events: [Busy(e.start, max(e.start + 1, e.end - e.end % 15), e.title) for e in events],
    )


def _half_hour_view(mind: Mind, facts: Facts) -> Facts:
    """Sees calendars in half-hours: what touches a half-hour fills it."""
    return events_changed(
        mind, facts, lambda _, events: [Busy(e.start - e.start % 30, -(-e.end // 30) * 30, e.title) for e in events]
    )


def _small_gaps_closed(mind: Mind, facts: Facts) -> Facts:
    """Merges events of one person that lie less than an hour apart."""

    def one(_: Any, events: Any) -> Any:
        events = sorted(events)
        return [*events, *(Busy(a.end, b.start, "gap") for a, b in pairwise(events) if 0 < b.start - a.end < 60)]

    return events_changed(mind, facts, one)


def _long_events_ignored(mind: Mind, facts: Facts) -> Facts:
    return events_changed(mind, facts, lambda _, events: [e for e in events if e.end - e.start < 2 * 60])


_PRIVATE = (
    "training",
    "class",
    "visit",
    "lesson",
    "choir",
    "book club",
    "viewing",
    "fair",
    "museum",
    "garden",
    "run",
    "practice",
    "volunteer",
    "handyman",
)


def _private_events_ignored(mind: Mind, facts: Facts) -> Facts:
    return events_changed(
        mind, facts, lambda _, events: [e for e in events if not any(word in e.title.casefold() for word in _PRIVATE)]
    )


def _series_once(mind: Mind, facts: Facts) -> Facts:
    """Takes events of one title for a series, of which the first alone blocks time."""

    def one(_: Any, events: Any) -> Any:
        seen, kept = set(), []
        for e in sorted(events):
            if e.title not in seen:
                kept.append(e)
            seen.add(e.title)
        return kept

    return events_changed(mind, facts, one)


def _shared_events_only(mind: Mind, facts: Facts) -> Facts:
    """Takes people for busy only where two of them are: intersects calendars instead of joining them."""
    if len(facts.calendars) < 2:
        return facts
    merged = {owner: _minutes(events) for owner, events in facts.calendars.items()}
    owners = list(merged)
    mind.note(right="anybody busy", used="two busy")
    calendars = {}
    for owner in owners:
        others = set().union(*(merged[o] for o in owners if o != owner))
        both = sorted(merged[owner] & others)
        calendars[owner] = [Busy(m, m + 1, "") for m in both]
    return replace(facts, calendars=calendars)


def _minutes(events: list[Busy]) -> set[int]:
    return {m for e in events for m in range(e.start, e.end)}


def _booked_day_lost(mind: Mind, facts: Facts) -> Facts:
    """Takes a room with a booking in the morning for booked until the evening of that day."""

    def one(_: Any, bookings: Any) -> Any:
        return [
            Busy(b.start, minute_of(local(b.start, facts.zone).replace(hour=18, minute=0)), b.title)
            if local(b.start, facts.zone).hour < 12
            and b.end < minute_of(local(b.start, facts.zone).replace(hour=18, minute=0))
            else b
            for b in bookings
        ]

    return bookings_changed(mind, facts, one)


def _bookings_start_only_hour(mind: Mind, facts: Facts) -> Facts:
    """Takes every booking for an hour long."""
    return bookings_changed(mind, facts, lambda _, bookings: [Busy(b.start, b.start + 60, b.title) for b in bookings])


def _one_site_for_all(mind: Mind, facts: Facts) -> Facts:
    """Without a site asked for, stays at the site of the first option."""
    if facts.rooms is None or facts.request.site is not None:
        return facts
    first = choose(facts)
    sites = {room.room_id: room.site for room in facts.rooms}
    if not first:
        return facts
    site = sites[first[0].room_id or ""]
    mind.note(right="any site", used=site)
    return replace(facts, rooms=[room for room in facts.rooms if room.site == site])


def _second_key_lost(mind: Mind, facts: Facts) -> Facts:
    keys = facts.request.room_order
    if len(keys) < 2:
        return facts
    mind.note(right=str(keys), used=str(keys[:1]))
    return asked(facts, room_order=keys[:1])


def _smallest_room_first(mind: Mind, facts: Facts) -> Facts:
    """Prefers the smallest room that fits, whatever order is asked for."""
    if facts.rooms is None or facts.request.room_order[:1] == ("capacity",):
        return facts
    mind.note(right=str(facts.request.room_order), used="capacity")
    return asked(facts, room_order=("capacity",))


def _other_direction_of_last_key(mind: Mind, facts: Facts) -> Facts:
    keys = facts.request.room_order
    if not keys:
        return facts
    last = keys[-1]
    turned = {"capacity": "-capacity", "-capacity": "capacity", "floor": "-floor", "-floor": "floor"}.get(last)
    if turned is None:
        return facts
    mind.note(right=str(keys), used=str((*keys[:-1], turned)))
    return asked(facts, room_order=(*keys[:-1], turned))


def _day_then_room(mind: Mind, facts: Facts) -> list[Option]:
    """Ranks days first, then rooms, and times within a room at last."""
    from mpcbench.benchmark.agents.reference.integrate import room_choices
    from unit_tests.validity.kit.unseen.acting import everything

    every = everything(facts)
    place = {room: number for number, (room, _) in enumerate(room_choices(facts))}
    found = sorted(every, key=lambda o: (o.start.date(), place[o.room_id], o.start))[: facts.request.count]
    if found != every[: facts.request.count]:
        mind.note(right="start, then room", used="day, room, start")
    return found


_POLICY = tuple(f"{VALUE}:{kind}" for kind in ("work_hours", "lunch_block", "ban_dow_time"))

AGENTS = (
    agent(
        "noon-is-midnight",
        "Reads 12:30 pm as half past midnight.",
        _POLICY,
        (f"{OMITTED}:work_hours", f"{OMITTED}:lunch_block", f"{OMITTED}:ban_dow_time", BROKEN),
        levels=(2, 3),
        facts=_noon_is_midnight,
    ),
    agent(
        "weekdays-from-sunday",
        "Counts the weekdays of the working hours from Sunday, so that each is a day late.",
        (f"{VALUE}:work_hours",),
        (BROKEN + ":work_hours",),
        facts=_weekdays_from_sunday,
    ),
    agent(
        "weekday-list-as-range",
        "Takes a list of weekdays for all from the first to the last.",
        (f"{VALUE}:work_hours",),
        (BROKEN + ":work_hours",),
        facts=_list_as_range,
    ),
    agent(
        "weekday-range-as-ends",
        "Takes a range of weekdays for its two ends.",
        (f"{VALUE}:work_hours",),
        (f"{ADDED}:weekdays", PASSED),
        facts=_range_as_ends,
    ),
    agent(
        "block-a-day-early",
        "Puts the weekly blocked time on the weekday before.",
        (f"{VALUE}:ban_dow_time",),
        (f"{OMITTED}:ban_dow_time", f"{BROKEN}:ban_dow_time"),
        facts=_weekly_block_day_early,
    ),
    agent(
        "block-every-day",
        "Keeps the weekly blocked time free on every day.",
        (f"{VALUE}:ban_dow_time",),
        (f"{ADDED}:lunch", PASSED),
        facts=_weekly_block_daily,
    ),
    agent(
        "hours-shortened-twice",
        "Takes the meeting's length off the end of the working hours and off the slots as well.",
        (f"{VALUE}:work_hours",),
        (PASSED,),
        facts=_hours_to_last_start,
    ),
    agent(
        "buffer-to-quarter",
        "Rounds the buffer up to a quarter of an hour.",
        (f"{VALUE}:buffer_min",),
        (PASSED,),
        facts=_buffer_to_quarter,
    ),
    agent(
        "buffer-shared-out",
        "Gives half of the buffer before and half after.",
        (f"{VALUE}:buffer_min",),
        (f"{OMITTED}:buffer_min", f"{BROKEN}:buffer_min"),
        facts=_buffer_halved,
    ),
    agent(
        "buffer-of-one",
        "Keeps the buffer around the first participant's events only.",
        (f"{OMITTED}:buffer_min",),
        (f"{VALUE}:buffer_min", f"{BROKEN}:buffer_min", OVERLOOKED),
        facts=_buffer_of_first_person,
    ),
    agent(
        "turnaround-one-side",
        "Keeps the turnaround of rooms after bookings, not before them.",
        (f"{VALUE}:buffer_side", f"{VALUE}:room_turnaround"),
        (f"{OMITTED}:room_turnaround", f"{BROKEN}:room_turnaround"),
        levels=(3,),
        facts=_turnaround_after_only,
    ),
    agent(
        "turnaround-for-people",
        "Keeps the turnaround of rooms around people's events instead of around bookings.",
        (f"{OMITTED}:room_turnaround", f"{ADDED}:buffer"),
        (f"{ADDED}:policy", f"{BROKEN}:room_turnaround", PASSED),
        levels=(3,),
        facts=_turnaround_around_people,
    ),
    agent(
        "buffer-for-rooms",
        "Keeps the buffer around bookings, too.",
        (f"{ADDED}:room_turnaround", f"{ADDED}:buffer"),
        (PASSED,),
        levels=(3,),
        facts=_buffer_around_rooms,
    ),
    agent(
        "ends-rounded-down",
        "Rounds the ends of all events down to a quarter of an hour.",
        (f"{MISREAD}:event",),
        (f"{OVERLOOKED}:event", f"{BROKEN}:busy", f"{BROKEN}:buffer_min"),
        facts=_ends_rounded_down,
    ),
    agent(
        "half-hour-view",
        "Sees calendars in half-hours, and takes one for busy that an event touches.",
        (f"{MISREAD}:event",),
        (f"{ADDED}:buffer", f"{HABIT}:coarse_grid", PASSED),
        facts=_half_hour_view,
    ),
    agent(
        "small-gaps-closed",
        "Does not see gaps of less than an hour between two events of one person.",
        (f"{MISREAD}:event", f"{ADDED}:buffer"),
        (PASSED,),
        facts=_small_gaps_closed,
    ),
    agent(
        "long-events-ignored",
        "Takes events of two hours and more for markers that block nothing.",
        (f"{OVERLOOKED}:event",),
        (f"{BROKEN}:busy", f"{BROKEN}:buffer_min"),
        facts=_long_events_ignored,
    ),
    agent(
        "private-events-ignored",
        "Takes private events for no obstacle.",
        (f"{OVERLOOKED}:event",),
        (f"{BROKEN}:busy", f"{BROKEN}:buffer_min", f"{OMITTED}:busy"),
        facts=_private_events_ignored,
    ),
    agent(
        "series-once",
        "Takes events of one title for a series, of which the first alone blocks time.",
        (f"{OVERLOOKED}:event",),
        (f"{BROKEN}:busy", f"{BROKEN}:buffer_min"),
        facts=_series_once,
    ),
    agent(
        "calendars-intersected",
        "Takes a time for busy only if two participants are.",
        (f"{OMITTED}:busy",),
        (f"{OVERLOOKED}:event", f"{BROKEN}:busy"),
        facts=_shared_events_only,
    ),
    agent(
        "booked-until-evening",
        "Takes a room that is booked in the morning for booked until six in the evening.",
        (f"{MISREAD}:booking",),
        (PASSED,),
        levels=(3,),
        facts=_booked_day_lost,
    ),
    agent(
        "bookings-an-hour-long",
        "Takes every booking for one of an hour.",
        (f"{MISREAD}:booking",),
        (f"{OVERLOOKED}:booking", f"{BROKEN}:bookings", f"{BROKEN}:room_turnaround", PASSED),
        levels=(3,),
        facts=_bookings_start_only_hour,
    ),
    agent(
        "one-site-for-all",
        "Stays at the site of the first option, though no site is asked for.",
        (f"{ADDED}:site",),
        (f"{HABIT}:one_room_for_all", PASSED),
        levels=(3,),
        facts=_one_site_for_all,
    ),
    agent(
        "second-key-lost",
        "Breaks ties by the first key only, then by room ID.",
        (f"{RANKING}:tie_break",),
        (PASSED,),
        levels=(3,),
        facts=_second_key_lost,
    ),
    agent(
        "smallest-room-first",
        "Prefers the smallest room that fits, whatever order is asked for.",
        (f"{RANKING}:tie_break",),
        (PASSED,),
        levels=(3,),
        facts=_smallest_room_first,
    ),
    agent(
        "last-key-turned",
        "Sorts by the last key of the tie-break in the wrong direction.",
        (f"{RANKING}:tie_break",),
        (PASSED,),
        levels=(3,),
        facts=_other_direction_of_last_key,
    ),
    agent(
        "day-then-room",
        "Ranks by day, then by room, then by time of day.",
        (f"{HABIT}:room_before_time",),
        (PASSED,),
        levels=(3,),
        choose=_day_then_room,
    ),
)
