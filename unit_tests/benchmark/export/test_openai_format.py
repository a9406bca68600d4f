"""OpenAI's fine-tuning files, checked field by field against their rules.

The rules are those of `FineTuneChatRequestInput` and `FineTunePreferenceRequestInput` in OpenAI's description of its API
(version 2.3.0), of the guides "Supervised fine-tuning" and "Direct preference optimization" (the last message is the
assistant's; one message on either side), and of chat completions (names, IDs, at most 128 tools). Their file check refuses
other fields: "contains an extra ...".
"""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mpcbench.benchmark.export.jsonl_files import provenance_file
from mpcbench.schema.versions import CANARY
from unit_tests.benchmark.export.exported import TEST, exported, rows

GUID = CANARY.split()[2].rstrip(":")
NAME = {"type": "string", "pattern": "^[a-zA-Z0-9_-]{1,64}$"}


def fields(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    properties = {**required, **optional}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


TEXT = {"type": "string"}
CALL = fields(
    {
        "id": {"type": "string", "maxLength": 40},
        "type": {"const": "function"},
        "function": fields({"name": NAME, "arguments": TEXT}),
    }
)
ASSISTANT = fields(
    {"role": {"const": "assistant"}},
    content=TEXT,
    name=NAME,
    refusal=TEXT,
    weight={"enum": [0, 1]},
    tool_calls={"type": "array", "minItems": 1, "maxItems": 128, "items": CALL},
)
MESSAGE = {
    "oneOf": [
        fields({"role": {"const": "system"}, "content": TEXT}, name=NAME),
        fields({"role": {"const": "user"}, "content": TEXT}, name=NAME),
        fields({"role": {"const": "tool"}, "content": TEXT, "tool_call_id": TEXT}),
        {**ASSISTANT, "anyOf": [{"required": ["content"]}, {"required": ["tool_calls"]}]},
    ]
}
TOOL = fields(
    {
        "type": {"const": "function"},
        "function": fields(
            {"name": NAME},
            description={"type": "string", "maxLength": 1024},
            parameters={"type": "object", "required": ["type", "properties"]},
            strict={"type": "boolean"},
        ),
    }
)
TOOLS = {"type": "array", "minItems": 1, "maxItems": 128, "items": TOOL}
MESSAGES = {"type": "array", "minItems": 1, "items": MESSAGE}
SUPERVISED = fields({"messages": MESSAGES}, tools=TOOLS, parallel_tool_calls={"type": "boolean"})
ONE_OUTPUT = {"type": "array", "minItems": 1, "maxItems": 1, "items": ASSISTANT}
PREFERENCE = fields(
    {
        "input": fields({"messages": MESSAGES}, tools=TOOLS, parallel_tool_calls={"type": "boolean"}),
        "preferred_output": ONE_OUTPUT,
        "non_preferred_output": ONE_OUTPUT,
    }
)


def check_exchange(messages: list[dict[str, Any]]) -> None:
    """Each call has an ID of its own and arguments in JSON, and its results follow at once."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert [] == waiting
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            assert call["id"] not in seen
            seen.add(call["id"])
            waiting.append(call["id"])


@pytest.mark.parametrize(("kind", "levels"), [("sft", "123"), ("steps", "3"), ("preference", "1")])
def test_every_field_keeps_to_the_rules(kind: str, levels: str, tmp_path: Path) -> None:
    """No row has any other field, so that its provenance, a line for each, is in a file beside it."""
    out = tmp_path / "train.jsonl"
    chosen = (part for level in levels for part in ("--level", level))
    found = exported(out, kind, *TEST, *chosen, "--count", "1", "--format", "openai")
    validator = Draft202012Validator(PREFERENCE if kind == "preference" else SUPERVISED)

    assert found
    for row in found:
        assert [] == [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(row)]
        asked = row["input"] if kind == "preference" else row
        for side in (row.get("preferred_output", []), row.get("non_preferred_output", [])):
            check_exchange([*asked["messages"], *({k: v for k, v in one.items() if k != "tool_calls"} for one in side)])
        if kind != "preference":
            assert "assistant" == row["messages"][-1]["role"]
            earlier = [message.get("weight", 1) for message in row["messages"][:-1] if message["role"] == "assistant"]
            assert set(earlier) <= {0 if kind == "steps" else 1}
        assert GUID in asked["messages"][0]["name"]
    assert len(found) == len(rows(provenance_file(out)))
    assert {CANARY} == {origin["canary"] for origin in rows(provenance_file(out))}
