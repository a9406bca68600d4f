"""The description of a run that is stored before it begins."""

import json
import platform
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mpcbench.benchmark.agents.endpoint.models import without_secrets
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.environment.level4.prompts import ladder_prompt
from mpcbench.benchmark.environment.prompts import FINAL_TURN, json_tools_prompt, system_prompt
from mpcbench.benchmark.environment.setting import tools_offered
from mpcbench.benchmark.harness.option_values import TEXT
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.dataset import Dataset, instances_path, read_json_lines
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.model import LADDER, AnyLevel
from mpcbench.schema.run import DataInfo, RunInfo
from mpcbench.version import VERSION

_PACKAGES = ("openai", "pydantic", "pytest", "pytest-xdist")
_OF_THE_FOLDER = {"run-dir", "resume"}


def run_info(
    run_id: str,
    created: datetime,
    settings: Settings,
    options: Mapping[str, Any],
    dataset: Dataset,
    levels: Iterable[AnyLevel],
    agents: Mapping[str, Agent],
) -> RunInfo:
    """What is known of a run before it begins; no cases are planned yet. Raises `DataError`."""
    levels = sorted(set(levels))
    return RunInfo(
        run_id=run_id,
        created=created,
        options=_stored(options, settings),
        settings=settings.described(),
        agents={name: described(agent) for name, agent in agents.items()},
        prompts_sha256={f"level{level}": prompts_sha256(level) for level in levels},
        data=DataInfo(versions=data_versions(dataset, levels), sha256=dataset.hashes(levels)),
        grading_version=GRADING_VERSION,
        versions=_versions(),
    )


def described(agent: Agent) -> dict[str, Any] | None:
    """What an agent says of itself; None where it says nothing."""
    describe = getattr(agent, "described", None)
    return None if describe is None else describe()


def data_versions(dataset: Dataset, levels: Iterable[AnyLevel]) -> dict[str, Any]:
    """By level, what the files say of their origin."""
    versions = {}
    for level in levels:
        _, first = next(read_json_lines(dataset.folder / instances_path(level)))
        if isinstance(first, dict):
            versions[f"level{level}"] = {key: first.get(key) for key in ("schema_version", "generator_version", "seed")}
    return versions


def _stored(options: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    given: dict[str, Any] = {
        name: value for name, value in options.items() if value not in (None, []) and name not in _OF_THE_FOLDER
    }
    if "base-url" in given:
        given["base-url"] = without_secrets(given["base-url"])
    if "dataset" in given:
        given["dataset"] = str(settings.dataset.absolute())  # wherever the run is resumed from
    if settings.instructions is not None:  # so that the run needs no file beside its own
        given["instructions"] = f"{TEXT}{settings.instructions}"
    for name, path in (("gguf", settings.local.gguf), ("chat-template", settings.local.chat_template)):
        if path is not None:
            given[name] = str(path.absolute())
    return given


def prompts_sha256(level: AnyLevel) -> str:
    """The SHA-256 of all that a model is told beside the task, by either protocol of tool calls."""
    tools = tools_offered(level)
    native = [[tool.name, tool.description, tool.parameters] for tool in tools]
    # The sums of the data cover the world's own zone.
    prompt = (
        [ladder_prompt("UTC", plan=plan) for plan in (False, True)] if level == LADDER else system_prompt(level, "UTC")
    )
    told = [prompt, native, json_tools_prompt(tools), FINAL_TURN]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _versions() -> dict[str, str]:
    versions = {"mpcbench": VERSION, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # an optional one, or not installed as a distribution
            continue
    return versions
