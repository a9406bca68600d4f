"""What pytest shows of cases that did not pass: by default what fits a log, on request everything."""

from pathlib import Path

import pytest

from unit_tests.benchmark.harness.test_harness import Finished, run
from unit_tests.builders import small_dataset

MOST_LINES = 12


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    return folder


def shown(finished: Finished, title: str = "FAILURES") -> list[str]:
    """The lines between the title of a section and that of the next."""
    _, _, rest = finished.output.partition(f" {title} =")
    return rest.partition("\n=====")[0].splitlines()[1:]


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_failure_fits_a_log(data: Path, tmp_path: Path, workers: tuple[str, ...]) -> None:
    """A failure takes at most a dozen lines: what, why, and where the rest is."""
    lines = shown(run(tmp_path, f"--dataset={data}", "--model=noop", "--level=3", "--limit=2", *workers))

    assert 2 < len(lines) <= 2 * MOST_LINES
    assert any(line == "failed   F1 0.00 · no answer (format)" for line in lines)
    assert any(line.endswith("level3-001-noop.json; -v shows the whole page") for line in lines)


@pytest.mark.parametrize("option", ["-v", "--tb=long"])
def test_whole_page_on_request(data: Path, tmp_path: Path, option: str) -> None:
    """With -v or --tb=long a failure shows everything that is known."""
    lines = shown(run(tmp_path, f"--dataset={data}", "--model=half", "--level=1", "--limit=1", option))

    assert {"Task", "Gold and answer", "What is wrong", "Tool calls: 0"} <= set(lines)


def test_one_line_a_failure(data: Path, tmp_path: Path) -> None:
    """With --tb=line each failure is one line that says what, why and where."""
    done = run(tmp_path, f"--dataset={data}", "--model=noop", "--level=1", "--limit=2", "--tb=line", reports=False)
    lines = shown(done)

    assert 2 == len(lines)
    assert all(" F1 0.00 · no answer (format) · " in line and line.endswith("-noop.json") for line in lines)


def test_no_failures_shown(data: Path, tmp_path: Path) -> None:
    """With --tb=no the short summary is all."""
    done = run(tmp_path, f"--dataset={data}", "--model=noop", "--level=1", "--limit=1", "--tb=no", reports=False)

    assert [] == shown(done)
    assert "test_instance[level1-001-noop] - F1 0.00 · no answer (format) · " in done.output


def test_summary_is_one_line_in_ci(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pytest shortens no line of its summary, as in CI, it repeats no page."""
    monkeypatch.setenv("CI", "1")
    done = run(tmp_path, f"--dataset={data}", "--model=half", "--level=1", "--limit=1", "-v")
    _, _, summary = done.output.partition("short test summary info")

    assert 3 == len(summary.strip().splitlines())
    assert "level1-001-half] - F1 0.67 · " in summary


def test_error_shows_its_cause_first(data: Path, tmp_path: Path) -> None:
    """Of a defect the error itself, then the end of the traceback; in the summary the cause."""
    done = run(tmp_path, f"--dataset={data}", "--model=mixed", "--level=1")
    page = shown(done, "ERRORS")
    places = [number for number, line in enumerate(page) if "ERROR at call of test_instance[level1-00" in line]

    assert 3 == len(places)
    assert ["endpoint: HTTP 500 from 127.0.0.1: no luck �", "harness: RuntimeError: a defect � of the harness"] == [
        page[place + 1] for place in places[:2]
    ]
    assert all(after - before <= MOST_LINES for before, after in zip(places, [*places[1:], len(page)], strict=True))
    assert (
        "ERROR benchmark/test_instances.py::test_instance[level1-003-mixed] - error · endpoint: HTTP 500" in done.output
    )
