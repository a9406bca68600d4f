"""The people directory, team pages and duty rosters."""

from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.level4.pages import (
    Block,
    Keyword,
    Name,
    list_page,
    one_page,
    packed,
    text_page,
    unknown_id,
)
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.search import wanted_words
from mpcbench.benchmark.environment.tools.results import PageNumber, as_json, page_of
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.level4.world import Colleague

PEOPLE_SIZE = 10


def search_people(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the directory of the organisation's own people by name, title, role, team or site; 10 a page.

    JSON: the directory entries of everybody who matches any of the words. Several people may have the same name: tell
    them apart by team, site or title.
    """
    found = records.people_index.find(wanted_words(keyword))
    rows, pages = page_of(found, page, PEOPLE_SIZE)
    content = {
        "total": len(found),
        "page": page,
        "pages": pages,
        "people": [_person(records, person) for person in rows],
    }
    return ToolResult(as_json(content), tuple(f"person:{person.person_id}" for person in rows))


def get_person(
    records: LadderRecords, person_id: Annotated[Name, Field(description="A person ID such as p001.")]
) -> ToolResult:
    """One person's entry in the directory: name, title, team, site, manager, whether a contractor. JSON."""
    person = person_of(records, person_id)
    return ToolResult(as_json(_person(records, person)), (f"person:{person.person_id}",))


def person_of(records: LadderRecords, person_id: str) -> Colleague:
    """The person of an ID; raises `ToolError` if there is none."""
    person = records.world.person_by_id.get(person_id.strip().lower())
    if person is None:
        raise unknown_id("person ID", person_id, "look the ID up with search_people")
    return person


def list_teams(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The teams of the line and of projects, by ID, 20 a page. JSON: IDs and names; a team's page has its members."""
    teams = sorted(records.world.teams, key=lambda team: team.team_id)
    rows = [{"team_id": team.team_id, "name": team.name} for team in teams]
    return list_page("teams", rows, page)


def get_team(
    records: LadderRecords,
    team_id: Annotated[Name, Field(description="A team ID such as TEAM-01.")],
    page: PageNumber = 1,
) -> ToolResult:
    """A team's page: its name, the roles that it names with their holders, and its members. JSON."""
    team = records.teams.get(team_id.strip().upper())
    if team is None:
        raise unknown_id("team ID", team_id, "list_teams shows the team IDs")
    record = f"team:{team.team_id}"
    members = [_reference(records, member) for member in team.members]
    pages = packed(members, lambda row: len(as_json(row)))
    content = {
        "team_id": team.team_id,
        "name": team.name,
        "roles": _roles(records, record),
        "page": page,
        "pages": len(pages),
        "member_count": len(members),
        "members": one_page(pages, page),
    }
    return ToolResult(as_json(content), (record,))


def list_rosters(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The duty rosters, by ID, 20 a page. JSON: IDs and names."""
    rosters = sorted(records.world.rosters, key=lambda roster: roster.roster_id)
    rows = [{"roster_id": roster.roster_id, "name": roster.name} for roster in rosters]
    return list_page("rosters", rows, page)


def get_roster(
    records: LadderRecords,
    roster_id: Annotated[Name, Field(description="A roster ID such as RST-01.")],
    page: PageNumber = 1,
) -> ToolResult:
    """One duty roster as text: who is on duty from a first to a last day, both included.

    Where two lines cover the same day, the lower line counts. It shows the duties as they were planned.
    """
    roster = records.rosters.get(roster_id.strip().upper())
    if roster is None:
        raise unknown_id("roster ID", roster_id, "list_rosters shows the roster IDs")
    record = f"roster:{roster.roster_id}"
    heading = f"{roster.roster_id} {roster.name}, {len(roster.shifts)} lines"
    blocks = [
        Block(f"{shift.first} to {shift.last}: {_known(records, shift.person_id)}", (record,))
        for shift in roster.shifts
    ]
    roles = [Block(line, (record,)) for line in role_lines(records, record)]
    return text_page(heading, [*roles, *blocks] or [Block("no lines", (record,))], page)


def _person(records: LadderRecords, person: Colleague) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "person_id": person.person_id,
        "name": person.name,
        "title": person.title,
        "team": {"team_id": person.team, "name": records.team_name(person.team)},
        "site": person.site,
        "email": person.email,
        "manager": None if person.manager is None else _reference(records, person.manager),
        "contractor": person.contractor,
    }
    roles = _roles(records, f"person:{person.person_id}")
    return entry | {"roles": roles} if roles else entry


def _roles(records: LadderRecords, record: str) -> list[dict[str, Any]]:
    return [
        {"role": role.name, "holder": None if role.holder is None else _reference(records, role.holder)}
        for role in records.roles.get(record, ())
    ]


def role_lines(records: LadderRecords, record: str) -> list[str]:
    """The roles that a record names, with their holders, as lines of text."""
    return [
        f"{role.name}: {'nobody' if role.holder is None else _known(records, role.holder)}"
        for role in records.roles.get(record, ())
    ]


def _reference(records: LadderRecords, person_id: str) -> dict[str, str]:
    person = records.world.person_by_id.get(person_id)
    return {"person_id": person_id} | ({} if person is None else {"name": person.name})


def _known(records: LadderRecords, person_id: str) -> str:
    person = records.world.person_by_id.get(person_id)
    return person_id if person is None else f"{person.name} ({person_id})"
