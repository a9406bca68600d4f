"""The MCP server of an episode, made with the official SDK: its tools, and the task as a prompt and a resource."""

from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.version import VERSION

PROMPT = "task"
RESOURCE = "mpcbench://task"
TURN = "mpcbench/turn"
"""The key in a call's `_meta` under which a client may say which message of its model makes the call, from 1."""

_ABOUT = "The task: the rules, the form of the answer, and what is asked."


def server_of(episode: McpEpisode) -> "Server[Any]":
    """The server of an episode, for any transport."""
    tools = [types.Tool.model_validate(tool) for tool in episode.tools]

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        episode.begin()
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        turn = (context.meta or {}).get(TURN)
        text = episode.call(params.name, params.arguments or {}, turn)
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=text.startswith("error:"))

    async def list_prompts(_context: Any, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name=PROMPT, description=_ABOUT)])

    async def get_prompt(_context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"no prompt {params.name!r}; there is {PROMPT}")
        episode.begin()
        message = types.PromptMessage(role="user", content=types.TextContent(text=episode.task))
        return types.GetPromptResult(description=_ABOUT, messages=[message])

    async def list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
        resource = types.Resource(uri=RESOURCE, name=PROMPT, description=_ABOUT, mime_type="text/plain")
        return types.ListResourcesResult(resources=[resource])

    async def read_resource(_context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if str(params.uri) != RESOURCE:
            raise MCPError(types.INVALID_PARAMS, f"no resource {params.uri}; there is {RESOURCE}")
        episode.begin()
        content = types.TextResourceContents(uri=RESOURCE, mime_type="text/plain", text=episode.task)
        return types.ReadResourceResult(contents=[content])

    return Server(
        "mpcbench",
        version=VERSION,
        instructions=episode.task,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
