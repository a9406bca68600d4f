"""`--model mcp`: serves each episode over HTTP, and waits for whatever MCP client comes."""

import json
import os
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.isolation import Isolation
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.port import PortError, port_number
from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.schema.episode import Reply

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.mcp.http_server import EpisodeServer

MCP: Final = "mcp"
"""The name of the agent."""

ADDRESS_FILE: Final = "mcp.json"
"""In a run's folder while it runs: where its episodes are served."""


def require_sdk(model: str) -> None:
    """Raise `AgentSpecError` where the SDK is not installed."""
    if find_spec("mcp_types") is None:  # comes with version 2
        raise AgentSpecError(f"--model {model}: needs the package mcp: run make mcp, or pip install 'mcp>=2.3'")


class McpAgent:
    """Waits for clients; any number of episodes can be open at a time, each with an address of its own.

    Args:
        options: The user's; the only argument is `port`.

    Raises:
        AgentSpecError: the SDK is not installed, or an argument is wrong.
    """

    def __init__(self, options: AgentOptions) -> None:
        require_sdk(MCP)
        self._options = options
        self.secrets = Secrets(())
        self._port = _port(options)
        self._file: Path | None = None

    def described(self) -> dict[str, JsonValue]:
        """What clients were given."""
        return {
            "agent": MCP,
            "args": self._options.arguments(),
            "file_sha256": None,
            "isolation": Isolation.NONE.value,
            "timeout_seconds": self._options.timeout_seconds,
        }

    def preflight(self) -> None:
        """Open the port; raises `AgentSpecError`."""
        try:
            _ = self.server
        except OSError as error:
            why = os.strerror(error.errno or 0).lower()  # Python's own text repeats the address
            raise AgentSpecError(f"--model {MCP}: port {self._port} cannot be opened: {why}") from None

    @cached_property
    def server(self) -> "EpisodeServer":
        """What serves the episodes; raises `OSError`."""
        from mpcbench.benchmark.agents.mcp.http_server import EpisodeServer  # noqa: PLC0415 - it loads the SDK

        return EpisodeServer(self._port, announces=True)

    def line(self) -> str:
        """Where clients find the episodes."""
        return (
            f"{MCP}: not isolated: any client; {self.server.url}/next answers with the address of the next episode, "
            f"such as {self.server.address('level1-000')}"
        )

    def write_address(self, folder: Path) -> None:
        """Write where the episodes are, for programs; raises `OSError`."""
        addresses = {"next": f"{self.server.url}/next", "episode": self.server.address("{episode}")}
        self._file = folder / ADDRESS_FILE
        write_durably(self._file, json.dumps(addresses, indent=1) + "\n")

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG002 - nobody counts a client's turns
        """Run one episode.

        Raises:
            UnusableEndpointError: no client has come in time.
        """
        episode = McpEpisode(task, tools)
        with self.server.serving(episode_name(task), episode):
            return self._ended(episode)

    def _ended(self, episode: McpEpisode) -> Reply:
        """The reply of an episode that is served; raises `UnusableEndpointError`."""
        return episode.reply(self._options.timeout_seconds)

    def close(self) -> None:
        """Close the server."""
        if "server" in self.__dict__:
            self.server.close()
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink()


def episode_name(task: Task) -> str:
    """The name of an episode in its address."""
    return task.instance_id if task.trial == 1 else f"{task.instance_id}-trial{task.trial}"


def _port(options: AgentOptions) -> int:
    arguments = options.arguments()
    if options.in_process:
        raise AgentSpecError(f"--in-process: not with --model {MCP}, whose clients are other processes")
    others = sorted(arguments.keys() - {"port"})
    if others:
        raise AgentSpecError(f"--agent-arg: --model {MCP} takes no argument {others[0]!r}; it takes port")
    try:
        return port_number(str(arguments.get("port", 0)))
    except PortError as error:
        raise AgentSpecError(f"--agent-arg: port: {error}") from None
