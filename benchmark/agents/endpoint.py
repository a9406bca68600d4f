"""The agent behind an OpenAI-compatible endpoint."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.agents.agent import Budget, EndpointError, Task
from benchmark.agents.chat_completions import ChatCompletions
from benchmark.agents.endpoint_turn import Item, Turn, Wire, total
from benchmark.agents.responses import Responses
from benchmark.agents.transport import ConversationEndedError, Transport
from benchmark.models import Api, ModelEntry, OptionError, http_url
from benchmark.secrets import Secrets
from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Finish, Reply, Usage

_WIRES: dict[Api, Wire] = {Api.CHAT: ChatCompletions(), Api.RESPONSES: Responses()}
_NO_KEY = "unused"
_NOTHING_USED = Usage(input_tokens=0, cached_input_tokens=0, output_tokens=0, reasoning_tokens=0)


class MissingKeyError(ValueError):
    """The environment lacks a usable API key; the message names the variable."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """What a user may choose for a run; None leaves it to the model's entry, and then to the endpoint."""

    base_url: str | None = None
    api: Api | None = None
    temperature: float | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    """The most tokens of one message."""

    timeout_seconds: float = 600.0
    """How long to wait for one whole answer, each try anew."""

    max_retries: int = 8
    """How often a request is sent again after a failure that may pass; `Transport` says which and when."""


class EndpointAgent:
    """A model behind an endpoint, on either API, for any number of episodes at a time.

    Raises:
        OptionError: The model does not take one of the options.
        MissingKeyError: No key, and the user named no endpoint that could do without.
    """

    def __init__(self, entry: ModelEntry, options: EndpointOptions | None = None) -> None:
        options = options or EndpointOptions()
        api = options.api or entry.api
        self._entry = entry
        self._wire = _WIRES[api]
        self._parameters = entry.parameters(
            api,
            temperature=options.temperature,
            reasoning_effort=options.reasoning_effort,
            max_tokens=options.max_tokens,
        )
        self._base_url = _base_url(options.base_url) or entry.base_url
        self._transport = Transport(
            base_url=self._base_url,
            timeout_seconds=_timeout(options.timeout_seconds),
            max_retries=_max_retries(options.max_retries),
            key=_key(entry, endpoint_named=options.base_url is not None),
            key_name=entry.api_key_env or "api_key_env (models.toml)",
            secrets=Secrets.of_run([entry], self._base_url),
        )

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode; calls that the model makes in its last turn are not run, it could not see their results.

        Raises:
            EndpointError: The endpoint failed for good; holds the reply up to there.
        """
        transcript = self._wire.opening(task)
        offered = [self._wire.tool(tool) for tool in tools.tools]
        turns: list[Turn] = []
        while len(turns) < budget.max_turns:
            try:
                turn = self._turn(transcript, offered)
            except EndpointError as error:
                error.reply = _unfinished(transcript, turns)
                raise
            turns.append(turn)
            transcript += turn.items
            if turn.finish is not None or len(turns) == budget.max_turns:
                break
            for call in turn.calls:
                text = tools.call(call.name, call.arguments, turn=len(turns))
                transcript.append(self._wire.result(call, _encodable(text)))
        last = turns[-1] if turns and turns[-1].finish is not None else None
        return Reply(
            text=last.text if last else "",
            finish=last.finish if last and last.finish else Finish.TURNS,
            turns=len(turns),
            messages=tuple(transcript),
            usage=total([turn.usage for turn in turns]),
        )

    def _turn(self, transcript: Sequence[Item], offered: Sequence[Item]) -> Turn:
        body = self._wire.request(self._entry, transcript, offered) | self._parameters
        try:
            return self._transport.send(self._wire.sender, body, self._wire.read)
        except ConversationEndedError as ended:
            return Turn(items=(), calls=(), text="", finish=ended.finish, usage=_NOTHING_USED)


def _unfinished(transcript: Sequence[Item], turns: Sequence[Turn]) -> Reply:
    return Reply(
        text="",
        finish=Finish.TURNS,
        turns=len(turns),
        messages=tuple(transcript),
        usage=total([turn.usage for turn in turns]),
    )


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


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
