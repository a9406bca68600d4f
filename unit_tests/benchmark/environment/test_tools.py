"""The source tools: what they show, the records that they say they showed, and how they answer mistakes."""

import json
from typing import Any

import pytest

from mpcbench.benchmark.environment.tools.catalogue import SOURCE_OF_TOOL, tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema import Source
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model import Level
from unit_tests.builders.small_worlds import world


def called(level: Level, tool: str, /, *, tags: bool = False, **arguments: Any) -> ToolCall:
    """The logged call of one tool."""
    toolbox = Toolbox(Sources(world(level), tags), tools_of_level(level))
    toolbox.call(tool, arguments)
    return toolbox.log[-1]


def content(level: Level, tool: str, /, **arguments: Any) -> Any:
    """The JSON of one tool's result."""
    call = called(level, tool, **arguments)
    assert not call.is_error, call.result
    return json.loads(call.result)


class TestCatalogue:
    @pytest.mark.parametrize(("level", "count"), [(1, 2), (2, 9), (3, 21)])
    def test_every_level_offers_its_tools_once(self, level: Level, count: int) -> None:
        """Every level offers its number of tools, no name twice, each described."""
        tools = tools_of_level(level)

        assert count == len({tool.name for tool in tools}) == len(tools)
        assert all(tool.description for tool in tools)

    @pytest.mark.parametrize(
        ("tool", "arguments", "expected"),
        [
            ("get_calendar", {"person_id": "p999"}, Source.CALENDAR),
            ("read_policy_document", {"document_id": "DOC-99"}, Source.POLICY),
            ("search_wiki", {"keyword": "offsite"}, None),
            ("no_such_tool", {}, None),
        ],
    )
    def test_calls_are_logged_with_their_source(
        self, tool: str, arguments: dict[str, Any], expected: Source | None
    ) -> None:
        """The log names the source that a call queried, also where it failed; decoys and unknown tools have none."""
        assert called(3, tool, **arguments).source is expected

    def test_level_1_takes_only_a_keyword_and_a_date(self) -> None:
        """At level 1 the only parameters are keyword and date."""
        names = {name for tool in tools_of_level(1) for name in tool.parameters["properties"]}

        assert {"keyword", "date"} == names

    def test_every_parameter_is_described(self) -> None:
        """Schemas are closed and say what each parameter means."""
        schemas = [tool.parameters for level in (1, 2, 3) for tool in tools_of_level(level)]

        assert all(schema["additionalProperties"] is False for schema in schemas)
        assert all(one.get("description") for schema in schemas for one in schema["properties"].values())

    def test_dates_and_pages_are_typed(self) -> None:
        """The schemas say what a date and a page look like, from the signature."""
        tools = {tool.name: tool.parameters["properties"] for tool in tools_of_level(3)}

        assert "date" == tools["get_calendar"]["start_date"]["format"]
        assert {"type": "integer", "minimum": 1, "default": 1} == {
            key: value for key, value in tools["list_rooms"]["page"].items() if key != "description"
        }

    def test_every_source_has_a_tool(self) -> None:
        """Each named tool of a source is offered at some level."""
        names = {tool.name for level in (1, 2, 3) for tool in tools_of_level(level)}

        assert set(SOURCE_OF_TOOL) <= names


