"""Rows in the JSON protocol are what a model without native tool calls reads and writes."""

from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.json_protocol import read_calls
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.export.__main__ import main
from mpcbench.benchmark.practice_endpoint import EndpointServer, Solver
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from unit_tests.benchmark.export.exported import TEST, exported
from unit_tests.builders.made_runs import made_run

OPTIONS = (*TEST, "--level", "1", "--level", "3", "--count", "1")


def all_messages(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        message for name in ("messages", "prompt", "completion", "chosen", "rejected") for message in row.get(name, ())
    ]


@pytest.mark.parametrize("kind", ["sft", "steps", "preference"])
def test_calls_are_written_as_the_protocol_reads_them(kind: str, tmp_path: Path) -> None:
    """All kinds: the same calls and texts as in the chat format, without native calls and without tools beside them."""
    chat = exported(tmp_path / "chat.jsonl", kind, *OPTIONS)
    texts = exported(tmp_path / "texts.jsonl", kind, *OPTIONS, "--format", "json-protocol")

    assert len(chat) == len(texts) > 1
    for native, text in zip(chat, texts, strict=True):
        made = [
            [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
            for message in all_messages(native)
            if message.get("tool_calls")
        ]
        said = [message["content"] for message in all_messages(text) if message["role"] == "assistant"]
        assert {"role", "content"} == set().union(*all_messages(text))
        assert "tools" not in text
        assert made == [[(c.name, c.arguments) for c in read_calls(one)] for one in said if '"arguments"' in one]


def test_rows_are_what_a_run_stores(tmp_path: Path) -> None:
    """A run by the protocol, exported and written in it again, has the very messages that its model saw and wrote."""
    with EndpointServer(JsonSpeaking(Solver(reference))) as server:
        wanted = {"base-url": server.base_url, "tool-protocol": "json"}
        run = made_run(tmp_path / "run", ["local-model"], ["level1-003"], **wanted)
    (row,) = exported(tmp_path / "x.jsonl", "sft", str(run.path), "--allow-test", "--format", "json-protocol")
    (episode,) = run.episodes()

    assert episode.reply is not None
    assert row["messages"] == [{name: one[name] for name in ("role", "content")} for one in episode.reply.messages]


def test_parquet_has_the_chat_format_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its columns are those of conversations with native calls."""
    assert 2 == main(["hf", *TEST, "--format", "json-protocol", "--out", str(tmp_path / "hf")])
    assert "--format json-protocol is not for hf, which writes Parquet" in capsys.readouterr().err
