"""The tools of an instance as an MCP toolset of verifiers, which runs it as a process of its own for each rollout."""

from pathlib import Path
from typing import Any

import mcp_types as types
import verifiers.v1 as vf

from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.environments.instances import opened
from mpcbench.schema.model import Level


class MpcbenchData(vf.TaskData):
    """What a task's trace says of its instance; no prompt shows it."""

    folder: str
    """Of the data set."""

    level: Level
    options: dict[str, str]
    """The options of the episode."""

    origin: dict[str, Any]


class MpcbenchToolset(vf.Toolset[vf.ToolsetConfig]):
    """The tools of the instance's level, under the names, descriptions and schemas that they have in a run."""

    TOOL_PREFIX = None

    async def setup_task(self, task: MpcbenchData) -> None:
        """Read the world of the rollout's instance."""
        self._toolbox = toolbox_of(task)

    def register(self, mcp: Any) -> None:
        """Answer by the toolbox, which checks arguments and words mistakes itself, instead of by registered functions."""
        listed = [
            types.Tool(name=tool.name, description=tool.description, input_schema=tool.parameters)
            for tool in self._toolbox.tools
        ]

        async def list_tools() -> list[types.Tool]:
            return listed

        async def call_tool(name: str, arguments: dict[str, Any], _context: Any = None) -> types.CallToolResult:
            text = self._toolbox.call(name, arguments)
            return types.CallToolResult(content=[types.TextContent(text=text)], is_error=text.startswith("error:"))

        mcp.list_tools, mcp.call_tool = list_tools, call_tool


def toolbox_of(task: MpcbenchData) -> Toolbox:
    """The tools of a task's instance with an empty log."""
    return Toolbox(Sources(opened(Path(task.folder)).world(task.level)), tools_of_level(task.level))


if __name__ == "__main__":
    MpcbenchToolset.run()
