import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.harness.pool import EpisodePool
from mpcbench.schema.run import Case

CASES = [Case(f"level1-{number:03}", 1, "m") for number in range(20)]


class Gate:
    """Cases that run until they are let go, and how many were in flight at once."""

    def __init__(self) -> None:
        self.doors = {case: threading.Event() for case in CASES}
        self.entered: list[Case] = []
        self.changed = threading.Condition()

    def __call__(self, case: Case) -> str:
        with self.changed:
            self.entered.append(case)
            self.changed.notify_all()
        assert self.doors[case].wait(10)
        return case.instance_id

    def wait_for(self, number: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.entered) >= number, 10)


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    for door in gate.doors.values():
        door.set()


def in_background(call: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread


def test_single_episode_runs_where_it_is_asked_for() -> None:
    """With one episode in flight there are no threads."""
    pool = EpisodePool(lambda _case: threading.current_thread(), 1, lambda: CASES)

    assert threading.current_thread() is pool.result(CASES[0])


def test_next_cases_run_while_the_first_is_waited_for(gate: Gate) -> None:
    """As many as asked for are in flight, in order; a case that ends makes room for the next, whichever it is."""
    pool = EpisodePool(gate, 3, lambda: CASES)
    waiting = in_background(lambda: pool.result(CASES[0]))
    gate.wait_for(3)
    gate.doors[CASES[2]].set()
    gate.wait_for(4)

    assert CASES[:4] == gate.entered
    assert waiting.is_alive()


def test_cases_that_are_given_later_are_begun(gate: Gate) -> None:
    """What a process is given to do may grow while it waits."""
    given_so_far = CASES[:1]
    pool = EpisodePool(gate, 4, lambda: list(given_so_far))
    in_background(lambda: pool.result(CASES[0]))
    gate.wait_for(1)
    given_so_far += CASES[1:3]
    gate.wait_for(3)

    assert CASES[:3] == gate.entered


def test_closed_pool_begins_nothing(gate: Gate) -> None:
    """What waits when the run ends is not begun; what is in flight may end."""
    pool = EpisodePool(gate, 2, lambda: CASES)
    in_background(lambda: pool.result(CASES[0]))
    gate.wait_for(2)
    pool.close()
    for door in gate.doors.values():
        door.set()
    for thread in pool._threads:
        thread.join(10)

    assert CASES[:2] == gate.entered


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, TimeoutError, SystemExit])
@pytest.mark.parametrize("number", [1, 2])
def test_error_is_raised_where_the_case_is_asked_for(error: type[BaseException], number: int) -> None:
    """Whatever a case raises comes out of its own result and no other."""

    def run(case: Case) -> str:
        if case == CASES[1]:
            raise error
        return case.instance_id

    pool = EpisodePool(run, number, lambda: CASES)

    assert pool.result(CASES[0]) == "level1-000"
    with pytest.raises(error):
        pool.result(CASES[1])
    assert pool.result(CASES[2]) == "level1-002"


@given(st.permutations(CASES[:8]), st.integers(1, 9))
def test_every_case_runs_once(order: list[Case], number: int) -> None:
    """Whatever the order in which they are asked for, each is run once and gives its own result."""
    ran: list[Case] = []

    def run(case: Case) -> Case:
        ran.append(case)
        return case

    pool = EpisodePool(run, number, lambda: CASES[:8])
    results = [pool.result(case) for case in order]
    pool.close()

    assert order == results
    assert sorted(order) == sorted(ran)
