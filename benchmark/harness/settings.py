"""The settings of a run, checked once: every value that the command line can give."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from mpcbench.benchmark.agents.endpoint.agent import EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol, without_secrets
from mpcbench.benchmark.agents.local.model import LocalOptions
from mpcbench.evaluation.runs.folder import RUN_FILE
from mpcbench.schema.dataset import COMMITTED, LEVELS
from mpcbench.schema.episode import Reveal, Scores
from mpcbench.schema.model import Level

RUNS = "runs"
"""Where runs have their folders, relative to the folder of the call."""

DEFAULT_MODEL = "reference"
LOCAL = "local"
"""The model that is served on this machine."""

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


class Shard(NamedTuple):
    """A part of the cases, for one machine of several: every one whose place leaves the remainder number - 1."""

    number: int
    """From 1."""

    shards: int

    @classmethod
    def parse(cls, option: str, text: str) -> "Shard":
        """The shard that `K/N` names; raises `SettingsError`."""
        match = re.fullmatch(r"0*([1-9][0-9]{0,5})/0*([1-9][0-9]{0,5})", text)
        if match is None or int(match[1]) > int(match[2]):
            raise SettingsError(f"{option}: {text!r} is not K/N with K from 1 to N")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"


@dataclass(frozen=True, slots=True)
class Settings:
    """Which episodes to run, and how."""

    folder: Path
    """The folder of the call, which relative paths are relative to."""

    models: tuple[str, ...]
    """As given, without repetitions."""

    levels: tuple[Level, ...] | None
    """Ascending; None for every level of the data set."""

    instances: tuple[str, ...]
    """Empty for all."""

    limit: int | None
    trials: int
    """Episodes of each instance and model."""

    shard: Shard | None
    """Which part of these cases; None for all."""

    dataset: Path
    paraphrase: int
    """From 1."""

    tags: Tags
    fail_on: FailOn
    reveal: Reveal | None
    """What every task hands over."""

    attribute: Attribute | None
    """How failures are led back to a stage, beside what each episode itself shows."""

    max_turns: int
    final_turn: bool
    """Whether the last turn of the budget is a forced one; see `Budget`."""

    concurrency: int
    """How many episodes each worker has in flight."""

    budget_usd: float | None
    """No episode starts once the run has cost as much."""

    max_tokens_total: int | None
    """No episode starts once the run has used as many tokens, input and output together."""

    run_dir: Path | None
    """The folder of a new run; None makes one below `runs/`."""

    resume: Path | None
    """The folder of the run to go on with."""

    local: LocalOptions
    """What `--model local` serves."""

    report: bool
    """Whether the run ends with `report.html`."""

    endpoint: EndpointOptions
    endpoint_given: tuple[str, ...]
    """The options among those of the endpoint that were given; agents without an endpoint heed none of them."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any], folder: Path) -> "Settings":
        """The settings that the options make.

        Args:
            options: Values by option name without dashes; missing or None where an option was not given.
            folder: The folder of the call, which relative paths are relative to.

        Raises:
            SettingsError: an option's value is not allowed.
        """

        def one(name: str, read: Callable[[str, str], T], default: T) -> T:
            text = options.get(name)
            return default if text is None else read(f"--{name}", text)

        if options.get("run-dir") is not None and options.get("resume") is not None:
            raise SettingsError("--run-dir: not together with --resume, which names the folder already")
        if options.get("reveal") is not None and options.get("attribute") is not None:
            raise SettingsError("--attribute: not together with --reveal, which already repairs every episode")
        endpoint: dict[str, Any] = {
            name: read(f"--{name}", options[name])
            for name, (_, read) in _ENDPOINT.items()
            if options.get(name) is not None
        }
        models = tuple(dict.fromkeys(_model(text) for text in options.get("model") or [DEFAULT_MODEL]))
        local = {name: one(name, read(folder), None) for name, read in _LOCAL.items()}
        for name, value in local.items():
            if value is not None and LOCAL not in models:
                raise SettingsError(f"--{name}: only with --model {LOCAL}")
        return cls(
            folder=folder,
            models=models,
            levels=_levels(options.get("level") or []),
            instances=tuple(dict.fromkeys(options.get("instance") or [])),
            limit=one("limit", _positive, None),
            trials=one("trials", _positive, 1),
            shard=one("shard", Shard.parse, None),
            dataset=folder / Path(options["dataset"]).expanduser() if options.get("dataset") else COMMITTED,
            paraphrase=int(one("paraphrase", _one_of("1", "2", "3"), "1")),
            tags=one("tags", _one_of(*get_args(Tags)), "hidden"),
            fail_on=FailOn.parse(options.get("fail-on") or "exact"),
            reveal=one("reveal", _one_of(*get_args(Reveal)), None),
            attribute=one("attribute", _one_of(*get_args(Attribute)), None),
            max_turns=one("max-turns", _positive, DEFAULT_MAX_TURNS),
            final_turn=one("final-turn", _one_of("on", "off"), "on") == "on",
            concurrency=one("concurrency", _positive, 1),
            budget_usd=one("budget-usd", _above_zero, None),
            max_tokens_total=one("max-tokens-total", _positive, None),
            run_dir=one("run-dir", _folder(folder), None),
            resume=resumed(options, folder),
            report=one("report", _one_of("on", "off"), "on") == "on",
            local=LocalOptions(*local.values()),
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
            "trials": self.trials,
            "shard": None if self.shard is None else str(self.shard),
            "dataset": str(self.dataset),
            "paraphrase": self.paraphrase,
            "tags": self.tags,
            "fail_on": self.fail_on.text,
            "reveal": self.reveal,
            "attribute": self.attribute,
            "max_turns": self.max_turns,
            "final_turn": self.final_turn,
            "concurrency": self.concurrency,
            "budget_usd": self.budget_usd,
            "max_tokens_total": self.max_tokens_total,
            "endpoint": endpoint,
        }


