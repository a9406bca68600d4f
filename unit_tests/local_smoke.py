"""A real small model through the whole path, and its server killed half-way: `python -m unit_tests.local_smoke`.

It checks that episodes run, are stored and can be resumed, and that no process is left. It never checks a score: the
scores of so small a model are printed beside the reference agent's, as they are.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from mpcbench.benchmark.agents.local.model import LocalModel, LocalOptions
from mpcbench.benchmark.agents.local.weights import LocalModelError, MissingPackageError
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.episode import Episode, Outcome
from unit_tests.benchmark.agents.local.processes import alive, children, comes_true

CHECKOUT = Path(__file__).parents[1]
COUNT = 3
WANTED_SECONDS = 240
FILES = ("run.json", "report.json", "summary.json", "summary.md")

_PYTEST = ("-m", "pytest", "benchmark", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
_CASES = ("--level=1", f"--limit={COUNT}", "--fail-on=never")
# Short, as a small model that goes astray says the same thing again and again.
_SHORT = ("--temperature=0", "--max-turns=3", "--max-tokens=200")
_SHORTEST = ("--temperature=0", "--max-turns=2", "--max-tokens=60")
_SERVER = re.compile(r"^local: process (\d+) at ", re.MULTILINE)


class SmokeError(AssertionError):
    """Something of the path does not work; the message is one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; returns the exit code: 0 also where the packages are missing, which is said."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.local_smoke", description=__doc__)
    parser.add_argument(
        "--keep", metavar="DIR", type=Path, help="an empty folder for the runs, default a temporary one"
    )
    keep: Path | None = parser.parse_args(arguments).keep
    try:
        LocalModel.prepare(LocalOptions(), in_flight=2)
    except MissingPackageError as error:
        print(f"skipped: {error}")
        return 0
    except LocalModelError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    try:
        with tempfile.TemporaryDirectory(prefix="local-smoke-") as temporary:
            folder = keep or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            whole_run(folder)
            killed_run(folder)
    except SmokeError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    print("ok: no process is left")
    return 0


def whole_run(folder: Path) -> None:
    """The episodes from end to end, beside the reference agent's."""
    started, busy_before = time.monotonic(), _processor_seconds()
    with Run(folder / "whole", "--model=local", "--model=reference", "-n", "2", *_CASES, *_SHORT) as run:
        run.end()
    seconds, busy = time.monotonic() - started, _processor_seconds() - busy_before
    check(run.code == 0, f"pytest ended with exit code {run.code}", run)
    for file in FILES:
        check((run.folder.path / file).is_file(), f"the run has no {file}", run)
    local, reference = (list(episodes_of(run.folder, model)) for model in ("local", "reference"))
    errors = [episode for episode in local if episode.outcome is Outcome.ERROR]
    calls = [call for episode in local for call in episode.tool_calls]
    valid = [call for call in calls if not call.is_error]
    check(len(local) == len(reference) == COUNT, f"{len(local)} episodes of the model are stored, not {COUNT}", run)
    check(not errors, f"{len(errors)} episodes are errors: {errors and errors[0].fault}", run)
    check(bool(valid), f"of {len(calls)} tool calls none could be run", run)
    within = "within" if seconds <= WANTED_SECONDS else "more than"
    turns = sum(episode.reply.turns or 0 for episode in local if episode.reply)
    print(f"{COUNT} episodes in {seconds:.0f} s ({within} {WANTED_SECONDS} s), {busy:.0f} s of processors' time:")
    print(f"  {turns} turns, {len(calls)} tool calls, {len(valid)} of them without an error")
    print(f"  answers: {_counted(episode.answer_status for episode in local)}")
    for name, episodes in (("local", local), ("reference", reference)):
        scores = [episode.scores for episode in episodes if episode.scores]
        mean, exact = sum(score.f1 for score in scores) / COUNT, sum(score.exact_match for score in scores)
        print(f"  {name:9}  exact match {exact} of {COUNT}, average F1 {mean:.3f}")


