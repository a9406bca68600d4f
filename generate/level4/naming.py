"""What the records of level 4 are called: IDs and names of meetings without a hint of the instance that they belong to.

Each instance has places of its own, and the office has those from `OFFICE` on.
"""

from functools import cache
from typing import Final

from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.meeting_names import KINDS, MeetingName, meeting_name
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.schema.level4.world import LadderCollection

MOST_INSTANCES: Final = 180
"""The most instances of one world."""

THREADS, PAGES, NAMES = 120, 20, 31
"""How many threads, pages of one collection, and names of meetings an instance has at most."""

OFFICE_NAMES: Final = NAMES * MOST_INSTANCES
"""From this place on, names of meetings are for the office's own threads."""

OFFICE_THREADS: Final = THREADS * MOST_INSTANCES
"""From this place on, IDs of threads are for the office's own."""

OFFICE_PAGES: Final = PAGES * MOST_INSTANCES
"""From this place on, IDs of pages and notices are for the office's own."""

_IDS: Final = 100_000
_LETTERS: Final = {
    LadderCollection.ANNOUNCEMENT: "A",
    LadderCollection.CONTACT: "C",
    LadderCollection.DESK: "D",
    LadderCollection.GLOSSARY: "G",
    LadderCollection.NEWSLETTER: "L",
    LadderCollection.SITE_NEWS: "S",
    LadderCollection.WIKI: "W",
}


def thread_id(seed: int, place: int) -> str:
    """The ID of the thread at a place."""
    return f"T{_shuffled(seed, 'threads')[place]:05}"


def page_id(seed: int, collection: LadderCollection, place: int) -> str:
    """The ID of the page of a collection at a place."""
    return f"{_LETTERS[collection]}{_shuffled(seed, collection)[place]:05}"


def notice_id(seed: int, place: int) -> str:
    """The ID of the notice at a place."""
    return f"N{_shuffled(seed, 'notices')[place]:05}"


def event_id(seed: int, place: int) -> str:
    """The ID of an entry that a change adds, at the place of its instance; the office's own have fewer digits."""
    return f"e{_IDS + _shuffled(seed, 'events')[place]}"


def name_of(seed: int, place: int) -> MeetingName:
    """The name of the meeting at a place."""
    return meeting_name(place, 10 * seed + 4, len(CHANNELS))[0]


def other_edition(name: MeetingName) -> MeetingName:
    """The name of a meeting that is easily taken for another: of the same project and subject, but of another kind."""
    return name._replace(kind=KINDS[(KINDS.index(name.kind) + 1) % len(KINDS)])


@cache
def _shuffled(seed: int, what: str) -> list[int]:
    return stream(seed, 4, what).sample(range(_IDS), _IDS)
