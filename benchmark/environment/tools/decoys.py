"""Decoy tools: plausible sources of an organisation, none of which affects when a meeting can take place."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from mpcbench.benchmark.environment.tools.results import PageNumber, as_json, page_of, unknown, words_of
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult
from mpcbench.schema import Collection, Page

LIST_SIZE = 10
SEARCH_SIZE = 5
MOST_TITLES = 12

Keyword = Annotated[
    str,
    Field(
        description='Words or parts of words that a page must all contain; a phrase in "double quotes" is matched as it is.'
    ),
]


def search_wiki(sources: Sources, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Full-text search in the wiki: how-tos, glossaries and project pages that anybody may write. 5 entries a page."""
    return _texts(_matching(sources, Collection.WIKI, keyword), page, SEARCH_SIZE)


def list_public_holidays(
    sources: Sources,
    country: Annotated[str | None, Field(description="Only this country's holidays.")] = None,
    page: PageNumber = 1,
) -> ToolResult:
    """Public holidays of countries, for information only: they close no office. 10 a page."""
    pages = _pages(sources, Collection.HOLIDAY)
    return _texts(pages if country is None else _naming(pages, country, "holidays of"), page, LIST_SIZE)


def list_announcements(sources: Sources, page: PageNumber = 1) -> ToolResult:
    """The company-wide announcements, 10 a page."""
    return _texts(_pages(sources, Collection.ANNOUNCEMENT), page, LIST_SIZE)


def search_external_contacts(
    sources: Sources,
    name: Annotated[str, Field(description="Words or parts of words of a name or an organisation; all must match.")],
    page: PageNumber = 1,
) -> ToolResult:
    """Search the address book of people outside the organisation: they have no person ID and no calendar. 10 a page."""
    return _texts(_matching(sources, Collection.CONTACT, name), page, LIST_SIZE)


def get_team_calendar(sources: Sources, team: Annotated[str, Field(description="A team's name.")]) -> ToolResult:
    """A team's shared notice calendar: releases, rotas and socials. Its entries make nobody busy and bind nobody."""
    return _texts(_naming(_pages(sources, Collection.TEAM_CALENDAR), team, "team calendar of"), 1, LIST_SIZE)


def search_policy_archive(sources: Sources, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Full-text search in the archive of superseded policies: old versions, none of which is in force. 10 a page.

    JSON: page IDs and titles.
    """
    found = _matching(sources, Collection.POLICY_ARCHIVE, keyword)
    rows, pages = page_of(found, page, LIST_SIZE)
    content = {
        "total": len(found),
        "page": page,
        "pages": pages,
        "superseded": [{"page_id": row.page_id, "title": row.title} for row in rows],
    }
    return ToolResult(as_json(content))


def read_archived_policy(
    sources: Sources, page_id: Annotated[str, Field(description="A page ID as search_policy_archive shows it.")]
) -> ToolResult:
    """The text of one superseded policy of the archive: it is no longer in force."""
    for page in _pages(sources, Collection.POLICY_ARCHIVE):
        if page.page_id.casefold() == page_id.strip().casefold():
            return _texts([page], 1, 1)
    raise ToolError(f"no archived policy {page_id!r}: find page IDs with search_policy_archive")


def list_desks(
    sources: Sources,
    site: Annotated[str | None, Field(description="Only the desks of this site.")] = None,
    page: PageNumber = 1,
) -> ToolResult:
    """The single desks that people can reserve for a day; they are not meeting rooms. 10 a page."""
    pages = _pages(sources, Collection.DESK)
    return _texts(pages if site is None else _naming(pages, site, "desks at"), page, LIST_SIZE)


def get_building_hours(sources: Sources, site: Annotated[str, Field(description="A site's name.")]) -> ToolResult:
    """When the reception of a site's building is staffed; badge holders come and go at any time."""
    return _texts(_naming(_pages(sources, Collection.BUILDING_HOURS), site, "building hours of"), 1, LIST_SIZE)


def search_newsletters(sources: Sources, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Full-text search in the e-mail newsletters that went to everybody. 5 newsletters a page."""
    return _texts(_matching(sources, Collection.NEWSLETTER, keyword), page, SEARCH_SIZE)


def _pages(sources: Sources, collection: Collection) -> list[Page]:
    return [page for page in sources.world.pages if page.collection is collection]


def _matching(sources: Sources, collection: Collection, keyword: str) -> list[Page]:
    wanted = words_of(keyword, "keyword")
    return [
        page
        for page in _pages(sources, collection)
        if all(word in f"{page.title}\n{page.text}".casefold() for word in wanted)
    ]


def _naming(pages: Iterable[Page], name: str, what: str) -> list[Page]:
    """The pages whose title contains a name; raises `ToolError` with the existing titles if there are none."""
    pages = list(pages)
    wanted = name.strip().casefold()
    found = [page for page in pages if wanted and wanted in page.title.casefold()]
    if not found:
        titles = ", ".join(repr(page.title) for page in pages[:MOST_TITLES])
        raise unknown(what, name, (page.title for page in pages), f"there are {titles}" if titles else "")
    return found


def _texts(found: Sequence[Page], page: int, size: int) -> ToolResult:
    rows, pages = page_of(found, page, size)
    blocks = [f"[{row.page_id}] {row.title}\n{row.text}" for row in rows]
    blocks.append(f"page {page} of {pages}, {len(found)} in all")
    return ToolResult("\n\n".join(blocks), tuple(f"{row.collection}:{row.page_id}" for row in rows))
