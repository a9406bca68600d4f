"""Inspect AI, in a virtual environment of its own, which this part of the measurement alone makes."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from unit_tests.performance.process import CHECKOUT, ProcessError
from unit_tests.performance.process_tree import Taken, take

VERSION = "0.3.285"
"""The release that is measured."""

ENVIRONMENT = CHECKOUT / ".venv-inspect"
TASK = Path(__file__).with_name("inspect_task.py")
_MODEL = "openai-api/stand-in/stand-in"
_KEY = "STAND_IN_API_KEY"


def environment() -> Path:
    """The folder of the environment's commands; made where it is missing or of other versions.

    The openai package in it is the one that the benchmark itself uses.

    Raises:
        ProcessError: it cannot be made.
    """
    wanted = f"inspect-ai=={VERSION} openai=={version('openai')}"
    made = ENVIRONMENT / "made-of"
    commands = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    if not (made.is_file() and made.read_text() == wanted):
        print(f"setting up {ENVIRONMENT.name} with {wanted}", file=sys.stderr)
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        _call(sys.executable, "-m", "venv", str(ENVIRONMENT))
        _call(str(commands / "python"), "-m", "pip", "install", "--quiet", *wanted.split())
        made.write_text(wanted)
    return commands


def evaluate(
    commands: Path, recording: Path, base_url: str, folder: Path, connections: int, instances: Sequence[str]
) -> Taken:
    """What an evaluation took, started as a user would; what has no option here is as it is by default.

    Live logging is among that. The display is the plain one, as there is no terminal.

    Args:
        commands: Where the environment's commands are.
        recording: What the tasks are made from.
        base_url: The endpoint.
        folder: For the logs; made.
        connections: How many requests may be in flight.
        instances: The samples to run; all if there is none.

    Raises:
        ProcessError: it failed, or did not get every sample right.
    """
    folder.mkdir()
    # It finds tasks by relative paths only.
    shutil.copy(TASK, folder)
    options = {
        "-T": f"recording={recording}",
        "--model": _MODEL,
        "--model-base-url": base_url,
        "--max-connections": str(connections),
        "--log-dir": str(folder / "logs"),
    }
    if instances:
        options["--sample-id"] = ",".join(instances)
    given = [text for pair in options.items() for text in pair]
    taken = take([str(commands / "inspect"), "eval", TASK.name, *given], folder, {_KEY: "unused"})
    _check(commands, folder / "logs")
    return taken


def _check(commands: Path, logs: Path) -> None:
    (log,) = logs.glob("*.eval")
    header = json.loads(_call(str(commands / "inspect"), "log", "dump", "--header-only", str(log)))
    (score,) = header["results"]["scores"]
    accuracy = score["metrics"]["accuracy"]["value"]
    if (header["status"], accuracy) != ("success", 1):
        raise ProcessError(f"Inspect AI ended with {header['status']}, accuracy {accuracy}")


def _call(*command: str) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise ProcessError(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}")
    return done.stdout
