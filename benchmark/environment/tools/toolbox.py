"""From typed Python functions to the tools of an episode: schemas, checked calls and the log.

A tool is a function whose first parameter is the `Sources` it reads and whose other parameters are the agent's
arguments. Its name, docstring and signature are the whole definition: the JSON Schema that the agent sees and the
check of what it sends are both derived from them.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, create_model

from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.schema import Source
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model_output import plain_json


class ToolError(ValueError):
    """A mistake of the agent: the message goes back to it as the tool's result."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returns: the text for the agent and, for the log only, the records that the text shows."""

    text: str
    records: tuple[str, ...] = ()


ToolFunction: TypeAlias = Callable[Concatenate[Sources, ...], ToolResult]


@dataclass(frozen=True)
class Tool:
    """One tool, derived from a function."""

    function: ToolFunction
    alias: str | None = None
    """The name that the agent calls, where it is not the function's: levels share names for unlike functions."""

    source: Source | None = None
    """The source that it queries, for the log only; None for a decoy."""

    @property
    def name(self) -> str:
        """The name that the agent calls."""
        return self.alias or self.function.__name__

    @property
    def description(self) -> str:
        """The function's docstring."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of the agent's arguments."""
        parameters = list(inspect.signature(self.function, eval_str=True).parameters.values())[1:]
        fields: dict[str, Any] = {
            parameter.name: (parameter.annotation, ... if parameter.default is parameter.empty else parameter.default)
            for parameter in parameters
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        for parameter in schema.get("properties", {}).values():
            parameter.pop("title", None)
        return schema

    def run(self, sources: Sources, arguments: Mapping[str, Any]) -> ToolResult:
        """Check the arguments and run the function; raises `ToolError` for what the agent did wrong."""
        try:
            checked = self.arguments.model_validate(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "arguments"
            raise ToolError(f"{self.name}: {place}: {first['msg']}") from None
        return self.function(sources, **{name: getattr(checked, name) for name in type(checked).model_fields})


@dataclass
class Toolbox:
    """The tools of one episode and the log of their calls."""

    sources: Sources
    tools: Sequence[Tool]
    log: list[ToolCall] = field(default_factory=list)

    def call(self, name: str, arguments: str | Mapping[str, Any], *, turn: int = 1) -> str:
        """Run a tool for the agent and return the text of its result.

        What the agent got wrong (an unknown tool, arguments that are not a JSON object or do not fit, an unknown
        name) comes back as text that starts with `error:`; it is logged and never raised.
        """
        decoded: JsonValue = arguments if isinstance(arguments, str) else dict(arguments)
        source = next((tool.source for tool in self.tools if tool.name == name), None)
        try:
            # What runs is what the log will hold, so that the log can be run again.
            checked: dict[str, Any] = plain_json(_decoded(arguments))
            decoded = checked
            shown = self._tool(name).run(self.sources, checked)
        except ToolError as error:
            shown = ToolResult(f"error: {error}")
            failed = True
        else:
            failed = False
        self.log.append(
            ToolCall(
                turn=turn,
                name=name,
                arguments=decoded,
                result=shown.text,
                is_error=failed,
                records=shown.records,
                source=source,
            )
        )
        return shown.text

    def _tool(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise ToolError(f"no tool {name!r}; the tools are {', '.join(tool.name for tool in self.tools)}")


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _decoded(arguments: str | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(arguments, str):
        return dict(arguments)
    try:
        decoded = json.loads(arguments or "{}", parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"the arguments are not valid JSON: {error}") from None
    if not isinstance(decoded, dict):
        raise ToolError(f"the arguments are not a JSON object but {type(decoded).__name__}")
    return decoded
