"""A run in numbers: computed once, and shown in the terminal, in Markdown, as JSON and in the report."""

from collections.abc import Collection, Iterable

from mpcbench.evaluation.statistics import CONFIDENCE, WorldOf, by_instance, level_world
from mpcbench.evaluation.statistics.averages import LevelSummary, ModelSummary, level_summary, model_summary
from mpcbench.evaluation.statistics.warnings import SummaryWarning, late_errors, warnings
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result


class MixedVersionsError(ValueError):
    """Episodes that were graded by different rules cannot be averaged."""


class Summary(Model):
    """All numbers of a run."""

    confidence: float = CONFIDENCE
    """Of every interval."""

    rows: tuple[LevelSummary, ...]
    """By level and model."""

    overall: tuple[ModelSummary, ...]
    """One for every model, by model."""

    warnings: tuple[SummaryWarning, ...]


def summarise(results: Iterable[Result], *, world_of: WorldOf = level_world) -> list[LevelSummary]:
    """The summary of each level and model, by level and model; the order of the results does not matter.

    Args:
        results: Of one run, or of several.
        world_of: Names the world of an episode; needed only where several data sets are pooled.

    Raises:
        MixedVersionsError: the results carry more than one grading version.
    """
    return list(summary_of(results, world_of=world_of).rows)


def summary_of(
    results: Iterable[Result], *, by_design: Collection[str] = (), world_of: WorldOf = level_world
) -> Summary:
    """The whole summary; the order of the results does not matter.

    Args:
        results: Of one run, or of several.
        by_design: Models that are a ceiling or a floor on purpose; no warning mentions that.
        world_of: Names the world of an episode; needed only where several data sets are pooled.

    Raises:
        MixedVersionsError: the results carry more than one grading version.
    """
    groups: dict[tuple[AnyLevel, str], list[Result]] = {}
    versions = set()
    for result in results:
        groups.setdefault((result.level, result.model), []).append(result)
        versions.add(result.grading_version)
    if len(versions) > 1:
        raise MixedVersionsError(f"the episodes mix grading versions {', '.join(sorted(versions))}")
    levels = [level_summary(*key, groups[key], world_of) for key in sorted(groups)]
    overall = [
        model_summary(
            [one for one in levels if one.model == model],
            [result for (_, of_model), group in groups.items() if of_model == model for result in group],
            world_of,
        )
        for model in sorted({one.model for one in levels})
    ]
    instances = {key: by_instance(group, world_of) for key, group in groups.items()}
    late = [warning for key in sorted(groups) for warning in late_errors(*key, groups[key])]
    found = (*warnings(levels, instances, by_design), *late)
    return Summary(rows=tuple(levels), overall=tuple(overall), warnings=found)
