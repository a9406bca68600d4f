"""Episodes counted and averaged by level and model."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum

from evaluation.columns import columns
from evaluation.diagnosis import Diagnosis, in_words
from evaluation.episode import Outcome, Scores
from evaluation.model_output import one_line
from evaluation.result import Result
from schema.model import Level, Model

_CAUSES = 10  # causes listed for a row


class MixedVersionsError(ValueError):
    """Episodes that were graded by different rules cannot be averaged."""


class CauseCount(Model):
    """In how many episodes a reason is a primary cause; of several that fit equally well, each gets its share."""

    reason: str
    episodes: float


class Row(Model):
    """All episodes of one model at one level; averages and rates are over the scored ones, None without any."""

    level: Level
    model: str
    grading_version: str
    attempted: int
    """Scored and void."""

    scored: int
    passed: int
    failed: int
    void: int
    """Episodes that the endpoint or the harness broke: no part of any average."""

    average_f1: float | None
    average_precision: float | None
    average_recall: float | None
    exact_match_rate: float | None
    ranked_match_rate: float | None
    unparsable: int
    truncated: int
    refused: int
    no_answer: int
    average_turns: float | None
    average_tool_calls: float | None
    average_input_tokens: float | None
    """Over the scored episodes whose endpoint counted them; so are the other tokens."""

    average_output_tokens: float | None
    average_reasoning_tokens: float | None
    average_seconds: float | None
    average_decomposition: float | None = None
    """Over the scored episodes in which it is known; so are the other capabilities."""

    average_acquisition: float | None = None
    average_integration: float | None = None
    causes: tuple[CauseCount, ...] = ()
    """The primary causes of failed episodes, the most frequent first."""


def summarise(episodes: Iterable[Result]) -> list[Row]:
    """One row for each level and model, by level and model; the order of the episodes does not matter.

    Raises:
        MixedVersionsError: the episodes carry more than one grading version.
    """
    groups: dict[tuple[Level, str], list[Result]] = {}
    versions = set()
    for episode in episodes:
        groups.setdefault((episode.level, episode.model), []).append(episode)
        versions.add(episode.grading_version)
    if len(versions) > 1:
        raise MixedVersionsError(f"the episodes mix grading versions {', '.join(sorted(versions))}")
    return [_row(level, model, groups[level, model]) for level, model in sorted(groups)]


def table(rows: Sequence[Row]) -> str:
    """The rows as an aligned text table, then the capabilities and the ranking of causes of those that failed."""
    lines = [("level", "model", "episodes", "avg F1", "exact match", "errors")]
    lines += [
        (
            str(row.level),
            one_line(row.model, 60),
            str(row.attempted),
            "-" if row.average_f1 is None else f"{row.average_f1:.3f}",
            "-" if row.exact_match_rate is None else f"{row.exact_match_rate:.1%}",
            str(row.void),
        )
        for row in rows
    ]
    return "\n".join([*columns(lines, right=(0, 2, 3, 4, 5)), *_capabilities_and_causes(rows)])


def _capabilities_and_causes(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.causes:
            yield ""
            scores = (
                ("decomposition", row.average_decomposition),
                ("acquisition", row.average_acquisition),
                ("integration", row.average_integration),
            )
            known = [f"{name} {value:.3f}" for name, value in scores if value is not None]
            yield f"level {row.level}, {one_line(row.model, 60)}" + (f": {', '.join(known)}" if known else "")
            listed = row.causes[:_CAUSES]
            lines = [("", f"{cause.episodes:.3g}", in_words(cause.reason)) for cause in listed]
            yield from columns(lines, right=(1,))
            if len(row.causes) > _CAUSES:
                yield f"  and {len(row.causes) - _CAUSES} other causes"


def _row(level: Level, model: str, episodes: list[Result]) -> Row:
    scored = [episode for episode in episodes if episode.scores is not None]
    scores: list[Scores] = [episode.scores for episode in scored if episode.scores is not None]
    statuses = [episode.answer_status for episode in scored]
    usages = [episode.usage for episode in scored if episode.usage is not None]
    diagnoses = [episode.diagnosis for episode in scored if episode.diagnosis is not None]
    passed = sum(episode.outcome is Outcome.PASSED for episode in scored)
    return Row(
        level=level,
        model=model,
        grading_version=episodes[0].grading_version,
        attempted=len(episodes),
        scored=len(scored),
        passed=passed,
        failed=len(scored) - passed,
        void=len(episodes) - len(scored),
        average_f1=_average(one.f1 for one in scores),
        average_precision=_average(one.precision for one in scores),
        average_recall=_average(one.recall for one in scores),
        exact_match_rate=_average(one.exact_match for one in scores),
        ranked_match_rate=_average(one.ranked_match for one in scores),
        unparsable=statuses.count("unparsable"),
        truncated=statuses.count("truncated"),
        refused=statuses.count("refused"),
        no_answer=statuses.count("no_answer"),
        average_turns=_average(episode.turns for episode in scored),
        average_tool_calls=_average(episode.tool_calls for episode in scored),
        average_input_tokens=_average(usage.input_tokens for usage in usages),
        average_output_tokens=_average(usage.output_tokens for usage in usages),
        average_reasoning_tokens=_average(usage.reasoning_tokens for usage in usages),
        average_seconds=_average(episode.seconds for episode in scored),
        average_decomposition=_average(one.capability.decomposition for one in diagnoses),
        average_acquisition=_average(one.capability.acquisition for one in diagnoses),
        average_integration=_average(one.capability.integration for one in diagnoses),
        causes=_causes(diagnoses),
    )


def _causes(diagnoses: Sequence[Diagnosis]) -> tuple[CauseCount, ...]:
    """The primary cause of an episode is the first of each explanation that fits."""
    shares: dict[str, list[float]] = {}
    for diagnosis in diagnoses:
        primary = {cause.alternative: cause.reason for cause in reversed(diagnosis.causes)}
        for reason in primary.values():
            shares.setdefault(reason, []).append(1 / len(primary))
    counted = [CauseCount(reason=reason, episodes=fsum(share)) for reason, share in shares.items()]
    return tuple(sorted(counted, key=lambda one: (-one.episodes, one.reason)))


def _average(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    # fsum is exact, so the average does not depend on the order in which episodes finished.
    return fsum(known) / len(known) if known else None
