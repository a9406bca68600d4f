"""How requests reach an endpoint: what is sent again, how often, and what each failure means.

Requests are sent by the process's event loop. So a deadline holds in every phase of a request, and many can be in
flight at once. The `openai` package is imported with the first request, so that collecting tests does not pay for it.
"""

import asyncio
import itertools
import os
import re
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from mpcbench.benchmark.agents.endpoint.bodies import (
    ENCODINGS,
    LARGEST_BODY,
    LARGEST_ERROR,
    TooLargeError,
    decoded,
    encoded,
    read_body,
)
from mpcbench.benchmark.agents.endpoint.breaker import Breaker
from mpcbench.benchmark.agents.endpoint.event_loop import event_loop, running_loop
from mpcbench.benchmark.agents.endpoint.http_client import has_surplus, silence_loggers
from mpcbench.benchmark.agents.endpoint.models import without_secrets
from mpcbench.benchmark.agents.endpoint.refusals import Refusal
from mpcbench.benchmark.agents.endpoint.retries import PassingError, SilenceError, asked_seconds, may_pass, wait
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.endpoint.verdicts import Verdict
from mpcbench.benchmark.agents.protocol import AccessDeniedError, EndpointError, UnusableEndpointError
from mpcbench.schema.untrusted_text import one_line
from mpcbench.version import VERSION

if TYPE_CHECKING:
    import openai

T = TypeVar("T")
Body: TypeAlias = dict[str, Any]

_CONNECT_SECONDS = 30.0
_LONGEST_MESSAGE = 400

_WRONG_NAME = "; are the URL, the API and the model's name right?"
_REPORTED = "the endpoint reports an error"
_UNKNOWN = {404, 405, 410}
_LONGEST_QUOTE = 2**20
_NO_API = re.compile(rb"\s*(?:<|(?:data|event|id|retry)?:)")
"""A page for people or a stream of events, as whatever else listens there says with HTTP 200."""

_EVENT = re.compile(rb"\s*(?:event: ?error\s+)?data: ?({.{1,65536}})\s*", re.DOTALL)


