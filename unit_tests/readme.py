"""The tables of README.md that come from the committed data; `python -m unit_tests.readme` writes them anew.

A table stands between two marks, `<!-- matrix -->` and `<!-- /matrix -->`.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from mpcbench.benchmark.agents.baselines import baseline_markdown, baseline_table
from mpcbench.generate.describe import matrix
from mpcbench.generate.profile import profile
from mpcbench.schema.dataset import Dataset, write_files

CHECKOUT = Path(__file__).parents[1]
README = CHECKOUT / "README.md"


def _matrix(dataset: Dataset) -> str:
    return matrix([profile(dataset, level) for level in dataset.levels])


def _shortcuts(dataset: Dataset) -> str:
    return baseline_markdown(baseline_table(dataset))


TABLES: dict[str, Callable[[Dataset], str]] = {"matrix": _matrix, "baselines": _shortcuts}
"""What makes each table, by the name in its marks."""


class MarkError(ValueError):
    """A table's marks do not stand in a text exactly once."""


def section(text: str, name: str) -> str:
    """What stands between a table's marks; raises `MarkError`."""
    return _match(text, name)[0].strip("\n")


def with_section(text: str, name: str, table: str) -> str:
    """The text with a table between its marks; raises `MarkError`."""
    match = _match(text, name)
    return f"{text[: match.start()]}\n\n{table}\n\n{text[match.end() :]}"


def _match(text: str, name: str) -> re.Match[str]:
    found = list(re.finditer(rf"(?<=<!-- {name} -->).*?(?=<!-- /{name} -->)", text, re.DOTALL))
    if len(found) != 1:
        raise MarkError(f"README.md: {len(found)} sections between <!-- {name} --> and <!-- /{name} -->, 1 wanted")
    return found[0]


def main() -> int:
    """Write the tables anew; 0 for success, 2 where a mark is missing."""
    dataset = Dataset.open(CHECKOUT)
    text = README.read_text(encoding="utf-8")
    try:
        for name, table in TABLES.items():
            section(text, name)
            text = with_section(text, name, table(dataset))
    except MarkError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    write_files(CHECKOUT, {README.name: text})
    print(f"wrote {', '.join(TABLES)} in {README}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
