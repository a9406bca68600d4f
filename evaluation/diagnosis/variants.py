"""Other problems that an agent may have solved: of superseded values, of another week, of calendars read in part."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta, tzinfo

from pydantic import JsonValue

from evaluation.diagnosis.cause import Evidence, Reason, reason_text
from evaluation.diagnosis.change import Part, part
from evaluation.diagnosis.frame import Known, Spans
from evaluation.diagnosis.search import Variant
from evaluation.episode import ToolCall
from oracle import Problem, UnresolvedError, resolve
from oracle.interval import Interval, to_minutes, union
from oracle.problem import Constraint, StartsFrom
from oracle.resolve import Located, StatementKey, statements
from schema import (
    AddParticipant,
    Deadline,
    Duration,
    Equipment,
    Guests,
    Instance,
    NotBefore,
    OptionCount,
    Ranking,
    RemoveParticipant,
    Site,
    TieBreak,
    Window,
    World,
)
from schema.model import MINUTES_PER_DAY

_SCALARS = {
    Duration: "duration",
    OptionCount: "option_count",
    Window: "window",
    Guests: "guests",
    Deadline: "deadline",
    NotBefore: "not_before",
    Site: "site",
    Ranking: "order",
    TieBreak: "tie_break",
}
_DETAILS = {
    Duration: ("duration",),
    OptionCount: ("option_count", "too_few", "too_many"),
    Window: ("window", "week", "daily_hours"),
    Guests: ("guests", "capacity"),
    Equipment: ("equipment",),
    Site: ("site",),
    Ranking: ("order", "latest_first", "earliest_first"),
    TieBreak: ("tie_break",),
}
_WEEK = 7 * MINUTES_PER_DAY
_DAYS_OF_A_WEEK = 7


def variants(
    world: World, instance: Instance, problem: Problem, calls: Sequence[ToolCall] | None, required: Collection[str]
) -> list[Variant]:
    """The problem itself, then what it may have been taken for."""
    found = [Variant((), problem)]
    for mistake, unsaid in _overheard(statements(world, instance)):
        try:
            found.append(Variant((mistake,), resolve(world, instance, unsaid=unsaid)))
        except UnresolvedError:
            continue
    for weeks in (-1, 1):
        window = Interval(problem.window.start + weeks * _WEEK, problem.window.end + weeks * _WEEK)
        mistake = part(Reason.VALUE_WRONG, "week", weeks_late=weeks, far_fetched=True)
        found.append(Variant((mistake,), replace(problem, window=window)))
    if calls is not None:
        found += _read_in_part(world, problem, calls, required)
    return found


def _overheard(said: Sequence[Located]) -> Iterator[tuple[Part, Collection[StatementKey]]]:
    """Each way to overlook later messages, as the statements to leave out."""
    for kind, what in _SCALARS.items():
        keys = [item for item in said if isinstance(item.statement, kind)]
        for last in range(1, len(keys)):
            used, holds = keys[last - 1].statement, keys[-1].statement
            values = {"used": _value(used), "holds": _value(holds)}
            evidence = Evidence(record=_record(keys[-1]), values=values)
            yield Part(reason_text(Reason.VALUE_WRONG, what), (evidence,)), {item.key for item in keys[last:]}
    for item in said:
        if isinstance(item.statement, AddParticipant | RemoveParticipant):
            added = isinstance(item.statement, AddParticipant)
            reason = Reason.CONSTRAINT_OMITTED if added else Reason.CONSTRAINT_ADDED
            yield part(reason, "participant", f"calendar:{item.statement.person_id}", _record(item)), {item.key}


def stated(world: World, instance: Instance) -> dict[str, Evidence]:
    """Where the value of each parameter stands that no record of a constraint shows, by the detail of reasons."""
    found = {}
    for item in statements(world, instance):
        for detail in _DETAILS.get(type(item.statement), ()):
            found[detail] = Evidence(record=_record(item), values={"holds": _value(item.statement)})
    return found


def _record(item: Located) -> str:
    return "task" if item.key.thread is None else f"thread:{item.key.thread}"


def _value(statement: object) -> JsonValue:
    dumped: dict[str, JsonValue] = statement.model_dump(mode="json", exclude={"kind"})  # type: ignore[attr-defined]
    return dumped if len(dumped) > 1 else next(iter(dumped.values()))


def _read_in_part(
    world: World, problem: Problem, calls: Sequence[ToolCall], required: Collection[str]
) -> Iterator[Variant]:
    """The problem with only those events that the calls for some days of a calendar showed."""
    seen: dict[str, list[Interval]] = {}
    whole: set[str] = set()
    for call in calls:
        for record in call.records:
            if record.startswith(("calendar:", "room_calendar:")):
                days = _days(call.arguments, world.zone)
                if days is None:
                    whole.add(record)
                else:
                    seen.setdefault(record, []).append(days)
    partly = {
        record: spans
        for record, spans in seen.items()
        if record not in whole
        and (record in required or record.startswith("room_calendar:"))
        and not any(span.contains(problem.window) for span in union(spans))
    }
    kinds = [kind for kind in ("calendar", "room_calendar") if any(record.startswith(f"{kind}:") for record in partly)]
    for chosen in dict.fromkeys((*((kind,) for kind in kinds), *([tuple(kinds)] if kinds else []))):
        known = _Shown({record: union(spans) for record, spans in partly.items() if record.split(":")[0] in chosen})
        mistake = part(Reason.RECORD_SEEN_IN_PART, chosen[0], *known.records)
        constraints = tuple(item for item in problem.constraints if not _unknown_event(world, item, known))
        yield Variant((mistake,), replace(problem, constraints=constraints), known)


def _unknown_event(world: World, constraint: Constraint, known: Known) -> bool:
    """Whether a constraint waits for an event that the agent was not shown."""
    if constraint.kind != "after_event" or not isinstance(constraint.rule, StartsFrom):
        return False
    record = constraint.records[-1]
    events = world.busy[record.partition(":")[2]].intervals
    return all(event.end != constraint.rule.instant for event in known(record, events))


class _Shown:
    """Which events of some calendars the agent was shown: those that touch the days it asked for."""

    def __init__(self, days: Mapping[str, Sequence[Interval]]) -> None:
        self._days = days

    @property
    def records(self) -> list[str]:
        """The calendars of which some days are missing."""
        return sorted(self._days)

    def __call__(self, record: str, events: Spans) -> Spans:
        days = self._days.get(record)
        if days is None:
            return events
        return tuple(event for event in events if any(event.overlaps(one) for one in days))


def _days(arguments: object, zone: tzinfo) -> Interval | None:
    """The local days that a call asked for; None if it names none."""
    if not isinstance(arguments, dict):
        return None
    try:
        if "date" in arguments:
            first = date.fromisoformat(arguments["date"])
            last = first + timedelta(days=_DAYS_OF_A_WEEK - 1)
        else:
            first, last = (date.fromisoformat(arguments[name]) for name in ("start_date", "end_date"))
        return Interval(_midnight(first, zone), _midnight(last + timedelta(days=1), zone))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _midnight(day: date, zone: tzinfo) -> int:
    return to_minutes(datetime.combine(day, time(), zone))