class Transport:
    """The way to one endpoint, for any number of threads at a time.

    A request is sent again up to `max_retries` times after a transient failure: HTTP 408, 409, 425, 429 and 5xx
    (but 501 and 505), no connection, no whole answer within `timeout_seconds`, an answer that breaks off or holds no
    turn. Each wait is what the endpoint asks for (Retry-After; at most 60 s), or else 0.5, 1, 2, 4 and from then on
    8 s; up to a quarter more or less respectively, so that episodes do not come back in step. With 8 retries the
    waits of the second kind are 39.5 s in all, and one request takes at most nine time-outs and eight waits.

    Args:
        base_url: None leaves it to the openai package.
        key: The API key.
        key_name: Where the user finds it, for messages.
        timeout_seconds: How long one try may take, from connecting to the answer's last byte.
        max_retries: How often a request is sent again.
        secrets: What no message may hold.
        authorised: Makes the headers that authorise a request, of a key; None of it leaves both them and what is not
            said of the base URL to the openai package.
        headers: Further headers of every request.
    """

    def __init__(
        self,
        *,
        base_url: str | None,
        key: str,
        key_name: str,
        timeout_seconds: float,
        max_retries: int,
        secrets: Secrets,
        authorised: Callable[[str], Mapping[str, str] | None] = lambda _: None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._key_name = key_name
        self._timeout = timeout_seconds
        self._max_retries = max_retries
        self._secrets = secrets
        self._authorisation = authorised(key)
        self._headers = headers
        self._answered = False
        self._breaker = Breaker()
        # Those not in use, each with a connection of its own: to look for one among many takes longer than to send a
        # request. By event loop: a forked process has its own, and must not use the connections of its parent.
        self._clients: dict[asyncio.AbstractEventLoop, list[openai.DefaultAsyncHttpxClient]] = {}
        weakref.finalize(self, _close, self._clients).atexit = False

    def send(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Body], T],
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        patient: bool = True,
    ) -> T:
        """Send a request until it succeeds, and return what `read` makes of the answer.

        Args:
            path: Where the API is, below the base URL.
            body: The fields of the request.
            read: Reads the decoded answer; raises `EndpointError` where it holds no turn.
            headers: Of this request.
            patient: Whether an endpoint of which nothing is heard is tried again.

        Raises:
            ConversationEndedError: It has outgrown the model's context, or a content filter refuses it.
            MalformedOutputError: The server could not read what the model wrote.
            AccessDeniedError: The endpoint refuses the key.
            UnusableEndpointError: The account is used up, a proxy refuses to serve, the endpoint is dead, or its very
                first answer is that there is no such model or URL, or leads elsewhere.
            EndpointError: Any other failure that stays.
        """
        content = encoded(body)
        for tries in itertools.count(1):
            last = tries > self._max_retries
            try:
                return self._try(path, content, read, headers)
            except SilenceError as error:
                failure: PassingError = error
                if not patient:
                    raise UnusableEndpointError(self.line(str(error))) from None
                silence = self._breaker.silent(last=last, refused=error.refused)
                if silence is not None:
                    raise UnusableEndpointError(f"{self.line(str(error))} ({silence})") from None
            except PassingError as error:
                failure = error
            except TooLargeError as error:
                raise EndpointError(str(error)) from None
            except MemoryError:
                raise EndpointError("the endpoint's answer takes more memory than there is") from None
            if last:
                break
            time.sleep(wait(tries, failure.asked))
        times = f" (tried {tries} times)" if tries > 1 else ""
        raise EndpointError(self.line(str(failure)) + times) from None

    def _try(self, path: str, content: bytes, read: Callable[[Body], T], headers: Mapping[str, str]) -> T:
        future = asyncio.run_coroutine_threadsafe(self._sent(path, content, headers), event_loop())
        try:
            answer = future.result()
        finally:
            future.cancel()  # of use where an interrupt has ended the wait
        value = self._decoded(answer)
        try:
            turn = read(value)
        except EndpointError as error:
            # Some servers report an error as the whole body of a success, with no field that says so.
            if value.keys().isdisjoint({"choices", "output", "content", "candidates", "promptFeedback"}):
                self._check(Refusal.of(value))
            raise PassingError(str(error)) from None
        self._answered = True
        return turn

    async def _sent(self, path: str, content: bytes, headers: Mapping[str, str]) -> bytes:
        clients = self._clients.setdefault(asyncio.get_running_loop(), [])
        try:
            client = clients.pop() if clients else self._client()
        except Exception as error:  # noqa: BLE001 - such as for a proxy that the environment names and no client knows
            message = f"no client for the endpoint: {type(error).__name__}: {error}"
            raise UnusableEndpointError(self.line(message)) from None
        # Without user information, path and query, which may hold secrets.
        url = client.base_url
        place = f"{url.host}:{url.port}" if url.port else url.host
        heard, kept = False, True
        try:
            async with asyncio.timeout(self._timeout):
                async with client.stream("POST", path, content=content, headers=dict(headers)) as response:
                    heard = True
                    if not response.is_success:
                        self._breaker.answered()
                    limit = LARGEST_BODY if response.is_success else LARGEST_ERROR
                    encoding = response.headers.get("content-encoding", "")
                    answer, more = await read_body(response.aiter_raw(), encoding, limit)
            kept = not has_surplus(client)
        except Exception as error:  # noqa: BLE001 - an answer may be so wrong that the client stumbles over it
            raise self._failure(error, place, heard=heard) from None
        finally:
            if kept:
                clients.append(client)
            else:
                await client.aclose()
        if not response.is_success:
            text = answer.decode("utf-8", "replace")
            if more:
                text = self._secrets.hide_cut(text)
            raise self._judged(response.status_code, response.headers, text, place)
        if more:
            raise EndpointError(f"the response from {place} is larger than {LARGEST_BODY // 2**20} MiB")
        return answer

    def _failure(self, error: Exception, place: str, *, heard: bool) -> Exception:
        """What it means that a request has failed; `heard` says whether a response had begun."""
        if isinstance(error, TooLargeError | MemoryError):
            return error
        if isinstance(error, TimeoutError):
            return self._unanswered(f"no answer from {place} within {self._timeout:g} s", heard=heard)
        if isinstance(error, self._package.TimeoutException):
            return self._unanswered(f"no connection to {place} within {_CONNECT_SECONDS:g} s", heard=heard)
        refused = isinstance(error, self._package.ConnectError)
        return self._unanswered(
            f"no answer from {place}: {type(error).__name__}: {error}", heard=heard, refused=refused
        )

    def _unanswered(self, message: str, *, heard: bool, refused: bool = False) -> PassingError:
        if not heard:
            return SilenceError(message, refused=refused)
        self._breaker.answered()
        return PassingError(message)

    def _client(self) -> "openai.DefaultAsyncHttpxClient":
        """An HTTP client of the openai package; for OpenAI's APIs with the base URL and the headers of its API client.

        Requests go to it directly: `post` of the API client costs nearly as much time again, for options of requests,
        types of answers and retries that are not of use here.
        """
        from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415 - as openai

        import openai  # noqa: PLC0415 - only runs against an endpoint pay for the import

        parts = urlsplit(self._base_url or os.environ.get("OPENAI_BASE_URL") or "")
        http = openai.DefaultAsyncHttpxClient(
            verify=self._tls,
            # No cookies: they would lead from one episode into others, and an odd one would break them all.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=openai.Timeout(None, connect=_CONNECT_SECONDS),
            params=dict(parse_qsl(parts.query, keep_blank_values=True)),
            # Another host would get the prompts and headers, and its answers would be scored.
            follow_redirects=False,
        )
        silence_loggers(self._package.__name__)
        base_url = urlunsplit(parts._replace(query="", fragment="")) or None
        if self._authorisation is None:
            api = openai.AsyncOpenAI(api_key=self._key, base_url=base_url, http_client=http)
            http.base_url = api.base_url
            # The default ones last: among them are those that a user's environment puts in the place of others.
            for headers in (api.auth_headers, api.default_headers):
                for name, value in headers.items():
                    if isinstance(value, str):
                        http.headers[name] = value
        else:
            http.base_url = base_url or ""
            http.headers.update({"content-type": "application/json", "user-agent": f"mpcbench/{VERSION}"})
            http.headers.update(self._authorisation)
        http.headers.update(self._headers)
        http.headers["accept-encoding"] = ENCODINGS
        return http

    @cached_property
    def _package(self) -> Any:
        """The package below openai, httpx or its successor."""
        import openai  # noqa: PLC0415 - loaded by now

        return import_module(openai.DefaultAsyncHttpxClient.__base__.__module__.partition(".")[0])

    @cached_property
    def _tls(self) -> Any:
        """The certificates, which all clients share: reading them is most of what a client costs."""
        return self._package.create_ssl_context()

    def _judged(self, status: int, headers: Mapping[str, str], text: str, place: str) -> Exception:
        """What an HTTP status other than success means, with the text of the answer; raises as `Refusal.check`."""
        where = f"HTTP {status} from {place}"
        if 300 <= status < 400:
            return self._redirected(where, headers.get("location", ""))
        refusal = Refusal.of_text(text, status)
        if status in {401, 403} and refusal.verdict in {Verdict.FAULT, Verdict.KEY_REFUSED, Verdict.UNKNOWN_MODEL}:
            # Servers quote the key that they refuse.
            return AccessDeniedError(f"{where}: access denied; is the key in {self._key_name} right?")
        self._check(refusal, where)
        message = f"{where}: {refusal.message}"
        line = self.line(message)
        if status in _UNKNOWN and not self._answered:
            return UnusableEndpointError(line.rstrip(".") + _WRONG_NAME)
        if may_pass(status):
            return PassingError(message, asked_seconds(headers, text))
        return EndpointError(line)

    def _check(self, refusal: Refusal, where: str = _REPORTED) -> None:
        """Raise what the model did, or why the run ends."""
        refusal.check()
        line = self.line(f"{where}: {refusal.message}")
        if refusal.verdict is Verdict.SPENT:
            raise UnusableEndpointError(line)
        if refusal.verdict is Verdict.KEY_REFUSED:
            raise AccessDeniedError(f"{line.rstrip('.')}; is the key in {self._key_name} right?")
        if refusal.verdict is Verdict.UNKNOWN_MODEL and not self._answered:
            raise UnusableEndpointError(line.rstrip(".") + _WRONG_NAME)

    def _redirected(self, where: str, location: str) -> EndpointError:
        try:
            target = without_secrets(location)
        except ValueError:
            target = "no URL"
        line = f"{where}: it redirects to {target}, which is not followed; give that URL as --base-url if you trust it"
        if not location:
            line = f"{where}: it redirects without saying where; is the URL right?"
        # A page of maintenance in the middle of a run passes.
        return EndpointError(self.line(line)) if self._answered else UnusableEndpointError(self.line(line))

    def _decoded(self, content: bytes) -> Body:
        try:
            value = decoded(content, self._secrets)
        except TooLargeError:
            raise
        except (ValueError, RecursionError):
            event = _EVENT.match(content)
            if event:  # of a stream, which nobody asked for
                self._check(Refusal.of_text(event[1].decode("utf-8", "replace"), 200))
            hide = self._secrets.hide if len(content) <= _LONGEST_QUOTE else self._secrets.hide_cut
            start = one_line(hide(content[:_LONGEST_QUOTE].decode("utf-8", "replace")), 60)
            heard = _NO_API.match(content) is None
            raise self._unanswered(f"the response is not valid JSON: {start!r}", heard=heard) from None
        self._breaker.answered()
        if not isinstance(value, dict):
            raise PassingError(f"the response is not a JSON object but {type(value).__name__}")
        reported = _reported(value)
        if reported:
            refusal = Refusal.of(reported)
            self._check(refusal)
            raise PassingError(f"{_REPORTED}: {refusal.message}")
        return value

    def line(self, message: str) -> str:
        """A message on one line, without secrets."""
        return one_line(self._secrets.hide(message), _LONGEST_MESSAGE)


def _reported(value: Body) -> object:
    """The error that a success holds, if any."""
    match value:
        # MiniMax has a status within every success.
        case {"base_resp": {"status_code": int(code), "status_msg": words}} if code:
            return {"type": f"base_resp {code}", "message": words}
        case {"error": error} if error:
            return error if isinstance(error, dict | list) else value
        case {"choices": [{"error": error}, *_]}:
            return error
    return None


def _close(clients: Mapping[asyncio.AbstractEventLoop, Sequence["openai.DefaultAsyncHttpxClient"]]) -> None:
    loop = running_loop()
    if loop is not None:
        for client in clients.get(loop, ()):
            asyncio.run_coroutine_threadsafe(client.aclose(), loop)
