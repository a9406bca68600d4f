"""The chat of the office: what is made known there, talk about its own meetings, and small talk."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import OFFICE_THREADS, thread_id
from mpcbench.generate.level4.world.news import Posting
from mpcbench.generate.level4.world.people import Staff
from mpcbench.schema.level4.world import LadderMessage, LadderThread, LadderWorld

CHANNELS: Final = (
    "general", "planning", "projects", "product", "operations", "customers", "coordination", "office", "leadership",
    "partners", "delivery", "quality", "growth", "back-office", "engineering", "people", "facilities", "help-desk",
    "travel", "research",
)  # fmt: skip
DIRECT: Final = "direct"


def chatter(office: LadderWorld, people: Staff, posted: Sequence[Posting], rng: Random) -> Iterator[LadderThread]:
    """All threads; messages that state something have no text yet."""
    place = OFFICE_THREADS
    for one in posted:
        author, other = rng.sample(people.people, 2)
        messages = (
            LadderMessage(sent=one.posted, author=author.person_id, text="", tags=(one.fact,)),
            LadderMessage(sent=one.posted + timedelta(minutes=rng.randint(1, 20)), author=other.person_id, text=""),
        )
        channel = rng.choice(CHANNELS) if rng.random() < 0.75 else DIRECT
        yield LadderThread(thread_id=thread_id(office.seed, place), channel=channel, messages=messages)
        place += 1
