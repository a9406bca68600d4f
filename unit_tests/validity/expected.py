"""What a diagnosis should say of each agent of the kit, where the agent itself says it in words only.

An agent's own `reasons` and `acceptable` stay as they were frozen. Two tables add reasons that mean the same. A reason
without its detail stands for all its details. An empty entry says that no reason means the same. Two more correct what an
agent expects where its code plainly does something else.
"""

from typing import Any, Final

from mpcbench.schema import World
from unit_tests.validity.judge import Expected
from unit_tests.validity.kit import FlawedAgent

_EVENT = ("integration.record_overlooked:event",)
_MISREAD_EVENT = (*_EVENT, "integration.record_misread:event")
_BOOKING = ("integration.record_overlooked:booking",)
_MISREAD_BOOKING = (*_BOOKING, "integration.record_misread:booking")
_SLIP = "integration.candidate_slip"
_STARTS = "integration.starts_only"
_HABIT = "integration.habit"

RIGHT: Final[dict[str, tuple[str, ...]]] = {
    # single slips at what was read
    "event-overlooked": _EVENT,
    "short-event-overlooked": _EVENT,
    "odd-event-overlooked": _EVENT,
    "first-event-overlooked": _EVENT,
    "event-on-next-day": _MISREAD_EVENT,
    "event-hour-late": _MISREAD_EVENT,
    "event-half-as-long": _MISREAD_EVENT,
    "event-in-afternoon": _MISREAD_EVENT,
    "calendar-day-skipped": _EVENT,
    "calendar-end-cut": _EVENT,
    "booking-overlooked": _BOOKING,
    "booking-on-next-day": _MISREAD_BOOKING,
    "booking-hour-early": _MISREAD_BOOKING,
    "room-taken-for-free": _BOOKING,
    "bookings-swapped": _MISREAD_BOOKING,
    "events-merged-badly": (*_MISREAD_EVENT, "integration.record_misread:overlap"),
    "calendar-unused": _EVENT,
    "message-skipped": (),
    # single slips at a candidate
    "candidate-half-day": (f"{_SLIP}:half_day",),
    "candidate-day-late": (f"{_SLIP}:day",),
    "candidate-week-late": (f"{_SLIP}:week",),
    "candidate-year-off": (f"{_SLIP}:year",),
    "candidate-end-late": (f"{_SLIP}:minutes",),
    "candidate-digit": (f"{_SLIP}:minutes",),
    "candidate-made-up": (),
    "candidate-next-day-made-up": (),
    "candidate-skipped": (),
    "candidate-lost": (),
    "candidate-added": (),
    "candidate-repeated": (),
    "rooms-swapped": (f"{_SLIP}:room",),
    "room-digit": (f"{_SLIP}:room",),
    "room-left-out": (f"{_SLIP}:room",),
    # how all candidates are written
    "room-names": (),
    "wrong-year": ("integration.value_wrong:year",),
    "day-and-month-swapped": ("integration.value_wrong:day_and_month",),
    "inclusive-end": (),
    # habits
    "one-per-day": (f"{_HABIT}:one_per_day",),
    "one-per-gap": (f"{_HABIT}:one_per_gap",),
    "disjoint": (),
    "own-proposals-buffered": (f"{_HABIT}:spaced",),
    "hour-between-proposals": (f"{_HABIT}:spaced",),
    "full-hours": (f"{_HABIT}:coarse_grid",),
    "half-hours": (f"{_HABIT}:coarse_grid",),
    "one-room-for-all": (f"{_HABIT}:one_room_for_all",),
    "room-before-time": (f"{_HABIT}:room_before_time",),
    "one-room-per-slot": (),
    "first-rooms": (),
    "all-rooms-of-last-slot": (f"{_HABIT}:whole_slots",),
    "n-slots-all-rooms": (f"{_HABIT}:slots_counted",),
    "first-day-only": (f"{_HABIT}:first_day_only",),
    "latest-of-each-day": (f"{_HABIT}:days_before_times",),
    "cut-before-policies": (),
    # what is compared
    "events-starts-only": (f"{_STARTS}:busy",),
    "all-starts-only": (_STARTS,),
    "deadline-as-latest-start": (f"{_STARTS}:deadline",),
    "work-hours-starts-only": (f"{_STARTS}:work_hours",),
    "daily-hours-starts-only": (f"{_STARTS}:daily_hours",),
    "blocks-starts-only": (f"{_STARTS}:lunch_block", f"{_STARTS}:ban_dow_time"),
    "one-clock-hour-off": ("integration.value_wrong:clock",),
    "one-clock-far-off": ("integration.value_wrong:clock",),
}
"""Reasons that name the flaw of an agent, beside its own."""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "one candidate is wrong and the others are right": ("observed.one_wrong",),
    "one candidate is missing": ("observed.wrong_number:too_few",),
    "one candidate is repeated": (),
    "the event with a wrong time": ("integration.record_misread:event",),
    "the booking with a wrong time": ("integration.record_misread:booking",),
    "the bookings of one room taken for another's": ("integration.record_misread:booking",),
    "the end of an overlapped event": ("integration.record_misread:overlap",),
    "rooms named by name": ("integration.value_wrong:room_id",),
    "a wrong year": ("integration.value_wrong:year",),
    "day and month swapped": ("integration.value_wrong:day_and_month",),
    "ends a minute early": (),
    "options of the same day left out": (f"{_HABIT}:one_per_day",),
    "one option per gap": (f"{_HABIT}:one_per_gap",),
    "the buffer applied among the proposals": (f"{_HABIT}:spaced",),
    "proposals spread out": (f"{_HABIT}:spaced",),
    "a coarser grid of starts": (f"{_HABIT}:coarse_grid",),
    "a single room considered": (f"{_HABIT}:one_room_for_all",),
    "rooms ranked before starts": (f"{_HABIT}:room_before_time",),
    "searched one day only": (f"{_HABIT}:first_day_only",),
    "cut to N before filtering": (),
    "only starts compared": (_STARTS,),
    "the weekdays of the working hours": ("integration.value_wrong:work_hours",),
    "the weekday of the block": (),
    "hours that nobody stated": ("integration.constraint_added:office_hours",),
    "a lunch break that nobody stated": ("integration.constraint_added:lunch",),
    "a buffer that nobody stated": ("integration.constraint_added:buffer",),
    "a buffer around events that nobody asked for": ("integration.constraint_added:policy",),
    "a buffer that nobody asked for": ("integration.constraint_added:policy",),
    "the former value of the text": (),
    "the unrelated figure of the text": (),
    "the superseded edition read instead": (),
    "an ignored amendment": (),
    "an older message taken for the newer one": (),
    "the statements of that message": (),
    "statements of another meeting's thread": (
        "integration.ranking:latest_first",
        "integration.ranking:earliest_first",
    ),
    "the times of one calendar shifted": ("integration.value_wrong:clock",),
    "one seat": ("integration.value_wrong:capacity",),
}
"""Reasons that say what agents of the kit accept in words."""


