"""Worked examples: what they show, what they are made from, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.improve.__main__ import main

TOOL_TURN = '{"tool": "get_policy", "arguments": {"keyword": "POL-16"}}'
MESSAGES = [
    {"role": "system", "content": "the rules"},
    {"role": "user", "content": "Find two options."},
    {"role": "assistant", "content": TOOL_TURN},
    {"role": "user", "content": "Result 1 of 1"},
    {"role": "assistant", "content": '{"candidates": []}'},
]


def row(**changes: Any) -> dict[str, Any]:
    return {
        "messages": MESSAGES,
        "provenance": {"instance_id": "level1-000", "do_not_train": False},
    } | changes


def written(folder: Path, *rows: Any) -> str:
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows))
    return str(file)


def test_examples_show_the_exchange_from_the_task_on(tmp_path: Path) -> None:
    """In the words of the protocol, and without the system prompt."""
    out = tmp_path / "examples.txt"
    assert 0 == main(["examples", written(tmp_path, row()), "--count", "1", "--out", str(out)])

    assert (
        f'you are told: Find two options.\nyou write: {TOOL_TURN}\nyou are told: Result 1 of 1\nyou write: {{"candidates": []}}\n'
        == out.read_text().partition("Example 1\n")[2]
    )


def test_examples_end_after_a_message_of_the_model(tmp_path: Path) -> None:
    """The last one that fits; what it was answered is left out."""
    out = tmp_path / "examples.txt"
    assert 0 == main(["examples", written(tmp_path, row()), "--count", "1", "--characters", "120", "--out", str(out)])

    assert out.read_text().endswith(f"you write: {TOOL_TURN}\n")


def test_steps_make_one_example_of_a_task(tmp_path: Path) -> None:
    """That which shows most of it."""
    steps = [row(messages=None, prompt=MESSAGES[:end], completion=[MESSAGES[end]]) for end in (2, 4)]
    other = row(messages=[MESSAGES[0], {"role": "user", "content": "Find one."}, *MESSAGES[2:]])
    out = tmp_path / "examples.txt"
    assert 0 == main(["examples", written(tmp_path, *steps, other), "--out", str(out)])

    examples = out.read_text().split("Example ")[1:]
    assert 2 == len(examples)
    assert (
        f'1\nyou are told: Find two options.\nyou write: {TOOL_TURN}\nyou are told: Result 1 of 1\nyou write: {{"candidates": []}}\n\n'
        == examples[0]
    )
    assert examples[1].startswith("2\nyou are told: Find one.\n")


@pytest.mark.parametrize("character", ["\u2028", "\u0085", "\x0c"])
def test_texts_may_hold_any_character(character: str, tmp_path: Path) -> None:
    """Rows end at line feeds alone."""
    file, out = tmp_path / "rows.jsonl", tmp_path / "examples.txt"
    messages = [MESSAGES[1], {"role": "assistant", "content": f"first{character}second"}]
    file.write_text(f"{json.dumps(row(messages=messages), ensure_ascii=False)}\n", encoding="utf-8")
    assert 0 == main(["examples", str(file), "--count", "1", "--out", str(out)])

    assert f"first{character}second" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([], [], "holds no rows"),
        ([row(outcome="failed")], [], "rows.jsonl:1: an episode that may have failed"),
        ([row(), row()], ["--count", "2"], "1 of 2 examples, one a task, have a message of the model"),
        (["{"], [], "rows.jsonl:1: no row of mpcbench export sft or steps"),
        ([{"messages": 1}], [], "rows.jsonl:1: no row"),
        ([row(messages=[MESSAGES[2]])], [], "rows.jsonl:1: begins with an answer"),
        ([row(messages=[])], [], "rows.jsonl:1: no row"),
        (
            [row(messages=[MESSAGES[1], {"role": "assistant", "content": "", "tool_calls": []}])],
            [],
            "rows.jsonl:1: has native tool calls; export with --format json-protocol",
        ),
        (
            [row(provenance={"instance_id": "level1-000", "do_not_train": True})],
            [],
            "rows.jsonl:1: level1-000 is for tests",
        ),
        ([row()], ["--count", "2"], "1 of 2 examples, one a task, have a message of the model within 2,000 characters"),
        ([row()], ["--characters", "10"], "0 of 2 examples, one a task, have a message"),
    ],
)
def test_what_makes_no_examples_is_refused(
    rows: list[Any], options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says where and what to do; nothing is written."""
    file, out = written(tmp_path, *rows), tmp_path / "out.txt"

    assert 2 == main(["examples", file, *options, "--out", str(out)])
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_files_are_neither_missing_nor_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line names the file."""
    file = written(tmp_path, row())

    assert 2 == main(["examples", str(tmp_path / "none"), "--out", str(tmp_path / "out.txt")])
    assert "none: No such file or directory" in capsys.readouterr().err
    assert 2 == main(["examples", file, "--out", file])
    assert "exists; choose another place" in capsys.readouterr().err
