"""Flaws of integration: conditions that the agent reads but does not apply."""

from collections.abc import Callable
from typing import Final, TypeVar

from mpcbench.benchmark.agents.flawed.flaw import Defect, Flaw, asking, knowing
from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.schema.model import Level

_RECORDS: Final = {"busy": "event", "bookings": "booking"}

T = TypeVar("T")


def _no_busy(facts: Facts) -> None:
    facts.calendars[list(facts.calendars)[-1]] = []


def _no_rule(applies: Callable[[Rule], bool]) -> Callable[[Facts], None]:
    def edit(facts: Facts) -> None:
        facts.rules = [rule for rule in facts.rules if not applies(rule)]

    return edit


def _is_ban(rule: Rule) -> bool:
    """Whether the rule blocks a time on a single weekday; a lunch break has several."""
    return isinstance(rule, OutsideHours) and len(rule.weekdays) == 1


def _is_lunch(rule: Rule) -> bool:
    return isinstance(rule, OutsideHours) and len(rule.weekdays) > 1


def _no_events(facts: Facts) -> None:
    facts.after = []


def _no_bookings(facts: Facts) -> None:
    facts.bookings = {}


def _no_hours(request: Request) -> None:
    assert request.window is not None
    request.window = request.window._replace(hours=None)


def _no_seats(request: Request) -> None:
    request.guests = -len(request.people)


def _to(field: str, value: Callable[[], T]) -> Callable[[Request], None]:
    return lambda request: setattr(request, field, value())


def _omits(kind: str, what: str, defect: Defect, *levels: Level) -> Flaw:
    name = f"omits-{kind.removesuffix('_min').replace('_', '-')}"
    expected = [f"integration.constraint_omitted:{kind}"]
    if kind in _RECORDS:
        expected.append(f"integration.record_overlooked:{_RECORDS[kind]}")  # if only one of them matters
    return Flaw(name, f"Ignores {what}.", tuple(expected), defect, levels or (1, 2, 3))


FLAWS = (
    _omits("busy", "the busy events of the last participant", knowing(_no_busy)),
    _omits("buffer_min", "the buffer of a policy", knowing(_no_rule(lambda rule: isinstance(rule, Pause)))),
    _omits("work_hours", "the work hours of a policy", knowing(_no_rule(lambda rule: isinstance(rule, InsideHours)))),
    _omits("lunch_block", "the lunch break of a policy", knowing(_no_rule(_is_lunch))),
    _omits("ban_dow_time", "the weekly blocked time of a policy", knowing(_no_rule(_is_ban))),
    _omits("daily_hours", "the daily hours of the window", asking(_no_hours)),
    _omits("deadline", "the deadline", asking(_to("deadline", lambda: None)), 2, 3),
    _omits("not_before", "the earliest start", asking(_to("not_before", lambda: None)), 2, 3),
    _omits("ban_window", "the blocked times of the threads", asking(_to("bans", list)), 2, 3),
    _omits("required_window", "the times to which the threads restrict it", asking(_to("required", list)), 2, 3),
    _omits("after_event", "when the event is over that it waits for", knowing(_no_events), 3),
    _omits("guests", "the guests, and so looks for too few seats", asking(_to("guests", lambda: 0)), 3),
    _omits("capacity", "how many seats a room has", asking(_no_seats), 3),
    _omits("equipment", "the equipment asked for", asking(_to("equipment", list)), 3),
    _omits("site", "the site asked for", asking(_to("site", lambda: None)), 3),
    _omits("bookings", "the bookings of rooms", knowing(_no_bookings), 3),
    _omits(
        "room_turnaround",
        "the turnaround of a policy",
        knowing(_no_rule(lambda rule: isinstance(rule, RoomPause))),
        3,
    ),
)
"""One for each kind of condition."""