def resumed(options: Mapping[str, Any], folder: Path) -> Path | None:
    """The run's folder that `--resume` names, by its path or by its name below `runs/`; None without the option.

    Raises:
        SettingsError: there is no run.
    """
    text = options.get("resume")
    if text is None:
        return None
    named = _folder(folder)("--resume", text)
    for path in (named, folder / RUNS / text):
        if (path / RUN_FILE).is_file():
            return path
    raise SettingsError(f"--resume: {text!r} is no folder of a run, nor the name of one in {RUNS}/")


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


def _above_zero(option: str, text: str) -> float:
    value = _number(option, text)
    if value == 0:
        raise SettingsError(f"{option}: {text!r} is not a number above 0")
    return value


def _folder(base: Path) -> Callable[[str, str], Path]:
    def read(option: str, text: str) -> Path:
        if not text.strip() or "\0" in text:
            raise SettingsError(f"{option}: {text!r} is no folder")
        return base / Path(text).expanduser()

    return read


def _file(base: Path) -> Callable[[str, str], Path]:
    def read(option: str, text: str) -> Path:
        if not text.strip() or "\0" in text:
            raise SettingsError(f"{option}: {text!r} is no file")
        return base / Path(text).expanduser()

    return read


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

_LOCAL: dict[str, Callable[[Path], Callable[[str, str], Any]]] = {
    "gguf": _file,
    "chat-template": _file,
    "context": lambda _: _positive,
}
"""The options of the local model in the order of the fields of `LocalOptions`; read with the folder of the call."""

OPTIONS = (
    "model", "level", "instance", "limit", "trials", "shard", "dataset", "paraphrase", "tags", "fail-on", "reveal",
    "attribute", "max-turns", "final-turn", "concurrency", "budget-usd", "max-tokens-total", "run-dir", "resume", "report",
    *_LOCAL, *_ENDPOINT
)  # fmt: skip
"""The names of all options, without dashes."""
