"""The questions about what is asked for and who is meant: what each looks up, and what it puts down."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile
from mpcbench.benchmark.agents.reference.level4.desk import Inquiry, call, json_pages, together
from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.benchmark.agents.reference.level4.register import bare
from mpcbench.benchmark.agents.reference.level4.searching import (
    CHATS,
    holding,
    look_up,
    search,
    whole_text,
    words_of,
)
from mpcbench.benchmark.agents.reference.level4.shown import (
    Known,
    roster_page,
    sections,
    site_page,
)
from mpcbench.schema.level4.world import Colleague

_PROJECT: Final = "project "


# Where everything begins.


def sites(case: CaseFile) -> Inquiry[None]:
    """All sites."""
    pages = yield from json_pages(call("list_sites"))
    names = [row["site"] for page in pages for row in page["sites"]]
    texts = yield [call("get_site", site=name) for name in names]
    for name, text in zip(names, texts, strict=True):
        case.sites[name] = site_page(text)
        case.register.sites[name] = case.sites[name].zone
        _put_roles(case, case.sites[name].roles)


def teams(case: CaseFile) -> Inquiry[None]:
    """The names of all teams."""
    pages = yield from json_pages(call("list_teams"))
    for page in pages:
        case.register.teams |= {row["name"].lower(): row["team_id"] for row in page["teams"]}


def documents(case: CaseFile) -> Inquiry[None]:
    """All policy documents, those in the archive included: what they say may be in force, too."""
    readers = ("read_policy_document", "read_archived_document")
    lists = yield from together(json_pages(call(one)) for one in ("list_policy_documents", "list_policy_archive"))
    documents = yield from together(
        whole_text(call(reader, document_id=row["document_id"]))
        for reader, pages in zip(readers, lists, strict=True)
        for page in pages
        for row in page["documents"]
    )
    found = [section for texts in documents for section in sections(texts)]
    case.policies = tuple(read_section(heading, text, case.register) for heading, text in found if "POL-" in heading)


def rosters(case: CaseFile) -> Inquiry[None]:
    """The names of all rosters."""
    pages = yield from json_pages(call("list_rosters"))
    case.register.rosters = {row["name"].lower(): row["roster_id"] for page in pages for row in page["rosters"]}


# What is said.


def said(case: CaseFile, name: str) -> Inquiry[None]:
    """The threads that name a meeting by its name or by one of its aliases."""
    yield from together(search(case, tool, name, holding(name)) for tool in CHATS)


def called(case: CaseFile, name: str) -> Inquiry[None]:
    """What the glossary and the wiki say about a name or an alias."""
    yield from together([look_up(case, name), search(case, "search_wiki", name, holding(name))])


def defined(case: CaseFile, alias: str) -> Inquiry[None]:
    """What an alias means: the glossary, the wiki, then what people say."""
    yield from look_up(case, alias)
    for tool in ("search_wiki", *CHATS, "search_announcements", "search_newsletters"):
        case.knowledge()
        if alias in case.register.aliases:
            return
        yield from search(case, tool, alias, holding(alias))
    case.knowledge()
    if alias not in case.register.aliases:
        case.register.no_alias.add(alias)


# Who takes part.


def role(case: CaseFile, name: str, years: Sequence[str]) -> Inquiry[None]:
    """Who holds a role on record, and who takes it over."""
    register = case.register
    if name not in case.holders:
        team = _named_in(name, register.teams)
        if team is not None:
            yield from team_page(case, team)
    if name not in case.holders:
        if register.rosters is None:
            yield from rosters(case)
        roster = _named_in(name, register.rosters or {})
        if roster is not None:
            yield from roster_shifts(case, roster)
    if name not in case.holders:
        (text,) = yield [call("search_people", keyword=name)]
        _put_people(case, json.loads(text)["people"])
    pages = ("search_announcements", "search_newsletters", "search_wiki")
    yield from together([*(search(case, tool, name, holding(name)) for tool in pages), *_in_chats(case, name, years)])
    case.knowledge()
    if name not in case.holders and not any(name.lower() in fact for fact in _handed_over(case)):
        yield from defined(case, bare(name))
        register.no_role.add(name)
        register.roles.pop(name, None)


def roster(case: CaseFile, roster_id: str, years: Sequence[str]) -> Inquiry[None]:
    """Who is on duty when, as planned and by swaps."""
    yield from roster_shifts(case, roster_id)
    name = next(name for name, one in (case.register.rosters or {}).items() if one == roster_id)
    text = f"{name.removesuffix(' roster')} roster"
    pages = ("search_announcements", "search_site_news")
    yield from together([*(search(case, tool, text, holding(text)) for tool in pages), *_in_chats(case, text, years)])


def roster_shifts(case: CaseFile, roster_id: str) -> Inquiry[None]:
    """The page of a roster."""
    case.rosters[roster_id] = roster_page((yield from whole_text(call("get_roster", roster_id=roster_id))))
    for _, _, person in case.rosters[roster_id].shifts:
        case.register.id_of(person)
    _put_roles(case, case.rosters[roster_id].roles)


def manager(case: CaseFile, person: str, years: Sequence[str]) -> Inquiry[None]:
    """Who a person's managers are."""
    yield from directory(case, person)
    name = case.register.name_of(person)
    cues = ("manager", "manages", "reports")
    pages = [
        search(case, tool, f"{name} {' '.join(cues)}", holding(name, *cues))
        for tool in ("search_announcements", "search_newsletters")
    ]
    yield from together([*pages, *_in_chats(case, name, years)])


