"""Slips at what people said: amendments, limits, bans, participants, seats, equipment."""

from dataclasses import replace
from datetime import timedelta

from mpcbench.benchmark.agents.reference.conversation import _HEARSAY
from mpcbench.benchmark.agents.reference.facts import Heard, Request, Window
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Days, Moment, Span
from unit_tests.validity.kit.unseen.acting import (
    ADDED,
    BROKEN,
    OMITTED,
    PASSED,
    VALUE,
    Facts,
    Kind,
    Mind,
    agent,
    asked,
    at,
    local,
)

_DAY = timedelta(days=1)


def _noted(mind: Mind, kind: Kind, right: object, used: object) -> None:
    record = mind.record_of(kind)
    mind.note(**({"record": record} if record else {}), right=str(right), used=str(used))


def _longest_length(mind: Mind, heard: list[Heard]) -> list[Heard]:
    lengths = [one.value for one in heard if one.kind is Kind.LENGTH]
    if len(lengths) > 1 and max(lengths) != lengths[-1]:
        _noted(mind, Kind.LENGTH, lengths[-1], max(lengths))
        return [one for one in heard if one.kind is not Kind.LENGTH or one.value == max(lengths)]
    return heard


def _summed_guests(mind: Mind, heard: list[Heard]) -> list[Heard]:
    counts = [one.value for one in heard if one.kind is Kind.GUESTS]
    if len(counts) > 1:
        _noted(mind, Kind.GUESTS, counts[-1], sum(counts))
        return [*heard, Heard(Kind.GUESTS, sum(counts))]
    return heard


def _first_equipment_item(mind: Mind, request: Request) -> Request:
    items = request.equipment
    if len(items) > 1:
        _noted(mind, Kind.EQUIPMENT, items, items[:1])
        return replace(request, equipment=items[:1])
    return request


def _last_ban(mind: Mind, facts: Facts) -> Facts:
    bans = facts.request.bans
    if len(bans) > 1:
        _noted(mind, Kind.BAN, bans, bans[-1:])
        return asked(facts, bans=bans[-1:])
    return facts


def _ban_next_day(mind: Mind, facts: Facts) -> Facts:
    bans = facts.request.bans
    if bans:
        used = [Span(Moment(b.start.day + _DAY, b.start.minute), Moment(b.end.day + _DAY, b.end.minute)) for b in bans]
        _noted(mind, Kind.BAN, bans, used)
        return asked(facts, bans=used)
    return facts


def _ban_whole_days(mind: Mind, facts: Facts) -> Facts:
    bans = facts.request.bans
    used = [Span(Moment(b.start.day, 0), Moment(b.end.day, MINUTES_PER_DAY) if b.end.minute else b.end) for b in bans]
    if used != bans:
        _noted(mind, Kind.BAN, bans, used)
    return asked(facts, bans=used)


def _ban_as_requirement(mind: Mind, facts: Facts) -> Facts:
    bans = facts.request.bans
    if bans:
        _noted(mind, Kind.BAN, bans, "required")
        return asked(facts, bans=[], required=[*facts.request.required, *bans])
    return facts


def _requirement_as_ban(mind: Mind, facts: Facts) -> Facts:
    spans = facts.request.required
    if spans:
        _noted(mind, Kind.REQUIRED, spans, "ruled out")
        return asked(facts, required=[], bans=[*facts.request.bans, *spans])
    return facts


def _last_requirement(mind: Mind, facts: Facts) -> Facts:
    spans = facts.request.required
    if len(spans) > 1:
        _noted(mind, Kind.REQUIRED, spans, spans[-1:])
        return asked(facts, required=spans[-1:])
    return facts


def _requirements_as_one_span(mind: Mind, facts: Facts) -> Facts:
    spans = sorted(facts.request.required, key=lambda s: (s.start.day, s.start.minute))
    if len(spans) > 1:
        used = [Span(spans[0].start, spans[-1].end)]
        _noted(mind, Kind.REQUIRED, spans, used)
        return asked(facts, required=used)
    return facts


def _not_before_next_day(mind: Mind, facts: Facts) -> Facts:
    when = facts.request.not_before
    if when is not None:
        used = Moment(when.day + _DAY, 0)
        _noted(mind, Kind.NOT_BEFORE, when, used)
        return asked(facts, not_before=used)
    return facts


