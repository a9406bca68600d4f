"""Phrase the rules of policies, current and former, as policy prose.

A rule in force is in the present tense and is about meetings. A former rule is in the past tense and gives its year.
"""

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, one_of
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, PolicyRule, RoomTurnaround, WorkHours
from mpcbench.schema.model import minute_of_day


class RuleForms(NamedTuple):
    """The phrasings around one kind of rule."""

    rule: tuple[str, ...]
    """Exact statements of the rule."""

    past: tuple[str, ...]
    """Statements of a former rule, with other numbers."""

    purpose: tuple[str, ...]
    exception: tuple[str, ...]
    """Exceptions that do not affect meetings."""


RULES: Final[Mapping[str, RuleForms]] = MappingProxyType(
    {
        "work_hours": RuleForms(
            (
                "[Meetings may take place|Meetings may be held] {on_days} between {opens} and {closes} only; a meeting [neither begins before these hours nor runs past them|does not begin earlier or end later].",
                "A meeting [has to|must] begin and end within the hours from {opens} to {closes} {on_days}; the other days of the week are not available.",
                "Only {days} count as meeting days, and on these a meeting must both begin and end between {opens} and {closes}.",
                "No meeting may start before {opens} or end after {closes}, and only {days} are meeting days.",
                "[Core hours|The hours] for meetings run from {opens} to {closes} {on_days}; a meeting stays inside them from its first minute to its last, and none is scheduled on other days.",
                "Whoever calls a meeting keeps it inside the core hours, which are {opens} to {closes} {on_days}, and [schedules none at any other time|uses no other time].",
                "[Permitted times|The permitted hours] for meetings are {opens} to {closes} {on_days}, and the whole meeting has to fit into them.",
                "Meetings begin at {opens} at the earliest and end at {closes} at the latest {on_days}; there are none on other days.",
                "The whole meeting has to fit into the time between {opens} and {closes} {on_days}; [no other time is available|nothing outside these hours is available].",
            ),
            (
                "Until {year} the core hours ran from {opens} to {closes}.",
                "Before the revision of {year}, meetings could be held from {opens} to {closes}.",
                "The edition of {year} set {opens} to {closes} instead and was later withdrawn.",
            ),
            (
                "Colleagues who care for relatives, commute over long distances or work part-time must be able to rely on the hours at which others expect them.",
                "Common hours make it easier to find one another, and they protect the edges of the day, which people need for travel, for family and for quiet work.",
                "Surveys have shown that meetings at the edges of the day are badly attended and quickly forgotten; this section therefore fixes when they may be held.",
            ),
            (
                "On-call duty, deliveries and security rounds follow their own rosters, often from 6:00 to 22:00, and are not meetings in the sense of this section.",
                "The reception desk is staffed from 7:30 to 18:30, which has nothing to do with the hours for meetings.",
            ),
        ),
        "lunch_block": RuleForms(
            (
                "No meeting may overlap the lunch break from {opens} to {closes} {on_days}.",
                "{on_days}, the time between {opens} and {closes} [belongs to lunch|is for lunch] and stays free of meetings.",
                "Lunch is protected: {on_days}, no meeting [is scheduled|takes place] from {opens} to {closes}, not even in part.",
                "Meetings [keep|stay] clear of the midday break, which lasts from {opens} to {closes} {on_days}.",
                "A meeting that would take up any minute between {opens} and {closes} {on_days} [has to|must] be moved, because that is the lunch break.",
                "From {opens} to {closes} {on_days} it is lunchtime, and [no part of a meeting may fall into it|a meeting must not run into it].",
                "The time from {opens} to {closes} {on_days} is kept for lunch; a meeting [is over when it begins or starts when it has ended|lies entirely before or entirely after it].",
                "The lunch hours, {opens} to {closes} {on_days}, are closed to meetings.",
                "[Everybody gets|Everyone has] a lunch break without meetings from {opens} to {closes} {on_days}.",
            ),
            (
                "Until {year} the break lasted from {opens} to {closes}.",
                "Before {year} lunch was protected from {opens} to {closes}.",
                "The edition of {year} named {opens} to {closes} and was later withdrawn.",
            ),
            (
                "A shared break is the cheapest way we know to make people talk to colleagues from other teams, and the canteen depends on predictable numbers.",
                "Occupational health advises an unbroken rest in the middle of the day, and the works council has asked for it repeatedly.",
                "Too many people used to eat at their desks between two calls; this section gives the middle of the day back to them.",
            ),
            (
                "The canteen's serving times, at present 11:15 to 14:15, are set by the caterer and do not define the break.",
                "The summer party and the staff breakfast follow other arrangements and are not meetings in the sense of this section.",
            ),
        ),
        "buffer_min": RuleForms(
            (
                "Between a meeting and any other calendar entry of any participant, at least {minutes} must be left free, both before and after.",
                "Every participant [gets|has] a pause of at least {minutes} before and after the meeting, measured to the nearest entries in the calendar.",
                "A meeting is placed only where each participant's previous entry ended at least {minutes} earlier and the next one starts at least {minutes} later.",
                "Leave no less than {minutes} on either side between the meeting and everything else in the participants' calendars.",
                "The gap to the neighbouring events of all participants [is|has to be] {minutes} or more, [both before the meeting and after it|before the meeting as well as after it].",
                "Appointments need some air: there must be at least {minutes} between the meeting and [whatever precedes or follows it|anything before or after it] in any participant's calendar.",
                "No participant goes straight into or out of the meeting: the calendar shows at least {minutes} [without entries|of free time] before it and after it.",
                "Back-to-back scheduling is not allowed: at least {minutes} of free time must separate the meeting from every busy event of every participant, on both sides.",
                "On both sides of the meeting, {minutes} or more must stay empty in the calendar of everybody who takes part.",
            ),
            (
                "Until {year} the buffer was {minutes}.",
                "Before {year} the pause had to be {minutes}.",
                "The edition of {year} asked for {minutes}, a figure that no longer holds.",
            ),
            (
                "People need time to write down what was decided, to fetch a glass of water and to walk or click over to the next conversation.",
                "A day of calls without a gap tires everybody and makes every delay travel through the whole afternoon; pauses stop that.",
                "Studies on attention, our own survey among them, agree that short breaks between two conversations improve both.",
            ),
            (
                "Breaks during trainings and all-day workshops are planned by the trainer, usually 10 minutes an hour, and are not the subject of this section.",
                "Laboratory shifts have a handover of 40 minutes, which is regulated elsewhere and does not concern meetings.",
            ),
        ),
        "ban_dow_time": RuleForms(
            (
                "On {weekday}s between {opens} and {closes} no meeting may take place, not even in part.",
                "{weekday}s from {opens} to {closes} are reserved for [undisturbed|quiet] work, and meetings must not overlap this time.",
                "Every {weekday}, the hours from {opens} to {closes} are kept free of meetings.",
                "Focus time is [each|every] {weekday} from {opens} to {closes}: a meeting may end when it begins or begin when it ends, but must not reach into it.",
                "No meeting is scheduled on a {weekday} if any part of it would fall between {opens} and {closes}.",
                "Meetings [stay|are kept] out of the weekly quiet block, {weekday} from {opens} to {closes}.",
                "Nobody schedules a meeting [into the time|for any part of the time] from {opens} to {closes} on a {weekday}.",
                "[Once a week|Every week], on {weekday} from {opens} to {closes}, there are no meetings, nor parts of them.",
                "The block from {opens} to {closes} on {weekday}s is closed to meetings of every kind.",
            ),
            (
                "Until {year} the quiet block was on {weekday}s from {opens} to {closes}.",
                "Before {year} the time from {opens} to {closes} on {weekday}s was protected instead.",
                "The edition of {year} named {weekday}s from {opens} to {closes} and was later withdrawn.",
            ),
            (
                "Work that needs long concentration does not fit into half-hour gaps here and there; one protected stretch a week does more than any appeal.",
                "Maintenance, writing and careful reading all need a stretch of time in which nobody calls.",
                "The teams asked for a fixed time in the week on which no one can be invited anywhere, and this section grants it.",
            ),
            (
                "Automated deployments and backups may run at that time, since they are not meetings.",
                "The weekly fire-alarm test on Saturdays at 8:15 takes place regardless.",
            ),
        ),
        "room_turnaround": RuleForms(
            (
                "The room stays [unbooked|empty] for at least {minutes} on either side of the meeting.",
                "A meeting [has|keeps] a distance of at least {minutes} from the bookings of its room before and after it.",
                "Between a meeting and any other booking of the same room there must be at least {minutes}, before and after.",
                "Rooms are reset after each use, so a meeting keeps {minutes} or more away from all other bookings of its room on both sides.",
                "Leave the room empty for no less than {minutes} before the meeting and as long after it, measured to its neighbouring bookings.",
                "A room is taken only if its previous booking ended at least {minutes} before the meeting and its next one starts at least {minutes} after it.",
                "After the previous booking of its room and before the next one, a meeting leaves [a gap of |]at least {minutes}.",
                "A turnaround of at least {minutes} is required between the meeting and each adjoining booking of its room, in both directions.",
            ),
            (
                "Until {year} the turnaround of rooms was {minutes}.",
                "Before {year} rooms were left empty for {minutes}.",
                "The edition of {year} asked for {minutes}, a figure that no longer holds.",
            ),
            (
                "Chairs have to be put back, boards wiped and windows opened before the next group comes in.",
                "Airing a room takes time, and so does collecting the cups.",
                "Groups that queue in the corridor disturb those inside; a margin between bookings keeps the corridor quiet.",
            ),
            (
                "Desks and phone booths have no turnaround, since they are not rooms in the sense of this section.",
                "Deep cleaning takes 90 minutes and is done at night, without any effect on bookings.",
            ),
        ),
    }
)


