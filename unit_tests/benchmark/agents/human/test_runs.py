"""`pytest benchmark --model human`: people's runs are runs."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import COMMITTED, Dataset
from unit_tests.benchmark.agents.human.web_play import WebPlay
from unit_tests.builders import small_dataset


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


def command(data: Dataset, *arguments: str) -> list[str]:
    plugins = ("-p", "no:cacheprovider", "--model=human", f"--dataset={data.folder}")
    return [sys.executable, "-m", "pytest", "benchmark", *plugins, *arguments]


def comes(web: WebPlay, text: str) -> bool:
    """Whether a page with the text comes within a minute; that of the episode before may be shown until then."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if text in web.look():
            return True
        time.sleep(0.2)
    return False


@pytest.mark.slow
def test_two_episodes_are_played_one_after_the_other(data: Dataset, tmp_path: Path) -> None:
    """The address is printed even with -q; each explanation waits for the person; the run verifies."""
    asked = command(
        data,
        "--instance=level1-001",
        "--instance=level1-002",
        "--agent-arg=name=Anna",
        f"--run-dir={tmp_path / 'run'}",
        "-q",
    )
    with subprocess.Popen(asked, cwd=COMMITTED, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        address = next(match[0] for line in process.stdout if (match := re.search(r"http://\S+", line)))
        web = WebPlay(address)
        for instance in ("level1-001", "level1-002"):
            if not comes(web, f"Episode {instance}"):
                process.kill()  # it would wait for its person
                pytest.fail(f"no page of {instance}")
            gold = data.exam(instance).label.gold
            rows = {
                "date": [f"{one.start:%Y-%m-%d}" for one in gold],
                "start": [f"{one.start:%H:%M}" for one in gold],
                "end": [f"{one.end:%H:%M}" for one in gold],
            }
            web.send("answer", **rows)
            if not comes(web, "outcome passed"):
                process.kill()
                pytest.fail(f"no explanation of {instance}")
            assert 200 == web.send("next").status
        output = process.stdout.read()
    folder = RunFolder.open(tmp_path / "run")

    assert (0, True) == (process.returncode, "2 passed" in output or "human" in output)
    assert {"human": {"player": "Anna"}} == folder.info.agents
    assert [] == list(Verification(folder, data).findings())


@pytest.mark.slow
def test_workers_are_refused(data: Dataset, tmp_path: Path) -> None:
    """One line says why, before anything is made."""
    done = subprocess.run(
        command(data, "-n2", f"--run-dir={tmp_path / 'run'}"),
        check=False,
        cwd=COMMITTED,
        capture_output=True,
        text=True,
    )

    assert 4 == done.returncode
    assert "ERROR: -n: --model human plays one episode at a time; leave -n out" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"concurrency": "2"}, "--concurrency: --model human plays one episode at a time"),
        ({"trials": "2"}, "--trials: --model human knows the answer after the first"),
        ({"attribute": "causal"}, "--attribute: --model human knows the answer"),
        ({"agent-timeout": "60"}, "--agent-timeout, --in-process: not for --model human"),
        ({"agent-arg": ["age=40"]}, "--agent-arg: --model human takes name=NAME, not age"),
    ],
)
def test_options_that_make_no_sense_are_refused(data: Dataset, options: dict[str, object], message: str) -> None:
    """Each with one line that names the option."""
    settings = Settings.from_options({"model": ["human"], **options}, Path())

    with pytest.raises(SettingsError, match=f"^{re.escape(message)}"):
        agents_of(settings, data)
