"""The proven cause of a failure: which stage's repair first made the agent right.

A failed episode is run again as it was, as a control, and then with the repairs from the first stage to the last, each
on top of those before: the first that helps names the stage that had failed. With several trials of an instance all
repairs are tried, and what each gains over the one before is averaged over the instances.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Final, get_args

from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.statistics import Estimate, difference
from mpcbench.schema.cause import Stage
from mpcbench.schema.episode import Attribution, AttributionVerdict, Episode, Outcome, RepairTrial, Reveal
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result
from mpcbench.schema.untrusted_text import one_line, printable

REPAIRS: tuple[Reveal, ...] = get_args(Reveal)
"""In the order in which they are tried."""

REPAIRED: dict[Reveal, Stage] = {
    "plan": Stage.DECOMPOSITION,
    "records": Stage.ACQUISITION,
    "constraints": Stage.INTEGRATION,
}
"""The last stage that each repairs."""


class StageGain(Model):
    """What repairing one stage more gains."""

    stage: Stage
    gain: Estimate
    """How much the exact-match rate rises over repairing only the earlier stages: the mean over the instances, each the
    mean over its failed episodes whose repairs were all scored."""


class AttributionRow(Model):
    """The proven causes of one model's failures at one level: how many of each."""

    level: AnyLevel
    model: str
    attributed: int
    """Failed episodes whose repairs were tried."""

    decomposition: int
    acquisition: int
    integration: int
    unstable: int
    """Right when run again as they were."""

    unrepaired: int
    errors: int
    named: int = 0
    """Run again with only the records that the deduced cause names."""

    borne_out: int = 0
    """Of these, exact matches."""

    gains: tuple[StageGain, ...] = ()
    """By stage; empty where the repairs were not all tried, as with a single trial of each instance."""

    largest: Stage | None = None
    """The stage with the largest gain, where the interval of that lies above 0."""


STEPS: tuple[Reveal | None, ...] = (None, *REPAIRS)
"""What a failed episode is run again with; None, the control, comes first."""


NAMED: Final = "named records revealed"
"""What the trial with the records that the deduced cause names is called."""


def repair_trial(reveal: Reveal | None, episode: Episode) -> RepairTrial:
    """What counts of an episode that ran with something handed over."""
    scores = episode.scores
    return RepairTrial(
        reveal=reveal,
        outcome=episode.outcome,
        f1=None if scores is None else scores.f1,
        exact_match=None if scores is None else scores.exact_match,
        fault=episode.fault,
        usage=None if episode.reply is None else episode.reply.usage,
        cost_usd=episode.cost_usd,
    )


def named_records(episode: Episode) -> tuple[str, ...]:
    """The records that the deduced cause of an episode names; of several explanations, those of the first.

    What has no stage is no cause, and names none.
    """
    found = () if episode.diagnosis is None else episode.diagnosis.explanations[:1]
    causes = (cause for causes in found for cause in causes if cause.stage is not None)
    records = (evidence.record for cause in causes for evidence in cause.evidence)
    return tuple(dict.fromkeys(record for record in records if record is not None))


def decides(trial: RepairTrial) -> bool:
    """Whether no later repair can change the attribution."""
    return trial.outcome is not Outcome.FAILED


def attribution(trials: Sequence[RepairTrial], named: RepairTrial | None = None) -> Attribution:
    """What the trials show, which were made in the order of `STEPS`, at least until one decided.

    The trial with the records that the deduced cause names proves no stage and changes no verdict.
    """
    first = _deciding(trials)
    if first.outcome is Outcome.ERROR:
        verdict = AttributionVerdict.ERROR
    elif first.outcome is Outcome.FAILED:
        verdict = AttributionVerdict.UNREPAIRED
    elif first.reveal is None:
        verdict = AttributionVerdict.UNSTABLE
    else:
        proven = REPAIRED[first.reveal]
        return Attribution(verdict=AttributionVerdict.PROVEN, proven=proven, trials=tuple(trials), named=named)
    return Attribution(verdict=verdict, proven=None, trials=tuple(trials), named=named)


def _deciding(trials: Sequence[RepairTrial]) -> RepairTrial:
    return next(filter(decides, trials), trials[-1])


def explain_attribution(found: Attribution) -> str:
    """The attribution for people at a terminal."""
    rows = [
        (
            NAMED if trial is found.named else "as it was" if trial.reveal is None else f"{trial.reveal} revealed",
            trial.outcome.value,
            printable(one_line(f"{trial.fault.kind}: {trial.fault.message}", 200))
            if trial.fault is not None
            else f"F1 {trial.f1:.3f}",
        )
        for trial in found.reruns
    ]
    return "\n".join(["Proven cause", f"  {verdict_text(found)}", *text_table(rows, indent="    ")])


