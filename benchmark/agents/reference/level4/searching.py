"""Searches: what is found is read as far down the ranking as it holds what is looked for."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile
from mpcbench.benchmark.agents.reference.level4.desk import Call, Inquiry, call
from mpcbench.benchmark.agents.reference.level4.shown import Page, messages_of, page_of, pages_of, whole_pages

CHATS: Final = ("search_messages", "search_direct_messages")
NEWS: Final = {
    "search_announcements": ("announcement", "read_announcement"),
    "search_site_news": ("site_news", "read_site_news"),
    "search_wiki": ("wiki", "read_wiki_page"),
    "search_newsletters": ("newsletter", "read_newsletter"),
}
"""The searches for pages: what their pages are, and what reads them."""

_WORD = re.compile(r"[^\W_]+")
Wanted = Callable[[frozenset[str]], bool]
"""Whether a text of these words is looked for."""


def folded_words(text: str) -> list[str]:
    """The words of a text as searches compare them: without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(one for one in plain if not unicodedata.combining(one)))


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(folded_words(text))


def holding(text: str, *any_of: str) -> Wanted:
    """Texts that hold all words of a text and, if further ones are given, one of these."""
    needed, some = words_of(text), frozenset(any_of)
    return lambda words: needed <= words and (not some or bool(some & words))


def any_of(words: frozenset[str]) -> Wanted:
    """Texts that hold any of these words."""
    return lambda found: bool(words & found)


def either(some: Iterable[Wanted]) -> Wanted:
    """Texts that are wanted in any of these ways."""
    ways = tuple(some)
    return lambda words: any(wanted(words) for wanted in ways)


def whole_text(first: Call) -> Inquiry[list[str]]:
    """All pages of a text."""
    (text,) = yield [first]
    others = [first.on_page(page) for page in range(2, pages_of(text) + 1)]
    return [text, *((yield others) if others else [])]


def search(case: CaseFile, tool: str, keyword: str, wanted: Wanted) -> Inquiry[None]:
    """Search, and read what is found until something is not what is wanted, for what follows holds fewer words.

    Args:
        case: Where what is read is put down.
        tool: The search.
        keyword: The words.
        wanted: Tells from the words of a text whether it is looked for.
    """
    page, pages = 1, 1
    while page <= pages:
        (text,) = yield [call(tool, keyword=keyword).on_page(page)]
        result = json.loads(text)
        rows = result["messages" if tool in CHATS else "pages_found"]
        pages = result["pages"]
        ahead, place = 1, 0
        while place < len(rows):
            certain = [number for number, row in enumerate(rows) if wanted(words_of(row["snippet"]))]
            last = max(max(certain, default=-1) + 1, place) + ahead
            batch = rows[place:last]
            yield from _read(case, tool, batch)
            if not all(wanted(words_of(_text(case, tool, row))) for row in batch):
                return
            place, ahead = last, 2 * ahead
        page += 1


def look_up(case: CaseFile, keyword: str) -> Inquiry[None]:
    """The entries of the glossary that hold the most of the words."""
    (text,) = yield [call("look_up_glossary", keyword=keyword)]
    for entry in whole_pages(text):
        case.pages[f"glossary:{entry.page_id}"] = entry


def _read(case: CaseFile, tool: str, rows: Sequence[Mapping[str, Any]]) -> Inquiry[None]:
    """Read the threads or pages of some rows, unless they have been read."""
    if tool in CHATS:
        direct = tool == "search_direct_messages"
        calls = {}
        for row in rows:
            if not _is_known(case, row):
                name = "read_direct_messages" if direct else "read_thread"
                again = {"page": 1} if row["thread_id"] in case.threads else {}
                calls[row["thread_id"]] = call(name, thread_id=row["thread_id"], **again)
        texts = yield from _texts(list(calls.values()))
        for thread, pages in zip(calls, texts, strict=True):
            add_thread(case, thread, pages, direct=direct)
        return
    kind, reader = NEWS[tool]
    new = [row["page_id"] for row in rows if f"{kind}:{row['page_id']}" not in case.pages]
    texts = yield from _texts([call(reader, page_id=page_id) for page_id in new])
    for page_id, pages in zip(new, texts, strict=True):
        case.pages[f"{kind}:{page_id}"] = page_of(pages)


def add_thread(case: CaseFile, thread: str, pages: Iterable[str], *, direct: bool) -> None:
    """Put down a thread that has been read."""
    register = case.register
    found = messages_of(pages)
    case.threads[thread] = [one._replace(author=register.person_id(one.author)) for one in found]
    if direct:
        case.direct.add(thread)


def _texts(calls: list[Call]) -> Inquiry[list[list[str]]]:
    """All pages of several texts, read side by side."""
    if not calls:
        return []
    firsts = yield calls
    found = [[text] for text in firsts]
    more = [
        (place, one.on_page(page))
        for place, (one, text) in enumerate(zip(calls, firsts, strict=True))
        for page in range(2, pages_of(text) + 1)
    ]
    if more:
        texts = yield [one for _, one in more]
        for (place, _), text in zip(more, texts, strict=True):
            found[place].append(text)
    return found


def _is_known(case: CaseFile, row: Mapping[str, Any]) -> bool:
    sent = datetime.fromisoformat(row["sent"])
    return any(message.sent == sent for message in case.threads.get(row["thread_id"], ()))


def _text(case: CaseFile, tool: str, row: Mapping[str, Any]) -> str:
    if tool in CHATS:
        sent = datetime.fromisoformat(row["sent"])
        return "\n".join(one.text for one in case.threads[row["thread_id"]] if one.sent == sent)
    found: Page = case.pages[f"{NEWS[tool][0]}:{row['page_id']}"]
    return f"{found.title}\n{found.text}"
