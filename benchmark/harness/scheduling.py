"""Which process runs which cases when each has many episodes in flight.

pytest-xdist hands its workers a few tests at a time, so that none is idle at the end. A worker that is to have many
episodes in flight has to know its share beforehand: here all tests are dealt out at once, as cards are.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from mpcbench.schema.run import Case

if TYPE_CHECKING:
    from xdist.scheduler import LoadScheduling
    from xdist.workermanage import WorkerController


def dealing(config: pytest.Config, log: Any) -> "LoadScheduling":
    """A scheduler of pytest-xdist that deals all tests out; those of a worker that died go to the others."""
    from xdist.scheduler import LoadScheduling  # noqa: PLC0415 - only runs with several processes have it

    class Dealing(LoadScheduling):
        def schedule(self) -> None:
            first = self.collection is None
            if first:
                self.maxschedchunk = 1
            super().schedule()
            if first:
                self.maxschedchunk = len(self.collection or ())
                self._deal()

        def _deal(self) -> None:
            nodes, pending = self.nodes, list(self.pending)
            self.pending.clear()
            for place, node in enumerate(nodes):
                self._give(node, pending[place :: len(nodes)])
            for node in nodes:
                node.shutdown()  # after the last of its tests

        def _give(self, node: "WorkerController", share: list[int]) -> None:
            if share:
                self.node2pending[node].extend(share)
                node.send_runtest_some(share)

    return Dealing(config, log)


class HiddenQueueError(RuntimeError):
    """This version of pytest-xdist does not show a worker what it has been given to do."""


def upcoming(session: pytest.Session) -> Iterator[Case]:
    """The cases that this process has been given to do, in their order; of a worker, those that are still to come.

    Raises:
        HiddenQueueError: the workers' queue is not where it is looked for.
    """
    for item in _items(session):
        parameters = getattr(item, "callspec", None)
        case = None if parameters is None else parameters.params.get("case")
        if isinstance(case, Case):
            yield case


def _items(session: pytest.Session) -> Iterator[pytest.Item]:
    if not hasattr(session.config, "workerinput"):
        yield from session.items
        return
    worker: Any = next((one for one in session.config.pluginmanager.get_plugins() if hasattr(one, "torun")), None)
    if worker is None:
        raise HiddenQueueError("--concurrency: this version of pytest-xdist hides its workers' queues; 3.8 does not")
    with worker.torun.lock() as queue:
        places = [worker.nextitem_index, *queue]
    # The queue ends with a marker once nothing more will come.
    yield from (session.items[place] for place in places if isinstance(place, int))
