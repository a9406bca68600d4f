"""What the tools show is read back as it is recorded."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.level4.shown import (
    Known,
    entry_of,
    holidays,
    known,
    messages_of,
    pages_of,
    rooms_of,
    roster_page,
    sections,
    site_page,
    whole_pages,
)
from mpcbench.benchmark.environment.level4.entries import entry_json
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.oracle.level4.timeline import occurrences
from mpcbench.schema.level4.calendar import Entry
from unit_tests.builders.ladder_episodes import indexed


@cache
def office_records() -> LadderRecords:
    return indexed()[0]


def shown(tool: str, **arguments: Any) -> list[str]:
    """All pages of a text."""
    toolbox = LadderToolbox(office_records())
    first = toolbox.call(tool, arguments)
    return [first, *(toolbox.call(tool, {**arguments, "page": page}) for page in range(2, pages_of(first) + 1))]


def entries() -> Iterator[Entry]:
    for calendar in office_records().world.calendars[:40]:
        yield from calendar.entries


def test_entries() -> None:
    """Entries and series take place when they do, in their states, whatever zone shows them."""
    zone = office_records().world.sites[2].zone
    for entry in entries():
        read = entry_of(entry_json(entry, zone))

        assert [*occurrences(read)] == [*occurrences(entry)]
        assert read.title == entry.title


def test_threads() -> None:
    """Messages keep their authors, times and line breaks."""
    for thread in office_records().world.threads[:200]:
        tool = "read_direct_messages" if thread.channel == "direct" else "read_thread"
        read = messages_of(shown(tool, thread_id=thread.thread_id))
        names = [office_records().world.person_by_id[message.author].name for message in thread.messages]

        assert [(one.author, one.sent, one.text) for one in read] == [
            (name, message.sent, message.text) for name, message in zip(names, thread.messages, strict=True)
        ]


def test_rosters() -> None:
    """Shifts come in the order of their lines."""
    for roster in office_records().world.rosters:
        read = roster_page(shown("get_roster", roster_id=roster.roster_id))

        assert [(first, last, person.person_id) for first, last, person in read.shifts] == [
            (shift.first, shift.last, shift.person_id) for shift in roster.shifts
        ]
        assert {name for name, _ in read.roles} == {
            role.name for role in office_records().world.roles if role.shown_in == f"roster:{roster.roster_id}"
        }


def test_sites_and_holidays() -> None:
    """A site's zone, country and hours, and the days of its country."""
    for site in office_records().world.sites:
        read = site_page(shown("get_site", site=site.site)[0])
        days = next(one.days for one in office_records().world.holidays if one.country == site.country)

        assert (read.country, read.zone, read.opening) == (site.country, site.zone, site.opening)
        assert holidays(shown("list_public_holidays", country=site.country)) == tuple(
            sorted(holiday.day for holiday in days)
        )


def test_rooms() -> None:
    """The table of rooms holds all that rooms are."""
    read = [room for text in shown("search_rooms") for room in rooms_of(text)]

    assert read == sorted(office_records().world.rooms, key=lambda room: room.room_id)


def test_documents() -> None:
    """A document has the sections that it has."""
    for document in office_records().world.documents:
        tool = "read_archived_document" if document.archived else "read_policy_document"
        read = sections(shown(tool, document_id=document.document_id))

        assert [text for _, text in read] == [section.text for section in document.sections]


def test_glossary() -> None:
    """Entries are shown whole."""
    page = office_records().pages(
        next(page.collection for page in office_records().world.pages if page.collection == "glossary")
    )[0]
    read = whole_pages(shown("look_up_glossary", keyword=page.title)[0])

    assert (read[0].page_id, read[0].title, read[0].text, read[0].posted) == (
        page.page_id,
        page.title,
        page.text,
        page.posted,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Larsen (p001)", Known("Ada Larsen", "p001")),
        ("Ada Larsen (Finance)", Known("Ada Larsen", None)),
        ("Ada Larsen (Finance, p001)", Known("Ada Larsen", "p001")),
        ("nobody", None),
    ],
)
def test_people(text: str, expected: Known | None) -> None:
    """Names come with teams, IDs or both."""
    assert known(text) == expected


def test_a_result_without_pages() -> None:
    """A text that does not say how long it is cannot be read to its end."""
    with pytest.raises(ReadingError, match="how many pages"):
        pages_of("Site Harbour")


def test_days_of_shifts() -> None:
    """Both days of a line are included."""
    (first, last, person), *_ = roster_page(["RST-01 desk, page 1 of 1\n2027-03-01 to 2027-03-02: Ada (p1)"]).shifts

    assert (last - first, first, person) == (timedelta(days=1), date(2027, 3, 1), Known("Ada", "p1"))
