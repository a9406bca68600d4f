"""`python -m unit_tests.validity` writes docs/validity.md. It needs no network and takes minutes on two cores."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mpcbench.schema.dataset import Dataset
from unit_tests.validity.finding import Group
from unit_tests.validity.measure import ALL, FEW, USUAL, measured
from unit_tests.validity.report import missed, report, summary

ROOT: Final = Path(__file__).resolve().parents[2]
REPORT: Final = ROOT / "docs" / "validity.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.validity", description=__doc__)
    parser.add_argument("--all", action="store_true", help="all instances instead of a sample (hours)")
    parser.add_argument("--work", action="store_true", help="leave the held-out agents alone; prints, writes nothing")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one for each processor)")
    options = parser.parse_args(arguments)
    dataset, sizes = Dataset.open(ROOT), ALL if options.all else USUAL
    if options.work:
        sizes = sizes._replace(of_each={**sizes.of_each, Group.HELD_OUT: 0})
    found = measured(dataset, sizes, _say, options.jobs)
    if options.work:
        print(report(found, sizes, ()), end="")
        return 0
    few = measured(dataset, FEW, _say, options.jobs)
    REPORT.write_text(report(found, sizes, few), encoding="utf-8", newline="\n")
    print(f"{summary(found)}\nwrote {REPORT.relative_to(ROOT)}")
    misses = [*missed(found)]
    for miss in misses:
        print(f"target missed: {miss}", file=sys.stderr)
    return 1 if misses else 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
