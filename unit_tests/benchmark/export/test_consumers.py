"""Exports load in what they are for: datasets and TRL's trainers, which `make trainers` installs."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mpcbench.benchmark.export.__main__ import main
from mpcbench.schema.versions import CANARY
from unit_tests.benchmark.export.exported import TEST, exported

TRAINERS = Path(os.environ.get("MPCBENCH_TRAINERS", Path(sys.prefix) / "trainers"))
"""The folder of their packages, away from the packages of the project."""


def test_hub_layout(tmp_path: Path) -> None:
    """A folder with a card and a Parquet file for each level and split, whose rows are those of sft."""
    options = (*TEST, "--level", "1", "--level", "3", "--count", "1")
    rows = exported(tmp_path / "sft.jsonl", "sft", *options)
    assert 0 == main(["hf", *options, "--out", str(tmp_path / "hf")])
    card = (tmp_path / "hf" / "README.md").read_text()

    assert CANARY in card
    for row, level in zip(rows, (1, 3), strict=True):
        table = pq.read_table(tmp_path / "hf" / f"level{level}" / "test.parquet")
        (found,) = table.to_pylist()
        assert f"path: level{level}/test.parquet" in card
        assert CANARY == table.schema.metadata[b"canary"].decode() == found["canary"]
        assert row["tools"] == json.loads(found["tools"])
        assert row["messages"] == [{k: v for k, v in one.items() if v is not None} for one in found["messages"]]
        assert {name: row["provenance"][name] for name in ("seed", "split", "requirements")} == {
            name: found[name] for name in ("seed", "split", "requirements")
        }


@pytest.mark.slow  # imports torch
@pytest.mark.skipif(not TRAINERS.is_dir(), reason="make trainers installs datasets and TRL")
def test_datasets_and_trl_take_the_files(tmp_path: Path) -> None:
    """SFT, steps and DPO train for three steps, with losses; every configuration of the hub's layout opens."""
    for kind in ("sft", "steps", "preference"):
        exported(tmp_path / f"{kind}.jsonl", kind, *TEST, "--level", "1", "--count", "3")
    assert 0 == main(["hf", *TEST, "--count", "2", "--out", str(tmp_path / "hf")])
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("consumers.py"), tmp_path],
        env={**os.environ, "PYTHONPATH": str(TRAINERS), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])

    for name in ("sft", "steps", "dpo", "hf_sft"):
        assert 3 == len(found[name]), name
        assert all(math.isfinite(float(loss)) and float(loss) > 0 for loss in found[name]), name
    assert {f"level{level}": {"test": 2} for level in (1, 2, 3)} == found["hf"]
    assert ["system", "user", "assistant"] == [message["role"] for message in found["messages"]][:3]
