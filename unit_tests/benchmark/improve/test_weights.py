"""Fine-tuning with TRL, whose packages `make trainers` installs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.benchmark.improve.__main__ import main
from unit_tests.benchmark.improve.test_examples import MESSAGES, row, written

TRAINERS = Path(os.environ.get("MPCBENCH_TRAINERS", Path(sys.prefix) / "trainers"))
ROOT = Path(__file__).parents[3]


@pytest.mark.slow  # imports torch
@pytest.mark.skipif(not (TRAINERS / "peft").is_dir(), reason="make trainers installs TRL and PEFT")
def test_adapter_is_trained_and_merged(tmp_path: Path) -> None:
    """A conversation that is too long is left out or cut. Three steps change every linear weight, and the file holds just that, in the order of rows that readers expect."""
    long = {"role": "assistant", "content": "x" * 300}
    rows = written(tmp_path, row(), row(messages=[MESSAGES[1], long]), row(messages=[*MESSAGES, MESSAGES[1], long]))
    done = subprocess.run(
        [sys.executable, "-m", "unit_tests.benchmark.improve.tuning", rows, tmp_path],
        env={**os.environ, "PYTHONPATH": str(TRAINERS), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr[-3000:]
    result = json.loads(done.stdout.splitlines()[-1])

    assert (3, 2, 14) == (len(result["losses"]), result["conversations"], result["adapted"])
    assert all(0 < loss < 100 for loss in result["losses"])
    assert result["added"] > 10 * result["off"]
    assert result["off"] < 1e-3  # of half precision
    assert result["others"]
    assert result["template"]


@pytest.mark.skipif((TRAINERS / "peft").is_dir() and str(TRAINERS) in sys.path, reason="the packages are there")
def test_missing_packages_and_foreign_weights_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each; nothing is written."""
    file, out = written(tmp_path, row()), tmp_path / "out.gguf"
    (tmp_path / "no.gguf").write_text("no weights")

    assert 2 == main(["weights", file, "--gguf", str(tmp_path / "no.gguf"), "--out", str(out)])
    assert "no.gguf: not a GGUF file" in capsys.readouterr().err
    assert not out.exists()
