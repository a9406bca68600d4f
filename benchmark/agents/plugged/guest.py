"""The agent's side: loads a user's agent, gives it the task, the tools and the budget, and reports what it returns.

It runs in the agent's process, which sees none of MPCBench's files and gets this module as a text. So it needs the
standard library only, and of that as little as it can: every episode waits for these imports. With `--in-process` it
runs in the process of the run.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import json
import os
import sys
from _thread import allocate_lock
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}

_LONGEST_TRACE = 8_000
"""Characters of a traceback; its end is kept."""

_OUT_OF_REACH = {
    "ConnectionError", "Timeout", "URLError", "APIConnectionError", "TransportError", "ClientConnectionError"
}  # fmt: skip
"""Exceptions of the standard library and of HTTP clients, by the names of their classes."""

_ENDPOINTS_FAULT = {401, 402, 403, 404, 408, 409, 425, 429}
"""Like any status from 500: the endpoint rejects the key, the account or the model, or asks for patience."""


class _Record:
    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


class Task(_Record):
    """What is asked."""

    instance_id: str
    trial: int
    """Of several episodes of the instance, which; from 1."""

    system_prompt: str
    """The rules, and the form of the answer."""

    text: str
    answer_schema: dict[str, Any]
    """The JSON Schema of the answer, for models that can be held to one."""


class Budget(_Record):
    """What an episode may take."""

    max_turns: int
    """Messages of a model. The agent keeps to it; nobody else counts them."""

    seconds: float | None
    """After which the agent is ended; None with `--in-process`."""


class Tools:
    """The tools of the episode. Iterate over them for Python functions.

    A mistake of the caller, such as an unknown name or an argument that does not fit, gives a text that begins with
    `error:`; nothing is raised.
    """

    def __init__(self, schemas: Sequence[Mapping[str, Any]], call: Callable[[str, Any, Any], str]) -> None:
        self._offered = schemas
        self.schemas = [{"type": "function", "function": dict(schema)} for schema in schemas]
        """As OpenAI's chat completions take them."""

        self._call = call

    def __iter__(self) -> Iterator[Callable[..., str]]:
        return iter([_function(schema, self) for schema in self._offered])

    def __len__(self) -> int:
        return len(self._offered)

    def call(self, name: str, arguments: str | Mapping[str, Any] = "", *, turn: int | None = None) -> str:
        """The result of a tool.

        Args:
            name: Of the tool.
            arguments: A mapping, or JSON as a model writes it.
            turn: The number of the model's message that makes the call, from 1; without it each call counts as a turn.
        """
        return self._call(name, arguments if isinstance(arguments, str) else dict(arguments), turn)


def _function(schema: Mapping[str, Any], tools: Tools) -> Callable[..., str]:
    """A tool as a function, with the signature and the docstring that frameworks make their schemas from."""
    import inspect

    name = schema["name"]
    properties: Mapping[str, Any] = schema["parameters"].get("properties", {})

    def tool(*positional: Any, **named: Any) -> str:
        if len(positional) > len(properties):
            raise TypeError(f"{name}() takes {len(properties)} arguments, not {len(positional)}")
        return tools.call(name, {**dict(zip(properties, positional, strict=False)), **named})

    parameters = [
        inspect.Parameter(
            parameter,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=about.get("default", inspect.Parameter.empty),
            annotation=_annotation(about),
        )
        for parameter, about in properties.items()
    ]
    told = [
        f"    {parameter}: {about['description']}" for parameter, about in properties.items() if "description" in about
    ]
    tool.__name__ = tool.__qualname__ = name
    tool.__doc__ = schema["description"] + ("\n\nArgs:\n" + "\n".join(told) if told else "")
    tool.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters} | {"return": str}
    tool.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    return tool


def _annotation(schema: Mapping[str, Any]) -> Any:
    options = [_annotation(one) for one in schema.get("anyOf", ())]
    if not options:
        return _TYPES.get(schema.get("type", ""))
    annotation = options[0]
    for option in options[1:]:
        annotation = annotation | option
    return annotation


class BadAgentError(Exception):
    """There is no agent of the name, or it does not take what it is given."""


def followed(order: Mapping[str, Any], call: Callable[[str, Any, Any], str]) -> bytes:
    """What comes of an order: to try whether the agent loads, if it holds no task, or to run an episode.

    Returns:
        A line of JSON with `loaded`, `reply` or `failure`. An agent's exceptions, sys.exit() among them, are failures.
    """
    try:
        agent = _loaded(order["agent"], check=order["task"] is None)
        if order["task"] is None:
            return as_line({"loaded": True})
        tools = Tools(order["tools"], call)
        return as_line({"reply": _answered(agent, Task(**order["task"]), tools, Budget(**order["budget"]))})
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - see above
        return as_line({"failure": _failure(error)})


