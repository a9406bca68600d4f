"""Whole runs of `pytest benchmark` on a tiny data set."""

import gc
import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from mpcbench.benchmark.harness import registry
from mpcbench.schema.dataset import COMMITTED
from unit_tests.builders import small_dataset

PLUGINS = ("xdist.plugin", "pytest_jsonreport.plugin", "unit_tests.benchmark.harness.planted_agents")
"""Without those that a run does not need: every process of it starts faster."""

TIMES = {"created", "duration", "seconds"}
"""The fields of the JSON report that may differ between two runs: when it was, and how long it took."""


class Finished(NamedTuple):
    """A run of pytest that is over."""

    code: int
    output: str
    report: dict[str, Any]
    junit: ET.Element | None
    folder: Path
    """Of the run."""

    def outcomes(self) -> dict[str, str]:
        return {name_of(test): test["outcome"] for test in self.report["tests"]}

    def record(self, name: str) -> dict[str, Any]:
        (test,) = (test for test in self.report["tests"] if name_of(test) == name)
        record: dict[str, Any] = test["episode"]
        return record

    def episode(self, name: str) -> dict[str, Any]:
        file = self.folder / self.record(name)["file"]
        episode: dict[str, Any] = json.loads(file.read_text(), parse_constant=refuse)
        return episode


def name_of(test: dict[str, Any]) -> str:
    return str(test["nodeid"]).partition("[")[2].removesuffix("]")


def run(
    folder: Path,
    *arguments: str,
    paths: tuple[str, ...] = ("benchmark",),
    accidents: str = "",
    reports: bool = True,
    own_process: bool = False,
) -> Finished:
    """Run pytest in the checkout with the planted agents, all its outputs in the folder."""
    named = [argument.partition("=") for argument in arguments if argument.startswith(("--run-dir=", "--resume="))]
    run_folder = Path(named[0][2]) if named else folder / "run"
    if not named:
        shutil.rmtree(run_folder, ignore_errors=True)
        arguments = (*arguments, f"--run-dir={run_folder}")
    if not any(argument.startswith("--report=") for argument in arguments):
        arguments = (*arguments, "--report=off")  # drawing plots takes longer than these runs
    json_file, junit_file = folder / "report.json", folder / "junit.xml"
    for file in (json_file, junit_file):
        file.unlink(missing_ok=True)
    wanted = (["--json-report", f"--json-report-file={json_file}", f"--junitxml={junit_file}"] if reports else [])  # fmt: skip
    plugins = [part for plugin in PLUGINS for part in ("-p", plugin)]
    command = [*plugins, "-o", f"cache_dir={folder / 'cache'}", *wanted, *paths, *arguments]
    environment = {"PYTHONPATH": str(COMMITTED), "PLANTED_ACCIDENTS": accidents, "COLUMNS": "200"}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PLANTED_LOADED": str(folder / "loaded.txt")}
    code, output = (as_process if own_process else in_process)(command, environment)
    return Finished(
        code,
        output,
        json.loads(json_file.read_text(), parse_constant=refuse) if json_file.exists() else {},
        ET.parse(junit_file).getroot() if junit_file.exists() else None,
        run_folder,
    )


