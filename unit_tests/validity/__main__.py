"""`python -m unit_tests.validity` writes docs/validity.md. It needs no network and takes a few minutes on one core."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mpcbench.schema.dataset import Dataset
from unit_tests.validity.bench import Bench
from unit_tests.validity.report import is_reached, measured, report, tables

ROOT: Final = Path(__file__).resolve().parents[2]
REPORT: Final = ROOT / "docs" / "validity.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.validity", description=__doc__)
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only every Nth instance; prints, writes nothing"
    )
    options = parser.parse_args(arguments)
    dataset = Dataset.open(ROOT)
    found, claimed = measured(Bench(dataset, options.every), lambda line: print(line, file=sys.stderr, flush=True))
    if options.every == 1:
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(report(dataset, found, claimed), encoding="utf-8", newline="\n")
        print(f"wrote {REPORT.relative_to(ROOT)}")
    else:
        print(tables(found, claimed), end="")
    return 0 if is_reached(found, claimed) else 1


if __name__ == "__main__":
    sys.exit(main())
