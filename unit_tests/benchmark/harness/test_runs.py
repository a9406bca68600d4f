"""Whole runs of `pytest benchmark` that are stopped, resumed, or have many episodes in flight."""

import errno
import json
import os
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.harness import run_writer
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.dataset import instances_path
from mpcbench.schema.run import Case
from unit_tests.benchmark.harness.test_harness import Finished, name_of, run, without_times
from unit_tests.builders import small_dataset


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    return folder


@pytest.fixture(scope="module")
def arguments(data: Path) -> tuple[str, ...]:
    return (f"--dataset={data}", "--model=mixed", "--level=1")


@pytest.fixture(scope="module")
def whole(arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run from beginning to end in one process, with an agent that meets every end an episode can have."""
    return run(tmp_path_factory.mktemp("whole"), *arguments)


def report(finished: Finished) -> Any:
    """What a report says of episodes: without times, and without the settings."""
    content = without_times(finished.report)
    del content["mpcbench"]["settings"]
    return content


def test_folder_holds_the_run(whole: Finished) -> None:
    """Every episode has its file; report, summary and sums lie beside them."""
    folder = RunFolder.open(whole.folder)

    assert {"episodes", "run.json", "summary.json", "report.json", "SHA256SUMS"} <= {
        path.name for path in whole.folder.iterdir()
    }
    assert [f"level1-{number:03}-mixed" for number in range(1, 7)] == [case.text for case in folder.cases()]
    assert tuple(folder.cases()) == folder.info.cases
    assert whole.report["mpcbench"]["rows"] == json.loads((whole.folder / "summary.json").read_text())["rows"]
    assert f"run: {whole.folder}" in whole.output


def test_run_ends_with_its_report(data: Path, tmp_path: Path) -> None:
    """The HTML report is one of the files that the sums vouch for; without it, an older one goes."""
    done = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", "--report=on")
    page = done.folder / "report.html"
    text = page.read_text()
    again = run(tmp_path, f"--resume={done.folder}")

    assert done.code == again.code == pytest.ExitCode.OK
    assert "level1-001" in text
    assert "Content-Security-Policy" in text
    assert not page.exists()
    assert "report.html" not in (RunFolder(done.folder).sums() or {})


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_report_is_the_same_with_many_episodes_in_flight(
    whole: Finished, arguments: tuple[str, ...], tmp_path: Path, workers: tuple[str, ...]
) -> None:
    """How many episodes a process has in flight shows in no report."""
    ahead = run(tmp_path, *arguments, "--concurrency=4", *workers)

    assert report(whole) == report(ahead)


def test_hardest_level_runs_first_with_many_episodes_in_flight(tmp_path: Path) -> None:
    """The longest episodes begin first, which shows in no report."""
    arguments = ("--model=noop", "--fail-on=never", "--limit=1", "-v", "--report=off")
    one = run(tmp_path / "one", *arguments)
    many = run(tmp_path / "many", *arguments, "--concurrency=2")

    levels = [re.findall(r"\[level([123])-.* PASSED", finished.output) for finished in (one, many)]
    assert [["1", "2", "3"], ["3", "2", "1"]] == levels
    assert report(one) == report(many)


@pytest.mark.parametrize("options", [(), ("-n", "2", "--concurrency=2")])
def test_resumed_run_equals_an_uninterrupted_one(
    whole: Finished, arguments: tuple[str, ...], tmp_path: Path, options: tuple[str, ...]
) -> None:
    """What was stored is not run again; the options of the first session hold in the second."""
    stopped = run(tmp_path, *arguments, "-x")
    first = {file.name: file.read_text() for file in RunFolder(stopped.folder).episode_files()}
    resumed = run(tmp_path, f"--resume={stopped.folder}", *options)
    stored = {file.name: file.read_text() for file in RunFolder(stopped.folder).episode_files()}

    assert len(first) == 2
    assert first.items() <= stored.items()
    assert report(whole) == report(resumed)
    assert "not run: 4 of 6 episodes; --resume runs them" in stopped.output
    assert RunFolder(stopped.folder).info.stopped is None


def test_part_of_a_run_may_be_resumed(data: Path, tmp_path: Path) -> None:
    """A session that chooses some cases does not narrow the run: the next without a choice runs all that is missing."""
    whole = run(tmp_path / "whole", f"--dataset={data}", "--model=noop", "--fail-on=never")
    options = whole.folder / "run.json"
    before = json.loads(options.read_text())["options"]
    for file in RunFolder(whole.folder).episode_files():
        file.unlink()
    part = run(tmp_path / "part", f"--resume={whole.folder}", "--level=1", "--limit=2", "--trials=2")
    rest = run(tmp_path / "rest", f"--resume={whole.folder}")
    names = {name_of(test) for test in rest.report["tests"]}

    assert 4 == len(part.report["tests"])
    assert {name_of(test) for test in whole.report["tests"] + part.report["tests"]} == names
    assert before == json.loads(options.read_text())["options"]
    assert len(names) == len(RunFolder(whole.folder).cases())


@pytest.mark.parametrize("name", ["level1-001-mixed.json", "hello.json"])
def test_damaged_file_is_told_before_anything_runs(whole: Finished, tmp_path: Path, name: str) -> None:
    """A file that holds no episode ends a resumed run in one line that names it."""
    folder = Path(shutil.copytree(whole.folder, tmp_path / "run"))
    (folder / "episodes" / name).write_text("[")
    resumed = run(tmp_path, f"--resume={folder}")

    assert pytest.ExitCode.USAGE_ERROR == resumed.code
    assert f"{name}: not JSON" in resumed.output
    assert "Traceback" not in resumed.output


def test_replay_runs_what_the_run_holds(whole: Finished, data: Path, tmp_path: Path) -> None:
    """Of the whole data set only the stored episodes are replayed; to ask for none of them is an error."""
    arguments = (f"--dataset={data}", f"--model=replay:{whole.folder}", "--fail-on=never")
    replayed = run(tmp_path / "all", *arguments)
    none = run(tmp_path, *arguments, "--level=3", reports=False)

    assert len(RunFolder(whole.folder).cases()) == len(replayed.report["tests"])
    assert pytest.ExitCode.USAGE_ERROR == none.code
    assert "holds none of the episodes that were asked for" in none.output


def test_replay_of_other_data_is_refused(whole: Finished, data: Path, tmp_path: Path) -> None:
    """Answers to other tasks of the same IDs would be judged by golds that were never asked for."""
    other = Path(shutil.copytree(data, tmp_path / "other"))
    instances = other / instances_path(1)
    instances.write_text(instances.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    refused = run(tmp_path, f"--dataset={other}", f"--model=replay:{whole.folder}", reports=False)

    assert pytest.ExitCode.USAGE_ERROR == refused.code
    assert f"ran on other data: its {instances_path(1)} is not that of {other}" in refused.output


def test_errors_are_run_again(arguments: tuple[str, ...], whole: Finished, tmp_path: Path) -> None:
    """A finished run that is resumed does nothing but those."""
    folder = Path(shutil.copytree(whole.folder, tmp_path / "run"))
    times = {file.name: file.stat().st_mtime_ns for file in RunFolder(folder).episode_files()}
    again = run(tmp_path, f"--resume={folder}", *arguments)
    changed = {file.name for file in RunFolder(folder).episode_files() if file.stat().st_mtime_ns != times[file.name]}

    assert changed == {f"level1-{number:03}-mixed.json" for number in (3, 4, 5)}
    assert report(whole) == report(again)


def test_budget_stops_the_run(data: Path, tmp_path: Path) -> None:
    """Once it is used up no episode starts; the others are reported as not run, and can be run later."""
    arguments = (f"--dataset={data}", "--model=spender", "--level=1")
    stopped = run(tmp_path, *arguments, "--max-tokens-total=250")
    resumed = run(tmp_path, f"--resume={stopped.folder}", "--max-tokens-total=2000")

    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert ["passed"] * 3 + ["skipped"] * 3 == list(stopped.outcomes().values())
    assert "stopped: the budget of 250 tokens is used up: 300 tokens" in stopped.output
    assert "not run: 3 of 6 episodes; --resume runs them" in stopped.output
    assert stopped.report["mpcbench"]["lost"] == []
    assert stopped.report["mpcbench"]["stopped"] == "the budget of 250 tokens is used up: 300 tokens"
    assert list(resumed.outcomes().values()) == ["passed"] * 6
    assert resumed.code == pytest.ExitCode.OK


def test_stopped_run_ends_as_stopped_whether_or_not_a_case_failed(data: Path, tmp_path: Path) -> None:
    """The exit code says that there is more to run, not only that something failed."""
    models = ("--model=mixed", "--model=spender")
    stopped = run(tmp_path, f"--dataset={data}", *models, "--level=1", "--max-tokens-total=250")

    assert {"failed", "skipped"} <= set(stopped.outcomes().values())
    assert pytest.ExitCode.INTERRUPTED == stopped.code == stopped.report["exitcode"]


@pytest.mark.parametrize("options", [(), ("-n", "2", "--concurrency=3")])
def test_refused_key_ends_the_run_with_one_line(data: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """Not one error: what could not be run is not run."""
    ended = run(tmp_path, f"--dataset={data}", "--model=refused", "--level=1", *options)
    line = "stopped: HTTP 401 from 127.0.0.1: access denied"

    assert ended.code == pytest.ExitCode.INTERRUPTED
    assert [line] == [one for one in ended.output.splitlines() if one.startswith("stopped: ")]
    assert {"passed", "skipped"} >= set(ended.outcomes().values())
    assert all(row["errors"] == 0 for row in ended.report["mpcbench"]["rows"])
    assert RunFolder(ended.folder).info.stopped == line.removeprefix("stopped: ")


def test_worker_that_dies_loses_only_what_was_in_flight(data: Path, tmp_path: Path) -> None:
    """Its other cases go to the next worker; the one that pytest was at is an error or, if it had ended, kept."""
    crashed = run(tmp_path, f"--dataset={data}", "--model=crash", "--level=1", "-n", "2", "--concurrency=2")
    outcomes = crashed.outcomes()

    assert crashed.code == 1
    assert len(outcomes) == 6
    assert list(outcomes.values()).count("passed") >= 4
    assert crashed.report["mpcbench"]["lost"] == []
    assert crashed.report["mpcbench"]["not_run"] == 0


def test_interrupt_with_episodes_in_flight(data: Path, tmp_path: Path) -> None:
    """Ctrl-C ends the run as interrupted; what is stored stays."""
    stopped = run(tmp_path, f"--dataset={data}", "--model=interrupt", "--level=1", "--concurrency=3")

    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert RunFolder(stopped.folder).info.stopped is not None
    assert "level1-001-interrupt" in [case.text for case in RunFolder(stopped.folder).cases()]


def test_clock_that_is_set_back_loses_no_report(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written in this run counts, whatever time its file has; an older report does not."""
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    done = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1")

    assert done.code == pytest.ExitCode.OK
    assert "lost" not in done.output


@pytest.mark.parametrize("options", [("--concurrency=1",), ("--concurrency=3",)])
def test_failure_to_store_ends_the_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """The episodes stored before are reported; none is begun after it."""
    write = RunFolder.write_episode
    written: list[Case] = []

    def full(folder: RunFolder, case: Case, text: str) -> None:
        if written:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(case)
        write(folder, case, text)

    monkeypatch.setattr(RunFolder, "write_episode", full)
    ended = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", *options)
    (line,) = (one for one in ended.output.splitlines() if one.startswith("stopped: "))

    assert ended.code == pytest.ExitCode.INTERRUPTED
    assert line.endswith("-good.json could not be stored: no space left on device")
    assert "Traceback" not in ended.output
    assert "not run: 5 of 6 episodes; --resume runs them" in ended.output
    assert "level  model" in ended.output


@pytest.mark.parametrize("concurrency", ["1", "3"])
def test_folder_that_is_moved_during_the_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, concurrency: str
) -> None:
    """One line says so, what was stored is kept, and nothing is made in the old place."""
    write = RunFolder.write_episode
    moved = tmp_path / "moved"

    def move(folder: RunFolder, case: Case, text: str) -> None:
        write(folder, case, text)
        folder.path.rename(moved)

    monkeypatch.setattr(RunFolder, "write_episode", move)
    ended = run(
        tmp_path, f"--dataset={data}", "--model=good", "--level=1", f"--concurrency={concurrency}", reports=False
    )
    lines = ended.output.splitlines()

    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert [f"lost: {ended.folder}: the folder was removed or moved during the run"] == [
        line for line in lines if line.startswith(("lost", "stopped", "not run"))
    ]
    assert "Traceback" not in ended.output
    assert not ended.folder.exists()
    assert 1 == len(RunFolder(moved).episode_files())


