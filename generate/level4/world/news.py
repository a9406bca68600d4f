"""What is made known, where and when: definitions, changes of roles and duties, and notices, on pages or in chat."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.level4.naming import OFFICE_PAGES, page_id
from mpcbench.generate.level4.world.names import PooledName
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.roles import Duties
from mpcbench.generate.level4.world.sites import SATURDAY, TODAY, moment
from mpcbench.schema.level4.facts import Definition, Fact, Handover, NewManager, Notice, Swap
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.world import LadderCollection

DAYS_BACK: Final = 70
"""Everything was posted within so many days before today."""

_PEOPLE, _TEAMS, _MEETINGS, _CHAINED = 24, 12, 60, 12
"""How many of them have aliases, and how many aliases mean another one."""

_NICKNAMES: Final = (
    "the Night Owls", "the Bean Counters", "the Wire Room", "the Engine Room", "the Lighthouse", "the Toolbox Crew",
    "the Map Room", "the Front Porch", "the Workbench", "the Sorting Office", "the Back Stage", "the Signal Box",
    "the Boat House", "the Paper Mill", "the Switchboard", "the Greenhouse",
)  # fmt: skip

_PLACES: Final = {
    Definition: (*4 * [LadderCollection.GLOSSARY], *4 * [LadderCollection.WIKI], *3 * [None]),
    Handover: (
        *2 * [LadderCollection.ANNOUNCEMENT],
        *3 * [LadderCollection.NEWSLETTER],
        LadderCollection.WIKI,
        *2 * [None],
    ),
    NewManager: (LadderCollection.ANNOUNCEMENT, *3 * [LadderCollection.NEWSLETTER], *2 * [None]),
    Swap: (LadderCollection.ANNOUNCEMENT, LadderCollection.SITE_NEWS, *4 * [None]),
    Notice: (*4 * [LadderCollection.SITE_NEWS], *3 * [LadderCollection.ANNOUNCEMENT]),
}
"""Where each kind of fact is stated; None is the chat."""


class Posting(NamedTuple):
    """One fact and when it is made known."""

    collection: LadderCollection | None
    """None: in a message."""

    posted: datetime
    fact: Fact


class Desk:
    """Gives out the IDs of the office's pages and the times at which they are posted."""

    def __init__(self, seed: int, rng: Random) -> None:
        self.seed = seed
        self.rng = rng
        self.used: dict[LadderCollection, int] = {}

    def page_id(self, collection: LadderCollection) -> str:
        """The next ID of a collection."""
        place = self.used.get(collection, 0)
        self.used[collection] = place + 1
        return page_id(self.seed, collection, OFFICE_PAGES + place)

    def moment(self) -> datetime:
        """A working time of the weeks before today."""
        return working_time(self.rng)


def working_time(rng: Random, latest: int = 2, earliest: int = DAYS_BACK) -> datetime:
    """Some working time of the days from so many before today to so many."""
    days = [TODAY - timedelta(days=number) for number in range(latest, earliest + 1)]
    return moment(rng.choice([day for day in days if day.weekday() < SATURDAY]), rng.randrange(8 * 60, 17 * 60 + 30))


def aliases(people: Staff, meetings: Sequence[PooledName], rng: Random) -> Iterator[Definition]:
    """Short names of people, of teams and of the office's own meetings; some mean another one."""
    used: set[str] = set()
    for person in rng.sample(people.people, _PEOPLE):
        first, last = person.name.upper().split()
        code = next(
            code
            for code in (first[0] + last[:2], first[:2] + last[0], first[0] + last[0] + last[-1], first[0] + last[:3])
            if code not in used
        )
        used.add(code)
        yield Definition(alias=code, means=person.person_id)
    for team, nickname in zip(rng.sample(people.teams, _TEAMS), rng.sample(_NICKNAMES, _TEAMS), strict=True):
        yield Definition(alias=nickname, means=team.team_id)
    for place, meeting in enumerate(meetings[:_MEETINGS]):
        yield Definition(alias=meeting.code, means=str(meeting.name))
        if place < _CHAINED:
            yield Definition(alias=f"the {meeting.nickname}", means=f"{ALIAS}{meeting.code}")


def postings(
    definitions: Sequence[Definition], duties: Duties, notices: Sequence[Notice], rng: Random
) -> Iterator[Posting]:
    """Every fact with its place and time, by time; changes and notices keep their order."""
    ordered = _in_order([*notices], rng) + _in_order([*duties.changes], rng)
    ordered += [(working_time(rng), fact) for fact in definitions]
    for posted, fact in sorted(ordered, key=lambda one: one[0]):
        yield Posting(rng.choice(_PLACES[type(fact)]), posted, fact)


def _in_order(facts: Sequence[Fact], rng: Random) -> list[tuple[datetime, Fact]]:
    """The facts at different times, the first the earliest."""
    times: set[datetime] = set()
    while len(times) < len(facts):
        times.add(working_time(rng))
    return list(zip(sorted(times), facts, strict=True))