def _not_before_morning(mind: Mind, facts: Facts) -> Facts:
    when = facts.request.not_before
    if when is not None and when.minute:
        _noted(mind, Kind.NOT_BEFORE, when, Moment(when.day, 0))
        return asked(facts, not_before=Moment(when.day, 0))
    return facts


def _not_before_each_day(mind: Mind, facts: Facts) -> Facts:
    """Takes the time of "not before" for the earliest time of every day, too."""
    from mpcbench.benchmark.agents.reference.grammar_time import Hours
    from unit_tests.validity.kit.unseen.acting import InsideHours

    when = facts.request.not_before
    if when is not None and 0 < when.minute < MINUTES_PER_DAY:
        _noted(mind, Kind.NOT_BEFORE, when, "every day")
        return replace(
            facts, rules=[*facts.rules, InsideHours(Hours(when.minute, MINUTES_PER_DAY), frozenset(range(7)))]
        )
    return facts


def _deadline_end_of_day(mind: Mind, facts: Facts) -> Facts:
    when = facts.request.deadline
    if when is not None and when.minute < MINUTES_PER_DAY:
        _noted(mind, Kind.DEADLINE, when, Moment(when.day, MINUTES_PER_DAY))
        return asked(facts, deadline=Moment(when.day, MINUTES_PER_DAY))
    return facts


def _deadline_day_before(mind: Mind, facts: Facts) -> Facts:
    when = facts.request.deadline
    if when is not None:
        _noted(mind, Kind.DEADLINE, when, Moment(when.day, 0))
        return asked(facts, deadline=Moment(when.day, 0))
    return facts


def _window_from_monday(mind: Mind, facts: Facts) -> Facts:
    """Begins with the first Monday of the window, as "the week of" suggests."""
    window = facts.request.window
    assert window is not None
    first = window.days.first + _DAY * (-window.days.first.weekday() % 7)
    if first != window.days.first and first <= window.days.last:
        _noted(mind, Kind.WINDOW, window.days.first, first)
        return asked(facts, window=Window(Days(first, window.days.last), window.hours))
    return facts


def _daily_hours_first_day(mind: Mind, facts: Facts) -> Facts:
    """Lets the window begin at its hour and end at its hour, without hours for the days between."""
    window = facts.request.window
    assert window is not None
    if window.hours is None or window.days.first == window.days.last:
        return facts
    hours = window.hours
    _noted(mind, Kind.WINDOW, hours, "first and last day only")
    start = Moment(window.days.first, hours.start)
    end = Moment(window.days.last, hours.end)
    request = facts.request
    not_before = request.not_before
    if not_before is None or at(not_before, facts.zone) < at(start, facts.zone):
        not_before = start
    deadline = request.deadline
    if deadline is None or at(deadline, facts.zone) > at(end, facts.zone):
        deadline = end
    return asked(facts, window=Window(window.days), not_before=not_before, deadline=deadline)


def _after_first_of_title(mind: Mind, facts: Facts) -> Facts:
    """Takes another event of the same title in the same calendars for the one to wait for."""
    ends = list(facts.after)
    for number, event in enumerate(facts.request.after):
        same = sorted(one.end for events in facts.calendars.values() for one in events if one.title == event.title)
        if same and same[-1] != ends[number]:
            _noted(mind, Kind.AFTER, ends[number], same[-1])
            ends[number] = same[-1]
    return replace(facts, after=ends)


