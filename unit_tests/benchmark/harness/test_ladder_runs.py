"""Whole runs of level 4 on a small data set."""

import json
import shutil
from pathlib import Path

import pytest

from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.practice_endpoint import EndpointServer, ModelCall, ModelTurn, Scripted
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.rescoring import changed_fields, rescored
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import Dataset
from unit_tests.benchmark.harness.test_harness import Finished, name_of, run, without_times
from unit_tests.builders import small_dataset, small_ladder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two instances on each of four rungs, and levels 1 and 3."""
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    small_ladder.write(folder, a_rung=2)
    return folder


@pytest.fixture(scope="module")
def arguments(data: Path) -> tuple[str, ...]:
    return (f"--dataset={data}", "--model=climbs2", "--level=4")


@pytest.fixture(scope="module")
def whole(arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Of an agent that answers the two lower rungs."""
    return run(tmp_path_factory.mktemp("whole"), *arguments)


def selected(data: Path, **options: object) -> list[str]:
    settings = Settings.from_options({name: value for name, value in options.items() if value is not None}, Path())
    return [case.instance_id for case in select(Dataset.open(data), settings)]


def test_episodes_are_scored_with_their_traits(whole: Finished) -> None:
    """Plans by meeting, start, end and room, single meetings without a meeting; each with its rung and its load."""
    passed, failed = whole.episode("level4-002-climbs2"), whole.episode("level4-004-climbs2")

    assert ["passed"] * 4 + ["failed"] * 4 == list(whole.outcomes().values())
    assert ["First", "Second"] == [one["meeting"] for one in passed["answer"]]
    assert passed["answer"][0].keys() == {"start", "end", "room_id", "meeting"}
    assert failed["gold"][0].keys() == {"start", "end", "room_id"}
    assert (0.5, False) == (failed["scores"]["f1"], failed["scores"]["exact_match"])
    assert failed["ladder"] == {
        "rung": 3,
        "load": 8,
        "mechanisms": ["authority", "changes"],
        "plan_calls": 4,
        "plan_characters": 1000,
    }


def test_change_happens_in_the_episode(whole: Finished) -> None:
    """The gold of rung 3 is that of the world after the change, which the first reading of the calendar brings about."""
    episode = whole.episode("level4-004-climbs2")

    assert ["2027-03-01T10:30:00+00:00", "2027-03-01T10:45:00+00:00", "2027-03-01T11:00:00+00:00"] == [
        one["start"] for one in episode["gold"]
    ]
    assert [] == episode["records_missed"]


def test_failure_says_what_is_missing(whole: Finished) -> None:
    """Each failed case names the instance, the candidates that the answer lacks, and its file."""
    assert "missed   2 of 3: Mon 2027-03-01 10:45-11:45 R01, Mon 2027-03-01 11:00-12:00 R01" in whole.output
    assert "missed   1 of 2: Second: Mon 2027-03-01 10:45-11:45 R01" in whole.output
    assert "level4-004-climbs2.json; -v shows the whole page" in whole.output


