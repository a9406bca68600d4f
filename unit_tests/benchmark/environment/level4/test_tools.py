"""The tools of level 4: what they show, the records that they say they showed, and how they answer mistakes."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpcbench.benchmark.agents.endpoint.chat_completions import ChatCompletions
from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.benchmark.environment.level4.tools.catalogue import SOURCE_OF_TOOL, ladder_tools
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.level4.mechanism import LadderSource
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.world import LadderWorld
from unit_tests.benchmark.environment.level4.crawl import DAYS, called, crawl
from unit_tests.builders.office_records import OFFICE, large_office

MOST = 30_000
RECORDS = LadderRecords(OFFICE)


def call(tool: str, /, **arguments: Any) -> ToolCall:
    """The logged call of one tool."""
    toolbox = LadderToolbox(RECORDS)
    toolbox.call(tool, arguments)
    return toolbox.log[-1]


def content(tool: str, /, **arguments: Any) -> Any:
    """The JSON of one tool's result."""
    done = call(tool, **arguments)
    assert not done.is_error, done.result
    return json.loads(done.result)


def crawled(world: LadderWorld) -> list[ToolCall]:
    toolbox = LadderToolbox(LadderRecords(world))
    crawl(toolbox)
    return toolbox.log


class TestCatalogue:
    def test_every_tool_is_described_and_closed(self) -> None:
        """No name is used twice, every tool and every parameter says what it is for, and nothing else is taken."""
        tools = ladder_tools()
        schemas = [tool.parameters for tool in tools]

        assert len(tools) == len({tool.name for tool in tools}) == len(SOURCE_OF_TOOL)
        assert all(tool.description for tool in tools)
        assert all(schema["additionalProperties"] is False for schema in schemas)
        assert all(one.get("description") for schema in schemas for one in schema["properties"].values())

    def test_every_source_has_a_tool(self) -> None:
        """Each source of level 4 can be queried."""
        assert set(LadderSource) == set(SOURCE_OF_TOOL.values())

    def test_schemas_are_those_of_openai_and_mcp(self) -> None:
        """Both list every tool with its description and the schema that is derived from its signature."""
        tools = ladder_tools()
        expected = [(tool.name, tool.description, tool.parameters) for tool in tools]
        functions: list[Any] = [ChatCompletions().tool(tool)["function"] for tool in tools]
        listed = McpEpisode(Task("level4-000", "", ""), LadderToolbox(RECORDS)).tools

        assert expected == [(one["name"], one["description"], one["parameters"]) for one in functions]
        assert expected == [(one["name"], one["description"], one["inputSchema"]) for one in listed[:-1]]

    def test_filters_are_typed(self) -> None:
        """The schemas say that pieces of equipment and rooms are lists, and how many rooms a call takes."""
        tools = {tool.name: tool.parameters["properties"] for tool in ladder_tools()}
        rooms = tools["get_room_bookings"]["room_ids"]

        assert ("array", 1, 10) == (rooms["type"], rooms["minItems"], rooms["maxItems"])
        assert ("array", "string") == (
            tools["search_rooms"]["equipment"]["type"],
            tools["search_rooms"]["equipment"]["items"]["type"],
        )


