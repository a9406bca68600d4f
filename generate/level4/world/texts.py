"""The texts of what states something: the sections of policies, pages with facts, and messages."""

from random import Random
from typing import Final

from mpcbench.generate.level4.wording import pages, policies, threads
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.randomness import stream
from mpcbench.schema.level4.world import (
    LadderDocument,
    LadderPage,
    LadderSection,
    LadderThread,
    LadderWorld,
    policy_record,
)

_LEVEL: Final = 4


def worded(office: LadderWorld) -> LadderWorld:
    """The office with the texts that it still lacks, each from a stream of random numbers of its own.

    Raises:
        PhrasingError: something cannot be expressed exactly.
    """
    names = Names(office)

    def rng(record: str) -> Random:
        return stream(office.seed, _LEVEL, "text", record)

    def section(one: LadderSection) -> LadderSection:
        return one if one.policy is None else policies.section(one.policy, names, rng(policy_record(one.policy)))

    def document(one: LadderDocument) -> LadderDocument:
        return one.model_copy(update={"sections": tuple(map(section, one.sections))})

    def page(one: LadderPage) -> LadderPage:
        source = rng(f"{one.collection}:{one.page_id}")
        return pages.page(one.collection, one.page_id, None, one.posted, one.facts, names, source) if one.facts else one

    def thread(one: LadderThread) -> LadderThread:
        if all(message.text for message in one.messages):
            return one
        return threads.worded(one, names, rng(f"thread:{one.thread_id}"))

    return office.model_copy(
        update={
            "documents": tuple(map(document, office.documents)),
            "pages": tuple(map(page, office.pages)),
            "threads": tuple(map(thread, office.threads)),
        }
    )
