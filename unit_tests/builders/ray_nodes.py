"""A Ray cluster of two nodes on loopback, of which one can be killed."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mpcbench.schema.dataset import COMMITTED

_NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}


@contextmanager
def two_nodes() -> Iterator[Any]:
    """A head and another node, of one processor each, as `ray.cluster_utils.Cluster`."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(COMMITTED))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        made = Cluster(initialize_head=True, head_node_args=_NODE)
        try:
            made.add_node(**_NODE)
            yield made
        finally:
            made.shutdown()


def kill_one(cluster: Any, ready: Callable[[], bool]) -> threading.Thread:
    """Kill the second node, as a power cut would, as soon as something is ready."""

    def kill() -> None:
        while not ready():
            time.sleep(0.05)
        (node,) = cluster.worker_nodes
        cluster.remove_node(node, allow_graceful=False)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread
