"""The tools of one episode of level 4, over a world that changes once while the agent works."""

from collections.abc import Mapping
from typing import Any

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.tools.catalogue import ladder_tools
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.level4.instance import Change


class UnshownRecordError(ValueError):
    """A change waits for a record that the world does not hold, so that it would never happen."""


class LadderToolbox(Toolbox):
    """The tools of an episode and the log of their calls.

    The change takes effect after the first call by which all of its records have been shown: that call's result is from
    before it, every later one from after it. It follows from the calls alone, so a log that is run again gives the same
    results.

    Args:
        records: Those of the world before the change; they can be shared by episodes.
        change: That of the instance, if it has one.
        max_calls: How many calls are answered; None for any number.

    Raises:
        UnshownRecordError: the change waits for a record that the world does not hold.
        UnknownRecordError: its edit names one.
    """

    def __init__(self, records: LadderRecords, change: Change | None = None, max_calls: int | None = None) -> None:
        super().__init__(records, ladder_tools(), max_calls=max_calls)
        self._unseen = set() if change is None else set(change.when_shown)
        self._after = None if change is None else records.after(change.edit)
        missing = sorted(self._unseen - set(records.world.record_ids())) if self._unseen else []
        if missing:
            raise UnshownRecordError(f"the change waits for {missing[0]!r}, which the world does not hold")

    @property
    def has_changed(self) -> bool:
        """Whether the world is the one after the change; always true without one."""
        return self._after is None

    def call(self, name: str, arguments: str | Mapping[str, Any], *, turn: int = 1) -> str:
        """Run a tool for the agent and return the text of its result, as `Toolbox.call` does."""
        text = super().call(name, arguments, turn=turn)
        self._unseen.difference_update(self.log[-1].records)
        if self._after is not None and not self._unseen:
            self.sources, self._after = self._after, None
        return text
