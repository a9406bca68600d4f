"""A real run with a model behind an endpoint, and what forges it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.practice_endpoint import EndpointServer, Solver
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.schema.dataset import COMMITTED
from unit_tests.builders.chosen_instances import by_work_hours

MODEL = "gpt-4o"
SOLVED = next(by_work_hours(matter=False))
WRONG = next(one for one in by_work_hours(matter=True) if one > SOLVED)
INSTANCES = (SOLVED, WRONG, "level2-017")
EPISODE = f"episodes/{SOLVED}-{MODEL}.json"
FAILED = f"episodes/{WRONG}-{MODEL}.json"
REFERENCE = f"episodes/{SOLVED}-reference.json"


class Forgery(NamedTuple):
    """A way to forge a run: what is done to its folder, and the beginning of the line that names it."""

    name: str
    forge: Callable[[RunFolder], object]
    finding: str


def real_run(path: Path) -> RunFolder:
    """A run of pytest with all its files: the reference agent, and a model with a flaw that hits some instances."""
    with EndpointServer(Solver(flawed_agent("omits-work-hours"))) as server:
        done = subprocess.run(
            [
                sys.executable, "-m", "pytest", str(COMMITTED / "benchmark"), "-q", "-p", "no:cacheprovider",
                f"--run-dir={path}", "--model=reference", f"--model={MODEL}", f"--base-url={server.base_url}",
                *(f"--instance={name}" for name in INSTANCES), "--report=on", "--rootdir", str(COMMITTED),
            ],
            env={**os.environ, "OPENAI_API_KEY": "sk-of-the-practice-endpoint"},
            capture_output=True,
            text=True,
            check=False,
            cwd=path.parent,
        )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return RunFolder.open(path)


def edited(name: str, edit: Callable[[Any], object]) -> Callable[[RunFolder], object]:
    """A JSON file of the run changed."""

    def forge(folder: RunFolder) -> None:
        file = folder.path / name
        value = json.loads(file.read_text(encoding="utf-8"))
        edit(value)
        file.write_text(json.dumps(value), encoding="utf-8")

    return forge


def put(*path: str | int, value: object) -> Callable[[Any], None]:
    """A value put where another one was."""

    def edit(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        assert content[path[-1]] != value
        content[path[-1]] = value

    return edit


def of_episode(*path: str | int, value: object, name: str = EPISODE) -> Callable[[RunFolder], object]:
    """A field of an episode replaced."""
    return edited(name, put(*path, value=value))


def of_run(*path: str | int, value: object) -> Callable[[RunFolder], object]:
    """A field of run.json replaced."""
    return edited("run.json", put(*path, value=value))


def made_consistent(folder: RunFolder) -> None:
    """Summaries and sums written anew, as a careful forger does."""
    again = RunFolder(folder.path)
    write_summary(again, again.results(), write_report=lambda _summary, _file: None)