def _after_rounded_hour(mind: Mind, facts: Facts) -> Facts:
    """Waits until the next full hour, assuming that the event ends then."""
    used = [-(-end // 60) * 60 for end in facts.after]
    if used != list(facts.after):
        _noted(mind, Kind.AFTER, facts.after, used)
    return replace(facts, after=used)


def _after_whole_week(mind: Mind, facts: Facts) -> Facts:
    used = []
    for end in facts.after:
        day = local(end, facts.zone).date()
        used.append(at(Moment(day + _DAY * (7 - day.weekday()), 0), facts.zone))
    if used:
        _noted(mind, Kind.AFTER, facts.after, used)
    return replace(facts, after=used)


def _seats_of_first_list(mind: Mind, request: Request) -> Request:
    """Counts the seats from the first list of participants, while additions and removals change the calendars only."""
    first = next((heard.value for heard in _statements(mind) if heard.kind is Kind.PEOPLE), None)
    if first is None or len(first) == len(request.people):
        return request
    _noted(mind, Kind.PEOPLE, len(request.people), len(first))
    return replace(request, guests=request.guests + len(first) - len(request.people))


def _statements(mind: Mind) -> list[Heard]:
    """What is said, without the records that say it."""
    return [
        part for one in mind.said for part in (one if not isinstance(one, Heard) else (one,)) if isinstance(part, Heard)
    ]


def _one_more_seat_for_organiser(mind: Mind, request: Request) -> Request:
    mind.note(right=len(request.people) + request.guests, used="and the organiser")
    return replace(request, guests=request.guests + 1)


def _strictly_more_seats(mind: Mind, facts: Facts) -> Facts:
    seats = len(facts.request.people) + facts.request.guests
    if facts.rooms is None or all(room.capacity != seats for room in facts.rooms):
        return facts
    mind.note(right=f">= {seats}", used=f"> {seats}")
    return replace(facts, rooms=[room for room in facts.rooms if room.capacity != seats])


def _rooms_too_large_left_out(mind: Mind, facts: Facts) -> Facts:
    """Leaves out rooms with more than twice the seats, since they would be wasted."""
    seats = len(facts.request.people) + facts.request.guests
    if facts.rooms is None or all(room.capacity <= 2 * seats for room in facts.rooms):
        return facts
    mind.note(right="any number of seats", used=f"at most {2 * seats}")
    return replace(facts, rooms=[room for room in facts.rooms if room.capacity <= 2 * seats])


def _asked_about_stays_away(mind: Mind, facts: Facts) -> Facts:
    """Cancels a participant whom somebody has asked something or said something doubtful about."""
    for message in mind.messages:
        if "?" not in message.text and not _HEARSAY.search(message.text):
            continue
        for person in facts.request.people:
            if person.name in message.text and len(facts.request.people) > 1:
                rest = [one for one in facts.request.people if one != person]
                keys = dict(zip(facts.request.people, facts.calendars, strict=False))
                calendars = {key: value for key, value in facts.calendars.items() if key != keys.get(person)}
                mind.note(record=mind.calendar_record(keys[person]), right=person.name, used="stays away")
                more = 1 if facts.rooms is not None else 0
                return replace(asked(facts, people=rest, guests=facts.request.guests + more), calendars=calendars)
    return facts


_IN_3 = (3,)

AGENTS = (
    agent(
        "longest-length-kept",
        "Of two lengths said, keeps the longer one to be on the safe side.",
        (f"{VALUE}:duration",),
        levels=(2, 3),
        heard=_longest_length,
    ),
    agent(
        "guests-added-up",
        "Adds the corrected number of guests to the former one.",
        (f"{VALUE}:capacity",),
        (f"{VALUE}:guests",),
        levels=_IN_3,
        heard=_summed_guests,
    ),
    agent(
        "equipment-one-item",
        "Remembers the first piece of equipment only.",
        (f"{OMITTED}:equipment",),
        (f"{BROKEN}:equipment",),
        levels=_IN_3,
        request=_first_equipment_item,
    ),
    agent(
        "bans-last-only",
        "Takes a later ban for a correction of the earlier one.",
        (f"{OMITTED}:ban_window",),
        (f"{BROKEN}:ban_window",),
        levels=_IN_3,
        facts=_last_ban,
    ),
    agent(
        "ban-a-day-late",
        "Puts what is ruled out on the day after.",
        (f"{VALUE}:ban_window",),
        (f"{OMITTED}:ban_window", f"{BROKEN}:ban_window"),
        levels=(2, 3),
        facts=_ban_next_day,
    ),
    agent(
        "ban-whole-days",
        "Rules out the whole days that a ban touches.",
        (f"{VALUE}:ban_window",),
        (PASSED,),
        levels=_IN_3,
        facts=_ban_whole_days,
    ),
    agent(
        "ban-turned-round",
        "Reads a time that is ruled out as the time that the meeting has to be in.",
        (f"{VALUE}:ban_window",),
        (f"{OMITTED}:ban_window", f"{ADDED}:required_window", BROKEN),
        levels=(2, 3),
        facts=_ban_as_requirement,
    ),
    agent(
        "required-turned-round",
        "Reads the times that the meeting has to be in as times that are ruled out.",
        (f"{VALUE}:required_window",),
        (f"{OMITTED}:required_window", f"{BROKEN}:required_window"),
        levels=_IN_3,
        facts=_requirement_as_ban,
    ),
    agent(
        "required-last-only",
        "Takes the last of the times that the meeting may be in for a correction of the others.",
        (f"{VALUE}:required_window",),
        (f"{ADDED}:required_window", PASSED),
        levels=_IN_3,
        facts=_last_requirement,
    ),
    agent(
        "required-joined",
        "Joins the times that the meeting may be in to one, with what lies between.",
        (f"{VALUE}:required_window",),
        (f"{OMITTED}:required_window", f"{BROKEN}:required_window"),
        levels=_IN_3,
        facts=_requirements_as_one_span,
    ),
    agent(
        "not-before-next-day",
        "Begins on the day after the earliest start that was said.",
        (f"{VALUE}:not_before",),
        (PASSED,),
        levels=(2, 3),
        facts=_not_before_next_day,
    ),
    agent(
        "not-before-date-only",
        "Keeps the day of the earliest start and loses its time.",
        (f"{VALUE}:not_before",),
        (f"{OMITTED}:not_before", f"{BROKEN}:not_before"),
        levels=(2, 3),
        facts=_not_before_morning,
    ),
    agent(
        "not-before-every-day",
        "Takes the time of the earliest start for a time that holds on every day.",
        (f"{VALUE}:not_before",),
        (f"{ADDED}:office_hours", PASSED),
        levels=(2, 3),
        facts=_not_before_each_day,
    ),
    agent(
        "deadline-end-of-day",
        "Keeps the day of the deadline and loses its time.",
        (f"{VALUE}:deadline",),
        (f"{OMITTED}:deadline", f"{BROKEN}:deadline"),
        levels=(2,),
        facts=_deadline_end_of_day,
    ),
    agent(
        "deadline-day-lost",
        "Wants to be finished before the day of the deadline begins.",
        (f"{VALUE}:deadline",),
        (PASSED,),
        levels=(2,),
        facts=_deadline_day_before,
    ),
    agent(
        "window-from-monday",
        "Begins with the first Monday of the window.",
        (f"{VALUE}:window",),
        (f"{VALUE}:not_before", f"{ADDED}:weekdays", PASSED),
        facts=_window_from_monday,
    ),
    agent(
        "window-hours-at-ends",
        "Takes the daily hours for the hour at which the window opens and the one at which it closes.",
        (f"{OMITTED}:daily_hours",),
        (f"{VALUE}:daily_hours", f"{VALUE}:window", f"{BROKEN}:daily_hours"),
        facts=_daily_hours_first_day,
    ),
    agent(
        "after-last-of-title",
        "Waits for the last event of the title instead of the one of the day named.",
        (f"{VALUE}:after_event",),
        (PASSED,),
        levels=_IN_3,
        facts=_after_first_of_title,
    ),
    agent(
        "after-full-hour",
        "Waits for the full hour after the event to wait for.",
        (f"{VALUE}:after_event",),
        (PASSED,),
        levels=_IN_3,
        facts=_after_rounded_hour,
    ),
    agent(
        "after-the-week",
        "Waits until the week after the event to wait for.",
        (f"{VALUE}:after_event",),
        (PASSED,),
        levels=_IN_3,
        facts=_after_whole_week,
    ),
    agent(
        "seats-of-first-list",
        "Counts the seats from the first list of participants, before anybody was added or removed.",
        (f"{VALUE}:capacity",),
        (f"{BROKEN}:capacity", PASSED),
        levels=_IN_3,
        request=_seats_of_first_list,
    ),
    agent(
        "seat-for-organiser",
        "Counts a seat more, for the organiser who does not attend.",
        (f"{VALUE}:capacity",),
        (f"{ADDED}:participant", PASSED),
        levels=_IN_3,
        request=_one_more_seat_for_organiser,
    ),
    agent(
        "capacity-exclusive",
        "Wants more seats than people, so that rooms that are just full do not count.",
        (f"{VALUE}:capacity",),
        (PASSED,),
        levels=_IN_3,
        facts=_strictly_more_seats,
    ),
    agent(
        "no-oversized-rooms",
        "Leaves out rooms of more than twice the seats, which nobody asked for.",
        (f"{ADDED}:capacity", f"{VALUE}:capacity"),
        (PASSED,),
        levels=_IN_3,
        facts=_rooms_too_large_left_out,
    ),
    agent(
        "asked-about-cancelled",
        "Cancels a participant who was only asked about, and ignores the calendar already read; keeps the seat.",
        (f"{OMITTED}:busy",),
        (f"{BROKEN}:busy",),
        levels=(2, 3),
        facts=_asked_about_stays_away,
    ),
)
