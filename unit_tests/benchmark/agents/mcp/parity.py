"""Compares the reference agent over stdio and HTTP with itself in process: `python -m unit_tests.benchmark.agents.mcp.parity`.

Takes several minutes of processor time for all instances of the committed data; `--limit N` takes N of each level,
`--shard K/N` a part of them. Nothing here has a time limit, so a busy machine makes it slow but changes no result. A
client that fails ends it with a traceback.
"""

import argparse
import math
import os
import threading
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx2
from mcp.client.streamable_http import streamable_http_client

from mpcbench.benchmark.agents.mcp.agent import McpAgent
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.episode import Episode, Reply
from unit_tests.benchmark.agents.mcp.mcp_client import over_pipes, solve
from unit_tests.builders.committed import DATASET


class OverHttp:
    """The reference agent as a client of `--model mcp`."""

    def __init__(self) -> None:
        self.agent = McpAgent(AgentOptions(timeout_seconds=math.inf))
        self.agent.preflight()

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        thread = threading.Thread(target=self._client, daemon=True)
        thread.start()
        reply = self.agent(task, tools, budget)
        thread.join()
        return reply

    def _client(self) -> None:
        with urlopen(f"{self.agent.server.url}/next") as answer:
            solve(_patient(answer.read().decode().strip()))


@asynccontextmanager
async def _patient(address: str) -> AsyncIterator[Any]:
    """A connection without the time limits that the SDK sets."""
    async with (
        httpx2.AsyncClient(timeout=None) as client,
        streamable_http_client(address, http_client=client) as streams,
    ):
        yield streams


def end_with_traceback(failed: Any) -> None:
    """End the process: what waits for the thread that failed would wait for ever."""
    traceback.print_exception(failed.exc_value)
    os._exit(2)


def differing(expected: Episode, actual: Episode) -> list[str]:
    """What differs of all that the agent and the grading make."""

    def made(episode: Episode) -> dict[str, object]:
        assert episode.reply is not None, episode.fault
        fields = ("tool_calls", "answer", "scores", "diagnosis")
        return {name: getattr(episode, name) for name in fields} | {"turns": episode.reply.turns}

    theirs = made(actual)
    return [name for name, value in made(expected).items() if value != theirs[name]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", metavar="N", help="instances of each level")
    parser.add_argument("--shard", metavar="K/N", help="the K-th of N parts, for several processes")
    settings = Settings.from_options(vars(parser.parse_args()), Path())
    threading.excepthook = end_with_traceback
    agents: dict[str, Agent] = {"stdio": partial(over_pipes, seconds=math.inf), "HTTP": OverHttp()}
    calls, same = 0, dict.fromkeys(agents, 0)
    cases = select(DATASET, settings)
    for number, case in enumerate(cases, start=1):
        trial = Trial(case, DATASET.exam(case.instance_id), settings)
        expected = trial.run(reference).episode
        calls += len(expected.tool_calls)
        for name, agent in agents.items():
            found = differing(expected, trial.run(agent).episode)
            same[name] += not found
            if found:
                print(f"{case.instance_id} over {name}: other {', '.join(found)}", flush=True)
        if number % 10 == 0 or number == len(cases):
            print(f"{number} instances, {calls:,} calls; the same: {same}", flush=True)
    os._exit(any(count < len(cases) for count in same.values()))


if __name__ == "__main__":
    main()
