"""The records of a world as the tools read them: by ID, and indexed for searches."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from zoneinfo import ZoneInfo

from mpcbench.benchmark.environment.level4.search import SearchIndex
from mpcbench.oracle.level4.changes import changed
from mpcbench.schema.level4.instance import Edit
from mpcbench.schema.level4.world import (
    Bookings,
    Colleague,
    LadderCollection,
    LadderDocument,
    LadderMessage,
    LadderPage,
    LadderSection,
    LadderThread,
    LadderWorld,
    Office,
    PersonalCalendar,
    Role,
    Roster,
    Team,
    TeamCalendar,
)

DIRECT = "direct"
"""The channel of direct messages."""

FoundMessage = tuple[LadderThread, LadderMessage]


class LadderRecords:
    """The records of one world; make it once for a world, since its indexes are built on first use and kept.

    Args:
        world: The records.
        before: Those that the world was made from by an edit: an index that the edit leaves alone is shared.
    """

    def __init__(self, world: LadderWorld, before: "LadderRecords | None" = None) -> None:
        self.world = world
        self._before = before

    def after(self, edit: Edit) -> "LadderRecords":
        """The records after an edit.

        Raises:
            UnknownRecordError: the edit names a record that the world does not hold.
        """
        return LadderRecords(changed(self.world, edit), self)

    # By ID.

    @cached_property
    def sites(self) -> dict[str, Office]:
        """Sites by name without case."""
        return {site.site.casefold(): site for site in self.world.sites}

    @cached_property
    def teams(self) -> dict[str, Team]:
        """Teams by ID."""
        return {team.team_id: team for team in self.world.teams}

    @cached_property
    def rosters(self) -> dict[str, Roster]:
        """Rosters by ID."""
        return {roster.roster_id: roster for roster in self.world.rosters}

    @cached_property
    def calendars(self) -> dict[str, PersonalCalendar]:
        """Calendars by person ID."""
        return {calendar.person_id: calendar for calendar in self.world.calendars}

    @cached_property
    def team_calendars(self) -> dict[str, TeamCalendar]:
        """Calendars of teams by team ID."""
        return {calendar.team_id: calendar for calendar in self.world.team_calendars}

    @cached_property
    def bookings(self) -> dict[str, Bookings]:
        """Bookings by room ID."""
        return {bookings.room_id: bookings for bookings in self.world.room_calendars}

    @cached_property
    def roles(self) -> dict[str, list[Role]]:
        """The roles that a record shows, by record ID."""
        roles: dict[str, list[Role]] = defaultdict(list)
        for role in self.world.roles:
            roles[role.shown_in].append(role)
        return roles

    def documents(self, *, archived: bool) -> list[LadderDocument]:
        """The documents of the archive, or all others."""
        return [document for document in self.world.documents if document.archived is archived]

    def pages(self, collection: LadderCollection) -> list[LadderPage]:
        """The pages of a collection, the latest first."""
        return self._pages[collection]

    def threads(self, *, direct: bool) -> Sequence[LadderThread]:
        """The threads of direct messages, or of channels, the latest first."""
        return self._direct if direct else self._of_channels

    @cached_property
    def _pages(self) -> dict[LadderCollection, list[LadderPage]]:
        ordered = sorted(self.world.pages, key=lambda page: (page.posted, page.page_id), reverse=True)
        return {kind: [page for page in ordered if page.collection is kind] for kind in LadderCollection}

    @cached_property
    def _latest_threads(self) -> list[LadderThread]:
        return sorted(self.world.threads, key=lambda thread: (thread.messages[0].sent, thread.thread_id), reverse=True)

    @cached_property
    def _direct(self) -> list[LadderThread]:
        return [thread for thread in self._latest_threads if thread.channel == DIRECT]

    @cached_property
    def _of_channels(self) -> list[LadderThread]:
        return [thread for thread in self._latest_threads if thread.channel != DIRECT]

    # Zones.

    def zone_at(self, site: str) -> ZoneInfo:
        """The zone of a site; the world's if there is no such site."""
        office = self.sites.get(site.casefold())
        return self.world.zone if office is None else office.zone

    # Names.

    def name_of(self, person_id: str) -> str:
        """How a person is shown where no directory entry is: the name with the team, with the ID only if need be."""
        return self._shown_names.get(person_id, person_id)

    def team_name(self, team_id: str) -> str:
        """The name of a team, or its ID if there is no such team."""
        return self.teams[team_id].name if team_id in self.teams else team_id

    @cached_property
    def _shown_names(self) -> dict[str, str]:
        teams = {person.person_id: self.team_name(person.team) for person in self.world.people}
        equal = Counter((person.name, teams[person.person_id]) for person in self.world.people)
        return {
            person.person_id: f"{person.name} ({teams[person.person_id]})"
            if equal[person.name, teams[person.person_id]] == 1
            else f"{person.name} ({teams[person.person_id]}, {person.person_id})"
            for person in self.world.people
        }

    # Searches.

    def messages(self, *, direct: bool) -> SearchIndex[FoundMessage]:
        """The direct messages, or those of channels, the latest first."""
        return self._direct_messages if direct else self._channel_messages

    @cached_property
    def _direct_messages(self) -> SearchIndex[FoundMessage]:
        # Threads that an edit leaves alone are the same objects, so that comparing them takes no time.
        if self._before is not None and self._before._direct == self._direct:  # noqa: SLF001 - its own class
            return self._before._direct_messages  # noqa: SLF001
        return _index_of_messages(self._direct)

    @cached_property
    def _channel_messages(self) -> SearchIndex[FoundMessage]:
        if self._before is not None and self._before._of_channels == self._of_channels:  # noqa: SLF001
            return self._before._channel_messages  # noqa: SLF001
        return _index_of_messages(self._of_channels)

    def pages_index(self, collection: LadderCollection) -> SearchIndex[LadderPage]:
        """The pages of a collection by title and text, the latest first."""
        return self._page_indexes[collection]

    @cached_property
    def _page_indexes(self) -> dict[LadderCollection, SearchIndex[LadderPage]]:
        return {
            kind: SearchIndex((f"{page.title}\n{page.text}", page) for page in self.pages(kind))
            for kind in LadderCollection
        }

    @cached_property
    def people_index(self) -> SearchIndex[Colleague]:
        """People by what the directory says about them; by name, then by ID."""
        ordered = sorted(self.world.people, key=lambda person: (person.name, person.person_id))
        return SearchIndex((" ".join(self._said_of(person)), person) for person in ordered)

    def _said_of(self, person: Colleague) -> list[str]:
        roles = [role.name for role in self.roles.get(f"person:{person.person_id}", ())]
        return [person.person_id, person.name, person.title, self.team_name(person.team), person.site, *roles]

    @cached_property
    def sections_index(self) -> SearchIndex[tuple[LadderDocument, LadderSection]]:
        """The sections of the documents that are not archived, by document title, heading and text."""
        return SearchIndex(
            (f"{document.title}\n{section.heading}\n{section.text}", (document, section))
            for document in self.documents(archived=False)
            for section in document.sections
        )


def _index_of_messages(threads: Sequence[LadderThread]) -> SearchIndex[FoundMessage]:
    found = [(thread, message) for thread in threads for message in thread.messages]
    found.sort(key=lambda item: (item[1].sent, item[0].thread_id), reverse=True)
    return SearchIndex((message.text, (thread, message)) for thread, message in found)
