"""Running many tasks in order."""

import os
from collections.abc import Iterator

import pytest

from mpcbench.generate import parallel
from mpcbench.generate.parallel import AHEAD, Processes, in_order


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


@pytest.mark.parametrize("workers", [1, 2])
def test_results_keep_the_order(workers: int) -> None:
    """Whatever the number of processes; none of them is this one if there are several."""
    found = list(Processes(workers).map(squared, range(30)))

    assert [number * number for number in range(30)] == [result for result, _ in found]
    assert (workers == 1) == (os.getpid() in {process for _, process in found})


def test_no_process_without_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """One job needs no other process."""
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", None)

    assert [(9, os.getpid())] == list(Processes(64).map(squared, [3]))
    assert [] == list(Processes(64).map(squared, []))


def test_few_jobs_are_under_way_at_a_time() -> None:
    """However many there are, jobs are asked for only as their turn comes."""
    asked = []

    def jobs() -> Iterator[int]:
        for number in range(1_000):
            asked.append(number)
            yield number

    handles = in_order(str, jobs(), lambda: AHEAD)

    assert ["0", "1", "2"] == [next(handles) for _ in range(3)]
    assert AHEAD + 2 == len(asked)
    assert [str(number) for number in range(3, 1_000)] == list(handles)
