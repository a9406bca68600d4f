"""One sampled instance: the task, what it adds to the office, and what it was drawn for."""

from dataclasses import dataclass

from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LoadBearing
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.world import LadderPage, LadderThread, LadderWorld


@dataclass(frozen=True, slots=True)
class LadderDraft:
    """An instance with the threads and pages that it adds."""

    instance: LadderInstance
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...]
    rung: int
    mechanisms: frozenset[Mechanism]
    """Those that were drawn."""

    load_bearing: tuple[LoadBearing, ...]
    """The facts that its gold depends on, as the oracle counts them in the office with this instance alone."""

    rejected: dict[str, int]
    """How many samples were discarded before this one, by the check that they failed."""

    @property
    def load(self) -> int:
        """The composition load."""
        return len(self.load_bearing)


def with_drafts(office: LadderWorld, *drafts: LadderDraft) -> LadderWorld:
    """The office with what instances add, in an order that does not tell them apart."""
    threads = (*office.threads, *(one for draft in drafts for one in draft.threads))
    pages = (*office.pages, *(one for draft in drafts for one in draft.pages))
    update = {
        "threads": tuple(sorted(threads, key=lambda one: one.thread_id)),
        "pages": tuple(sorted(pages, key=lambda one: (one.collection, one.page_id))),
    }
    world = office.model_copy(update=update)
    for name in ("thread_by_id", "person_by_id", "room_by_id", "zone"):
        vars(world).pop(name, None)  # model_copy takes what was looked up before along
    world.check_ids()
    return world
