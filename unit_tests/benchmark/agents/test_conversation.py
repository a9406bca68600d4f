"""Every agent's exchange becomes the same chat messages, whatever format the agent kept it in."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.conversation import conversation
from mpcbench.benchmark.harness.registry import agent_named
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.benchmark.practice_endpoint import EndpointServer
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.benchmark.practice_endpoint.recording import Recording
from mpcbench.evaluation.verify.rerun import Rerun
from mpcbench.schema.episode import Episode, Finish, Reply
from mpcbench.schema.run import Case
from unit_tests.builders.committed import DATASET
from unit_tests.builders.made_runs import made_run
from unit_tests.evaluation.report import conversations

INSTANCES = ("level1-000", "level2-000", "level3-000")


def episode(model: str, instance_id: str, **options: str) -> Episode:
    settings = Settings.from_options({"model": model, **options}, Path())
    exam = DATASET.exam(instance_id)
    agent = agent_named(model, settings, DATASET)
    return Trial(Case(instance_id, exam.instance.level, model), exam, settings).run(agent).episode


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A model that does what the reference agent does, several calls a turn."""
    with EndpointServer(JsonSpeaking(Recording.of(DATASET, limit=1))) as server:
        yield server.base_url


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("protocol", ["native", "json"])
@pytest.mark.parametrize("instance_id", INSTANCES)
def test_any_wire_format_gives_the_same_messages(
    endpoint: str, api: str, protocol: str, instance_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over either API and by either protocol, they are those that the reference agent stores."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-practice-endpoint")
    options = {"base-url": endpoint, "api": api, "tool-protocol": protocol}
    stored = episode("reference", instance_id).reply

    assert stored is not None
    assert list(stored.messages) == conversation(episode("gpt-4o", instance_id, **options))


@pytest.mark.parametrize("model", ["reference", "flawed:no-calendar", "flawed:silent", "noop"])
def test_agents_without_messages_store_the_exchange(model: str) -> None:
    """It holds the prompts, each call of the log with its result under the same ID, and the final message."""
    found = episode(model, "level1-000")
    assert found.reply is not None
    messages: Any = found.reply.messages
    calls = [call for message in messages for call in message.get("tool_calls", ())]
    results = [message for message in messages if message["role"] == "tool"]

    assert [found.system_prompt, found.task] == [message["content"] for message in messages[:2]]
    assert [(call.name, call.arguments) for call in found.tool_calls] == [
        (call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls
    ]
    assert [(call["id"], log.result) for call, log in zip(calls, found.tool_calls, strict=True)] == [
        (message["tool_call_id"], message["content"]) for message in results
    ]
    assert [found.reply.text] * bool(found.reply.text) == [
        message["content"] for message in messages if message["role"] == "assistant" and "tool_calls" not in message
    ]


@pytest.mark.parametrize("messages", [conversations.chat(), conversations.responses(), conversations.in_text()])
def test_what_a_model_says_beside_its_calls_is_kept(messages: tuple[dict[str, Any], ...]) -> None:
    """Calls and results have one form, and nothing of the text protocol is left where its results were quoted."""
    told = conversation(conversations.episode(*messages))

    assert ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"] == [
        message["role"] for message in told if "Result of" not in str(message["content"])
    ]
    assert conversations.FINAL == told[-1]["content"]


def test_what_cannot_be_sent_is_quoted() -> None:
    """A call that is no JSON or has no possible name is written so that every parser reads it."""
    odd = conversations.CALLS[0].model_copy(update={"name": "get calendar!", "arguments": '{"keyword": '})
    found = conversation(conversations.episode(calls=(odd,)))
    function = found[2]["tool_calls"][0]["function"]

    assert ("get_calendar_", {"invalid_arguments": '{"keyword": '}) == (
        function["name"],
        json.loads(function["arguments"]),
    )


def test_runs_stored_without_messages_are_verified(tmp_path: Path) -> None:
    """An episode that was stored when the reference agent kept no messages is what it does now, and reads alike."""
    folder = made_run(tmp_path / "run", ["reference"], ["level1-003"])
    (stored,) = folder.episodes()
    assert stored.reply is not None
    old = stored.model_copy(update={"reply": stored.reply.model_copy(update={"messages": ()})})

    assert [] == list(Rerun(Settings.from_options({}, Path()), DATASET, folder.info).findings(old))
    assert list(stored.reply.messages) == conversation(old)


def test_the_last_turn_is_forced_without_calls() -> None:
    """A call that was not run is no part of the conversation."""
    wasted = {"role": "assistant", "content": "", "tool_calls": [{"id": "x", "function": {"name": "get_policy"}}]}
    reply = Reply(text="", finish=Finish.TURNS, turns=2, messages=(*conversations.chat()[:7], wasted))
    found = conversation(conversations.episode().model_copy(update={"reply": reply}))

    assert "tool" == found[-1]["role"]
