"""What each mechanism of level 4 does to a model's scores at equal load."""

from collections.abc import Iterator, Sequence
from math import fsum, sqrt
from typing import Final, NamedTuple

from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.model import Model

_DIGITS: Final = 6
_TAIL: Final = 0.025
_PLAIN: Final = 1e-9


class Scored(NamedTuple):
    """An instance of level 4 with its scores, averaged over its trials."""

    rung: int
    mechanisms: tuple[Mechanism, ...]
    exact_match: float
    f1: float


class Contrast(Model):
    """A score with and without a mechanism, on the same rungs."""

    with_it: float
    without_it: float
    difference: float
    """With minus without."""

    low: float
    """Of the 95 % interval of the difference."""

    high: float
    simultaneous_low: float
    """The interval that holds together with those of all other mechanisms (Bonferroni)."""

    simultaneous_high: float


class MechanismEffect(Model):
    """What a mechanism does at equal load."""

    mechanism: Mechanism
    with_it: int
    """Instances that hold it, on the rungs that have both kinds."""

    without_it: int
    """Those that do not."""

    exact_match: Contrast
    f1: Contrast


def mechanism_profile(instances: Sequence[Scored]) -> tuple[MechanismEffect, ...]:
    """The effect of every mechanism that some rung has with and without, the one that costs most exact matches first.

    Instances are compared within their rung. A rung with a instances that hold the mechanism and b that do not counts
    a b / (a + b), which gives the difference its smallest variance. The error is heteroskedasticity-consistent (HC3,
    MacKinnon and White 1985) in the regression on rungs and the mechanism, with Student's t; where no residual is left, as
    when all instances failed, it is that of Agresti and Caffo (2000).
    """
    strata = {one: _strata(instances, one) for one in Mechanism}
    compared = {one: found for one, found in strata.items() if found}
    effects = []
    for mechanism, found in compared.items():
        exact, f1 = (_contrast(found, place, len(compared)) for place in (0, 1))
        effects.append(
            MechanismEffect(
                mechanism=mechanism,
                with_it=sum(len(one.having) for one in found),
                without_it=sum(len(one.lacking) for one in found),
                exact_match=exact,
                f1=f1,
            )
        )
    return tuple(sorted(effects, key=lambda one: (one.exact_match.difference, one.f1.difference, one.mechanism)))


def in_words(effects: Sequence[MechanismEffect]) -> str:
    """What breaks the model first, or that nothing stands out; empty without any effect.

    A mechanism is named as what breaks it only if its interval excludes 0 together with those of all others.
    """
    if not effects:
        return ""
    proven = [one for one in effects if one.exact_match.simultaneous_high < 0]
    first = (proven or list(effects))[0]
    contrast = first.exact_match
    if contrast.difference >= 0:
        return "no mechanism costs exact matches at equal load"
    told = (
        f"exact match is {contrast.with_it:.0%} with it and {contrast.without_it:.0%} without at equal load, a difference of "
        f"{100 * contrast.difference:+.0f} points [{100 * contrast.low:+.0f}, {100 * contrast.high:+.0f}]"
    )
    if not proven:
        return f"no mechanism stands out; the largest drop is that of {_name(first)}: {told}"
    others = f"; then {', '.join(map(_name, proven[1:]))}" if len(proven) > 1 else ""
    return f"{_name(first)} breaks this model first: {told}{others}"


def _name(effect: MechanismEffect) -> str:
    return mechanism_name(effect.mechanism)


def mechanism_name(mechanism: Mechanism) -> str:
    """For people."""
    return mechanism.value.replace("_", " ")


class _Stratum(NamedTuple):
    """The scores on a rung, each as exact match and F1."""

    having: tuple[tuple[float, float], ...]
    lacking: tuple[tuple[float, float], ...]

    @property
    def weight(self) -> float:
        return len(self.having) * len(self.lacking) / (len(self.having) + len(self.lacking))


def _strata(instances: Sequence[Scored], mechanism: Mechanism) -> tuple[_Stratum, ...]:
    """The rungs with instances of both kinds."""
    rungs: dict[int, tuple[list[tuple[float, float]], list[tuple[float, float]]]] = {}
    for one in instances:
        having, lacking = rungs.setdefault(one.rung, ([], []))
        (having if mechanism in one.mechanisms else lacking).append((one.exact_match, one.f1))
    return tuple(
        _Stratum(tuple(having), tuple(lacking)) for _, (having, lacking) in sorted(rungs.items()) if having and lacking
    )


def _contrast(strata: Sequence[_Stratum], place: int, compared: int) -> Contrast:
    from scipy import special  # noqa: PLC0415 - half a second

    total = fsum(one.weight for one in strata)
    having, lacking = (
        fsum(one.weight * _mean(getattr(one, side), place) for one in strata) / total for side in ("having", "lacking")
    )
    difference = having - lacking
    size = sum(len(one.having) + len(one.lacking) for one in strata)
    freedom = max(size - len(strata) - 1, 1)
    error = sqrt(fsum(_squares(strata, place, difference, total))) / total
    if error < _PLAIN:
        error = _agresti_caffo(strata, place)
    reach, wide = (error * float(special.stdtrit(freedom, 1 - _TAIL / times)) for times in (1, compared))
    return Contrast(
        with_it=_rounded(having),
        without_it=_rounded(lacking),
        difference=_rounded(difference),
        low=_rounded(max(difference - reach, -1)),
        high=_rounded(min(difference + reach, 1)),
        simultaneous_low=_rounded(max(difference - wide, -1)),
        simultaneous_high=_rounded(min(difference + wide, 1)),
    )


def _squares(strata: Sequence[_Stratum], place: int, difference: float, total: float) -> Iterator[float]:
    """The squared parts of the error: each residual, corrected for its leverage, times the centred indicator."""
    for one in strata:
        size = len(one.having) + len(one.lacking)
        share = len(one.having) / size
        mean = _mean((*one.having, *one.lacking), place)
        for values, indicator in ((one.having, 1 - share), (one.lacking, -share)):
            leverage = 1 / size + indicator**2 / total
            for value in values:
                residual = value[place] - mean - difference * indicator
                yield (indicator * residual / max(1 - leverage, _PLAIN)) ** 2 if leverage < 1 - _PLAIN else 0.0


def _agresti_caffo(strata: Sequence[_Stratum], place: int) -> float:
    """The error of a difference of rates with one success and one failure added to each side."""

    def variance(values: Sequence[tuple[float, float]]) -> float:
        rate = (fsum(value[place] for value in values) + 1) / (len(values) + 2)
        return rate * (1 - rate) / (len(values) + 2)

    having = [value for one in strata for value in one.having]
    lacking = [value for one in strata for value in one.lacking]
    return sqrt(variance(having) + variance(lacking))


def _mean(values: Sequence[tuple[float, float]], place: int) -> float:
    return fsum(value[place] for value in values) / len(values)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
