"""What the agents of kit 3 share. Only the declared interface of the kit is used: FlawedAgent through `flawed`, Mind, Plan."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

from mpcbench.benchmark.agents.reference.acquire import suitable_rooms
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Kind
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import Moment, instant
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan, flawed

__all__ = [
    "Busy",
    "Facts",
    "InsideHours",
    "Kind",
    "Mind",
    "Option",
    "OutsideHours",
    "Pause",
    "Plan",
    "RoomPause",
    "Stage",
    "choose",
    "suitable_rooms",
]

INTEGRATION = "integration."
OMITTED = "integration.constraint_omitted"
ADDED = "integration.constraint_added"
VALUE = "integration.value_wrong"
SLIP = "integration.candidate_slip"
HABIT = "integration.habit"
RANKING = "integration.ranking"
COUNT = "integration.count"
MISREAD = "integration.record_misread"
OVERLOOKED = "integration.record_overlooked"
NEVER_SEEN = "acquisition.record_never_seen"
IN_PART = "acquisition.record_seen_in_part"
BROKEN = "observed.condition_broken"
PASSED = "observed.passed_over"
ONE_WRONG = "observed.one_wrong"
NUMBER = "observed.wrong_number"


def agent(
    name: str,
    description: str,
    reasons: Iterable[str],
    acceptable: Iterable[str] = (),
    *,
    levels: tuple[int, ...] = (1, 2, 3),
    stage: Stage = Stage.INTEGRATION,
    **steps: Callable[..., Any],
) -> FlawedAgent:
    """A flawed agent; `reasons` are right, each by itself, and `acceptable` are no mistake of the diagnosis."""
    return flawed(
        f"k3-{name}",
        description,
        Plan(**steps),
        tuple(reasons),
        *acceptable,
        lead="What went wrong",
        stage=stage,
        levels=levels,
    )


def asked(facts: Facts, **changes: Any) -> Facts:
    """The facts with a changed request."""
    return replace(facts, request=replace(facts.request, **changes))


def everything(facts: Facts) -> list[Option]:
    """Every feasible option in the order of the ranking."""
    return choose(asked(facts, count=100_000))


def local(minutes: int, zone: tzinfo) -> datetime:
    """An instant on the wall clock."""
    return datetime.fromtimestamp(minutes * 60, zone)


def at(moment: Moment, zone: tzinfo) -> int:
    """A wall-clock moment in minutes since 1970-01-01 UTC."""
    return int(instant(moment, zone).timestamp()) // 60


def minute_of(moment: datetime) -> int:
    """Minutes since 1970-01-01 UTC."""
    return int(moment.timestamp()) // 60


def moved(option: Option, minutes: int) -> Option:
    """An option moved on the wall clock."""
    shift = timedelta(minutes=minutes)
    return option._replace(start=option.start + shift, end=option.end + shift)


def policy_record(facts: Facts) -> str | None:
    """The record of the policy, if only one applies."""
    ids = {call.policy_id for call in facts.request.policies}
    return f"policy:{ids.pop()}" if len(ids) == 1 else None


def rules_changed(mind: Mind, facts: Facts, change: Callable[[Rule], Rule | None]) -> Facts:
    """The facts with rules changed or, for None, left out; notes the slip if one is."""
    rules = [change(rule) for rule in facts.rules]
    if rules != list(facts.rules):
        record = policy_record(facts)
        mind.note(**({"record": record} if record else {}), right=str(facts.rules), used=str(rules))
    return replace(facts, rules=[rule for rule in rules if rule is not None])


def owner_record(mind: Mind, owner: str) -> dict[str, str]:
    """The record of a calendar for a note, if it is known."""
    record = mind.calendar_record(owner)
    return {"record": record} if record else {}


def events_changed(mind: Mind, facts: Facts, change: Callable[[str, list[Busy]], list[Busy]]) -> Facts:
    """The facts with calendars changed; notes the first calendar that is."""
    calendars = {}
    for owner, events in facts.calendars.items():
        calendars[owner] = change(owner, list(events))
        if sorted(calendars[owner]) != sorted(events):
            mind.note(**owner_record(mind, owner), right=len(events), used=len(calendars[owner]))
    return replace(facts, calendars=calendars)


def bookings_changed(mind: Mind, facts: Facts, change: Callable[[str, list[Busy]], list[Busy]]) -> Facts:
    """The facts with bookings changed; notes the rooms."""
    bookings = {}
    for room, events in facts.bookings.items():
        bookings[room] = change(room, list(events))
        if sorted(bookings[room]) != sorted(events):
            mind.note(room=room, right=len(events), used=len(bookings[room]))
    return replace(facts, bookings=bookings)
