"""What an agent is handed: tools as functions, and whose fault an exception is."""

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mpcbench.benchmark.agents.plugged.guest import Tools, followed
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level

SCHEMAS = [
    {"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in tools_of_level(3)
]


def tools() -> tuple[Tools, list[tuple[str, Any, Any]]]:
    """The tools of level 3, and the list that their calls go to."""
    calls: list[tuple[str, Any, Any]] = []

    def call(name: str, arguments: Any, turn: Any) -> str:
        calls.append((name, arguments, turn))
        return "result"

    return Tools(SCHEMAS, call), calls


def test_tools_are_functions_with_signatures() -> None:
    """A framework can make a tool of each: name, docstring, parameters with types and defaults."""
    functions = {tool.__name__: tool for tool in tools()[0]}
    threads = functions["list_threads"]

    assert [tool.name for tool in tools_of_level(3)] == list(functions)
    assert "(channel: str | None = None, page: int = 1) -> str" == str(inspect.signature(threads))
    assert {"channel": str | None, "page": int, "return": str} == inspect.get_annotations(threads)
    assert str(threads.__doc__).endswith(
        "Args:\n    channel: Only the threads of this channel.\n    page: Page of the results, from 1."
    )


def test_functions_take_arguments_as_python_does() -> None:
    """By place and by name; only what is given reaches the tool."""
    offered, calls = tools()
    (threads,) = (tool for tool in offered if tool.__name__ == "list_threads")

    assert "result" == threads("general", page=2)
    assert "result" == threads()
    assert [("list_threads", {"channel": "general", "page": 2}, None), ("list_threads", {}, None)] == calls
    with pytest.raises(TypeError, match="takes 2 arguments, not 3"):
        threads("general", 1, 2)


def test_schemas_are_openais() -> None:
    """They are what chat completions take."""
    schema = tools()[0].schemas[0]

    assert ("function", SCHEMAS[0]) == (schema["type"], schema["function"])
    assert len(SCHEMAS) == len(tools()[0])


class ServerError(Exception):
    """As SDKs raise them."""

    def __init__(self, **values: Any) -> None:
        super().__init__(str(values))
        self.__dict__ |= values


class APIConnectionError(Exception):
    pass


class SlowError(APIConnectionError):
    pass


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ServerError(status_code=429), True),
        (ServerError(status_code=503), True),
        (ServerError(code=401), True),
        (ServerError(response=SimpleNamespace(status_code=502)), True),
        (ServerError(status_code=400), False),
        (ServerError(code="insufficient_quota", status_code=429), True),
        (ConnectionResetError("gone"), True),
        (SlowError(), True),
        (ExceptionGroup("several", [ValueError("x"), ConnectionRefusedError()]), True),
        (TimeoutError("mine"), False),
        (ValueError("x"), False),
        (SystemExit(503), False),
    ],
    ids=repr,
)
def test_whose_fault_an_exception_is(error: BaseException, fault: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The endpoint's if it refused or could not be reached; any other exception is the agent's."""

    def agent(*_: object) -> str:
        raise error

    assert fault is report(agent, monkeypatch)["failure"]["endpoint"]


def test_handled_errors_are_no_excuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect in the handling of a refusal is the agent's; only what is raised from a refusal is not."""

    def agent(*_: object) -> str:
        try:
            return Path("/not/there").read_text()
        except OSError:
            error = ConnectionResetError()
        try:
            return str(1 / 0)
        except ZeroDivisionError as defect:
            defect.__context__ = error
            raise

    assert False is report(agent, monkeypatch)["failure"]["endpoint"]


def test_messages_of_frameworks_are_made_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects with model_dump give their content, all others their text."""
    message = SimpleNamespace(model_dump=lambda mode: {"role": mode})

    def agent(*_: object) -> Mapping[str, Any]:
        return {"text": "done", "messages": [message, {"when": 1j}]}

    assert [{"role": "json"}, {"when": "1j"}] == report(agent, monkeypatch)["reply"]["messages"]


def report(agent: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What is reported of an agent that is an attribute of this module."""
    monkeypatch.setitem(globals(), "AGENT", agent)
    order = {
        "agent": {"folder": "/", "module": __name__, "file": None, "attribute": "AGENT", "args": {}},
        "task": {"instance_id": "", "trial": 1, "system_prompt": "", "text": "", "answer_schema": {}},
        "tools": SCHEMAS,
        "budget": {"max_turns": 1, "seconds": None},
    }
    monkeypatch.setattr("sys.path", ["/"])
    found: dict[str, Any] = json.loads(followed(order, lambda *_: "result"))
    return found
