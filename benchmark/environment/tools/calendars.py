"""The calendar source: people's busy events."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from operator import attrgetter
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from mpcbench.benchmark.environment.tools.results import as_json, local, unknown
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult
from mpcbench.schema import Event, Period, Person

DAYS_OF_A_WEEK = 7
LONGEST_SPAN_DAYS = 31


def _only_text(value: Any) -> Any:
    # Pydantic would accept a number as seconds since 1970.
    if not isinstance(value, str):
        msg = "should be a date like 2027-02-01"
        raise ValueError(msg)  # noqa: TRY004 - pydantic turns only ValueError into its own error
    return value


LocalDate = Annotated[date, BeforeValidator(_only_text)]


def get_week_calendar(
    sources: Sources,
    keyword: Annotated[str, Field(description="The person's full name or person ID.")],
    date: Annotated[LocalDate, Field(description="The first of the seven days, YYYY-MM-DD.")],
) -> ToolResult:
    """One person's busy events of the seven days that begin on a date.

    JSON: the person, the first and the last of the seven days, and the busy events that touch them, by start.
    Times are local to the organisation's time zone; a person is free whenever no event is listed.
    """
    person = person_named(sources, keyword)
    last = _last_day(date, DAYS_OF_A_WEEK)
    return _calendar(sources, person, date, last, with_ids=False)


def get_calendar_by_name(
    sources: Sources,
    person: Annotated[str, Field(description="The person's full name.")],
    start_date: Annotated[LocalDate, Field(description="The first day, YYYY-MM-DD.")],
    end_date: Annotated[LocalDate, Field(description="The last day (included), at most 31 days in all.")],
) -> ToolResult:
    """One person's busy events from a first to a last day, both included.

    JSON, by start. Events that only touch the span are listed whole. Times are local to the organisation's time
    zone; a person is free whenever no event is listed.
    """
    return _calendar(sources, person_named(sources, person), start_date, end_date)


def get_calendar_by_id(
    sources: Sources,
    person_id: Annotated[str, Field(description="The person ID as the people directory shows it, such as p001.")],
    start_date: Annotated[LocalDate, Field(description="The first day, YYYY-MM-DD.")],
    end_date: Annotated[LocalDate, Field(description="The last day (included), at most 31 days in all.")],
) -> ToolResult:
    """One person's own busy events from a first to a last day, both included.

    JSON, by start. Events that only touch the span are listed whole. Times are local to the organisation's time
    zone; a person is free whenever no event is listed. Takes a person ID: look it up in the people directory.
    """
    person = sources.world.person_by_id.get(person_id.strip().lower())
    if person is None:
        raise ToolError(f"no person ID {person_id!r}: look the ID up with search_people")
    # Without the name, which would make the directory superfluous: calendars could be tried one by one.
    return _calendar(sources, person, start_date, end_date, with_name=False)


def person_named(sources: Sources, name: str) -> Person:
    """The person with a full name or person ID; raises `ToolError` if there are none or several."""
    wanted = " ".join(name.casefold().split())
    found = [person for person in sources.world.people if wanted in (person.name.casefold(), person.person_id)]
    if not found:
        raise unknown("person", name, (person.name for person in sources.world.people), "give the full name")
    if len(found) > 1:
        choices = ", ".join(f"{person.person_id} ({person.team})" for person in found)
        raise ToolError(f"several people are called {name!r}: give the person ID, one of {choices}")
    return found[0]


def events_between(sources: Sources, events: Sequence[Event], first: date, last: date) -> list[Event]:
    """The events that touch the local days from first to last, both included.

    Args:
        sources: Gives the zone and the period.
        events: Sorted by start.
        first: The first local day.
        last: The last local day.

    Raises:
        ToolError: the span is reversed, too long or outside the period.
    """
    start, end = span_of_days(sources.world.period, sources.world.zone, first, last)
    before = bisect_left(events, end, key=attrgetter("start"))
    return [event for event in events[:before] if start < event.end]


def span_of_days(period: Period, zone: tzinfo, first: date, last: date) -> tuple[datetime, datetime]:
    """The instants in UTC at which the local days from first to last begin and end.

    Raises:
        ToolError: the span is reversed, too long or outside the period.
    """
    period_first = period.start.astimezone(zone).date()
    period_last = (period.end - timedelta(minutes=1)).astimezone(zone).date()
    if last < first:
        raise ToolError(f"end_date {last} is before start_date {first}")
    if (last - first).days >= LONGEST_SPAN_DAYS:
        raise ToolError(f"{first} to {last} is more than {LONGEST_SPAN_DAYS} days: ask for less at a time")
    if last < period_first or first > period_last:
        raise ToolError(f"nothing is recorded from {first} to {last}: calendars cover {period_first} to {period_last}")
    # In UTC, like the events: comparing thousands of datetimes across two zones is slow.
    start = datetime.combine(first, time(), zone).astimezone(UTC)
    end = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    return start, end


def events_json(sources: Sources, events: Iterable[Event], *, with_ids: bool = True) -> list[dict[str, str]]:
    """Events for a JSON result."""
    return [
        ({"event_id": event.event_id} if with_ids else {})
        | {"title": event.title, "start": local(event.start, sources), "end": local(event.end, sources)}
        for event in events
    ]


def _last_day(first: date, days: int) -> date:
    try:
        return first + timedelta(days=days - 1)
    except OverflowError:
        raise ToolError(f"no calendar reaches to {first}") from None


def _calendar(
    sources: Sources, person: Person, first: date, last: date, *, with_ids: bool = True, with_name: bool = True
) -> ToolResult:
    events = events_between(sources, sources.world.events_by_person.get(person.person_id, ()), first, last)
    content = {
        "person_id": person.person_id,
        **({"name": person.name} if with_name else {}),
        "first_day": str(first),
        "last_day": str(last),
        "time_zone": sources.world.timezone,
        "busy": events_json(sources, events, with_ids=with_ids),
    }
    return ToolResult(as_json(content), (f"calendar:{person.person_id}",))
