"""How requests reach an endpoint: what is sent again, how often, and what each failure means.

Requests are sent by the process's event loop. So a deadline holds in every phase of a request, and many can be in
flight at once. The `openai` package is imported with the first request, so that collecting tests does not pay for it.
"""

import asyncio
import itertools
import json
import os
import re
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pydantic_core import PydanticSerializationError, to_json

from mpcbench.benchmark.agents.endpoint.event_loop import event_loop, running_loop
from mpcbench.benchmark.agents.endpoint.refusals import Refusal
from mpcbench.benchmark.agents.endpoint.retries import PassingError, asked_seconds, may_pass, wait
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.protocol import AccessDeniedError, EndpointError, UnusableEndpointError
from mpcbench.schema.model_output import one_line, plain_json

if TYPE_CHECKING:
    import openai

T = TypeVar("T")
Body: TypeAlias = dict[str, Any]

_CONNECT_SECONDS = 30.0
_LONGEST_MESSAGE = 400

_UNKNOWN = {404, 405, 410}
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Transport:
    """The way to one endpoint, for any number of threads at a time.

    A request is sent again up to `max_retries` times after a failure that may pass: HTTP 408, 409, 425, 429 and 5xx
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
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._key_name = key_name
        self._timeout = timeout_seconds
        self._max_retries = max_retries
        self._secrets = secrets
        self._answered = False
        # Those not in use, each with a connection of its own: to look for one among many takes longer than to send a
        # request. By event loop: a forked process has its own, and must not use the connections of its parent.
        self._clients: dict[asyncio.AbstractEventLoop, list[openai.DefaultAsyncHttpxClient]] = {}
        weakref.finalize(self, _close, self._clients).atexit = False

    def send(self, path: str, body: Mapping[str, Any], read: Callable[[Body], T]) -> T:
        """Send a request until it succeeds, and return what `read` makes of the answer.

        Args:
            path: Where the API is, below the base URL.
            body: The fields of the request.
            read: Reads the decoded answer; raises `EndpointError` where it holds no turn.

        Raises:
            ConversationEndedError: It has outgrown the model's context, or a content filter refuses it.
            AccessDeniedError: The endpoint refuses the key.
            UnusableEndpointError: The account is used up, a proxy refuses to serve, or the very first answer is that
                there is no such model or URL.
            EndpointError: Any other failure that stays.
        """
        content = _encoded(body)
        for tries in itertools.count(1):
            try:
                return self._try(path, content, read)
            except PassingError as error:
                failure = error
            if tries > self._max_retries:
                break
            time.sleep(wait(tries, failure.asked))
        times = f" (tried {tries} times)" if tries > 1 else ""
        raise EndpointError(self._line(str(failure)) + times) from None

    def _try(self, path: str, content: bytes, read: Callable[[Body], T]) -> T:
        future = asyncio.run_coroutine_threadsafe(self._sent(path, content), event_loop())
        try:
            answer = future.result()
        finally:
            future.cancel()  # of use where an interrupt has ended the wait
        try:
            turn = read(self._decoded(answer))
        except EndpointError as error:
            raise PassingError(str(error)) from None
        self._answered = True
        return turn

    async def _sent(self, path: str, content: bytes) -> bytes:
        clients = self._clients.setdefault(asyncio.get_running_loop(), [])
        try:
            client = clients.pop() if clients else self._client()
        except Exception as error:  # noqa: BLE001 - such as for a proxy that the environment names and no client knows
            message = f"no client for the endpoint: {type(error).__name__}: {error}"
            raise UnusableEndpointError(self._line(message)) from None
        # Without user information, path and query, which may hold secrets.
        url = client.base_url
        place = f"{url.host}:{url.port}" if url.port else url.host
        try:
            async with asyncio.timeout(self._timeout):
                response = await client.post(path, content=content)
            refusal = "" if response.is_success else response.text
        except TimeoutError:
            raise PassingError(f"no answer from {place} within {self._timeout:g} s") from None
        except self._package.TimeoutException:
            raise PassingError(f"no connection to {place} within {_CONNECT_SECONDS:g} s") from None
        except Exception as error:  # noqa: BLE001 - an answer may be so wrong that the client stumbles over it
            raise PassingError(f"no answer from {place}: {type(error).__name__}: {error}") from None
        finally:
            clients.append(client)
        if not response.is_success:
            raise self._judged(response.status_code, response.headers, refusal, place)
        return bytes(response.content)

    def _client(self) -> "openai.DefaultAsyncHttpxClient":
        """An HTTP client of the openai package, with the base URL, the query and the headers of its API client.

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
        )
        api = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=urlunsplit(parts._replace(query="", fragment="")) or None,
            http_client=http,
        )
        http.base_url = api.base_url
        # The default ones last: among them are those that a user's environment puts in the place of others.
        for headers in (api.auth_headers, api.default_headers):
            for name, value in headers.items():
                if isinstance(value, str):
                    http.headers[name] = value
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
        """What an HTTP status other than success means, with the text of the answer; raises as `Refusal.of`."""
        refusal = Refusal.of_text(text)
        where = f"HTTP {status} from {place}"
        if status in {401, 403}:
            # Servers quote the key that they refuse.
            return AccessDeniedError(f"{where}: access denied; is the key in {self._key_name} right?")
        message = f"{where}: {refusal.message}"
        line = self._line(message)
        if status in {402, 407} or "insufficient_quota" in refusal.marks:
            return UnusableEndpointError(line)
        if not self._answered and (status in _UNKNOWN or "model_not_found" in refusal.marks):
            return UnusableEndpointError(f"{line}; are the URL, the API and the model's name right?")
        if may_pass(status):
            return PassingError(message, asked_seconds(headers))
        return EndpointError(line)

    def _decoded(self, content: bytes) -> Body:
        try:
            text = content.decode("utf-8-sig")
            value: Any = json.loads(text, parse_constant=_no_constant)
            if _ESCAPED_SURROGATE.search(text):
                # Lone ones are JSON but no text: they could be neither sent back nor stored.
                value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            start = one_line(self._secrets.hide(content.decode("utf-8", "replace")), 60)
            raise PassingError(f"the response is not valid JSON: {start!r}") from None
        if not isinstance(value, dict):
            raise PassingError(f"the response is not a JSON object but {type(value).__name__}")
        if value.get("error"):
            raise PassingError(f"the endpoint reports an error: {Refusal.of(value['error']).message}")
        return value

    def _line(self, message: str) -> str:
        return one_line(self._secrets.hide(message), _LONGEST_MESSAGE)


def _close(clients: Mapping[asyncio.AbstractEventLoop, Sequence["openai.DefaultAsyncHttpxClient"]]) -> None:
    loop = running_loop()
    if loop is not None:
        for client in clients.get(loop, ()):
            asyncio.run_coroutine_threadsafe(client.aclose(), loop)


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return to_json(body, inf_nan_mode="null")  # several times faster than json, on every turn's whole transcript
    except PydanticSerializationError:  # such as for more than 255 levels, which a model can have written
        return to_json(plain_json(body))


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