def verdict_text(found: Attribution) -> str:
    """What the trials show, in one line."""
    last = _deciding(found.trials).reveal
    match found.verdict:
        case AttributionVerdict.UNSTABLE:
            return "none is proven: run again as it was, it gives an exact match"
        case AttributionVerdict.PROVEN:
            return f"{found.proven} (proven): the first exact match comes with the {last} revealed"
        case AttributionVerdict.UNREPAIRED:
            return "none is proven: no repair gives an exact match, not even with the constraints revealed"
        case AttributionVerdict.ERROR:
            what = "control" if last is None else f"trial with the {last} revealed"
            return f"none is proven: the {what} is an error"


def attribution_rows(episodes: Iterable[Result]) -> list[AttributionRow]:
    """One row for each level and model with attributed episodes, by level and model."""
    groups: dict[tuple[AnyLevel, str], dict[str, list[Attribution]]] = {}
    for episode in episodes:
        if episode.attribution is not None:
            group = groups.setdefault((episode.level, episode.model), {})
            group.setdefault(episode.instance_id, []).append(episode.attribution)
    return [_row(level, model, groups[level, model]) for level, model in sorted(groups)]


def attribution_table(rows: Sequence[AttributionRow]) -> str:
    """The rows as an aligned text table."""
    names = ("attributed", "decomposition", "acquisition", "integration", "unstable", "unrepaired", "errors")
    lines: list[tuple[str, ...]] = [("level", "model", *names)]
    lines += [(str(row.level), one_line(row.model, 60), *(str(getattr(row, name)) for name in names)) for row in rows]
    return "\n".join(
        [*text_table(lines, right=(0, *range(2, 2 + len(names)))), *_gains_in_words(rows), *_named_in_words(rows)]
    )


def _gains_in_words(rows: Sequence[AttributionRow]) -> Iterator[str]:
    for row in rows:
        if row.gains:
            gains = [f"{one.stage.value} {_gain(one.gain)}" for one in row.gains]
            largest = "none stands out" if row.largest is None else f"proven: {row.largest.value}"
            yield f"level {row.level}, {one_line(row.model, 60)}: gains {', '.join(gains)}; {largest}"


def _named_in_words(rows: Sequence[AttributionRow]) -> Iterator[str]:
    for row in rows:
        if row.named:
            yield (
                f"level {row.level}, {one_line(row.model, 60)}: handed the records that the deduced cause names, "
                f"{row.borne_out} of {row.named} gave an exact match"
            )


def _gain(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return f"{found.mean:+.3f}"
    return f"{found.mean:+.3f} [{found.low:+.2f}, {found.high:+.2f}]"


def _row(level: AnyLevel, model: str, by_instance: Mapping[str, Sequence[Attribution]]) -> AttributionRow:
    found = [one for attributions in by_instance.values() for one in attributions]
    gains = tuple(_gains([by_instance[name] for name in sorted(by_instance)]))
    best = max(gains, key=lambda one: one.gain.mean, default=None)
    stands_out = best is not None and best.gain.low is not None and best.gain.low > 0
    proven = [one.proven for one in found]
    verdicts = [one.verdict for one in found]
    named = [one.named for one in found if one.named is not None]
    return AttributionRow(
        level=level,
        model=model,
        attributed=len(found),
        decomposition=proven.count(Stage.DECOMPOSITION),
        acquisition=proven.count(Stage.ACQUISITION),
        integration=proven.count(Stage.INTEGRATION),
        unstable=verdicts.count(AttributionVerdict.UNSTABLE),
        unrepaired=verdicts.count(AttributionVerdict.UNREPAIRED),
        errors=verdicts.count(AttributionVerdict.ERROR),
        named=len(named),
        borne_out=sum(trial.outcome is Outcome.PASSED for trial in named),
        gains=gains,
        largest=best.stage if best is not None and stands_out else None,
    )


def _gains(instances: Iterable[Sequence[Attribution]]) -> Iterator[StageGain]:
    """What each repair gains over the one before it; nothing where a series ended with the first repair that helped."""
    rates = []
    instances = list(instances)
    if any(len(one.trials) < len(STEPS) for attributions in instances for one in attributions):
        return
    for attributions in instances:
        matches = [[trial.exact_match for trial in one.trials] for one in attributions]
        whole = [series for series in matches if None not in series]
        if whole:
            rates.append([fsum(map(bool, step)) / len(whole) for step in zip(*whole, strict=True)])
    for number, reveal in enumerate(REPAIRS, start=1):
        gain = difference([rate[number] - rate[number - 1] for rate in rates])
        if gain is not None:
            yield StageGain(stage=REPAIRED[reveal], gain=gain)