class TestWholeWorlds:
    @pytest.mark.parametrize("scale", [1, 2])
    def test_every_record_can_be_reached(self, scale: int) -> None:
        """An agent that follows whatever it reads is shown every record, and no result is too long."""
        for world in (OFFICE, large_office(scale, scale, text_words=20 // scale)):
            log = crawled(world)

            assert set(world.record_ids()) == {record for one in log for record in one.records}
            assert max(len(one.result) for one in log) < MOST

    @settings(max_examples=5, deadline=None)
    @given(seed=st.integers(0, 10**6), text_words=st.sampled_from((3, 3_000)))
    def test_results_are_bounded_whatever_their_texts(self, seed: int, text_words: int) -> None:
        """Texts of tens of thousands of characters are shown on pages of less than 30,000."""
        world = large_office(seed, text_words=text_words)
        tools = LadderToolbox(LadderRecords(world))
        for thread in world.threads[:5]:
            name = "read_direct_messages" if thread.channel == "direct" else "read_thread"
            shown = "\n".join(one.result for one in called(tools, name, {"thread_id": thread.thread_id}))

            assert all(_squeezed(message.text) in _squeezed_pages(shown) for message in thread.messages)
        for document in world.documents:
            name = "read_archived_document" if document.archived else "read_policy_document"
            called(tools, name, {"document_id": document.document_id})

        assert max(len(one.result) for one in tools.log) < MOST

    def test_nothing_of_a_tag_is_shown(self) -> None:
        """The same office without a tag, a fact or a rule gives the same results, byte for byte."""
        threads = tuple(
            thread.model_copy(
                update={"messages": tuple(one.model_copy(update={"tags": ()}) for one in thread.messages)}
            )
            for thread in OFFICE.threads
        )
        documents = tuple(
            document.model_copy(
                update={
                    "sections": tuple(
                        section.model_copy(update={"policy": section.policy and _bare(section.policy)})
                        for section in document.sections
                    )
                }
            )
            for document in OFFICE.documents
        )
        pages = tuple(page.model_copy(update={"facts": ()}) for page in OFFICE.pages)
        bare = OFFICE.model_copy(update={"threads": threads, "documents": documents, "pages": pages})

        assert bare != OFFICE
        assert crawled(bare) == crawled(OFFICE)

    def test_pages_are_complete_and_disjoint(self) -> None:
        """Over the pages of each list every item is shown once."""
        world = large_office(3, 2)
        records = LadderRecords(world)
        tools = LadderToolbox(records)
        channels = {thread.channel for thread in world.threads} - {"direct"}
        expected = {
            "list_teams": [team.team_id for team in world.teams],
            "list_rosters": [roster.roster_id for roster in world.rosters],
            "list_direct_messages": [one.thread_id for one in world.threads if one.channel == "direct"],
            "list_channels": sorted(channels),
            "list_policy_documents": [one.document_id for one in world.documents if not one.archived],
            "list_policy_archive": [one.document_id for one in world.documents if one.archived],
            "search_announcements": [one.page_id for one in world.pages if one.collection == "announcement"],
        }
        for name, ids in expected.items():
            assert sorted(ids) == sorted(_ids(called(tools, name, {}))), name
        for channel in channels:
            ids = [one.thread_id for one in world.threads if one.channel == channel]

            assert sorted(ids) == sorted(_ids(called(tools, "list_threads", {"channel": channel})))

    def test_pages_of_calendars_and_bookings_are_complete_and_disjoint(self) -> None:
        """Entries of one calendar, and bookings of ten rooms, are shown once each, over several pages."""
        world = large_office(4, 3, text_words=30)
        tools = LadderToolbox(LadderRecords(world))
        person = max(world.calendars, key=lambda calendar: len(calendar.entries))
        rooms = [room.room_id for room in world.rooms[:10]]
        month = {"start_date": "2027-01-05", "end_date": "2027-02-04"}
        calendar = called(tools, "get_calendar", {"person_id": person.person_id} | month)
        bookings = called(tools, "get_room_bookings", {"room_ids": rooms} | month)
        shown = [entry["entry_id"] for one in calendar for entry in json.loads(one.result)["entries"]]
        booked = [
            (room["room_id"], booking["entry_id"])
            for one in bookings
            for room in json.loads(one.result)["rooms"]
            for booking in room["bookings"]
        ]

        assert len(calendar) > 1
        assert len(bookings) > 1
        assert len(shown) == len(set(shown)) > 50
        assert len(booked) == len(set(booked)) > 50
        assert {f"room_calendar:{room}" for room in rooms} == {record for one in bookings for record in one.records}


def _ids(calls: list[ToolCall]) -> list[str]:
    """The first value of every row."""
    rows = [row for one in calls for key, row in json.loads(one.result).items() if isinstance(row, list)]
    return [
        str(next(value for name, value in one.items() if name.endswith("_id") or name == "channel"))
        for row in rows
        for one in row
    ]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _squeezed_pages(text: str) -> str:
    """The pages without their headings."""
    return _squeezed("\n".join(line for line in text.splitlines() if not line.startswith(("Thread ", "Direct "))))


def _bare(policy: Policy) -> Policy:
    return Policy(policy_id=policy.policy_id, edition=policy.edition)


class TestPeople:
    def test_search_finds_names_roles_and_teams_whatever_their_accents(self) -> None:
        """Words of the name, of a role that the directory shows and of the team lead to people."""
        for keyword, expected in (("jose NUNEZ", "p006"), ("head of facilities", "p002"), ("Byron Platform", "p001")):
            assert expected == content("search_people", keyword=keyword)["people"][0]["person_id"]

    def test_an_entry_says_all_that_a_meeting_can_depend_on(self) -> None:
        """Site, team, manager, contractor and the roles that the directory shows are in an entry."""
        assert {
            "person_id": "p002",
            "name": "Ben Cole",
            "title": "Engineer",
            "team": {"team_id": "TEAM-02", "name": "Raven"},
            "site": "Hill",
            "email": "p002@example.org",
            "manager": None,
            "contractor": False,
            "roles": [{"role": "head of Facilities", "holder": {"person_id": "p002", "name": "Ben Cole"}}],
        } == content("get_person", person_id="P002")
        assert {"person_id": "p002", "name": "Ben Cole"} == content("get_person", person_id="p004")["manager"]
        assert content("get_person", person_id="p004")["contractor"] is True

    def test_a_team_page_names_roles_and_members(self) -> None:
        """A role that the page of a team shows is there with its holder."""
        done = call("get_team", team_id="team-01")
        shown = json.loads(done.result)

        assert [{"role": "head of Platform", "holder": {"person_id": "p001", "name": "Ada Byron"}}] == shown["roles"]
        assert ["p001", "p003"] == [member["person_id"] for member in shown["members"]]
        assert ("team:TEAM-01",) == done.records

    def test_a_roster_keeps_the_order_of_its_lines(self) -> None:
        """Lines are shown as they are stored, since the lower one of a day counts."""
        assert (
            "RST-01 support desk, 2 lines, page 1 of 1\n"
            "2027-02-01 to 2027-02-07: Ada Byron (p001)\n"
            "2027-02-03 to 2027-02-03: Ada Byron (p004)"
        ) == call("get_roster", roster_id="RST-01").result


class TestSites:
    def test_a_site_tells_country_zone_and_hours(self) -> None:
        """The page of a site shows its opening hours by weekday."""
        done = call("get_site", site="harbour")

        assert (
            "Site Harbour, page 1 of 1\nCountry: PT\nTime zone: Europe/Lisbon\n"
            "The building is usually open, local time:\n"
            "- 08:00 to 18:00 on Monday, Tuesday, Wednesday, Thursday, Friday\n"
            "- 09:00 to 13:00 on Saturday"
        ) == done.result
        assert ("site:Harbour",) == done.records

    def test_a_site_without_hours_is_not_open(self) -> None:
        """What no hours mean is said, and a role without a holder is held by nobody."""
        assert call("get_site", site="Hill").result.endswith("The building is usually not open.\nreception: nobody")

    def test_holidays_are_dated(self) -> None:
        """A holiday is shown with its weekday; a country without any says so."""
        assert "Tue 2027-02-09 Carnival" == call("list_public_holidays", country="pt").result.splitlines()[-1]
        assert "none" == call("list_public_holidays", country="US").result.splitlines()[-1]
        assert ("holidays:US",) == call("list_public_holidays", country="US").records


class TestCalendars:
    def test_times_are_those_of_the_persons_site(self) -> None:
        """Days and offsets are local to the site, and a private entry has no title."""
        shown = content("get_calendar", person_id="p001", start_date="2027-02-08", end_date="2027-02-08")

        assert {
            "entry_id": "e1",
            "title": "(private)",
            "state": "busy",
            "starts": "2027-02-08T08:00+00:00",
            "ends": "2027-02-08T08:45+00:00",
        } == shown["entries"][1]
        assert "2027-02-08T09:00-05:00" == content("get_calendar", person_id="p002", **DAYS)["entries"][0]["starts"]

    def test_a_series_is_its_rule_with_exceptions_and_moves(self) -> None:
        """A recurring entry is shown once, as calendars export it."""
        shown = content("get_calendar", person_id="p001", start_date="2027-02-15", end_date="2027-02-15")

        assert [
            {
                "entry_id": "e2",
                "title": "Design critique",
                "state": "tentative",
                "repeats": "every 2 weeks on Monday and Thursday",
                "first_day": "2027-02-01",
                "last_day": "2027-03-31",
                "time": "10:00",
                "minutes": 90,
                "time_zone": "Europe/Berlin",
                "not_on": ["2027-02-15"],
                "moved": [
                    {
                        "instead_of": "2027-03-01",
                        "starts": "2027-03-02T13:00+00:00",
                        "ends": "2027-03-02T14:00+00:00",
                        "state": "busy",
                    }
                ],
            }
        ] == shown["entries"]

    def test_team_calendars_are_in_the_organisations_zone(self) -> None:
        """A team has no site of its own."""
        done = call("get_team_calendar", team_id="TEAM-02", **DAYS)

        assert "2027-02-08T15:00+01:00" == json.loads(done.result)["entries"][0]["starts"]
        assert ("team_calendar:TEAM-02",) == done.records

    def test_a_calendar_that_nobody_keeps_is_empty_and_no_record(self) -> None:
        """What the world does not hold is not logged as shown; an empty calendar is."""
        assert () == call("get_calendar", person_id="p004", **DAYS).records
        assert ("calendar:p006",) == call("get_calendar", person_id="p006", **DAYS).records


class TestRooms:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ({}, ["R01", "R02", "R03"]),
            ({"min_capacity": 5}, ["R01", "R03"]),
            ({"equipment": ["Projector", "whiteboard"]}, ["R01"]),
            ({"site": "hill", "equipment": ["projector"]}, ["R02"]),
            ({"site": "Hill", "min_capacity": 20}, []),
        ],
    )
    def test_rooms_are_filtered(self, arguments: dict[str, Any], expected: list[str]) -> None:
        """Only rooms that have everything are listed, and exactly they are shown."""
        assert [f"room:{room}" for room in expected] == list(call("search_rooms", **arguments).records)

    def test_bookings_of_several_rooms_come_by_room(self) -> None:
        """Each room asked for is listed once, in its site's zone, even without a booking or a calendar."""
        done = call("get_room_bookings", room_ids=["R03", "r02", "R01", "R02"], **DAYS)
        rooms = json.loads(done.result)["rooms"]

        assert [("R03", 0), ("R02", 1), ("R01", 1)] == [(room["room_id"], len(room["bookings"])) for room in rooms]
        assert ("(private)", "tentative", "2027-02-08T12:00-05:00") == tuple(
            rooms[1]["bookings"][0][name] for name in ("title", "state", "starts")
        )
        assert ("room_calendar:R02", "room_calendar:R01") == done.records


