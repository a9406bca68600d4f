"""What is left out of a command line: options of the last run, and the benchmark's name."""

from pathlib import Path

import pytest

from unit_tests.benchmark.harness.test_harness import name_of, run
from unit_tests.builders import small_dataset

CASE = "benchmark/test_instances.py::test_instance[{}]"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    return folder


def names(tests: list[dict[str, object]]) -> list[str]:
    return [name_of(test) for test in tests]


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_last_failures_need_no_options(data: Path, tmp_path: Path, workers: tuple[str, ...]) -> None:
    """--lf runs what failed last, with the options of that run, and says so."""
    run(tmp_path, f"--dataset={data}", "--model=mixed,good", "--level=1", "--trials=2", "--max-turns=7")
    again = run(tmp_path, "--lf", *workers)
    failed = [f"level1-00{number}-mixed{trial}" for number in (2, 3, 4, 5) for trial in ("", "-trial2")]

    assert failed == names(again.report["tests"])
    assert "mpcbench: as before: --model mixed " in again.output
    assert 7 == again.report["mpcbench"]["settings"]["max_turns"]
    assert 0 == run(tmp_path, "--lf", "--fail-on=never", "--model=good", f"--dataset={data}", "--level=1").code


def test_pasted_node_id_needs_no_options(data: Path, tmp_path: Path) -> None:
    """The node ID of a case names model, instance and trial; the rest is as in the last run of that model."""
    run(tmp_path, f"--dataset={data}", "--model=half", "--level=3", "--limit=1", "--max-turns=7")
    again = run(tmp_path, paths=(CASE.format("level1-004-half-trial2"),))

    assert ["level1-004-half-trial2"] == names(again.report["tests"])
    assert 7 == again.report["mpcbench"]["settings"]["max_turns"]


def test_node_id_of_another_model_recalls_nothing_else(data: Path, tmp_path: Path) -> None:
    """Options of a run are not taken for another model's."""
    run(tmp_path, f"--dataset={data}", "--model=half", "--level=1", "--limit=1", "--max-turns=7")
    other = run(tmp_path, f"--dataset={data}", paths=(CASE.format("level1-004-good"),))

    assert {"level1-004-good": "passed"} == other.outcomes()
    assert 200 == other.report["mpcbench"]["settings"]["max_turns"]


def test_failures_of_earlier_models_wait(data: Path, tmp_path: Path) -> None:
    """--lf runs the failures of the last run's models; those of others run once they are named."""
    run(tmp_path, f"--dataset={data}", "--model=noop", "--level=1", "--limit=2")
    run(tmp_path, f"--dataset={data}", "--model=half", "--level=1", "--limit=1")
    last = run(tmp_path, "--lf")
    named = run(tmp_path, "--lf", "--model=noop", f"--dataset={data}")

    assert ["level1-001-half"] == names(last.report["tests"])
    assert ["level1-001-noop", "level1-004-noop"] == names(named.report["tests"])


def test_what_is_typed_wins(data: Path, tmp_path: Path) -> None:
    """An option on the command line is not replaced by an earlier one."""
    run(tmp_path, f"--dataset={data}", "--model=half", "--level=1", "--limit=2", "--max-turns=7")
    again = run(tmp_path, "--lf", "--max-turns=9")

    assert ["level1-001-half", "level1-004-half"] == names(again.report["tests"])
    assert 9 == again.report["mpcbench"]["settings"]["max_turns"]


def test_options_without_the_benchmark(tmp_path: Path) -> None:
    """An option of the benchmark for other tests ends in one line that says what to type, without secrets."""
    arguments = ("--model", "m", "--base-url=https://user:secret@host/v1", "--collect-only")
    refused = run(tmp_path, *arguments, paths=("unit_tests/test_docs.py",), reports=False)
    line = refused.output.strip()

    assert pytest.ExitCode.USAGE_ERROR == refused.code
    assert line.startswith("ERROR: --model is an option of the benchmark; type: pytest benchmark ")
    assert "--model m --base-url=URL --collect-only" in line
    assert ("secret" in line, "test_docs" in line, "\n" in line) == (False, False, False)


def test_checkout_that_cannot_be_written(data: Path, tmp_path: Path) -> None:
    """A run with a folder elsewhere does without pytest's cache."""
    (tmp_path / "cache").write_text("a file where the cache would be")
    done = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", "--limit=1")

    assert pytest.ExitCode.OK == done.code
    assert "could not create cache" not in done.output
