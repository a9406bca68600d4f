"""`python -m evaluation score` scores a file of answers, or says in one line what is wrong with it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.evaluation.__main__ import main
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Episode
from unit_tests.builders import small_ladder, tiny

WRONG = {"candidates": [{"start": "2027-02-08T10:15", "end": "2027-02-08T11:15"}]}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_dataset(tmp_path_factory.mktemp("dataset"))


def write(folder: Path, *lines: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def three_answers(folder: Path) -> Path:
    return write(
        folder,
        {"instance_id": "level1-001", "answer": WRONG},
        "",
        {"instance_id": "level3-000", "answer": f"Sure: {tiny.gold_text(3)}"},
        {"instance_id": "level1-000", "answer": "No idea \ud800"},
    )


def test_table_of_scores(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table and what was not answered are printed."""
    expected = """\
level  model  n       exact match            F1 [95%]  errors  turns
    1  mine   2      0.0% [0, 66]  0.333 [0.00, 0.77]       0    1.0
    3  mine   1  100.0% [21, 100]  1.000 [0.21, 1.00]       0    1.0
  all  mine   3     33.3% [7, 77]  0.556 [0.21, 0.85]       0    1.0

level 1, mine: deduced causes:
  1  No answer that can be parsed (format)
  1  Too few options (integration)
3 of 6 instances answered; 3 not answered, not scored
"""
    code = main(["score", str(three_answers(tmp_path)), "--dataset", str(dataset), "--model", "mine"])

    assert code == 0
    assert expected == capsys.readouterr().out


def test_details(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each scored instance has its line, in the order of the file, with the reason for a failure."""
    expected = """\
level1-001  failed  F1 0.667  count
level3-000  passed  F1 1.000
level1-000  failed  F1 0.000  unparsable: the final message holds no JSON object with the key 'candidates'
"""
    code = main(["score", str(three_answers(tmp_path)), "--dataset", str(dataset), "--details"])

    assert code == 0
    assert expected == capsys.readouterr().out.split("\n\n")[0] + "\n"


def test_json_output(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON output holds the rows, every scored instance and the number of those not answered."""
    code = main(["score", str(three_answers(tmp_path)), "--dataset", str(dataset), "--format", "json"])
    report = json.loads(capsys.readouterr().out)

    assert code == 0
    assert (report["answered"], report["not_answered"], report["instances"]) == (3, 3, 6)
    assert [row["attempted"] for row in report["rows"]] == [2, 1]
    assert [one["outcome"] for one in report["episodes"]] == ["failed", "passed", "failed"]


def test_episodes_are_written(dataset: Path, tmp_path: Path) -> None:
    """`--out` gets one whole episode a line, and nothing else is left in its folder."""
    out = tmp_path / "out" / "episodes.jsonl"
    code = main(["score", str(three_answers(tmp_path)), "--dataset", str(dataset), "--out", str(out)])
    episodes = [Episode.model_validate_json(line) for line in out.read_text(encoding="utf-8").splitlines()]

    assert code == 0
    assert [episode.instance_id for episode in episodes] == ["level1-001", "level3-000", "level1-000"]
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.parametrize(
    ("lower", "answered", "said"),
    [
        (False, ["level4-001"], "1 of 4 instances answered; 3 not answered, not scored"),
        (True, ["level4-001", "level1-001"], "2 of 10 instances answered; 8 not answered, not scored"),
        (True, ["level1-001"], "1 of 6 instances answered; 5 not answered, not scored"),
    ],
)
def test_answers_at_level_4(
    *, lower: bool, answered: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are scored like any; level 4 counts where it is answered, as it runs where it is asked for."""
    data = small_ladder.write(tmp_path / "data").ladder
    if lower:
        tiny.write_dataset(tmp_path / "data")
    gold = {"level4-001": small_ladder.right(data, "level4-001"), "level1-001": WRONG}
    answers = write(tmp_path, *({"instance_id": name, "answer": gold[name]} for name in answered))
    code = main(["score", str(answers), "--dataset", str(tmp_path / "data"), "--details"])
    printed = capsys.readouterr().out

    assert (0, said) == (code, printed.splitlines()[-1])
    assert ("level4-001" in answered) == ("passed" in printed)


def test_no_answers_make_an_empty_table(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file is no error: nothing was answered."""
    code = main(["score", str(write(tmp_path, "")), "--dataset", str(dataset), "--details"])

    assert code == 0
    assert capsys.readouterr().out.endswith("errors\n0 of 6 instances answered; 6 not answered, not scored\n")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "2: not JSON: "),
        ("[" * 100_000, "2: not JSON: "),
        ("[1]", "2: $: must be an object"),
        ("1", "2: $: must be an object"),
        ('{"instance_id": "level1-001"}', "2: $.answer: field required"),
        ('{"answer": ""}', "2: $.instance_id: field required"),
        ('{"instance_id": 1, "answer": ""}', "2: $.instance_id: must be a string"),
        (
            '{"instance_id": "level1-001", "answer": 1}',
            "2: $.answer: must be a string (the final message) or an object",
        ),
        ('{"instance_id": "level1-001", "answer": null}', "2: $.answer: must be a string"),
        ('{"instance_id": "level1-001", "answer": [1]}', "2: $.answer: must be a string"),
        ('{"instance_id": "level1-001", "answer": "", "f1": 1}', "2: $.f1: extra inputs are not permitted"),
        ('{"instance_id": "level1-001", "answer": {"candidates": NaN}}', "2: not JSON: NaN is no JSON value"),
        ('{"instance_id": "level1-999", "answer": ""}', "2: $.instance_id: no instance 'level1-999' in "),
        ('{"instance_id": "\\u001b[2J", "answer": ""}', "2: $.instance_id: no instance '\\x1b[2J' in "),
        ('{"instance_id": "level1-000", "answer": ""}', "2: $.instance_id: 'level1-000' is on line 1 already"),
    ],
)
def test_bad_line_is_one_clear_error(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, what: str
) -> None:
    """A bad line ends with exit code 2 and its file, number, place and fault on one line; nothing is written."""
    path = write(tmp_path, {"instance_id": "level1-000", "answer": ""}, line)
    code = main(["score", str(path), "--dataset", str(dataset), "--out", str(tmp_path / "episodes.jsonl")])
    captured = capsys.readouterr()

    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith(f"error: {path}:{what}")
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("answers", "data", "what"),
    [
        ("missing.jsonl", "dataset", "missing.jsonl: no such file or directory"),
        ("latin1.jsonl", "dataset", "latin1.jsonl: not UTF-8 at byte 0"),
        ("", "dataset", ": is a directory"),
        ("answers.jsonl", "nowhere", "nowhere: no data set"),
    ],
)
def test_missing_files_are_clear_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answers: str, data: str, what: str
) -> None:
    """A file or a data set that cannot be read is named, with exit code 2."""
    tiny.write_dataset(tmp_path / "dataset", (1,))
    write(tmp_path, {"instance_id": "level1-000", "answer": ""})
    (tmp_path / "latin1.jsonl").write_bytes(b"\xe9")
    code = main(["score", str(tmp_path / answers), "--dataset", str(tmp_path / data)])
    captured = capsys.readouterr()

    assert code == 2
    assert what in captured.err
    assert captured.err.count("\n") == 1


