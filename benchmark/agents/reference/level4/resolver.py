"""What the grammar of level 4 asks for: the identifiers behind the names in a text.

The grammar reads text and nothing else. The agent answers by tool calls, tests answer from a world.
"""

from datetime import date, datetime, tzinfo
from typing import NamedTuple, Protocol

from mpcbench.schema.level4.header import MeetingRef, PersonRef, RoleId, RosterId, TeamRef


class EntryFound(NamedTuple):
    """An entry of a calendar that a text names."""

    event_id: str
    day: date | None
    """For a series: the date on which its rule puts the occurrence that is meant. None for a single entry."""


class Message(NamedTuple):
    """One message of a thread, as it was shown."""

    author: str
    """A person ID."""

    sent: datetime
    text: str
    """Without the indentation that the tool adds to its further lines."""


class Resolver(Protocol):
    """Finds what names mean. Every method returns None for a name that it does not know.

    An alias of a person, a team or a meeting is returned as `alias:` and the alias as it is defined, and not as what it
    means. The first letter of an alias is a capital at the beginning of a sentence, and aliases that begin with a small
    letter have an article: "The velvet ladder". Names are given as the text has them, with the article where it has one:
    "the Curlew pricing review", "the Dutch thing". Names of teams, roles and rosters are given without article, and
    without the words "team" and "roster" where these may not be part of the name.
    """

    @property
    def zone(self) -> tzinfo:
        """The world's zone."""

    def person(self, name: str, team: str | None = None) -> PersonRef | None:
        """A person by full name, with the team's name where the text gives it, or by an alias."""

    def team(self, name: str) -> TeamRef | None:
        """A team by its name or by an alias."""

    def role(self, name: str) -> RoleId | None:
        """A role, such as "head of Facilities"."""

    def roster(self, name: str) -> RosterId | None:
        """A roster, such as "Support desk"."""

    def site_zone(self, site: str) -> tzinfo | None:
        """The zone of a site by its exact name; None if there is no such site."""

    def meeting(self, words: str) -> MeetingRef | None:
        """A meeting or plan by its full name, with or without "the", or by an alias."""

    def names_meeting(self, text: str) -> bool:
        """Whether a text holds the name of a meeting or plan, or an alias of one, that is known by now.

        It is asked of sentences that say nothing readable, to tell small talk from what was not understood. So it needs no
        tool call: what nobody has looked for cannot matter.
        """

    def entry(self, person: PersonRef, title: str, day: date) -> EntryFound | None:
        """The entry of this title in the person's calendar.

        A single entry begins on the day, in the world's zone; of a series the occurrence is meant that its rule puts on
        the day, even if it was moved.
        """
