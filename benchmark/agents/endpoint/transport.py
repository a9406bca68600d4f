"""How requests reach an endpoint: what is sent again, how often, and what each failure means.

Requests are sent by the process's event loop. So a deadline holds in every phase of a request, and many can be in
flight at once. The `openai` package is imported with the first request, so that collecting tests does not pay for it.
"""

import asyncio
import itertools
import json
import math
import os
import re
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from importlib import import_module
from random import random
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pydantic_core import PydanticSerializationError, to_json

from mpcbench.benchmark.agents.endpoint.event_loop import event_loop, running_loop
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.protocol import AccessDeniedError, EndpointError, UnusableEndpointError
from mpcbench.schema.episode import Finish
from mpcbench.schema.model_output import one_line, plain_json

if TYPE_CHECKING:
    import openai

T = TypeVar("T")
Body: TypeAlias = dict[str, Any]

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_LONGEST_ASKED = 60.0
_CONNECT_SECONDS = 30.0
_LONGEST_MESSAGE = 400

_PASSING = {408, 409, 425, 429}
_LASTING = {501, 505}
_UNKNOWN = {404, 405, 410}
_ENDS = {
    "context_length_exceeded": Finish.LENGTH,
    "exceed_context_size_error": Finish.LENGTH,
    "content_filter": Finish.REFUSAL,
    "content_policy_violation": Finish.REFUSAL,
}
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class ConversationEndedError(Exception):
    """The endpoint takes no more of a conversation, for reasons that are the model's and not a failure."""

    def __init__(self, finish: Finish) -> None:
        super().__init__(finish.value)
        self.finish = finish


class _PassingError(Exception):
    """A failure that may pass, and how many seconds the endpoint asks to wait."""

    def __init__(self, message: str, asked: float | None = None) -> None:
        super().__init__(message)
        self.asked = asked


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
            except _PassingError as error:
                failure = error
            if tries > self._max_retries:
                break
            time.sleep(_wait(tries, failure.asked))
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
            raise _PassingError(str(error)) from None
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
            raise _PassingError(f"no answer from {place} within {self._timeout:g} s") from None
        except self._package.TimeoutException:
            raise _PassingError(f"no connection to {place} within {_CONNECT_SECONDS:g} s") from None
        except Exception as error:  # noqa: BLE001 - an answer may be so wrong that the client stumbles over it
            raise _PassingError(f"no answer from {place}: {type(error).__name__}: {error}") from None
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
        """What an HTTP status other than success means, with the text of the answer."""
        fields = _fields(_error_of(text))
        marks = _marks(fields)
        for mark in marks & _ENDS.keys():
            return ConversationEndedError(_ENDS[mark])
        where = f"HTTP {status} from {place}"
        if status in {401, 403}:
            # Servers quote the key that they refuse.
            return AccessDeniedError(f"{where}: access denied; is the key in {self._key_name} right?")
        message = f"{where}: {fields.get('message') or fields.get('detail') or 'no message'}"
        line = self._line(message)
        if status in {402, 407} or "insufficient_quota" in marks:
            return UnusableEndpointError(line)
        if not self._answered and (status in _UNKNOWN or "model_not_found" in marks):
            return UnusableEndpointError(f"{line}; are the URL, the API and the model's name right?")
        if status in _PASSING or (status >= 500 and status not in _LASTING):
            return _PassingError(message, _asked(headers))
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
            raise _PassingError(f"the response is not valid JSON: {start!r}") from None
        if not isinstance(value, dict):
            raise _PassingError(f"the response is not a JSON object but {type(value).__name__}")
        if value.get("error"):
            fields = _fields(value["error"])
            for mark in _marks(fields) & _ENDS.keys():
                raise ConversationEndedError(_ENDS[mark])
            raise _PassingError(f"the endpoint reports an error: {fields.get('message')}")
        return value

    def _line(self, message: str) -> str:
        return one_line(self._secrets.hide(message), _LONGEST_MESSAGE)


def _close(clients: Mapping[asyncio.AbstractEventLoop, Sequence["openai.DefaultAsyncHttpxClient"]]) -> None:
    loop = running_loop()
    if loop is not None:
        for client in clients.get(loop, ()):
            asyncio.run_coroutine_threadsafe(client.aclose(), loop)


def _wait(tries: int, asked: float | None) -> float:
    """Seconds until the next try, after so many."""
    spread = random() / 4  # noqa: S311 - no secret
    if asked is not None:
        return asked * (1 + spread)
    return min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(tries - 1, 10)) * (1 - spread)


def _asked(headers: Mapping[str, str]) -> float | None:
    """The seconds that the endpoint asks to wait; None where it does not say, or nothing sensible."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds > 0:
            return min(seconds, _LONGEST_ASKED)
    try:
        moment = parsedate_to_datetime(headers["retry-after"])
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (KeyError, ValueError, OverflowError):
        return None
    return min(seconds, _LONGEST_ASKED) if seconds > 0 else None


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return to_json(body, inf_nan_mode="null")  # several times faster than json, on every turn's whole transcript
    except PydanticSerializationError:  # such as for more than 255 levels, which a model can have written
        return to_json(plain_json(body))


def _error_of(text: str) -> object:
    """What an answer that is no success says of its error, whether it is JSON or not."""
    text = text.strip()
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return body.get("error", body) if isinstance(body, dict) else body


def _fields(error: object) -> Mapping[str, Any]:
    """What an endpoint says of an error, whether in an object, in a list of one or in a text."""
    match error:
        case [first, *_]:
            return _fields(first)
        case {"error": dict() as inner}:
            return inner
        case dict():
            return error
    return {"message": error}


def _marks(fields: Mapping[str, Any]) -> set[str]:
    """The names that programs know an error by; messages are for people and differ."""
    return {value for name in ("code", "type") if isinstance(value := fields.get(name), str)}


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
