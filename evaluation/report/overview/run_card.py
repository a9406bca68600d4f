"""What a report says of a run as a whole: its name, and everything that made its results what they are."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mpcbench.evaluation.report.overview.episode_list import LONGEST_NAME
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.schema.run import RunInfo
from mpcbench.schema.untrusted_text import one_line

_LONGEST_VALUE: Final = 2_000


class RunFact(NamedTuple):
    """One line of a list of facts."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class RunCard:
    """A run in words."""

    letter: str
    name: str
    created: str
    episodes: str
    grading_version: str
    facts: tuple[tuple[str, tuple[RunFact, ...]], ...]
    """By heading; headings without facts are left out."""


def run_card(letter: str, run: ReportedRun) -> RunCard:
    """The card of a run.

    Args:
        letter: Its name within the report.
        run: The run.
    """
    info = run.info
    number = len(run.results)
    return RunCard(
        letter=letter,
        name=one_line(info.run_id, LONGEST_NAME) or "(no name)",
        created=f"{info.created:%Y-%m-%d %H:%M} UTC",
        episodes=f"{number:,} episode{'s'[: number != 1]}",
        grading_version=info.grading_version,
        facts=tuple((heading, facts) for heading, facts in _headed(info) if facts),
    )


def _headed(info: RunInfo) -> Iterator[tuple[str, tuple[RunFact, ...]]]:
    yield "Settings", _facts(info.settings)
    yield "Options as given", _facts(info.options)
    yield "Agents", _facts(info.agents)
    yield "Data", _facts(info.data.versions)
    yield "Data files (SHA-256)", _facts(info.data.sha256)
    yield "Prompts and tools (SHA-256)", _facts(info.prompts_sha256)
    yield "Versions", _facts({"grading": info.grading_version, **info.versions})


def _facts(values: Mapping[str, Any]) -> tuple[RunFact, ...]:
    return tuple(RunFact(one_line(name, LONGEST_NAME), _written(value)) for name, value in values.items())


def _written(value: Any) -> str:
    """For people: lists of plain values and objects without the marks of JSON."""
    match value:
        case None:
            return "none"
        case str():
            text = value or "(empty)"
        case dict() if value and not any(isinstance(inner, dict | list) for inner in value.values()):
            text = ", ".join(f"{name} {_written(inner)}" for name, inner in value.items())
        case list() if value and not any(isinstance(inner, dict | list) for inner in value):
            text = ", ".join(map(_written, value))
        case _:
            text = json.dumps(value, ensure_ascii=False)
    return one_line(text, _LONGEST_VALUE)
