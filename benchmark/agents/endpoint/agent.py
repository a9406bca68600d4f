"""The agent behind an OpenAI-compatible endpoint."""

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.dialogue import Dialogue, Move, NativeDialogue
from mpcbench.benchmark.agents.endpoint.exchange import Exchange
from mpcbench.benchmark.agents.endpoint.json_protocol import JsonDialogue
from mpcbench.benchmark.agents.endpoint.models import (
    Api,
    ModelEntry,
    OptionError,
    ToolProtocol,
    http_url,
    without_secrets,
)
from mpcbench.benchmark.agents.endpoint.parameters import merged, parameters
from mpcbench.benchmark.agents.endpoint.prices import cost_usd
from mpcbench.benchmark.agents.endpoint.refusals import ConversationEndedError, MalformedOutputError
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.endpoint.transport import Transport
from mpcbench.benchmark.agents.endpoint.turn import Item, Offer, Turn
from mpcbench.benchmark.agents.endpoint.wires import WIRES
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Tool, Toolbox
from mpcbench.schema.episode import Reply, Usage

_NO_KEY = "unused"
_NOTHING_USED = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, reasoning_tokens=0)
_ABOUT_SCHEMA = re.compile(r"response_format|text\.format|'text'|structured|schema|grammar", re.IGNORECASE)
_UNREADABLE = "(not readable)"
EPISODE_HEADER = "X-MPCBench-Episode"
"""Says with every request of an episode which one it is, for the logs of servers and gateways."""

MALFORMED = "your last message could not be read: it holds a malformed tool call"
_PROMPT_TOO_LONG = "the endpoint takes no conversation as long as the benchmark's own prompt"
_NO_SCHEMA = "if it cannot hold messages to a JSON schema: structured_output = false for this model in models.toml"


class MissingKeyError(ValueError):
    """The environment lacks a usable API key; the message names the variable."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """What a user may choose for a run; None leaves it to the model's entry, and then to the endpoint."""

    base_url: str | None = None
    api: Api | None = None
    tool_protocol: ToolProtocol | None = None
    temperature: float | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    """The most tokens of one message."""

    timeout_seconds: float = 600.0
    """How long to wait for one whole answer, per try."""

    max_retries: int = 8
    """How often a request is sent again after a transient failure; `Transport` says which and when."""


