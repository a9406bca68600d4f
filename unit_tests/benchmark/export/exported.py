"""Exports made in tests."""

import json
from pathlib import Path
from typing import Any

from mpcbench.benchmark.export.__main__ import main

TEST = ("--split", "test", "--allow-test")
"""The committed data: the quickest, since nothing is generated."""


def exported(out: Path, kind: str, *options: str) -> list[dict[str, Any]]:
    """The rows of an export to a file."""
    assert main([kind, *options, "--out", str(out)]) == 0
    return rows(out)


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
