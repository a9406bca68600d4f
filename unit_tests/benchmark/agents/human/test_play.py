"""`mpcbench play`: an episode is played command by command, and becomes an episode of a run like any other."""

import json
import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from mpcbench.benchmark.agents.human.journal import LONGEST_BREAK, Journal
from mpcbench.benchmark.play.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.scoring.time_text import proposal_text
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Finish, Outcome
from mpcbench.schema.run import Case
from unit_tests.builders import small_dataset

CALENDAR = ("get_calendar", "p001", "2027-02-01")


class Said(NamedTuple):
    """What a command printed."""

    code: int
    out: str
    err: str


Play = Callable[..., Said]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


@pytest.fixture
def play(data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Runs a command of an instance in the run of the test."""

    def run(instance: str, *words: str) -> Said:
        code = main([instance, *words, "--run-dir", str(tmp_path / "run"), "--dataset", str(data.folder)], prog="play")
        return Said(code, *capsys.readouterr())

    return run


def rows(data: Dataset, instance: str) -> list[str]:
    """The gold as people type it."""
    exam = data.exam(instance)
    return [proposal_text(one, exam.world.zone) for one in exam.label.gold]


def findings(data: Dataset, run: Path) -> list[str]:
    return list(Verification(RunFolder.open(run), data).findings())


def test_episode_is_played_command_by_command(play: Play, data: Dataset, tmp_path: Path) -> None:
    """From the task to the score; verify finds nothing, and the transcript is that of a model with the same calls."""
    begun = play("level1-002")
    called = play("level1-002", *CALENDAR)
    noted = play("level1-002", "note", "two", "people")
    play("level1-002", "get_policy", '{"keyword": "POL-01"}')
    status = play("level1-002", "status")
    ended = play("level1-002", "answer", *rows(data, "level1-002"))

    assert [0] * 5 == [one.code for one in (begun, called, noted, status, ended)]
    assert "Find two slots for the Heron review on 2 February 2027." in begun.out
    assert called.out.startswith("call 1: get_calendar keyword=p001 date=2027-02-01\n")
    assert "two people\n" == noted.out
    assert "turn 3 of 200" in status.out
    assert "call 2: get_policy keyword=POL-01" in status.out
    assert ended.out.startswith("level1-002, human: passed: exact match")
    (episode,) = RunFolder.open(tmp_path / "run").episodes()
    assert episode.reply is not None
    assert (Outcome.PASSED, 3) == (episode.outcome, episode.reply.turns)
    assert [1, 2] == [call.turn for call in episode.tool_calls]
    assert "Notebook:\ntwo people" == episode.reply.messages[4]["reasoning_content"]
    assert [] == findings(data, tmp_path / "run")
    assert not (tmp_path / "run" / "in-play").exists()
    assert "a human baseline" in (tmp_path / "run" / "report.html").read_text()


def test_instances_gather_in_one_run(play: Play, data: Dataset, tmp_path: Path) -> None:
    """A second instance joins the run; while it is in play verify says so, and the run of its end is whole."""
    play("level1-001", "answer", *rows(data, "level1-001"))
    play("level3-001", "list_rooms")
    between = findings(data, tmp_path / "run")
    ended = play("level3-001", "answer", "\n".join(rows(data, "level3-001")))

    assert ["in-play/level3-001-human.jsonl: an episode that a person has begun and not ended"] == between
    assert "passed: exact match" in ended.out
    assert [] == findings(data, tmp_path / "run")
    assert ["level1-001", "level3-001"] == [one.instance_id for one in RunFolder.open(tmp_path / "run").results()]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["get_calender"], "no tool 'get_calender'; the tools are get_calendar, get_policy"),
        (["get_calendar"], "get_calendar: keyword is missing; type: get_calendar keyword date"),
        (
            ["get_calendar", "p001", "person=x"],
            "get_calendar has no argument 'person'; type: get_calendar keyword date",
        ),
        (["get_calendar", "p001", "keyword=x"], "get_calendar: keyword is given twice"),
        (["get_calendar", "a", "b", "c"], "'c' is too much; type: get_calendar keyword date"),
        (["get_calendar", '{"keyword": '], "get_calendar: the arguments are not valid JSON: Expecting value"),
        (["get_calendar", "p001", "soon"], "get_calendar: date: Input should be a valid date"),
        (["answer"], "answer: which options? type: answer 'DATE START-END' ..., or JSON"),
        (["answer", "2027-02-02", "9:00-9:30", "or", "so"], "'or so' is too much: options at this level have no room"),
        (["answer", "2027-02-02", "9:30-9:00"], "row 1: it ends at 9:00, not after its start at 9:30"),
        (["answer", "tomorrow"], "'tomorrow' is not DATE START-END, such as 2027-02-17 17:30-18:15"),
        (["answer", '{"slots": []}'], "the final message holds no JSON object with the key 'candidates'"),
        (["answer", "2027-02-31 10:00-11:00"], "$.candidates[0].start: no such date and time"),
        (["result", "1"], "result N shows one of the 0 calls so far"),
        (["status", "now"], "status takes nothing more, not 'now'"),
        (["note"], "note: what? type: note TEXT"),
    ],
)
def test_slip_of_the_hand_is_one_line_and_no_call(play: Play, tmp_path: Path, words: list[str], message: str) -> None:
    """Bad input ends with exit code 2 and one line; no turn is spent, and the answer is not given."""
    said = play("level1-001", *words)
    journal = (tmp_path / "run" / "in-play" / "level1-001-human.jsonl").read_text()

    assert (2, "") == (said.code, said.out)
    assert said.err.startswith(f"play: {message}")
    assert 1 == said.err.count("\n")
    assert ["begin"] == [json.loads(line)["kind"] for line in journal.splitlines()]


def test_what_a_tool_does_not_find_is_a_call(play: Play) -> None:
    """As for any agent, an unknown name is a result; it can be looked at again, also as a model would get it."""
    said = play("level1-001", "get_calendar", "Nobody", "2027-02-01")
    again = play("level1-001", "result", "1")
    raw = play("level1-001", "result", "1", "--raw")

    assert said == again
    assert "call 1: get_calendar keyword=Nobody date=2027-02-01 (error)" in said.out
    assert raw.out.startswith("error: no person 'Nobody'")


def test_last_turn_is_for_the_answer(play: Play, data: Dataset) -> None:
    """With a budget of two turns the second call is refused, and the answer still counts."""
    play("level1-001", "--max-turns", "2", *CALENDAR)
    refused = play("level1-001", *CALENDAR)
    ended = play("level1-001", "answer", *rows(data, "level1-001"))

    assert "turn 2 of 2 is the last one: only the answer is left" in refused.err
    assert "passed" in ended.out


def test_giving_up_scores_0(play: Play, data: Dataset, tmp_path: Path) -> None:
    """It is no answer, and verify takes it for what it is; afterwards nothing can be changed."""
    given_up = play("level1-001", "give-up")
    after = play("level1-001", "note", "more")
    (episode,) = RunFolder.open(tmp_path / "run").episodes()

    assert "failed" in given_up.out
    assert (2, True) == (after.code, "has its answer already" in after.err)
    assert episode.reply is not None
    assert ("refused", Finish.REFUSAL) == (episode.answer_status, episode.reply.finish)
    assert [] == findings(data, tmp_path / "run")


def test_run_belongs_to_one_person_and_one_set_of_options(play: Play) -> None:
    """Another name or other options are refused by name; without any the run goes on as it was."""
    play("level1-001", "--name", "Anna")

    assert 0 == play("level1-001").code
    assert "human: player Anna, not Ben" in play("level1-001", "--name", "Ben").err
    assert "was begun with max turns 200, not 9; name another folder with --run-dir" in (
        play("level1-001", "--max-turns", "9").err
    )


def test_missing_instance(capsys: pytest.CaptureFixture[str]) -> None:
    """Only what has to be typed is called required."""
    with pytest.raises(SystemExit):
        main([], prog="play")

    assert capsys.readouterr().err.endswith("play: error: the following arguments are required: INSTANCE\n")


def test_unknown_instance_makes_no_run(play: Play, tmp_path: Path) -> None:
    """One line names it, and nothing is left behind."""
    said = play("level1-999")

    assert (2, True) == (said.code, "play: no 'level1-999' in " in said.err)
    assert not (tmp_path / "run").exists()


def test_answer_without_score_is_scored_by_the_next_command(play: Play, data: Dataset, tmp_path: Path) -> None:
    """A process that dies between the two loses nothing."""
    play("level1-001")
    file = tmp_path / "run" / "in-play" / "level1-001-human.jsonl"
    move = {"at": "2027-02-01T12:00:00Z", "kind": "answer", "text": '{"candidates": []}'}
    file.write_text(file.read_text() + json.dumps(move) + "\n")
    said = play("level1-001")

    assert (0, True) == (said.code, said.out.startswith("level1-001, human: failed"))
    assert [] == findings(data, tmp_path / "run")


def test_long_breaks_count_a_quarter_of_an_hour(play: Play, tmp_path: Path) -> None:
    """The time of an episode is that between its moves, without what was longer than a break."""
    play("level1-001", *CALENDAR)
    run, case = tmp_path / "run", Case("level1-001", 1, "human")
    file = Journal(run, case).file
    begin, call = Journal(run, case).moves
    late = call.model_copy(update={"at": begin.at + timedelta(hours=5)})
    last = call.model_copy(update={"at": late.at + timedelta(seconds=60)})
    file.write_text("".join(f"{move.model_dump_json()}\n" for move in (begin, late, last)))

    assert LONGEST_BREAK + 60 == Journal(run, case).seconds


def test_damaged_journal_is_named(play: Play, tmp_path: Path) -> None:
    """Its file and line, and what to do."""
    play("level1-001")
    file = tmp_path / "run" / "in-play" / "level1-001-human.jsonl"
    file.write_text(file.read_text() + "{}\n")
    said = play("level1-001")

    assert (2, True) == (said.code, f"{file}:2: Field required; remove the file to begin anew" in said.err)


def test_command_to_type_can_be_typed(data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names of people and folders are quoted for the shell."""
    run = tmp_path / "two words"
    main(["level1-002", "--run-dir", str(run), "--dataset", str(data.folder)], prog="play")

    assert f"play --run-dir '{run}' level1-002" in capsys.readouterr().out


def test_port_that_is_taken(data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so, and the episode is as before."""
    where = ["level1-002", "--run-dir", str(tmp_path / "run"), "--dataset", str(data.folder)]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = main([*where, "--web", "--port", str(port)], prog="play")

    assert (2, f"play: --port {port}: Address already in use\n") == (code, capsys.readouterr().err)
    assert RunFolder.open(tmp_path / "run").results() == []


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_port_that_is_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Any port of the machine may be named."""
    with pytest.raises(SystemExit):
        main(["level1-002", "--web", f"--port={port}"], prog="play")

    assert f"{port} is not a port from 0 to 65535" in capsys.readouterr().err
