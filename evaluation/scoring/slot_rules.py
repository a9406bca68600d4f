"""Which conditions on the slot a proposal breaks: duration, grid, window and the problem's constraints."""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta

from pydantic import JsonValue

from mpcbench.evaluation.scoring.resolved import (
    BrokenConstraint,
    ResolvedInstance,
    TitledSpan,
    duration,
    minutes_covered,
)
from mpcbench.evaluation.scoring.rule_text import limit_text, rule_values, span_values
from mpcbench.evaluation.scoring.score import Proposal
from mpcbench.evaluation.scoring.time_text import hours_text, local_interval, local_time
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.local_time import GRID_MINUTES, daily_spans
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    StartsFrom,
)
from mpcbench.schema import Duration, Window
from mpcbench.schema.model import MINUTES_PER_DAY

_FAR = 31 * MINUTES_PER_DAY
_LONGEST_DATE = 2 * MINUTES_PER_DAY
_LISTED = 5  # events that a message names


def broken_by_slot(case: ResolvedInstance, proposal: Proposal) -> Iterator[BrokenConstraint]:
    """Every condition on the slot that the proposal breaks; none if and only if its start is one of the oracle's.

    A slot that ends before it starts or lies months away from the window is not compared with the calendars.
    """
    problem, zone = case.problem, case.problem.zone
    lasts = duration(proposal)
    if lasts != timedelta(minutes=problem.duration):
        yield BrokenConstraint(
            "duration",
            f"{_length(lasts)}, where {problem.duration} minutes are asked for",
            case.last_record(Duration),
            {"minutes": lasts / timedelta(minutes=1), "required": problem.duration},
        )
    local = proposal.start.astimezone(zone)
    if local.minute % GRID_MINUTES or local.second or local.microsecond:
        yield BrokenConstraint(
            "off_grid",
            f"starts at {local_time(local, zone)}, not at :00, :15, :30 or :45",
            (),
            {"start": local.isoformat()},
        )
    if lasts <= timedelta(0):
        return
    span = minutes_covered(proposal)
    yield from _outside_window(case, span)
    if problem.window.widened(_FAR).contains(span):
        for constraint in problem.constraints:
            yield from _broken(case, constraint, span)


def _outside_window(case: ResolvedInstance, span: Interval) -> Iterator[BrokenConstraint]:
    problem, zone = case.problem, case.problem.zone
    if not problem.window.contains(span):
        yield BrokenConstraint(
            "window",
            f"does not lie inside the window {local_interval(problem.window, zone)}",
            case.last_record(Window),
            span_values(problem.window, zone),
        )
    if problem.daily is not None and not _inside_hours(case, span, *problem.daily, range(7)):
        yield BrokenConstraint(
            "daily_hours",
            f"does not lie inside the window's daily hours {hours_text(*problem.daily)}",
            case.last_record(Window),
            {"hours": hours_text(*problem.daily)},
        )


def _broken(  # noqa: C901, PLR0912 - one case a rule
    case: ResolvedInstance, constraint: Constraint, span: Interval
) -> Iterator[BrokenConstraint]:
    match constraint.rule:
        case Busy(person_id=person_id):
            hit = [event for event in case.busy[person_id] if event.span.overlaps(span)]
            if hit:
                values: dict[str, JsonValue] = {"events": _values(case, hit)}
                yield BrokenConstraint(constraint.kind, f"overlaps {_named(case, hit)}", constraint.records, values)
        case Buffer(minutes=minutes):
            yield from _too_near(case, constraint, minutes, span)
        case InsideHours(start=start, end=end, days=days):
            if not _inside_hours(case, span, start, end, days):
                yield _beyond(case, constraint, "does not lie inside", _hours_values(start, end, days))
        case OutsideHours(start=start, end=end, days=days):
            if any(part.overlaps(span) for part in _daily(case, span, start, end, days)):
                yield _beyond(case, constraint, "overlaps", _hours_values(start, end, days))
        case Inside(spans=spans):
            if not any(allowed.contains(span) for allowed in spans):
                yield _beyond(case, constraint, "does not lie inside")
        case Outside(span=banned):
            if banned.overlaps(span):
                yield _beyond(case, constraint, "overlaps the banned span")
        case StartsFrom(instant=instant):
            if span.start < instant:
                yield _beyond(case, constraint, "starts before")
        case EndsBy(instant=instant):
            if span.end > instant:
                yield _beyond(case, constraint, "ends after the deadline")


def _beyond(
    case: ResolvedInstance, constraint: Constraint, what: str, values: dict[str, JsonValue] | None = None
) -> BrokenConstraint:
    """What the candidate does with the constraint's limit."""
    zone = case.problem.zone
    return BrokenConstraint(
        constraint.kind,
        f"{what} {limit_text(constraint.rule, zone)}{case.awaited(constraint)}",
        constraint.records,
        rule_values(constraint.rule, zone) if values is None else values,
    )


def _too_near(
    case: ResolvedInstance, constraint: Constraint, minutes: int, span: Interval
) -> Iterator[BrokenConstraint]:
    near = [event for events in case.busy.values() for event in events if event.span.widened(minutes).overlaps(span)]
    if near:
        near.sort(key=lambda event: (event.gap_to(span), event.span, event.owner))
        owners = dict.fromkeys(event.owner for event in near)
        yield BrokenConstraint(
            constraint.kind,
            f"leaves {near[0].gap_to(span)} minutes to {_named(case, near)}, where {minutes} are asked for",
            (*constraint.records, *owners),
            {"minutes": minutes, "gap": near[0].gap_to(span), "events": _values(case, near)},
        )


def _inside_hours(case: ResolvedInstance, span: Interval, start: int, end: int, days: Collection[int]) -> bool:
    return span.end - span.start <= _LONGEST_DATE and any(
        part.contains(span) for part in _daily(case, span, start, end, days)
    )


def _daily(case: ResolvedInstance, span: Interval, start: int, end: int, days: Collection[int]) -> Iterator[Interval]:
    # Two days around the slot, so that no date near it is cut.
    return daily_spans(span.widened(2 * MINUTES_PER_DAY), case.problem.zone, start, end, frozenset(days))


def _named(case: ResolvedInstance, events: list[TitledSpan]) -> str:
    more = f" and {len(events) - _LISTED} more" if len(events) > _LISTED else ""
    return ", ".join(event.text(case.problem.zone) for event in events[:_LISTED]) + more


def _values(case: ResolvedInstance, events: Iterable[TitledSpan]) -> list[JsonValue]:
    return [event.values(case.problem.zone) for event in events]


def _hours_values(start: int, end: int, days: Collection[int]) -> dict[str, JsonValue]:
    return {"hours": hours_text(start, end), "days": [*sorted(set(days))]}


def _length(time: timedelta) -> str:
    if time <= timedelta(0):
        return "does not end after it starts"
    return f"lasts {time / timedelta(minutes=1):.10g} minutes"
