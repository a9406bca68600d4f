"""Episodes counted and averaged: those of one model at one level, and those of one model at all its levels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any, Final, Literal

from mpcbench.evaluation.diagnosis.primary import mended_reasons, primary_reasons
from mpcbench.evaluation.statistics import (
    Estimate,
    InstanceTrials,
    WorldOf,
    amount,
    by_instance,
    clustered,
    combined,
    pass_at_k,
    pass_hat_k,
    share,
)
from mpcbench.evaluation.statistics.ladder_summary import LadderSummary, ladder_summary
from mpcbench.schema.cause import stage_of
from mpcbench.schema.episode import Added, Usage
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result


class CauseCount(Model):
    """In how many episodes a reason is a primary cause; of several that fit equally well, each gets its share."""

    reason: str
    episodes: float
    mended: float = 0
    """How many of them would be exact matches if this alone were mended, as far as the diagnosis knows."""

    method: Literal["deduced", "observed"] = "deduced"
    """From the calls and the answer; `evaluation.statistics.attribution` counts proven causes. What is observed is a
    symptom of an answer whose cause is not known."""


class PassRate(Model):
    """pass@k and pass^k, averaged over the instances that have at least k scored trials."""

    k: int
    at_least_one: Estimate
    """pass@k: the probability that at least one of k trials passes."""

    every: Estimate
    """pass^k: the probability that all of k trials pass."""


class Estimates(Model):
    """Means over instances with their intervals; each instance is first averaged over its scored trials.

    None where nothing is known. Costs, tokens and capabilities are averaged over the episodes in which they are known.
    """

    f1: Estimate | None = None
    precision: Estimate | None = None
    recall: Estimate | None = None
    exact_match: Estimate | None = None
    ranked_match: Estimate | None = None
    decomposition: Estimate | None = None
    acquisition: Estimate | None = None
    integration: Estimate | None = None
    turns: Estimate | None = None
    tool_calls: Estimate | None = None
    input_tokens: Estimate | None = None
    cached_input_tokens: Estimate | None = None
    """Part of the input tokens."""

    output_tokens: Estimate | None = None
    reasoning_tokens: Estimate | None = None
    """Part of the output tokens."""

    cost_usd: Estimate | None = None
    seconds: Estimate | None = None


class EpisodesSummary(Model):
    """What is known of some episodes of one model."""

    model: str
    grading_version: str
    instances: int
    """With at least one episode, scored or error."""

    trials: int
    """The most episodes of an instance."""

    worlds: int
    """How many worlds the instances belong to."""

    attempted: int
    """Episodes, scored and error."""

    scored: int
    passed: int
    unearned: int = 0
    """Exact matches, part of those passed, to which some needed record was never shown."""

    failed: int
    errors: int
    """Episodes that the endpoint or the harness broke: no part of any average."""

    unparsable: int
    truncated: int
    refused: int
    no_answer: int
    total_input_tokens: int | None = None
    """Over all episodes that report it, errors included; likewise the other totals."""

    total_cached_input_tokens: int | None = None
    total_output_tokens: int | None = None
    total_reasoning_tokens: int | None = None
    total_cost_usd: float | None = None
    cost_unknown: int = 0
    """Episodes, scored or error, that the total cost leaves out."""

    estimates: Estimates = Estimates()

    pass_rates: tuple[PassRate, ...] = ()
    """For k from 1 to the number of scored trials."""

    causes: tuple[CauseCount, ...] = ()
    """The primary causes of failed episodes, the most frequent first."""

    symptoms: tuple[CauseCount, ...] = ()
    """What is observed in failed episodes whose cause is not known, likewise."""

    fix_first: tuple[CauseCount, ...] = ()
    """The causes whose mending alone would give exact matches, those of most first."""


class LevelSummary(EpisodesSummary):
    """All episodes of one model at one level."""

    level: AnyLevel
    ladder: Added[LadderSummary] = None
    """At level 4; elsewhere the field is absent in files."""

    out_of_calls: Added[int] = None
    """How many episodes asked for more tool calls than their budget had, if there was one; else the field is absent."""


class ModelSummary(EpisodesSummary):
    """All episodes of one model at all levels that it ran at.

    Averages are over all instances, so a level counts as much as it has instances. The intervals are those of the
    levels, combined; see `evaluation.statistics.combined`.
    """

    levels: tuple[AnyLevel, ...]


Measure = Callable[[Result], float | None]


def _score(name: str) -> Measure:
    return lambda result: None if result.scores is None else float(getattr(result.scores, name))


def _capability(name: str) -> Measure:
    return lambda result: None if result.diagnosis is None else getattr(result.diagnosis.capability, name)


def _tokens(name: str) -> Measure:
    return lambda result: getattr(result.usage or Usage(), name)


_SHARES: Final[Mapping[str, Measure]] = {
    **{name: _score(name) for name in ("f1", "precision", "recall", "exact_match", "ranked_match")},
    **{name: _capability(name) for name in ("decomposition", "acquisition", "integration")},
}
"""Measures from 0 to 1."""

_AMOUNTS: Final[Mapping[str, Measure]] = {
    "turns": lambda result: result.turns,
    "tool_calls": lambda result: result.tool_calls,
    **{name: _tokens(name) for name in Usage.model_fields},
    "cost_usd": lambda result: result.cost_usd,
    "seconds": lambda result: result.seconds,
}
"""Measures without an upper bound."""


def level_summary(level: AnyLevel, model: str, results: Sequence[Result], world_of: WorldOf) -> LevelSummary:
    """The summary of one model's episodes at one level."""
    instances = by_instance(results, world_of)
    found: dict[str, Estimate | None] = {}
    for name, measure in {**_SHARES, **_AMOUNTS}.items():
        values = [(one, one.mean(measure)) for one in instances]
        found[name] = _mean(
            [(one.world, value) for one, value in values if value is not None],
            most=1 if name in _SHARES else float("inf"),
        )
    return LevelSummary(
        level=level,
        **_counts(model, results, instances),
        estimates=Estimates(**found),
        pass_rates=_pass_rates(instances),
        ladder=ladder_summary(instances),
        out_of_calls=_out_of_calls(results),
    )