def test_damaged_dataset_is_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A data set without its labels cannot score anything."""
    folder = tiny.write_dataset(tmp_path / "dataset", (1,))
    (folder / "oracles" / "oracle_level1.jsonl").unlink()
    path = write(tmp_path, {"instance_id": "level1-000", "answer": ""})
    code = main(["score", str(path), "--dataset", str(folder)])

    assert code == 2
    assert "oracle_level1.jsonl: no such file" in capsys.readouterr().err


def test_out_that_cannot_be_written_is_a_clear_error(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An output below a file is refused before any table is printed."""
    path = three_answers(tmp_path)
    code = main(["score", str(path), "--dataset", str(dataset), "--out", str(path / "episodes.jsonl")])
    captured = capsys.readouterr()

    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith("error: ")


@pytest.mark.parametrize("arguments", [[], ["score"], ["score", "x", "--format", "xml"], ["grade"]])
def test_wrong_usage_has_exit_code_2(arguments: list[str]) -> None:
    """Missing and unknown arguments end with exit code 2, as everywhere."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2


def test_help_shows_an_example() -> None:
    """The module runs as a program and its help shows a line of answers and a command."""
    run = subprocess.run(
        [sys.executable, "-m", "evaluation", "score", "--help"],
        cwd=COMMITTED,
        env={**os.environ, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert '{"instance_id": "level1-000", "answer": {"candidates": [{"start": "2027-02-09T14:30:00",' in run.stdout
    assert "python -m evaluation score answers.jsonl --model my-agent --details" in run.stdout