def say_rule(rule: PolicyRule, rng: Random) -> str:
    """One sentence that states the rule exactly."""
    return fill_rule(one_of(RULES[rule.kind].rule, rng), rule, rng)


def fill_rule(template: str, rule: PolicyRule, rng: Random) -> str:
    """A phrasing of a rule without choices, with its fields filled in."""
    return capitalised(template.format(**_fields(rule, rng)))


def say_past_rule(rule: PolicyRule, year: int, rng: Random) -> str:
    """One sentence that says that this was the rule until a year."""
    return capitalised(rng.choice(RULES[rule.kind].past).format(year=year, **_fields(rule, rng)))


def other_rule(rule: PolicyRule, rng: Random) -> PolicyRule:
    """A rule of the same kind with other numbers, as a plausible former rule."""
    match rule:
        case BufferMin(minutes=minutes) | RoomTurnaround(minutes=minutes):
            other = rng.choice([number for number in (5, 10, 15, 20, 25, 30, 40, 45, 50) if number != minutes])
            return rule.model_copy(update={"minutes": other})
        case BanDowTime(day=day):
            start, end = _other_hours(rule, rng)
            weekday = rng.choice([number for number in range(5) if number != day])
            return BanDowTime(day=weekday, start=start, end=end)
        case WorkHours() | LunchBlock():
            start, end = _other_hours(rule, rng)
            return rule.model_copy(update={"start": start, "end": end})


