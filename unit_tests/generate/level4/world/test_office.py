"""The office of level 4: what it holds, how densely, and that tools and engine take it."""

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.generate.level4.world.chatter import CHANNELS, DIRECT
from mpcbench.generate.level4.world.office import make_office
from mpcbench.generate.level4.world.sites import DAYS, OFFICES, SATURDAY, ZONES, moment
from mpcbench.oracle.level4.knowledge import known
from mpcbench.schema.level4.facts import Notice, SiteClosed
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderWorld
from unit_tests.builders.made_office import SEED, made_office

MOST_CHARACTERS = 30_000
MOST_BYTES = 25_000_000


@pytest.fixture
def office() -> LadderWorld:
    return made_office()


class TestMaking:
    @pytest.mark.slow
    @pytest.mark.exhaustive  # the committed office is made again, too
    def test_same_seed_gives_same_bytes(self, office: LadderWorld) -> None:
        """A second office of the seed is written as the first one is."""
        assert office.model_dump_json() == make_office(SEED).model_dump_json()

    def test_file_is_small(self, office: LadderWorld) -> None:
        """The world file stays below 25 MB, and what is read from it equals the office."""
        text = office.model_dump_json()

        assert MOST_BYTES > len(text.encode())
        assert office == LadderWorld.model_validate_json(text)

    def test_record_ids_aliases_and_notices_are_unique(self, office: LadderWorld) -> None:
        """The checks of the data model pass on the finished office."""
        office.check_ids()

    def test_nothing_is_later_than_today(self, office: LadderWorld) -> None:
        """No message is sent and no page posted after the office's today, which is before its period."""
        sent = [message.sent for thread in office.threads for message in thread.messages]
        posted = [page.posted for page in office.pages]

        assert office.today >= max(sent)
        assert office.today >= max(posted)
        assert office.today < office.period.start
        for thread in office.threads:
            times = [message.sent for message in thread.messages]
            assert sorted(times) == times


class TestSize:
    def test_people_sites_rooms_and_teams(self, office: LadderWorld) -> None:
        """There are 300 people, at least 40 of them at each of 4 sites in 4 zones, 80 rooms, and teams across sites."""
        at = Counter(person.site for person in office.people)
        site_of = {person.person_id: person.site for person in office.people}
        spread = [team for team in office.teams if len({site_of[member] for member in team.members}) > 1]

        assert 300 == len(office.people)
        assert {one.site for one in office.sites} == set(at)
        assert min(at.values()) >= 40
        assert 4 == len({one.timezone for one in office.sites})
        assert {one.site: 20 for one in office.sites} == dict(Counter(room.site for room in office.rooms))
        assert len(spread) >= 14
        assert 0.05 < sum(person.contractor for person in office.people) / 300 < 0.2

    def test_chat(self, office: LadderWorld) -> None:
        """There are 2,500 threads in 20 channels and direct messages, and many meetings are spoken of."""
        channels = Counter(thread.channel for thread in office.threads)
        about = {
            tag.about
            for thread in office.threads
            for message in thread.messages
            for tag in message.tags
            if isinstance(tag, Said)
        }

        assert 2500 == len(office.threads)
        assert {*CHANNELS, DIRECT} == set(channels)
        assert len(CHANNELS) == 20
        assert min(channels.values()) >= 50
        assert len(about) >= 600

    def test_clocks_change_within_the_period(self) -> None:
        """The offset from home changes on different days at two sites, and at one site never."""
        changes = {
            office.site: [
                day for before, day in pairwise(DAYS) if _offset(office.site, before) != _offset(office.site, day)
            ]
            for office in OFFICES
        }

        assert [] in changes.values()
        assert 2 == len({tuple(days) for days in changes.values() if days})

    def test_holidays(self, office: LadderWorld) -> None:
        """Each of the four countries has at least two public holidays on weekdays of the period, some of its own."""
        days = {
            one.country: {
                holiday.day for holiday in one.days if holiday.day in DAYS and holiday.day.weekday() < SATURDAY
            }
            for one in office.holidays
        }

        assert {one.country for one in office.sites} == set(days)
        for country, some in days.items():
            others = set().union(*(other for name, other in days.items() if name != country))
            assert len(some) >= 2
            assert country == "Germany" or some - others


class TestUse:
    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("search_people", {"keyword": "engineer"}),
            ("list_teams", {"page": 2}),
            ("get_team", {"team_id": "TEAM-07"}),
            ("get_roster", {"roster_id": "RST-05"}),
            ("get_calendar", {"person_id": "p017", "start_date": "2027-03-15", "end_date": "2027-04-14"}),
            ("get_team_calendar", {"team_id": "TEAM-07", "start_date": "2027-03-15", "end_date": "2027-04-14"}),
            ("get_room_bookings", {
                "room_ids": [f"R{number:02}" for number in range(1, 11)],
                "start_date": "2027-03-15", "end_date": "2027-04-14",
            }),
            ("search_rooms", {"site": "Mill Lane"}),
            ("search_messages", {"keyword": "review"}),
            ("search_direct_messages", {"keyword": "review"}),
            ("list_threads", {"channel": "planning"}),
            ("list_direct_messages", {}),
            ("list_policy_documents", {}),
            ("read_policy_document", {"document_id": "DOC-02"}),
            ("list_policy_archive", {}),
            ("search_site_news", {}),
            ("search_announcements", {"keyword": "new"}),
            ("look_up_glossary", {"keyword": "mean"}),
            ("get_site", {"site": "North Campus"}),
            ("list_public_holidays", {"country": "Portugal"}),
        ],
    )  # fmt: skip
    def test_tools_answer_in_pages(self, office: LadderWorld, tool: str, arguments: dict[str, object]) -> None:
        """A tool's result over the office is no error and not longer than clients take."""
        toolbox = LadderToolbox(LadderRecords(office))

        text = toolbox.call(tool, arguments)

        assert not toolbox.log[-1].is_error, text
        assert 100 < len(text) <= MOST_CHARACTERS

    def test_engine_indexes_the_office(self, office: LadderWorld) -> None:
        """The engine's knowledge holds every person, edition, room and notice."""
        knowledge = known(office)

        assert len(office.people) == len(knowledge.people) == len(knowledge.calendars)
        assert len(list(office.policies)) == len(knowledge.policies)
        assert len(office.rooms) == len(knowledge.rooms)
        assert len([fact for _, _, fact in office.facts() if isinstance(fact, Notice)]) == len(knowledge.notices)

    def test_every_site_is_closed_for_days_and_for_hours(self, office: LadderWorld) -> None:
        """Closures of several days put off the meetings of a plan."""
        notices = [fact for _, _, fact in office.facts() if isinstance(fact, Notice)]
        closed = [effect for one in notices for effect in one.effects if isinstance(effect, SiteClosed)]

        for site in office.sites:
            lengths = [one.end - one.start for one in closed if one.site == site.site]
            assert min(lengths) <= timedelta(days=1)
            assert timedelta(days=2) <= max(lengths) <= timedelta(days=4)


def _offset(site: str, day: date) -> timedelta | None:
    return moment(day, 12 * 60, ZONES[site]).utcoffset()
