"""Fifty conversations in Inspect's evaluation: `python -m … TALKS` prints what came out as one line of JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluated
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageTool,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.model._call_tools import parse_tool_call

from mpcbench.benchmark.environments.inspect_task import TASKS
from mpcbench.schema.dataset import LEVELS
from unit_tests.benchmark.environments.conversations import WEIGHTS
from unit_tests.builders.committed import DATASET

FINISHES = {"length": "max_tokens"}


def main(talks: list[dict[str, Any]]) -> dict[str, Any]:
    """The results and the score of every conversation, by instance."""
    said = {DATASET.exam(talk["instance_id"]).instance.task[0]: talk["said"] for talk in talks}

    def answered(told: list[Any], tools: list[Any], *_: Any) -> ModelOutput:
        turn = sum(isinstance(message, ChatMessageAssistant) for message in told)
        message, finish = said[told[1].text][turn]
        calls = [
            parse_tool_call(call["id"], call["function"]["name"], call["function"]["arguments"], tools)
            for call in message.get("tool_calls", ())
        ]
        spoken = ChatMessageAssistant(content=message["content"], tool_calls=calls or None, source="generate")
        choice = ChatCompletionChoice(message=spoken, stop_reason=FINISHES.get(finish, finish))
        # With its usage, as Inspect would fetch a tokenizer to count it.
        return ModelOutput(model="scripted", choices=[choice], usage=ModelUsage())

    model = get_model("mockllm/scripted", custom_outputs=answered)
    found: dict[str, Any] = {}
    for level, task in zip(LEVELS, TASKS, strict=True):
        chosen = [talk["instance_id"] for talk in talks if talk["instance_id"].startswith(f"level{level}-")]
        (log,) = evaluated(task(weights=WEIGHTS), model=model, sample_id=chosen, display="none", log_dir=sys.argv[2])
        assert log.status == "success", log.error and log.error.message
        found |= {str(sample.id): _result(sample) for sample in log.samples or ()}
    return found


def _result(sample: EvalSample) -> dict[str, Any]:
    ((_, score),) = (sample.scores or {}).items()
    assert isinstance(score.value, dict)
    parts = dict(score.value)
    results = [message.text for message in sample.messages if isinstance(message, ChatMessageTool)]
    return {"total": parts.pop("reward"), "parts": parts, "results": results}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
