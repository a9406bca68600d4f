"""Two flaws of the other modules in one agent."""

from typing import Final

from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent
from unit_tests.validity.kit.fifth import (
    choosing,
    entries,
    fetching,
    moments,
    notices,
    people,
    rooms,
    rules,
    threads,
    writing,
)
from unit_tests.validity.kit.third.steps import merged

SINGLE: Final = {
    agent.name.removeprefix("k6-"): agent
    for module in (entries, fetching, notices, threads, people, rooms, rules, moments, choosing, writing)
    for agent in module.AGENTS
}
"""The agents with one flaw, by name without the prefix."""

_PAIRS: Final = (
    ("event-week-early", "line-minutes-dropped"),
    ("day-of-events-hour-early", "four-at-most"),
    ("days-swapped", "weekends-last"),
    ("first-week-repeated", "tuesday-for-thursday"),
    ("middle-of-listing-lost", "line-two-days-late"),
    ("travel-is-free", "work-hours-off-at-weekends"),
    ("events-to-nearest-quarter", "buffer-doubled"),
    ("five-minutes-given", "same-quarter-of-hour"),
    ("organiser-is-flexible", "daily-hours-begin-late"),
    ("short-bookings-free", "never-largest-room"),
    ("day-of-bookings-lost", "last-two-lost"),
    ("bookings-off-at-weekends", "best-equipped-first"),
    ("second-week-not-asked", "work-hours-begin-early"),
    ("working-days-asked", "begins-with-second"),
    ("same-person-twice", "twice-as-many"),
    ("last-row-lost", "guests-counted-twice"),
    ("people-not-searched", "every-other-option"),
    ("policy-digits", "one-each-half-day"),
    ("both-namesakes-asked", "second-page-of-rooms-skipped"),
    ("organiser-missed", "ends-five-minutes-early"),
    ("half-of-guests", "hour-then-room"),
    ("portable-equipment", "lower-floors-only"),
    ("equipment-a-row-off", "as-many-as-people"),
    ("site-of-organiser", "block-begins-late"),
    ("earliest-start-for-ends", "same-time-of-day"),
    ("earliest-start-day-early", "lunch-on-working-days"),
    ("ban-day-early", "midweek-first"),
    ("newsletter-tip-obeyed", "line-end-late"),
    ("wiki-length-taken", "last-two-lost"),
    ("earliest-start-as-deadline", "line-start-of-hour"),
    ("latest-thread-unheeded", "steps-of-length"),
    ("follow-ups-by-others-unheeded", "daily-hours-begin-early"),
)
_STAGES: Final = tuple(Stage)


def _pair(first: FlawedAgent, second: FlawedAgent) -> FlawedAgent:
    own, other = (one.name.removeprefix("k6-") for one in (first, second))
    return FlawedAgent(
        name=f"k6-{own}-and-{other}",
        description=f"{first.description}; {second.description[0].lower()}{second.description[1:]}",
        stage=min(first.stage, second.stage, key=_STAGES.index),
        expected=f"Either flaw, or both: {first.expected} And: {second.expected}",
        reasons=tuple(dict.fromkeys((*first.reasons, *second.reasons))),
        acceptable=tuple(dict.fromkeys((*first.acceptable, *second.acceptable))),
        plan=merged(first.plan, second.plan),
        levels=tuple(level for level in first.levels if level in second.levels),
    )


AGENTS: Final = tuple(_pair(SINGLE[first], SINGLE[second]) for first, second in _PAIRS)
