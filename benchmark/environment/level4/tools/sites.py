"""The sites of the organisation and the public holidays of their countries."""

from typing import Annotated

from pydantic import Field

from mpcbench.benchmark.environment.level4.pages import Block, Name, list_page, text_page
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.tools.people import role_lines
from mpcbench.benchmark.environment.tools.policies import WEEKDAYS
from mpcbench.benchmark.environment.tools.results import PageNumber, unknown
from mpcbench.benchmark.environment.tools.toolbox import ToolResult


def list_sites(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The names of the organisation's sites, 20 a page. JSON."""
    return list_page("sites", [{"site": site.site} for site in records.world.sites], page)


def get_site(
    records: LadderRecords, site: Annotated[Name, Field(description="A site's name.")], page: PageNumber = 1
) -> ToolResult:
    """The page of a site as text: its country, its time zone, and the usual opening hours of its building."""
    office = records.sites.get(site.strip().casefold())
    if office is None:
        names = [one.site for one in records.world.sites]
        raise unknown("site", site, names, f"the sites are {', '.join(names)}")
    record = f"site:{office.site}"
    hours = [
        f"- {hours.start} to {hours.end} on {', '.join(WEEKDAYS[day] for day in sorted(set(hours.days)))}"
        for hours in office.opening
    ]
    lines = [
        f"Country: {office.country}",
        f"Time zone: {office.timezone}",
        "The building is usually open, local time:" if hours else "The building is usually not open.",
        *hours,
        *role_lines(records, record),
    ]
    return text_page(f"Site {office.site}", [Block("\n".join(lines), (record,))], page)


def list_public_holidays(
    records: LadderRecords,
    country: Annotated[Name, Field(description="A country as the pages of the sites show it.")],
    page: PageNumber = 1,
) -> ToolResult:
    """The public holidays of one country as text, by date; each lasts the whole local day."""
    for calendar in records.world.holidays:
        if calendar.country.casefold() == country.strip().casefold():
            break
    else:
        known = sorted(calendar.country for calendar in records.world.holidays)
        raise unknown("country", country, known, f"the countries are {', '.join(known)}")
    record = f"holidays:{calendar.country}"
    days = sorted(calendar.days, key=lambda holiday: (holiday.day, holiday.name))
    blocks = [Block(f"{holiday.day:%a} {holiday.day} {holiday.name}", (record,)) for holiday in days]
    heading = f"Public holidays of {calendar.country}, {len(days)} in all"
    return text_page(heading, blocks or [Block("none", (record,))], page)
