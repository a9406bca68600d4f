"""The conversations as verifiers scores them: `python -m … TALKS FOLDER` prints what came out as one line of JSON.

Some are led by `vf-eval`, whose harness asks a scripted endpoint and calls the tools over MCP, among them those with calls
that the harness cannot deliver. The others are scored as traces, since each rollout starts two processes.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.trace import ModelCall as TracedCall

from mpcbench.benchmark.environments.verifiers_taskset import MpcbenchConfig, MpcbenchTask, MpcbenchTaskset
from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelCall, ModelTurn
from mpcbench.schema.dataset import COMMITTED, LEVELS
from mpcbench.schema.model import Level
from unit_tests.benchmark.environments.conversations import WEIGHTS
from unit_tests.builders.committed import DATASET

LED: dict[Level, set[str]] = {
    1: {"cut-off arguments", "unknown tool", "wrong arguments", "repeated call", "empty", "cut off"},
    3: {"omits-site", "no candidates"},
}
"""By level, the names of the conversations that its evaluation leads."""

STOPS = {"stop": "complete", "tool_calls": "complete", "length": "length"}


def main(talks: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """The results and the score of every conversation, by instance."""
    found: dict[str, Any] = {}
    for level in LEVELS:
        here = [talk for talk in talks if talk["instance_id"].startswith(f"level{level}-")]
        led = [talk for talk in here if talk["name"] in LED.get(level, ())]
        if led:
            found |= evaluated(level, led, folder / str(level))
        config = MpcbenchConfig(level=level, split="test", allow_test=True)
        config.task.weights = WEIGHTS
        tasks = {task.data.id: task for task in MpcbenchTaskset(config)}
        found |= {
            talk["instance_id"]: asyncio.run(scored(tasks[talk["instance_id"]], talk["said"]))
            for talk in here
            if talk not in led
        }
    return found


def evaluated(level: Level, talks: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """What `vf-eval` makes of conversations."""
    said = {DATASET.exam(talk["instance_id"]).instance.task[0]: talk["said"] for talk in talks}

    def brain(told: Conversation) -> ModelTurn:
        message, finish = said[told.user][told.turns]
        calls = [ModelCall(**call["function"]) for call in message.get("tool_calls", ())]
        return ModelTurn(text=message["content"], calls=tuple(calls), stop=STOPS[finish])  # type: ignore[arg-type]

    code = "import sys; from verifiers.v1.cli.eval.main import main; main(sys.argv[1:])"
    chosen = json.dumps([talk["instance_id"] for talk in talks])
    with EndpointServer(brain) as server:
        subprocess.run(
            [
                sys.executable, "-c", code, "mpcbench-v1", "--model", "scripted", "-r", "1", "--no-push", "--no-rich",
                "--client.base-url", server.base_url, "--client.api-key-var", "PRACTICE_KEY", "--output-dir", folder,
                "--env.taskset.level", str(level), "--env.taskset.split", "test", "--env.taskset.allow-test", "true",
                "--env.taskset.task.weights", json.dumps(WEIGHTS), "--select.include.ids", chosen,
            ],
            env={**os.environ, "PRACTICE_KEY": "any"},
            stdout=sys.stderr,
            check=True,
        )  # fmt: skip
    (traces,) = folder.glob("*/traces.jsonl")
    records = [json.loads(line) for line in traces.read_text(encoding="utf-8").splitlines()]
    found = {}
    for trace in (trace for record in records for trace in record.get("traces", [record])):
        results = [node["message"]["content"] for node in trace["nodes"] if node["message"]["role"] == "tool"]
        found[trace["task"]["data"]["id"]] = {
            "total": trace["rewards"]["mpcbench"]["score"],
            "parts": trace["metrics"],
            "results": results,
        }
    assert len(talks) == len(found)
    return found


async def scored(task: MpcbenchTask, said: list[Any]) -> dict[str, Any]:
    """What the task's scoring makes of a trace that holds a conversation."""
    agent = vf.AgentInfo(config=vf.AgentConfig())
    recorded = vf.TraceTask(type="MpcbenchTask", data=task.data, key=task.key, hash=task.hash)
    trace = vf.Trace(task=recorded, agent=agent)
    for message, finish in said:
        calls = [vf.ToolCall(id=call["id"], **call["function"]) for call in message.get("tool_calls", ())]
        spoken = vf.AssistantMessage(content=message["content"], tool_calls=calls or None)
        parent = len(trace.nodes) - 1 if trace.nodes else None
        trace.nodes.append(vf.MessageNode(parent=parent, message=spoken, sampled=True))
        trace.calls.append(TracedCall(node=len(trace.nodes) - 1, finish_reason=finish))
    if finish == "tool_calls":
        trace.stop("max_turns")
    await task.score(trace)
    results = [call.result for call in task.episode(trace).graded().tool_calls]
    reward = trace.rewards["mpcbench"]
    assert reward is not None
    return {"total": reward.score, "parts": dict(trace.metrics), "results": results}


if __name__ == "__main__":
    sys.path.append(str(COMMITTED / "benchmark/environments/verifiers"))
    os.environ["PYTHONPATH"] = os.pathsep.join([os.environ["PYTHONPATH"], sys.path[-1]])
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))))
