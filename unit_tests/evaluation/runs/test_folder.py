"""The folder of a run: what is written is read again, and what is wrong is named."""

import json
import os
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.episode import GRADING_VERSION, Episode, Fault, Outcome
from mpcbench.schema.run import Case, DataInfo, RunInfo, case_of, new_run_id
from unit_tests.builders import tiny

NOON = datetime(2027, 1, 9, 12, tzinfo=UTC)


def info(**changes: Any) -> RunInfo:
    fields: dict[str, Any] = {
        "run_id": "a-run",
        "created": NOON,
        "options": {},
        "settings": {},
        "agents": {},
        "prompts_sha256": {},
        "data": DataInfo(),
        "grading_version": GRADING_VERSION,
        "versions": {},
    }
    return RunInfo(**{**fields, **changes})


def episode(trial: int = 1, **changes: Any) -> Episode:
    return tiny.episode(1, "").model_copy(update={"trial": trial, "model": "m", **changes})


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", info())


def stored(folder: RunFolder, *episodes: Episode) -> RunFolder:
    for one in episodes:
        folder.write_episode(case_of(one), one.model_dump_json())
    return folder


def test_episodes_are_read_in_their_order(folder: RunFolder) -> None:
    """However they were written: by level, number, model and trial; with or without a plan."""
    episodes = [episode(trial) for trial in (1, 2, 10)]
    stored(folder, *reversed(episodes))

    assert episodes == list(folder.episodes())
    folder.write_info(info(cases=tuple(map(case_of, episodes))))
    assert episodes == list(RunFolder.open(folder.path).episodes())


def test_episode_that_is_not_there(folder: RunFolder) -> None:
    """A case without a file has no episode."""
    assert folder.episode(case_of(episode())) is None


