"""Runs that somebody has tampered with, read by every command: one clear line, and nothing that steers a terminal."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from mpcbench.evaluation.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from unit_tests.builders.made_runs import made_run

HOSTILE = "\x1b[2J\u202eevil\x07"
COMMANDS = ("verify", "rescore", "table", "report", "merge", "compare")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return made_run(tmp_path_factory.mktemp("made") / "run", models=("reference",))


@pytest.fixture
def copy(made: RunFolder, tmp_path: Path) -> RunFolder:
    return RunFolder(Path(shutil.copytree(made.path, tmp_path / "copy")))


def called(name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code of a command, and what it said on either stream."""
    more = {"merge": ["--out", str(run.parent / "merged")], "compare": [str(run)]}
    code = main([name, str(run), *more.get(name, [])])
    said = capsys.readouterr()
    return code, said.out, said.err


def renamed(run: RunFolder, model: str) -> None:
    """Give the model another name wherever the run holds it."""
    for file in (run.run_file, *run.episode_files()):
        text = file.read_text().replace('"reference"', json.dumps(model))
        file.write_text(text)
    for file in run.episode_files():
        case = json.loads(file.read_text())
        number = case["instance_id"]
        new = next(one for one in RunFolder(run.path).info.cases if one.instance_id == number)
        file.rename(file.with_name(new.file_name))


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_prints_control_characters(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, *, terminal: bool
) -> None:
    """The name of a model that a forger chose is escaped; a table keeps it where it goes to a file."""
    renamed(copy, HOSTILE)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: terminal, raising=False)
    _, out, err = called(name, copy.path, capsys)

    assert "Traceback" not in err
    if name != "table" or terminal:
        assert not set("\x1b\u202e\x07") & set(out + err)
    assert name in {"report", "verify"} or "evil" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_pipe_among_the_episodes_hangs_no_command(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """It is named."""
    file = copy.episode_files()[0]
    file.unlink()
    os.mkfifo(file)
    code, out, err = called(name, copy.path, capsys)

    assert (1 if name == "verify" else 2) == code
    assert file.name in out + err
    assert ("neither a file nor a folder" if name == "verify" else f"{file}: not a regular file") in out + err


@pytest.mark.parametrize("replaced", ["pipe", "link", "file"])
@pytest.mark.parametrize("name", COMMANDS)
def test_episodes_that_cannot_be_read_are_not_passed_over(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str, replaced: str
) -> None:
    """A folder of episodes that is none is named; no command says that all is well."""
    episodes = copy.path / "episodes"
    moved = episodes.rename(copy.path.parent / "elsewhere")
    match replaced:
        case "pipe":
            os.mkfifo(episodes)
        case "link":
            episodes.symlink_to(moved)
        case _:
            episodes.touch()
    code, out, err = called(name, copy.path, capsys)

    assert (1 if name == "verify" else 2) == code
    assert f"{episodes}: a link or a file; a run holds the folder itself" in out + err


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("settings.shard", "x"),
        ("settings.shard", [1]),
        ("settings.shard", "1/" + "9" * 5000),
        ("settings.dataset", 5),
        ("settings.dataset", "\0"),
        ("settings.models", {"a": 1}),
        ("data.versions", [1]),
        ("agents.reference", 5),
        ("agents.reference", {"model": ["x"]}),
        ("cases", [["level1-" + "9" * 5000, 1, "reference", 1]]),
        ("options", {"model": 5, "level": {"a": []}}),
        ("run_id", HOSTILE * 1000),
        ("stopped", HOSTILE),
    ],
    ids=range(13),
)
@pytest.mark.parametrize("name", COMMANDS)
def test_wrong_values_in_run_json_end_in_lines(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str, field: str, value: object
) -> None:
    """A command does without the value or names it; it raises nothing."""
    info = json.loads(copy.run_file.read_text())
    *way, last = field.split(".")
    place = info
    for key in way:
        place = place[key]
    place[last] = value
    copy.run_file.write_text(json.dumps(info))
    code, _, err = called(name, copy.path, capsys)

    assert code in {0, 1, 2}
    assert (code == 2) == bool(err)
    assert len(err.splitlines()) <= 1


@pytest.mark.parametrize("name", COMMANDS)
def test_key_that_run_json_has_twice_is_named(copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Two readers could take two values for it."""
    copy.run_file.write_text(copy.run_file.read_text().replace('"run_id"', '"run_id": "other", "run_id"'))

    expected = (2, "", f"error: {copy.run_file}: not JSON: an object has the key 'run_id' twice\n")
    assert expected == called(name, copy.path, capsys)


HALF = "\ud800"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seconds", "1e300"),
        ("seconds", "1e999"),
        ("seconds", "true"),
        ("cost_usd", "1e300"),
        ("cost_usd", "-5"),
        ("reply.turns", "1" + "0" * 400),
        ("reply.forced_final", '"no"'),
        ("trial", '"1"'),
        ("trial", "true"),
        ("scores.f1", "1e300"),
        ("grading_version", json.dumps(HALF)),
        ("tags", json.dumps(HALF)),
        ("task", json.dumps(HALF)),
        ("system_prompt", json.dumps(HALF)),
        ("records_missed", json.dumps([HALF])),
    ],
    ids=range(15),
)
@pytest.mark.parametrize("name", COMMANDS)
def test_impossible_values_in_an_episode_end_in_one_line(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str, field: str, value: str
) -> None:
    """Numbers that no computer can add up and texts that no file can hold are refused; file and field are named."""
    file = copy.episode_files()[0]
    episode = json.loads(file.read_text())
    *way, last = field.split(".")
    place = episode
    for key in way:
        place = place[key]
    place[last] = "VALUE"
    file.write_text(json.dumps(episode).replace('"VALUE"', value))
    code, out, err = called(name, copy.path, capsys)

    assert (1 if name == "verify" else 2) == code
    assert f"{file.name}: $.{field}" in out + err
    assert name == "verify" or 1 == len(err.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_half_a_pair_in_the_text_of_a_model_is_replaced(
    copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A model may write it, so that the episode is read."""
    file = copy.episode_files()[0]
    episode = json.loads(file.read_text())
    episode["reply"]["messages"] = [{"role": "user", "content": HALF}]
    file.write_text(json.dumps(episode))

    assert called(name, copy.path, capsys)[0] == (name == "verify")


@pytest.mark.parametrize("name", COMMANDS)
def test_live_run(copy: RunFolder, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """What would write into it or vouch for it is refused; what only reads says that more may come."""
    with RunLock.take(copy.path):
        code, _, err = called(name, copy.path, capsys)

    refused = name in {"verify", "merge", "report"}
    assert (2 if refused else 0) == code
    assert f"in use by process {os.getpid()} on " in err
    assert refused or "only the episodes stored so far are read" in err


def test_answers_of_nothing_but_newlines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are not answers, and take no more memory than they have bytes; larger files are not read."""
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    small.write_bytes(b"\n" * 2**24 + b"{")
    with large.open("wb") as stream:
        stream.truncate(2**30)
    codes = [main(["score", str(file)]) for file in (small, large)]
    first, second = capsys.readouterr().err.splitlines()

    assert [2, 2] == codes
    assert first.startswith(f"error: {small}:{2**24 + 1}: not JSON")
    assert f"error: {large}: 1,073,741,824 bytes, and at most 268,435,456 are read" == second
