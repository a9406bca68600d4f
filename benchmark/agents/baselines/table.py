"""What the baselines that compose nothing score on a data set."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mpcbench.benchmark.agents.baselines.agent import proposals
from mpcbench.benchmark.agents.baselines.known import baseline_input
from mpcbench.benchmark.agents.baselines.trivial import TRIVIAL
from mpcbench.evaluation.scoring.score import score
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level


class BaselineRow(NamedTuple):
    """The scores of a baseline on one level: means over its instances."""

    level: Level
    baseline: str
    exact_match: float
    f1: float


def baseline_table(dataset: Dataset) -> list[BaselineRow]:
    """The scores of the baselines that compose nothing, level by level."""
    return [row for level in dataset.levels for row in _rows(dataset, level)]


def baseline_markdown(rows: Sequence[BaselineRow]) -> str:
    """A Markdown table with one line per baseline: exact-match rate and mean F1 on each level."""
    levels = list(dict.fromkeys(row.level for row in rows))
    scores = {(row.baseline, row.level): f"{row.exact_match:.0%} | {row.f1:.3f}" for row in rows}
    names = list(dict.fromkeys(row.baseline for row in rows))
    lines = [
        " | ".join(["baseline", *(f"level {level}: exact match | F1" for level in levels)]),
        " | ".join(["---", *("---: | ---:" for _ in levels)]),
        *(" | ".join([f"`{name}`", *(scores[name, level] for level in levels)]) for name in names),
    ]
    return "\n".join(f"| {line} |" for line in lines)


def _rows(dataset: Dataset, level: Level) -> Iterator[BaselineRow]:
    inputs = [baseline_input(dataset, instance) for instance in dataset.instances(level)]
    for name in TRIVIAL:
        scores = [score(proposals(name, known), known.labels[known.instance.instance_id].gold) for known in inputs]
        yield BaselineRow(
            level,
            name,
            exact_match=sum(item.exact_match for item in scores) / len(scores),
            f1=sum(item.f1 for item in scores) / len(scores),
        )
