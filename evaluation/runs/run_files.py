"""The files of a run beside its episodes that follow from them, and how large a file of a run may be."""

from pathlib import Path
from typing import Final

from mpcbench.evaluation.runs.durable_file import LARGEST, is_regular

SUMMARY_FILE: Final = "summary.json"
MARKDOWN_FILE: Final = "summary.md"
REPORT_FILE: Final = "report.html"
JSON_REPORT_FILE: Final = "report.json"

IN_PLAY: Final = "in-play"
"""The folder of the journals of episodes that a person has begun and not ended; it goes with the last of them."""

DERIVED_FILES: Final = (SUMMARY_FILE, MARKDOWN_FILE, REPORT_FILE, JSON_REPORT_FILE)

_LARGEST: Final = {REPORT_FILE: 2**30, JSON_REPORT_FILE: 2**28}
"""Bytes of the largest report that is read; of any other file, `LARGEST`."""


def most_bytes(name: str) -> int:
    """The size of the largest file of that name that is read."""
    return _LARGEST.get(name, LARGEST)


def is_readable(file: Path) -> bool:
    """Whether it is a file itself, of a sensible size; raises `OSError`."""
    return is_regular(file) and file.stat().st_size <= most_bytes(file.name)
