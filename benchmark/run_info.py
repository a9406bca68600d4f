"""What a run's `run.json` says, and whether two runs' episodes may stand in one folder."""

import json
import platform
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmark.agents.agent import Agent
from benchmark.prompts import system_prompt
from benchmark.settings import CHECKOUT, Settings, without_secrets
from benchmark.tools.catalogue import tools_of_level
from evaluation.episode import GRADING_VERSION
from evaluation.run_folder import DataInfo, RunInfo
from schema.dataset import Dataset, instances_path, read_json_lines
from schema.model import Level

_PACKAGES = ("openai", "pydantic", "pytest", "pytest-xdist")
_OF_THE_FOLDER = {"run-dir", "resume"}
_DECIDING = ("models", "paraphrase", "tags", "given", "attribute", "max_turns", "final_turn")
"""The settings that change what an episode is."""

_NOT_DECIDING = {"prices", "placement"}
"""What is said of an agent that changes no episode."""


def run_info(
    run_id: str,
    created: datetime,
    settings: Settings,
    options: Mapping[str, Any],
    dataset: Dataset,
    levels: Iterable[Level],
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
        prompts_sha256={f"level{level}": _prompts(level) for level in levels},
        data=DataInfo(versions=data_versions(dataset, levels), sha256=dataset.hashes(levels)),
        grading_version=GRADING_VERSION,
        versions=_versions(),
    )


def described(agent: Agent) -> dict[str, Any] | None:
    """What an agent says of itself; None where it says nothing."""
    describe = getattr(agent, "described", None)
    return None if describe is None else describe()


def data_versions(dataset: Dataset, levels: Iterable[Level]) -> dict[str, Any]:
    """By level, what the files say of their origin."""
    versions = {}
    for level in levels:
        _, first = next(read_json_lines(dataset.folder / instances_path(level)))
        if isinstance(first, dict):
            versions[f"level{level}"] = {key: first.get(key) for key in ("schema_version", "generator_version", "seed")}
    return versions


def differences(earlier: RunInfo, later: RunInfo) -> Iterator[str]:
    """Why episodes of the two may not stand in one folder, one line each: what was, and what is asked for."""
    if earlier.grading_version != later.grading_version:
        yield f"grading version {earlier.grading_version}, not {later.grading_version}"
    yield from _changed("", *({name: info.settings.get(name) for name in _DECIDING} for info in (earlier, later)))
    for model in sorted(earlier.agents.keys() & later.agents.keys()):
        yield from _changed(f"{model}: ", *(_deciding(info.agents[model]) for info in (earlier, later)))
    for level in sorted(earlier.prompts_sha256.keys() & later.prompts_sha256.keys()):
        if earlier.prompts_sha256[level] != later.prompts_sha256[level]:
            yield f"other prompts or tools at {level}"
    for file in sorted(earlier.data.sha256.keys() & later.data.sha256.keys()):
        if earlier.data.sha256[file] != later.data.sha256[file]:
            yield f"other data: {file} has another SHA-256"


def joined(earlier: RunInfo, later: RunInfo) -> RunInfo:
    """The earlier run's information with what a later session of it adds: levels, settings, planned cases."""
    return later.model_copy(
        update={
            "run_id": earlier.run_id,
            "created": earlier.created,
            "prompts_sha256": earlier.prompts_sha256 | later.prompts_sha256,
            "data": DataInfo(
                versions=earlier.data.versions | later.data.versions, sha256=earlier.data.sha256 | later.data.sha256
            ),
            "cases": tuple(dict.fromkeys((*earlier.cases, *later.cases))),
        }
    )


def _changed(what: str, earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(earlier.keys() | later.keys()):
        was, now = earlier.get(key), later.get(key)
        if was != now:
            yield f"{what}{key.replace('_', ' ')} {_said(was)}, not {_said(now)}"


def _deciding(agent: Any) -> dict[str, Any]:
    return {key: value for key, value in (agent or {}).items() if key not in _NOT_DECIDING}


def _said(value: object) -> str:
    if isinstance(value, list):
        return "+".join(map(str, value))
    return "none" if value is None else str(value)


def _stored(options: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    given: dict[str, Any] = {
        name: value for name, value in options.items() if value not in (None, []) and name not in _OF_THE_FOLDER
    }
    if "base-url" in given:
        given["base-url"] = without_secrets(given["base-url"])
    if "dataset" in given:
        given["dataset"] = str(settings.dataset.absolute())  # wherever the run is gone on with from
    for name, path in (("gguf", settings.local.gguf), ("chat-template", settings.local.chat_template)):
        if path is not None:
            given[name] = str(path.absolute())
    return given


def _prompts(level: Level) -> str:
    """Of all that a model is told beside the task: the system prompt and what is said of the tools."""
    tools = [[tool.name, tool.description, tool.parameters] for tool in tools_of_level(level)]
    prompt = system_prompt(level, "(that of the world)")  # which the sums of the data cover
    return sha256(json.dumps([prompt, tools], sort_keys=True).encode()).hexdigest()


def _versions() -> dict[str, str]:
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        versions = {"mpcbench": tomllib.load(file)["project"]["version"], "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # an optional one, or not installed as a distribution
            continue
    return versions