class TestChat:
    def test_a_thread_is_read_whole(self) -> None:
        """Messages are in order with author and time; homonyms are told apart by team, and by ID only if need be."""
        done = call("read_thread", thread_id="t0001")

        assert (
            "Thread T0001 in projects, 2 messages, page 1 of 1\n"
            "[Wed 2027-01-20T09:00+01:00] Ada Byron (Platform): Who is in for the Heron review?\n"
            "[Wed 2027-01-20T09:05+01:00] Ben Cole (Raven): Me.\n    The Heron review takes 45 minutes."
        ) == done.result
        assert ("thread:T0001",) == done.records
        assert "Ada Byron (Raven, p004): Could" in call("read_direct_messages", thread_id="T0003").result

    def test_each_chat_searches_its_own_messages(self) -> None:
        """Direct messages are not found in channels, nor the other way round."""
        assert ["T0001", "T0001", "T0002"] == [
            one["thread_id"] for one in content("search_messages", keyword="the Heron review")["messages"]
        ]
        assert ["T0003"] == [
            one["thread_id"] for one in content("search_direct_messages", keyword="review")["messages"]
        ]

    def test_a_snippet_can_show_a_thread(self) -> None:
        """A thread is shown by a search or a list exactly if it has one message, and the row holds all of that."""
        threads = {thread.thread_id: thread for thread in OFFICE.threads}
        for tool, arguments in (
            ("search_messages", {"keyword": "heron"}),
            ("list_threads", {"channel": "random"}),
            ("list_threads", {"channel": "projects"}),
            ("search_direct_messages", {"keyword": "review"}),
            ("list_direct_messages", {}),
        ):
            done = call(tool, **arguments)
            found = json.loads(done.result)
            rows = next(rows for rows in found.values() if isinstance(rows, list))
            shown = []
            for row in rows:
                (first, *others) = threads[row["thread_id"]].messages
                if not others and first.text == (row["snippet"] if "snippet" in row else row["beginning"]):
                    shown.append(f"thread:{row['thread_id']}")

            assert shown == list(done.records)
        assert ("thread:T0002",) == call("search_messages", keyword="heron").records

    def test_a_search_can_show_only_the_best(self) -> None:
        """Of more messages than 50 the rest cannot be paged to, and the result says so."""
        tools = LadderToolbox(LadderRecords(large_office(5, 3)))
        calls = called(tools, "search_messages", {"keyword": "heron"})
        first = json.loads(calls[0].result)

        assert first["total"] > 50
        assert (5, 5) == (first["pages"], len(calls))
        assert "only the best 50" in first["note"]

    def test_direct_messages_are_listed_by_author(self) -> None:
        """The filter keeps conversations in which the person wrote."""
        assert 1 == content("list_direct_messages", person_id="p004")["total"]
        assert 0 == content("list_direct_messages", person_id="p001")["total"]


