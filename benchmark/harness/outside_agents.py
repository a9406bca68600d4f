"""The agents of a run that are not the benchmark's own: users' agents, programs, MCP clients and people."""

from collections.abc import Mapping
from functools import cached_property

import pytest

from mpcbench.benchmark.agents.human.agent import HUMAN, HumanAgent
from mpcbench.benchmark.agents.mcp.agent import MCP, McpAgent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import UsersAgent
from mpcbench.evaluation.runs.folder import RunFolder


class OutsideAgents:
    """What a session does for them before, during and after its episodes.

    Args:
        agents: Of the run, by name.
        workers: How many processes of pytest-xdist run the episodes; 0 for none.

    Raises:
        SettingsError: one of them cannot be shared by several processes.
    """

    def __init__(self, agents: Mapping[str, Agent], workers: int) -> None:
        self._agents = tuple(agents.values())
        if workers and MCP in agents:
            raise SettingsError(
                f"-n: not with --model {MCP}, whose episodes have one address; --concurrency has several in flight"
            )
        if workers and HUMAN in agents:
            raise SettingsError(f"-n: --model {HUMAN} plays one episode at a time; leave -n out")

    @cached_property
    def _users(self) -> tuple[UsersAgent, ...]:
        return tuple(agent for agent in self._agents if isinstance(agent, UsersAgent))

    @cached_property
    def _people(self) -> tuple[HumanAgent, ...]:
        return tuple(agent for agent in self._agents if isinstance(agent, HumanAgent))

    def preflight(self) -> None:
        """Try whether they load; raises `AgentSpecError`."""
        for agent in self._users:
            agent.preflight()

    def lines(self) -> list[str]:
        """How they run, for people."""
        return [f"agent: {agent.line()}" for agent in self._users]

    def write_addresses(self, folder: RunFolder) -> None:
        """Tell programs where the episodes of MCP clients are; raises `OSError`."""
        for agent in self._users:
            if isinstance(agent, McpAgent):
                agent.write_address(folder.path)

    def invite(self, folder: RunFolder, terminal: pytest.TerminalReporter | None) -> None:
        """Tell the person where the page of the episodes is, whatever pytest shows."""
        for agent in self._people:
            address = agent.open(folder.path, port=0)
            if terminal is not None:
                terminal.write_line(f"{HUMAN}: play at {address}")

    def close(self) -> None:
        """End their servers and their pages."""
        for agent in (*self._users, *self._people):
            agent.close()
