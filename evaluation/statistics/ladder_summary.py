"""What a summary says of level 4 besides: the horizon, each rung, the mechanisms, and the effort against the plan's."""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Final

from mpcbench.evaluation.statistics import Estimate, InstanceTrials, amount, share
from mpcbench.evaluation.statistics.horizon import Climbed, Horizon, horizon
from mpcbench.evaluation.statistics.mechanism_profile import MechanismEffect, Scored, mechanism_profile
from mpcbench.schema.episode import Traits
from mpcbench.schema.model import Model
from mpcbench.schema.result import Result


class RungSummary(Model):
    """The instances of a rung."""

    rung: int
    instances: int
    """With a scored episode."""

    load: float
    """Their mean composition load."""

    exact_match: Estimate
    f1: Estimate
    tool_calls: float
    """The mean of an episode, as is the next."""

    result_characters: float


class Efficiency(Model):
    """What an episode takes against the plan of the certificate, over the instances that have one.

    Characters stand for tokens, of which models have different kinds: about four characters make one.
    """

    calls: Estimate
    """Tool calls as a multiple of the plan's."""

    characters: Estimate
    """Characters of results as a multiple of those of the plan."""

    acquisition_precision: Estimate
    """The characters of the plan's results as a part of those that the agent read, at most 1."""


class LadderSummary(Model):
    """What is known of a model at level 4; only scored episodes count."""

    horizon: Horizon | None
    rungs: tuple[RungSummary, ...]
    profile: tuple[MechanismEffect, ...]
    """The mechanism that costs most exact matches first."""

    efficiency: Efficiency | None
    """None where no label holds a plan."""


def ladder_summary(instances: Sequence[InstanceTrials]) -> LadderSummary | None:
    """The summary of one model's instances; None if none of them is a scored one of level 4."""
    known = [(one, traits) for one in instances if (traits := _traits(one)) is not None]
    if not known:
        return None
    rungs: dict[int, list[tuple[InstanceTrials, Traits]]] = {}
    for one, traits in known:
        rungs.setdefault(traits.rung, []).append((one, traits))
    return LadderSummary(
        horizon=horizon(climbed(instances)),
        rungs=tuple(_rung(rung, rungs[rung]) for rung in sorted(rungs)),
        profile=mechanism_profile(
            [Scored(traits.rung, traits.mechanisms, _of(one, _EXACT), _of(one, _F1)) for one, traits in known]
        ),
        efficiency=_efficiency(known),
    )


def climbed(instances: Sequence[InstanceTrials]) -> list[Climbed]:
    """What the horizon needs of the scored instances of level 4."""
    return [
        Climbed(traits.rung, traits.load, _of(one, _EXACT)) for one in instances if (traits := _traits(one)) is not None
    ]


def _traits(one: InstanceTrials) -> Traits | None:
    return one.scored[0].ladder if one.scored else None


Measure = Callable[[Result], float | None]


def _score(name: str) -> Measure:
    return lambda result: None if result.scores is None else float(getattr(result.scores, name))


_EXACT: Final[Measure] = _score("exact_match")
_F1: Final[Measure] = _score("f1")


def _of(one: InstanceTrials, measure: Measure) -> float:
    mean = one.mean(measure)
    assert mean is not None
    return mean


def _rung(rung: int, known: Sequence[tuple[InstanceTrials, Traits]]) -> RungSummary:
    exact, f1 = (share([_of(one, measure) for one, _ in known]) for measure in (_EXACT, _F1))
    assert exact is not None
    assert f1 is not None
    return RungSummary(
        rung=rung,
        instances=len(known),
        load=_mean([float(traits.load) for _, traits in known]),
        exact_match=exact,
        f1=f1,
        tool_calls=_mean([_of(one, _calls) for one, _ in known]),
        result_characters=_mean([_of(one, _characters) for one, _ in known]),
    )


def _calls(result: Result) -> float:
    return result.tool_calls


def _characters(result: Result) -> float:
    return result.result_characters or 0


def _efficiency(known: Sequence[tuple[InstanceTrials, Traits]]) -> Efficiency | None:
    found: dict[str, list[float]] = {"calls": [], "characters": [], "acquisition_precision": []}
    for one, traits in known:
        if traits.plan_calls and traits.plan_characters:
            read = _of(one, _characters)
            found["calls"].append(_of(one, _calls) / traits.plan_calls)
            found["characters"].append(read / traits.plan_characters)
            found["acquisition_precision"].append(min(1.0, traits.plan_characters / read) if read else 1.0)
    estimates: Mapping[str, Estimate | None] = {
        name: share(values) if name == "acquisition_precision" else amount(values) for name, values in found.items()
    }
    if any(one is None for one in estimates.values()):
        return None
    return Efficiency.model_validate({name: one.model_dump() for name, one in estimates.items() if one is not None})


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