class TestPolicies:
    def test_a_document_shows_the_edition_of_each_policy(self) -> None:
        """A heading that does not name policy and edition gets them, and exactly those editions are shown."""
        done = call("read_policy_document", document_id="doc-01")

        assert (
            "# Working together (DOC-01), page 1 of 1\n\nHow we meet.\n\n## Purpose\nBe kind.\n\n"
            "## POL-01, edition 2: Pauses\nFrom 1 February on, 10 minutes lie between two meetings of a person.\n\n"
            "## POL-02, edition 1: Holidays\nNobody meets on a public holiday."
        ) == done.result
        assert ("policy:POL-01@2", "policy:POL-02@1") == done.records

    def test_the_archive_is_apart(self) -> None:
        """An archived copy is listed and read in the archive only, and no search finds it."""
        assert ["DOC-02"] == [one["document_id"] for one in content("list_policy_archive")["documents"]]
        assert ("policy:POL-01@1",) == call("read_archived_document", document_id="DOC-02").records
        assert call("read_policy_document", document_id="DOC-02").is_error
        assert 0 == content("search_policies", keyword="January")["total"]


class TestIntranet:
    @pytest.mark.parametrize(
        ("tool", "arguments", "records"),
        [
            ("look_up_glossary", {"keyword": "dutch thing"}, ("glossary:G1",)),
            ("search_contacts", {"keyword": "flint"}, ("contact:C1",)),
            ("list_desks", {}, ("desk:D1",)),
            ("read_announcement", {"page_id": "a1"}, ("announcement:A1",)),
            ("read_site_news", {"page_id": "S1"}, ("site_news:S1",)),
            ("read_wiki_page", {"page_id": "W1"}, ("wiki:W1",)),
            ("read_newsletter", {"page_id": "L1"}, ("newsletter:L1",)),
            ("search_announcements", {"keyword": "platform"}, ("announcement:A1",)),
            ("search_wiki", {"keyword": "heron"}, ()),
        ],
    )
    def test_whole_pages_are_records(self, tool: str, arguments: dict[str, Any], records: tuple[str, ...]) -> None:
        """A page that is shown whole is logged, also where a snippet holds all of it; a part of one is not."""
        done = call(tool, **arguments)

        assert not done.is_error
        assert records == done.records

    def test_a_page_is_shown_with_its_date(self) -> None:
        """The date of a page says which of two notices is the later one."""
        assert (
            "[A1] New head of Platform, 2027-01-20T09:00+01:00, page 1 of 1\nFrom 1 March on Cara Dunn is head of Platform."
        ) == call("read_announcement", page_id="A1").result

    def test_announcements_are_listed_without_a_word(self) -> None:
        """Without a keyword all are listed, the latest first."""
        assert ["A2", "A1"] == [one["page_id"] for one in content("search_announcements")["pages_found"]]


