"""The form of results: pages, JSON, local times, and the error for an unknown name."""

import difflib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import Field

from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError
from mpcbench.schema.model import Model

T = TypeVar("T")

PageNumber = Annotated[int, Field(ge=1, description="Page of the results, from 1.")]


def as_json(value: Any) -> str:
    """One line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def tags_json(tags: Iterable[Model]) -> str:
    """Tags as one line of JSON."""
    return as_json([tag.model_dump(mode="json") for tag in tags])


def page_of(items: Sequence[T], page: int, size: int) -> tuple[Sequence[T], int]:
    """The items of one page and the number of pages, at least 1; raises `ToolError` for a page beyond the last."""
    pages = max(1, -(-len(items) // size))
    if page > pages:
        raise ToolError(f"no page {page}: the last page is {pages}")
    return items[(page - 1) * size : page * size], pages


def local(moment: datetime, sources: Sources) -> str:
    """ISO 8601 to the minute, with the offset of the world's zone."""
    return local_in(moment, sources.world.zone)


@lru_cache(maxsize=2**16)
def local_in(moment: datetime, zone: ZoneInfo) -> str:
    """ISO 8601 to the minute, with the offset of a zone."""
    return moment.astimezone(zone).isoformat(timespec="minutes")


def words_of(keyword: str, parameter: str) -> list[str]:
    """The case-folded words and double-quoted phrases of a full-text search.

    Raises `ToolError` if there are none.
    """
    parts = keyword.casefold().replace("\u201c", '"').replace("\u201d", '"').split('"')
    wanted: list[str] = []
    for place, part in enumerate(parts):
        wanted += [part.strip()] if place % 2 and part.strip() else part.split()
    if not wanted:
        raise ToolError(f"{parameter} is empty")
    return wanted


def unknown(what: str, name: str, known: Iterable[str], advice: str = "") -> ToolError:
    """The error for a name that does not exist, with the nearest ones that do."""
    by_fold = {existing.casefold(): existing for existing in known}
    near = [by_fold[fold] for fold in difflib.get_close_matches(name.casefold(), by_fold, n=3, cutoff=0.6)]
    message = f"no {what} {name!r}"
    if near:
        message += f"; the nearest are {', '.join(map(repr, near))}"
    return ToolError(f"{message}; {advice}" if advice else message)
