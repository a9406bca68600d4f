"""`run.json` against what it follows from: settings from options, agents, prompts, and the plan."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.models import Api, ModelsFileError, model_entry
from mpcbench.benchmark.agents.plugged.isolation import Isolation
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import REPLAY
from mpcbench.benchmark.harness.run_info import prompts_sha256
from mpcbench.benchmark.harness.selection import MOST_CASES, select
from mpcbench.benchmark.harness.settings import LOCAL, Settings
from mpcbench.evaluation.runs.folder import RUN_FILE
from mpcbench.evaluation.runs.identity import FURTHER_SELECTIONS
from mpcbench.evaluation.runs.options import OPTIONS, Subject, wrong_option
from mpcbench.evaluation.verify.agents import agent_findings
from mpcbench.evaluation.verify.rerun import replayed
from mpcbench.schema.dataset import LEVELS, DataError, Dataset
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.model import LADDER, AnyLevel
from mpcbench.schema.run import Case, RunInfo
from mpcbench.schema.untrusted_text import one_line

_LEVELS: tuple[AnyLevel, ...] = (*LEVELS, LADDER)
_SELECTING = {option.name for option in OPTIONS if option.subject is Subject.CASES}
_LONGEST = 100
_MOST_SELECTIONS = 1000


def settings_of(info: RunInfo, **changes: Any) -> Settings:
    """The settings that the recorded options make; raises `SettingsError`."""
    options = info.options | changes
    wrong = wrong_option(options)
    if wrong is not None:
        raise SettingsError(f"{wrong}: not a value of the option")
    return Settings.from_options(options, Path())


def run_findings(info: RunInfo, settings: Settings | None, dataset: Dataset) -> Iterator[str]:
    """Every defect of `run.json`; of its settings only that they cannot be made where they are None."""
    found = [*agent_findings(info, settings), *_prompts(info), *_plan(info, settings, dataset)]
    if info.grading_version != GRADING_VERSION:
        found.append(f"$.grading_version: {info.grading_version}, and this is {GRADING_VERSION}")
    if settings is not None:
        found += _settings(info, settings)
    yield from (f"{RUN_FILE}: {finding}" for finding in found)


def run_notes(info: RunInfo) -> Iterator[str]:
    """Replays of runs that are not here, and what `run.json` says of models other than `models.toml` here."""
    for model, agent in info.agents.items():
        if isinstance(agent, dict) and agent.get("isolation") in {Isolation.NONE, Isolation.IN_PROCESS}:
            yield f"{one_line(model, _LONGEST)}: was not isolated, so it could read the labels"
        if model.startswith(REPLAY) and replayed(model, info) is None:
            yield f"{one_line(model, _LONGEST)}: that run is not here, so neither plan nor episodes are compared with it"
        if not isinstance(agent, dict) or not agent.keys() >= {"model", "prices"} or model == LOCAL:
            continue
        try:
            entry = model_entry(model, api=_api(agent))
        except ModelsFileError as error:
            yield str(error)
            return
        if agent["prices"] != [price.model_dump(mode="json") for price in entry.prices]:
            yield f"{RUN_FILE}: the prices of {one_line(model, _LONGEST)} are not those of models.toml here"
        if agent["model"] != entry.model:
            asked = one_line(str(agent["model"]), _LONGEST)
            yield f"{RUN_FILE}: {one_line(model, _LONGEST)} is not the model of models.toml here but {asked}"


def _api(agent: Mapping[str, Any]) -> Api | None:
    """The API of a model's description; None where it names none."""
    return next((api for api in Api if api == agent.get("api")), None)


def _settings(info: RunInfo, settings: Settings) -> Iterator[str]:
    expected, stored = settings.described(), dict(info.settings)
    stored.pop(FURTHER_SELECTIONS, None)
    if "dataset" not in info.options:  # where this benchmark lies, on the machine of the run
        stored["dataset"] = expected["dataset"]
    for name in sorted(expected.keys() | stored.keys()):
        if (name in expected, expected.get(name)) != (name in stored, stored.get(name)):
            yield f"$.settings.{one_line(name, _LONGEST)}: not what the options make"
    for name in sorted(info.options.keys() - {option.name for option in OPTIONS}):
        yield f"$.options: no option {one_line(name, _LONGEST)}"


def _prompts(info: RunInfo) -> Iterator[str]:
    needed = {f"level{level}" for level in {case.level for case in info.cases}}
    expected = {f"level{level}": prompts_sha256(level) for level in _LEVELS}
    for level in sorted(needed | info.prompts_sha256.keys()):
        if level not in expected:
            yield "$.prompts_sha256: names something that is no level"
        elif info.prompts_sha256.get(level) != expected[level]:
            yield f"$.prompts_sha256.{level}: not the prompts and tools of this benchmark"


def _plan(info: RunInfo, settings: Settings | None, dataset: Dataset) -> Iterator[str]:
    if len(set(info.cases)) < len(info.cases):
        yield "$.cases: an episode is planned twice"
    if settings is None:
        return
    try:
        planned = _asked_for(info, settings, dataset)
    except (SettingsError, DataError, TypeError, ValueError) as error:
        yield f"$.settings: no plan follows from them: {error}"
        return
    replays = {model: replayed(model, info) for model in settings.models if model.startswith(REPLAY)}
    missing = sorted(
        (
            case
            for case in planned - set(info.cases)
            if case.model not in replays or ((source := replays[case.model]) is not None and source.holds(case))
        ),
        key=lambda case: case.place,
    )
    if missing and not settings.adaptive:
        yield (
            f"$.cases: lacks {len(missing)} of {len(planned)} episodes that the settings ask for, "
            f"such as {one_line(missing[0].text, _LONGEST)}: deselected (-k), or taken out"
        )
    extra = sorted(set(info.cases) - planned, key=lambda case: case.place)
    if extra:
        yield (
            f"$.cases: holds {len(extra)} episodes that the settings do not ask for, "
            f"such as {one_line(extra[0].text, _LONGEST)}"
        )


def _asked_for(info: RunInfo, settings: Settings, dataset: Dataset) -> set[Case]:
    """The episodes of all selections; raises `SettingsError`, also if they are more than any run has."""
    selections = _further_selections(info)
    if len(selections) > _MOST_SELECTIONS:
        raise SettingsError(f"{FURTHER_SELECTIONS}: {len(selections):,}, and at most {_MOST_SELECTIONS:,} are read")
    cases = list(select(dataset, settings))
    for selection in selections:
        cases += select(dataset, settings_of(info, **dict.fromkeys(_SELECTING) | selection))
        if len(cases) > MOST_CASES:
            raise SettingsError(f"{FURTHER_SELECTIONS}: more than {MOST_CASES:,} episodes")
    return set(cases)


def _further_selections(info: RunInfo) -> list[dict[str, JsonValue]]:
    """What later sessions and other parts selected; raises `SettingsError` if no session writes that."""
    if FURTHER_SELECTIONS not in info.settings:
        return []
    found = info.settings[FURTHER_SELECTIONS]
    selections = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    known = [{name: value for name, value in info.options.items() if name in _SELECTING}]
    for selection in selections:
        if selection in known or not selection.keys() <= _SELECTING:
            raise SettingsError(f"{FURTHER_SELECTIONS}: {one_line(str(selection), _LONGEST)}: no further selection")
        known.append(selection)
    if not selections or selections != found:
        raise SettingsError(f"{FURTHER_SELECTIONS}: no list of selections")
    return selections
