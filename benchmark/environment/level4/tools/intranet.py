"""The intranet: announcements, the news of the sites, the wiki, the glossary, newsletters, contacts and desks."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.level4.pages import (
    SEARCH_SIZE,
    Block,
    Keyword,
    Name,
    rows_page,
    text_page,
    unknown_id,
)
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.search import first_place, wanted_words
from mpcbench.benchmark.environment.tools.results import PageNumber, local_in
from mpcbench.benchmark.environment.tools.threads import fits_snippet, snippet
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.level4.world import LadderCollection, LadderPage

PageId = Annotated[Name, Field(description="A page ID as lists and search results show it.")]

KeywordOrNone = Annotated[Keyword | None, Field(description="Words to search for; without any, all are listed.")]


def search_announcements(records: LadderRecords, keyword: KeywordOrNone = None, page: PageNumber = 1) -> ToolResult:
    """The announcements to the whole organisation that hold any of the words, the best first, or all, the latest first.

    10 a page. JSON: for each its page ID, when it was posted, its title and a short snippet.
    """
    return _search(records, LadderCollection.ANNOUNCEMENT, keyword, page)


def read_announcement(records: LadderRecords, page_id: PageId, page: PageNumber = 1) -> ToolResult:
    """One announcement to the whole organisation, as text."""
    return _read(records, LadderCollection.ANNOUNCEMENT, page_id, page, "search_announcements")


def search_site_news(records: LadderRecords, keyword: KeywordOrNone = None, page: PageNumber = 1) -> ToolResult:
    """The news of the sites that hold any of the words, the best first, or all, the latest first.

    10 a page. JSON: for each its page ID, when it was posted, its title and a short snippet.
    """
    return _search(records, LadderCollection.SITE_NEWS, keyword, page)


def read_site_news(records: LadderRecords, page_id: PageId, page: PageNumber = 1) -> ToolResult:
    """One piece of news of a site, as text."""
    return _read(records, LadderCollection.SITE_NEWS, page_id, page, "search_site_news")


def search_wiki(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the wiki, which anybody may write in: how-tos, project pages, notes; 10 a page.

    JSON: for each page found its ID, when it was last changed, its title and a short snippet.
    """
    return _search(records, LadderCollection.WIKI, keyword, page)


def read_wiki_page(records: LadderRecords, page_id: PageId, page: PageNumber = 1) -> ToolResult:
    """One page of the wiki, as text."""
    return _read(records, LadderCollection.WIKI, page_id, page, "search_wiki")


def search_newsletters(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the e-mail newsletters that went to everybody; 10 a page.

    JSON: for each its page ID, when it was sent, its subject and a short snippet.
    """
    return _search(records, LadderCollection.NEWSLETTER, keyword, page)


def read_newsletter(records: LadderRecords, page_id: PageId, page: PageNumber = 1) -> ToolResult:
    """One newsletter, as text."""
    return _read(records, LadderCollection.NEWSLETTER, page_id, page, "search_newsletters")


def look_up_glossary(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """The entries of the glossary that hold any of the words, the best first, whole, 10 a page."""
    return _whole(records, LadderCollection.GLOSSARY, keyword, page, "entries")


def search_contacts(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """The address book of people outside the organisation, who have no person ID: entries with any of the words.

    As text, the best first, whole, 10 a page.
    """
    return _whole(records, LadderCollection.CONTACT, keyword, page, "contacts")


def list_desks(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The single desks that people can reserve for a day, as text, 10 a page; they are not meeting rooms."""
    return _whole(records, LadderCollection.DESK, None, page, "desks")


def _found(records: LadderRecords, collection: LadderCollection, keyword: str | None) -> Sequence[LadderPage]:
    if keyword is None:
        return records.pages(collection)
    return records.pages_index(collection).find(wanted_words(keyword))


def _search(records: LadderRecords, collection: LadderCollection, keyword: str | None, page: int) -> ToolResult:
    wanted = [] if keyword is None else wanted_words(keyword)

    def row(found: LadderPage) -> dict[str, Any]:
        return {
            "page_id": found.page_id,
            "posted": local_in(found.posted, records.world.zone),
            "title": found.title,
            "snippet": snippet(found.text, first_place(found.text, wanted)),
        }

    def shows(found: LadderPage) -> tuple[str, ...]:
        return (_record(found),) if fits_snippet(found.text) else ()

    return rows_page("pages_found", _found(records, collection, keyword), row, page, shows=shows)


def _read(records: LadderRecords, collection: LadderCollection, page_id: str, page: int, search: str) -> ToolResult:
    for found in records.pages(collection):
        if found.page_id.casefold() == page_id.strip().casefold():
            return text_page(_heading(records, found), [Block(found.text, (_record(found),))], page)
    raise unknown_id(_words(collection), page_id, f"find page IDs with {search}")


def _whole(
    records: LadderRecords, collection: LadderCollection, keyword: str | None, page: int, what: str
) -> ToolResult:
    found = _found(records, collection, keyword)
    blocks = [Block(f"\n{_heading(records, one)}\n{one.text}", (_record(one),)) for one in found]
    return text_page(f"{len(found)} {what}", blocks, page, SEARCH_SIZE)


def _heading(records: LadderRecords, page: LadderPage) -> str:
    return f"[{page.page_id}] {page.title}, {local_in(page.posted, records.world.zone)}"


def _record(page: LadderPage) -> str:
    return f"{page.collection}:{page.page_id}"


def _words(collection: LadderCollection) -> str:
    return collection.replace("_", " ")
