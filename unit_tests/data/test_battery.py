"""Trivial agents score nothing on the committed data, and the documentation says how little."""

from functools import cache

import pytest

from mpcbench.benchmark.agents.baselines import BaselineRow, baseline_markdown, baseline_table
from mpcbench.benchmark.agents.baselines.trivial import TRIVIAL
from mpcbench.schema.dataset import LEVELS
from unit_tests.builders.committed import DATASET
from unit_tests.marks import UNTRACED
from unit_tests.tables import shown

pytestmark = [UNTRACED, pytest.mark.slow]  # runs every baseline on all committed instances


@cache  # and no fixture, whose coverage would be measured
def rows() -> list[BaselineRow]:
    return baseline_table(DATASET)


def test_no_baseline_finds_a_gold() -> None:
    """Exact match is 0 everywhere, F1 at most 0.02, and 0.05 for everything in the window."""
    assert [(level, name) for level in LEVELS for name in TRIVIAL] == [(row.level, row.baseline) for row in rows()]
    for row in rows():
        assert row.exact_match == 0, row
        assert row.f1 <= (0.05 if row.baseline == "everything" else 0.02), row


def test_single_sources_share_no_candidate() -> None:
    """What is computed from one source alone scores 0: the certificate forbids a shared candidate."""
    assert {0.0} == {row.f1 for row in rows() if row.baseline.startswith("only-")}


def test_the_documentation_shows_the_table() -> None:
    """The table of docs/data.md is the one computed; `make tables` writes it anew."""
    assert baseline_markdown(rows()) == shown("baselines")
