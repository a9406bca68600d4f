"""Slips at choosing and writing down options."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from mpcbench.benchmark.agents.reference.integrate import room_choices
from unit_tests.validity.kit.unseen.acting import (
    ADDED,
    BROKEN,
    COUNT,
    HABIT,
    NUMBER,
    OMITTED,
    ONE_WRONG,
    PASSED,
    RANKING,
    SLIP,
    VALUE,
    Facts,
    Mind,
    Option,
    Stage,
    agent,
    asked,
    choose,
    everything,
    moved,
)

_DAY = 24 * 60


def _noted(mind: Mind, right: Sequence[Option], used: Sequence[Option]) -> list[Option]:
    if list(right) != list(used):
        mind.note(right=[str(o) for o in right], used=[str(o) for o in used])
    return list(used)


def _tired_of_rules(mind: Mind, facts: Facts) -> list[Option]:
    """Checks the policy for the first half of the options, and no longer for the rest."""
    right = choose(facts)
    half = (len(right) + 1) // 2
    loose = choose(replace(asked(facts, count=len(right) + 40), rules=[]))
    rest = [o for o in loose if o not in right[:half] and (not right or _later(o, right[half - 1], facts))]
    return _noted(mind, right, [*right[:half], *rest[: len(right) - half]])


def _later(option: Option, than: Option, facts: Facts) -> bool:
    return option.start <= than.start if facts.request.latest else option.start >= than.start


def _tired_of_calendars(mind: Mind, facts: Facts) -> list[Option]:
    """Looks at all calendars for the first option, and at the first calendar only for the others."""
    right = choose(facts)
    if len(facts.calendars) < 2 or not right:
        return right
    first = next(iter(facts.calendars))
    loose = choose(replace(asked(facts, count=len(right) + 40), calendars={first: facts.calendars[first]}))
    rest = [o for o in loose if o != right[0] and _later(o, right[0], facts)]
    return _noted(mind, right, [right[0], *rest[: len(right) - 1]])


def _last_without_hours(mind: Mind, facts: Facts) -> list[Option]:
    """Forgets the daily hours of the window with the last option."""
    right = choose(facts)
    window = facts.request.window
    if window is None or window.hours is None or len(right) < 2:
        return right
    loose = choose(replace(asked(facts, count=len(right) + 200, window=window._replace(hours=None))))
    rest = [o for o in loose if o not in right[:-1] and _later(o, right[-2], facts)]
    return _noted(mind, right, [*right[:-1], *rest[:1]])


def _last_room_unchecked(mind: Mind, facts: Facts) -> list[Option]:
    """Forgets the bookings with the last option."""
    right = choose(facts)
    if facts.rooms is None or len(right) < 2:
        return right
    loose = choose(replace(asked(facts, count=len(right) + 40), bookings={}))
    rest = [o for o in loose if o not in right[:-1] and o.start >= right[-2].start]
    return _noted(mind, right, [*right[:-1], *rest[:1]])


def _same_time_every_week(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    return _noted(mind, options, [moved(options[0], 7 * _DAY * k) for k in range(len(options))] if options else [])


def _same_time_next_days(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Writes the first two options down again for the day after, instead of the last two."""
    if len(options) < 4:
        return options
    return _noted(mind, options, [*options[:-2], *(moved(o, _DAY) for o in options[:2])])


