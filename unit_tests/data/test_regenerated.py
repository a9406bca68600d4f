"""The committed files come out of the generator again, byte for byte."""

import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.schema.dataset import COMMITTED, LEVELS, Dataset, instances_path, labels_path, world_path
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

pytestmark = pytest.mark.slow  # generates all committed data again


@pytest.mark.parametrize("level", LEVELS)
def test_files_are_regenerated_byte_for_byte(level: Level, tmp_path: Path) -> None:
    """The command of the README, in processes of its own and with other hash seeds, writes the committed files."""
    command = [sys.executable, "-m", "generate", "--level", str(level), "--workers", "2", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=COMMITTED, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert Dataset(tmp_path).levels == (level,)
    for path in (world_path(level), instances_path(level), labels_path(level)):
        assert (DATASET.folder / path).read_bytes() == (tmp_path / path).read_bytes(), path
