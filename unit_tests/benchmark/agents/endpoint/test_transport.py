"""The way to an endpoint: what is sent again and when, deadlines, what failures mean, and the thread behind it."""

import gc
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint import retries, transport
from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.bodies import LARGEST_ERROR
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.agents.protocol import AccessDeniedError, EndpointError, UnusableEndpointError
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelTurn, Scripted
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Finish, Reply, Usage
from unit_tests.benchmark.agents.endpoint.episodes import (
    BUDGET,
    KEY,
    KEY_VARIABLE,
    OPENAI_APIS,
    TASK,
    entry,
    note_call,
    run,
    toolbox,
)
from unit_tests.benchmark.agents.endpoint.raw_server import RawServer, Script, drip, response

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
ANSWER = ModelTurn(text='{"candidates": []}')
CALLS = ModelTurn(calls=(note_call("colour"),))
GOOD = json.dumps(
    {"choices": [{"message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
).encode()
ERROR = b'{"error": {"message": "Try again."}}'
NO_ANSWERS = {
    "nothing": b"",
    "part of a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "part of a body": response(GOOD)[:-5],
    "part of a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{",
    "part of a body of no length": b"HTTP/1.1 200 OK\r\n\r\n" + GOOD[:-5],
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "no status": b"HTTP/1.1 9999 What\r\n\r\n",
    "HTML": response(b"<html>Please sign in</html>", "Content-Type: text/html"),
    "part of gzip": response(gzip.compress(GOOD)[:-40], "Content-Encoding: gzip"),
    "no gzip": response(GOOD, "Content-Encoding: gzip"),
    "empty body": response(b""),
    "null": response(b"null"),
    "empty object": response(b"{}"),
    "no choices": response(b'{"choices": []}'),
    "unknown finish": response(GOOD.replace(b"stop", b"server_melted")),
    "error in a success": response(b'{"error": {"code": 502, "message": "upstream"}}'),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds waited between tries; nothing is waited for."""
    seconds: list[float] = []
    monkeypatch.setattr(transport, "time", SimpleNamespace(sleep=seconds.append))
    return seconds


def agent_on(base_url: str, *, max_retries: int = 0, timeout_seconds: float = 20) -> EndpointAgent:
    options = EndpointOptions(base_url=base_url, max_retries=max_retries, timeout_seconds=timeout_seconds)
    return EndpointAgent(entry(), options)


def ask(base_url: str, *, max_retries: int = 0, timeout_seconds: float = 20) -> Reply:
    """An episode over chat completions."""
    agent = agent_on(base_url, max_retries=max_retries, timeout_seconds=timeout_seconds)
    return agent(TASK, toolbox(), BUDGET)


def refused(status: int, error: Any, api: Api = Api.CHAT, *, after: int = 0) -> tuple[EndpointError, int]:
    """What an agent with retries makes of an error in its turn after so many, and the number of requests."""
    faults = [*[None] * after, *[Fault(status, json.dumps({"error": error}).encode())] * 3]
    with EndpointServer(Scripted([CALLS, ANSWER]), faults=faults) as server:
        with pytest.raises(EndpointError) as caught:
            run(server, api, max_retries=2)
        return caught.value, len(server.requests)


class TestSentAgain:
    @APIS
    @pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 520, 529, 599])
    def test_statuses_that_may_pass(self, waits: list[float], api: Api, status: int) -> None:
        """After such a status the request is sent again, unchanged, and the episode goes on."""
        faults = [None, Fault(status, ERROR), Fault(status)]
        with EndpointServer(Scripted([CALLS, ANSWER]), faults=faults) as server:
            reply = run(server, api, max_retries=2)

        assert (Finish.STOP, 2, 2) == (reply.finish, reply.turns, len(waits))
        assert [server.requests[1].body] * 2 == [request.body for request in server.requests[2:]]

    @pytest.mark.parametrize("name", NO_ANSWERS)
    def test_answers_that_are_none(self, waits: list[float], name: str) -> None:
        """After an answer that breaks off or holds no turn the request is sent again."""
        with RawServer([NO_ANSWERS[name]], [response(GOOD)]) as server:
            reply = ask(server.base_url, max_retries=1)

        assert ("hello", 1, 2) == (reply.text, len(waits), len(server.requests))

    def test_nobody_listens(self, waits: list[float]) -> None:
        """A refused connection is tried again, and the error tells how often."""
        with EndpointServer(Scripted([])) as server:
            pass
        with pytest.raises(EndpointError, match=r"^no answer from 127\.0\.0\.1:\d+: ConnectError.*\(tried 2 times\)$"):
            ask(server.base_url, max_retries=1)

        assert 1 == len(waits)

    def test_unknown_host(self, waits: list[float]) -> None:
        """A name without an address is tried again."""
        with pytest.raises(EndpointError, match=r"^no answer from nowhere\.invalid: .* \(tried 2 times\)$"):
            ask("http://nowhere.invalid/v1", max_retries=1)

        assert 1 == len(waits)

    def test_unusual_but_fine(self, waits: list[float]) -> None:
        """A wrong content type, a byte-order mark and cookies do not matter to an answer that can be read."""
        odd = ["Content-Type: text/html; charset=bogus", "Set-Cookie: \xc8a=b; expires=\xff", "Retry-After: \xff"]
        with RawServer([response(b"\xef\xbb\xbf" + GOOD, *odd)]) as server:
            agent = agent_on(server.base_url)
            replies = [agent(TASK, toolbox(), BUDGET) for _ in range(2)]

        assert (["hello"] * 2, []) == ([reply.text for reply in replies], waits)
        assert not any(b"cookie" in request.lower() for request in server.requests)

    def test_model_trouble_is_not_sent_again(self, waits: list[float]) -> None:
        """What the model got wrong is no failure of the request."""
        script = [ModelTurn(calls=(note_call("smell"),)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            run(server, Api.CHAT, max_retries=8)

        assert (2, []) == (len(server.requests), waits)


class TestWaits:
    def test_double_up_to_eight_seconds(self, waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
        """Without a word from the endpoint the default of 8 retries waits 39.5 s in all, or up to a quarter less."""
        max_retries = EndpointOptions().max_retries
        for share in (0.0, 1.0):
            monkeypatch.setattr(retries, "random", lambda share=share: share)
            with (
                EndpointServer(Scripted([]), faults=[Fault(503)] * 9) as server,
                pytest.raises(EndpointError, match=r"\(tried 9 times\)$"),
            ):
                run(server, Api.CHAT, max_retries=max_retries)

        expected = [0.5, 1, 2, 4, 8, 8, 8, 8]
        assert (expected, [0.75 * wait for wait in expected]) == (waits[:8], waits[8:])
        assert 39.5 == sum(waits[:8])

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"Retry-After": "7"}, 7),
            ({"Retry-After": "0.25"}, 0.25),
            ({"Retry-After": "7", "Retry-After-Ms": "1500"}, 1.5),
            ({"Retry-After": "7", "Retry-After-Ms": "soon"}, 7),
            ({"Retry-After": "60"}, 60),
            ({"Retry-After": "3600"}, 60),
            ({"Retry-After": format_datetime(datetime.now(UTC) + timedelta(hours=5), usegmt=True)}, 60),
            ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.5),
            ({"Retry-After": "Wed, 99 Foo 2015 07:28:00 GMT"}, 0.5),
            ({"Retry-After": "0"}, 0.5),
            ({"Retry-After": "-5"}, 0.5),
            ({"Retry-After": "nan"}, 0.5),
            ({"Retry-After": "1e999"}, 0.5),
            ({"Retry-After": ""}, 0.5),
            ({"Retry-After": "soon"}, 0.5),
            ({}, 0.5),
        ],
    )
    @pytest.mark.parametrize("status", [429, 503])
    def test_are_as_long_as_the_endpoint_asks(
        self,
        waits: list[float],
        monkeypatch: pytest.MonkeyPatch,
        status: int,
        headers: dict[str, str],
        seconds: float,
    ) -> None:
        """A sensible Retry-After is waited for, up to a minute; without one there is the usual wait."""
        monkeypatch.setattr(retries, "random", lambda: 0.0)
        with EndpointServer(Scripted([ANSWER]), faults=[Fault(status, headers=headers)]) as server:
            run(server, Api.CHAT, max_retries=1)

        assert [seconds] == waits

    @pytest.mark.parametrize("zone", ["GMT", "-0000", "+0000"])
    def test_date(self, waits: list[float], zone: str) -> None:
        """A date is waited for, and at most a quarter longer."""
        until = datetime.now(UTC) + timedelta(seconds=40)
        headers = {"Retry-After": until.strftime(f"%a, %d %b %Y %H:%M:%S {zone}")}
        with EndpointServer(Scripted([ANSWER]), faults=[Fault(429, headers=headers)]) as server:
            run(server, Api.CHAT, max_retries=1)

        (wait,) = waits
        assert 20 < wait < 50


class TestDeadline:
    @pytest.mark.parametrize(
        "script",
        [[60.0], drip(response(GOOD)), [response(GOOD)[:-60], *drip(GOOD[-60:])], drip(b"HTTP/1.1 100 C\r\n\r\n" * 99)],
        ids=["silence", "headers", "body", "endless"],
    )
    def test_holds_in_every_phase(self, script: Script) -> None:
        """An answer that comes too slowly as a whole ends at the deadline, with its connection, and may be sent again."""
        began = time.monotonic()
        with RawServer(script) as server:
            with pytest.raises(EndpointError, match=r"within 0\.4 s$"):
                ask(server.base_url, timeout_seconds=0.4)
            took = time.monotonic() - began

            assert server.hung_up.wait(5)
        assert 0.4 <= took < 3

    def test_is_for_each_try(self, waits: list[float]) -> None:
        """A try after a time-out has the whole time again."""
        with RawServer([60.0], [0.2, response(GOOD)]) as server:
            reply = ask(server.base_url, timeout_seconds=1, max_retries=1)

        assert ("hello", 1) == (reply.text, len(waits))


class TestNotSentAgain:
    @pytest.mark.parametrize("status", [400, 418, 422, 451, 501, 505])
    def test_requests_that_are_refused(self, status: int) -> None:
        """What the endpoint refuses for good makes the episode an error at once, and does not end the run."""
        error, requests = refused(status, {"message": "No."})

        assert (EndpointError, 1) == (type(error), requests)
        assert str(error).startswith(f"HTTP {status} from 127.0.0.1:")
        assert str(error).endswith(": No.")

    @pytest.mark.parametrize("status", [401, 403])
    @pytest.mark.parametrize("after", [0, 1])
    def test_keys_that_are_refused(self, status: int, after: int) -> None:
        """A refused key ends the run, whenever, with a line that names the variable and not the key."""
        error, requests = refused(status, {"message": f"Wrong key {KEY}."}, after=after)

        assert (AccessDeniedError, after + 1) == (type(error), requests)
        assert isinstance(error, UnusableEndpointError)
        assert str(error).endswith(f": access denied; is the key in {KEY_VARIABLE} right?")

    @pytest.mark.parametrize(
        ("status", "error"),
        [
            (402, {"message": "Insufficient balance."}),
            (429, {"message": "You exceeded your quota.", "code": "insufficient_quota"}),
            (407, {"message": "Proxy."}),
        ],
    )
    def test_accounts_that_are_used_up(self, status: int, error: dict[str, str]) -> None:
        """What no wait can mend ends the run."""
        raised, requests = refused(status, error, after=1)

        assert (UnusableEndpointError, 2) == (type(raised), requests)

    def test_accounts_that_are_used_up_and_not_keys(self) -> None:
        """The line says what the endpoint says of the account, also where the status is that of a wrong key."""
        error, _ = refused(403, {"message": "Your team has used all available credits. Please purchase more."})

        assert UnusableEndpointError is type(error)
        assert str(error).endswith(": Your team has used all available credits. Please purchase more.")

    @pytest.mark.parametrize(
        ("status", "error"),
        [(404, {"message": "No such model."}), (405, {}), (410, {}), (400, {"code": "model_not_found"})],
    )
    def test_unknown_models(self, status: int, error: dict[str, str]) -> None:
        """An unknown model or URL ends the run if it was never known, and otherwise makes the episode an error."""
        first, requests = refused(status, error)
        later, _ = refused(status, error, after=1)

        assert (UnusableEndpointError, EndpointError, 1) == (type(first), type(later), requests)
        assert str(first).endswith("; are the URL, the API and the model's name right?")

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b'{"error": "too hot"}', "too hot"),
            (b'{"error": ["too", "hot"]}', "too"),
            (b'{"error": {"error": {"message": "too hot"}}}', "too hot"),
            (b'{"error": [{"message": "too hot"}]}', "too hot"),
            (b'{"error": {"detail": "too hot"}}', "too hot"),
            (b'{"detail": "too hot"}', "too hot"),
            (b'["too hot"]', "too hot"),
            (b"  too hot\n", "too hot"),
            (b"", "no message"),
        ],
    )
    def test_say_why(self, body: bytes, message: str) -> None:
        """The message is where servers of different makes put it."""
        with RawServer([response(body, status="418 X")]) as server, pytest.raises(EndpointError) as caught:
            ask(server.base_url)

        assert str(caught.value).endswith(f": {message}")

    def test_of_an_odd_encoding(self, waits: list[float]) -> None:
        """An error that nobody can read may pass like any other answer that nobody can read."""
        odd = response(b'{"error": {}}', "Content-Type: application/json; charset=utf-16", status="500 X")
        with RawServer([odd], [response(GOOD)]) as server:
            reply = ask(server.base_url, max_retries=1)

        assert ("hello", 1) == (reply.text, len(waits))

    def test_clients_that_cannot_be_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where the environment names a proxy that no client knows, one line says so and the run ends."""
        monkeypatch.setenv("HTTP_PROXY", "nonsense://127.0.0.1:1")
        with pytest.raises(UnusableEndpointError, match=r"^no client for the endpoint: .*nonsense"):
            ask("http://host.example/v1")


class TestConversationEnds:
    @APIS
    @pytest.mark.parametrize("after", [1, 2])
    @pytest.mark.parametrize(
        ("status", "error", "finish"),
        [
            (400, {"code": "context_length_exceeded", "type": "invalid_request_error"}, Finish.LENGTH),
            (400, {"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096}, Finish.LENGTH),
            (500, {"code": "context_length_exceeded"}, Finish.LENGTH),
            (200, {"code": "context_length_exceeded"}, Finish.LENGTH),
            (400, {"code": "content_filter", "status": 400}, Finish.REFUSAL),
            (403, {"code": "content_policy_violation"}, Finish.REFUSAL),
            (200, {"type": "content_filter"}, Finish.REFUSAL),
        ],
    )
    def test_is_the_models_affair(
        self, api: Api, after: int, status: int, error: dict[str, Any], finish: Finish
    ) -> None:
        """Outgrowing the context or meeting a content filter ends the episode, which is scored."""
        faults = [*[None] * after, Fault(status, json.dumps({"error": error}).encode())]
        with EndpointServer(Scripted([CALLS] * 2), faults=faults) as server:
            reply = run(server, api, max_retries=3)

        assert (finish, "", after + 1) == (reply.finish, reply.text, len(server.requests))
        assert list(reply.messages) == server.requests[-1].body["messages" if api is Api.CHAT else "input"]
        assert Usage(
            input_tokens=100 * after, cached_input_tokens=40 * after, output_tokens=20 * after, reasoning_tokens=5 * after
        ) == reply.usage  # fmt: skip

    def test_names_decide_before_prose(self) -> None:
        """A name that programs know an error by counts for more than the words beside it."""
        error, _ = refused(400, {"message": "prompt is too long", "code": "insufficient_quota"})

        assert UnusableEndpointError is type(error)


class TestRedirects:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_are_not_followed(self, status: int) -> None:
        """A redirection ends the run with one line, without its secrets; the other host is not asked."""
        with RawServer([response(GOOD)]) as other:
            place = other.base_url.removeprefix("http://")
            location = f"Location: http://user:password@{place}/chat/completions?key=secret"
            with RawServer([response(b"", location, status=f"{status} Elsewhere")]) as server:
                with pytest.raises(UnusableEndpointError) as caught:
                    ask(server.base_url, max_retries=2)
                requests = len(server.requests)

        assert (1, []) == (requests, other.requests)
        assert str(caught.value).endswith(
            f": it redirects to http://{place}/chat/completions, which is not followed; give that URL as --base-url "
            "if you trust it"
        )

    @pytest.mark.parametrize("location", ["http://127.0.0.1:99999/", "/v1/elsewhere", "http://[::1/"])
    def test_to_nowhere(self, location: str) -> None:
        """A target that is no URL does not matter."""
        with (
            RawServer([response(b"", f"Location: {location}", status="307 Elsewhere")]) as server,
            pytest.raises(UnusableEndpointError, match="which is not followed"),
        ):
            ask(server.base_url)

    def test_without_a_target(self) -> None:
        """A redirection that does not say where to ends the run, too."""
        with (
            RawServer([response(b"", status="302 Found")]) as server,
            pytest.raises(UnusableEndpointError, match=r": it redirects without saying where; is the URL right\?$"),
        ):
            ask(server.base_url, max_retries=2)

    def test_in_the_middle_of_a_run(self) -> None:
        """A page of maintenance makes the episode an error and does not end the run."""
        with RawServer([response(GOOD)], [response(b"", "Location: /maintenance", status="302 Found")]) as server:
            agent = agent_on(server.base_url)
            agent(TASK, toolbox(), BUDGET)
            with pytest.raises(EndpointError) as caught:
                agent(TASK, toolbox(), BUDGET)

        assert EndpointError is type(caught.value)


class TestUnfinishedReply:
    @APIS
    def test_is_kept(self, api: Api) -> None:
        """The error carries the transcript, the turns and the usage up to the failure."""
        faults = [None, Fault(400, ERROR)]
        with (
            EndpointServer(Scripted([CALLS, ANSWER]), faults=faults) as server,
            pytest.raises(EndpointError) as caught,
        ):
            run(server, api)
        reply = caught.value.reply

        assert reply is not None
        assert ("", 1, 100) == (reply.text, reply.turns, reply.usage and reply.usage.input_tokens)
        assert list(reply.messages) == server.requests[-1].body["messages" if api is Api.CHAT else "input"]

    def test_of_a_first_request(self) -> None:
        """There is a transcript of what was asked, and nothing is known of its tokens."""
        error, _ = refused(400, {})

        assert error.reply is not None
        assert (0, 2, Usage()) == (error.reply.turns, len(error.reply.messages), error.reply.usage)


class TestSecrets:
    @pytest.mark.parametrize("status", [200, 400, 429, 500])
    @pytest.mark.parametrize(
        "echo",
        [
            lambda request: request,
            lambda request: json.dumps({"error": {"message": request.decode()}}).encode(),
            lambda request: json.dumps({"error": {"message": json.dumps(request.decode())}}).encode(),
            lambda request: json.dumps({"error": {"message": [request.decode()] * 20}}).encode(),
        ],
        ids=["plain", "JSON", "JSON in JSON", "list"],
    )
    def test_are_never_in_messages(self, status: int, echo: Callable[[bytes], bytes]) -> None:
        """An endpoint that echoes the request brings neither the key nor what the URL holds into the error."""
        with RawServer([response(b"", status="500 X")]) as server:
            host = server.base_url.removeprefix("http://")
            base_url = f"http://user-name:pass%2Fword@{host}?api-key=query%20value"
            with pytest.raises(EndpointError):
                ask(base_url)
            head, _, body = server.requests[0].partition(b"\r\n\r\n")
        kept = b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith((b"x-", b"user-agent")))
        echoed = echo(b"\r\n".join([f"authorization: Bearer {KEY}".encode(), kept, body[:20]]))

        assert b"query+value" in head or b"query%20value" in head
        assert b"authorization: basic dxnlci1uyw1lonbhc3mvd29yza==" in head.lower()
        with RawServer([response(echoed, status=f"{status} X")]) as server:
            host = server.base_url.removeprefix("http://")
            with pytest.raises(EndpointError) as caught:
                ask(f"http://user-name:pass%2Fword@{host}?api-key=query%20value")
        message = str(caught.value)

        for secret in (KEY, "user-name", "pass/word", "pass%2Fword", "query", "value", "dXNlci1uYW1lOnBhc3Mvd29yZA"):
            assert secret not in message
        assert "***" in message

    @pytest.mark.parametrize(
        "said",
        [
            response(b"{}", f"Content-Encoding: {'x' * 30}{KEY}"),
            response(b"x" * (LARGEST_ERROR - 12) + KEY.encode() * 2, status="400 X"),
            response(b" " * (LARGEST_ERROR - 12) + KEY.encode() * 2, status="418 X"),
            response(b"x" * (2**20 - 12) + KEY.encode() * 2),
        ],
        ids=["encoding", "error", "blank error", "no JSON"],
    )
    def test_are_hidden_before_a_text_is_cut(self, said: bytes) -> None:
        """A message that quotes a part of what was received holds no part of the key."""
        with RawServer([said]) as server, pytest.raises(EndpointError) as caught:
            ask(server.base_url)

        assert KEY[:7] not in str(caught.value)

    def test_are_hidden_before_arguments_are_quoted(self) -> None:
        """With tool calls as text the model is shown the beginning of its arguments, without a part of the key."""
        arguments = {"keyword": "x" * (200 - len('{"keyword": "') - 10) + KEY + "y" * 300}
        script = [ModelTurn(text=json.dumps({"tool": "get_note", "arguments": arguments})), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, Api.CHAT, protocol=ToolProtocol.JSON)

        assert (Finish.STOP, False) == (reply.finish, KEY[:7] in json.dumps(reply.messages))


class TestHeaders:
    def test_of_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What the environment says to the openai package goes along, in the place of what it would say itself."""
        monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "project-1")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "authorization: Token other\nX-Team: red")
        with RawServer([response(GOOD)]) as server:
            ask(server.base_url)
        lines = server.requests[0].partition(b"\r\n\r\n")[0].decode().lower().split("\r\n")[1:]
        sent = [line.partition(": ")[::2] for line in lines]

        assert len(sent) == len(dict(sent))
        assert {
            "authorization": "token other",
            "x-team": "red",
            "openai-organization": "org-1",
            "openai-project": "project-1",
            "content-type": "application/json",
            "accept": "application/json",
        }.items() <= dict(sent).items()


class TestBodies:
    @pytest.mark.parametrize(
        ("said", "sent"),
        [("1e999", None), ("[" * 300 + "]" * 300, "(nested too deeply)"), ('"\\ud800"', "?")],
        ids=["infinite", "deep", "surrogate"],
    )
    def test_that_json_has_no_words_for(self, said: str, sent: object) -> None:
        """What an endpoint adds to a message goes back as far as JSON can say it."""
        call = {"id": "c1", "type": "function", "function": {"name": "smell", "arguments": "{}"}}
        message = json.dumps({"role": "assistant", "tool_calls": [call], "odd": "here"}).replace('"here"', said)
        answer = b'{"choices": [{"message": %s, "finish_reason": "tool_calls"}]}' % message.encode()
        with RawServer([response(answer)], [response(GOOD)]) as server:
            reply = ask(server.base_url)
        odd = json.loads(server.requests[1].partition(b"\r\n\r\n")[2])["messages"][2]["odd"]
        while isinstance(odd, list):
            (odd,) = odd

        assert ("hello", sent) == (reply.text, odd)


class TestThread:
    def test_one_for_all(self) -> None:
        """Many requests of many agents share one thread, which does not keep the process alive."""
        with EndpointServer(Scripted([ANSWER])) as server:
            for _ in range(3):
                run(server, Api.CHAT)
        threads = [thread for thread in threading.enumerate() if thread.name == "endpoints"]

        assert [True] == [thread.daemon for thread in threads]

    def test_128_requests_at_a_time(self) -> None:
        """One agent keeps 128 requests open at once, from as many threads."""
        together = threading.Barrier(128)

        def when_all_have_come() -> Iterator[bytes]:
            together.wait(60)
            yield response(GOOD)

        scripts = [when_all_have_come() for _ in range(128)]
        with RawServer(*scripts) as server, ThreadPoolExecutor(128) as pool:
            agent = agent_on(server.base_url, timeout_seconds=60)
            replies = list(pool.map(lambda _: agent(TASK, toolbox(), BUDGET), range(128)))

        assert ["hello"] * 128 == [reply.text for reply in replies]

    def test_connections_are_closed_with_the_agent(self) -> None:
        """An agent that nobody holds any more leaves no connection behind."""
        with RawServer([response(GOOD, last=False), 60.0]) as server:
            ask(server.base_url)
            gc.collect()

            assert server.hung_up.wait(5)


SCRIPT = """
import os, sys
sys.path.insert(0, os.getcwd())
from unit_tests.benchmark.agents.endpoint.episodes import BUDGET, TASK, toolbox
from unit_tests.benchmark.agents.endpoint.test_transport import agent_on
agent = agent_on(sys.argv[1])
def ask():
    return agent(TASK, toolbox(), BUDGET).text
"""


def script_on(base_url: str, code: str) -> "subprocess.Popen[str]":
    """A process of its own, in which every warning is an error and leaks are warned of."""
    command = [sys.executable, "-W", "error", "-W", "ignore:This process:DeprecationWarning"]
    return subprocess.Popen(
        [*command, "-c", SCRIPT + code, base_url],
        cwd=COMMITTED,
        env={**os.environ, KEY_VARIABLE: KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow  # starts, interrupts and forks processes
class TestProcess:
    def test_ends_quietly(self) -> None:
        """A process ends at once and without a word, though connections are open and requests in flight."""
        code = (
            "import threading; print(ask()); threading.Thread(target=ask, daemon=True).start();"
            "import time; time.sleep(0.5)"
        )
        with (
            RawServer([response(GOOD, last=False), 60.0], [60.0]) as server,
            script_on(server.base_url, code) as process,
        ):
            output = process.communicate(timeout=60)

        assert (0, ("hello\n", "")) == (process.returncode, output)

    @pytest.mark.usefixtures("interruptible")
    def test_can_be_interrupted(self) -> None:
        """Ctrl-C ends a wait for an endpoint at once."""
        code = "\ntry:\n    ask()\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
        with RawServer([600.0]) as server, script_on(server.base_url, code) as process:
            until = time.monotonic() + 60
            while not server.requests and time.monotonic() < until:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=20)

            assert (0, ("interrupted\n", "")) == (process.returncode, output)
            assert server.hung_up.wait(5)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
    def test_can_be_forked(self) -> None:
        """A forked process has a thread and connections of its own, and leaves those of its parent alone."""
        code = (
            "\nfirst = ask()\nchild = os.fork()\ntext = ask()\nif child:\n    os.waitpid(child, 0)\n    text += ask()\n"
            "print(first, text, flush=True)\n"
        )
        brain = Scripted([ModelTurn(text="hello")])
        with EndpointServer(brain) as server, script_on(server.base_url, code) as process:
            output, errors = process.communicate(timeout=60)

        assert ({"hello hello", "hello hellohello"}, "", 0) == ({*output.splitlines()}, errors, process.returncode)
