"""What an agent was shown of what an instance of level 4 needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mpcbench.benchmark.environment.level4.per_world import PerWorld
from mpcbench.benchmark.environment.level4.tools.catalogue import SOURCE_OF_TOOL
from mpcbench.oracle.level4.knowledge import indexed
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.mechanism import LadderSource, source_of

KNOWN: Final = PerWorld(indexed)
"""What the records of a world say, indexed for the engine."""


@dataclass(frozen=True)
class Shown:
    """The needed sources and records of an instance against the calls of an episode."""

    label: LadderLabel
    calls: Sequence[ToolCall]

    @cached_property
    def first_call(self) -> dict[str, int]:
        """The number, from 1, of the first call that showed each record."""
        first: dict[str, int] = {}
        for number, call in enumerate(self.calls, start=1):
            for record in call.records:
                first.setdefault(record, number)
        return first

    @cached_property
    def queried(self) -> set[LadderSource]:
        """The sources of which a tool was called, or of which a result showed a record."""
        called = {SOURCE_OF_TOOL[call.name] for call in self.calls if call.name in SOURCE_OF_TOOL}
        return called | {source_of(record) for record in self.first_call}

    @cached_property
    def sources_missed(self) -> tuple[LadderSource, ...]:
        """The needed sources that were never queried, in the label's order."""
        return tuple(source for source in self.label.sources if source not in self.queried)

    @cached_property
    def records_missed(self) -> tuple[str, ...]:
        """The needed records that no result showed, in the label's order; the task itself is always known."""
        return tuple(record for record in self.label.records if record not in self.first_call)

    @cached_property
    def missed_by_kind(self) -> dict[str, list[str]]:
        """The same by kind, such as `calendar`."""
        kinds: dict[str, list[str]] = {}
        for record in self.records_missed:
            kinds.setdefault(record.partition(":")[0], []).append(record)
        return kinds

    @property
    def decomposition(self) -> float:
        """The fraction of the needed sources that were queried."""
        return _fraction(len(self.sources_missed), len(self.label.sources))

    @property
    def acquisition(self) -> float:
        """The fraction of the needed records that were shown."""
        return _fraction(len(self.records_missed), len(self.label.records))


def _fraction(missed: int, needed: int) -> float:
    return 1 - missed / needed if needed else 1.0
