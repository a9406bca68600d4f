"""The comparison view: the models of all runs side by side, and pairs of them on the instances that both scored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from mpcbench.evaluation.report.number_text import p_text, rate_text, score_text, signed_text
from mpcbench.evaluation.report.overview.episode_list import LONGEST_NAME, letter
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.statistics.averages import EpisodesSummary
from mpcbench.evaluation.statistics.comparison import Comparison, IncomparableError, compare
from mpcbench.evaluation.statistics.comparison_part import ComparisonPart, ComparisonVerdict
from mpcbench.evaluation.statistics.comparison_text import agreement_text
from mpcbench.schema.cause import in_words
from mpcbench.schema.untrusted_text import one_line

_MOST_PAIRS: Final = 6
_MOST_CAUSES: Final = 10


class ComparedModel(NamedTuple):
    """A model in a run."""

    run: int
    model: str


class Link(NamedTuple):
    """An instance that flipped: its name, and the page of the second model's episode."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class PartLine:
    """The comparison at a level, or at all, in words."""

    heading: str
    instances: int
    f1: tuple[str, str, str, str]
    """Of the first, of the second, the difference, its interval."""

    f1_p: str
    exact_match: tuple[str, str, str, str]
    exact_match_p: str
    detectable: str
    verdict: str


@dataclass(frozen=True, slots=True)
class ModelPair:
    """Two models compared, or why they cannot be."""

    names: tuple[str, str]
    refusal: str
    """Why they cannot be compared; empty if they can, and what follows is empty if they cannot."""

    parts: tuple[PartLine, ...] = ()
    gained: tuple[Link, ...] = ()
    lost: tuple[Link, ...] = ()
    causes: tuple[tuple[str, str, str], ...] = ()
    """A cause in words, and how many instances failed so with each, the most moved first; then what is observed."""

    remarks: tuple[str, ...] = ()


def comparison_view(runs: Sequence[ReportedRun]) -> dict[str, Any] | None:
    """The values of the comparison's template; None where there is nothing to compare."""
    models = sorted(
        {ComparedModel(place, one.model) for place, run in enumerate(runs) for one in run.summary.rows},
        key=lambda one: (one.model, one.run),
    )
    if len(models) < 2:
        return None
    several = len(runs) > 1
    names = {one: _name(one, several=several) for one in models}
    pairs = list(combinations(models, 2))
    chosen, which = pairs, ""
    if len(pairs) > _MOST_PAIRS:
        chosen = [(first, second) for first, second in pairs if first.model == second.model]
        which = "Each model is compared with itself in the other runs."
    if not chosen:
        chosen = [(models[0], other) for other in models[1:]]
        which = f"Each is compared with {names[models[0]]}."
    return {
        "names": [names[one] for one in models],
        "beside": list(_beside(runs, models)),
        "pairs": [_pair(runs, first, second, names) for first, second in chosen],
        "which": which,
    }


def _name(compared: ComparedModel, *, several: bool) -> str:
    text = one_line(compared.model, LONGEST_NAME) or "(no name)"
    return f"{text} · {letter(compared.run)}" if several else text


def _beside(
    runs: Sequence[ReportedRun], compared: Sequence[ComparedModel]
) -> Iterator[tuple[str, tuple[EpisodesSummary | None, ...]]]:
    """By level, and for all levels if there are several, the summary of each model."""
    found = {(place, one.model, one.level): one for place, run in enumerate(runs) for one in run.summary.rows}
    levels = sorted({level for _, _, level in found})
    for level in levels:
        yield f"Level {level}", tuple(found.get((one.run, one.model, level)) for one in compared)
    if len(levels) > 1:
        overall = {
            (place, one.model): one
            for place, run in enumerate(runs)
            for one in run.summary.overall
            if one.levels == tuple(levels)
        }
        yield "All levels", tuple(overall.get((one.run, one.model)) for one in compared)


def _pair(
    runs: Sequence[ReportedRun], first: ComparedModel, second: ComparedModel, names: dict[ComparedModel, str]
) -> ModelPair:
    pair = names[first], names[second]
    try:
        found = compare(
            runs[first.run].results,
            runs[second.run].results,
            hashes_a=runs[first.run].info.data.sha256,
            hashes_b=runs[second.run].info.data.sha256,
            names=pair,
            models=(first.model, second.model),
        )
    except IncomparableError as error:
        return ModelPair(pair, one_line(str(error), 500))
    parts = (*found.levels, *(() if found.overall is None else (found.overall,)))
    several = len(runs) > 1
    return ModelPair(
        names=pair,
        refusal="",
        parts=tuple(_part(part, pair) for part in parts),
        gained=tuple(_link(one, second, several=several) for part in found.levels for one in part.gained),
        lost=tuple(_link(one, second, several=several) for part in found.levels for one in part.lost),
        causes=tuple(
            (in_words(move.reason), f"{move.a:.3g}", f"{move.b:.3g}")
            for moves in (found.causes, found.symptoms)
            for move in moves[:_MOST_CAUSES]
        ),
        remarks=tuple(_remarks(found, pair)),
    )


def _part(part: ComparisonPart, names: tuple[str, str]) -> PartLine:
    return PartLine(
        heading="All levels" if part.level is None else f"Level {part.level}",
        instances=part.instances,
        f1=(score_text(part.f1_a.mean), score_text(part.f1_b.mean), *signed_text(part.f1_difference)),
        f1_p=p_text(part.f1_test.p_value),
        exact_match=(
            rate_text(part.exact_match_a.mean),
            rate_text(part.exact_match_b.mean),
            *signed_text(part.exact_match_difference),
        ),
        exact_match_p=p_text(part.exact_match_test.p_value),
        detectable="unknown" if part.detectable is None else "> 1" if part.detectable > 1 else f"{part.detectable:.3f}",
        verdict={
            ComparisonVerdict.A_BETTER: f"{names[0]} is better",
            ComparisonVerdict.B_BETTER: f"{names[1]} is better",
            ComparisonVerdict.INCONCLUSIVE: "inconclusive",
        }[part.verdict],
    )


def _link(instance_id: str, compared: ComparedModel, *, several: bool) -> Link:
    """The address is the one that the report's script reads."""
    name = one_line(instance_id, LONGEST_NAME)
    parameters = {"instance": name, "model": one_line(compared.model, LONGEST_NAME)}
    if several:
        parameters["run"] = letter(compared.run)
    return Link(name, f"#/episode?{urlencode(parameters)}")


def _remarks(found: Comparison, names: tuple[str, str]) -> Iterator[str]:
    if found.horizon is not None:
        text = found.horizon.text(names)
        yield f"{text[:1].upper()}{text[1:]}."
    if found.agreement is not None:
        text = agreement_text(found.agreement)
        yield f"{text[:1].upper()}{text[1:]}."
    for setting, values in found.differing.items():
        yield f"Another setting: {setting} is {values[0]} for {names[0]} and {values[1]} for {names[1]}."
    for name, side in zip(names, (found.a, found.b), strict=True):
        if side.unearned:
            yield f"Exact matches of {name} without being shown the needed records: {len(side.unearned):,} instances."
        if side.left_out:
            yield f"Left out, as only {name} has a score there: {len(side.left_out):,} instances."
