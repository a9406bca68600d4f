"""Tools' results are taken apart for people, and nothing that they say gets lost."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest

from mpcbench.benchmark.agents.human.page import card
from mpcbench.benchmark.agents.human.result_text import WIDTH, result_text
from mpcbench.benchmark.agents.human.results import Busy, Facts, Passage, Problem, Schedule, Table, Talk, parts
from mpcbench.benchmark.agents.human.week_grid import DAY, HEAD, HOUR, LEFT, weeks
from mpcbench.benchmark.environment.level4.records import DIRECT, LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET
from unit_tests.builders.made_office import made_office

LEVEL: Level = 3
CALLS: dict[str, dict[str, Any]] = {
    "search_people": {"name": "an"},
    "get_person": {"person_id": "p001"},
    "search_external_contacts": {"name": "a"},
    "get_calendar": {"person_id": "p002", "start_date": "2027-02-01", "end_date": "2027-02-16"},
    "list_threads": {},
    "search_threads": {"keyword": "the"},
    "list_policies": {},
    "read_policy_document": {"document_id": "DOC-01"},
    "search_policy_archive": {"keyword": "POL"},
    "list_rooms": {},
    "get_room_details": {"room_id": "R01"},
    "get_room_bookings": {"room_id": "R01", "start_date": "2027-02-01", "end_date": "2027-02-03"},
    "list_desks": {},
    "search_newsletters": {"keyword": "the"},
    "search_wiki": {"keyword": "the"},
    "list_public_holidays": {},
    "list_announcements": {},
}
"""A call of every kind of tool at level 3; the rest is added where its arguments are found."""


DAYS = {"start_date": "2027-03-01", "end_date": "2027-03-12"}
LADDER_CALLS: dict[str, dict[str, Any]] = {
    "search_people": {"keyword": "an"},
    "get_person": {"person_id": "p001"},
    "get_team": {"team_id": "TEAM-01"},
    "get_team_calendar": {"team_id": "TEAM-01", **DAYS},
    "get_roster": {"roster_id": "RST-01"},
    "get_calendar": {"person_id": "p001", **DAYS},
    "list_channels": {},
    "search_messages": {"keyword": "review"},
    "list_direct_messages": {},
    "list_policy_documents": {},
    "search_rooms": {"min_capacity": 10},
    "get_room_bookings": {"room_ids": ["R01", "R02", "R03"], **DAYS},
    "list_public_holidays": {"country": "Germany"},
    "search_announcements": {},
    "search_wiki": {"keyword": "team"},
    "list_desks": {},
}
"""Calls at level 4."""


@pytest.fixture(scope="module")
def ladder_calls() -> list[ToolCall]:
    """Real calls of a made-up office of level 4."""
    world = made_office()
    box = LadderToolbox(LadderRecords(world))
    for name, arguments in LADDER_CALLS.items():
        box.call(name, arguments)
    for thread in world.threads[:60]:
        kind = "direct_messages" if thread.channel == DIRECT else "thread"
        box.call(f"read_{kind}", {"thread_id": thread.thread_id})
    assert not any(call.is_error for call in box.log)
    return box.log


@pytest.fixture(scope="module")
def calls() -> list[ToolCall]:
    """Real calls of a committed world, one an error."""
    box = Toolbox(Sources(DATASET.world(LEVEL)), tools_of_level(LEVEL))
    for name, arguments in CALLS.items():
        box.call(name, arguments)
    for thread in DATASET.world(LEVEL).threads[:40]:
        box.call("read_thread", {"thread_id": thread.thread_id})
    assert not any(call.is_error for call in box.log)
    box.call("read_thread", {"thread_id": "T0"})
    return box.log


def at(text: str) -> datetime:
    """A local time as calendars show it, without a zone."""
    return datetime.fromisoformat(text)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def said(value: Any, name: str = "") -> Iterator[str]:
    """Every value of some JSON but the IDs of events and their dates, which calendars show in another way."""
    match value:
        case dict():
            yield from (one for key, inner in value.items() for one in said(inner, key))
        case list():
            yield from (one for inner in value for one in said(inner, name))
        case bool():
            yield json.dumps(value)
        case _ if name not in {"event_id", "start", "end"}:
            yield str(value)


@pytest.mark.parametrize("made", ["calls", "ladder_calls"])
def test_nothing_gets_lost(made: str, request: pytest.FixtureRequest) -> None:
    """Every word of a result is in its text for the terminal, and in its card on the page."""
    for call in request.getfixturevalue(made):
        try:
            expected = [word for value in said(json.loads(call.result)) for word in words(value)]
        except ValueError:
            expected = words(call.result.removeprefix("error: ").replace("room_id", "room ID"))
        terminal, page = result_text(call), re.sub("<[^>]*>", " ", str(card(call))).replace("&#39;", "'")

        assert set(expected) <= set(words(terminal)), call.name
        assert set(expected) <= set(words(page.replace("&#34;", '"'))), call.name


def test_each_kind_of_result_has_its_form(calls: list[ToolCall]) -> None:
    """Tables, calendars, talk, passages and problems are told apart."""
    forms = {call.name: {type(part) for part in parts(call)} for call in calls[: len(CALLS)]}
    read, failed = calls[-2:]

    assert {Facts, Table} == forms["search_people"] == forms["list_threads"]
    assert {Facts, Schedule} == forms["get_calendar"] == forms["get_room_bookings"]
    assert {Table} == forms["list_policies"]
    assert {Table, Passage} == forms["list_rooms"]
    assert {Passage} == forms["read_policy_document"] == forms["search_wiki"]
    assert [Talk] == [type(part) for part in parts(read)]
    assert [Problem("no thread 'T0': find thread IDs with search_threads or list_threads")] == parts(failed)


def test_calendars_of_level_4_keep_states_and_series(ladder_calls: list[ToolCall]) -> None:
    """Single entries are a table with their states, recurring ones another; rooms have tables of their own."""
    found = {call.name: parts(call) for call in ladder_calls}
    titles = {name: [part.title for part in told if isinstance(part, Table)] for name, told in found.items()}
    whose = [title.partition(",")[0] for title in titles["get_room_bookings"]]
    single = next(part for part in found["get_calendar"] if isinstance(part, Table))

    assert ["entries", "entries, recurring"] == titles["get_calendar"]
    assert ("entry ID", "title", "state", "starts", "ends") == single.columns
    assert ["R01", "R02", "R03"] == [*dict.fromkeys(title.removeprefix("bookings of room ID ") for title in whose)]
    assert {Talk} == {type(part) for name in ("read_thread", "read_direct_messages") for part in found[name]}


def test_long_rows_in_the_terminal_are_paragraphs(ladder_calls: list[ToolCall]) -> None:
    """No line of a series is longer than the terminal is wide."""
    (text,) = (result_text(call) for call in ladder_calls if call.name == "get_calendar")
    series = text.partition("entries, recurring:\n")[2].splitlines()

    assert series
    assert max(map(len, series)) <= WIDTH


def test_calendar_in_the_terminal_has_a_line_a_day() -> None:
    """Entries stay whole where lines break; days without any are free."""
    busy = tuple(
        Busy(f"Meeting number {hour}", at(f"2027-02-01 {hour:02d}:00"), at(f"2027-02-01 {hour + 1:02d}:00"))
        for hour in range(8, 16)
    )
    content = {
        "first_day": "2027-02-01",
        "last_day": "2027-02-02",
        "busy": [{"title": one.title, "start": f"{one.start}+01:00", "end": f"{one.end}+01:00"} for one in busy],
    }
    call = ToolCall(turn=1, name="get_calendar", arguments={}, result=json.dumps(content), is_error=False, records=())
    lines = result_text(call).splitlines()[2:]

    assert lines[0].startswith("Mon 2027-02-01  08:00-09:00 Meeting number 8; 09:00-10:00 Meeting number 9;")
    assert lines[1].startswith(" " * 16 + "11:00-12:00 Meeting number 11")
    assert "Tue 2027-02-02  free" == lines[-1]
    assert max(map(len, lines)) <= WIDTH


def test_grid_draws_each_entry_at_its_day_and_hour() -> None:
    """Monday is the first column; what overlaps is side by side; an entry over midnight is on both days."""
    schedule = Schedule(
        date(2027, 2, 2),
        date(2027, 2, 9),
        (
            Busy("Review", at("2027-02-02 09:00"), at("2027-02-02 10:30")),
            Busy("Call", at("2027-02-02 10:00"), at("2027-02-02 11:00")),
            Busy("Night shift", at("2027-02-07 23:00"), at("2027-02-08 01:00")),
        ),
    )
    first, second = weeks(schedule)
    review, call, evening = first.blocks
    (night,) = second.blocks

    assert ("Week from Mon 1 Feb to Sun 7 Feb", "Week from Mon 8 Feb to Sun 14 Feb") == (first.name, second.name)
    assert [False, True, True, True, True, True, True] == [column.asked for column in first.columns]
    assert [True, True, False] == [column.asked for column in second.columns[:3]]
    assert LEFT + DAY <= review.x < call.x < LEFT + 2 * DAY
    assert review.x + review.width <= call.x
    assert HEAD + 9 * HOUR == pytest.approx(review.y, abs=1)  # the shift makes the day begin at midnight
    assert 1.5 * HOUR == pytest.approx(review.height, abs=1.1)
    assert LEFT + 6 * DAY <= evening.x < LEFT + 7 * DAY
    assert (HEAD, HOUR) == pytest.approx((night.y, night.height), abs=1.1)
    assert "23:00-24:00 Night shift" == evening.whole


def test_text_in_a_block_fits() -> None:
    """A quarter of an hour shows one line, five minutes none; the whole text is always there."""
    entries = (
        Busy("Works council talk", at("2027-02-01 09:00"), at("2027-02-01 09:15")),
        Busy("Stand-up", at("2027-02-01 10:00"), at("2027-02-01 10:05")),
    )
    (week,) = weeks(Schedule(date(2027, 2, 1), date(2027, 2, 1), entries))

    assert [["09:00-09:15 W\u2026"], []] == [[text for *_, text in block.lines] for block in week.blocks]
    assert "10:00-10:05 Stand-up" == week.blocks[1].whole


def test_hostile_text_stays_text() -> None:
    """What a record says cannot become markup, neither in a card nor in the drawing."""
    content = {"first_day": "2027-02-01", "last_day": "2027-02-01", "busy": [
        {"title": "<script>x</script>\u202e", "start": "2027-02-01T09:00", "end": "2027-02-01T12:00"}
    ]}  # fmt: skip
    call = ToolCall(
        turn=1, name="<b>", arguments={"<i>": "<u>"}, result=json.dumps(content), is_error=False, records=()
    )
    text = str(card(call))

    assert not re.search(r"<(script|b|i|u)>", text)
    assert "\u202e" not in text
