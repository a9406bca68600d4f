"""What the tests of odd turns share: turns as they come over the wire, and whether a transcript can be sent back."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelTurn, Received
from mpcbench.schema.episode import Reply
from unit_tests.benchmark.agents.endpoint.episodes import run, toolbox


class Absent(Enum):
    """A field that is not there; an enum's name is the same in every process, as the names of tests have to be."""

    FIELD = "absent"


ABSENT = Absent.FIELD
ANSWER = '{"candidates": []}'


def turn_body(api: Api, calls: Iterable[Mapping[str, Any]] = (), content: Any = None) -> dict[str, Any]:
    """A response with calls of `id`, `name` and `arguments`, and with a content as chat completions have it."""
    written = [{key: value for key, value in call.items() if value is not ABSENT} for call in calls]
    if api is Api.CHAT:
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if written:
            message["tool_calls"] = [
                {key: call[key] for key in ("id",) if key in call}
                | {"type": "function", "function": {key: call[key] for key in ("name", "arguments") if key in call}}
                for call in written
            ]
        reason = "tool_calls" if written else "stop"
        return {"choices": [{"index": 0, "message": message, "finish_reason": reason}]}
    output: list[dict[str, Any]] = [
        {"type": "function_call", "id": f"fc_1_{index}", "status": "completed"}
        | {"call_id" if key == "id" else key: value for key, value in call.items()}
        for index, call in enumerate(written)
    ]
    if content is not None:
        output.insert(0, {"type": "message", "id": "msg_1", "role": "assistant", "content": content})
    return {"status": "completed", "output": output}


def run_turn(api: Api, body: Mapping[str, Any]) -> tuple[Reply, list[Any], list[Received]]:
    """An episode whose first turn is a given one and whose second one is the answer; also its log and requests."""
    tools = toolbox()
    with EndpointServer(lambda _: ModelTurn(text=ANSWER), faults=[Fault(body=json.dumps(body).encode())]) as server:
        reply = run(server, api, tools)
    return reply, tools.log, server.requests


def check_transcript(api: Api, items: Sequence[Mapping[str, Any]]) -> None:
    """Whether an endpoint can take a transcript back.

    By the client's own types of what may be sent, and by what these do not say: names are names of functions,
    arguments JSON objects, and each call has an ID of its own and one result.
    """
    json.dumps(items, allow_nan=False, ensure_ascii=False).encode()
    _drained(_adapter(api).validate_python(items, strict=True))
    waiting: set[str] = set()
    for item in items:
        for call_id, function in _calls(item):
            assert call_id not in waiting
            waiting.add(call_id)
            assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", function["name"])
            assert isinstance(json.loads(function["arguments"], parse_constant=_refused), dict)
        answered = item.get("tool_call_id") or (item["call_id"] if "output" in item else None)
        if answered is not None:
            waiting.remove(answered)
    assert not waiting


@cache
def _adapter(api: Api) -> TypeAdapter[Any]:
    from openai.types.chat import ChatCompletionMessageParam  # noqa: PLC0415 - takes longer than collecting all tests
    from openai.types.responses import ResponseInputItemParam  # noqa: PLC0415

    return TypeAdapter(list[ChatCompletionMessageParam] if api is Api.CHAT else list[ResponseInputItemParam])


def _drained(value: Any) -> Any:
    """The value with the iterators run out that validate lazily."""
    if isinstance(value, dict):
        return {key: _drained(item) for key, item in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    return [_drained(item) for item in value]


def _calls(item: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    if item.get("type") == "function_call":
        return [(item["call_id"], item)]
    return [(call["id"], call["function"]) for call in item.get("tool_calls", ())]


def _refused(constant: str) -> None:
    raise ValueError(constant)
