"""The minimal plan reads every required record, each with as few calls as show it whole."""

from datetime import timedelta
from typing import Any

import pytest

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.generate.level4.minimal_plan import MinimalPlan, UnreachableError, minimal_plan
from mpcbench.schema import Room
from mpcbench.schema.level4.instance import Change, PagePosted
from mpcbench.schema.level4.policy import HolidaysBlock, Policy
from mpcbench.schema.level4.world import (
    Bookings,
    Holiday,
    HolidayCalendar,
    LadderCollection,
    LadderDocument,
    LadderMessage,
    LadderPage,
    LadderSection,
    LadderThread,
    PersonalCalendar,
    Roster,
    TeamCalendar,
)
from unit_tests.builders.ladder import entry, moment, world

SPAN = (moment("09:00"), moment("12:00", 3))


def a_page(collection: LadderCollection, page_id: str, title: str = "News") -> LadderPage:
    return LadderPage(page_id=page_id, collection=collection, title=title, text="Hello.", posted=moment("08:00"))


def section(edition: int) -> LadderSection:
    policy = Policy(policy_id="POL-01", edition=edition, rules=(HolidaysBlock(),))
    return LadderSection(heading=f"POL-01, edition {edition}", text="Holidays.", policy=policy)


def thread(number: int, channel: str) -> LadderThread:
    message = LadderMessage(sent=moment("07:00"), author="p1", text="Hello.")
    return LadderThread(thread_id=f"T000{number}", channel=channel, messages=(message,))


def document(document_id: str, *sections: LadderSection, archived: bool = False) -> LadderDocument:
    return LadderDocument(document_id=document_id, title="Rules", introduction="", sections=sections, archived=archived)


ROOMS = tuple(
    Room(room_id=f"R{number:02}", name=f"Room {number}", site="Harbour", floor=1, capacity=4, equipment=())
    for number in range(1, 31)
)
WORLD = world(
    calendars={"p1": (entry("09:00", "10:00"),)},
    rooms=ROOMS,
    bookings={room.room_id: (entry("09:00", "10:00"),) for room in ROOMS},
).model_copy(
    update={
        "calendars": tuple(PersonalCalendar(person_id=one, entries=(entry("09:00", "10:00"),)) for one in ("p1", "p2")),
        "team_calendars": (TeamCalendar(team_id="TEAM-01", entries=()),),
        "rosters": (Roster(roster_id="RST-01", name="Desk", shifts=()),),
        "holidays": (HolidayCalendar(country="GB", days=(Holiday(day=moment("09:00").date(), name="Rest"),)),),
        "documents": (document("DOC-01", section(2)), document("DOC-02", section(1), archived=True)),
        "threads": (thread(1, "general"), thread(2, "direct")),
        "pages": (
            a_page(LadderCollection.ANNOUNCEMENT, "A1"),
            a_page(LadderCollection.SITE_NEWS, "S1"),
            a_page(LadderCollection.WIKI, "W1"),
            a_page(LadderCollection.NEWSLETTER, "L1"),
            a_page(LadderCollection.CONTACT, "C1", "Bolt and Sons"),
            a_page(LadderCollection.DESK, "D1", "Desk 7"),
            *(a_page(LadderCollection.GLOSSARY, f"G{number:02}", f"Alpha beta {number}") for number in range(30)),
        ),
        "room_calendars": tuple(Bookings(room_id=room.room_id, entries=()) for room in ROOMS),
    }
)
RECORDS = LadderRecords(WORLD)


def plan(*required: str, **more: Any) -> MinimalPlan:
    return minimal_plan(RECORDS, required, more.pop("span", SPAN), **more)