def test_folder_that_holds_something_is_not_taken(tmp_path: Path, folder: RunFolder) -> None:
    """A new run never mixes with what is there."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    for path, message in (
        (folder.path, "a run already; --resume continues it"),
        (tmp_path / "other", "something else"),
    ):
        with pytest.raises(RunError) as caught:
            RunFolder.create(path, info())
        assert f"{path}: holds {message}" == str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: "),
        ("[]", "$: Input should be a valid dictionary or instance of Episode"),
        ('{"instance_id": NaN}', "not JSON: NaN is no JSON value"),
        ("{}", "$.instance_id: Field required"),
        ("[" * 100_000, "not JSON: "),
    ],
)
def test_broken_episode_is_named(folder: RunFolder, text: str, message: str) -> None:
    """The error names the file and the place."""
    file = folder.path / "episodes" / "x.json"
    file.write_text(text)
    with pytest.raises(RunError) as caught:
        folder.read(file)

    assert str(caught.value).startswith(f"{file}: {message}")


def test_episode_under_another_name_is_no_episode(folder: RunFolder) -> None:
    """A file that was copied over another does not replace it."""
    file = stored(folder, episode()).episode_file(case_of(episode()))
    file.rename(file.with_name("level1-999-m.json"))
    with pytest.raises(RunError) as caught:
        list(folder.episodes())

    name = case_of(episode()).text
    assert f"{file.with_name('level1-999-m.json')}: holds the episode {name}" == str(caught.value)


def test_missing_and_foreign_folders_are_no_runs(tmp_path: Path, folder: RunFolder) -> None:
    """Each is one line that names the folder or the file."""
    text = folder.run_file.read_text()
    for path, content, message in (
        (tmp_path / "gone", None, "no such folder"),
        (tmp_path, None, "no run: run.json is missing"),
        (folder.path, "no", "run.json: $: Invalid JSON: "),
        (
            folder.path,
            text.replace('"format_version": "2"', '"format_version": "3"'),
            "$.format_version: '3', and this version reads '2'; use a newer version of MPCBench to read this run",
        ),
    ):
        if content is not None:
            folder.run_file.write_text(content)
        with pytest.raises(RunError) as caught:
            RunFolder.open(path)
        assert str(caught.value).startswith(str(path))
        assert message in str(caught.value)


def test_half_written_files_of_others_stay(tmp_path: Path, folder: RunFolder) -> None:
    """A folder that holds something else keeps all of it, also what a live run below is writing."""
    below = folder.path / "episodes" / ".writing-1-0-x.json"
    beside = tmp_path / ".writing-1-0-x.json"
    for file in (below, beside):
        file.touch()
    with pytest.raises(RunError, match=r": holds something else$"):
        RunFolder.create(tmp_path, info())

    assert (True, True) == (below.exists(), beside.exists())


def test_run_that_was_killed_before_it_began_is_begun_again(tmp_path: Path) -> None:
    """Its half-written file and its lock are no hindrance."""
    for name in (".writing-1-0-run.json", "LOCK"):
        (tmp_path / name).touch()
    made = RunFolder.create(tmp_path, info())

    assert {"run.json", "episodes", "LOCK"} == {path.name for path in made.path.iterdir()}


def test_lock_that_no_run_wrote_is_something_else(tmp_path: Path) -> None:
    """A folder that holds such a file is not empty."""
    (tmp_path / "LOCK").write_text("notes")
    with pytest.raises(RunError, match=r": holds something else$"):
        RunFolder.create(tmp_path, info())

    assert ["LOCK"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("name", [".writing-d2", ".writing-notes.json", ".writing-1-run.json", ".writing-1-0-link"])
def test_only_files_of_the_project_are_swept_away(folder: RunFolder, name: str, tmp_path: Path) -> None:
    """Folders, links and files of other names stay."""
    left = folder.path / "episodes" / name
    if name.endswith("link"):
        left.symlink_to(tmp_path)
    elif name.endswith("d2"):
        left.mkdir()
    else:
        left.touch()
    folder.make_ready()

    assert os.path.lexists(left)


@pytest.mark.parametrize("kind", ["link", "dangling", "file"])
def test_folder_of_episodes_that_lies_elsewhere_is_refused(folder: RunFolder, kind: str, tmp_path: Path) -> None:
    """Nothing is written or removed where a link leads."""
    episodes, other = folder.path / "episodes", tmp_path / "other"
    episodes.rmdir()
    if kind == "file":
        episodes.touch()
    else:
        episodes.symlink_to(other)
    if kind == "link":
        other.mkdir()
        (other / ".writing-1-0-x.json").touch()
    with pytest.raises(RunError) as caught:
        folder.make_ready()

    assert f"{episodes}: a link or a file; a run holds the folder itself" == str(caught.value)
    assert (kind == "link") == (other / ".writing-1-0-x.json").exists()


def test_folder_of_episodes_is_made_again(folder: RunFolder) -> None:
    """Archives leave out empty folders, and a process may be killed before it makes this one."""
    (folder.path / "episodes").rmdir()
    folder.make_ready()

    assert [] == folder.episode_files()
    assert (folder.path / "episodes").is_dir()


def test_episode_is_not_stored_in_a_folder_that_is_gone(folder: RunFolder) -> None:
    """No folder is made for it."""
    folder.path.rename(folder.path.with_name("moved"))
    with pytest.raises(FileNotFoundError):
        stored(folder, episode())

    assert not folder.path.exists()


def test_run_in_the_folder_of_a_run_is_refused(folder: RunFolder) -> None:
    """It would be no file of either."""
    for path in (folder.path / "more", folder.path / "episodes" / "more"):
        with pytest.raises(RunError) as caught:
            RunFolder.create(path, info())
        assert f"{path}: lies in {folder.path}, the folder of a run; choose a place outside it" == str(caught.value)
        assert not path.exists()


def test_sweeping_stays_in_the_folder(folder: RunFolder) -> None:
    """What lies below a run, such as another run, is left alone."""
    file = folder.path / "other" / "episodes" / ".writing-1-0-x.json"
    file.parent.mkdir(parents=True)
    file.touch()
    folder.make_ready()

    assert file.exists()


def test_scored_episode_is_never_overwritten(folder: RunFolder) -> None:
    """An error is."""
    error = episode(outcome=Outcome.ERROR, scores=None, fault=Fault(kind="endpoint", message="no"))
    case = case_of(stored(folder, error, episode()).episode(case_of(error)) or error)
    with pytest.raises(RunError, match=r"\.json: holds a scored episode already$"):
        folder.write_episode(case, error.model_dump_json())

    assert episode() == folder.episode(case)


@pytest.mark.parametrize("kind", ["pipe", "socket", "directory", "device", "dangling"])
def test_only_regular_files_are_read(folder: RunFolder, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else is refused by name, and nothing hangs."""
    case = case_of(episode())
    file = folder.episode_file(case)
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "socket":
            monkeypatch.chdir(file.parent)  # paths of sockets are short
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(file.name)
        case "directory":
            file.mkdir()
        case "device":
            file.symlink_to("/dev/zero")
        case _:
            file.symlink_to("nowhere")
    message = "no such file or directory" if kind == "dangling" else "not a regular file"
    for read in (lambda: folder.episode(case), folder.cases, folder.results):
        with pytest.raises(RunError) as caught:
            read()
        assert f"{file}: {message}" == str(caught.value)