class TestMistakes:
    @pytest.mark.parametrize(
        ("tool", "arguments", "message"),
        [
            ("get_person", {"person_id": "Ada Byron"}, "search_people"),
            ("search_people", {"keyword": " -_"}, "holds no word"),
            ("search_people", {"keyword": "ada", "page": 9}, "the last page is 1"),
            ("search_people", {"keyword": "x" * 201}, "at most 200 characters"),
            ("get_team", {"team_id": "Raven"}, "list_teams"),
            ("get_team_calendar", {"team_id": "Raven", **DAYS}, "list_teams"),
            ("get_roster", {"roster_id": "desk"}, "list_rosters"),
            ("get_site", {"site": "Harbor"}, "the nearest are 'Harbour'"),
            ("list_public_holidays", {"country": "Peru"}, "the countries are PT, US"),
            ("get_calendar", {"person_id": "p1", **DAYS}, "search_people"),
            ("get_calendar", {"person_id": "p001", "start_date": "2027-02-02", "end_date": "2027-02-01"}, "is before"),
            ("get_calendar", {"person_id": "p001", "start_date": "2027-02-01", "end_date": "2027-03-31"}, "31 days"),
            ("get_calendar", {"person_id": "p001", "start_date": "2028-02-01", "end_date": "2028-02-01"}, "cover"),
            ("get_calendar", {"person_id": "p001", "start_date": 20270201, "end_date": "2027-02-01"}, "date like"),
            ("search_rooms", {"site": "Valley"}, "Harbour, Hill"),
            ("search_rooms", {"equipment": ["projecter"]}, "'projector'"),
            ("search_rooms", {"equipment": "projector"}, "equipment"),
            ("search_rooms", {"min_capacity": 0}, "min_capacity"),
            ("get_room", {"room_id": "Ash"}, "search_rooms"),
            ("get_room_bookings", {"room_ids": [], **DAYS}, "room_ids"),
            ("get_room_bookings", {"room_ids": ["R01"] * 11, **DAYS}, "room_ids"),
            ("get_room_bookings", {"room_ids": ["R01", "R99"], **DAYS}, "'R99'"),
            ("read_thread", {"thread_id": "T9"}, "search_messages"),
            ("read_thread", {"thread_id": "T0003"}, "read_direct_messages"),
            ("read_direct_messages", {"thread_id": "T9"}, "search_direct_messages"),
            ("read_direct_messages", {"thread_id": "T0001"}, "read_thread"),
            ("list_threads", {"channel": "project"}, "'projects'"),
            ("list_threads", {"channel": "direct"}, "list_channels"),
            ("list_direct_messages", {"person_id": "Ben"}, "search_people"),
            ("read_policy_document", {"document_id": "POL-01"}, "list_policy_documents"),
            ("read_archived_document", {"document_id": "DOC-01"}, "list_policy_archive"),
            ("read_announcement", {"page_id": "W1"}, "search_announcements"),
            ("read_wiki_page", {"page_id": "W1", "page": 2}, "the last page is 1"),
            ("search_wiki", {"keyword": "room", "site": "Hill"}, "site"),
            ("list_rooms", {}, "no tool 'list_rooms'"),
        ],
    )
    def test_mistakes_come_back(self, tool: str, arguments: dict[str, Any], message: str) -> None:
        """Unknown names, bad spans and bad arguments are one-line errors that say what to do; they show nothing."""
        done = call(tool, **arguments)

        assert done.is_error
        assert message in done.result
        assert "\n" not in done.result
        assert () == done.records
