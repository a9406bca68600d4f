"""`mpcbench watch RUN`: how far a run is that another process or machine runs."""

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from mpcbench.benchmark.progress.live_display import LiveDisplay
from mpcbench.benchmark.progress.progress_text import progress_line
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.runs.folder import RUN_FILE, RunError, RunFolder
from mpcbench.evaluation.runs.lock import session_at
from mpcbench.schema.untrusted_text import printable

_LOOK_SECONDS = 1.0


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.progress") -> int:
    """Show the run until its session ends; the exit code is 0, or 2 on bad input."""
    options = _parser(prog).parse_args(arguments)
    named, below = Path(options.run), Path("runs", options.run)
    try:
        folder = RunFolder.open(named if (named / RUN_FILE).is_file() or not below.is_dir() else below)
        _watch(folder, options.every, once=options.once)
    except RunError as error:
        print(printable(f"error: {error}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _watch(folder: RunFolder, every: float, *, once: bool) -> None:
    progress = RunProgress(folder)
    if once or session_at(folder.path) is None:
        print(printable(progress_line(progress.look())))
        return
    if sys.stdout.isatty():
        display = LiveDisplay(progress, sys.stdout, shutil.get_terminal_size().columns)
        display.start()
        try:
            while session_at(folder.path) is not None:
                time.sleep(_LOOK_SECONDS)
        finally:
            display.close()
        return
    due = time.monotonic()
    while session_at(folder.path) is not None:
        if time.monotonic() >= due:
            print(printable(progress_line(progress.look())), flush=True)
            due = time.monotonic() + every
        time.sleep(min(_LOOK_SECONDS, every))
    print(printable(progress_line(progress.look())))


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Show how far a run is, from its folder alone: in a terminal live, elsewhere as a line a minute. "
        "Ends with the session of the run. Exit code: 0, or 2 on bad input.",
    )
    parser.add_argument("run", metavar="RUN", help="the run's folder, or its name in runs/")
    parser.add_argument("--once", action="store_true", help="print one line and end")
    parser.add_argument(
        "--every", type=_seconds, default=60.0, metavar="SECONDS", help="between two lines (default: %(default)g)"
    )
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


if __name__ == "__main__":
    sys.exit(main())
