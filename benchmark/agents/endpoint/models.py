"""What `models.toml` says of the models behind an endpoint; the comments in that file explain each key."""

import re
import tomllib
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, Field, JsonValue, Strict, StrictBool, StrictInt, ValidationError

from mpcbench.benchmark.agents.endpoint.prices import Price
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.model import Model

MODELS_FILE = COMMITTED / "models.toml"

_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADERS_OF_HTTP = {
    "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
    "te", "trailer", "transfer-encoding", "upgrade",
}  # fmt: skip
_OF_A_KEY = re.compile("authorization|cookie|credential|key|password|secret|token", re.IGNORECASE)
"""What the names of headers hold that carry keys."""


class ModelsFileError(ValueError):
    """The file of models cannot be used; the message names the file and the key."""


class OptionError(ValueError):
    """An option has a value that the model or the endpoint does not take; the message names both."""


class Api(StrEnum):
    """The ways to talk to an endpoint."""

    CHAT = "chat"
    """OpenAI's chat completions, which most servers speak."""

    RESPONSES = "responses"
    """OpenAI's responses."""

    MESSAGES = "messages"
    """Anthropic's messages."""

    GENERATE_CONTENT = "generate-content"
    """Gemini's generateContent."""

    @property
    def is_openai(self) -> bool:
        """Whether it is one of OpenAI's, whose client then says where the endpoint is and what authorises a request."""
        return self in {Api.CHAT, Api.RESPONSES}


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


def header(name: str) -> str:
    """The name itself if a user may choose that header; raises `ValueError` otherwise."""
    if not _HEADER.fullmatch(name):
        raise ValueError("not the name of an HTTP header")
    if name.lower() in _HEADERS_OF_HTTP or name.lower().startswith("x-mpcbench-"):
        raise ValueError("the benchmark sets this header itself")
    return name


def public_header(name: str) -> str:
    """The same for a header whose value is stored with the run."""
    if _OF_A_KEY.search(name):
        raise ValueError("keys do not belong into this file; name their environment variable in headers_env")
    return header(name)


def header_value(value: str) -> str:
    """The value itself if a header can carry it; raises `ValueError` otherwise."""
    if not (value.isascii() and value.isprintable() and value == value.strip()):
        raise ValueError("has characters that no HTTP header can carry")
    return value


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
    top_p: Annotated[float, Strict(), Field(gt=0, le=1)] | None = None
    seed: StrictInt | None = None
    stop: tuple[_Text, ...] = ()
    service_tier: _Text | None = None
    max_tokens: Annotated[StrictInt, Field(ge=1)] | None = None
    headers: dict[Annotated[str, AfterValidator(public_header)], Annotated[str, AfterValidator(header_value)]] = Field(
        default_factory=dict
    )
    headers_env: dict[Annotated[str, AfterValidator(header)], _Text] = Field(default_factory=dict)
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)


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


class ModelsFile(Model):
    """The whole file."""

    default: RequestSettings
    default_of_api: dict[Api, RequestSettings] = Field(default_factory=dict)
    """In place of `default` where the user names this API."""

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


def model_entry(name: str, path: Path = MODELS_FILE, *, api: Api | None = None) -> ModelEntry:
    """The entry of that name; for a name that the file does not have, its default settings with that model.

    Args:
        name: What `--model` names.
        path: Of the file.
        api: The API that the user names, which may have default settings of its own.

    Raises:
        ModelsFileError: The file is missing or malformed.
    """
    file = read_models(path)
    if name in file.models:
        return file.models[name]
    settings = file.default if api is None else file.default_of_api.get(api, file.default)
    return ModelEntry(model=name, **settings.model_dump())