_OTHER_HOURS: Final[Mapping[str, Sequence[tuple[str, str]]]] = MappingProxyType(
    {
        "work_hours": (
            ("08:00", "18:00"),
            ("07:30", "19:00"),
            ("08:30", "17:30"),
            ("09:15", "16:45"),
            ("07:00", "20:00"),
        ),
        "lunch_block": (
            ("12:15", "12:45"),
            ("12:30", "13:15"),
            ("11:30", "12:15"),
            ("13:00", "13:45"),
            ("11:00", "12:00"),
        ),
        "ban_dow_time": (
            ("07:00", "09:30"),
            ("10:15", "11:45"),
            ("14:30", "15:45"),
            ("15:15", "18:30"),
            ("08:30", "10:30"),
        ),
    }
)


def _other_hours(rule: WorkHours | LunchBlock | BanDowTime, rng: Random) -> tuple[str, str]:
    return rng.choice(
        [(start, end) for start, end in _OTHER_HOURS[rule.kind] if {start, end}.isdisjoint({rule.start, rule.end})]
    )


def days_of_week(days: Sequence[int], rng: Random) -> str:
    """Days of the week in the plural or as a range: `Monday to Friday`, `Mondays, Tuesdays and Fridays`."""
    ordered = sorted(days)
    plural = words.listed([f"{words.WEEKDAYS[number]}s" for number in ordered])
    if len(ordered) < 3 or ordered[-1] - ordered[0] != len(ordered) - 1:
        return plural
    first, last = words.WEEKDAYS[ordered[0]], words.WEEKDAYS[ordered[-1]]
    return rng.choice((f"{first} to {last}", f"{first} through {last}", plural))


def _fields(rule: PolicyRule, rng: Random) -> dict[str, str]:
    match rule:
        case BufferMin(minutes=minutes) | RoomTurnaround(minutes=minutes):
            return {"minutes": _minutes(minutes, rng)}
        case WorkHours() | LunchBlock() | BanDowTime():
            clock = rng.choice(words.CLOCKS)
            hours = {
                "opens": clock.write(minute_of_day(rule.start)),
                "closes": clock.write(minute_of_day(rule.end)),
            }
            if isinstance(rule, BanDowTime):
                return {**hours, "weekday": words.WEEKDAYS[rule.day]}
            days = days_of_week(rule.days, rng)
            if len(rule.days) == len(words.WEEKDAYS):
                return {
                    **hours,
                    "days": "all days of the week",
                    "on_days": rng.choice(("every day", "seven days a week")),
                }
            return {**hours, "days": days, "on_days": f"on {days}" if days.endswith("s") else f"each day from {days}"}


def _minutes(minutes: int, rng: Random) -> str:
    special = {15: "a quarter of an hour", 30: "half an hour", 45: "three quarters of an hour", 60: "one hour"}
    return rng.choice((f"{minutes} minutes", f"{minutes} minutes", special.get(minutes, f"{minutes} minutes")))