def _run_from_first(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Finds the first option and continues it in quarter hours, unchecked."""
    if not options:
        return options
    step = -15 if facts.request.latest else 15
    return _noted(mind, options, [moved(options[0], step * k) for k in range(len(options))])


def _back_to_back(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Lays the second half of the options end to end after the last good one, unchecked."""
    if len(options) < 3:
        return options
    half = (len(options) + 1) // 2
    length = facts.request.length or 30
    last = options[half - 1]
    return _noted(
        mind, options, [*options[:half], *(moved(last, length * (k + 1)) for k in range(len(options) - half))]
    )


def _mornings_first(mind: Mind, facts: Facts) -> list[Option]:
    every = everything(facts)
    count = facts.request.count
    mornings = [o for o in every if o.start.hour < 12]
    return _noted(mind, every[:count], [*mornings, *(o for o in every if o not in mornings)][:count])


def _sorted_by_clock(mind: Mind, facts: Facts) -> list[Option]:
    """Sorts by the time of day before the date, as times sort as text."""
    every = everything(facts)
    count = facts.request.count
    used = sorted(every, key=lambda o: (o.start.time(), o.start.date()), reverse=False)
    return _noted(mind, every[:count], used[:count])


def _first_weekday_only(mind: Mind, facts: Facts) -> list[Option]:
    every = everything(facts)
    count = facts.request.count
    used = [o for o in every if o.start.weekday() == every[0].start.weekday()] if every else []
    return _noted(mind, every[:count], used[:count])


def _several_weeks(mind: Mind, facts: Facts) -> list[Option]:
    """Takes the first option of each week in turn."""
    every = everything(facts)
    count = facts.request.count or 0
    weeks: dict[tuple[int, int], list[Option]] = {}
    for o in every:
        weeks.setdefault(o.start.isocalendar()[:2], []).append(o)
    used: list[Option] = []
    place = 0
    while len(used) < min(count, len(every)):
        used += [some[place] for some in weeks.values() if len(some) > place]
        place += 1
    return _noted(mind, every[:count], used[:count])


def _ends_with_day(mind: Mind, facts: Facts) -> list[Option]:
    """Fills up the day of the last option, beyond the number asked for."""
    every = everything(facts)
    count = facts.request.count or 0
    right = every[:count]
    return _noted(
        mind, right, right + [o for o in every[count:] if o.start.date() == right[-1].start.date()] if right else right
    )


def _n_of_each_day(mind: Mind, facts: Facts) -> list[Option]:
    """Gives N options of each of the first two days."""
    every = everything(facts)
    count = facts.request.count or 0
    days = list(dict.fromkeys(o.start.date() for o in every))[:2]
    used = [o for day in days for o in [x for x in every if x.start.date() == day][:count]]
    return _noted(mind, every[:count], used)


def _buffer_in_slot(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Writes the buffer into the option: it begins earlier and ends later by as much."""
    from unit_tests.validity.kit.unseen.acting import Pause

    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin:
        return options
    shift = timedelta(minutes=margin)
    return _noted(mind, options, [o._replace(end=o.end + shift) for o in options])


def _hour_free_wanted(mind: Mind, facts: Facts) -> list[Option]:
    """Looks for gaps of a full hour and more, whatever the length, and proposes the length at their start."""
    right = choose(facts)
    length = facts.request.length or 60
    if length >= 60:
        return right
    wide = choose(asked(facts, length=60))
    return _noted(mind, right, [o._replace(end=o.start + timedelta(minutes=length)) for o in wide])


def _fixed_offset(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Writes all times with the offset of the window's first day, past the change of clocks, too."""
    window = facts.request.window
    if not options or window is None:
        return options
    from datetime import datetime, timezone

    first = datetime(window.days.first.year, window.days.first.month, window.days.first.day, tzinfo=facts.zone)
    zone = timezone(first.utcoffset() or timedelta())
    used = [o._replace(start=o.start.replace(tzinfo=zone), end=o.end.replace(tzinfo=zone)) for o in options]
    right: list[Any] = [o.start.isoformat() for o in options]
    written: list[Any] = [o.start.isoformat() for o in used]
    return _noted(mind, right, written) and used


def _room_made_up(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    if not options or options[-1].room_id is None:
        return options
    return _noted(mind, options, [*options[:-1], options[-1]._replace(room_id="R99")])


def _last_is_first_again(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Replaces the last option by the first one, a quarter of an hour later."""
    if len(options) < 2:
        return options
    return _noted(mind, options, [*options[:-1], moved(options[0], 15)])


def _rooms_of_neighbours(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Shifts the column of rooms by one line: each option gets the room of the one before."""
    if len(options) < 2 or options[0].room_id is None:
        return options
    rooms = [o.room_id for o in options]
    return _noted(mind, options, [o._replace(room_id=r) for o, r in zip(options, rooms[-1:] + rooms[:-1], strict=True)])


def _ends_of_next(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Joins touching or overlapping options of a day to one long option."""
    joined: list[Option] = []
    for o in options:
        if joined and joined[-1].room_id == o.room_id and joined[-1].start <= o.start <= joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(o.end, joined[-1].end))
        else:
            joined.append(o)
    return _noted(mind, options, joined)


def _room_by_room(mind: Mind, facts: Facts) -> list[Option]:
    """Gives each room one option, in the order of the rooms."""
    if facts.rooms is None:
        return choose(facts)
    right = choose(facts)
    used = []
    every = everything(facts)
    for room, _ in room_choices(facts):
        mine = [o for o in every if o.room_id == room]
        used += mine[:1]
    return _noted(mind, right, sorted(used, key=lambda o: o.start)[: facts.request.count])


def _room_with_most_slots(mind: Mind, facts: Facts) -> list[Option]:
    """Stays in the room that is free most often."""
    if facts.rooms is None:
        return choose(facts)
    right = choose(facts)
    every = everything(facts)
    rooms = [o.room_id for o in every]
    if not every:
        return right
    room = max(sorted(set(rooms), key=str), key=rooms.count)
    return _noted(mind, right, [o for o in every if o.room_id == room][: facts.request.count])


def _json(mind: Mind, options: Sequence[Option], used: object) -> str:
    mind.note(right="one object", used="another form")
    return used if isinstance(used, str) else json.dumps(used)


def _item(o: Option) -> dict[str, str]:
    return {"start": o.start.isoformat(), "end": o.end.isoformat()} | ({"room_id": o.room_id} if o.room_id else {})


def _one_object_each(mind: Mind, options: Sequence[Option]) -> str:
    return _json(mind, options, "\n".join(json.dumps({"candidates": [_item(o)]}) for o in options))


def _joined_times(mind: Mind, options: Sequence[Option]) -> str:
    return _json(
        mind,
        options,
        {"candidates": [{"slot": f"{o.start.isoformat()}/{o.end.isoformat()}", "room_id": o.room_id} for o in options]},
    )


def _american_times(mind: Mind, options: Sequence[Option]) -> str:
    form = "%m/%d/%Y %I:%M %p"
    return _json(
        mind,
        options,
        {"candidates": [_item(o) | {"start": o.start.strftime(form), "end": o.end.strftime(form)} for o in options]},
    )


def _table(mind: Mind, options: Sequence[Option]) -> str:
    rows = "\n".join(f"| {o.start:%a %d %b %H:%M} | {o.end:%H:%M} | {o.room_id or ''} |" for o in options)
    return _json(mind, options, f"Here are the options:\n\n| start | end | room |\n|---|---|---|\n{rows}\n")


_RULES = tuple(f"{OMITTED}:{kind}" for kind in ("work_hours", "lunch_block", "buffer_min", "ban_dow_time"))
_SEEN = (PASSED, BROKEN, ONE_WRONG)
_FORMAT = Stage.FORMAT

AGENTS = (
    agent(
        "tired-of-rules",
        "Checks the policy for the first half of the options, no longer for the rest.",
        _RULES,
        _SEEN,
        choose=_tired_of_rules,
    ),
    agent(
        "tired-of-calendars",
        "Checks all calendars for the first option, only the first one for the others.",
        (f"{OMITTED}:busy",),
        (*_SEEN, "integration.record_overlooked:event"),
        choose=_tired_of_calendars,
    ),
    agent(
        "last-without-hours",
        "Forgets the daily hours of the window with the last option.",
        (f"{OMITTED}:daily_hours",),
        _SEEN,
        levels=(1, 2),
        choose=_last_without_hours,
    ),
    agent(
        "last-room-unchecked",
        "Forgets the bookings with the last option.",
        (f"{OMITTED}:bookings", "integration.record_overlooked:booking"),
        _SEEN,
        levels=(3,),
        choose=_last_room_unchecked,
    ),
    agent(
        "weekly-copies",
        "Finds the first option and proposes it again in the weeks after, unchecked.",
        (),
        _SEEN,
        options=_same_time_every_week,
    ),
    agent(
        "two-copied-from-day",
        "Writes the first two options down again for the day after instead of the last two.",
        (),
        (*_SEEN, f"{SLIP}:day"),
        options=_same_time_next_days,
    ),
    agent(
        "quarter-hour-run",
        "Finds the first option and goes on from it by quarter hours, unchecked.",
        (),
        _SEEN,
        options=_run_from_first,
    ),
    agent(
        "back-to-back", "Lays the second half of the options end to end, unchecked.", (), _SEEN, options=_back_to_back
    ),
    agent(
        "mornings-first",
        "Prefers mornings, which nobody asked for.",
        (f"{ADDED}:office_hours",),
        (PASSED,),
        choose=_mornings_first,
    ),
    agent(
        "sorted-by-clock",
        "Sorts by time of day first and by date second.",
        (),
        (PASSED, f"{HABIT}:days_before_times"),
        choose=_sorted_by_clock,
    ),
    agent(
        "first-weekday-only",
        "Stays on the weekday of the first option.",
        (f"{ADDED}:weekdays",),
        (PASSED,),
        choose=_first_weekday_only,
    ),
    agent("one-per-week", "Takes the weeks in turn, one option of each.", (), (PASSED,), choose=_several_weeks),
    agent(
        "day-filled-up",
        "Fills up the day of the last option, beyond the number.",
        (f"{COUNT}:too_many",),
        (f"{NUMBER}:too_many", f"{HABIT}:whole_slots", f"{HABIT}:slots_counted"),
        choose=_ends_with_day,
    ),
    agent(
        "n-of-two-days",
        "Gives as many options as asked for of each of the first two days.",
        (f"{COUNT}:too_many", f"{COUNT}:too_few"),
        (NUMBER, PASSED),
        choose=_n_of_each_day,
    ),
    agent(
        "buffer-in-the-slot",
        "Writes the buffer after the meeting into the option.",
        (f"{VALUE}:duration",),
        (f"{VALUE}:buffer_min", BROKEN),
        options=_buffer_in_slot,
    ),
    agent(
        "full-hour-wanted",
        "Looks for gaps of a full hour, though the meeting is shorter.",
        (f"{ADDED}:buffer", f"{VALUE}:duration"),
        (PASSED,),
        choose=_hour_free_wanted,
    ),
    agent(
        "clock-change-ignored",
        "Writes the offset of the window's first day, past the change of clocks, too.",
        (f"{VALUE}:offset",),
        (f"{SLIP}:hour", *_SEEN),
        options=_fixed_offset,
    ),
    agent(
        "room-made-up",
        "Names a room that does not exist with the last option.",
        (f"{SLIP}:room", "integration.room_missing"),
        (ONE_WRONG, BROKEN),
        levels=(3,),
        options=_room_made_up,
    ),
    agent(
        "last-is-first-again",
        "Repeats the first option a quarter of an hour later as the last one.",
        (),
        _SEEN,
        options=_last_is_first_again,
    ),
    agent(
        "rooms-a-line-off",
        "Gives each option the room of the one before.",
        (f"{SLIP}:room",),
        (*_SEEN, f"{RANKING}:tie_break"),
        levels=(3,),
        options=_rooms_of_neighbours,
    ),
    agent(
        "options-joined",
        "Joins overlapping options to one long option.",
        (f"{VALUE}:duration", f"{COUNT}:too_few"),
        (NUMBER, BROKEN),
        options=_ends_of_next,
    ),
    agent("each-room-once", "Gives each room one option.", (), (PASSED,), levels=(3,), choose=_room_by_room),
    agent(
        "freest-room",
        "Stays in the room that is free most often.",
        (f"{HABIT}:one_room_for_all",),
        (f"{RANKING}:tie_break", PASSED),
        levels=(3,),
        choose=_room_with_most_slots,
    ),
    agent(
        "an-object-each",
        "Writes one JSON object for each option, of which the last counts.",
        (f"{COUNT}:too_few",),
        (f"{NUMBER}:too_few",),
        text=_one_object_each,
    ),
    agent(
        "joined-times",
        "Writes start and end as one interval.",
        ("format.unparsable",),
        stage=_FORMAT,
        text=_joined_times,
    ),
    agent(
        "american-times",
        "Writes dates and times in the American way.",
        ("format.unparsable",),
        stage=_FORMAT,
        text=_american_times,
    ),
    agent(
        "table-of-options",
        "Writes a table instead of JSON.",
        ("format.unparsable",),
        ("format.no_answer",),
        stage=_FORMAT,
        text=_table,
    ),
)
