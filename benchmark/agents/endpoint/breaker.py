"""Whether an endpoint is dead: the run ends then, instead of trying every episode for as long as one may take."""

import time
from threading import Lock
from typing import Final

FEWEST_TRIES: Final = 5
"""So many tries in a row have to get no answer."""

MOST_REFUSALS: Final = 3
"""So many connections in a row to an endpoint that has never answered, all of them refused, are enough."""

LONGEST_SILENCE: Final = 180.0
"""Seconds without an answer after which an endpoint counts as dead that has answered before."""


class Breaker:
    """What is known of one endpoint's life, by all threads of a process that send requests to it.

    An endpoint that has never answered is dead when `MOST_REFUSALS` tries in a row got no connection, or when a request
    has had all of its tries and at least `FEWEST_TRIES` got no answer. One that has answered is dead after `LONGEST_SILENCE` with as many, so that a run of hours survives
    a restart. Any HTTP response is an answer, whatever it says.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._answered = False
        self._tries = 0
        self._refused = 0
        self._since = 0.0

    def answered(self) -> None:
        """The endpoint has answered."""
        with self._lock:
            self._answered, self._tries, self._refused = True, 0, 0

    def silent(self, *, last: bool, refused: bool = False) -> str | None:
        """A try got no answer.

        Args:
            last: Whether it was the last one of its request.
            refused: Whether there was no connection.

        Returns:
            For how long there has been no answer if the endpoint is dead, in words; None if it may live.
        """
        now = time.monotonic()
        with self._lock:
            if self._tries == 0:
                self._since = now
            self._tries += 1
            self._refused = self._refused + 1 if refused else 0
            silence = now - self._since
            dead = silence >= LONGEST_SILENCE or (last and not self._answered)
            shut = self._refused >= MOST_REFUSALS and not self._answered
            if not shut and (self._tries < FEWEST_TRIES or not dead):
                return None
            return f"{self._tries} tries in a row without an answer, for {silence:.0f} s"
