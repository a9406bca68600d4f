"""Episodes in flight: while pytest waits for one case, the next ones are already running.

pytest runs one test after the other, and stays in charge: it asks for the cases in its own order, and one test
reports one case. The pool merely starts the process's cases early, on its own threads, since an episode mostly waits
for an endpoint. If pytest ends early (`-x`, Ctrl-C), unfinished episodes are dropped.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mpcbench.schema.run import Case

T = TypeVar("T")

_LOOK_SECONDS = 0.1


@dataclass
class EpisodePool(Generic[T]):
    """Runs cases ahead on a number of threads, each case once.

    With a number of 1 there are no threads: a case runs when it is asked for.
    """

    run: Callable[[Case], T]
    """Runs one case; what it raises, `result` raises."""

    number: int
    upcoming: Callable[[], Iterable[Case]]
    """The cases that this process has been given to do, in their order; asked again and again, as it may grow."""

    _seen: set[Case] = field(default_factory=set)
    _begun: dict[Case, "Future[T]"] = field(default_factory=dict)
    _waiting: deque[Case] = field(default_factory=deque)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _threads: list[threading.Thread] = field(default_factory=list)
    _closed: bool = False

    def result(self, case: Case) -> T:
        """The outcome of a case, which is run if it has not been begun yet; once for each case."""
        if self.number == 1 or self._closed:
            return self.run(case)
        if case not in self._seen:
            self._begin([case, *self.upcoming()])
        while True:
            future = self._begun[case]
            try:
                outcome = future.result(timeout=_LOOK_SECONDS)
            except NotYetError:
                if future.done():
                    raise  # the case itself timed out
                self._begin(self.upcoming())
            else:
                del self._begun[case]
                return outcome

    def close(self) -> None:
        """Begin nothing more."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _begin(self, cases: Iterable[Case]) -> None:
        with self._changed:
            new = [case for case in dict.fromkeys(cases) if case not in self._seen]
            for case in new:
                self._seen.add(case)
                self._begun[case] = Future()
                self._waiting.append(case)
            while len(self._threads) < min(self.number, len(self._seen)):
                # Daemons: a process that ends does not wait for endpoints.
                thread = threading.Thread(target=self._work, daemon=True, name=f"episodes-{len(self._threads)}")
                self._threads.append(thread)
                thread.start()
            self._changed.notify(len(new))

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed:
                        return
                    self._changed.wait()
                case = self._waiting.popleft()
                future = self._begun[case]
            try:
                future.set_result(self.run(case))
            except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
                future.set_exception(error)
