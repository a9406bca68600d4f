"""Two slips at once, each of its own kind; a diagnosis is right that names either, best both."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from unit_tests.validity.kit.unseen import answers, readings, records, retrieval
from unit_tests.validity.kit.unseen.acting import (
    ADDED,
    BROKEN,
    COUNT,
    HABIT,
    IN_PART,
    MISREAD,
    NEVER_SEEN,
    NUMBER,
    OMITTED,
    ONE_WRONG,
    OVERLOOKED,
    PASSED,
    RANKING,
    SLIP,
    VALUE,
    Facts,
    InsideHours,
    Mind,
    Option,
    OutsideHours,
    Pause,
    Stage,
    agent,
    asked,
    events_changed,
    rules_changed,
)


def _both(*steps: Callable[[Mind, Facts], Facts]) -> Callable[[Mind, Facts], Facts]:
    def all_of(mind: Mind, facts: Facts) -> Facts:
        for step in steps:
            facts = step(mind, facts)
        return facts

    return all_of


def _no_lunch(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(mind, facts, lambda rule: None if isinstance(rule, OutsideHours) else rule)


def _no_buffer(mind: Mind, facts: Facts) -> Facts:
    return rules_changed(mind, facts, lambda rule: None if isinstance(rule, Pause) else rule)


def _five_days(mind: Mind, facts: Facts) -> Facts:
    """Drops the weekend from the days of the working hours."""
    return rules_changed(
        mind,
        facts,
        lambda rule: (
            replace(rule, weekdays=rule.weekdays - {5, 6})
            if isinstance(rule, InsideHours) and rule.weekdays - {5, 6}
            else rule
        ),
    )


def _no_guests(mind: Mind, request: Any) -> Any:
    if request.guests:
        mind.note(right=request.guests, used=0)
    return replace(request, guests=0)


def _short_events_lost(mind: Mind, facts: Facts) -> Facts:
    return events_changed(mind, facts, lambda _, events: [e for e in events if e.end - e.start > 20])


def _one_fewer(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    if len(options) > 1:
        mind.note(right=len(options), used=len(options) - 1)
        return options[:-1]
    return options


def _last_day_late(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    from unit_tests.validity.kit.unseen.acting import moved

    if not options:
        return options
    mind.note(right=str(options[-1]), used="a day later")
    return [*options[:-1], moved(options[-1], 24 * 60)]


def _earliest(mind: Mind, facts: Facts) -> Facts:
    if facts.request.latest:
        mind.note(right="latest", used="earliest")
    return asked(facts, latest=False)


def _half_hours(mind: Mind, facts: Facts) -> Facts:
    mind.note(right=15, used=30)
    return replace(facts, step=30)


def _no_required(mind: Mind, facts: Facts) -> Facts:
    if facts.request.required:
        mind.note(right=str(facts.request.required), used="none")
    return asked(facts, required=[])


def _no_not_before(mind: Mind, facts: Facts) -> Facts:
    if facts.request.not_before is not None:
        mind.note(right=str(facts.request.not_before), used="none")
    return asked(facts, not_before=None)


def _one_item(mind: Mind, request: Any) -> Any:
    if len(request.equipment) > 1:
        mind.note(right=str(request.equipment), used=str(request.equipment[:1]))
        return replace(request, equipment=request.equipment[:1])
    return request


_ACQUISITION = Stage.ACQUISITION
_RULES = (f"{OMITTED}:lunch_block", f"{OMITTED}:ban_dow_time")

AGENTS = (
    agent(
        "c-rounding-and-buffer",
        "Rounds the ends of events down, and halves the buffer.",
        (f"{MISREAD}:event", f"{VALUE}:buffer_min"),
        (f"{OVERLOOKED}:event", f"{OMITTED}:buffer_min", BROKEN),
        facts=_both(records._ends_rounded_down, records._buffer_halved),
    ),
    agent(
        "c-weekend-and-lunch",
        "Leaves the weekend out of the working hours, and ignores what is kept free.",
        (f"{VALUE}:work_hours", f"{ADDED}:weekdays", *_RULES),
        (BROKEN, PASSED),
        facts=_both(_five_days, _no_lunch),
    ),
    agent(
        "c-no-buffer-half-hours",
        "Ignores the buffer, and considers full and half hours only.",
        (f"{OMITTED}:buffer_min", f"{HABIT}:coarse_grid"),
        (BROKEN, PASSED),
        facts=_both(_no_buffer, _half_hours),
    ),
    agent(
        "c-guests-and-tie-break",
        "Forgets the guests, and breaks ties by the first key only.",
        (f"{VALUE}:capacity", f"{OMITTED}:capacity", f"{OMITTED}:guests", f"{RANKING}:tie_break"),
        (BROKEN, PASSED),
        levels=(3,),
        request=_no_guests,
        facts=records._second_key_lost,
    ),
    agent(
        "c-ban-late-one-short",
        "Puts the ban a day late, and gives one option too few.",
        (f"{VALUE}:ban_window", f"{COUNT}:too_few"),
        (f"{OMITTED}:ban_window", BROKEN, NUMBER, PASSED),
        levels=(2, 3),
        facts=readings._ban_next_day,
        options=_one_fewer,
    ),
    agent(
        "c-earliest-and-deadline",
        "Lists the earliest instead of the latest, and works with the deadline's day only.",
        (f"{RANKING}:latest_first", f"{VALUE}:deadline"),
        (PASSED, f"{OMITTED}:deadline"),
        levels=(2,),
        facts=_both(_earliest, readings._deadline_end_of_day),
    ),
    agent(
        "c-short-events-and-day",
        "Ignores short events, and writes the last option down a day late.",
        (f"{OVERLOOKED}:event", f"{SLIP}:day"),
        (BROKEN, ONE_WRONG, PASSED),
        facts=_short_events_lost,
        options=_last_day_late,
    ),
    agent(
        "c-half-read-calendars-and-range",
        "Reads the others' calendars for one week, and takes a list of weekdays for a range.",
        (f"{IN_PART}:calendar", f"{VALUE}:work_hours"),
        (BROKEN, PASSED),
        stage=_ACQUISITION,
        desk=retrieval._OthersOneWeek,
        facts=records._list_as_range,
    ),
    agent(
        "c-table-and-equipment",
        "Takes the first page of rooms for all, and one piece of equipment for all.",
        (f"{NEVER_SEEN}:room", f"{NEVER_SEEN}:room_calendar", f"{OMITTED}:equipment"),
        (BROKEN, PASSED),
        levels=(3,),
        stage=_ACQUISITION,
        desk=retrieval._FirstTable,
        request=_one_item,
    ),
    agent(
        "c-namesake-and-seats",
        "Takes the wrong namesake, and forgets the guests.",
        (f"{NEVER_SEEN}:calendar", f"{VALUE}:capacity", f"{OMITTED}:capacity", f"{OMITTED}:guests"),
        (f"{ADDED}:participant", BROKEN, PASSED),
        levels=(3,),
        stage=_ACQUISITION,
        acquire=lambda mind, desk, request, zone: retrieval._last_homonym(mind, desk, _no_guests(mind, request), zone),
    ),
    agent(
        "c-required-and-turnaround",
        "Ignores when the meeting has to be, and keeps the turnaround on one side only.",
        (f"{OMITTED}:required_window", f"{VALUE}:buffer_side", f"{VALUE}:room_turnaround"),
        (f"{OMITTED}:room_turnaround", BROKEN),
        levels=(3,),
        facts=_both(_no_required, records._turnaround_after_only),
    ),
    agent(
        "c-not-before-and-weekday",
        "Ignores the earliest start, and stays on the first option's weekday.",
        (f"{OMITTED}:not_before", f"{ADDED}:weekdays"),
        (BROKEN, PASSED),
        levels=(2, 3),
        facts=_no_not_before,
        choose=answers._first_weekday_only,
    ),
    agent(
        "c-strict-seats-one-site",
        "Wants more seats than people, and stays at one site.",
        (f"{VALUE}:capacity", f"{ADDED}:site"),
        (f"{HABIT}:one_room_for_all", PASSED),
        levels=(3,),
        facts=_both(readings._strictly_more_seats, records._one_site_for_all),
    ),
    agent(
        "c-after-hour-bookings-hour",
        "Waits for the full hour after the event, and takes all bookings for an hour long.",
        (f"{VALUE}:after_event", f"{MISREAD}:booking"),
        (f"{OVERLOOKED}:booking", BROKEN, PASSED),
        levels=(3,),
        facts=_both(readings._after_rounded_hour, records._bookings_start_only_hour),
    ),
    agent(
        "c-noon-and-quarter-run",
        "Reads 12:30 pm as half past midnight, and continues the first option by quarter hours.",
        (f"{VALUE}:work_hours", f"{VALUE}:lunch_block", f"{VALUE}:ban_dow_time"),
        (f"{OMITTED}:work_hours", f"{OMITTED}:lunch_block", f"{OMITTED}:ban_dow_time", BROKEN, PASSED, ONE_WRONG),
        levels=(2, 3),
        facts=records._noon_is_midnight,
        options=answers._run_from_first,
    ),
    agent(
        "c-long-length-buffer-one",
        "Keeps the longer of two lengths, and the buffer around one person only.",
        (f"{VALUE}:duration", f"{OMITTED}:buffer_min"),
        (f"{VALUE}:buffer_min", BROKEN),
        levels=(2, 3),
        heard=readings._longest_length,
        facts=records._buffer_of_first_person,
    ),
)