CORRECTED: Final[dict[str, tuple[str, ...]]] = {
    # asks for the earliest where the latest are wanted; its reason names the opposite
    "k3-c-earliest-and-deadline": ("integration.ranking:earliest_first",),
}
"""Reasons that say what the code of an agent does, where its own say something else."""

ALSO: Final[dict[str, tuple[str, ...]]] = {
    # counts the seats as if nobody had been added or removed
    "k3-seats-of-first-list": (
        "integration.constraint_added:participant",
        "integration.constraint_omitted:participant",
    ),
    # what `k3-buffer-of-one`, the same slip by itself, accepts
    "k3-c-long-length-buffer-one": ("integration.record_overlooked",),
}
"""Reasons that are acceptable by the code of an agent, beside its own."""

ANY_RECORD: Final = frozenset(
    {
        # drop or change events in every calendar, but note the calendar that they changed last
        "k3-ends-rounded-down",
        "k3-half-hour-view",
        "k3-small-gaps-closed",
        "k3-long-events-ignored",
        "k3-private-events-ignored",
        "k3-series-once",
        "k3-c-rounding-and-buffer",
        "k3-c-short-events-and-day",
        # drops all bans but the last, but notes the record of the last
        "k3-bans-last-only",
        # notes the thread of the first list; whoever is added or removed is so in another
        "k3-seats-of-first-list",
        # notes the record of one of its two slips
        "k3-c-earliest-and-deadline",
    }
)
"""Agents whose slip concerns more records than the one that they note."""


def expected_of_agent(agent: FlawedAgent, world: World) -> Expected:
    """What a diagnosis should say of the last episode of an agent of the kit."""
    right = (*agent.reasons, *RIGHT.get(agent.name, ()), *CORRECTED.get(agent.name, ()))
    acceptable = [reason for one in agent.acceptable for reason in WORDS.get(one, (one,))]
    record = None if agent.name in ANY_RECORD else _record(agent.slip or {}, world)
    return Expected(right, (*acceptable, *ALSO.get(agent.name, ())), record)


def _record(slip: dict[str, Any], world: World) -> str | None:
    """The record of a slip; of a calendar that was never read, the agent knows the owner's name only."""
    if "record" not in slip and "person" in slip:
        found = [f"calendar:{person.person_id}" for person in world.people if person.name == slip["person"]]
        return found[0] if len(found) == 1 else None
    record: str | None = slip.get("record")
    return record
