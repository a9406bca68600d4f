"""Agents with two flaws at once, each taken from another module of this kit."""

from typing import Final

from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.third import calendars, fetching, picking, policies, rooms, talk, timing, writing
from unit_tests.validity.kit.third.steps import merged

_SINGLE: Final = {
    agent.name: agent
    for module in (timing, calendars, policies, rooms, talk, fetching, picking, writing)
    for agent in module.AGENTS
}


def _pair(first_name: str, second_name: str) -> FlawedAgent:
    """Both flaws; each of the reasons names one of them."""
    first, second = _SINGLE[first_name], _SINGLE[second_name]
    reasons = tuple(dict.fromkeys((*first.reasons, *second.reasons)))
    description = f"{first.description} {second.description}"
    return FlawedAgent(
        name=f"{first_name}+{second_name.removeprefix('k4-')}",
        description=description,
        stage=Stage.ACQUISITION if Stage.ACQUISITION in {first.stage, second.stage} else Stage.INTEGRATION,
        expected=f"Either slip or both: {first.expected} {second.expected}",
        reasons=reasons,
        acceptable=tuple(one for one in dict.fromkeys((*first.acceptable, *second.acceptable)) if one not in reasons),
        plan=merged(first.plan, second.plan),
        levels=tuple(level for level in first.levels if level in second.levels),
        follows_up=first.follows_up and second.follows_up,
    )


AGENTS = (
    # a value and a habit of choosing
    _pair("k4-window-from-monday", "k4-lunch-kept-free"),
    _pair("k4-afternoon-limit-as-morning", "k4-every-other-start"),
    _pair("k4-last-weekday-lost", "k4-two-a-day"),
    _pair("k4-work-week-assumed", "k4-home-at-five"),
    _pair("k4-length-unamended", "k4-sundays-kept-free"),
    _pair("k4-buffer-before-next-only", "k4-lunch-kept-free"),
    # two values
    _pair("k4-limits-without-times", "k4-guests-taken-for-all-heads"),
    _pair("k4-daily-end-two-hours-early", "k4-work-end-hour-late"),
    _pair("k4-usual-lunch", "k4-descending-lost"),
    _pair("k4-guests-unamended", "k4-length-unamended"),
    _pair("k4-one-seat-spare", "k4-turnaround-before-only"),
    # records and something else
    _pair("k4-stand-ups-movable", "k4-last-of-five-lost"),
    _pair("k4-weekend-events-free", "k4-earliest-start-next-week"),
    _pair("k4-events-rounded-inwards", "k4-work-end-hour-late"),
    _pair("k4-follower-lost", "k4-second-key-lost"),
    _pair("k4-private-events-free", "k4-own-buffer"),
    _pair("k4-first-booking-of-day", "k4-smallest-room-first"),
    _pair("k4-calendar-copied", "k4-one-room-per-start"),
    # what was said, and who attends
    _pair("k4-leaver-still-there", "k4-equipment-any"),
    _pair("k4-joiner-forgotten", "k4-second-limit-ignored"),
    _pair("k4-writers-attend", "k4-top-three"),
    # a record that was not fetched and a flaw in what follows
    _pair("k4-calendars-of-one-month", "k4-second-skipped"),
    _pair("k4-bookings-of-one-week", "k4-second-key-lost"),
    _pair("k4-first-namesake", "k4-rooms-moved-up"),
    _pair("k4-full-name-only", "k4-home-at-five"),
)
"""The agents of this module."""
