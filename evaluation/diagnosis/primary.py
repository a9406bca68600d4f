"""The share of each reason in a failed episode, and which reasons would be worth mending, for rankings of causes."""

from fractions import Fraction

from mpcbench.schema.cause import Diagnosis


def primary_reasons(diagnosis: Diagnosis) -> dict[str, float]:
    """The share of each reason, in the order of the causes; the shares of a failed episode add up to 1.

    Explanations that fit equally well get equal shares, divided equally among the reasons of each. Explanations with
    the same reasons but other records count once. A passed episode has no reasons.
    """
    distinct = _distinct(diagnosis)
    shares: dict[str, Fraction] = {}
    for reasons in distinct:
        for reason in reasons:
            shares[reason] = shares.get(reason, Fraction()) + Fraction(1, len(distinct) * len(reasons))
    return {reason: float(share) for reason, share in shares.items()}


def mended_reasons(diagnosis: Diagnosis) -> dict[str, float]:
    """The share of the episode that mending a reason alone would turn into an exact match, for each reason with one.

    That is known where the task, solved with this mistake and no other, has exactly the answer as its solution: without
    the mistake its solution is the gold. Explanations that fit equally well get equal shares.
    """
    certain = {cause.reason for causes in diagnosis.explanations for cause in causes if cause.reproduces}
    distinct = _distinct(diagnosis)
    return {
        reason: 1 / len(distinct)
        for reasons in distinct
        if len(reasons) == 1
        for reason in reasons
        if reason in certain
    }


def _distinct(diagnosis: Diagnosis) -> list[dict[str, None]]:
    """The reasons of each explanation, in order; the same reasons with other records once."""
    explanations = [dict.fromkeys(cause.reason for cause in causes) for causes in diagnosis.explanations]
    return [reasons for place, reasons in enumerate(explanations) if {*reasons} not in map(set, explanations[:place])]