def in_process(arguments: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """The exit code and output of pytest within this process, which is left as it was; workers have their own."""
    output, errors = io.StringIO(), io.StringIO()
    threshold = gc.get_threshold()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        for name in os.environ:
            if name.startswith(("PYTEST", "COV", "OPENAI")):
                patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.chdir(COMMITTED)
        patch.setattr(registry, "agent_named", registry.agent_named)
        try:
            code = int(pytest.main(arguments))
        finally:
            gc.unfreeze()
            gc.set_threshold(*threshold)
    return code, output.getvalue() + errors.getvalue()


def as_process(arguments: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """The exit code and output of a process that runs pytest."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "OPENAI"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        check=False,
        cwd=COMMITTED,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return value


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    return folder


@pytest.fixture(scope="module")
def mixed(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """One process, with an agent that meets every end an episode can have, and a second model."""
    folder = tmp_path_factory.mktemp("serial")
    return run(folder, "--dataset", str(data), "--model=mixed", "--model=random", "--level=1")


def test_every_case_has_its_own_outcome(mixed: Finished) -> None:
    """A right answer passes, a wrong one fails, and a fault of endpoint or harness is an error."""
    outcomes = {name: outcome for name, outcome in mixed.outcomes().items() if "mixed" in name}

    assert outcomes == {
        "level1-001-mixed": "passed",
        "level1-002-mixed": "failed",
        "level1-003-mixed": "error",
        "level1-004-mixed": "error",
        "level1-005-mixed": "error",
        "level1-006-mixed": "passed",
    }
    assert mixed.code == 1


def test_tests_are_in_the_order_of_level_instance_and_model(mixed: Finished) -> None:
    """Models alternate as given, within instances by number."""
    expected = [f"level1-{number:03}-{model}" for number in range(1, 7) for model in ("mixed", "random")]

    assert expected == [name_of(test) for test in mixed.report["tests"]]


def test_records_of_errors_keep_the_fault(mixed: Finished) -> None:
    """An error's record says which side failed and why, and has no scores."""
    faults = [mixed.episode(f"level1-00{number}-mixed")["fault"] for number in (3, 4, 5)]

    assert faults == [
        {"kind": "endpoint", "message": "HTTP 500 from 127.0.0.1: no luck \ufffd"},
        {"kind": "harness", "message": "RuntimeError: a defect \ufffd of the harness"},
        {"kind": "harness", "message": "SystemExit: 3"},
    ]
    assert mixed.episode("level1-003-mixed")["scores"] is None


def test_odd_output_of_a_model_survives(mixed: Finished) -> None:
    """Lone surrogates and NaN neither lose a record nor appear in the report."""
    episode = mixed.episode("level1-002-mixed")

    assert episode["reply"]["messages"] == [{"content": "\ufffd", "logprob": "nan"}]
    assert episode["tool_calls"][0]["arguments"] == {"keyword": "POL-01 \ufffd"}
    assert pytest.approx(2 / 3) == episode["scores"]["f1"]


def test_failure_is_explained_without_a_traceback(mixed: Finished) -> None:
    """The message of a failed case is the explanation and nothing else; only harness faults show a traceback."""
    calls = {name_of(test): test["call"] for test in mixed.report["tests"]}

    assert "Find two slots for the Heron review on 2 February 2027." in calls["level1-002-mixed"]["longrepr"]
    assert "test_instances.py" not in calls["level1-002-mixed"]["longrepr"]
    assert calls["level1-003-mixed"]["longrepr"] == (
        "endpoint: HTTP 500 from 127.0.0.1: no luck \ufffd\n"
        "file     episodes/level1-003-mixed.json; -v shows the whole page"
    )
    assert "planted_agents.py" in calls["level1-004-mixed"]["longrepr"]


def test_junit_report_holds_the_fields(mixed: Finished) -> None:
    """Every test case of the JUnit report has a property for each field of its record, and the cause first."""
    assert mixed.junit is not None
    cases = {str(case.get("name")).partition("[")[2].removesuffix("]"): case for case in mixed.junit.iter("testcase")}
    found = {
        name: {str(one.get("name")): str(one.get("value")) for one in case.iter("property")}
        for name, case in cases.items()
    }
    messages = {name: [str(one.get("message")) for one in case.iter("failure")] for name, case in cases.items()}

    assert mixed.outcomes().keys() == found.keys()
    assert ("2", "random", "failed") == tuple(found["level1-002-random"][name] for name in ("gold", "model", "outcome"))
    assert pytest.approx(2 / 3) == float(found["level1-002-mixed"]["f1"])
    assert "endpoint: HTTP 500 from 127.0.0.1: no luck \ufffd" == found["level1-003-mixed"]["fault"]
    assert not any("{" in value for fields in found.values() for value in fields.values())
    assert messages["level1-003-mixed"][0].startswith("error · endpoint: HTTP 500 from 127.0.0.1: no luck \ufffd · ")


def test_summary_block_counts_every_case(mixed: Finished) -> None:
    """Scored episodes and errors add up to those attempted, and the run is described."""
    block = mixed.report["mpcbench"]
    (row,) = (row for row in block["rows"] if row["model"] == "mixed")

    assert (row["scored"], row["errors"], row["attempted"]) == (3, 3, 6)
    assert block["settings"]["models"] == ["mixed", "random"]
    assert block["data"]["versions"] == {"level1": {"schema_version": "1", "generator_version": "0", "seed": 7}}
    assert set(block["data"]["sha256"]) == {
        "worlds/world_level1.json", "instances/instances_level1.jsonl", "oracles/oracle_level1.jsonl"
    }  # fmt: skip


def test_table_and_causes_of_errors_are_printed(mixed: Finished) -> None:
    """The terminal shows the results once, with every cause of an error."""
    assert mixed.output.count(" MPCBench ") == 1
    assert "error: 1 because of endpoint: HTTP 500 from 127.0.0.1: no luck \ufffd (level1-003-mixed)" in mixed.output


@pytest.mark.parametrize("workers", [2, pytest.param(8, marks=pytest.mark.slow)])  # many processes
def test_report_is_the_same_for_any_number_of_workers(
    mixed: Finished, data: Path, tmp_path: Path, workers: int
) -> None:
    """Up to times, the JSON report does not show how the run was distributed, nor that it had a process of its own."""
    arguments = ("--dataset", str(data), "--model=mixed", "--model=random", "--level=1", "-n", str(workers))
    parallel = run(tmp_path, *arguments, own_process=True)

    assert without_times(mixed.report) == without_times(parallel.report)
    assert parallel.output.count(" MPCBench ") == 1


def test_worker_crash_is_an_error(data: Path, tmp_path: Path) -> None:
    """A case whose process dies is an error with a record, and the others are not touched."""
    crashed = run(tmp_path, f"--dataset={data}", "--model=crash", "--level=1", "-n", "2")

    assert crashed.code == 1
    assert crashed.outcomes() == {
        f"level1-{number:03}-crash": "error" if number == 2 else "passed" for number in range(1, 7)
    }
    assert crashed.episode("level1-002-crash")["fault"]["kind"] == "worker"
    assert crashed.episode("level1-002-crash")["fault"]["message"].startswith("worker 'gw")
    assert tuple(crashed.report["mpcbench"]["rows"][0][key] for key in ("scored", "errors", "attempted")) == (5, 1, 6)
    assert crashed.junit is not None
    assert len([one for one in crashed.junit.iter("property") if one.get("name") == "outcome"]) == 6


def test_run_that_loses_cases_does_not_pass(data: Path, tmp_path: Path) -> None:
    """A test without report and a report without record each make the run fail, and are named."""
    lossy = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", accidents="swallow forget")

    assert lossy.code == 1
    assert lossy.report["exitcode"] == 1
    assert lossy.report["mpcbench"]["lost"] == [
        "lost: 1 of 6 tests have no report (level1-002-good)",
        "lost: 1 of 5 cases have no record (level1-004-good)",
    ]
    assert all(line in lossy.output for line in lossy.report["mpcbench"]["lost"])


def test_run_whose_worker_cannot_send_a_report_does_not_pass(data: Path, tmp_path: Path) -> None:
    """A report that the workers' channel does not take makes the run fail."""
    lossy = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", "-n1", accidents="unsendable")

    assert lossy.code != 0
    assert "lost: " in lossy.output


def test_lenient_run_passes_and_stays_countable(data: Path, tmp_path: Path) -> None:
    """With --fail-on never a wrong answer passes; --limit spreads, and no report is needed."""
    lenient = run(tmp_path, f"--dataset={data}", "--model=half", "--limit=2", "--fail-on=never", "-v", reports=False)

    assert lenient.code == 0
    assert [f"level{level}-{number:03}-half" for level in (1, 3) for number in (1, 4)] == [
        line.partition("[")[2].partition("]")[0] for line in lenient.output.splitlines() if "::test_instance[" in line
    ]


def test_stopping_early_is_no_loss_and_last_failures_run_again(data: Path, tmp_path: Path) -> None:
    """-x ends the run at the first failure and says how many tests were not run; --lf then runs that failure."""
    stopped = run(tmp_path, f"--dataset={data}", "--model=mixed", "--level=1", "-x")
    again = run(tmp_path, f"--dataset={data}", "--model=mixed", "--level=1", "--lf")

    assert list(stopped.outcomes().values()) == ["passed", "failed"]
    assert "not run: 4 of 6 episodes; --resume runs them" in stopped.output
    assert stopped.report["mpcbench"]["lost"] == []
    assert again.outcomes() == {"level1-002-mixed": "failed"}
    assert again.report["mpcbench"]["lost"] == []


def test_interrupt_passes_through(data: Path, tmp_path: Path) -> None:
    """A keyboard interrupt ends the run as interrupted and loses only the episode in flight."""
    stopped = run(tmp_path, f"--dataset={data}", "--model=interrupt", "--level=1", own_process=True)

    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert stopped.outcomes() == {"level1-001-interrupt": "passed"}


def test_bad_option_ends_the_run_with_one_line(data: Path, tmp_path: Path) -> None:
    """An unknown instance is a usage error, one line, and nothing is run or written."""
    refused = run(tmp_path, f"--dataset={data}", "--instance=level1-999", own_process=True)

    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert [f"ERROR: --instance: no 'level1-999' in {data}"] == refused.output.split("\n")[:-2]
    assert refused.report == {}


def test_unit_tests_do_not_load_the_benchmark(tmp_path: Path) -> None:
    """A run of the unit tests knows the options and none of the benchmark's hooks."""
    paths = ("unit_tests/benchmark/harness/test_selection.py",)
    run(tmp_path, "--collect-only", "-q", paths=paths, reports=False, own_process=True)
    loaded = {Path(name).relative_to(COMMITTED).as_posix() for name in (tmp_path / "loaded.txt").read_text().split()}

    assert {"conftest.py", "unit_tests/conftest.py"} == loaded


def test_empty_level_is_a_usage_error(data: Path, tmp_path: Path) -> None:
    """A data set without instances cannot pass."""
    empty = tmp_path / "empty"
    shutil.copytree(data, empty)
    (empty / "instances/instances_level1.jsonl").write_text("")
    refused = run(tmp_path, f"--dataset={empty}", "--level=1", reports=False)

    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert "instances_level1.jsonl: no instances" in refused.output


def test_missing_world_is_a_usage_error(data: Path, tmp_path: Path) -> None:
    """A missing world is found before any case runs."""
    partial = tmp_path / "partial"
    shutil.copytree(data, partial)
    (partial / "worlds/world_level1.json").unlink()
    refused = run(tmp_path, f"--dataset={partial}", "--level=1", reports=False)

    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert "world_level1.json: no such file" in refused.output


def test_run_without_its_report_does_not_pass(data: Path, tmp_path: Path) -> None:
    """Where the JSON report cannot be written, the exit code is not 0."""
    (tmp_path / "file").write_text("")
    done = run(
        tmp_path,
        f"--dataset={data}",
        "--level=1",
        "--model=good",
        "--json-report",
        f"--json-report-file={tmp_path / 'file' / 'report.json'}",
        reports=False,
    )

    assert done.code == pytest.ExitCode.TESTS_FAILED
    assert "could not be written" in done.output


def test_report_that_is_not_to_be_saved(data: Path, tmp_path: Path) -> None:
    """`--json-report-file=none` asks for no file, so none is missed."""
    done = run(
        tmp_path,
        f"--dataset={data}",
        "--level=1",
        "--model=good",
        "--json-report",
        "--json-report-file=none",
        reports=False,
    )

    assert done.code == pytest.ExitCode.OK
