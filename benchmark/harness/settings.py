"""The settings of a run, checked once: every value that the command line can give."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from mpcbench.benchmark.agents.endpoint.agent import EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol, without_secrets
from mpcbench.benchmark.agents.local.model import LocalOptions
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.harness.option_values import CallBudget, FailOn, SettingsError, Shard, value_of
from mpcbench.evaluation.runs.options import OPTIONS, Subject
from mpcbench.schema.episode import Reveal
from mpcbench.schema.model import AnyLevel

LOCAL = "local"
"""The model that is served on this machine."""

Tags = Literal["hidden", "shown"]
Attribute = Literal["causal"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which episodes to run, and how."""

    folder: Path
    """The folder of the call, which relative paths are relative to."""

    models: tuple[str, ...]
    """In the order given, without repetitions."""

    levels: tuple[AnyLevel, ...] | None
    """Ascending; None for levels 1 to 3, unless rungs or instances ask for level 4."""

    instances: tuple[str, ...]
    """Empty for all."""

    rungs: tuple[int, ...] | None
    """Those of level 4, ascending; None for all."""

    adaptive: bool | None
    """Whether a staircase over the rungs of level 4 chooses instances."""

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

    instructions: str | None
    """What the system prompt says besides."""

    attribute: Attribute | None
    """How failures are attributed to a stage, beside what each episode itself shows."""

    max_turns: int
    max_calls: CallBudget | None
    """How many tool calls of an episode are answered; None for any number."""

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
    """The folder of the run to resume."""

    preflight: bool
    """Whether every endpoint gets a request before the run begins."""

    local: LocalOptions
    """What `--model local` serves."""

    agent: AgentOptions
    """How agents of the user's run."""

    agent_given: tuple[str, ...]
    """The options among these that were given."""

    report: bool
    """Whether the run ends with `report.html`."""

    endpoint: EndpointOptions
    endpoint_given: tuple[str, ...]
    """The options among those of the endpoint that were given; agents without an endpoint ignore them."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any], folder: Path) -> "Settings":
        """The settings that the options make.

        Args:
            options: Values by option name without dashes; missing or None where an option was not given.
            folder: The folder of the call, which relative paths are relative to.

        Raises:
            SettingsError: an option's value is not allowed.
        """
        if options.get("run-dir") is not None and options.get("resume") is not None:
            raise SettingsError("--run-dir: not together with --resume, which names the folder already")
        if options.get("reveal") is not None and options.get("attribute") is not None:
            raise SettingsError("--attribute: not together with --reveal, which already repairs every episode")
        values: dict[Subject, dict[str, Any]] = {subject: {} for subject in Subject}
        for option in OPTIONS:
            value = value_of(option, options.get(option.name), folder)
            if value not in (None, ()) or option.subject in _OWN:
                values[option.subject][option.setting] = value
        own = {name: value for subject in _OWN for name, value in values[subject].items()}
        local, endpoint, agent = values[Subject.LOCAL], values[Subject.ENDPOINT], values[Subject.AGENT]
        if local and LOCAL not in own["models"]:
            raise SettingsError(f"{_typed(Subject.LOCAL, local)[0]}: only with --model {LOCAL}")
        own["levels"] = tuple(sorted(own["levels"])) or None
        enums = {name: choices(endpoint[name]) for name, choices in _ENUMS.items() if name in endpoint}
        return cls(
            folder=folder,
            local=LocalOptions(**local),
            agent=AgentOptions(**agent),
            agent_given=_typed(Subject.AGENT, agent),
            endpoint=EndpointOptions(**endpoint | enums),
            endpoint_given=_typed(Subject.ENDPOINT, endpoint),
            **own,
        )

    def described(self) -> dict[str, Any]:
        """The settings as JSON, without secrets: a URL's user, password and query are left out."""
        endpoint = asdict(self.endpoint)
        if self.endpoint.base_url is not None:
            endpoint["base_url"] = without_secrets(self.endpoint.base_url)
        recorded = (option.setting for option in OPTIONS if option.recorded and option.subject in _OWN)
        told = {name: _json(getattr(self, name)) for name in recorded} | {"endpoint": endpoint}
        for name in _LATER:
            if told[name] is None:  # as in runs of releases without the option
                del told[name]
        return told


_OWN = {Subject.EPISODE, Subject.CASES, Subject.SESSION}
"""The subjects of the options that are fields of `Settings`."""

_LATER = ("instructions", "rungs", "adaptive", "max_calls")
"""Settings that came later, and that the settings of a run record only where they say something."""

_ENUMS = {"api": Api, "tool_protocol": ToolProtocol}


def _typed(subject: Subject, given: Collection[str]) -> tuple[str, ...]:
    """The options of a subject that were given, as they are typed."""
    return tuple(f"--{option.name}" for option in OPTIONS if option.subject is subject and option.setting in given)


def _json(value: object) -> object:
    if isinstance(value, Path | Shard | FailOn | CallBudget):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
