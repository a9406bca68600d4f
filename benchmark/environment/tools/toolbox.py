"""The tools of an episode, made from typed Python functions: schemas, checked calls and the log.

A tool is a function whose first parameter is what it reads (`Sources`; at level 4 `LadderRecords`) and whose other
parameters are the agent's arguments. Its name, docstring and signature are the whole definition: the JSON Schema that the agent sees and the
validation of its arguments are both derived from them.
"""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, create_model

from mpcbench.schema import Source
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.untrusted_text import plain_json


class ToolError(ValueError):
    """A mistake of the agent: the message goes back to it as the tool's result."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's result: the text for the agent and, for the log only, the IDs of the records that it shows."""

    text: str
    records: tuple[str, ...] = ()


ToolFunction: TypeAlias = Callable[..., ToolResult]
"""Its first parameter is what it reads, the same for all tools of a toolbox; the catalogue of a level checks the type."""


@dataclass(frozen=True)
class Tool:
    """One tool, derived from a function."""

    function: ToolFunction
    alias: str | None = None
    """The name that the agent calls, if not the function's; lets levels use one name for different functions."""

    source: Source | None = None
    """The source that the tool queries, for the log only; None for a decoy."""

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

    def run(self, sources: Any, arguments: Mapping[str, Any]) -> ToolResult:
        """Validate the arguments and run the function; raises `ToolError` for mistakes of the agent."""
        checked = self.checked(arguments)
        return self.function(sources, **{name: getattr(checked, name) for name in type(checked).model_fields})

    def checked(self, arguments: Mapping[str, Any]) -> BaseModel:
        """The arguments, validated; raises `ToolError` if they do not fit."""
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "arguments"
            raise ToolError(f"{self.name}: {place}: {first['msg']}") from None


@dataclass
class Toolbox:
    """The tools of one episode and the log of their calls."""

    sources: Any
    """What the tools read."""

    tools: Sequence[Tool]
    log: list[ToolCall] = field(default_factory=list)
    max_calls: int | None = None
    """How many calls are answered, mistakes included; every further one is told that no more are."""

    def call(self, name: str, arguments: str | Mapping[str, Any], *, turn: int = 1) -> str:
        """Run a tool for the agent and return the text of its result.

        A mistake of the agent (an unknown tool, arguments that are not a JSON object or do not fit, an unknown name)
        is never raised: its text, which starts with `error:`, is logged and returned like any result.
        """
        decoded: JsonValue = arguments if isinstance(arguments, str) else dict(arguments)
        source = next((tool.source for tool in self.tools if tool.name == name), None)
        try:
            # Run with what the log can store, so that a stored log can be run again.
            checked: dict[str, Any] = plain_json(_decoded(arguments))
            decoded = checked
            outcome = self._tool(name).run(self.sources, checked)
        except ToolError as error:
            outcome = ToolResult(f"error: {error}")
            failed = True
        else:
            failed = False
        self.log.append(
            ToolCall(
                turn=turn,
                name=name,
                arguments=decoded,
                result=outcome.text,
                is_error=failed,
                records=outcome.records,
                source=source,
            )
        )
        return outcome.text

    def results(self, calls: Iterable[tuple[str, Mapping[str, Any]]], *, turn: int) -> Iterator[str]:
        """The results of the calls of one turn, by name and arguments; each is made when its result is asked for."""
        for name, arguments in calls:
            yield self.call(name, arguments, turn=turn)

    def _tool(self, name: str) -> Tool:
        if self.max_calls is not None and len(self.log) >= self.max_calls:
            raise ToolError(f"the budget of {self.max_calls} tool calls is used up; answer from what you know")
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
