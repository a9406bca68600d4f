"""The texts of what states something: the sections of policies, pages with facts, and messages."""

from typing import Final

from mpcbench.generate.level4.wording import pages, policies, threads
from mpcbench.generate.randomness import stream
from mpcbench.schema.level4.statements import Agreed, Declined, Organiser, Said
from mpcbench.schema.level4.world import (
    LadderDocument,
    LadderMessage,
    LadderPage,
    LadderSection,
    LadderThread,
    LadderWorld,
    policy_record,
)

_LEVEL: Final = 4


def worded(office: LadderWorld) -> LadderWorld:
    """The office with the texts that it still lacks.

    Raises:
        PhrasingError: something cannot be expressed exactly.
    """
    writer = _Writer(office)
    return office.model_copy(
        update={
            "documents": tuple(writer.document(document) for document in office.documents),
            "pages": tuple(writer.page(page) if page.facts else page for page in office.pages),
            "threads": tuple(writer.thread(thread) for thread in office.threads),
        }
    )


class _Writer:
    """Writes what an office states, with everything at hand that a text may name."""

    def __init__(self, office: LadderWorld) -> None:
        self.seed = office.seed
        self.known = office.model_copy(
            update={
                # Definitions and notices are all that a text may name of these; the rest would only take time.
                "pages": tuple(page for page in office.pages if page.facts),
                "threads": tuple(thread for thread in office.threads if any(map(_has_fact, thread.messages))),
                "documents": (),
            }
        )
        self.organisers = {
            tag.about: tag.statement.person
            for thread in office.threads
            for message in thread.messages
            for tag in message.tags
            if isinstance(tag, Said) and isinstance(tag.statement, Organiser)
        }

    def document(self, document: LadderDocument) -> LadderDocument:
        """The document with its sections of policies."""
        sections = tuple(self.section(section) for section in document.sections)
        return document.model_copy(update={"sections": sections})

    def section(self, section: LadderSection) -> LadderSection:
        """The section of a policy; any other has its text already."""
        if section.policy is None:
            return section
        return policies.section(
            section.policy, self.known, stream(self.seed, _LEVEL, "text", policy_record(section.policy))
        )

    def page(self, page: LadderPage) -> LadderPage:
        """The page that states its facts."""
        rng = stream(self.seed, _LEVEL, "text", page.collection, page.page_id)
        return pages.page(page.collection, page.page_id, None, page.posted, page.facts, self.known, rng)

    def thread(self, thread: LadderThread) -> LadderThread:
        """The thread with all its messages."""
        if all(message.text for message in thread.messages):
            return thread
        rng = stream(self.seed, _LEVEL, "text", thread.thread_id)
        return threads.worded(thread, self.known, rng, organisers=self.organisers)


def _has_fact(message: LadderMessage) -> bool:
    return any(not isinstance(tag, Said | Agreed | Declined) for tag in message.tags)
