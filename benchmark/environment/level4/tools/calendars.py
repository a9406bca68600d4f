"""The calendars of people and of teams."""

from collections.abc import Sequence
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from mpcbench.benchmark.environment.level4.entries import entries_between, entry_json
from mpcbench.benchmark.environment.level4.pages import Name, one_page, packed, unknown_id
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.tools.people import person_of
from mpcbench.benchmark.environment.tools.calendars import LocalDate, span_of_days
from mpcbench.benchmark.environment.tools.results import PageNumber, as_json
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.level4.calendar import Entry

FirstDay = Annotated[LocalDate, Field(description="The first day, YYYY-MM-DD.")]
LastDay = Annotated[LocalDate, Field(description="The last day (included), at most 31 days in all.")]


def get_calendar(
    records: LadderRecords,
    person_id: Annotated[Name, Field(description="The person ID as the directory shows it, such as p001.")],
    start_date: FirstDay,
    end_date: LastDay,
    page: PageNumber = 1,
) -> ToolResult:
    """One person's calendar from a first to a last day, both included, in the time zone of the person's site.

    JSON, by start: each entry's title, unless it is private, its state, and when it starts and ends. A recurring entry
    is listed once if the days from its first_day to its last_day touch those asked for. It takes place on every date of
    its rule from first_day to last_day, at its time in its time_zone and for its minutes. Every so many days, weeks
    (Monday to Sunday) or months are counted from those of first_day. It does not take place on the dates in not_on; the
    occurrences of the dates in moved take place at other times, perhaps in another state.
    """
    person = person_of(records, person_id)
    zone = records.zone_at(person.site)
    first, last = span_of_days(records.world.period, zone, start_date, end_date)
    calendar = records.calendars.get(person.person_id)
    entries = () if calendar is None else entries_between(calendar.entries, first, last)
    shown = () if calendar is None else (f"calendar:{person.person_id}",)
    # Without the name, which would make the directory superfluous: calendars could be tried one by one.
    about = {"person_id": person.person_id, "first_day": str(start_date), "last_day": str(end_date)}
    return _calendar(about, entries, zone, page, shown)


def get_team_calendar(
    records: LadderRecords,
    team_id: Annotated[Name, Field(description="A team ID such as TEAM-01.")],
    start_date: FirstDay,
    end_date: LastDay,
    page: PageNumber = 1,
) -> ToolResult:
    """A team's shared calendar from a first to a last day, both included, in the organisation's time zone.

    JSON, in the form of people's calendars.
    """
    team = records.teams.get(team_id.strip().upper())
    if team is None:
        raise unknown_id("team ID", team_id, "list_teams shows the team IDs")
    zone = records.world.zone
    first, last = span_of_days(records.world.period, zone, start_date, end_date)
    calendar = records.team_calendars.get(team.team_id)
    entries = () if calendar is None else entries_between(calendar.entries, first, last)
    shown = () if calendar is None else (f"team_calendar:{team.team_id}",)
    about = {"team_id": team.team_id, "first_day": str(start_date), "last_day": str(end_date)}
    return _calendar(about, entries, zone, page, shown)


def _calendar(
    about: dict[str, str], entries: Sequence[Entry], zone: ZoneInfo, page: int, shown: tuple[str, ...]
) -> ToolResult:
    pages = packed([entry_json(entry, zone) for entry in entries], lambda row: len(as_json(row)) + 2)
    content = about | {"page": page, "pages": len(pages), "entries": one_page(pages, page)}
    return ToolResult(as_json(content), shown)
