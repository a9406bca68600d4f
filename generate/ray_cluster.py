"""Run tasks on a Ray cluster: a lost node costs only the tasks that it had, which run again elsewhere."""

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mpcbench.generate.parallel import AHEAD, Job, Result, in_order
from mpcbench.schema import GENERATOR_VERSION
from mpcbench.version import VERSION


class ClusterError(RuntimeError):
    """The cluster cannot be reached or cannot run the tasks; the message is one line."""


@dataclass(frozen=True, slots=True)
class RayCluster:
    """A cluster that this process is connected to."""

    ray: Any
    cpus: int
    """That a task takes."""

    batch: int = 10
    """See `Runner`: ten take long compared with the base world, and little is lost with a node."""

    @classmethod
    @contextmanager
    def connected(cls, address: str, cpus: int = 1) -> Iterator["RayCluster"]:
        """The cluster at an address, such as `auto`, `HOST:6379` or `ray://HOST:10001`.

        Raises:
            ClusterError: Ray is not installed, or does not reach the cluster.
        """
        try:
            import ray  # noqa: PLC0415 - an extra
        except ImportError:
            raise ClusterError("--ray needs the package ray: pip install 'mpcbench[ray]'") from None
        _check_answers(address)
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise ClusterError(f"--ray {address}: no cluster there: {_first_line(error)}") from None
        try:
            yield cls(ray, cpus)
        finally:
            ray.shutdown()

    def map(self, task: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """See `Runner`; raises what a task raises, and `ClusterError`."""
        on_node = self.ray.remote(num_cpus=self.cpus, max_retries=-1)(_on_node)
        for handle in in_order(lambda job: on_node.remote(_SOFTWARE, task, job), jobs, self._most):
            yield self._result(handle)

    def _most(self) -> int:
        """Asked anew for each task, since nodes come and go."""
        return AHEAD * max(1, int(self.ray.cluster_resources().get("CPU", 0)) // self.cpus)

    def _result(self, handle: Any) -> Any:
        errors = self.ray.exceptions
        try:
            return self.ray.get(handle)
        except errors.RayTaskError as error:
            if isinstance(error.cause, ImportError | errors.RayError):
                what = _first_line(error.cause)
                raise ClusterError(f"a node cannot run a task: {what}; every node needs mpcbench") from None
            raise error.cause from None
        except errors.RayError as error:
            raise ClusterError(f"a task cannot run: {_first_line(error)}") from None


_SOFTWARE = f"mpcbench {VERSION}, generator {GENERATOR_VERSION}"


def _on_node(expected: str, task: Callable[[Job], Result], job: Job) -> Result:
    """Run a task on a node, which must have the same software, or it would make other data."""
    if expected != _SOFTWARE:
        raise ClusterError(f"node {socket.gethostname()} has {_SOFTWARE}, not {expected}")
    return task(job)


def _check_answers(address: str) -> None:
    """Raise `ClusterError` where nothing answers at `HOST:PORT`, for which Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal() and int(port) < 2**16:
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise ClusterError(f"--ray {address}: no cluster there: {error.strerror or error}") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
