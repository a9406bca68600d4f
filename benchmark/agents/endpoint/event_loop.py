"""The event loop of a process: one for all its requests, in a thread that dies with the process."""

import asyncio
import os
import threading

_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}
"""By process: a forked one inherits the loop of its parent, but not the thread that runs it."""


def event_loop() -> asyncio.AbstractEventLoop:
    """The loop of this process, which runs from the first call on."""
    loop = running_loop()
    if loop is None:
        made = asyncio.new_event_loop()
        loop = _LOOPS.setdefault(os.getpid(), made)  # of several threads one is the first
        if loop is made:
            threading.Thread(target=loop.run_forever, name="endpoints", daemon=True).start()
        else:
            made.close()
    return loop


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop of this process if there has been need of it."""
    return _LOOPS.get(os.getpid())
