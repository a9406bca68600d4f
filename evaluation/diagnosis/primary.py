"""What share of one failed episode each of its reasons has, for rankings of causes."""

from fractions import Fraction

from mpcbench.schema.cause import Diagnosis


def primary_reasons(diagnosis: Diagnosis) -> dict[str, float]:
    """The share of each reason, in the order of the causes; the shares of a failed episode sum up to 1.

    Explanations that fit equally well share equally, and the parts of an explanation share what it has. Explanations
    of the same reasons by other records are one. A passed episode has no reasons.
    """
    told = [dict.fromkeys(cause.reason for cause in causes) for causes in diagnosis.explanations]
    distinct = {frozenset(reasons): reasons for reasons in reversed(told)}
    shares: dict[str, Fraction] = {}
    for reasons in reversed(distinct.values()):
        for reason in reasons:
            shares[reason] = shares.get(reason, Fraction()) + Fraction(1, len(distinct) * len(reasons))
    return {reason: float(share) for reason, share in shares.items()}