@pytest.mark.parametrize(
    ("record", "tool"),
    [
        ("calendar:p1", "get_calendar"),
        ("team_calendar:TEAM-01", "get_team_calendar"),
        ("room_calendar:R01", "get_room_bookings"),
        ("room:R01", "get_room"),
        ("person:p1", "get_person"),
        ("team:TEAM-01", "get_team"),
        ("roster:RST-01", "get_roster"),
        ("site:Harbour", "get_site"),
        ("holidays:GB", "list_public_holidays"),
        ("policy:POL-01@2", "read_policy_document"),
        ("policy:POL-01@1", "read_archived_document"),
        ("thread:T0001", "read_thread"),
        ("thread:T0002", "read_direct_messages"),
        ("announcement:A1", "read_announcement"),
        ("site_news:S1", "read_site_news"),
        ("wiki:W1", "read_wiki_page"),
        ("newsletter:L1", "read_newsletter"),
        ("contact:C1", "search_contacts"),
        ("desk:D1", "list_desks"),
    ],
)
def test_one_call_for_a_record(record: str, tool: str) -> None:
    """Each kind of record has a tool that shows it."""
    found = plan(record)

    assert (tool,) == found.tools
    assert found.characters > 0


def test_records_that_share_calls() -> None:
    """Bookings of ten rooms come with one call, and a page of the list shows twenty rooms."""
    rooms = [f"room:R{number:02}" for number in range(1, 21)]
    bookings = [f"room_calendar:R{number:02}" for number in range(1, 13)]

    assert ("search_rooms", "get_room_bookings", "get_room_bookings") == plan(*rooms, *bookings).tools
    assert ("search_rooms", "search_rooms") == plan(*rooms, "room:R21").tools
    assert ("get_room", "get_room") == plan("room:R01", "room:R30").tools


def test_long_spans_take_several_calls() -> None:
    """A calendar is shown for at most 31 days."""
    months = world(calendars={}).model_copy(
        update={
            "calendars": WORLD.calendars,
            "period": WORLD.period.model_copy(update={"end": moment("00:00") + timedelta(days=90)}),
        }
    )
    found = minimal_plan(LadderRecords(months), ["calendar:p1"], (SPAN[0], SPAN[0] + timedelta(days=40)))

    assert ("get_calendar",) * 2 == found.tools


def test_an_entry_of_a_glossary_is_looked_up_until_it_is_shown() -> None:
    """Thirty entries share the words of its title, so that it may come on a later page."""
    tools = {plan(f"glossary:G{number:02}").tools for number in range(30)}

    assert {"look_up_glossary"} == {tool for some in tools for tool in some}
    assert 1 == min(map(len, tools))


def posted(*records: str) -> Change:
    return Change(when_shown=records, edit=PagePosted(page=a_page(LadderCollection.WIKI, "W2")))


def test_what_a_change_adds_is_read_last() -> None:
    """The page is not there before the records that the change waits for have been shown."""
    found = plan("calendar:p1", "wiki:W2", change=posted("calendar:p1"))

    assert ("get_calendar", "read_wiki_page") == found.tools


def test_a_change_that_never_happens() -> None:
    """It waits for a record that nobody needs."""
    with pytest.raises(UnreachableError, match="the change waits for calendar:p2, which is not read"):
        plan("calendar:p1", "wiki:W2", change=posted("calendar:p1", "calendar:p2"))


def test_a_change_that_waits_for_nothing_that_there_is() -> None:
    """The record does not exist."""
    with pytest.raises(UnreachableError, match="the change waits for 'calendar:p9', which the world does not hold"):
        plan("calendar:p1", change=posted("calendar:p9"))


@pytest.mark.parametrize("record", ["person:p9", "team:TEAM-09", "wiki:W9"])
def test_a_record_that_no_tool_shows(record: str) -> None:
    """The tool's own words say why."""
    with pytest.raises(UnreachableError, match="says error: no "):
        plan(record)


def test_a_policy_that_is_in_no_document() -> None:
    """Nothing is called, and the record is named."""
    with pytest.raises(UnreachableError, match="no call shows policy:POL-09@1"):
        plan("policy:POL-09@1")
