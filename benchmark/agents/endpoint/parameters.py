"""The optional parameters of a request: where each API has them, and what `models.toml` or the user asks for."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.models import Api, ModelEntry, OptionError

_PLACES: Final[Mapping[Api, Mapping[str, str]]] = {
    Api.CHAT: {
        "temperature": "temperature",
        "top_p": "top_p",
        "seed": "seed",
        "stop": "stop",
        "service_tier": "service_tier",
        "reasoning_effort": "reasoning_effort",
    },
    Api.RESPONSES: {
        "temperature": "temperature",
        "top_p": "top_p",
        "service_tier": "service_tier",
        "reasoning_effort": "reasoning.effort",
    },
    Api.MESSAGES: {
        "temperature": "temperature",
        "top_p": "top_p",
        "stop": "stop_sequences",
        "service_tier": "service_tier",
        "reasoning_effort": "output_config.effort",
        "max_tokens": "max_tokens",
    },
    Api.GENERATE_CONTENT: {
        "temperature": "generationConfig.temperature",
        "top_p": "generationConfig.topP",
        "seed": "generationConfig.seed",
        "stop": "generationConfig.stopSequences",
        "reasoning_effort": "generationConfig.thinkingConfig.thinkingLevel",
        "max_tokens": "generationConfig.maxOutputTokens",
    },
}
"""The path of each parameter; the limit of the tokens is named by the model's entry on the APIs of OpenAI."""

_OF_THE_BENCHMARK: Final[Mapping[Api, frozenset[str]]] = {
    Api.CHAT: frozenset(
        {"model", "messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "stream", "n"}
    ),
    Api.RESPONSES: frozenset(
        {
            "model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "text.format", "include",
            "store", "stream", "background", "previous_response_id", "conversation",
        }
    ),
    Api.MESSAGES: frozenset(
        {"model", "messages", "system", "tools", "tool_choice", "output_config.format", "stream"}
    ),
    Api.GENERATE_CONTENT: frozenset(
        {
            "contents", "systemInstruction", "tools", "toolConfig", "generationConfig.responseMimeType",
            "generationConfig.responseJsonSchema", "generationConfig.responseSchema", "generationConfig.candidateCount",
        }
    ),
}  # fmt: skip
"""The fields that `extra_body` must leave alone: what the benchmark sends or relies on."""


def parameters(
    entry: ModelEntry,
    api: Api,
    *,
    temperature: float | None = None,
    reasoning_effort: str | None = None,
    max_tokens: int | None = None,
) -> dict[str, JsonValue]:
    """The optional parameters of every request, tools or not; None leaves a parameter out.

    Raises:
        OptionError: The model or the API does not take an option that is not None, or not this value of it; or
            `extra_body` holds what has a setting of its own or is the benchmark's.
    """
    places = dict(_PLACES[api])
    limit = max_tokens if max_tokens is not None else entry.max_tokens
    if limit is not None and api.is_openai:
        places["max_tokens"] = _token_limit(entry, api)
    if limit is None and api is Api.MESSAGES:
        raise OptionError(
            f"max tokens: the {api} API needs a limit: --max-tokens, or max_tokens of model {entry.model!r} in models.toml"
        )
    if entry.parallel_tool_calls is not None and api is Api.GENERATE_CONTENT:
        raise OptionError(
            f"parallel_tool_calls: the {api} API has no such parameter (model {entry.model!r} in models.toml)"
        )
    asked: dict[str, JsonValue] = {
        "temperature": None if temperature is None else _temperature(entry, temperature),
        "top_p": entry.top_p,
        "seed": entry.seed,
        "stop": list(entry.stop) or None,
        "service_tier": entry.service_tier,
        "reasoning_effort": None if reasoning_effort is None else _reasoning_effort(entry, reasoning_effort),
        "max_tokens": None if limit is None else _at_least_one(limit),
    }
    chosen: dict[str, Any] = {}
    for name, value in asked.items():
        if value is None:
            continue
        if name not in places:
            raise OptionError(f"{name}: the {api} API has no such parameter (model {entry.model!r} in models.toml)")
        chosen = merged(chosen, _at(places[name], value))
    _check_extra(entry, api)
    return merged(chosen, entry.extra_body)


def asked_for(name: str, api: Api, parameters: Mapping[str, JsonValue]) -> JsonValue:
    """The value of a parameter among those that `parameters` returned; None without it."""
    value: Any = parameters
    for part in _PLACES[api][name].split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value  # type: ignore[no-any-return]


def merged(fields: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of both, object by object; in place of a value that is in both, the second one."""
    result = dict(fields)
    for name, value in more.items():
        before = result.get(name)
        result[name] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return result


def _at(path: str, value: JsonValue) -> dict[str, Any]:
    for part in reversed(path.split(".")):
        value = {part: value}
    return value  # type: ignore[return-value]


def _check_extra(entry: ModelEntry, api: Api) -> None:
    own = {place: name for name, place in _PLACES[api].items()}
    names = {entry.token_limit.chat, entry.token_limit.responses} - {None}
    own |= {name: "max_tokens" for name in names if name is not None}
    for path in _paths(entry.extra_body):
        if path in _OF_THE_BENCHMARK[api]:
            raise OptionError(f"extra_body.{path}: the benchmark sets it itself (model {entry.model!r} in models.toml)")
        if path in own:
            option = {"temperature": "--temperature", "reasoning_effort": "--reasoning-effort"}.get(
                own[path], own[path]
            )
            raise OptionError(f"extra_body.{path}: use {option} instead (model {entry.model!r} in models.toml)")


def _paths(value: Mapping[str, JsonValue], prefix: str = "") -> Iterator[str]:
    for name, inner in value.items():
        yield f"{prefix}{name}"
        if isinstance(inner, dict):
            yield from _paths(inner, f"{prefix}{name}.")


def _temperature(entry: ModelEntry, value: float) -> float:
    if not entry.temperature:
        raise OptionError(f"temperature: model {entry.model!r} does not take it (models.toml)")
    if not (math.isfinite(value) and value >= 0):
        raise OptionError(f"temperature: {value} is not a number of at least 0")
    return value


def _reasoning_effort(entry: ModelEntry, value: str) -> str:
    if entry.reasoning_effort == ():
        raise OptionError(f"reasoning effort: model {entry.model!r} does not take it (models.toml)")
    if entry.reasoning_effort != "any" and value not in entry.reasoning_effort:
        allowed = ", ".join(entry.reasoning_effort)
        raise OptionError(f"reasoning effort: model {entry.model!r} takes {allowed}, not {value!r} (models.toml)")
    return value


def _token_limit(entry: ModelEntry, api: Api) -> str:
    name = entry.token_limit.chat if api is Api.CHAT else entry.token_limit.responses
    if name is None:
        raise OptionError(f"max tokens: model {entry.model!r} takes no limit on the {api} API (models.toml)")
    return name


def _at_least_one(value: int) -> int:
    if value < 1:
        raise OptionError(f"max tokens: {value} is less than 1")
    return value