def test_run_that_is_damaged_at_its_end(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names the file."""
    sums = RunFolder.write_sums

    def damage(folder: RunFolder) -> None:
        sums(folder)
        raise RunError(f"{folder.run_file}: not JSON")

    monkeypatch.setattr(RunFolder, "write_sums", damage)
    ended = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1", reports=False)

    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert f"lost: {ended.folder}/run.json: not JSON; --resume completes the run" in ended.output
    assert "Traceback" not in ended.output


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_report_is_written_to_no_other_place(whole: Finished, tmp_path: Path, kind: str) -> None:
    """Where a link or a pipe has the name of the JSON report, the report takes its place."""
    folder = Path(shutil.copytree(whole.folder, tmp_path / "run"))
    other, file = tmp_path / "other", folder / "report.json"
    other.write_text("notes")
    file.unlink()
    if kind == "link":
        file.symlink_to(other)
    else:
        os.mkfifo(file)
    run(tmp_path, f"--resume={folder}", reports=False, own_process=True)

    assert "notes" == other.read_text()
    assert not file.is_symlink()
    assert 6 == len(json.loads(file.read_text())["tests"])


def test_run_whose_episodes_lie_elsewhere_is_not_resumed(whole: Finished, tmp_path: Path) -> None:
    """In one line that names the link; nothing there is touched."""
    folder = Path(shutil.copytree(whole.folder, tmp_path / "run"))
    other = (folder / "episodes").rename(tmp_path / "other")
    (folder / "episodes").symlink_to(other)
    (other / ".writing-1-0-x.json").touch()
    refused = run(tmp_path, f"--resume={folder}", reports=False)

    assert pytest.ExitCode.USAGE_ERROR == refused.code
    assert [f"ERROR: {folder / 'episodes'}: a link or a file; a run holds the folder itself"] == [
        line for line in refused.output.splitlines() if line
    ]
    assert (other / ".writing-1-0-x.json").exists()


def test_summary_that_cannot_be_written_fails_the_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what is lost, after the table."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "summary.json")

    monkeypatch.setattr(run_writer, "write_summary", full)
    ended = run(tmp_path, f"--dataset={data}", "--model=good", "--level=1")

    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert (
        "lost: summary.json could not be written: no space left on device; --resume completes the run" in ended.output
    )
    assert "level  model" in ended.output
    assert "Traceback" not in ended.output


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"model": 5}, "$.options.model: 5 is not a value of the option"),
        ({"max-turns": ["4"]}, "$.options.max-turns: ['4'] is not a value of the option"),
        ({"tags": "\x1b[2J"}, "--tags: '\\x1b[2J' is not hidden or shown"),
    ],
)
def test_options_of_a_tampered_run_are_refused(
    whole: Finished, tmp_path: Path, options: dict[str, object], line: str
) -> None:
    """In one line that names the option."""
    folder = Path(shutil.copytree(whole.folder, tmp_path / "run"))
    info = json.loads((folder / "run.json").read_text())
    info["options"] |= options
    (folder / "run.json").write_text(json.dumps(info))
    refused = run(tmp_path, f"--resume={folder}", reports=False)

    assert pytest.ExitCode.USAGE_ERROR == refused.code
    assert 1 == len(refused.output.strip().splitlines())
    assert refused.output.rstrip().endswith(line)


def test_folder_in_use_is_refused(whole: Finished, arguments: tuple[str, ...], tmp_path: Path) -> None:
    """A run neither overwrites another nor mixes with it."""
    again = run(tmp_path, *arguments, f"--run-dir={whole.folder}", reports=False)

    assert again.code == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {whole.folder}: holds a run already; --resume continues it" in again.output


@pytest.mark.parametrize(
    ("option", "difference"),
    [
        ("--tags=shown", "tags hidden, not shown"),
        ("--model=half", "models mixed, not half"),
        ("--paraphrase=2", "paraphrase 1, not 2"),
        ("--max-turns=7", "max turns 200, not 7"),
        ("--reveal=plan", "reveal none, not plan"),
    ],
)
def test_run_is_not_resumed_with_other_settings(whole: Finished, tmp_path: Path, option: str, difference: str) -> None:
    """Episodes that cannot be compared do not come into one folder."""
    refused = run(tmp_path, f"--resume={whole.folder}", option, reports=False)
    expected = f"ERROR: --resume: {whole.folder} cannot be resumed: it was run with {difference}"

    assert (pytest.ExitCode.USAGE_ERROR, [expected]) == (refused.code, refused.output.splitlines()[:1])


def test_run_is_not_resumed_on_other_data(whole: Finished, data: Path, tmp_path: Path) -> None:
    """The sums of the data decide, not their place."""
    other = Path(shutil.copytree(data, tmp_path / "other"))
    file = other / "oracles" / "oracle_level1.jsonl"
    file.write_text(file.read_text() + "\n")
    refused = run(tmp_path, f"--resume={whole.folder}", f"--dataset={other}", reports=False)

    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert "other data: oracles/oracle_level1.jsonl has another SHA-256" in refused.output


@pytest.mark.parametrize("option", ["--collect-only", "--help", "--fixtures", "--setup-plan"])
def test_nothing_is_written_where_nothing_runs(arguments: tuple[str, ...], tmp_path: Path, option: str) -> None:
    """A look at the cases makes no folder."""
    looked = run(tmp_path, *arguments, option, "-q", reports=False)

    assert looked.code == pytest.ExitCode.OK
    assert not looked.folder.exists()


def test_trials_are_episodes_of_their_own(data: Path, tmp_path: Path) -> None:
    """Each has its case, its file and its number."""
    tried = run(tmp_path, f"--dataset={data}", "--model=half", "--instance=level1-001", "--trials=3")
    names = ["level1-001-half", "level1-001-half-trial2", "level1-001-half-trial3"]

    assert names == list(tried.outcomes())
    assert [1, 2, 3] == [tried.episode(name)["trial"] for name in names]
