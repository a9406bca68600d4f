"""The mechanisms of level 4, and the sources that its records belong to."""

from enum import StrEnum


class Mechanism(StrEnum):
    """A way in which what has to be looked up follows from what was found; docs/level4.md defines each."""

    ALIAS = "alias"
    ROLE = "role"
    BY_REFERENCE = "by_reference"
    AUTHORITY = "authority"
    SCOPE = "scope"
    ZONES = "zones"
    QUORUM = "quorum"
    STATES = "states"
    JOINT = "joint"
    CHANGES = "changes"
    NOTICES = "notices"


class LadderSource(StrEnum):
    """A system of record of level 4."""

    CALENDAR = "calendar"
    POLICY = "policy"
    THREADS = "threads"
    DIRECTORY = "directory"
    ROOMS = "rooms"
    TEAMS = "teams"
    ROSTERS = "rosters"
    SITES = "sites"
    HOLIDAYS = "holidays"
    PAGES = "pages"


_BY_PREFIX = {
    "calendar": LadderSource.CALENDAR,
    "policy": LadderSource.POLICY,
    "thread": LadderSource.THREADS,
    "person": LadderSource.DIRECTORY,
    "room": LadderSource.ROOMS,
    "room_calendar": LadderSource.ROOMS,
    "team": LadderSource.TEAMS,
    "team_calendar": LadderSource.TEAMS,
    "roster": LadderSource.ROSTERS,
    "site": LadderSource.SITES,
    "holidays": LadderSource.HOLIDAYS,
}


def source_of(record: str) -> LadderSource:
    """The source of a record ID such as `roster:RST-01`; collections of pages are one source."""
    return _BY_PREFIX.get(record.partition(":")[0], LadderSource.PAGES)
