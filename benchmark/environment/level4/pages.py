"""Pages of results: at most so many items, and at most so many characters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import Field

from mpcbench.benchmark.environment.tools.results import as_json, page_of
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult

T = TypeVar("T")

MOST_CHARACTERS = 24_000
"""Of the items of one page; with what surrounds them a result stays below 30,000, beyond which clients cut."""

SEARCH_SIZE = 10
LIST_SIZE = 20

MOST_OF_A_NAME = 200

Name = Annotated[str, Field(max_length=MOST_OF_A_NAME)]
"""A name or an ID that an agent gives; errors repeat it."""

Keyword = Annotated[
    str,
    Field(
        max_length=MOST_OF_A_NAME,
        description=(
            "Words to search for. Whole words are compared, without case and accents; what holds more of the words comes"
            " first, then what holds rarer ones."
        ),
    ),
]


class Block(NamedTuple):
    """A piece of a text and the records that it belongs to."""

    text: str
    records: tuple[str, ...] = ()


def packed(items: Iterable[T], length: Callable[[T], int], most: int | None = None) -> list[list[T]]:
    """The items in order, as many on each page as fit, at most `most`. There is at least one page.

    An item that is longer than a page has one of its own.
    """
    pages: list[list[T]] = [[]]
    used = 0
    for item in items:
        size = length(item)
        if pages[-1] and (used + size > MOST_CHARACTERS or len(pages[-1]) == most):
            pages.append([])
            used = 0
        pages[-1].append(item)
        used += size
    return pages


def one_page(pages: Sequence[T], page: int) -> T:
    """The page of a number from 1; raises `ToolError` beyond the last."""
    (found,), _ = page_of(pages, page, 1)
    return found


def text_page(heading: str, blocks: Iterable[Block], page: int, most: int | None = None) -> ToolResult:
    """One page of a text, with at most so many blocks; its first line is the heading.

    Blocks are cut only where one is longer than a page.
    """
    pieces = (piece for block in blocks for piece in _pieces(block))
    pages = packed(pieces, lambda piece: len(piece.text) + 1, most)
    shown = one_page(pages, page)
    lines = [f"{heading}, page {page} of {len(pages)}", *(piece.text for piece in shown)]
    return ToolResult("\n".join(lines), _once(record for piece in shown for record in piece.records))


def list_page(name: str, rows: Sequence[dict[str, Any]], page: int) -> ToolResult:
    """One page of rows as JSON, under their name; shows no record."""
    return rows_page(name, rows, lambda row: row, page, size=LIST_SIZE)


def rows_page(
    name: str,
    found: Sequence[T],
    row: Callable[[T], dict[str, Any]],
    page: int,
    *,
    size: int = SEARCH_SIZE,
    most: int | None = None,
    shows: Callable[[T], tuple[str, ...]] = lambda _: (),
) -> ToolResult:
    """One page of what was found as JSON, a row each.

    Args:
        name: What the rows are called.
        found: What was found.
        row: Its row.
        page: From 1.
        size: So many rows are on a page.
        most: Only so many can be shown, if it is given.
        shows: The records that its row shows.
    """
    possible = found if most is None else found[:most]
    shown, pages = page_of(possible, page, size)
    content = {"total": len(found), "page": page, "pages": pages, name: [row(item) for item in shown]}
    if len(possible) < len(found):
        content["note"] = f"only the best {most} can be shown: search for more or rarer words"
    return ToolResult(as_json(content), _once(record for item in shown for record in shows(item)))


def _pieces(block: Block) -> Iterable[Block]:
    """The block, cut at the last line break or space of each page that it is too long for."""
    text = block.text
    while len(text) >= MOST_CHARACTERS:
        cut = max(text.rfind("\n", 1, MOST_CHARACTERS - 1), text.rfind(" ", 1, MOST_CHARACTERS - 1))
        cut = cut if cut > 0 else MOST_CHARACTERS - 1
        yield block._replace(text=text[:cut])
        text = text[cut:]
    yield block._replace(text=text)


def _once(records: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(records))


def unknown_id(what: str, name: str, advice: str) -> ToolError:
    """The error for an ID that does not exist."""
    return ToolError(f"no {what} {name!r}: {advice}")