class TestCalendars:
    def test_a_week_shows_what_touches_its_seven_days(self) -> None:
        """At level 1 the week holds the event that began the night before, and not the eighth day."""
        shown = content(1, "get_calendar", keyword="ada byron", date="2027-02-01")

        assert ["Night watch", "Stand-up"] == [event["title"] for event in shown["busy"]]
        assert ("2027-02-01", "2027-02-07") == (shown["first_day"], shown["last_day"])
        assert {"title": "Stand-up", "start": "2027-02-01T09:00+00:00", "end": "2027-02-01T09:20+00:00"} == (
            shown["busy"][1]
        )

    def test_a_calendar_carries_its_record(self) -> None:
        """The log says whose calendar was shown, even where it is empty."""
        assert ("calendar:p003",) == called(1, "get_calendar", keyword="p003", date="2027-02-01").records

    def test_the_last_day_is_included(self) -> None:
        """At level 2 events of the end date are listed."""
        shown = content(2, "get_calendar", person="Ada Byron", start_date="2027-02-02", end_date="2027-02-08")

        assert ["e3"] == [event["event_id"] for event in shown["busy"]]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"person": "Ada Biron"}, "'Ada Byron'"),
            ({"end_date": "2027-01-31"}, "is before start_date"),
            ({"end_date": "2027-03-04"}, "more than 31 days"),
            ({"start_date": "2028-02-01", "end_date": "2028-02-02"}, "cover 2027-01-04 to 2027-04-04"),
            ({"start_date": "9999-12-31", "end_date": "9999-12-31"}, "nothing is recorded"),
            ({"start_date": "soon"}, "start_date"),
            ({"start_date": 20270201}, "date like 2027-02-01"),
            ({"weekday": 1}, "weekday"),
        ],
    )
    def test_mistakes_come_back(self, arguments: dict[str, Any], message: str) -> None:
        """Unknown names, bad spans and bad dates are errors for the agent that say what is wrong."""
        usual = {"person": "Ada Byron", "start_date": "2027-02-01", "end_date": "2027-02-02"}
        call = called(2, "get_calendar", **(usual | arguments))

        assert call.is_error
        assert message in call.result
        assert () == call.records

    def test_the_last_week_of_time_is_an_error(self) -> None:
        """A week that runs out of the calendar of all years is the agent's mistake too."""
        assert called(1, "get_calendar", keyword="Ada Byron", date="9999-12-31").is_error

    def test_homonyms_are_told_apart_by_id(self) -> None:
        """At level 3 a calendar needs a person ID, and a name is answered with the way to it."""
        shown = content(3, "get_calendar", person_id="p200", start_date="2027-02-01", end_date="2027-02-02")

        assert [] == shown["busy"]
        assert (
            "search_people"
            in called(3, "get_calendar", person_id="Ada Byron", start_date="2027-02-01", end_date="2027-02-02").result
        )


class TestPolicies:
    @pytest.mark.parametrize("keyword", ["POL-01", "pol-01", "Lunch"])
    def test_one_policy_is_a_clean_item(self, keyword: str) -> None:
        """At level 1 a policy's ID or title gives exactly its rules, with the names of the days."""
        assert {
            "policy_id": "POL-01",
            "title": "Lunch",
            "rules": [
                {
                    "start": "12:00",
                    "end": "13:00",
                    "days": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
                    "kind": "lunch_block",
                }
            ],
        } == content(1, "get_policy", keyword=keyword)

    def test_an_unknown_policy_names_the_nearest(self) -> None:
        """A wrong ID is answered with IDs that exist."""
        assert "'POL-02'" in called(1, "get_policy", keyword="POL-22").result

    def test_documents_are_listed_with_their_policies(self) -> None:
        """The list says where each policy is and shows none of them."""
        call = called(2, "list_policies")

        assert [["POL-01"], ["POL-02"]] == [document["policy_ids"] for document in json.loads(call.result)]
        assert () == call.records

    def test_a_document_is_read_whole(self) -> None:
        """Every section is under its heading, with its policy ID, and its policies are the records shown."""
        call = called(2, "read_policy_document", document_id="doc-01")

        assert (
            "# Working together (DOC-01)\n\nHow we meet.\n\n## Purpose\nBe kind.\n\n"
            "## POL-01: Lunch\nNo meeting may overlap the lunch break from 12:00 to 13:00 on Monday to Friday."
        ) == call.result
        assert ("policy:POL-01",) == call.records

    def test_a_heading_without_the_id_gets_it(self) -> None:
        """A reader can tell which section a policy ID means."""
        assert "## POL-02: Pauses" in called(2, "read_policy_document", document_id="DOC-02").result

    def test_tags_stand_beside_the_text(self) -> None:
        """With tags shown, the rules follow the section."""
        shown = called(2, "read_policy_document", tags=True, document_id="DOC-02").result

        assert 'calendars.\n\nrules of POL-02: [{"kind": "buffer_min", "minutes": 10}]' in shown

    def test_an_unknown_document_names_the_documents(self) -> None:
        """A wrong document ID is answered with those that exist."""
        assert "DOC-01, DOC-02" in called(2, "read_policy_document", document_id="POL-01").result