@pytest.mark.parametrize("options", [("-n", "2"), ("--concurrency=3",)])
def test_report_is_the_same_in_parallel(
    whole: Finished, arguments: tuple[str, ...], tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Workers and threads show in no report."""
    again = run(tmp_path, *arguments, *options)
    before, after = (without_times(one.report) for one in (whole, again))
    for report in (before, after):
        del report["mpcbench"]["settings"]

    assert before == after


def test_run_can_be_resumed_and_verified(whole: Finished, data: Path, tmp_path: Path) -> None:
    """What was stored is not run again; the result passes the verification."""
    folder = tmp_path / "run"
    shutil.copytree(whole.folder, folder)
    (folder / "episodes" / "level4-001-climbs2.json").unlink()
    before = {file.name: file.read_text() for file in RunFolder(folder).episode_files()}
    resumed = run(tmp_path, f"--resume={folder}", "--report=on")
    after = {file.name: file.read_text() for file in RunFolder(folder).episode_files()}

    assert (7, 8) == (len(before), len(after))
    assert before.items() <= after.items()
    assert whole.outcomes() == resumed.outcomes()
    assert "level4-001" in (folder / "report.html").read_text()
    # The planted agent is known to its own plugin only.
    assert ["run.json: $.agents[climbs2]: no description of an endpoint"] == [
        *Verification(RunFolder.open(folder), Dataset.open(data)).findings()
    ]


def test_stored_episodes_are_graded_alike_again(whole: Finished, data: Path) -> None:
    """What is stored is read back and graded to the same."""
    dataset, folder = Dataset.open(data), RunFolder.open(whole.folder)

    for episode in folder.episodes():
        assert changed_fields(episode, rescored(dataset, episode)) == []


def test_other_levels_stay_as_they_were(data: Path, tmp_path: Path) -> None:
    """Without a choice only levels 1 to 3 run, and nothing of level 4 is stored with them."""
    done = run(tmp_path, f"--dataset={data}", "--model=good", "--limit=1")
    episode = done.episode("level1-001-good")
    settings = json.loads((done.folder / "run.json").read_text())["settings"]

    assert ["level1-001-good", "level3-001-good"] == [name_of(test) for test in done.report["tests"]]
    assert {"ladder", "max_calls"}.isdisjoint(episode)
    assert "rungs" not in settings


def test_rungs_are_chosen(data: Path) -> None:
    """By number, span or list; a limit is spread over the rungs."""
    assert selected(data, rung="2") == ["level4-002", "level4-003"]
    assert selected(data, rung="1,3..4", level=["4"]) == [
        "level4-000", "level4-001", "level4-004", "level4-005", "level4-006", "level4-007"
    ]  # fmt: skip
    assert selected(data, level=["4"], limit="4") == ["level4-000", "level4-002", "level4-004", "level4-006"]
    assert selected(data, instance=["level4-003"]) == ["level4-003"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rung": "5"}, "--rung: {data} has no rung 5"),
        ({"rung": "2", "instance": ["level4-009"]}, "--instance: no 'level4-009' in {data}"),
        ({"rung": "2..1"}, "--rung: '2..1' is not a list of rungs such as 3, 1..4 or 1,5..8"),
        ({"rung": "1", "level": ["3"]}, "--rung: only level 4 has rungs; choose it with --level 4"),
    ],
)
def test_rungs_that_cannot_be_chosen(data: Path, options: dict[str, object], message: str) -> None:
    """Each is refused with one line."""
    with pytest.raises(SettingsError) as caught:
        selected(data, **options)

    assert message.format(data=data) == str(caught.value)


@pytest.mark.parametrize("options", [{"level": ["4"]}, {"rung": "1"}, {"adaptive": "on"}])
def test_data_without_level_4(options: dict[str, object], tmp_path: Path) -> None:
    """The message says where level 4 comes from."""
    small_dataset.write(tmp_path)
    with pytest.raises(SettingsError) as caught:
        selected(tmp_path, **options)

    expected = "has no level 4; make one with generate --level 4, and name its folder with --dataset"
    assert f"--level: {tmp_path} {expected}" == str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--model=random",), "--model: random knows levels 1 to 3 only; choose another agent for level 4"),
        (("--model=flawed:too-many",), "--model: flawed:too-many knows levels 1 to 3 only"),
        (("--reveal=plan",), "--reveal: levels 1 to 3 only; choose them with --level"),
        (("--tags=shown",), "--tags shown: levels 1 to 3 only; choose them with --level"),
        (("--attribute=causal",), "--attribute: levels 1 to 3 only; choose them with --level"),
    ],
)
def test_what_level_4_has_not_is_refused(
    arguments: tuple[str, ...], tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """Before anything runs."""
    done = run(tmp_path, *arguments, *options, reports=False)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert message in done.output


def test_staircase_runs_a_part_of_the_instances(data: Path, tmp_path: Path) -> None:
    """Two instances a step, on the rungs that the results lead to; the others are skipped and not planned."""
    done = run(tmp_path, f"--dataset={data}", "--model=climbs2", "--adaptive", "--fail-on=never")
    folder = RunFolder.open(done.folder)
    ran = [name for name, outcome in done.outcomes().items() if outcome == "passed"]

    assert pytest.ExitCode.OK == done.code
    assert ["level4-002-climbs2", "level4-003-climbs2", "level4-004-climbs2", "level4-005-climbs2"] == sorted(ran)
    assert sorted(ran) == [case.text for case in folder.cases()] == sorted(case.text for case in folder.info.cases)
    assert "not run" not in done.output
    assert ["run.json: $.agents[climbs2]: no description of an endpoint"] == [
        *Verification(folder, Dataset.open(data)).findings()
    ]


def test_staircase_can_be_resumed(data: Path, tmp_path: Path) -> None:
    """What is stored is used again, and leads to the same instances."""
    done = run(tmp_path, f"--dataset={data}", "--model=climbs2", "--adaptive", "--fail-on=never")
    before = [case.text for case in RunFolder.open(done.folder).cases()]
    (done.folder / "episodes" / "level4-003-climbs2.json").unlink()
    run(tmp_path, f"--resume={done.folder}")

    assert before == [case.text for case in RunFolder.open(done.folder).cases()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-n", "2"), "--adaptive: not together with -n, as one episode decides which is the next"),
        (("--trials=2",), "--trials: not together with --adaptive, where one episode decides which is the next"),
        (("--level=3",), "--adaptive: only level 4 has rungs; choose it alone with --level 4"),
        (("--rung=2",), "--adaptive: two rungs with an instance each are needed, and a --limit of two or more"),
    ],
)
def test_staircase_needs_room(data: Path, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    """Each is refused before anything runs."""
    done = run(tmp_path, f"--dataset={data}", "--model=climbs2", "--adaptive", *options, reports=False)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert message in done.output


def test_models_behind_an_endpoint_run(data: Path, tmp_path: Path) -> None:
    """The tools of level 4 by the API's own calls, with the change in between, and a plan's answer with its meetings."""
    days = {"start_date": "2027-03-01", "end_date": "2027-03-01"}
    calls = tuple(ModelCall("get_calendar", json.dumps({"person_id": person, **days})) for person in ("p1", "p2"))
    reads = ModelTurn(calls=(ModelCall("read_thread", json.dumps({"thread_id": "T0001"})), *calls))
    ladder = Dataset.open(data).ladder
    script = [reads, ModelTurn(text=small_ladder.right(ladder, "level4-002"))]
    with EndpointServer(Scripted(script)) as server:
        done = run(
            tmp_path, f"--dataset={data}", "--instance=level4-002", "--model=o4-mini", f"--base-url={server.base_url}",
            "--preflight=off",
        )  # fmt: skip
    episode = done.episode("level4-002-o4-mini")

    assert pytest.ExitCode.OK == done.code
    assert ["read_thread", "get_calendar", "get_calendar"] == [call["name"] for call in episode["tool_calls"]]
    assert ["First", "Second"] == [one["meeting"] for one in episode["answer"]]
