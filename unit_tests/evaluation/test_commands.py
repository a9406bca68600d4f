"""The commands that read runs, called as from the command line, on a run of the reference and of flawed agents."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.replay import ReplayAgent
from mpcbench.evaluation.__main__ import main
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.episode import GRADING_VERSION, Outcome
from mpcbench.schema.result import result_of
from mpcbench.schema.versions import GENERATOR_VERSION
from unit_tests.builders.made_runs import INSTANCES, MODELS, made_run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return made_run(tmp_path_factory.mktemp("made") / "run")


@pytest.fixture
def copy(made: RunFolder, tmp_path: Path) -> RunFolder:
    """The run, to be tampered with."""
    return RunFolder(Path(shutil.copytree(made.path, tmp_path / "copy")))


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str]]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, (said.out + said.err).splitlines()


def change(file: Path, edit: Callable[[Any], object]) -> None:
    value = json.loads(file.read_text())
    edit(value)
    file.write_text(json.dumps(value))


def test_untouched_run_is_verified(made: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """All episodes and all of their tool calls are looked through, and nothing is found."""
    calls = sum(len(episode.tool_calls) for episode in made.episodes())

    assert command(capsys, "verify", made.path) == (
        0,
        [
            f"data: the committed data {GENERATOR_VERSION}",
            f"9 episodes, {calls:,} tool calls, summary.json, summary.md checked: all as it should be",
        ],
    )


@pytest.mark.parametrize("name", ["verify", "rescore", "table", "report"])
def test_run_of_an_older_format_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line names the file, its format and the version of MPCBench that reads it."""
    file = tmp_path / "run.json"
    file.write_text('{"format_version": "1", "run_id": "old", "settings": {"given": null}, "cases": []}')
    line = f"error: {file}: $.format_version: '1', and this version reads '2'; use MPCBench 1.0 to read this run"

    assert (2, [line]) == command(capsys, name, tmp_path)


def set_to(*path: str | int, value: object) -> Callable[[Any], object]:
    def edit(episode: Any) -> None:
        for key in path[:-1]:
            episode = episode[key]
        assert episode[path[-1]] != value
        episode[path[-1]] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "finding"),
    [
        (set_to("tool_calls", 0, "result", value="other"), "$.tool_calls[0].result: get_policy gives something else"),
        (set_to("tool_calls", 1, "records", value=[]), "$.tool_calls[1].records: get_calendar gives something else"),
        (set_to("tool_calls", 1, "arguments", "keyword", value="x"), "$.tool_calls[1].result: get_calendar gives something else"),
        (set_to("scores", "f1", value=0.5), "$.scores: does not follow from the reply and the tool calls"),
        (set_to("outcome", value="failed"), "$.outcome: does not follow from the reply and the tool calls"),
        (set_to("reply", "text", value="no idea"), "$.answer: does not follow from the reply and the tool calls"),
        (set_to("diagnosis", "capability", "acquisition", value=0.5), "$.diagnosis: does not follow from the reply and the tool calls"),
        (set_to("gold", value=[]), "$.gold: does not follow from the reply and the tool calls"),
        (set_to("system_prompt", value="Be good."), "$.system_prompt: not the system prompt of this benchmark"),
        (set_to("task", value="Anything."), "$.task: not the text of this instance's task"),
        (set_to("grading_version", value="1"), f"$.grading_version: 1, and this is {GRADING_VERSION}"),
    ],
)  # fmt: skip
def test_tampering_is_named(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], edit: Callable[[Any], object], finding: str
) -> None:
    """Also where the sums have been written anew, so that only what the episode says can tell."""
    name = "episodes/level1-003-reference.json"
    change(copy.path / name, edit)
    _, with_old_sums = command(capsys, "verify", copy.path)
    copy.write_sums()
    code, found = command(capsys, "verify", copy.path)

    assert code == 1
    assert f"{name}: {finding}" in found
    assert f"{name}: changed since the run ended: another SHA-256" in with_old_sums


