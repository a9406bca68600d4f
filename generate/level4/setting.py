"""An office with everything that is worked out once for all of its instances."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.generate.level4.resolver import WorldResolver
from mpcbench.generate.level4.sampling.setting import Setting as SamplingSetting
from mpcbench.generate.level4.world.office import make_office
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.schema.level4.world import LadderPage, LadderThread, LadderWorld


@dataclass(frozen=True)
class OfficeSetting:
    """The office of a seed; everything else follows from it and is worked out on first use."""

    office: LadderWorld

    @cached_property
    def indexed(self) -> Knowledge:
        """All that the office holds."""
        return known(self.office)

    @cached_property
    def records(self) -> LadderRecords:
        """The office as the tools read it."""
        return LadderRecords(self.office)

    @cached_property
    def resolver(self) -> WorldResolver:
        """The names of the office."""
        return WorldResolver(self.office)

    @cached_property
    def sampling(self) -> SamplingSetting:
        """The office as the sampler looks at it."""
        return SamplingSetting(self.office, self.indexed)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The office as it is in a file, for the archive's oracle; do not change it."""
        return self.office.model_dump(mode="json")

    def json_with(self, threads: Sequence[LadderThread], pages: Sequence[LadderPage]) -> dict[str, Any]:
        """The office with these threads and pages, as it is in a file."""
        return self.json | {
            "threads": [*self.json["threads"], *(thread.model_dump(mode="json") for thread in threads)],
            "pages": [*self.json["pages"], *(page.model_dump(mode="json") for page in pages)],
        }

    def world_with(self, threads: Iterable[LadderThread], pages: Iterable[LadderPage]) -> LadderWorld:
        """The office with these threads and pages; raises `ValueError` as `with_additions` does."""
        return with_additions(self.office, threads, pages)


def with_additions(office: LadderWorld, threads: Iterable[LadderThread], pages: Iterable[LadderPage]) -> LadderWorld:
    """The office with more threads and pages, all in the order of their IDs, which says nothing.

    Raises:
        ValueError: a record ID or an alias is not unique.
    """
    world = office.model_copy(
        update={
            "threads": tuple(sorted((*office.threads, *threads), key=lambda one: one.thread_id)),
            "pages": tuple(sorted((*office.pages, *pages), key=lambda one: (one.collection, one.page_id))),
        }
    )
    vars(world).pop("thread_by_id", None)
    world.check_ids()
    return world


@lru_cache(maxsize=1)
def setting_of(seed: int) -> OfficeSetting:
    """The setting of a seed's office; making it takes some twenty seconds."""
    return OfficeSetting(make_office(seed))
