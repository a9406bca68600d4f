"""Policies that were read and then applied as other rules."""

from dataclasses import replace
from functools import partial
from itertools import islice

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from unit_tests.validity.kit.core import Mind, flawed
from unit_tests.validity.kit.third.steps import HOUR, NOON, QUARTER, remembered, rules
from unit_tests.validity.kit.tools import policy_record, rules_by_policy, with_bookings, with_events

_WORK_WEEK = frozenset(range(5))


def _sunday_first(rule: InsideHours) -> InsideHours:
    return replace(rule, weekdays=frozenset((day - 1) % 7 for day in rule.weekdays))


def _last_day_lost(rule: InsideHours) -> InsideHours:
    return replace(rule, weekdays=rule.weekdays - {max(rule.weekdays)} or rule.weekdays)


def _full_hours(rule: InsideHours) -> InsideHours:
    hours = Hours(-(-rule.hours.start // HOUR) * HOUR, rule.hours.end // HOUR * HOUR)
    return replace(rule, hours=hours if hours.start < hours.end else rule.hours)


def _hour_longer(rule: InsideHours) -> InsideHours:
    return replace(rule, hours=rule.hours._replace(end=min(24 * HOUR, rule.hours.end + HOUR)))


def _usual_lunch(rule: OutsideHours) -> OutsideHours:
    return replace(rule, hours=Hours(NOON, NOON + HOUR)) if len(rule.weekdays) > 1 else rule


def _half_of_block(rule: OutsideHours) -> OutsideHours:
    return replace(rule, hours=rule.hours._replace(end=(rule.hours.start + rule.hours.end) // 2 // QUARTER * QUARTER))


def _block_on_days_around(rule: OutsideHours) -> OutsideHours:
    """Moves a weekly block to the weekday after."""
    return (
        replace(rule, weekdays=frozenset((day + 1) % 7 for day in rule.weekdays)) if len(rule.weekdays) == 1 else rule
    )


def _before_events_only(mind: Mind, facts: Facts) -> Facts:
    """Keeps the buffer between a meeting and the next event, but not after the event before."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin:
        return facts
    mind.note(record=policy_record(mind, facts, Pause), minutes=margin, side="after the meeting")
    for owner, listed in facts.calendars.items():
        facts = with_events(facts, owner, [event._replace(start=event.start - margin) for event in listed])
    return replace(facts, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])


def _first_person_only(mind: Mind, facts: Facts) -> Facts:
    """Keeps the buffer around the first participant's events only."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin:
        return facts
    mind.note(record=policy_record(mind, facts, Pause), minutes=margin, people=1)
    first = next(iter(facts.calendars))
    wider = [event._replace(start=event.start - margin, end=event.end + margin) for event in facts.calendars[first]]
    facts = with_events(facts, first, wider)
    return replace(facts, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])


def _turnaround_before_only(mind: Mind, facts: Facts) -> Facts:
    """Leaves the turnaround after the room's booking before, but not before its next one."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, RoomPause)), default=0)
    if not margin:
        return facts
    mind.note(record=policy_record(mind, facts, RoomPause), minutes=margin, side="before the meeting")
    for room in facts.bookings:
        later = [booking._replace(end=booking.end + margin) for booking in facts.bookings[room]]
        facts = with_bookings(facts, room, later)
    return replace(facts, rules=[rule for rule in facts.rules if not isinstance(rule, RoomPause)])


def _turnaround_of_people(mind: Mind, facts: Facts) -> Facts:
    """Applies the turnaround of rooms to the participants' events instead of to the bookings."""
    used: list[Rule] = [Pause(rule.minutes) if isinstance(rule, RoomPause) else rule for rule in facts.rules]
    if used != facts.rules:
        mind.note(record=policy_record(mind, facts, RoomPause), used=str(used))
    return replace(facts, rules=used)


def _first_policy_only(mind: Mind, facts: Facts) -> Facts:
    """Applies the first of several policies only, as if it replaced the others."""
    pairs = rules_by_policy(mind, facts.request)
    policies = list(dict.fromkeys(policy for policy, _ in pairs))
    if len(policies) < 2:
        return facts
    mind.note(left_out=[f"policy:{policy}" for policy in islice(policies, 1, None)])
    return replace(facts, rules=[rule for policy, rule in pairs if policy == policies[0]])


_agent = partial(flawed, lead="The policy with the rule used")

_VALUE = "integration.value_wrong"
_OMITTED = "integration.constraint_omitted"
_ADDED = "integration.constraint_added"
_WORK = f"{_VALUE}:work_hours"

WORK_WEEK = rules(InsideHours, lambda rule: replace(rule, weekdays=_WORK_WEEK))
LAST_DAY_LOST = rules(InsideHours, _last_day_lost)
HOUR_LONGER = rules(InsideHours, _hour_longer)
BEFORE_EVENTS = remembered(_before_events_only)
USUAL_LUNCH = rules(OutsideHours, _usual_lunch)
TURNAROUND_SIDE = remembered(_turnaround_before_only)

AGENTS = (
    _agent(
        "k4-work-week-assumed",
        "Takes the policy's hours, but assumes that they hold from Monday to Friday.",
        WORK_WEEK,
        (_WORK,),
        f"{_ADDED}:weekdays",
    ),
    _agent(
        "k4-last-weekday-lost",
        "Loses the last weekday of the policy's list.",
        LAST_DAY_LOST,
        (_WORK, f"{_ADDED}:weekdays"),
    ),
    _agent(
        "k4-week-from-sunday",
        "Counts weekdays from Sunday, so that every day of the work hours is one too early.",
        rules(InsideHours, _sunday_first),
        (_WORK,),
    ),
    _agent(
        "k4-work-hours-to-full-hours",
        "Rounds the work hours inwards to full hours.",
        rules(InsideHours, _full_hours),
        (_WORK,),
    ),
    _agent("k4-work-end-hour-late", "Reads the end of the work hours an hour later.", HOUR_LONGER, (_WORK,)),
    _agent(
        "k4-usual-lunch",
        "Keeps noon to one o'clock free instead of the policy's lunch break.",
        USUAL_LUNCH,
        (f"{_VALUE}:lunch_block",),
        f"{_OMITTED}:lunch_block",
        f"{_ADDED}:lunch",
        levels=(3,),
    ),
    _agent(
        "k4-block-halved",
        "Keeps only the first half of blocked hours free.",
        rules(OutsideHours, _half_of_block),
        (f"{_VALUE}:lunch_block", f"{_VALUE}:ban_dow_time"),
        f"{_OMITTED}:lunch_block",
        f"{_OMITTED}:ban_dow_time",
    ),
    _agent(
        "k4-block-a-day-late",
        _block_on_days_around.__doc__ or "",
        rules(OutsideHours, _block_on_days_around),
        (f"{_VALUE}:ban_dow_time",),
        f"{_OMITTED}:ban_dow_time",
    ),
    _agent(
        "k4-buffer-before-next-only",
        _before_events_only.__doc__ or "",
        BEFORE_EVENTS,
        (f"{_VALUE}:buffer_side",),
    ),
    _agent(
        "k4-buffer-for-first-person",
        _first_person_only.__doc__ or "",
        remembered(_first_person_only),
        (),
        f"{_OMITTED}:buffer_min",
        f"{_VALUE}:buffer_min",
        f"{_VALUE}:buffer_side",
        "observed.condition_broken:buffer_min",
    ),
    _agent(
        "k4-buffer-to-quarters",
        "Rounds the buffer up to a multiple of a quarter of an hour.",
        rules(Pause, lambda rule: Pause(-(-rule.minutes // QUARTER) * QUARTER)),
        (f"{_VALUE}:buffer_min",),
    ),
    _agent(
        "k4-buffer-strictly-more",
        "Wants more than the buffer between meetings, not at least the buffer.",
        rules(Pause, lambda rule: Pause(rule.minutes + 1)),
        (f"{_VALUE}:buffer_min", f"{_VALUE}:touching"),
    ),
    _agent(
        "k4-turnaround-before-only",
        _turnaround_before_only.__doc__ or "",
        TURNAROUND_SIDE,
        (f"{_VALUE}:buffer_side", f"{_VALUE}:room_turnaround"),
        f"{_OMITTED}:room_turnaround",
        levels=(3,),
    ),
    _agent(
        "k4-turnaround-of-people",
        _turnaround_of_people.__doc__ or "",
        remembered(_turnaround_of_people),
        (f"{_OMITTED}:room_turnaround", f"{_VALUE}:room_turnaround", f"{_ADDED}:buffer"),
        levels=(3,),
    ),
    _agent(
        "k4-first-policy-only",
        _first_policy_only.__doc__ or "",
        remembered(_first_policy_only),
        tuple(
            f"{_OMITTED}:{kind}"
            for kind in ("policy", "work_hours", "buffer_min", "lunch_block", "ban_dow_time", "room_turnaround")
        ),
        levels=(3,),
    ),
)
"""The agents of this module."""
