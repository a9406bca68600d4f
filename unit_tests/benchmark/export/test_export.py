"""What is exported: exact demonstrations, the steps that decide, and where each row comes from."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.export.__main__ import main
from mpcbench.benchmark.export.sources import Taken, attempt, without_test_names
from mpcbench.benchmark.export.splits import Split, SplitError, split_of, worlds
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.scoring.answer import parse_answer
from mpcbench.evaluation.scoring.score import score
from mpcbench.generate.__main__ import SEED
from mpcbench.generate.making import files_of
from mpcbench.schema.dataset import COMMITTED, write_files
from mpcbench.schema.versions import CANARY, GENERATOR_VERSION
from unit_tests.benchmark.export.exported import TEST, exported, rows
from unit_tests.builders import small_ladder
from unit_tests.builders.committed import DATASET
from unit_tests.builders.made_runs import made_run, made_run_on
from unit_tests.generate.samples import made

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Two of each level, with the plan."""
    return exported(tmp_path_factory.mktemp("sft") / "sft.jsonl", "sft", *TEST, "--count", "2", "--rationale", "plan")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A right agent and a wrong one."""
    return made_run(tmp_path_factory.mktemp("runs") / "run", ["reference", "flawed:too-many"], ["level1-003"])


def is_exact(row: dict[str, Any], final: str) -> bool:
    exam = DATASET.exam(row["provenance"]["instance_id"])
    answer = parse_answer(final, exam.instance.level, exam.world.zone, exam.world.rooms)
    return score(answer.candidates, exam.label.gold).ranked_match


def test_demonstrations_end_with_the_gold(demonstrations: Rows) -> None:
    """They are conversations of all levels, each with the tools of its level."""
    assert [1, 1, 2, 2, 3, 3] == [row["provenance"]["level"] for row in demonstrations]
    for row in demonstrations:
        assert is_exact(row, row["messages"][-1]["content"])
        used = {call["function"]["name"] for one in row["messages"] for call in one.get("tool_calls", ())}
        assert used <= {tool["function"]["name"] for tool in row["tools"]}


def test_rows_say_where_they_come_from(demonstrations: Rows) -> None:
    """Seed, level, index, versions and split, with the canary; test instances are marked."""
    found = demonstrations[3]["provenance"]

    assert (SEED, 2, 1, "level2-001", 100) == tuple(
        found[name] for name in ("seed", "level", "index", "instance_id", "world_instances")
    )
    assert (CANARY, GENERATOR_VERSION, "test", True) == tuple(
        found[name] for name in ("canary", "generator_version", "split", "do_not_train")
    )


@pytest.mark.parametrize(("numbers", "count"), [((0, 1), 2), ((0,), 1), ((1,), None), ((0, 2), None)])
def test_rows_of_a_shard_name_no_count(numbers: Sequence[int], count: int | None, tmp_path: Path) -> None:
    """Only a set without gaps is generated again by a count; that of its instances would not even make those of a shard."""
    write_files(tmp_path / "data", files_of(1, SEED, [made(1, number) for number in numbers]))
    given = ["--dataset", str(tmp_path / "data"), "--level", "1", "--allow-test"]

    found = [row["provenance"] for row in exported(tmp_path / "sft.jsonl", "sft", *given)]

    assert [(number, count) for number in numbers] == [(one["index"], one["world_instances"]) for one in found]


def test_plan_says_only_what_has_been_shown(demonstrations: Rows) -> None:
    """Every ID, name and number of seats in it comes from the messages before it or the calls that it explains."""
    for row in demonstrations:
        shown = ""
        for message in row["messages"]:
            if message["role"] == "assistant":
                plan = message["content"].partition("\n\n")[0]
                calls = json.dumps(message.get("tool_calls", ()), ensure_ascii=False)
                named = re.findall(r"\b(?:POL-\d+|DOC-\d+|T\d{5}|R\d{2}|[A-Z][\w-]+ [A-Z]\w+)\b", plan)
                assert plan
                assert [] == [name for name in named if name not in shown + calls]
            shown += str(message["content"])


def test_steps_are_cut_before_what_decides(tmp_path: Path) -> None:
    """Each asks for a message that first shows a needed record, or for the answer."""
    found = exported(tmp_path / "steps.jsonl", "steps", *TEST, "--level", "3", "--count", "1")
    called = [{call["function"]["name"] for call in row["completion"][0].get("tool_calls", ())} for row in found]

    assert "user" == found[0]["prompt"][-1]["role"] or "tool" == found[0]["prompt"][-1]["role"]
    assert {"read_thread", "read_policy_document", "search_people", "get_calendar", "get_room_bookings"} <= set().union(
        *called
    )
    assert {"list_policies"} not in called
    assert is_exact(found[-1], found[-1]["completion"][0]["content"])
    assert sorted({row["provenance"]["step"] for row in found}) == [row["provenance"]["step"] for row in found]


def test_runs_give_what_is_right_or_all(run: RunFolder, tmp_path: Path) -> None:
    """sft takes exact matches only, episodes all with their outcome; both know how often the instance failed."""
    right = exported(tmp_path / "sft.jsonl", "sft", str(run.path), "--allow-test")
    every = exported(tmp_path / "episodes.jsonl", "episodes", str(run.path), "--allow-test")

    assert [("reference", run.info.run_id, 0.5)] == [
        tuple(row["provenance"][name] for name in ("model", "run_id", "failure_rate")) for row in right
    ]
    assert ["failed", "passed"] == sorted(row["outcome"] for row in every)
    assert right[0]["messages"] in [row["messages"] for row in every]


@pytest.mark.parametrize("options", [["--split", "test"], ["--dataset", str(COMMITTED)], ["RUN"]])
def test_test_instances_are_refused(
    options: list[str], run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --allow-test nothing is written, wherever they come from."""
    given = [str(run.path) if one == "RUN" else one for one in options]

    assert 2 == main(["sft", "--level", "1", *given, "--out", str(tmp_path / "out.jsonl")])
    assert "--allow-test" in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["sft", "--mistake", "count"], "--mistake is for preference"),
        (["preference", "--mistake", "sloth"], "no kind 'sloth'"),
        (
            ["preference", "--level", "1", "--mistake", "ranking:nonsense"],
            "no flawed agent of level 1 makes 'integration.ranking:nonsense'; the mistakes are integration.ranking:",
        ),
        (["steps", "--mistake", "observed.one_wrong"], "the mistakes are acquisition.record_never_seen:calendar, "),
        (["preference", "--rationale", "plan"], "wrong messages have no plan"),
        (["episodes"], "episodes needs RUN"),
        (["sft", "--split", "train", "--split", "validation"], "one split a file"),
        (["sft", "--seed", "5"], "seed 5 belongs to the split test, not to train"),
        (
            ["hf", "--seed", "100050"],
            "--seed is of one split, since splits share no seeds; choose --split train or --split validation",
        ),
        (["hf", "--seed", "10000", "--split", "train", "--split", "validation"], "--seed is of one split"),
        (
            ["sft", "--split", "validation", "--seed", "99999", "--count", "101"],
            "seed 100000 belongs to the split train, not to validation; change --split, --seed or --count",
        ),
        (["hf", "--count", "9000001"], "seed 100000 belongs to the split train, not to validation"),
        (["hf", "--format", "openai"], "--format openai is not for hf"),
        (["sft", "nowhere"], "nowhere"),
    ],
)
def test_useless_options_are_refused(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says what is wrong, and nothing is generated or written."""
    monkeypatch.setattr("mpcbench.benchmark.export.__main__.fresh_exams", lambda *_: pytest.fail("generates"))

    assert 2 == main([*options, "--out", str(tmp_path / "out")])
    assert message in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["out.jsonl", "out.provenance.jsonl"])
def test_a_file_that_exists_stays(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not overwritten, nor is that with the provenance of rows in OpenAI's format."""
    (tmp_path / name).write_text("mine")

    assert 2 == main(["sft", *TEST, "--format", "openai", "--out", str(tmp_path / "out.jsonl")])
    assert f"{tmp_path / name}: exists" in capsys.readouterr().err
    assert "mine" == (tmp_path / name).read_text()


def test_every_seed_has_one_split() -> None:
    """Worlds of a split have consecutive seeds of it, and no others."""
    assert {Split.TEST} == {split_of(seed) for seed in (-1, 0, SEED, 9_999)}
    assert {Split.VALIDATION} == {split_of(seed) for seed in (10_000, 99_999)}
    assert {Split.TRAIN} == {split_of(seed) for seed in (100_000, 2**40)}
    assert [(100_000, 100), (100_001, 100), (100_002, 50)] == list(worlds(Split.TRAIN, 250))
    with pytest.raises(SplitError, match="seed 100000 belongs to the split train, not to validation"):
        list(worlds(Split.VALIDATION, 101, seed=99_999))


def test_names_of_test_meetings_are_left_out() -> None:
    """An instance of another split is not exported if its meeting is called like one of the committed data."""
    exam = DATASET.exam("level1-000")
    tested = Taken(exam, attempt(exam, reference, "reference", Settings.from_options({}, Path())))
    alike, other = (
        replace(
            tested, exam=replace(exam, instance=exam.instance.model_copy(update={"seed": 100_000, "meeting": name}))
        )
        for name in (exam.instance.meeting, "Unheard-of subject talk")
    )

    assert [tested, other] == list(without_test_names([tested, alike, other]))


def test_curriculum_begins_with_the_easiest(tmp_path: Path) -> None:
    """Rows are sorted by level and by how many things decide, and are otherwise the same."""
    plain = exported(tmp_path / "a.jsonl", "sft", *TEST, "--level", "1", "--level", "2", "--count", "4")
    sorted_rows = exported(
        tmp_path / "b.jsonl", "sft", *TEST, "--level", "1", "--level", "2", "--count", "4", "--curriculum"
    )
    difficulty = [(row["provenance"]["level"], row["provenance"]["load_bearing"]) for row in sorted_rows]

    assert sorted(difficulty) == difficulty
    assert sorted(map(json.dumps, plain)) == sorted(map(json.dumps, sorted_rows))


@pytest.mark.slow  # generates
def test_fresh_instances_are_those_of_the_generator(tmp_path: Path) -> None:
    """The same arguments give the same bytes with any number of workers, of worlds that no test has."""
    found = exported(tmp_path / "a.jsonl", "sft", "--level", "1", "--count", "2", "--workers", "1")
    exported(tmp_path / "b.jsonl", "sft", "--level", "1", "--count", "2", "--workers", "2")

    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert [("train", False, 100_000, 0), ("train", False, 100_000, 1)] == [
        tuple(row["provenance"][name] for name in ("split", "do_not_train", "seed", "index")) for row in found
    ]
    assert rows(tmp_path / "a.jsonl")[0]["messages"][1]["content"] not in {
        text for instance in DATASET.instances(1) for text in instance.task
    }


@pytest.mark.parametrize("kind", ["sft", "preference", "steps", "hf"])
def test_data_of_level_4_alone_are_refused(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so; an empty file would pass for an export."""
    small_ladder.write(tmp_path / "data")
    code = main([kind, "--dataset", str(tmp_path / "data"), "--out", str(tmp_path / "out")])

    assert (2, False) == (code, (tmp_path / "out").exists())
    assert f"error: {tmp_path / 'data'}: holds level 4 alone, and export knows levels 1 to 3 only\n" == (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("kind", ["sft", "preference", "steps", "episodes", "hf"])
def test_runs_of_level_4_alone_are_refused(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As data sets are."""
    data = small_ladder.write(tmp_path / "data")
    run = made_run_on(data, tmp_path / "run", ["reference"], ["level4-000"])
    code = main([kind, str(run.path), "--dataset", str(data.folder), "--out", str(tmp_path / "out")])

    assert (2, False) == (code, (tmp_path / "out").exists())
    assert "holds level 4 alone, and export knows levels 1 to 3 only" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sought"),
    [
        (["sft", "--level", "2", "--dataset", "DATA"], "instance of level 2 in DATA"),
        (["hf", "--level", "2", "--level", "3", "--dataset", "DATA"], "instance of level 2 or 3 in DATA"),
        (["sft", "--format", "openai", "--level", "2", "--dataset", "DATA"], "instance of level 2 in DATA"),
        (["steps", "--curriculum", "--level", "2", "--dataset", "DATA"], "instance of level 2 in DATA"),
        (
            ["preference", "--level", "2", "--mistake", "ranking", "--dataset", "DATA"],
            "pair of level 2 with the mistake ranking in DATA",
        ),
        (["sft", "--level", "2", "RUN"], "exact match that saw every needed record of level 2 in RUN"),
        (["episodes", "--level", "2", "RUN"], "scored episode of level 2 in RUN"),
        (["preference", "RUN"], "failed trial beside a passed one of the same model of level 1 or 2 or 3 in RUN"),
        (["episodes", "EMPTY"], "scored episode of level 1 or 2 or 3 in EMPTY"),
    ],
)
def test_an_export_without_rows_is_an_error(
    options: list[str], sought: str, run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what was looked for and where, and there is no file, which would pass for an export."""
    places = {"DATA": tmp_path / "data", "RUN": run.path, "EMPTY": tmp_path / "empty"}
    write_files(places["DATA"], files_of(1, SEED, [made(1, 0)]))
    RunFolder.create(places["EMPTY"], run.info)
    new = tmp_path / "new"
    new.mkdir()
    given = [str(places.get(option, option)) for option in options]
    for name, place in places.items():
        sought = sought.replace(name, str(place))

    assert 2 == main([*given, "--allow-test", "--out", str(new / "out")])
    assert f"error: nothing to export, and nothing was written: no {sought}\n" == capsys.readouterr().err
    assert [] == [*new.iterdir()]