def killed_run(folder: Path) -> None:
    """The same instances with the server killed half-way, and then resumed.

    One at a time: a server reads the prompt that all episodes begin with once for each that it has in flight, which
    takes most of the time.
    """
    with Run(folder / "killed", "--model=local", *_CASES, *_SHORTEST) as run:
        enough = comes_true(lambda: not run.watched() or len(run.folder.episode_files()) >= COUNT // 2, 600)
        check(enough and run.running, "the server could not be killed half-way", run)
        os.kill(run.server, signal.SIGKILL)
        run.end()
    stored = {episode.instance_id: episode for episode in episodes_of(run.folder, "local")}
    finished = {name: episode for name, episode in stored.items() if episode.outcome is not Outcome.ERROR}
    check(run.code != 0, "a run whose server died ended with exit code 0", run)
    check(0 < len(finished) < len(stored), f"{len(stored) - len(finished)} episodes are errors", run)
    check(f"(process {run.server}) died: SIGKILL" in run.output, "the server's death is not told", run)
    print(
        f"server killed: {len(finished)} finished, {len(stored) - len(finished)} errors, {COUNT - len(stored)} not run"
    )

    with Run(folder / "killed", f"--resume={run.folder.path}") as resumed:
        resumed.end()
    after = {episode.instance_id: episode for episode in episodes_of(resumed.folder, "local")}
    scored = [episode for episode in after.values() if episode.outcome is not Outcome.ERROR]
    check(resumed.code == 0, f"the resumed run ended with exit code {resumed.code}", resumed)
    check(len(scored) == COUNT, f"{len(scored)} episodes are scored, not {COUNT}", resumed)
    kept = all(after[name] == episode for name, episode in finished.items())
    check(kept, "a finished episode was run again", resumed)
    print(f"resumed: {len(scored)} of {COUNT} scored, the {len(finished)} finished ones kept")


class Run:
    """One process of pytest, all of whose children are gone when the context ends."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = RunFolder(folder)
        options = arguments if any("--resume" in one for one in arguments) else (*arguments, f"--run-dir={folder}")
        self._log = folder.with_name(f"{folder.name}{'-resumed' if options is arguments else ''}.log")
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [sys.executable, *_PYTEST, *options], cwd=CHECKOUT, stdout=log, stderr=subprocess.STDOUT
            )
        self._family: dict[int, str] = {}
        self.output = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.running:
            self._process.kill()
            self._process.wait()
        check(comes_true(lambda: not any(map(alive, self._family)), 30), f"left over: {self._family}", self)

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def watched(self) -> bool:
        """Whether it has not ended yet; its children are noted."""
        self._family |= children(self._process.pid)
        return self.running

    @property
    def code(self) -> int | None:
        """The exit code."""
        return self._process.returncode

    @property
    def server(self) -> int:
        """The process of the server."""
        found = _SERVER.findall(self.output or self._read())
        check(len(found) == 1, f"{len(found)} servers were started", self)
        return int(found[0])

    def end(self) -> None:
        """Wait for the end, and see meanwhile which processes there are."""
        while self.watched():
            time.sleep(0.5)
        self.output = self._read()
        check(self.server in self._family, "the server is no child of the run", self)

    def _read(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")


def episodes_of(folder: RunFolder, model: str) -> Iterator[Episode]:
    """The stored episodes of one model."""
    return (episode for episode in folder.episodes() if episode.model == model)


def check(condition: bool, complaint: str, run: Run) -> None:
    """Raise `SmokeError`, after printing what the run said, unless the condition holds."""
    if not condition:
        print(run.output)
        raise SmokeError(complaint)


def _processor_seconds() -> float:
    """What the processes have used that this one started and saw end, and those that they saw end."""
    used = os.times()
    return used.children_user + used.children_system


def _counted(values: Iterator[str | None]) -> str:
    return ", ".join(f"{count} {value}" for value, count in Counter(values).most_common())


if __name__ == "__main__":
    sys.exit(main())