@pytest.mark.parametrize("name", ["run.json", "episodes/x.json", "SHA256SUMS"])
def test_huge_file_is_not_read(folder: RunFolder, name: str) -> None:
    """A file without end would take all memory."""
    file = folder.path / name
    with file.open("wb") as stream:
        stream.truncate(2**30)
    with pytest.raises(RunError) as caught:
        _ = RunFolder(folder.path).info if name == "run.json" else folder.sums() or folder.cases()

    assert f"{file}: 1,073,741,824 bytes, and at most 67,108,864 are read" == str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("run_id", 5),
        ("created", "yesterday"),
        ("options", []),
        ("settings", "x"),
        ("agents", {"m": 5}),
        ("agents", {"m": ["x"]}),
        ("prompts_sha256", {"level1": 5}),
        ("data", {"sha256": []}),
        ("versions", {"python": None}),
        ("cases", [["level1-000", 1]]),
        ("cases", [["level1-000", 5, "m", 1]]),
        ("cases", [["level1-000", 1, "m", "x"]]),
        ("cases", 7),
        ("stopped", {}),
    ],
)
def test_wrong_type_is_named(folder: RunFolder, field: str, value: Any) -> None:
    """The error names the file and the field."""
    content = json.loads(folder.run_file.read_text())
    folder.run_file.write_text(json.dumps({**content, field: value}))
    with pytest.raises(RunError) as caught:
        RunFolder.open(folder.path)

    assert str(caught.value).startswith(f"{folder.run_file}: $.{field}")


def test_number_of_thousands_of_digits_is_sorted() -> None:
    """Where an instance ID ends with one, its last digits count."""
    assert Case("level1-" + "9" * 5000, 1, "m").place > Case("level1-001", 1, "m").place


def test_sums_are_those_that_sha256sum_checks(folder: RunFolder) -> None:
    """The standard tool agrees; what a killed process left is no part of the run, and is swept away."""
    left = folder.path / "episodes" / ".writing-1-0-x.json"
    left.touch()
    stored(folder, episode()).write_sums()
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder.path, check=False
    )
    sums = folder.sums()
    folder.make_ready()

    assert checked.returncode == 0
    assert sums is not None
    assert {"run.json", f"episodes/{case_of(episode()).file_name}"} == set(sums)
    assert not left.exists()


def test_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    """A text that cannot be written neither harms the file nor leaves another."""
    file = tmp_path / "file"
    write_durably(file, "old")
    with pytest.raises(UnicodeEncodeError):
        write_durably(file, "new \ud800")

    assert [file] == list(tmp_path.iterdir())
    assert file.read_text() == "old"


@given(st.text(st.characters(exclude_categories=[]), min_size=1, max_size=300), st.integers(1, 99))
def test_every_name_of_a_model_makes_a_name_of_a_file(model: str, trial: int) -> None:
    """ASCII, without separators, short enough for every file system."""
    name = Case("level3-017", 3, model, trial).file_name

    assert name.isascii()
    assert name.startswith("level3-017-")
    assert not set(name) & set('/\\:*?"<>|\0\n')
    assert len(name) < 200


@given(st.lists(st.text(min_size=1, max_size=250), min_size=2, max_size=2, unique=True))
def test_different_models_have_different_files(models: list[str]) -> None:
    """Also where the names are long and differ only at their ends."""
    first, second = (Case("level1-000", 1, model).file_name for model in models)

    assert first != second


def test_run_id_tells_time_and_models() -> None:
    """A name that is taken gets a number; odd characters are left out."""
    first = new_run_id(NOON, ["o4-mini", "vendor/x y"], [])

    assert first == "20270109-120000-o4-mini+vendor-x-y"
    assert new_run_id(NOON, ["o4-mini", "vendor/x y"], [first, f"{first}-2"]) == f"{first}-3"


def test_run_info_survives_its_file(folder: RunFolder) -> None:
    """What is written is read."""
    told = info(cases=(Case("level1-000", 1, "m", 2),), stopped="why not", agents={"m": {"api": "chat"}})
    folder.write_info(told)

    assert told == RunFolder.open(folder.path).info
    assert json.loads(folder.run_file.read_text())["created"] == "2027-01-09T12:00:00Z"


def test_sums_are_those_of_the_run_alone(folder: RunFolder, tmp_path: Path) -> None:
    """What somebody put beside the files, a link and a file that is too large are not read."""
    stored(folder, episode())
    (folder.path / "notes.txt").write_text("notes")
    (folder.path / "summary.md").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text("elsewhere")
    (folder.path / "summary.json").touch()
    os.truncate(folder.path / "summary.json", 2**40)
    folder.write_sums()

    assert {"run.json", f"episodes/{case_of(episode()).file_name}"} == set(folder.sums() or {})
