"""What the names given with `--model` mean.

The reference agent's grammar and the flawed agents are imported only when selected: models do not need them.
"""

import os
from collections.abc import Callable, Iterable

from mpcbench.benchmark.agents.baselines import BASELINES, BaselineAgent
from mpcbench.benchmark.agents.command.agent import CommandAgent
from mpcbench.benchmark.agents.command.spec import COMMAND, CommandSpec
from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent
from mpcbench.benchmark.agents.endpoint.models import model_entry, read_models
from mpcbench.benchmark.agents.human.agent import HUMAN, HumanAgent, HumanArgumentError
from mpcbench.benchmark.agents.local.agent import LocalAgent
from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.mcp.agent import MCP, McpAgent
from mpcbench.benchmark.agents.plugged.agent import AgentOptions, PluggedAgent
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.agents.plugged.spec import AgentSpec, AgentSpecError, NoModuleError
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.replay import ReplayAgent
from mpcbench.benchmark.harness.option_values import RUNS, SettingsError
from mpcbench.benchmark.harness.settings import LOCAL, Settings
from mpcbench.schema.dataset import Dataset

REPLAY = "replay:"
"""The prefix of the folder of a run that is to be replayed."""

FLAWED = "flawed:"
"""What names of flawed agents begin with; flaws follow, joined by `+` if there are several."""

UsersAgent = PluggedAgent | CommandAgent | McpAgent
"""An agent that the user brings."""


def agent_named(model: str, settings: Settings, dataset: Dataset, local: LocalModel | None = None) -> Agent:
    """The agent of a name; any name that is no built-in agent is a model's.

    Args:
        model: The name.
        settings: What the run is to be.
        dataset: What it runs on.
        local: What `--model local` serves, where this process serves it.

    Raises:
        SettingsError: there is no flaw, file or module of the name.
        RunError: there is no run to replay.
        OptionError: the model does not take one of the endpoint's options.
        MissingKeyError: the endpoint needs a key that the environment does not hold.
        ModelsFileError: models.toml cannot be used.
    """
    if model == "reference":
        from mpcbench.benchmark.agents.reference.any_level import reference_agent  # noqa: PLC0415 - see above

        return reference_agent
    if model in BASELINES:
        return BaselineAgent(model, dataset)
    if model.startswith(FLAWED):
        from mpcbench.benchmark.agents.flawed import FlawError, any_flawed_agent  # noqa: PLC0415 - see above

        try:
            return any_flawed_agent(model.removeprefix(FLAWED))
        except FlawError as error:
            raise SettingsError(f"--model: {error}") from None
    if model.startswith(REPLAY):
        return ReplayAgent(model.removeprefix(REPLAY), settings.folder)
    if model == LOCAL:
        return LocalAgent(model_entry(model), settings.endpoint, settings.endpoint_given, local)
    found = _human(settings) if model == HUMAN else users_agent(model, settings, dataset)
    return found or EndpointAgent(model_entry(model, api=settings.endpoint.api), settings.endpoint)


def _human(settings: Settings) -> HumanAgent:
    """A person, for whom each episode comes after the other; raises `SettingsError`."""
    if settings.concurrency > 1:
        raise SettingsError(f"--concurrency: --model {HUMAN} plays one episode at a time")
    if settings.trials > 1:
        raise SettingsError(f"--trials: --model {HUMAN} knows the answer after the first")
    if settings.attribute is not None:
        raise SettingsError(f"--attribute: --model {HUMAN} knows the answer after the first episode of an instance")
    if settings.agent.in_process or settings.agent.timeout_seconds != AgentOptions().timeout_seconds:
        raise SettingsError(f"--agent-timeout, --in-process: not for --model {HUMAN}")
    try:
        return HumanAgent(settings.agent.arguments())
    except HumanArgumentError as error:
        raise SettingsError(str(error)) from None


def users_agent(model: str, settings: Settings, dataset: Dataset) -> UsersAgent | None:
    """The agent that `mcp`, `command:…`, `module:attribute` or `file.py:attribute` names; None for a name of a model.

    A model's name may look like that of a module: those that models.toml holds are models, and so are, where an endpoint
    is named, those of which there is no module.

    Raises:
        SettingsError: there is no such program, file or module, or the agent cannot be used.
        ModelsFileError: models.toml cannot be used.
    """
    runs = (folder for folder in (settings.folder / RUNS, settings.run_dir, settings.resume) if folder is not None)
    sandbox = Sandbox(dataset.folder, tuple(runs))
    try:
        if model == MCP:
            return McpAgent(settings.agent)
        if model.startswith(COMMAND):
            return CommandAgent(CommandSpec.of(model, settings.folder), settings.agent, sandbox)
        if ":" not in model or model in read_models().models:
            return None
        spec = AgentSpec.of(model, settings.folder, settings.agent.arguments())
        return None if spec is None else PluggedAgent(spec, settings.agent, sandbox)
    except AgentSpecError as error:
        if isinstance(error, NoModuleError) and (settings.endpoint.base_url or os.environ.get("OPENAI_BASE_URL")):
            return None
        raise SettingsError(str(error)) from None


def agents_of(settings: Settings, dataset: Dataset, local: LocalModel | None = None) -> dict[str, Agent]:
    """The agents of a run by name; raises what `agent_named` raises, and `SettingsError` for useless options."""
    agents = {model: agent_named(model, settings, dataset, local) for model in settings.models}
    if settings.endpoint_given and not any(isinstance(one, EndpointAgent) for one in agents.values()):
        raise SettingsError(f"{settings.endpoint_given[0]}: no model behind an endpoint is selected with --model")
    if settings.agent_given and not any(isinstance(one, UsersAgent | HumanAgent) for one in agents.values()):
        raise SettingsError(
            f"{settings.agent_given[0]}: no agent of yours is selected, such as --model module:attribute or --model {HUMAN}"
        )
    if settings.endpoint.base_url is not None and all(
        isinstance(one, LocalAgent) for one in agents.values() if isinstance(one, EndpointAgent)
    ):
        raise SettingsError(f"--base-url: --model {LOCAL} has a server of its own")
    for name, agent in agents.items():
        if settings.budget_usd is not None and isinstance(agent, EndpointAgent) and not agent.has_price:
            raise SettingsError(f"--budget-usd: the price of {name} is unknown; it can be entered in models.toml")
    return agents


def hiding(agents: Iterable[Agent]) -> Callable[[str], str]:
    """A function that hides the agents' secrets in a text: those that they have when it is called."""
    found = [agent for agent in agents if isinstance(agent, EndpointAgent | UsersAgent)]

    def hide(text: str) -> str:
        for agent in found:
            text = agent.secrets.hide(text)
        return text

    return hide
