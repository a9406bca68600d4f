"""Whether the episodes of two runs may share a folder, and whether the available data are those of a run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mpcbench.evaluation.runs.options import OPTIONS, Subject
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.run import DataInfo, RunInfo
from mpcbench.schema.untrusted_text import one_line

_DECIDING = tuple(option.setting for option in OPTIONS if option.subject is Subject.EPISODE)
_SELECTING = {name for one in OPTIONS if one.subject is Subject.CASES for name in (one.name, one.setting)}
"""The options and settings that select cases; a run can be resumed with others, as they do not define it."""

FURTHER_SELECTIONS: Final = "further_selections"
"""The setting that lists the selecting options of later sessions and of other parts, where they differ."""

_LONGEST_VALUE = 60

_SHOWN = {"models", "model", "paraphrase", "tags", "reveal"}
"""What a comparison shows anyway."""

_NOT_DECIDING = {"placement", "prices"}
"""Facts about an agent that change no episode."""


def differences(earlier: RunInfo, later: RunInfo) -> Iterator[str]:
    """Why the episodes of the two may not share a folder; each phrase gives the earlier and the later value."""
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


def differing_settings(a: tuple[RunInfo, str], b: tuple[RunInfo, str]) -> dict[str, tuple[str, str]]:
    """What may make the scores of two runs differ beside model, data and what every result says of itself.

    Args:
        a: The information of run A, and its model that is compared.
        b: The same of run B.

    Returns:
        By setting, its value in A and in B.
    """

    def deciding(info: RunInfo, model: str) -> dict[str, Any]:
        settings = {name: info.settings.get(name) for name in _DECIDING}
        return {**_deciding(info.agents.get(model)), **settings}

    own, other = deciding(*a), deciding(*b)
    return {
        name.replace("_", " "): (_said(own.get(name)), _said(other.get(name)))
        for name in sorted((own.keys() | other.keys()) - _SHOWN)
        if own.get(name) != other.get(name)
    }


def joined(earlier: RunInfo, later: RunInfo) -> RunInfo:
    """The later information with the earlier name, time and selection, and with the planned cases of both."""

    def kept(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
        chosen = {name: value for name, value in was.items() if name in _SELECTING}
        return {**{name: value for name, value in now.items() if name not in _SELECTING}, **chosen}

    further = list(_further_selections(earlier, later))
    settings = kept(earlier.settings, later.settings) | ({FURTHER_SELECTIONS: further} if further else {})
    return later.model_copy(
        update={
            "run_id": earlier.run_id,
            "created": earlier.created,
            "options": kept(earlier.options, later.options),
            "settings": settings,
            "agents": earlier.agents | later.agents,
            "prompts_sha256": earlier.prompts_sha256 | later.prompts_sha256,
            "data": DataInfo(
                versions=earlier.data.versions | later.data.versions, sha256=earlier.data.sha256 | later.data.sha256
            ),
            "cases": tuple(dict.fromkeys((*earlier.cases, *later.cases))),
        }
    )


def _further_selections(earlier: RunInfo, later: RunInfo) -> Iterator[Any]:
    """The selections of the two runs beside the earlier one's own."""
    own = [{name: value for name, value in info.options.items() if name in _SELECTING} for info in (earlier, later)]
    stored = [info.settings.get(FURTHER_SELECTIONS) for info in (earlier, later)]
    added = [value if isinstance(value, list) else [] for value in stored]
    found: list[Any] = [own[0]]
    for selection in (*added[0], own[1], *added[1]):
        if selection not in found:
            found.append(selection)
            yield selection


def data_of(info: RunInfo, folder: Path | None, default: Path) -> Dataset:
    """The data set that a run ran on.

    Args:
        info: What is known of the run.
        folder: Its folder; None to look where it was at the time of the run.
        default: Where to look if it is no longer there.

    Raises:
        DataError: there is no data set, or a file that the run used is another or missing.
    """
    recorded = Path(str(info.settings.get("dataset")))
    dataset = Dataset.open(folder or (recorded if recorded.is_dir() else default))
    found = dataset.hashes()
    for file, expected in sorted(info.data.sha256.items()):
        if found.get(file) != expected:
            what = "is missing" if file not in found else "is not the file that the run used: another SHA-256"
            raise DataError(f"{dataset.folder / file}: {what}")
    return dataset


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
    return "none" if value is None else one_line(str(value), _LONGEST_VALUE)
