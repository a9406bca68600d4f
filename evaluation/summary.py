"""Episodes counted and averaged by level and model."""

from collections.abc import Iterable, Sequence
from math import fsum

from evaluation.columns import columns
from evaluation.episode import Episode, Outcome, Scores
from evaluation.model_output import one_line
from schema.model import Level, Model


class MixedVersionsError(ValueError):
    """Episodes that were graded by different rules cannot be averaged."""


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


def summarise(episodes: Iterable[Episode]) -> list[Row]:
    """One row for each level and model, by level and model; the order of the episodes does not matter.

    Raises:
        MixedVersionsError: the episodes carry more than one grading version.
    """
    groups: dict[tuple[Level, str], list[Episode]] = {}
    versions = set()
    for episode in episodes:
        groups.setdefault((episode.level, episode.model), []).append(episode)
        versions.add(episode.grading_version)
    if len(versions) > 1:
        raise MixedVersionsError(f"the episodes mix grading versions {', '.join(sorted(versions))}")
    return [_row(level, model, groups[level, model]) for level, model in sorted(groups)]


def table(rows: Sequence[Row]) -> str:
    """The rows as an aligned text table."""
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
    return "\n".join(columns(lines, right=(0, 2, 3, 4, 5)))


def _row(level: Level, model: str, episodes: list[Episode]) -> Row:
    scored = [episode for episode in episodes if episode.scores is not None]
    scores: list[Scores] = [episode.scores for episode in scored if episode.scores is not None]
    statuses = [episode.answer_status for episode in scored]
    replies = [episode.reply for episode in scored if episode.reply is not None]
    usages = [reply.usage for reply in replies if reply.usage is not None]
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
        average_turns=_average(reply.turns for reply in replies),
        average_tool_calls=_average(len(episode.tool_calls) for episode in scored),
        average_input_tokens=_average(usage.input_tokens for usage in usages),
        average_output_tokens=_average(usage.output_tokens for usage in usages),
        average_reasoning_tokens=_average(usage.reasoning_tokens for usage in usages),
        average_seconds=_average(episode.seconds for episode in scored),
    )


def _average(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    # fsum is exact, so the average does not depend on the order in which episodes finished.
    return fsum(known) / len(known) if known else None
