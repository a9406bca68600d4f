"""Two flaws of the other modules in one agent."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan, answer_text
from unit_tests.validity.kit.fourth import (
    attendance,
    entries,
    fetching,
    moments,
    places,
    remarks,
    rules,
    tables,
    times,
    writing,
)

SINGLE: Final = {
    agent.name.removeprefix("k5-"): agent
    for module in (entries, tables, writing, times, places, fetching, moments, rules, attendance, remarks)
    for agent in module.AGENTS
}
"""The agents with one flaw, by name without the prefix."""

_PAIRS: Final = (
    ("event-day-before", "three-always"),
    ("event-day-before", "line-next-best"),
    ("day-of-events-lost", "quarter-kept-free"),
    ("day-of-events-lost", "work-hours-end-late"),
    ("event-before-noon", "line-hour-late"),
    ("event-lasts-one-hour", "one-to-spare"),
    ("last-event-of-day-lost", "no-mondays"),
    ("same-title-lost", "line-lost"),
    ("booking-week-late", "largest-room"),
    ("booking-of-neighbour", "guests-unseated"),
    ("room-left-out", "rooms-turned-round"),
    ("seats-of-one-room", "line-room-of-above"),
    ("equipment-of-one-room", "daily-hours-minus-ten"),
    ("line-week-early", "full-hours-only"),
    ("line-day-of-above", "none-overlap"),
    ("line-quarters-mixed-up", "weekdays-from-sunday"),
    ("line-room-digits", "two-a-day"),
    ("line-twice", "touching-overlaps"),
    ("line-end-of-next", "window-without-last-day"),
    ("mornings-only", "length-of-an-hour"),
    ("nine-to-five", "order-turned-round"),
    ("hour-between", "buffer-before-only"),
    ("one-room-a-time", "guests-only-seated"),
    ("each-room-once", "blocks-lost"),
    ("late-on-each-day", "length-without-quarter"),
    ("full-hours-first", "daily-hours-lost"),
    ("times-counted", "not-before-its-day"),
    ("whole-times", "first-length"),
    ("stops-after-a-week", "calendar-used-twice"),
    ("noon-kept-free", "one-to-spare"),
    ("no-second-search", "largest-room"),
    ("calendars-of-one-week", "one-to-spare"),
    ("calendars-of-one-week", "work-hours-end-late"),
    ("rooms-of-first-page", "equipment-first-piece"),
    ("policy-from-memory", "failed-call-is-free"),
    ("two-calendars-only", "line-hour-late"),
    ("first-length", "joiner-missed"),
    ("neighbour-length", "none-overlap"),
    ("run-taken-for-pair", "daily-hours-lost"),
    ("leaver-attends", "equipment-first-piece"),
)
_STEPS_IN_A_ROW: Final = ("messages", "heard", "request", "facts")
_STAGES: Final = tuple(Stage)

Step = Callable[..., Any]


def _in_a_row(first: Step, second: Step) -> Step:
    return lambda mind, value: second(mind, first(mind, value))


def _options_in_a_row(first: Step, second: Step) -> Step:
    return lambda mind, facts, options: second(mind, facts, first(mind, facts, options))


def _text(mind: Mind, options: Sequence[Option]) -> str:
    """The answer; of two slips, the record of one is not that of the failure."""
    slip = mind.slip or {}
    mind.slip = {name: value for name, value in slip.items() if name not in ("record", "person")} or None
    return answer_text(mind, options)


def _both(first: Plan, second: Plan) -> Plan:
    steps: dict[str, Step] = {"text": _text}
    for one in fields(Plan):
        own = [step for plan in (first, second) if (step := getattr(plan, one.name)) is not None]
        if len(own) == 2:
            assert one.name in (*_STEPS_IN_A_ROW, "options"), f"both flaws replace the step {one.name}"
            steps[one.name] = (_options_in_a_row if one.name == "options" else _in_a_row)(*own)
        elif own:
            steps[one.name] = own[0]
    return replace(Plan(), **steps)


def _pair(first: FlawedAgent, second: FlawedAgent) -> FlawedAgent:
    own, other = (one.name.removeprefix("k5-") for one in (first, second))
    return FlawedAgent(
        name=f"k5-{own}-and-{other}",
        description=f"{first.description}; {second.description[0].lower()}{second.description[1:]}",
        stage=min(first.stage, second.stage, key=_STAGES.index),
        expected=f"Either flaw, or both: {first.expected} And: {second.expected}",
        reasons=tuple(dict.fromkeys((*first.reasons, *second.reasons))),
        acceptable=tuple(dict.fromkeys((*first.acceptable, *second.acceptable))),
        plan=_both(first.plan, second.plan),
        levels=tuple(level for level in first.levels if level in second.levels),
        follows_up=first.follows_up and second.follows_up,
    )


AGENTS: Final = tuple(_pair(SINGLE[first], SINGLE[second]) for first, second in _PAIRS)
