"""The stand-in endpoint's faults: each does on the wire what its name says."""

import http.client
import json
import socket
import threading
import time
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.practice_endpoint import (
    IN_ANSWERS,
    IN_CALLS,
    Chaos,
    Conversation,
    EndpointServer,
    FaultKind,
    ModelTurn,
    Scripted,
)
from mpcbench.benchmark.practice_endpoint.connection import STEPS
from mpcbench.benchmark.practice_endpoint.mistakes import (
    CONTROL,
    DEEP,
    HTML,
    HUGE,
    LONG,
    MANY,
    NO_SUCH_TOOL,
    SURROGATES,
)
from mpcbench.schema.episode import Finish
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, OPENAI_APIS, run, toolbox
from unit_tests.benchmark.practice_endpoint.requests import ANSWER, CALLS, PATHS, answered, asked, body, bomb

APIS = pytest.mark.parametrize("api", OPENAI_APIS)


@APIS
class TestWire:
    @pytest.mark.parametrize(
        ("kind", "status"),
        [
            (FaultKind.RATE_LIMIT, 429),
            (FaultKind.RATE_LIMIT_SECONDS, 429),
            (FaultKind.RATE_LIMIT_DATE, 429),
            (FaultKind.SERVER_ERROR, 500),
            (FaultKind.UNAVAILABLE, 503),
        ],
    )
    def test_status(self, api: Api, kind: FaultKind, status: int) -> None:
        """An error has its status and an error object, and only two kinds of rate limit say how long to wait."""
        with EndpointServer(Scripted([ANSWER]), chaos=bomb(kind, retry_after=2)) as server:
            before = time.time()
            with asked(server, api) as response:
                retry_after = response.headers["Retry-After"]
                message = json.loads(response.read())["error"]["message"]

        assert status == response.status
        assert message
        if kind is FaultKind.RATE_LIMIT_SECONDS:
            assert "2" == retry_after
        elif kind is FaultKind.RATE_LIMIT_DATE:
            assert -1 <= parsedate_to_datetime(retry_after).timestamp() - before - 2 < 5
        else:
            assert retry_after is None

    def test_drop(self, api: Api) -> None:
        """The connection closes without a byte."""
        with (
            EndpointServer(Scripted([ANSWER]), chaos=bomb(FaultKind.DROP)) as server,
            pytest.raises(http.client.RemoteDisconnected),
            asked(server, api),
        ):
            pass

    def test_truncate(self, api: Api) -> None:
        """The connection closes before all bytes came that Content-Length had announced."""
        with (
            EndpointServer(Scripted([ANSWER]), chaos=bomb(FaultKind.TRUNCATE)) as server,
            asked(server, api) as response,
            pytest.raises(http.client.IncompleteRead) as caught,
        ):
            response.read()

        _, whole = answered(Scripted([ANSWER]), api)
        assert str(len(whole)) == response.headers["Content-Length"]
        assert 0 < len(caught.value.partial) < len(whole)
        assert whole.startswith(caught.value.partial)

    def test_stall(self, api: Api) -> None:
        """Nothing comes for as long as the client waits, and a client that gave up is not waited for."""
        threads = threading.active_count()
        with EndpointServer(Scripted([ANSWER]), chaos=bomb(FaultKind.STALL)) as server:
            for _ in range(3):
                with pytest.raises(TimeoutError), asked(server, api, timeout=0.05):
                    pass
        assert 3 == server.served
        assert threads == threading.active_count()

    @pytest.mark.parametrize("kind", [FaultKind.DRIP_HEAD, FaultKind.DRIP_BODY])
    def test_drip(self, api: Api, kind: FaultKind) -> None:
        """The right answer comes in many small steps, either its head or its body."""
        request = body(api)
        head = f"POST {PATHS[api]} HTTP/1.1\r\nAuthorization: Bearer any\r\nContent-Length: {len(request)}\r\n\r\n"
        pieces: list[tuple[float, bytes]] = []
        with EndpointServer(Scripted([ANSWER]), chaos=bomb(kind, drip_seconds=0.25)) as server:
            host = urlsplit(server.base_url)
            with socket.create_connection((host.hostname, host.port or 0)) as plug:
                plug.sendall(head.encode() + request)
                while not b"".join(piece for _, piece in pieces).endswith(b"}"):
                    pieces.append((time.monotonic(), plug.recv(65536)))

        sent = b"".join(piece for _, piece in pieces)
        in_head = [at for at, piece in pieces if sent.index(b"\r\n\r\n") >= sent.index(piece)]
        steps = len(in_head) if kind is FaultKind.DRIP_HEAD else len(pieces) - len(in_head)
        assert answered(Scripted([ANSWER]), api)[1] == sent.partition(b"\r\n\r\n")[2]
        assert STEPS / 2 < steps <= STEPS + 1
        assert 0.2 < pieces[-1][0] - pieces[0][0] < 5

    def test_malformed_json(self, api: Api) -> None:
        """The body is not JSON, and the status says nothing of it."""
        status, content = answered(Scripted([ANSWER]), api, chaos=bomb(FaultKind.MALFORMED_JSON))

        assert 200 == status
        with pytest.raises(ValueError, match="Expecting"):
            json.loads(content)

    def test_html_page(self, api: Api) -> None:
        """A page comes with the content type of a page."""
        with EndpointServer(Scripted([ANSWER]), chaos=bomb(FaultKind.HTML_PAGE)) as server, asked(server, api) as page:
            content = page.read()

        assert (200, "text/html; charset=utf-8") == (page.status, page.headers["Content-Type"])
        assert content.startswith(b"<!DOCTYPE html>")

    @pytest.mark.parametrize("kind", [FaultKind.EMPTY_ANSWER, FaultKind.MISSING_USAGE])
    def test_what_is_missing(self, api: Api, kind: FaultKind) -> None:
        """The answer is right but for the choices, or the usage."""
        right = json.loads(answered(Scripted([ANSWER]), api)[1])
        status, content = answered(Scripted([ANSWER]), api, chaos=bomb(kind))

        if kind is FaultKind.MISSING_USAGE:
            del right["usage"]
        else:
            name = "choices" if api is Api.CHAT else "output"
            right[name] = [] if api is Api.CHAT else None
        assert (200, right) == (status, json.loads(content))


