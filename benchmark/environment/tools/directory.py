"""The directory source: the organisation's people."""

from typing import Annotated

from pydantic import Field

from mpcbench.benchmark.environment.tools.results import PageNumber, as_json, page_of
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult
from mpcbench.schema import Person

SEARCH_SIZE = 10


def search_people(
    sources: Sources,
    name: Annotated[str, Field(description="A full name, or words or parts of words of it.")],
    page: PageNumber = 1,
) -> ToolResult:
    """Search the directory of the organisation's own people by name; the nearest first, 10 a page.

    JSON: the person ID, name, team, site and title of everybody whose name contains any of the words given, even
    inside a longer word. Several people may have the same name: tell them apart by team, site or title.
    """
    wanted = set(name.casefold().split())
    if not wanted:
        raise ToolError("name is empty")
    found = [(_nearness(person, wanted), person) for person in sources.world.people]
    ordered = sorted(
        (item for item in found if item[0] > 0), key=lambda item: (-item[0], item[1].name, item[1].person_id)
    )
    rows, pages = page_of([person for _, person in ordered], page, SEARCH_SIZE)
    content = {
        "total": len(ordered),
        "page": page,
        "pages": pages,
        "people": [person.model_dump(include={"person_id", "name", "team", "site", "title"}) for person in rows],
    }
    return ToolResult(as_json(content), tuple(f"person:{person.person_id}" for person in rows))


def get_person(
    sources: Sources, person_id: Annotated[str, Field(description="A person ID such as p001.")]
) -> ToolResult:
    """One person's entry in the directory of the organisation's own people: name, team, site, title, e-mail. JSON."""
    person = sources.world.person_by_id.get(person_id.strip().lower())
    if person is None:
        raise ToolError(f"no person ID {person_id!r}: look the ID up with search_people")
    return ToolResult(as_json(person.model_dump()), (f"person:{person.person_id}",))


def _nearness(person: Person, wanted: set[str]) -> float:
    """How many of the words the name has, whole ones before parts of words, and the whole name before all."""
    words = person.name.casefold().split()
    whole = sum(word in words for word in wanted)
    part = sum(any(word in one for one in words) for word in wanted)
    return whole + part / 10 + (wanted == set(words))
