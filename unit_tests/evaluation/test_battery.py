"""`evaluation baselines` prints what guessing is worth and says where it is worth too much."""

from pathlib import Path

import pytest

from mpcbench.evaluation import battery
from mpcbench.evaluation.__main__ import main
from unit_tests.builders import small_dataset
from unit_tests.marks import UNTRACED


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A small data set, which takes the place of the committed one, too."""
    small_dataset.write(tmp_path / "data")
    monkeypatch.setattr(battery, "COMMITTED", tmp_path / "data")
    return str(tmp_path / "data")


def test_table_has_a_line_for_each_source(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exact match comes first, on either data; the small set is too easy, which is said and makes the exit code 1."""
    code = main(["baselines", "--level", "1", "--train", data, "--test", data, "--workers", "1", "--markdown"])
    printed = capsys.readouterr()
    heading, _, *lines = printed.out.splitlines()

    assert (
        "| level | without | exact match, held-out (n=6) | exact match, committed (n=6) | F1, held-out | F1, committed "
        "| best guesses |"
    ) == heading
    assert ["| 1 | everything ", "| 1 | calendar ", "| 1 | policy ", "| 1 | policy-id "] == [
        line[: line.index("|", 6)] for line in lines
    ]
    assert "over the bound: level 1 without policy: exact match 1.000 of 'first N', more than 0.02" in printed.err
    assert 1 == code


def test_all_guesses_can_be_printed(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--all` has a line for each guess and data set."""
    main(["baselines", "--level", "3", "--train", data, "--test", data, "--workers", "1", "--all"])
    heading, *lines = capsys.readouterr().out.splitlines()

    assert ["level", "without", "data", "n", "exact", "match", "[95%]", "F1", "[95%]", "guess"] == heading.split()
    assert {"held-out", "committed"} == {line.split()[2] for line in lines}
    assert any(line.endswith("learned run") for line in lines)


def test_missing_data_are_bad_input(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without data ends the command with one line."""
    assert 2 == main(["baselines", "--level", "1", "--train", str(tmp_path / "none"), "--test", data])
    assert "no data set" in capsys.readouterr().err


@pytest.mark.slow
@UNTRACED
@pytest.mark.usefixtures("data")
def test_held_out_data_are_generated_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    """Without folders, two seeds are generated, with progress on standard error."""
    main(["baselines", "--level", "1", "--seed", "31", "--count", "2", "--workers", "1"])
    printed = capsys.readouterr()

    assert "(n=2)" in printed.out.splitlines()[0]
    assert "seed 31, level 1" in printed.err
    assert "seed 32, level 1" in printed.err