def _loaded(order: Mapping[str, Any], *, check: bool) -> Callable[..., Any]:
    """The agent that an order names, as a callable that takes task, tools and budget.

    An order is what `AgentSpec.order` returns. A class is instantiated with the user's arguments; any other callable is
    given them with each call.

    Raises:
        BadAgentError: it cannot be called like that.
        Exception: what its module or its class raises.
    """
    if order["folder"] not in sys.path:
        sys.path.insert(0, order["folder"])
    if order["file"] is None:
        found = import_module(order["module"])
    else:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location(order["module"], order["file"])
        assert spec is not None
        assert spec.loader is not None
        found = sys.modules[order["module"]] = module_from_spec(spec)
        spec.loader.exec_module(found)
    for part in order["attribute"].split("."):
        if not hasattr(found, part):
            raise BadAgentError(f"there is no {order['attribute']!r} in {order['module']}")
        found = getattr(found, part)
    agent: Any = found
    named = order["args"]
    if isinstance(agent, type):
        if check:
            _must_take(agent, (), named)
        agent, named = agent(**named), {}
    if not callable(agent):
        raise BadAgentError(f"a {type(agent).__name__} cannot be called")
    if check:
        _must_take(agent, ("task", "tools", "budget"), named)
    return lambda task, tools, budget: agent(task, tools, budget, **named)


def _must_take(called: Callable[..., Any], given: Sequence[str], named: Mapping[str, Any]) -> None:
    import inspect

    try:
        signature = inspect.signature(called)
    except ValueError:  # it has none
        return
    try:
        signature.bind(*given, **named)
    except TypeError as error:
        what = ", ".join([*given, *(f"{name}=..." for name in named)])
        raise BadAgentError(f"it takes {signature} and is called with ({what}): {error}") from None


def _answered(agent: Callable[..., Any], task: Task, tools: Tools, budget: Budget) -> dict[str, Any]:
    """What the agent returns, by name: `text`, and perhaps `usage`, `messages` and `turns`; raises what it raises."""
    returned = agent(task, tools, budget)
    if hasattr(returned, "__await__"):
        import asyncio

        async def wait() -> Any:
            return await returned

        returned = asyncio.run(wait())
    if isinstance(returned, str):
        return {"text": returned}
    values = {name: _value(returned, name) for name in ("text", "usage", "messages", "turns")}
    if not isinstance(values["text"], str):
        what = f"a {type(returned).__name__}"
        raise TypeError(f"the agent returned {what}, which is neither a text nor an object with one as its `text`")
    names = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens")
    usage = {name: _value(values["usage"], name) for name in names}
    for name, other in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")):
        usage[name] = _value(values["usage"], other) if usage[name] is None else usage[name]
    return values | {"usage": usage}


def _value(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)


def _failure(error: BaseException) -> dict[str, Any]:
    """What is reported of an exception: one line, the traceback from the agent's own code on, and whose fault it is."""
    import traceback

    frames = error.__traceback__
    while frames is not None:
        file = frames.tb_frame.f_code.co_filename
        if file != followed.__code__.co_filename and "importlib" not in file and "asyncio" not in file:
            break
        frames = frames.tb_next
    trace = "".join(traceback.format_exception(type(error), error, frames))
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(frames)[-1:]]
    summary = " ".join("".join(traceback.format_exception_only(type(error), error)).split())
    if isinstance(error, BadAgentError):
        summary = str(error)
    elif isinstance(error, SyntaxError):  # Python would tell it in several lines
        places = [(error.filename, error.lineno)] if error.filename else []
        summary = f"{type(error).__name__}: {error.msg}"
    place = "".join(f" ({file.rpartition('/')[2]}, line {line})" for file, line in places)
    return {
        "summary": f"{summary}{place}",
        "trace": trace[-_LONGEST_TRACE:],
        "endpoint": _endpoints_fault(error),
    }


def _endpoints_fault(error: BaseException | None) -> bool:
    """Whether an exception, or one that it was raised from, says that a server refused or could not be reached."""
    for _ in range(100):
        if not isinstance(error, Exception):
            return False
        if any(map(_endpoints_fault, getattr(error, "exceptions", ()))):
            return True
        statuses = (
            _value(error, "status_code"),
            _value(error, "code"),
            _value(_value(error, "response"), "status_code"),
        )
        status = next((one for one in statuses if isinstance(one, int)), None)
        if status is not None and (status in _ENDPOINTS_FAULT or status >= 500):
            return True
        if status is None and any(one.__name__ in _OUT_OF_REACH for one in type(error).__mro__):
            return True
        error = error.__cause__
    return False


class _Channel:
    """Messages to and from the run: JSON, one a line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._file = os.fdopen(descriptor, "rb")

    def send(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._descriptor, line) :]

    def receive(self) -> dict[str, Any]:
        line = self._file.readline()
        if not line:
            sys.exit("the run has ended")
        message: dict[str, Any] = json.loads(line)
        return message


def as_line(message: Mapping[str, Any]) -> bytes:
    """A message in one line of JSON; raises what the agent's own objects raise."""
    return json.dumps(message, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    """What JSON does not know, such as a framework's messages."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    fields = getattr(type(value), "__dataclass_fields__", None)
    return str(value) if fields is None else {name: getattr(value, name, None) for name in fields}


def main(descriptor: int) -> None:
    """Follow the one order that comes through a socket."""
    channel, lock = _Channel(descriptor), allocate_lock()
    channel.send(as_line({"started": True}))
    order = channel.receive()

    def call(name: str, arguments: Any, turn: Any) -> str:
        with lock:  # frameworks call from several threads
            channel.send(as_line({"call": name, "arguments": arguments, "turn": turn}))
            result: str = channel.receive()["result"]
        return result

    line = followed(order, call)
    with lock:
        channel.send(line)


if __name__ == "__main__":
    main(int(sys.argv[1]))
