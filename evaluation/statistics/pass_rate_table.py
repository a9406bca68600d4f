"""pass@k and pass^k as a table has them: which k get a column, and two lines for each model and level."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mpcbench.evaluation.statistics.averages import EpisodesSummary
from mpcbench.evaluation.statistics.estimate import Estimate

_MOST_COLUMNS: Final = 5


def shown_ks(summaries: Iterable[EpisodesSummary]) -> tuple[int, ...]:
    """Every k from 1 to the largest, or, of more than five, the powers of two and the largest.

    Empty where no instance has two trials: pass@1 is the rate of exact matches.
    """
    most = max((len(one.pass_rates) for one in summaries), default=0)
    if most < 2:
        return ()
    if most <= _MOST_COLUMNS:
        return tuple(range(1, most + 1))
    return tuple(sorted({2**power for power in range(most.bit_length())} | {most}))


def pass_rate_lines(summary: EpisodesSummary, ks: Sequence[int]) -> Iterator[tuple[str, tuple[Estimate | None, ...]]]:
    """The name of each rate and its estimates by k; None where no instance has so many trials."""
    rates = {rate.k: rate for rate in summary.pass_rates}
    yield "pass@k", tuple(rates[k].at_least_one if k in rates else None for k in ks)
    yield "pass^k", tuple(rates[k].every if k in rates else None for k in ks)
