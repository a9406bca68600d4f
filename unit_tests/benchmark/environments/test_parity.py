"""The same conversation gets the same results of its calls and the same score everywhere, to the last bit.

The parity of the other libraries runs in an environment of theirs, which `make environments` installs.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.environments.reward import Weights
from mpcbench.benchmark.environments.stepped_episode import replayed
from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.environments.conversations import WEIGHTS, Talk, result_of, scored_by_a_run, talks
from unit_tests.builders.committed import DATASET

HERE = Path(__file__).parent
LIBRARIES = ("inspect", "openenv", "verifiers")


@cache
def by_a_run() -> list[tuple[Talk, dict[str, Any]]]:
    """Every conversation with what a run makes of it."""
    return [(talk, result_of(*scored_by_a_run(talk))) for talk in talks()]


def folder_of(library: str) -> Path:
    """Where its packages are, away from those of the project."""
    return Path(os.environ.get(f"MPCBENCH_{library.upper()}", Path(sys.prefix) / library))


def environment_of(library: str) -> dict[str, str]:
    """The variables of a process that finds the library, its commands and this checkout."""
    folder = folder_of(library)
    packages, commands = (str(folder), str(COMMITTED)), (str(folder / "bin"), os.environ["PATH"])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(packages), "PATH": os.pathsep.join(commands)}


@pytest.mark.slow  # fifty conversations over HTTP
def test_a_stepped_episode_is_scored_like_a_run() -> None:
    """Messages handed over one by one give what they give through an endpoint; every part of the reward differs somewhere."""
    found = []
    for talk, _ in by_a_run():
        episode = replayed(DATASET.exam(talk.instance_id), talk.said)
        found.append(result_of(episode.graded(), episode.reward(Weights.of(WEIGHTS))))

    assert [scored for _, scored in by_a_run()] == found
    assert all(1 < len({one["parts"][name] for one in found}) for name in WEIGHTS)


@pytest.mark.slow  # imports a library, and asks it fifty times
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_scores_like_a_run(library: str, tmp_path: Path) -> None:
    """Fifty conversations, most of them in its own loop, have the results and scores of a run."""
    if not folder_of(library).is_dir():
        pytest.skip("make environments installs it")
    talked = tmp_path / "talks.json"
    talked.write_text(json.dumps([talk._asdict() for talk, _ in by_a_run()]))
    done = subprocess.run(
        [sys.executable, "-m", f"unit_tests.benchmark.environments.{library}_parity", talked, tmp_path / "logs"],
        env=environment_of(library),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert 0 == done.returncode, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])

    for talk, scored in by_a_run():
        assert scored == found[talk.instance_id], (talk.instance_id, talk.name)
