"""Run many independent tasks, here or in processes of this machine; `ray_cluster` runs them on several."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
Handle = TypeVar("Handle")

AHEAD = 16
"""How many tasks are under way or done for each processor before the first of them is taken.

Tasks differ: an instance of rung 8 takes minutes, one of rung 1 seconds, and with few tasks ahead processors would wait.
"""


class Runner(Protocol):
    """Something that runs tasks."""

    @property
    def batch(self) -> int:
        """How many instances of one world a task should make."""
        ...

    def map(self, task: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of a task, a function of a module, for jobs, in their order; few are held at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Processes:
    """So many processes of this machine; with one, this process itself."""

    workers: int

    batch: int = 1
    """See `Runner`: a task costs next to nothing here."""

    def map(self, task: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """See `Runner`."""
        jobs = iter(jobs)
        first = list(islice(jobs, self.workers))
        workers = len(first)
        if workers <= 1:
            yield from map(task, chain(first, jobs))
            return
        with ProcessPoolExecutor(workers) as pool:
            try:
                submitted = in_order(lambda job: pool.submit(task, job), chain(first, jobs), lambda: AHEAD * workers)
                yield from (future.result() for future in submitted)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def in_order(submit: Callable[[Job], Handle], jobs: Iterable[Job], most: Callable[[], int]) -> Iterator[Handle]:
    """Submit jobs and give their handles back in order, each once `most()` are under way or all are submitted.

    So results do not pile up however many jobs there are.
    """
    waiting: deque[Handle] = deque()
    for job in jobs:
        waiting.append(submit(job))
        while len(waiting) >= most():
            yield waiting.popleft()
    yield from waiting
