"""The share of each reason in a failed episode, for rankings of causes."""

from fractions import Fraction

from mpcbench.schema.cause import Diagnosis


def primary_reasons(diagnosis: Diagnosis) -> dict[str, float]:
    """The share of each reason, in the order of the causes; the shares of a failed episode add up to 1.

    Explanations that fit equally well get equal shares, divided equally among the reasons of each. Explanations with
    the same reasons but other records count once. A passed episode has no reasons.
    """
    explanations = [dict.fromkeys(cause.reason for cause in causes) for causes in diagnosis.explanations]
    distinct = {frozenset(reasons): reasons for reasons in reversed(explanations)}
    shares: dict[str, Fraction] = {}
    for reasons in reversed(distinct.values()):
        for reason in reasons:
            shares[reason] = shares.get(reason, Fraction()) + Fraction(1, len(distinct) * len(reasons))
    return {reason: float(share) for reason, share in shares.items()}