class TestThreads:
    def test_search_finds_messages_whatever_their_case(self) -> None:
        """Every word must be in one message; the latest comes first; a snippet shows no thread."""
        call = called(2, "search_threads", keyword="HERON review")
        found = json.loads(call.result)

        assert ["T0002", "T0001", "T0001"] == [message["thread_id"] for message in found["messages"]]
        assert ("Cara Dunn", "2027-03-29T09:00+01:00") == (
            found["messages"][0]["author"],
            found["messages"][0]["sent"],
        )
        assert () == call.records

    def test_a_quoted_phrase_is_matched_whole(self) -> None:
        """Double quotes keep the words together."""
        assert 2 == content(2, "search_threads", keyword='"heron review"')["total"]

    def test_an_empty_search_is_a_mistake(self) -> None:
        """Nothing to look for is an error."""
        assert called(2, "search_threads", keyword=' ""').is_error

    def test_a_snippet_is_a_part_around_the_match(self) -> None:
        """A long message is cut on both sides."""
        found = content(2, "search_threads", keyword="film")["messages"][0]["snippet"]

        assert "film" in found
        assert found.startswith("\u2026")
        assert len(found) < 65

    def test_a_page_beyond_the_last_is_a_mistake(self) -> None:
        """The error says how many pages there are."""
        assert "the last page is 1" in called(2, "search_threads", keyword="heron", page=2).result

    def test_a_search_without_hits_is_an_empty_page(self) -> None:
        """Finding nothing is no error."""
        assert {"total": 0, "page": 1, "pages": 1, "messages": []} == content(2, "search_threads", keyword="osprey")

    def test_a_thread_is_read_whole(self) -> None:
        """Messages are in order with author and local time, further lines indented."""
        call = called(2, "read_thread", thread_id="t0001")

        assert (
            "Thread T0001 in projects, 2 messages\n"
            "[Wed 2027-01-20T09:00+00:00] Ada Byron: Who is in for the Heron review?\n"
            "[Wed 2027-01-20T09:05+00:00] Ben Cole: Me.\n    The Heron review takes 45 minutes."
        ) == call.result
        assert ("thread:T0001",) == call.records

    def test_homonyms_write_with_their_team(self) -> None:
        """At level 3 an author's team is beside the name."""
        assert "Ada Byron (Platform): Who" in called(3, "read_thread", thread_id="T0001").result

    def test_tags_stand_beside_the_messages(self) -> None:
        """With tags shown, each message is followed by the statements that it makes."""
        lines = called(2, "read_thread", tags=True, thread_id="T0001").result.splitlines()

        assert "    tags: []" == lines[2]
        assert [{"meeting": "Heron review", "statement": {"kind": "duration", "minutes": 45}}] == json.loads(
            lines[-1].removeprefix("    tags: ")
        )

    def test_an_unknown_thread_is_answered_with_the_way(self) -> None:
        """A wrong ID is answered with the tools that find IDs."""
        assert "search_threads" in called(2, "read_thread", thread_id="T9").result

    @pytest.mark.parametrize(("channel", "threads"), [(None, ["T0002", "T0001"]), ("#Projects", ["T0001"])])
    def test_threads_are_listed_by_channel(self, channel: str | None, threads: list[str]) -> None:
        """The filter keeps one channel; the latest thread comes first."""
        assert threads == [thread["thread_id"] for thread in content(2, "list_threads", channel=channel)["threads"]]

    def test_an_unknown_channel_names_the_channels(self) -> None:
        """A wrong channel is answered with those that exist."""
        assert "projects, random" in called(2, "list_threads", channel="sales").result


class TestDirectory:
    def test_search_puts_whole_names_first_and_pages_the_rest(self) -> None:
        """Both homonyms lead, people with one of the names follow on this page and the next."""
        call = called(3, "search_people", name="ada byron")
        first = json.loads(call.result)

        assert ["p001", "p200"] == [person["person_id"] for person in first["people"][:2]]
        assert (12, 2, 10) == (first["total"], first["pages"], len(first["people"]))
        assert "person:p200" in call.records
        assert 2 == len(called(3, "search_people", name="ada byron", page=2).records)

    def test_parts_of_words_count_less_than_words_and_more_than_nothing(self) -> None:
        """Of those who share a word, first come those whose name holds a part of another."""
        people = content(3, "search_people", name="byr q ada")["people"]

        assert ["Ada Byron", "Ada Byron", "Ada Q", "Ada R"] == sorted(person["name"] for person in people[:4])
        assert "Ada R" == people[3]["name"]

    def test_search_does_as_it_says(self) -> None:
        """A word is found inside a longer one, as the description says."""
        description = next(tool.description for tool in tools_of_level(3) if tool.name == "search_people")

        assert "even\ninside a longer word" in description
        assert "Ada Byron" in {person["name"] for person in content(3, "search_people", name="yro")["people"]}

    def test_an_entry_tells_homonyms_apart(self) -> None:
        """A row shows the team, the site and the title."""
        assert {"person_id": "p003", "name": "Cara Dunn", "team": "Finance", "site": "Hill", "title": "Engineer"} == (
            content(3, "search_people", name="cara")["people"][0]
        )

    def test_a_person_is_found_by_id(self) -> None:
        """The whole entry has the e-mail address."""
        assert "p003@example.org" == content(3, "get_person", person_id="p003")["email"]

    @pytest.mark.parametrize(
        ("tool", "arguments"), [("get_person", {"person_id": "x"}), ("search_people", {"name": " "})]
    )
    def test_mistakes_come_back(self, tool: str, arguments: dict[str, Any]) -> None:
        """An unknown ID and an empty name are errors."""
        assert called(3, tool, **arguments).is_error