def arguments(api: Api, content: bytes) -> list[tuple[str, Any]]:
    """The names and arguments of the calls in a response, as they stand on the wire."""
    answer = json.loads(content)
    if api is Api.RESPONSES:
        return [(item["name"], item["arguments"]) for item in answer["output"] if item["type"] == "function_call"]
    calls = answer["choices"][0]["message"]["tool_calls"]
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]


def text(api: Api, content: bytes) -> str:
    """The final message in a response."""
    answer = json.loads(content)
    if api is Api.RESPONSES:
        return "".join(part["text"] for item in answer["output"] for part in item.get("content", ()))
    said: str = answer["choices"][0]["message"]["content"]
    return said


@APIS
class TestMistakesInCalls:
    def calls(self, api: Api, kind: FaultKind, honest: ModelTurn = CALLS) -> list[tuple[str, Any]]:
        return arguments(api, answered(Scripted([honest]), api, chaos=bomb(kind))[1])

    def test_invalid_arguments(self, api: Api) -> None:
        """The arguments are a string that is no JSON."""
        for _, written in self.calls(api, FaultKind.INVALID_ARGUMENTS):
            with pytest.raises(ValueError, match="line 1"):
                json.loads(written)

    def test_unknown_tool(self, api: Api) -> None:
        """The tool was not offered."""
        assert [NO_SUCH_TOOL] * 2 == [name for name, _ in self.calls(api, FaultKind.UNKNOWN_TOOL)]

    def test_mistyped_arguments(self, api: Api) -> None:
        """The arguments have the right names, and lists for strings."""
        written = [json.loads(text) for _, text in self.calls(api, FaultKind.MISTYPED_ARGUMENTS)]

        assert [{"keyword": [{"value": "colour"}]}, {"keyword": [{"value": "number"}]}] == written

    def test_object_arguments(self, api: Api) -> None:
        """The arguments are an object where a string belongs."""
        written = [value for _, value in self.calls(api, FaultKind.OBJECT_ARGUMENTS)]

        assert [{"keyword": "colour"}, {"keyword": "number"}] == written

    def test_null_arguments(self, api: Api) -> None:
        """The arguments are null."""
        assert [None, None] == [value for _, value in self.calls(api, FaultKind.NULL_ARGUMENTS)]

    def test_many_calls(self, api: Api) -> None:
        """200 calls come at once."""
        assert MANY == len(self.calls(api, FaultKind.MANY_CALLS)) == 200

    def test_huge_arguments(self, api: Api) -> None:
        """The arguments have a megabyte and are JSON."""
        for _, written in self.calls(api, FaultKind.HUGE_ARGUMENTS):
            assert HUGE < len(written) == len(json.dumps(json.loads(written)))

    @pytest.mark.parametrize("kind", IN_CALLS)
    def test_before_an_answer(self, api: Api, kind: FaultKind) -> None:
        """A model that had its answer ready calls a tool all the same."""
        assert self.calls(api, kind, ANSWER)

    @pytest.mark.parametrize("kind", IN_CALLS)
    @pytest.mark.parametrize("changes", [{"tools": None}, {"tool_choice": "none"}], ids=["no-tools", "none"])
    def test_not_where_tools_are_not_to_be_called(self, api: Api, kind: FaultKind, changes: dict[str, Any]) -> None:
        """A model calls no tool where there is none, or where the request forbids it."""
        content = body(api, **changes)
        erring = answered(Scripted([ANSWER]), api, content, chaos=bomb(kind))

        assert answered(Scripted([ANSWER]), api, content) == erring

    @pytest.mark.parametrize("kind", [FaultKind.INVALID_ARGUMENTS, FaultKind.UNKNOWN_TOOL, FaultKind.MANY_CALLS])
    def test_the_model_goes_on_after_them(self, api: Api, kind: FaultKind, monkeypatch: pytest.MonkeyPatch) -> None:
        """Turns with mistakes come in addition, and the answer is that of a model that made none."""
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        heard: list[Conversation] = []

        def brain(conversation: Conversation) -> ModelTurn:
            heard.append(conversation)
            return [CALLS, CALLS, ANSWER][conversation.turns]

        tools = toolbox()
        with EndpointServer(brain, chaos=Chaos(0.5, 23, (kind,))) as server:
            reply = run(server, api, tools)

        # With this seed the third turn goes wrong.
        assert (ANSWER.text, Finish.STOP, 4) == (reply.text, reply.finish, reply.turns)
        assert [0, 1, 2, 2] == [conversation.turns for conversation in heard]
        assert [0, 2, 4, 4] == [len(conversation.exchanges) for conversation in heard]
        assert {1, 2, 3} == {call.turn for call in tools.log}