def directory(case: CaseFile, person: str) -> Inquiry[None]:
    """The directory's entry of a person."""
    register = case.register
    if person in register.directory:
        return
    if person in register.real:
        (text,) = yield [call("get_person", person_id=register.real[person])]
        _put_people(case, [json.loads(text)])
        return
    name = register.name_of(person)
    pages = yield from json_pages(call("search_people", keyword=name))
    _put_people(case, [row for page in pages[:1] for row in page["people"] if row["name"] == name])


def team_page(case: CaseFile, team_id: str) -> Inquiry[None]:
    """The page of a team."""
    pages = yield from json_pages(call("get_team", team_id=team_id))
    members = [Known(row["name"], row["person_id"]) for page in pages for row in page["members"]]
    case.members[team_id] = tuple(map(case.register.id_of, members))
    _put_roles(case, [(row["role"], _known(row["holder"])) for row in pages[0]["roles"]])


def is_project(team: str) -> bool:
    """Whether a team of this name is one of a project, whose members the directory lists under other teams."""
    return team.startswith(_PROJECT)


# What is put down.


def _in_chats(case: CaseFile, name: str, years: Sequence[str]) -> list[Inquiry[None]]:
    """What people say about a name with a year, as they do where they make something known."""
    texts = [f"{name} {year}" for year in years]
    return [search(case, tool, text, holding(text)) for tool in CHATS for text in texts]


def _named_in(text: str, names: Mapping[str, str]) -> str | None:
    """The ID of the longest name that a text holds."""
    found = [name for name in names if words_of(name) <= words_of(text) and name in text.lower()]
    return names[max(found, key=len)] if found else None


def _known(row: Mapping[str, str] | None) -> Known | None:
    return None if row is None else Known(row["name"], row["person_id"])


def _put_roles(case: CaseFile, roles: Iterable[tuple[str, Known | None]]) -> None:
    for name, holder in roles:
        case.holders[name] = None if holder is None else case.register.id_of(holder)


def _put_people(case: CaseFile, rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        register = case.register
        person = register.id_of(Known(row["name"], row["person_id"]))
        boss = _known(row["manager"])
        register.directory[person] = Colleague(
            person_id=person,
            name=row["name"],
            team=row["team"]["team_id"],
            site=row["site"],
            title=row["title"],
            email=row["email"],
            manager=None if boss is None else register.id_of(boss),
            contractor=row["contractor"],
        )
        _put_roles(case, [(one["role"], _known(one["holder"])) for one in row.get("roles", ())])


def _handed_over(case: CaseFile) -> list[str]:
    """The names of the roles that somebody takes over."""
    ids = {one.fact.role for one in case.knowledge().handovers}
    return [name.lower() for name, one in case.register.roles.items() if one in ids]
