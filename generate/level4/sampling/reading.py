"""Whether what is written can be read back: the reference agent's grammar finds every tag in the text alone."""

from datetime import date, tzinfo

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.benchmark.agents.reference.level4.grammar_task import read_task
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.phrases import UnreadableError
from mpcbench.benchmark.agents.reference.level4.resolver import EntryFound, Message
from mpcbench.generate.level4.wording.drafts import Worded
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS, MeetingRef
from mpcbench.schema.level4.instance import MessageSent
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import LadderPage, LadderThread, LadderWorld


class Reader:
    """Knows the names in an office, and what an instance adds to them."""

    def __init__(self, office: LadderWorld) -> None:
        self._office = office
        self._people: dict[str, list[tuple[str, str]]] = {}
        teams = {team.team_id: team.name for team in office.teams}
        for one in office.people:
            self._people.setdefault(one.name, []).append((one.person_id, teams[one.team]))
        self._person_ids = {one.person_id for one in office.people}
        self._teams = {name: team_id for team_id, name in teams.items()}
        self._roles = {role.name: role.role_id for role in office.roles}
        self._rosters = {roster.name: roster.roster_id for roster in office.rosters}
        self._zones = {site.site: site.zone for site in office.sites}
        self._entries = {calendar.person_id: calendar.entries for calendar in office.calendars}
        self._own = {fact.alias: fact.means for _, _, fact in office.facts() if isinstance(fact, Definition)}
        self._aliases = self._own
        self._meetings: set[str] = set()

    def reads(self, subject: MeetingRef, task: tuple[Said, ...], written: Worded, meetings: set[str]) -> bool:
        """Whether every text says what its tags say, and nothing else.

        Args:
            subject: What is to be planned.
            task: What the task says.
            written: The texts with their tags.
            meetings: The full names of all meetings that the texts are about.
        """
        definitions = [tag for thread in written.threads for message in thread.messages for tag in message.tags] + [
            fact for page in written.pages for fact in page.facts
        ]
        self._meetings = meetings
        self._aliases = {**self._own, **{one.alias: one.means for one in definitions if isinstance(one, Definition)}}
        threads = list(written.threads)
        if written.change is not None and isinstance(edit := written.change.edit, MessageSent):
            place = next(place for place, one in enumerate(threads) if one.thread_id == edit.thread_id)
            longer = (*threads[place].messages, edit.message)
            threads[place] = threads[place].model_copy(update={"messages": longer})
        try:
            return (
                all(read_task(text, self) == (subject, task) for text in written.task)
                and all(map(self._reads_thread, threads))
                and all(map(self._reads_page, written.pages))
            )
        except UnreadableError:
            return False

    def _reads_thread(self, thread: LadderThread) -> bool:
        messages = [Message(one.author, one.sent, one.text) for one in thread.messages]
        return read_thread(messages, self) == tuple(one.tags for one in thread.messages)

    def _reads_page(self, page: LadderPage) -> bool:
        return read_page(page.title, page.text, self) == page.facts

    # What the grammar asks for.

    @property
    def zone(self) -> tzinfo:
        """The world's zone."""
        return self._office.zone

    def person(self, name: str, team: str | None = None) -> str | None:
        """A person by full name and perhaps team, or by an alias."""
        found = [person for person, of in self._people.get(name, ()) if team in {None, of}]
        return found[0] if len(found) == 1 else self._alias(name, self._person_ids)

    def team(self, name: str) -> str | None:
        """A team by its name or an alias."""
        return self._teams.get(name) or self._alias(name, set(self._teams.values()))

    def role(self, name: str) -> str | None:
        """A role."""
        return self._roles.get(name)

    def roster(self, name: str) -> str | None:
        """A roster."""
        return self._rosters.get(name)

    def site_zone(self, site: str) -> tzinfo | None:
        """The zone of a site."""
        return self._zones.get(site)

    def meeting(self, words: str) -> str | None:
        """A meeting by its full name or an alias."""
        bare = words[4:] if words.lower().startswith("the ") else words
        found = next((one for one in (words, bare) if one in self._meetings), None)
        return found or self._alias(words, self._meetings)

    def names_meeting(self, text: str) -> bool:
        """Whether a text holds the name or an alias of a meeting."""
        aliases = {alias for alias in self._aliases if self._meaning(ALIAS + alias) in self._meetings}
        return any(name.lower() in text.lower() for name in self._meetings | aliases)

    def entry(self, person: str, title: str, day: date) -> EntryFound | None:
        """No text of an instance names an entry yet."""
        del person, title, day
        return None

    def _alias(self, words: str, meanings: set[str]) -> str | None:
        for alias in {words, words[:1].lower() + words[1:], words[4:], words[4:5].lower() + words[5:]}:
            if alias in self._aliases and self._meaning(ALIAS + alias) in meanings:
                return ALIAS + alias
        return None

    def _meaning(self, reference: str) -> str:
        while reference.startswith(ALIAS):
            reference = self._aliases.get(reference.removeprefix(ALIAS), "")
        return reference