class TestRooms:
    def test_rooms_are_a_table_in_pages(self) -> None:
        """Ten rooms are on the first page, and exactly those are the records shown."""
        call = called(3, "list_rooms")
        lines = call.result.splitlines()

        assert "room_id | name    | site    | floor | capacity | equipment" == lines[0]
        assert "R01     | Room 1  | Harbour | 1     | 2        | projector, whiteboard" == lines[2]
        assert "page 1 of 2, 13 rooms in all" == lines[-1]
        assert tuple(f"room:R{number:02}" for number in range(1, 11)) == call.records

    def test_rooms_are_filtered_by_site(self) -> None:
        """Only the site's rooms are listed; an unknown site is answered with the sites."""
        assert ("room:R12", "room:R13") == called(3, "list_rooms", site="hill").records
        assert "Harbour, Hill" in called(3, "list_rooms", site="Valley").result

    def test_a_room_is_described(self) -> None:
        """The details are those of the table, as JSON."""
        assert {
            "room_id": "R02",
            "name": "Room 2",
            "site": "Harbour",
            "floor": 2,
            "capacity": 4,
            "equipment": [],
        } == content(3, "get_room_details", room_id="r02")

    def test_bookings_are_listed_by_day(self) -> None:
        """A booking that lasts days is listed on each of them; the record is the room's calendar."""
        call = called(3, "get_room_bookings", room_id="R01", start_date="2027-02-02", end_date="2027-02-02")

        assert ["b1"] == [booking["event_id"] for booking in json.loads(call.result)["bookings"]]
        assert ("room_calendar:R01",) == call.records

    def test_an_unknown_room_is_answered_with_the_way(self) -> None:
        """A wrong room ID is answered with the tool that lists them."""
        assert "list_rooms" in called(3, "get_room_details", room_id="Room 2").result


class TestDecoys:
    @pytest.mark.parametrize(
        ("tool", "arguments", "record"),
        [
            ("search_wiki", {"keyword": "heron"}, "wiki:W1"),
            ("list_public_holidays", {"country": "norway"}, "holiday:H1"),
            ("list_public_holidays", {}, "holiday:H1"),
            ("list_announcements", {}, "announcement:A1"),
            ("search_external_contacts", {"name": "flint"}, "contact:C1"),
            ("get_team_calendar", {"team": "Platform"}, "team_calendar:TC1"),
            ("read_archived_policy", {"page_id": "old1"}, "policy_archive:OLD1"),
            ("list_desks", {"site": "Harbour"}, "desk:D1"),
            ("list_desks", {}, "desk:D1"),
            ("get_building_hours", {"site": "Harbour"}, "building_hours:B1"),
            ("search_newsletters", {"keyword": "flies heron"}, "newsletter:N1"),
        ],
    )
    def test_a_decoy_shows_its_page(self, tool: str, arguments: dict[str, Any], record: str) -> None:
        """Each decoy shows the page asked for, and its record."""
        call = called(3, tool, **arguments)

        assert not call.is_error
        assert (record,) == call.records

    def test_the_archive_is_searched_by_title_only_in_sight(self) -> None:
        """A search of the archive names pages and shows none."""
        call = called(3, "search_policy_archive", keyword="lunch")

        assert [{"page_id": "OLD1", "title": "POL-01: Lunch (2019)"}] == json.loads(call.result)["superseded"]
        assert () == call.records

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [("get_building_hours", {"site": "Valley"}), ("read_archived_policy", {"page_id": "POL-01"})],
    )
    def test_mistakes_come_back(self, tool: str, arguments: dict[str, Any]) -> None:
        """Names that no page has are errors."""
        assert called(3, tool, **arguments).is_error

    def test_an_unknown_name_is_answered_with_what_there_is(self) -> None:
        """The error of a filter names titles that exist."""
        assert "'Norway: Constitution Day'" in called(2, "list_public_holidays", country="Peru").result

    def test_the_archive_says_that_it_is_superseded(self) -> None:
        """The descriptions of the archive's tools are honest."""
        described = {tool.name: tool.description for tool in tools_of_level(3)}

        assert "superseded" in described["search_policy_archive"]
        assert "superseded" in described["read_archived_policy"]
