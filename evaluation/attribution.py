"""The proven cause of a failure: which stage's repair first made the agent right.

The repairs are tried from the first stage to the last, each on top of those before, so the first that helps
names the stage that had failed.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

from evaluation.columns import columns
from evaluation.diagnosis.cause import Stage
from evaluation.episode import Attribution, Episode, Given, Outcome, RepairTrial, Verdict
from evaluation.model_output import one_line, printable
from schema.model import Level, Model

REPAIRS: tuple[Given, ...] = get_args(Given)
"""In the order in which they are tried."""

REPAIRED: dict[Given, Stage] = {
    "plan": Stage.DECOMPOSITION,
    "records": Stage.ACQUISITION,
    "constraints": Stage.INTEGRATION,
}
"""The last stage that each repairs."""


class AttributionRow(Model):
    """The proven causes of one model's failures at one level: how many of each."""

    level: Level
    model: str
    attributed: int
    """Failed episodes whose repairs were tried."""

    decomposition: int
    acquisition: int
    integration: int
    unrepaired: int
    void: int


def repair_trial(given: Given, episode: Episode) -> RepairTrial:
    """What counts of an episode that ran with something handed over."""
    scores = episode.scores
    return RepairTrial(
        given=given,
        outcome=episode.outcome,
        f1=None if scores is None else scores.f1,
        exact_match=None if scores is None else scores.exact_match,
        fault=episode.fault,
    )


def decides(trial: RepairTrial) -> bool:
    """Whether no later repair can change the attribution."""
    return trial.outcome is not Outcome.FAILED


def attribution(trials: Sequence[RepairTrial]) -> Attribution:
    """What the trials show, which were made in the order of `REPAIRS` until one decided."""
    last = trials[-1]
    match last.outcome:
        case Outcome.PASSED:
            return Attribution(verdict=Verdict.PROVEN, proven=REPAIRED[last.given], trials=tuple(trials))
        case Outcome.ERROR:
            return Attribution(verdict=Verdict.VOID, proven=None, trials=tuple(trials))
        case Outcome.FAILED:
            return Attribution(verdict=Verdict.UNREPAIRED, proven=None, trials=tuple(trials))


def explain_attribution(found: Attribution) -> str:
    """The attribution for people at a terminal."""
    rows = [
        (
            f"given {trial.given}",
            trial.outcome.value,
            printable(one_line(f"{trial.fault.kind}: {trial.fault.message}", 200))
            if trial.fault is not None
            else f"F1 {trial.f1:.3f}",
        )
        for trial in found.trials
    ]
    return "\n".join(["Proven cause", f"  {verdict_text(found)}", *columns(rows, indent="    ")])


def verdict_text(found: Attribution) -> str:
    """What the trials show, in one line."""
    last = found.trials[-1].given
    match found.verdict:
        case Verdict.PROVEN:
            return f"{found.proven} (proven): the first exact match comes with the {last} given"
        case Verdict.UNREPAIRED:
            return "none is proven: no repair gives an exact match, not even with the constraints given"
        case Verdict.VOID:
            return f"none is proven: the trial with the {last} given is void"


def attribution_rows(episodes: Iterable[Episode]) -> list[AttributionRow]:
    """One row for each level and model with attributed episodes, by level and model."""
    groups: dict[tuple[Level, str], list[Attribution]] = {}
    for episode in episodes:
        if episode.attribution is not None:
            groups.setdefault((episode.level, episode.model), []).append(episode.attribution)
    return [_row(level, model, groups[level, model]) for level, model in sorted(groups)]


def attribution_table(rows: Sequence[AttributionRow]) -> str:
    """The rows as an aligned text table."""
    names = ("attributed", "decomposition", "acquisition", "integration", "unrepaired", "void")
    lines: list[tuple[str, ...]] = [("level", "model", *names)]
    lines += [(str(row.level), one_line(row.model, 60), *(str(getattr(row, name)) for name in names)) for row in rows]
    return "\n".join(columns(lines, right=(0, *range(2, 2 + len(names)))))


def _row(level: Level, model: str, found: Sequence[Attribution]) -> AttributionRow:
    proven = [one.proven for one in found]
    verdicts = [one.verdict for one in found]
    return AttributionRow(
        level=level,
        model=model,
        attributed=len(found),
        decomposition=proven.count(Stage.DECOMPOSITION),
        acquisition=proven.count(Stage.ACQUISITION),
        integration=proven.count(Stage.INTEGRATION),
        unrepaired=verdicts.count(Verdict.UNREPAIRED),
        void=verdicts.count(Verdict.VOID),
    )
