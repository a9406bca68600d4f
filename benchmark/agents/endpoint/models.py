"""What `models.toml` says of the models behind an endpoint; the comments in that file explain each key."""

import math
import tomllib
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, Field, JsonValue, StrictBool, ValidationError

from mpcbench.benchmark.agents.endpoint.prices import Price
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.model import Model

MODELS_FILE = COMMITTED / "models.toml"


class ModelsFileError(ValueError):
    """The file of models cannot be used; the message names the file and the key."""


class OptionError(ValueError):
    """An option has a value that the model or the endpoint does not take; the message names both."""


class Api(StrEnum):
    """The two ways to talk to an OpenAI-compatible endpoint."""

    CHAT = "chat"
    RESPONSES = "responses"


class ToolProtocol(StrEnum):
    """How a model calls tools."""

    NATIVE = "native"
    """By the API's own tool calls."""

    JSON = "json"
    """By JSON objects in its messages; the tools are in the system prompt."""


def http_url(value: str) -> str:
    """The value itself if it is an absolute http(s) URL; raises `ValueError` otherwise."""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("not a URL that starts with http:// or https:// and names a host")
    try:
        _ = parts.port
    except ValueError:
        # Not its own message: what looks like a port can be the beginning of a password.
        raise ValueError("its port is not a number from 0 to 65535") from None
    return value


def without_secrets(url: str) -> str:
    """The URL without the parts in which keys are passed."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


_Text: TypeAlias = Annotated[str, Field(min_length=1)]


class TokenLimit(Model):
    """The name of the parameter that limits the tokens of one message; None where the API takes none."""

    chat: _Text | None = None
    responses: _Text | None = None


class RequestSettings(Model):
    """How to talk to a model, and which optional parameters it takes."""

    api: Api
    base_url: Annotated[str, AfterValidator(http_url)] | None = None
    api_key_env: _Text | None = None
    temperature: StrictBool = False
    reasoning_effort: tuple[_Text, ...] | Literal["any"] = ()
    token_limit: TokenLimit = TokenLimit()
    parallel_tool_calls: StrictBool | None = None
    encrypted_reasoning: StrictBool = False
    tool_protocol: ToolProtocol = ToolProtocol.NATIVE
    structured_output: StrictBool = False


def ascending(prices: tuple[Price, ...]) -> tuple[Price, ...]:
    """The prices themselves if they are by date; raises `ValueError` otherwise."""
    for earlier, later in pairwise(prices):
        if earlier.since >= later.since:
            raise ValueError(f"since {later.since} follows since {earlier.since}, which is not earlier")
    return prices


class ModelEntry(RequestSettings):
    """One model of the file."""

    model: _Text
    """The name that the endpoint knows."""

    prices: Annotated[tuple[Price, ...], AfterValidator(ascending)] = ()
    """By date, ascending; empty where they are not known."""

    def parameters(
        self,
        api: Api,
        *,
        temperature: float | None = None,
        reasoning_effort: str | None = None,
        max_tokens: int | None = None,
    ) -> dict[str, JsonValue]:
        """The optional parameters of every request, tools or not; None leaves a parameter out.

        Raises:
            OptionError: The model does not take an option that is not None, or not this value of it.
        """
        parameters: dict[str, JsonValue] = {}
        if temperature is not None:
            parameters["temperature"] = self._temperature(temperature)
        if reasoning_effort is not None:
            effort = self._reasoning_effort(reasoning_effort)
            parameters |= {"reasoning_effort": effort} if api is Api.CHAT else {"reasoning": {"effort": effort}}
        if max_tokens is not None:
            parameters[self._token_limit(api)] = _at_least_one(max_tokens)
        return parameters

    def _temperature(self, value: float) -> float:
        if not self.temperature:
            raise OptionError(f"temperature: model {self.model!r} does not take it (models.toml)")
        if not (math.isfinite(value) and value >= 0):
            raise OptionError(f"temperature: {value} is not a number of at least 0")
        return value

    def _reasoning_effort(self, value: str) -> str:
        if self.reasoning_effort == ():
            raise OptionError(f"reasoning effort: model {self.model!r} does not take it (models.toml)")
        if self.reasoning_effort != "any" and value not in self.reasoning_effort:
            allowed = ", ".join(self.reasoning_effort)
            raise OptionError(f"reasoning effort: model {self.model!r} takes {allowed}, not {value!r} (models.toml)")
        return value

    def _token_limit(self, api: Api) -> str:
        name = self.token_limit.chat if api is Api.CHAT else self.token_limit.responses
        if name is None:
            raise OptionError(f"max tokens: model {self.model!r} takes no limit on the {api} API (models.toml)")
        return name


class ModelsFile(Model):
    """The whole file."""

    default: RequestSettings
    models: dict[str, ModelEntry] = Field(default_factory=dict)


def read_models(path: Path = MODELS_FILE) -> ModelsFile:
    """The file, checked; raises `ModelsFileError`."""
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelsFileError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ModelsFileError(f"{path}: not valid TOML: {error}") from None
    try:
        return ModelsFile.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ModelsFileError(f"{path}: {key}: {first['msg']}") from None


def model_entry(name: str, path: Path = MODELS_FILE) -> ModelEntry:
    """The entry of that name; for a name that the file does not have, its default settings with that model.

    Raises:
        ModelsFileError: The file is missing or malformed.
    """
    file = read_models(path)
    if name in file.models:
        return file.models[name]
    return ModelEntry(model=name, **file.default.model_dump())


def _at_least_one(value: int) -> int:
    if value < 1:
        raise OptionError(f"max tokens: {value} is less than 1")
    return value
