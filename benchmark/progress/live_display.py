"""The live lines below everything else in a terminal; rich is loaded only where they are shown."""

import io
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from mpcbench.benchmark.progress.progress_text import clock, count_text, model_text, state_text
from mpcbench.benchmark.progress.run_progress import RunProgress, Snapshot
from mpcbench.evaluation.runs.folder import RunError

if TYPE_CHECKING:
    from rich.console import Console, Group

_MODELS = 6
"""Models shown; the others come with the results."""


class LiveDisplay:
    """The progress of a run, drawn again every second until it is closed.

    Args:
        progress: Of the run.
        file: The terminal.
        width: Its columns.
    """

    def __init__(self, progress: RunProgress, file: TextIO, width: int) -> None:
        from rich.console import Console  # noqa: PLC0415 - see above
        from rich.live import Live  # noqa: PLC0415

        self._progress = progress
        console = Console(file=file, force_terminal=True, width=width)
        self.above = _Above(console)
        """A file whose lines appear above the live ones."""

        self._live = Live(console=console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
        self._ticker = Ticker(1.0, self.draw)

    def start(self) -> None:
        """Begin to draw."""
        self.draw()
        self._live.start()
        self._ticker.start()

    def draw(self) -> None:
        """Draw the run as it is now."""
        try:
            snapshot = self._progress.look()
        except RunError:  # the end of the run says what is wrong
            return
        self._live.update(_drawn(snapshot), refresh=True)

    def close(self) -> None:
        """Draw it a last time, and leave it above what follows."""
        self._ticker.close()
        self.above.close()
        self.draw()
        self._live.stop()


class Ticker:
    """Calls a function every so many seconds, in a thread of its own."""

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self._seconds = seconds
        self._function = function
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="progress")

    def start(self) -> None:
        """Begin; the first call comes after the first interval."""
        self._thread.start()

    def close(self) -> None:
        """End; no call follows."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._seconds):
            self._function()


def _drawn(snapshot: Snapshot) -> "Group":
    from rich.columns import Columns  # noqa: PLC0415 - see above
    from rich.console import Group  # noqa: PLC0415
    from rich.progress_bar import ProgressBar  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    took = "" if snapshot.seconds is None else f" {clock(snapshot.seconds)}"
    bar = ProgressBar(total=max(1, snapshot.planned), completed=snapshot.done, width=40)
    lines: list[Any] = [Columns([bar, Text(f"{count_text(snapshot)}{took}")])]
    lines += [Text(model_text(one), no_wrap=True, overflow="ellipsis") for one in snapshot.models[:_MODELS]]
    lines.append(Text(state_text(snapshot), no_wrap=True, overflow="ellipsis"))
    return Group(*lines)


class _Above(io.TextIOBase):
    """Keeps a line until it is whole, as part of one would be overwritten."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._part = ""

    def write(self, text: str) -> int:
        from rich.text import Text  # noqa: PLC0415 - see above

        *lines, self._part = (self._part + text).split("\n")
        for line in lines:
            self._console.print(Text.from_ansi(line), soft_wrap=True)
        return len(text)

    def close(self) -> None:
        if self._part:
            self.write("\n")
        super().close()

    def isatty(self) -> bool:
        return True