class EndpointAgent:
    """A model behind an endpoint, on either API and by either protocol of tool calls.

    It serves any number of episodes at a time.

    Raises:
        OptionError: The model does not take one of the options.
        MissingKeyError: No key, and the user named no endpoint that could do without.
    """

    def __init__(self, entry: ModelEntry, options: EndpointOptions | None = None) -> None:
        options = options or EndpointOptions()
        api = options.api or entry.api
        self._entry = entry
        self._api = api
        if api is not entry.api and not (api.is_openai and entry.api.is_openai):
            raise OptionError(f"api: model {entry.model!r} is on the {entry.api} API (models.toml), not on {api}")
        self._wire = WIRES[api]
        self._protocol = options.tool_protocol or entry.tool_protocol
        self._dialogue: Dialogue = NativeDialogue(self._wire)
        if self._protocol is ToolProtocol.JSON:
            self._dialogue = JsonDialogue(self._wire, entry.structured_output)
        self._parameters = parameters(
            entry,
            api,
            temperature=options.temperature,
            reasoning_effort=options.reasoning_effort,
            max_tokens=options.max_tokens,
        )
        self._base_url = _base_url(options.base_url) or entry.base_url
        if self._base_url is None and not api.is_openai:
            raise OptionError(f"base URL: model {entry.model!r} has none in models.toml, which the {api} API needs")
        self.secrets = Secrets.of_run([entry], self._base_url)
        """What no file of a run may hold."""

        self._transport = Transport(
            base_url=self._base_url,
            timeout_seconds=_timeout(options.timeout_seconds),
            max_retries=_max_retries(options.max_retries),
            key=_key(entry, endpoint_named=options.base_url is not None),
            key_name=entry.api_key_env or "api_key_env (models.toml)",
            secrets=self.secrets,
            authorised=self._wire.headers,
            headers={**entry.headers, **_headers_of_environment(entry)},
        )

    def described(self) -> dict[str, JsonValue]:
        """What identifies the model and how it is talked to, without secrets.

        `base_url` is None for the client's own default; `structured_output` tells whether turns are held to a schema.
        """
        base_url = self._base_url or os.environ.get("OPENAI_BASE_URL")  # APIs that are not OpenAI's have one
        return {
            "model": self._entry.model,
            "api": self._api.value,
            "base_url": without_secrets(base_url) if base_url else None,
            "parameters": self._parameters,
            "headers": {
                **self._entry.headers,
                **{name: f"${variable}" for name, variable in self._entry.headers_env.items()},
            },
            "parallel_tool_calls": self._entry.parallel_tool_calls if self._native else None,
            "encrypted_reasoning": self._entry.encrypted_reasoning and self._api is Api.RESPONSES,
            "tool_protocol": self._protocol.value,
            "structured_output": self._entry.structured_output and not self._native,
            "prices": [price.model_dump(mode="json") for price in self._entry.prices],
        }

    @property
    def has_price(self) -> bool:
        """Whether the price is known."""
        return bool(self._entry.prices)

    def cost_usd(self, usage: Usage | None, on: date) -> float | None:
        """What the tokens cost on a day, in US dollars; None where tokens or price are unknown."""
        return cost_usd(usage, self._entry.prices, on)

    def first_turn(self, task: Task, tools: Sequence[Tool]) -> tuple[Move, Usage]:
        """What the model does first, and its tokens; a single try where nothing is heard of the endpoint.

        Raises:
            EndpointError: The endpoint failed.
        """
        offer = self._dialogue.offer(task, tools, final=False)
        turn = self._turn(self._dialogue.opening(task, tools), offer, {}, first=True, patient=False)
        return self._dialogue.move(turn), turn.usage

    @property
    def _native(self) -> bool:
        return self._protocol is ToolProtocol.NATIVE

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode; what the last turn may be is said by `Budget`.

        Raises:
            EndpointError: The endpoint failed for good; holds the reply up to there.
        """
        exchange = Exchange(self._dialogue, task, tools, budget)
        headers = {EPISODE_HEADER: episode_id(task)}
        while exchange.reply is None:
            try:
                turn = self._turn(exchange.transcript, exchange.offer(), headers, first=not exchange.turns)
            except EndpointError as error:
                error.reply = exchange.unfinished()
                raise
            exchange.take(turn)
        return exchange.reply

    def _turn(
        self,
        transcript: Sequence[Item],
        offer: Offer,
        headers: Mapping[str, str],
        *,
        first: bool,
        patient: bool = True,
    ) -> Turn:
        body = merged(self._wire.request(self._entry, transcript, offer), self._parameters)
        try:
            return self._transport.send(
                self._wire.path(self._entry.model), body, self._wire.read, headers=headers, patient=patient
            )
        except ConversationEndedError as ended:
            if first and ended.at_once:  # the model has written nothing
                raise EndpointError(self._transport.line(f"{_PROMPT_TOO_LONG}: {ended.message}")) from None
            return Turn(items=(), calls=(), text="", finish=ended.finish, usage=_NOTHING_USED)
        except MalformedOutputError as error:
            item: Item = {"role": "assistant", "content": error.text or _UNREADABLE}
            return Turn(items=(item,), calls=(), text=error.text, finish=None, usage=Usage(), problem=MALFORMED)
        except EndpointError as error:
            if offer.schema is not None and _ABOUT_SCHEMA.search(str(error)):
                error.args = (f"{error} ({_NO_SCHEMA})",)
            raise


def _key(entry: ModelEntry, *, endpoint_named: bool) -> str:
    if entry.api_key_env is None:
        return _NO_KEY
    key = os.environ.get(entry.api_key_env, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise MissingKeyError(f"{entry.api_key_env}: the key has characters that no HTTP header can carry")
    if not key and not endpoint_named:
        raise MissingKeyError(
            f"{entry.api_key_env}: not set; model {entry.model!r} needs an API key in this environment variable, "
            "or --base-url with an endpoint that needs none"
        )
    return key or _NO_KEY


def episode_id(task: Task) -> str:
    """What a request says of its episode: the instance, and which of its trials."""
    return f"{quote(task.instance_id)}/{task.trial}"


def _headers_of_environment(entry: ModelEntry) -> dict[str, str]:
    found = {}
    for name, variable in entry.headers_env.items():
        value = os.environ.get(variable, "").strip()
        if not value:
            raise MissingKeyError(f"{variable}: not set; header {name} of model {entry.model!r} needs it (models.toml)")
        if not (value.isascii() and value.isprintable()):
            raise MissingKeyError(f"{variable}: has characters that no HTTP header can carry")
        found[name] = value
    return found


def _base_url(value: str | None) -> str | None:
    if value is None:
        return None
    try:
        return http_url(value)
    except ValueError as error:
        raise OptionError(f"base URL: {error}") from None


def _timeout(value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise OptionError(f"timeout: {value} is not a positive number of seconds")
    return value


def _max_retries(value: int) -> int:
    if value < 0:
        raise OptionError(f"max retries: {value} is negative")
    return value
