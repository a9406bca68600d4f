"""Fifty conversations with an OpenEnv server: `python -m … TALKS` prints what came out as one line of JSON."""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from openenv import GenericEnvClient
from openenv.core.env_server import create_app

from mpcbench.benchmark.environments.instances import Selection
from mpcbench.benchmark.environments.openenv_environment import (
    MpcbenchAction,
    MpcbenchEnvironment,
    MpcbenchObservation,
    MpcbenchState,
)
from mpcbench.benchmark.environments.reward import Weights
from mpcbench.benchmark.export.splits import Split
from mpcbench.generate.shards import index_of
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.benchmark.environments.conversations import WEIGHTS


def main(talks: list[dict[str, Any]]) -> dict[str, Any]:
    """The results and the score of every conversation, by instance."""
    found: dict[str, Any] = {}
    for level in LEVELS:
        server = uvicorn.Server(uvicorn.Config(app_of(level), host="127.0.0.1", port=0, log_level="warning"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as env:
            for talk in talks:
                if talk["instance_id"].startswith(f"level{level}-"):
                    found[talk["instance_id"]] = stepped(env, talk)
                    if talk["name"] == "reference":
                        assert found[talk["instance_id"]]["total"] == spoken(env, talk)
        server.should_exit = True
        thread.join()
    return found


def app_of(level: Level) -> Any:
    """The application that serves the committed instances of a level."""
    selection = Selection(level, Split.TEST, allow_test=True)
    environment = lambda: MpcbenchEnvironment(selection, Weights.of(WEIGHTS))  # noqa: E731
    return create_app(environment, MpcbenchAction, MpcbenchObservation, env_name="mpcbench", state_cls=MpcbenchState)


def stepped(env: Any, talk: dict[str, Any]) -> dict[str, Any]:
    """One conversation, a message a step."""
    result = env.reset(index=index_of(talk["instance_id"]), native=True)
    assert talk["instance_id"] == env.state()["origin"]["instance_id"]
    results: list[str] = []
    for message, finish in talk["said"]:
        assert not result.done
        action = {"text": message["content"], "tool_calls": message.get("tool_calls", []), "finish_reason": finish}
        result = env.step(action)
        results += [one["content"] for one in result.observation["messages"] if one["role"] == "tool"]
    assert result.done
    return {"total": result.reward, "parts": result.observation["parts"], "results": results}


def spoken(env: Any, talk: dict[str, Any]) -> float:
    """The reward of the same conversation where calls are texts."""
    result = env.reset(index=index_of(talk["instance_id"]))
    assert not result.observation["tools"]
    for message, _ in talk["said"]:
        calls = [
            {"tool": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
            for call in message.get("tool_calls", ())
        ]
        result = env.step({"text": json.dumps({"calls": calls}) if calls else message["content"]})
    assert result.done
    return float(result.reward)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
