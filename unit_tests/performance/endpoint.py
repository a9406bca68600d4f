"""The harness against an endpoint that takes a second for each turn, beside Inspect AI on the same tasks.

The endpoint is the tests' own server, in a process of its own. It answers from a recording of the reference agent.
Each contender runs twice: a few episodes, then all of them. The difference between the two is what episodes cost
without the start of interpreters, imports, the reading of data and the end of the run.
"""

import json
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mpcbench.benchmark.practice_endpoint.recording import Recording
from mpcbench.benchmark.practice_endpoint.request_log import logged
from mpcbench.schema.dataset import Dataset
from unit_tests.performance import rival
from unit_tests.performance.figure import Figure
from unit_tests.performance.process import CHECKOUT, ProcessError
from unit_tests.performance.process_tree import Taken, take

LATENCY = 1.0
"""Seconds that the endpoint takes for a turn."""

WORKERS = 2
CONCURRENCY = 64
"""Episodes in flight in each worker."""

IN_FLIGHT = WORKERS * CONCURRENCY
FEW = 4
"""Episodes of each level in the short run."""


class Load(NamedTuple):
    """What one contender took for all episodes."""

    episodes: int
    all: Taken
    requests: int
    in_flight: int
    """The most requests that were waited for at a time."""

    start: float
    """Seconds from the start of the command to its first request."""

    milliseconds: float
    """Of processor time for an episode, without the start."""

    @property
    def ideal(self) -> float:
        """Seconds that the requests take if as many as allowed are always in flight."""
        return self.requests * LATENCY / IN_FLIGHT

    @property
    def ratio(self) -> float:
        """The wall time of the whole command to the ideal one."""
        return self.all.seconds / self.ideal

    @property
    def note(self) -> str:
        """What the ratio comes from."""
        return (
            f"{self.all.seconds:.3g} s, first of {self.requests} requests after {self.start:.3g} s, "
            f"up to {self.in_flight} in flight"
        )


Run = Callable[[Path, int | None], Taken]
"""Runs a contender in a folder of its own, with so many episodes of each level or all."""


def figures(dataset: Dataset, scratch: Path) -> Iterator[Figure]:
    """Wall time, memory and processor time of both, the latter also without what the client alone takes."""
    recording, file, log = Recording.of(dataset), scratch / "recording.json", scratch / "requests.jsonl"
    recording.write(file)
    with _server(file, log) as url:

        def loaded(name: str, run: Run) -> Load:
            return _load(recording, log, partial(_within, scratch, name, run))

        ours = loaded("mpcbench", partial(_benchmark, dataset, url))
        alone = loaded("client", partial(_client, file, url))
        client = alone.milliseconds
        net = ours.milliseconds - client
        yield Figure.at_most("endpoint: wall time to the ideal", ours.ratio, 1.25, "", ours.note)
        yield Figure("endpoint: its requests by openai alone, likewise", f"{alone.ratio:.3g} ({alone.note})", "", None)
        yield _at_most("endpoint: memory of all processes", ours.all, 400)
        gross = 1e3 * ours.all.cpu_seconds / ours.episodes
        yield Figure(
            "endpoint: CPU of an episode, gross", f"{gross:.3g} ms (all processes from start to end)", "", None
        )
        yield Figure("endpoint: the same without the start", f"{ours.milliseconds:.3g} ms", "", None)
        yield Figure("endpoint: CPU of its requests by openai alone", f"{client:.3g} ms", "", None)
        yield Figure.at_most("endpoint: CPU of an episode, net", net, 15, " ms", "the last two subtracted")
        run = str(_folder(scratch, "mpcbench", None))
        report = take([sys.executable, "-m", "evaluation", "report", run, "--dataset", str(dataset.folder)])
        pages = f"{report.seconds:.3g} s, {1e3 * report.cpu_seconds / ours.episodes:.3g} ms of CPU an episode"
        yield Figure("endpoint: report.html, not in the above", pages, "", None)
        try:
            commands = rival.environment()
            theirs = loaded("inspect", partial(_inspect, recording, file, url, commands))
        except ProcessError as error:
            print(f"Inspect AI: {error}", file=sys.stderr)
            yield Figure(f"Inspect AI {rival.VERSION}", "not measured", "", None)
            return
    name = f"Inspect AI {rival.VERSION}"
    yield Figure.at_least(f"{name}: wall time to the ideal", theirs.ratio, _round(ours.ratio), "", theirs.note)
    if ours.all.megabytes and theirs.all.megabytes:
        most = _round(ours.all.megabytes)
        yield Figure.at_least(f"{name}: memory", theirs.all.megabytes, most, " MB", theirs.all.memory)
    yield Figure.at_least(
        f"{name}: CPU of an episode, gross", 1e3 * theirs.all.cpu_seconds / theirs.episodes, _round(gross), " ms"
    )
    yield Figure.at_least(f"{name}: CPU of an episode, net", theirs.milliseconds - client, _round(net), " ms")


