"""Compares the reference agent over stdio and HTTP with itself in process: `python -m unit_tests.benchmark.agents.mcp.parity`.

Takes several minutes of processor time for all instances of the committed data; `--limit N` takes N of each level,
`--shard K/N` a part of them.
"""

import argparse
import os
import threading
from pathlib import Path
from urllib.request import urlopen

from mpcbench.benchmark.agents.mcp.agent import McpAgent
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.protocol import Budget, Task
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
        self.agent = McpAgent(AgentOptions(timeout_seconds=600.0))
        self.agent.preflight()

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        thread = threading.Thread(target=self._client, daemon=True)
        thread.start()
        reply = self.agent(task, tools, budget)
        thread.join(30)
        return reply

    def _client(self) -> None:
        with urlopen(f"{self.agent.server.url}/next", timeout=30) as answer:
            solve(answer.read().decode().strip())


def what_counts(episode: Episode) -> tuple[object, ...]:
    """Everything of an episode that the agent and the grading make."""
    assert episode.reply is not None, episode.fault
    return episode.tool_calls, episode.answer, episode.scores, episode.reply.turns, episode.diagnosis


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", metavar="N", help="instances of each level")
    parser.add_argument("--shard", metavar="K/N", help="the K-th of N parts, for several processes")
    settings = Settings.from_options(vars(parser.parse_args()), Path())
    over_http = OverHttp()
    calls, same = 0, {"stdio": 0, "HTTP": 0}
    cases = select(DATASET, settings)
    for number, case in enumerate(cases, start=1):
        trial = Trial(case, DATASET.exam(case.instance_id), settings)
        expected = trial.run(reference).episode
        calls += len(expected.tool_calls)
        for name, agent in (("stdio", over_pipes), ("HTTP", over_http)):
            same[name] += what_counts(expected) == what_counts(trial.run(agent).episode)
        if number % 10 == 0 or number == len(cases):
            print(f"{number} instances, {calls:,} calls; the same: {same}", flush=True)
    os._exit(any(count < len(cases) for count in same.values()))


if __name__ == "__main__":
    main()
