"""`mpcbench watch RUN`: how far a run is that another process or machine runs."""

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mpcbench.benchmark.progress.live_display import LiveDisplay
from mpcbench.benchmark.progress.progress_text import progress_line
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.runs.folder import RUN_FILE, RunError, RunFolder, check_outside_runs
from mpcbench.evaluation.runs.lock import session_at
from mpcbench.schema.untrusted_text import printable

if TYPE_CHECKING:
    from mpcbench.benchmark.progress.live_report import LiveReport

_LOOK_SECONDS = 1.0


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.progress") -> int:
    """Show the run until its session ends; the exit code is 0, or 2 on bad input."""
    options = _parser(prog).parse_args(arguments)
    named, below = Path(options.run), Path("runs", options.run)
    try:
        folder = RunFolder.open(named if (named / RUN_FILE).is_file() or not below.is_dir() else below)
        report = None if options.html is None else _live_report(folder, options.html, options.every)
        _watch(RunProgress(folder), report, options.every, once=options.once)
    except RunError as error:
        print(printable(f"error: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        print(printable(f"error: {error.filename}: {error.strerror}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _live_report(folder: RunFolder, out: Path, every: float) -> "LiveReport":
    from mpcbench.benchmark.progress.live_report import LiveReport  # noqa: PLC0415 - it loads templates and plots

    check_outside_runs(out)
    return LiveReport(folder.path, out, every)


def _watch(progress: RunProgress, report: "LiveReport | None", every: float, *, once: bool) -> None:
    path = progress.run.path
    try:
        if once or session_at(path) is None:
            print(printable(progress_line(progress.look())))
        elif sys.stdout.isatty():
            _draw(progress, report)
        else:
            _print_lines(progress, report, every)
    finally:
        if report is not None:
            report.close(progress, ended=session_at(path) is None)


def _draw(progress: RunProgress, report: "LiveReport | None") -> None:
    """Draw live lines until the session ends."""
    display = LiveDisplay(progress, sys.stdout, shutil.get_terminal_size().columns)
    display.start()
    own = RunProgress(RunFolder(progress.run.path))  # the display looks at its own in another thread
    try:
        while session_at(progress.run.path) is not None:
            if report is not None:
                report.keep(own)
            time.sleep(_LOOK_SECONDS)
    finally:
        display.close()


def _print_lines(progress: RunProgress, report: "LiveReport | None", every: float) -> None:
    """Print a line from time to time until the session ends, and one then."""
    due = time.monotonic()
    while session_at(progress.run.path) is not None:
        if time.monotonic() >= due:
            print(printable(progress_line(progress.look())), flush=True)
            due = time.monotonic() + every
        if report is not None:
            report.keep(progress)
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
        "--every",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="between two lines, or two writings of --html (default: %(default)g)",
    )
    parser.add_argument(
        "--html",
        type=_file,
        metavar="FILE.html",
        help="also keep the report of the episodes so far in this file, which a browser loads again by itself",
    )
    return parser


def _file(text: str) -> Path:
    if not Path(text).name:
        raise argparse.ArgumentTypeError(f"{text!r} names no file")
    return Path(text)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


if __name__ == "__main__":
    sys.exit(main())