def _round(value: float) -> float:
    """As tables show it."""
    return float(f"{value:.3g}")


def _at_most(name: str, taken: Taken, most: float) -> Figure:
    if taken.megabytes is None:
        return Figure(name, "unknown without /proc", f"<= {most:g} MB", None)
    return Figure.at_most(name, taken.megabytes, most, " MB", f"peak, {taken.memory}")


@contextmanager
def _server(recording: Path, log: Path) -> Iterator[str]:
    """The base URL of a server in a process of its own."""
    command = [sys.executable, "-m", "benchmark.practice_endpoint", "--recording", str(recording)]
    command += ["--latency", str(LATENCY), "--log", str(log)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url:
                raise ProcessError("the endpoint's server did not start")
            yield url
        finally:
            process.terminate()
            process.communicate()


def _load(recording: Recording, log: Path, run: Callable[[int | None], Taken]) -> Load:
    few = run(FEW)
    before = sum(1 for _ in logged(log))
    every = run(None)
    times = [line.time for line in logged(log)][before:]
    episodes = len(recording.episodes)
    waiting = max(place + 1 - bisect_left(times, time - LATENCY) for place, time in enumerate(times))
    more = episodes - len(recording.some(FEW))
    milliseconds = 1e3 * (every.cpu_seconds - few.cpu_seconds) / more
    return Load(episodes, every, len(times), waiting, times[0] - every.begun, milliseconds)


def _within(scratch: Path, name: str, run: Run, limit: int | None) -> Taken:
    return run(_folder(scratch, name, limit), limit)


def _folder(scratch: Path, name: str, limit: int | None) -> Path:
    return scratch / f"{name}-{limit or 'all'}"


def _benchmark(dataset: Dataset, url: str, folder: Path, limit: int | None) -> Taken:
    options = {
        "-p": "no:cacheprovider",
        "-n": str(WORKERS),
        "--concurrency": str(CONCURRENCY),
        "--model": "stand-in",
        "--base-url": url,
        "--dataset": str(dataset.folder),
        "--run-dir": str(folder),
        "--preflight": "off",
        # Pages for people, which can be written later; measured by itself.
        "--report": "off",
    }
    if limit is not None:
        options["--limit"] = str(limit)
    given = [text for pair in options.items() for text in pair]
    # A case that is no exact match or an error makes the command fail.
    return take([sys.executable, "-m", "pytest", "benchmark", "-p", "no:hypothesispytest", "-q", *given])


def _client(recording: Path, url: str, _: Path, limit: int | None) -> Taken:
    command = [sys.executable, "-m", "unit_tests.performance.bare_client", str(recording), url]
    command += ["--concurrency", str(IN_FLIGHT), *([] if limit is None else ["--limit", str(limit)])]
    taken = take(command)
    said = json.loads(taken.output)
    if said["right"] != said["episodes"]:
        raise ProcessError(f"the client got {said['right']} of {said['episodes']} answers")
    return taken


def _inspect(recording: Recording, file: Path, url: str, commands: Path, folder: Path, limit: int | None) -> Taken:
    instances = [] if limit is None else [episode.instance_id for episode in recording.some(limit)]
    return rival.evaluate(commands, file, url, folder, IN_FLIGHT, instances)
