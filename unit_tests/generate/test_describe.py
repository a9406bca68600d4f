"""Descriptions in Markdown."""

from dataclasses import replace

import pytest

from mpcbench.generate.describe import matrix, span, table
from mpcbench.generate.making import files_of
from mpcbench.generate.profile import Profile, Spread, profile
from mpcbench.schema.dataset import Dataset, write_files
from unit_tests.generate.samples import SEED, made


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    """A level of two instances."""
    folder = tmp_path_factory.mktemp("data")
    write_files(folder, files_of(1, SEED, [made(1, 0), made(1, 1)]))
    return profile(Dataset(folder), 1)


@pytest.mark.parametrize(
    ("spread", "expected"),
    [
        (None, "\N{EN DASH}"),
        (Spread(2, 2, 2), "2"),
        (Spread(3, 5, 15), "3\N{EN DASH}15"),
        (Spread(101, 900, 3357), "101\N{EN DASH}3,357"),
    ],
)
def test_span(spread: Spread | None, expected: str) -> None:
    """One number where both ends are the same, a dash where there is nothing to measure."""
    assert expected == span(spread)


def test_table_has_a_column_for_each_level(measured: Profile) -> None:
    """Rows are named at the left."""
    rows = (("people", lambda one: str(one.people)),)
    text = table(rows, [measured, replace(measured, level=2, people=24)])

    assert text == "|  | level 1 | level 2 |\n| --- | --- | --- |\n| people | 12 | 24 |"


def test_matrix(measured: Profile) -> None:
    """Every row of one level has one value, and the three capabilities are its headings."""
    rows = [line.strip("|").split("|") for line in matrix([measured]).splitlines()]

    assert {len(cells) for cells in rows} == {2}
    assert ["**Decomposition**", "**Acquisition**", "**Integration**"] == [
        cells[0].strip() for cells in rows if "**" in cells[0]
    ]


@pytest.mark.parametrize(("counted", "named", "expected"), [(2, 0, "their number only"), (0, 2, "all"), (0, 1, "none")])
def test_hint_of_the_task(measured: Profile, counted: int, named: int, expected: str) -> None:
    """Tasks name all sources, only their number, or none."""
    other = replace(measured, tasks_with_source_count=counted, sources_named=Spread(named, named, named))

    assert f"| what the task tells of the sources | {expected} |" in matrix([other])


def test_kinds_are_sorted_by_number_then_name(measured: Profile) -> None:
    """The same data always give the same text."""
    other = replace(measured, kinds=type(measured.kinds)({"site": 2, "bookings": 5, "capacity": 5}))

    assert "| bookings 5, capacity 5, site 2 |" in matrix([other])