@APIS
class TestMistakesInAnswers:
    def said(self, api: Api, kind: FaultKind) -> str:
        honest = ModelTurn(text='{"candidates": [1], "rationale": "none"}')
        return text(api, answered(Scripted([honest]), api, chaos=bomb(kind))[1])

    def test_nan(self, api: Api) -> None:
        """The times are no numbers."""
        assert '{"candidates": [{"start": NaN, "end": Infinity}]}' == self.said(api, FaultKind.NAN_ANSWER)

    def test_huge(self, api: Api) -> None:
        """There are 20,000 candidates."""
        assert LONG == len(json.loads(self.said(api, FaultKind.HUGE_ANSWER))["candidates"])

    def test_deep(self, api: Api) -> None:
        """No parser that recurses can read it."""
        assert DEEP == self.said(api, FaultKind.DEEP_ANSWER).count("[")

    @pytest.mark.parametrize(
        ("kind", "junk"),
        [
            (FaultKind.CONTROL_CHARACTERS, CONTROL),
            (FaultKind.LONE_SURROGATES, SURROGATES),
            (FaultKind.MARKUP, HTML),
        ],
    )
    def test_amid_junk(self, api: Api, kind: FaultKind, junk: str) -> None:
        """The answer is right, with junk around it and in its rationale."""
        before, answer, after = self.said(api, kind).split("\n")

        assert (junk, {"candidates": [1], "rationale": junk}, junk) == (before, json.loads(answer), after)

    @pytest.mark.parametrize("kind", IN_ANSWERS)
    def test_not_while_tools_are_called(self, api: Api, kind: FaultKind) -> None:
        """A turn with calls is left as it is."""
        spoiled = answered(Scripted([CALLS]), api, chaos=bomb(kind))

        assert answered(Scripted([CALLS]), api) == spoiled
