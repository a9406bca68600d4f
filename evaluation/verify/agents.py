"""What `run.json` says of the agents: each field is one that the harness writes, and as the settings ask."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    Strict,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)

from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol, ascending
from mpcbench.benchmark.agents.endpoint.parameters import asked_for
from mpcbench.benchmark.agents.endpoint.prices import Price
from mpcbench.benchmark.agents.human.agent import HUMAN
from mpcbench.benchmark.agents.plugged.isolation import Isolation
from mpcbench.benchmark.harness.registry import REPLAY
from mpcbench.benchmark.harness.settings import LOCAL, Settings
from mpcbench.evaluation.verify.rerun import needs_no_endpoint
from mpcbench.schema.dataset import json_path
from mpcbench.schema.model import Model
from mpcbench.schema.run import RunInfo
from mpcbench.schema.untrusted_text import one_line

_LONGEST = 100

_Text = Annotated[StrictStr, Field(min_length=1)]


class _Parameters(Model):
    """The optional parameters; those whose names are not here are the user's or of APIs that nest them."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue]

    temperature: Annotated[float, Strict()] | None = None
    top_p: Annotated[float, Strict()] | None = None
    seed: StrictInt | None = None
    reasoning_effort: StrictStr | None = None
    max_tokens: StrictInt | None = None
    max_completion_tokens: StrictInt | None = None
    max_output_tokens: StrictInt | None = None


class _Endpoint(Model):
    """What an agent behind an endpoint says of itself."""

    model: _Text
    api: Api
    base_url: StrictStr | None
    parameters: _Parameters
    headers: dict[str, StrictStr]
    parallel_tool_calls: StrictBool | None
    encrypted_reasoning: StrictBool
    tool_protocol: ToolProtocol
    structured_output: StrictBool
    prices: Annotated[tuple[Price, ...], AfterValidator(ascending)]


class _Local(_Endpoint):
    """What the agent `local` says besides."""

    weights: StrictStr
    weights_bytes: StrictInt
    weights_sha256: StrictStr
    chat_template_sha256: StrictStr | None
    context_tokens: StrictInt
    message_tokens: StrictInt | None
    server: JsonValue
    placement: dict[str, JsonValue]


class _Plugged(Model):
    """What an agent of a user's says of itself."""

    agent: _Text
    args: dict[str, JsonValue]
    file_sha256: StrictStr | None
    isolation: Isolation
    timeout_seconds: Annotated[float, Strict()] | None


class _Human(Model):
    """What is said of a person."""

    player: StrictStr | None


class _Replay(Model):
    """What an agent says that replays a run."""

    replay: StrictStr
    model: StrictStr
    agent: dict[str, JsonValue] | None


def original(model: str, agent: JsonValue) -> tuple[str, JsonValue]:
    """The name and the description of the agent that acted first, where an agent replays another."""
    while model.startswith(REPLAY) and isinstance(agent, dict):
        model, agent = str(agent.get("model")), agent.get("agent")
    return model, agent


def agent_findings(info: RunInfo, settings: Settings | None) -> Iterator[str]:
    """Agents without episodes or descriptions, and descriptions that no agent gives; without the file's name."""
    used = {case.model for case in info.cases}
    for model in sorted(used - info.agents.keys()):
        yield f"$.agents: nothing is said of {one_line(model, _LONGEST)}"
    for model in sorted(info.agents.keys() - used - set(() if settings is None else settings.models)):
        yield f"$.agents: {one_line(model, _LONGEST)} has no episode"
    for model, agent in info.agents.items():
        yield from _agent(f"$.agents[{one_line(model, _LONGEST)}]", model, agent, settings)


def _agent(place: str, model: str, agent: dict[str, Any] | None, settings: Settings | None) -> Iterator[str]:
    if needs_no_endpoint(model):
        if agent is not None:
            yield f"{place}: this agent has no endpoint to describe"
        return
    if agent is None:
        yield f"{place}: no description of an endpoint"
        return
    shape: type[Model] = _Replay if model.startswith(REPLAY) else _Local if model == LOCAL else _Endpoint
    if model == HUMAN:
        shape = _Human
    elif "isolation" in agent:
        shape = _Plugged
    try:
        described = shape.model_validate(agent)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        yield f"{place}{json_path(first['loc'])[1:]}: {one_line(first['msg'], _LONGEST)}"
        return
    if isinstance(described, _Replay):
        yield from _agent(f"{place}.agent", described.model, described.agent, None)
    elif settings is not None:
        named = _asked_for(model, described, settings)
        yield from (f"{place}.{name}: not what the settings ask for" for name, wanted, said in named if wanted != said)


def _asked_for(model: str, agent: Model, settings: Settings) -> list[tuple[str, object, object]]:
    """Fields of a description, each with what the settings ask for and what it says."""
    if isinstance(agent, _Plugged):
        in_process = agent.isolation is Isolation.IN_PROCESS
        return [
            ("args", settings.agent.arguments(), agent.args),
            ("isolation", settings.agent.in_process, in_process),
        ]
    if isinstance(agent, _Human):
        name = settings.agent.arguments().get("name")
        return [("player", None if name is None else str(name), agent.player)]
    assert isinstance(agent, _Endpoint)
    asked, parameters = settings.endpoint, agent.parameters.model_dump(exclude_unset=True)
    described: list[tuple[str, object, object]] = [
        ("api", asked.api or agent.api, agent.api),
        ("tool_protocol", asked.tool_protocol or agent.tool_protocol, agent.tool_protocol),
        ("parameters", asked.temperature, asked_for("temperature", agent.api, parameters)),
        ("parameters", asked.reasoning_effort, asked_for("reasoning_effort", agent.api, parameters)),
    ]
    if asked.max_tokens is not None:
        described.append(("parameters", True, asked.max_tokens in _counts(parameters)))
    if model != LOCAL and asked.base_url is not None:
        described.append(("base_url", settings.described()["endpoint"]["base_url"], agent.base_url))
    return described


def _counts(parameters: Mapping[str, JsonValue]) -> list[int]:
    """The whole numbers among the parameters at any depth; `models.toml` chooses the name of the tokens' limit."""
    found = [value for value in parameters.values() if isinstance(value, int)]
    return found + [count for value in parameters.values() if isinstance(value, dict) for count in _counts(value)]