def _out_of_calls(results: Sequence[Result]) -> int | None:
    budgeted = [one for one in results if one.max_calls is not None]
    return sum(one.tool_calls > (one.max_calls or 0) for one in budgeted) if budgeted else None


def model_summary(levels: Sequence[LevelSummary], results: Sequence[Result], world_of: WorldOf) -> ModelSummary:
    """The summary of one model at all levels.

    Args:
        levels: The summaries of its levels.
        results: Its episodes, those that these are made of.
        world_of: Names the world of an episode.
    """
    instances = by_instance(results, world_of)
    found = {name: combined([getattr(one.estimates, name) for one in levels]) for name in Estimates.model_fields}
    return ModelSummary(
        levels=tuple(one.level for one in levels),
        **_counts(levels[0].model, results, instances),
        estimates=Estimates(**found),
        pass_rates=_combined_pass_rates(levels),
    )


def _mean(values: Sequence[tuple[str, float]], *, most: float) -> Estimate | None:
    """Of worlds and values by instance."""
    worlds, plain = [world for world, _ in values], [value for _, value in values]
    if len(set(worlds)) > 1:
        return clustered(plain, worlds, most=most)
    return share(plain) if most == 1 else amount(plain)


def _counts(model: str, results: Sequence[Result], instances: Sequence[InstanceTrials]) -> dict[str, Any]:
    scored = [result for result in results if result.scores is not None]
    statuses = [result.answer_status for result in scored]
    passed = sum(one.passed for one in instances)
    costs = [result.cost_usd for result in results if result.cost_usd is not None]
    return {
        "model": model,
        "grading_version": results[0].grading_version,
        "instances": len(instances),
        "trials": max(len(one.results) for one in instances),
        "worlds": len({one.world for one in instances}),
        "attempted": len(results),
        "scored": len(scored),
        "passed": passed,
        "unearned": sum(result.unearned for result in results),
        "failed": len(scored) - passed,
        "errors": len(results) - len(scored),
        **{status: statuses.count(status) for status in ("unparsable", "truncated", "refused", "no_answer")},
        **{f"total_{name}": _total(results, _tokens(name)) for name in Usage.model_fields},
        "total_cost_usd": fsum(costs) if costs else None,
        "cost_unknown": len(results) - len(costs),
        **_causes(scored),
    }


def _total(results: Iterable[Result], measure: Measure) -> int | None:
    known = [int(value) for value in map(measure, results) if value is not None]
    return sum(known) if known else None


def _pass_rates(instances: Sequence[InstanceTrials]) -> tuple[PassRate, ...]:
    most = max(len(one.scored) for one in instances)
    rates = []
    for k in range(1, most + 1):
        enough = [one for one in instances if len(one.scored) >= k]
        at_least_one, every = (
            _mean([(one.world, estimator(len(one.scored), one.passed, k)) for one in enough], most=1)
            for estimator in (pass_at_k, pass_hat_k)
        )
        assert at_least_one is not None
        assert every is not None
        rates.append(PassRate(k=k, at_least_one=at_least_one, every=every))
    return tuple(rates)


def _combined_pass_rates(levels: Sequence[LevelSummary]) -> tuple[PassRate, ...]:
    """For every k that all levels with scored episodes have."""
    rates = []
    for level_rates in zip(*(one.pass_rates for one in levels if one.scored), strict=False):
        at_least_one = combined([rate.at_least_one for rate in level_rates])
        every = combined([rate.every for rate in level_rates])
        assert at_least_one is not None
        assert every is not None
        rates.append(PassRate(k=level_rates[0].k, at_least_one=at_least_one, every=every))
    return tuple(rates)


def _causes(scored: Iterable[Result]) -> dict[str, tuple[CauseCount, ...]]:
    """The causes, the symptoms, and what to fix first."""
    shares: dict[str, list[float]] = {}
    mended: dict[str, list[float]] = {}
    for result in scored:
        if result.diagnosis is not None:
            for found, parts in ((shares, primary_reasons), (mended, mended_reasons)):
                for reason, part in parts(result.diagnosis).items():
                    found.setdefault(reason, []).append(part)
    counted = [
        CauseCount(
            reason=reason,
            episodes=fsum(parts),
            mended=fsum(mended.get(reason, ())),
            method="observed" if stage_of(reason) is None else "deduced",
        )
        for reason, parts in shares.items()
    ]
    ranked = sorted(counted, key=lambda one: (-one.episodes, one.reason))
    return {
        "causes": tuple(one for one in ranked if one.method == "deduced"),
        "symptoms": tuple(one for one in ranked if one.method == "observed"),
        "fix_first": tuple(sorted((one for one in ranked if one.mended), key=lambda one: -one.mended)),
    }
