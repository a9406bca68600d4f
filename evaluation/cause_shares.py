"""The primary cause of an episode, shared among the explanations that fit equally well."""

from evaluation.diagnosis import Diagnosis


def primary_reasons(diagnosis: Diagnosis) -> dict[str, float]:
    """The primary reasons with their shares, which add up to 1; empty if nothing failed.

    Of every explanation that fits equally well the first cause is primary.
    """
    primary = {cause.alternative: cause.reason for cause in reversed(diagnosis.causes)}
    shares: dict[str, float] = {}
    for reason in primary.values():
        shares[reason] = shares.get(reason, 0) + 1 / len(primary)
    return shares