def test_missing_and_added_files_are_named(copy: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """An episode that was taken away, one that was put there, and the lack of the sums."""
    first, second, *_ = copy.episode_files()
    first.rename(copy.path / "away.json")
    broken = second.read_text()[:-5]
    second.write_text(broken)
    _, found = command(capsys, "verify", copy.path)
    (copy.path / "SHA256SUMS").unlink()
    _, without = command(capsys, "verify", copy.path)

    assert "away.json: not there when the run ended" in found
    assert f"episodes/{first.name}: missing" in found
    assert any(line.startswith(f"{second}: not JSON: ") for line in found)
    assert "summary.json: does not follow from the episodes" in found
    assert without[1].startswith("away.json: no file of a run")
    assert without[2].startswith("SHA256SUMS: missing, so the files cannot be checked")


def test_other_data_are_refused(copy: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A run is judged on the very files that it ran on."""
    for name in ("worlds", "instances", "oracles"):
        shutil.copytree(Path(str(copy.info.settings["dataset"])) / name, tmp_path / "data" / name)
    file = tmp_path / "data" / "oracles" / "oracle_level2.jsonl"
    file.write_text(file.read_text() + "\n")
    for what in ("verify", "rescore"):
        expected = f"error: {file}: is not the file that the run used: another SHA-256"

        assert (2, [expected]) == command(capsys, what, copy.path, "--dataset", tmp_path / "data")


def test_rescoring_finds_what_is_stored(made: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """Today's grading gives what the run's did."""
    code, said = command(capsys, "rescore", made.path)

    assert (0, "9 episodes rescored; none differ from what is stored") == (code, said[-1])


def test_rescored_run_is_a_run(copy: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Wrong scores are named and put right in a new folder, which can be verified."""
    change(copy.path / "episodes/level1-003-reference.json", set_to("scores", "f1", value=0.25))
    code, said = command(capsys, "rescore", copy.path, "--out", tmp_path / "right")
    again, _ = command(capsys, "verify", tmp_path / "right")

    assert (1, 0) == (code, again)
    assert "level1-003-reference: scores" in said
    assert [result for result in copy.results() if result.scores and result.scores.f1 == 0.25]
    assert not [
        result for result in RunFolder(tmp_path / "right").results() if result.scores and result.scores.f1 == 0.25
    ]


def test_older_grading_can_be_rescored(copy: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Answers that an earlier version could not read are graded by this one, under its own grading version."""
    for file in (copy.path / "episodes").iterdir():
        change(file, set_to("grading_version", value="2"))
    change(copy.path / "run.json", set_to("grading_version", value="2"))

    def older(episode: Any) -> None:
        answer = json.loads(episode["reply"]["text"])
        episode["reply"]["text"] = json.dumps(answer | {"confidence": 0.9})
        episode |= {"outcome": "failed", "answer": None, "answer_status": "unparsable", "rationale": None}

    change(copy.path / "episodes/level1-003-reference.json", older)
    code, said = command(capsys, "rescore", copy.path, "--out", tmp_path / "now")
    now = RunFolder.open(tmp_path / "now")

    assert (1, "9 episodes rescored; 1 differ from what is stored") == (code, said[-1])
    assert {GRADING_VERSION} == {now.info.grading_version, *(one.grading_version for one in now.results())}
    assert [Outcome.PASSED] * 3 == [one.outcome for one in now.results() if one.model == "reference"]


@pytest.mark.parametrize("name", ["merge", "rescore"])
@pytest.mark.parametrize("exists", [False, True])
def test_run_that_cannot_be_made_leaves_nothing(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, *, exists: bool
) -> None:
    """The last episode is damaged: the line names the source's file, and no part of a run is left."""
    file = copy.episode_file(copy.cases()[-1])
    file.write_text("{")
    out = tmp_path / "out" / "run"
    out.parent.mkdir()
    if exists:
        out.mkdir()
    code, said = command(capsys, name, copy.path, "--out", out)

    assert 2 == code
    assert said[-1].startswith(f"error: {file}: not JSON")
    assert [out] * exists == list(out.parent.iterdir())
    assert not exists or not list(out.iterdir())


def test_report_vouches_for_no_other_file(copy: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was changed after the end of the run is found whether or not a report is written then."""
    (copy.path / "summary.md").write_text("All passed.")
    written, _ = command(capsys, "report", copy.path)
    code, said = command(capsys, "verify", copy.path)

    assert (0, 1) == (written, code)
    assert "summary.md: changed since the run ended: another SHA-256" in said
    assert not [line for line in said if line.startswith("report.html")]


def test_shards_are_merged_into_the_whole(made: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The merged run has the episodes and the summary of a run in one piece."""
    parts = [made_run(tmp_path / f"part{number}", shard=f"{number}/2").path for number in (1, 2)]
    code, said = command(capsys, "merge", *parts, "--out", tmp_path / "whole")
    whole = RunFolder.open(tmp_path / "whole")
    results = [[result.model_copy(update={"seconds": 0}) for result in run.results()] for run in (made, whole)]

    assert (0, f"{tmp_path / 'whole'}: 9 of 9 planned episodes") == (code, said[-1])
    assert results[0] == results[1]
    assert sorted(made.info.cases) == sorted(whole.info.cases)
    assert command(capsys, "verify", whole.path)[0] == 0


def test_missing_shards_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Parts that are not all there make a run that says so."""
    parts = [made_run(tmp_path / f"part{number}", shard=f"{number}/3").path for number in (1, 3)]
    code, said = command(capsys, "merge", *parts, "--out", tmp_path / "whole")

    assert (0, "not among the parts: shard 2/3; pytest benchmark --resume runs their episodes") == (code, said[-1])


def test_runs_that_were_not_run_alike_are_not_merged(
    made: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Another setting, two different episodes of one case, or the same run twice: each is refused by name."""
    other = made_run(tmp_path / "other", instances=INSTANCES[:1], tags="shown").path
    same = Path(shutil.copytree(made.path, tmp_path / "same"))
    file = same / "episodes/level1-003-reference.json"
    change(file, set_to("rationale", value="different"))
    out = tmp_path / "out"

    assert command(capsys, "merge", made.path, other, "--out", out) == (
        2, [f"error: {other} cannot be merged with {made.path}, which was run with tags hidden, not shown"]
    )  # fmt: skip
    assert command(capsys, "merge", made.path, same, "--out", out) == (
        2, [f"error: {file}: not the episode in {made.path / 'episodes' / file.name}"]
    )  # fmt: skip
    assert command(capsys, "merge", made.path, made.path, "--out", out) == (
        2, [f"error: {made.path}: the same run is given twice"]
    )  # fmt: skip
    assert not out.exists()


def test_runs_are_not_merged_into_a_part(made: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A run within a run would be no file of either."""
    other = made_run(tmp_path / "other", instances=INSTANCES[:1]).path
    out = other / "whole"

    assert command(capsys, "merge", made.path, other, "--out", out) == (
        2, [f"error: {out}: lies in {other}, the folder of a run; choose a place outside it"]
    )  # fmt: skip
    assert not out.exists()


@pytest.mark.parametrize("name", ["table", "report", "rescore"])
@pytest.mark.parametrize("place", ["run.json", "summary.json", "new", "episodes/new", "../link/run.json"])
def test_files_of_a_run_are_not_overwritten(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str, place: str
) -> None:
    """Nothing is written into the folder of a run, however it is reached."""
    (copy.path.parent / "link").symlink_to(copy.path)
    before = {file: file.read_bytes() for file in copy.files()}
    out = copy.path / place
    code, lines = command(capsys, name, copy.path, "--out", out)

    assert (2, [f"error: {out}: lies in {copy.path}, the folder of a run; choose a place outside it"]) == (code, lines)
    assert before == {file: file.read_bytes() for file in copy.files()}


def test_report_of_several_runs_replaces_that_of_none(
    made: RunFolder, copy: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the report of the run alone is one of its files."""
    out = copy.path / "report.html"
    several = command(capsys, "report", made.path, copy.path, "--out", out)
    alone = command(capsys, "report", copy.path, "--out", out)

    assert (2, [f"error: {out}: lies in {copy.path}, the folder of a run; choose a place outside it"]) == several
    assert 0 == alone[0]
    assert "report.html" in (RunFolder(copy.path).sums() or {})


def test_table_is_written_whole_or_not_at_all(
    made: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk an older table stays as it is."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "table.csv"
    file.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        failed = command(capsys, "table", made.path, "--out", file)
    left = file.read_text()

    assert (2, [f"error: {file}: no space left on device"]) == failed
    assert ("old", [file]) == (left, list(tmp_path.iterdir()))
    assert (0, []) == command(capsys, "table", made.path, "--out", file)
    assert file.read_text().startswith("instance_id,")


def test_table_is_written_into_a_pipe(made: RunFolder, tmp_path: Path) -> None:
    """What is no file is not replaced by one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as threads:
        read = threads.submit(pipe.read_text)
        code = main(["table", str(made.path), "--out", str(pipe)])

    assert 0 == code
    assert read.result().startswith("instance_id,")
    assert pipe.is_fifo()


@pytest.mark.parametrize(("name", "value"), [("model", "reference"), ("model", [5]), ("tags", ["shown"]), ("limit", 3)])
def test_parts_with_options_of_the_wrong_type_are_not_merged(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, value: object
) -> None:
    """The merged run could not be resumed."""
    change(copy.run_file, lambda info: info["options"].update({name: value}))

    assert command(capsys, "merge", copy.path, "--out", tmp_path / "whole") == (
        2, [f"error: {copy.run_file}: $.options.{name}: not a value of the option"]
    )  # fmt: skip
    assert not (tmp_path / "whole").exists()


def test_files_that_cannot_be_written(made: RunFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """They are named with the reason."""
    file = tmp_path / "nowhere" / "table.csv"

    assert command(capsys, "table", made.path, "--out", file) == (2, [f"error: {file}: no such file or directory"])


@pytest.mark.parametrize("what", ["verify", "rescore"])
def test_folder_without_a_run(what: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It is one line, and the exit code of bad input."""
    assert (2, [f"error: {tmp_path}: no run: run.json is missing"]) == command(capsys, what, tmp_path)


def test_replay_gives_the_same_results(made: RunFolder, tmp_path: Path) -> None:
    """Calls, answers, scores and diagnoses of each model of the run come out again without it."""
    for model in MODELS:
        name = f"replay:{made.path}#{model}"
        replayed = made_run(tmp_path / model.replace(":", "-"), [name])
        expected = [
            result_of(episode).model_copy(update={"model": name, "seconds": 0})
            for episode in made.episodes()
            if episode.model == model
        ]

        assert expected == [result.model_copy(update={"seconds": 0}) for result in replayed.results()]


def test_replay_of_an_episode_that_is_not_there_is_an_error(made: RunFolder, tmp_path: Path) -> None:
    """It is an error with a plain cause, and no score."""
    replayed = made_run(tmp_path / "more", [f"replay:{made.path}#reference"], ["level1-004"])
    (result,) = replayed.results()

    assert (Outcome.ERROR, f"{made.path} holds no episode level1-004-reference") == (
        result.outcome,
        result.fault and result.fault.message,
    )


def test_model_to_replay_has_to_be_clear(made: RunFolder, tmp_path: Path) -> None:
    """Among several one is named, and one that is there."""
    for source, message in (
        (f"{made.path}", f"{made.path}: holds 3 models; name one as replay:{made.path}#MODEL: {', '.join(MODELS)}"),
        (f"{made.path}#x", f"{made.path}: has no model 'x'; its models are {', '.join(MODELS)}"),
        ("nowhere", f"{tmp_path / 'nowhere'}: no such folder"),
    ):
        with pytest.raises(RunError) as caught:
            ReplayAgent(source, tmp_path)
        assert message == str(caught.value)
