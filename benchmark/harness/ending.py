"""How the processes of a run end before its end: on a signal as on Ctrl-C, and workers together with their controller."""

import math
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from mpcbench.evaluation.runs.lock import RunLock

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)
_LOOK_SECONDS = 0.1
_LATER_SECONDS = 0.01
_UNHEARD_SECONDS = 5.0
"""After so long an interruption is made again, if the run does not end."""


@dataclass
class Signals:
    """Ends a run in order on the first of SIGINT, SIGTERM and SIGHUP, unless they are ignored as under nohup."""

    received: str | None = None
    """The name of the signal that ended the run."""

    _over: bool = False
    """Whether the run ends already, so that a signal changes nothing."""

    _again_at: float = -math.inf
    """On the monotonic clock; a signal before this changes nothing, as the last one may end the run yet."""

    _earlier: dict[signal.Signals, Any] = field(default_factory=dict)

    def take(self) -> None:
        """Let the first of them interrupt pytest, as Ctrl-C does."""
        self._handle(self._interrupt)

    def disarm(self) -> None:
        """Let none of them break the end of the run, which has begun."""
        self._over = True

    def ignore(self) -> None:
        """Leave them to the controller: a signal often goes to all processes of a run."""
        self._handle(signal.SIG_IGN)

    def give_back(self) -> None:
        """Treat them as before."""
        self._over = True  # so that none is sent later, to whoever treats them now
        while self._earlier:
            signal.signal(*self._earlier.popitem())

    def _handle(self, handler: Any) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) in _DEFAULTS:
                self._earlier[number] = signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._over or time.monotonic() < self._again_at:
            return
        if frame is not None and frame.f_lineno is None:
            # Python 3.11 knows no line here, and pytest cannot show an interruption without one: a little later.
            self._send_later(number, _LATER_SECONDS)
            return
        if self.received is None:
            self.received = signal.Signals(number).name
        # Python swallows what is raised in a finaliser or a callback of a weak reference; pytest never hears of it then.
        self._again_at = time.monotonic() + _UNHEARD_SECONDS
        self._send_later(number, _UNHEARD_SECONDS)
        raise KeyboardInterrupt(self.received)

    def _send_later(self, number: int, seconds: float) -> None:
        """Send a signal to this process, unless the run ends by then."""

        def send() -> None:
            if not self._over:
                os.kill(os.getpid(), number)

        timer = threading.Timer(seconds, send)
        timer.daemon = True
        timer.start()


def follow(lock: RunLock, controller: int) -> None:
    """End this worker as soon as its controller has died or says that nothing more is to be stored.

    Args:
        lock: Of the run.
        controller: The process ID of the controller; it is not the parent of a worker on another host.
    """
    is_child = os.getppid() == controller

    def look() -> None:
        while lock.holder() and not (is_child and os.getppid() != controller):
            time.sleep(_LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True, name="controller").start()
