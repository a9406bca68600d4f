"""The settings of a run, checked once: every value that the command line can give."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from benchmark.agents.endpoint import EndpointOptions
from benchmark.models import Api, ToolProtocol, without_secrets
from evaluation.episode import Given, Scores
from schema.dataset import LEVELS
from schema.model import Level

CHECKOUT = Path(__file__).resolve().parent.parent
"""The folder of the committed data set."""

DEFAULT_MODEL = "reference"
DEFAULT_MAX_TURNS = 40

Tags = Literal["hidden", "shown"]
Attribute = Literal["causal"]

T = TypeVar("T")


class SettingsError(ValueError):
    """An option has a value that makes no run; the message is one line that names both."""


@dataclass(frozen=True, slots=True)
class FailOn:
    """Which scores make a case fail: `exact`, `never` or `f1:X`."""

    text: str
    lowest_f1: float | None

    @classmethod
    def parse(cls, text: str) -> "FailOn":
        """The rule of an option's value; raises `SettingsError`."""
        if text == "exact":
            return cls(text, None)
        if text == "never":
            return cls(text, 0.0)
        if re.fullmatch(r"f1:(0(\.\d+)?|1(\.0+)?)", text):
            return cls(text, float(text[3:]))
        raise SettingsError(f"--fail-on: {text!r} is not exact, never or f1:X with X from 0 to 1")

    def fails(self, scores: Scores) -> bool:
        """Whether a case with these scores fails."""
        return not scores.exact_match if self.lowest_f1 is None else scores.f1 < self.lowest_f1


@dataclass(frozen=True, slots=True)
class Settings:
    """Which episodes to run, and how."""

    models: tuple[str, ...]
    """As given, without repetitions."""

    levels: tuple[Level, ...] | None
    """Ascending; None for every level of the data set."""

    instances: tuple[str, ...]
    """Empty for all."""

    limit: int | None
    dataset: Path
    paraphrase: int
    """From 1."""

    tags: Tags
    fail_on: FailOn
    given: Given | None
    """What every task hands over."""

    attribute: Attribute | None
    """How failures are led back to a stage, beside what each episode itself shows."""

    max_turns: int
    final_turn: bool
    """Whether the last turn of the budget is a forced one; see `Budget`."""

    endpoint: EndpointOptions
    endpoint_given: tuple[str, ...]
    """The options among those of the endpoint that were given; agents without an endpoint heed none of them."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any], folder: Path) -> "Settings":
        """The settings that the options make.

        Args:
            options: Values by option name without dashes; missing or None where an option was not given.
            folder: What a relative `--dataset` is relative to.

        Raises:
            SettingsError: an option's value is not allowed.
        """

        def one(name: str, read: Callable[[str, str], T], default: T) -> T:
            text = options.get(name)
            return default if text is None else read(f"--{name}", text)

        if options.get("given") is not None and options.get("attribute") is not None:
            raise SettingsError("--attribute: not together with --given, which already repairs every episode")
        endpoint: dict[str, Any] = {
            name: read(f"--{name}", options[name])
            for name, (_, read) in _ENDPOINT.items()
            if options.get(name) is not None
        }
        return cls(
            models=tuple(dict.fromkeys(_model(text) for text in options.get("model") or [DEFAULT_MODEL])),
            levels=_levels(options.get("level") or []),
            instances=tuple(dict.fromkeys(options.get("instance") or [])),
            limit=one("limit", _positive, None),
            dataset=folder / Path(options["dataset"]).expanduser() if options.get("dataset") else CHECKOUT,
            paraphrase=int(one("paraphrase", _one_of("1", "2", "3"), "1")),
            tags=one("tags", _one_of(*get_args(Tags)), "hidden"),
            fail_on=FailOn.parse(options.get("fail-on") or "exact"),
            given=one("given", _one_of(*get_args(Given)), None),
            attribute=one("attribute", _one_of(*get_args(Attribute)), None),
            max_turns=one("max-turns", _positive, DEFAULT_MAX_TURNS),
            final_turn=one("final-turn", _one_of("on", "off"), "on") == "on",
            endpoint=EndpointOptions(**{_ENDPOINT[name][0]: value for name, value in endpoint.items()}),
            endpoint_given=tuple(f"--{name}" for name in endpoint),
        )

    def described(self) -> dict[str, Any]:
        """The settings as JSON, without secrets: a URL's user, password and query are left out."""
        endpoint = asdict(self.endpoint)
        if self.endpoint.base_url is not None:
            endpoint["base_url"] = without_secrets(self.endpoint.base_url)
        return {
            "models": list(self.models),
            "levels": None if self.levels is None else list(self.levels),
            "instances": list(self.instances),
            "limit": self.limit,
            "dataset": str(self.dataset),
            "paraphrase": self.paraphrase,
            "tags": self.tags,
            "fail_on": self.fail_on.text,
            "given": self.given,
            "attribute": self.attribute,
            "max_turns": self.max_turns,
            "final_turn": self.final_turn,
            "endpoint": endpoint,
        }


def _model(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise SettingsError(f"--model: {text!r} is not a name")
    return text


def _levels(texts: Sequence[str]) -> tuple[Level, ...] | None:
    for text in texts:
        if text not in {str(level) for level in LEVELS}:
            raise SettingsError(f"--level: {text!r} is not 1, 2 or 3")
    return tuple(level for level in LEVELS if str(level) in texts) or None


def _one_of(*allowed: str) -> Callable[[str, str], Any]:
    def read(option: str, text: str) -> str:
        if text not in allowed:
            choices = " or ".join(filter(None, [", ".join(allowed[:-1]), allowed[-1]]))
            raise SettingsError(f"{option}: {text!r} is not {choices}")
        return text

    return read


def _count(option: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise SettingsError(f"{option}: {text!r} is not a whole number from 0")
    return int(text)


def _positive(option: str, text: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
        raise SettingsError(f"{option}: {text!r} is not a whole number from 1")
    return int(text)


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise SettingsError(f"{option}: {text!r} is not a number from 0")
    return value


def _seconds(option: str, text: str) -> float:
    value = _number(option, text)
    if value == 0:
        raise SettingsError(f"{option}: {text!r} is not a number of seconds above 0")
    return value


def _word(option: str, text: str) -> str:
    if not re.fullmatch(r"[a-z_-]+", text):
        raise SettingsError(f"{option}: {text!r} is not a word such as low, medium or high")
    return text


def _url(option: str, text: str) -> str:
    if not re.fullmatch(r"https?://\S+", text):
        raise SettingsError(f"{option}: {without_secrets(text)!r} is not an http:// or https:// URL")
    return text


_ENDPOINT: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "base-url": ("base_url", _url),
    "api": ("api", lambda option, text: Api(_one_of(*Api)(option, text))),
    "tool-protocol": ("tool_protocol", lambda option, text: ToolProtocol(_one_of(*ToolProtocol)(option, text))),
    "temperature": ("temperature", _number),
    "reasoning-effort": ("reasoning_effort", _word),
    "max-tokens": ("max_tokens", _positive),
    "request-timeout": ("timeout_seconds", _seconds),
    "max-retries": ("max_retries", _count),
}
"""The options of the endpoint: the field of `EndpointOptions`, and how the value is read."""

OPTIONS = (
    "model", "level", "instance", "limit", "dataset", "paraphrase", "tags", "fail-on", "given", "attribute", "max-turns",
    "final-turn", *_ENDPOINT
)  # fmt: skip
"""The names of all options, without dashes."""
