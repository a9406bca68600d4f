"""Raw requests to the stand-in endpoint, so that tests see what is on the wire."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.practice_endpoint import Brain, Chaos, EndpointServer, FaultKind, ModelTurn
from unit_tests.benchmark.agents.endpoint.episodes import note_call

PATHS = {Api.CHAT: "/v1/chat/completions", Api.RESPONSES: "/v1/responses"}
ANSWER = ModelTurn(text='{"candidates": []}')
CALLS = ModelTurn(calls=(note_call("colour"), note_call("number")))
SAYS = "What do the notes say?"
_TOOL = {"name": "get_note", "description": "A note.", "parameters": {"type": "object", "properties": {}}}


def body(api: Api, text: str = SAYS, **changes: Any) -> bytes:
    """The first request of an episode."""
    messages = [{"role": "user", "content": text}]
    tool = {"type": "function", "function": _TOOL} if api is Api.CHAT else {"type": "function", **_TOOL}
    fields = {"model": "m", "tools": [tool], "messages" if api is Api.CHAT else "input": messages}
    return json.dumps({name: value for name, value in (fields | changes).items() if value is not None}).encode()


def bomb(*kinds: FaultKind, **more: Any) -> Chaos:
    """Chaos that hits everything."""
    return Chaos(1.0, kinds=kinds, **more)


@contextmanager
def asked(
    server: EndpointServer, api: Api = Api.CHAT, content: bytes | None = None, timeout: float = 10
) -> Iterator[http.client.HTTPResponse]:
    """The response to a raw request, its body unread."""
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=timeout)
    try:
        connection.request("POST", PATHS[api], content or body(api), {"Authorization": "Bearer any"})
        yield connection.getresponse()
    finally:
        connection.close()


def answered(brain: Brain, api: Api = Api.CHAT, content: bytes | None = None, **options: Any) -> tuple[int, bytes]:
    """Status and body of one request to a server of its own."""
    with EndpointServer(brain, **options) as server, asked(server, api, content) as response:
        return response.status, response.read()
