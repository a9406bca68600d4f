"""Means over instances with their uncertainty, pass@k and pass^k, and tests of paired differences.

The unit is the instance: several trials of it are averaged first, and never counted as if they were further instances.
SciPy computes quantiles and NumPy permutations; they are imported when a number needs them, not before.
"""

from mpcbench.evaluation.statistics.estimate import CONFIDENCE, Estimate, Method
from mpcbench.evaluation.statistics.instance_trials import InstanceTrials, WorldOf, by_instance, level_world
from mpcbench.evaluation.statistics.interval import amount, clustered, combined, difference, share
from mpcbench.evaluation.statistics.paired import (
    ALPHA,
    POWER,
    PairedTest,
    Spread,
    TestName,
    detectable,
    mcnemar,
    needed_instances,
    needed_trials,
    permutation,
    spread_of,
)
from mpcbench.evaluation.statistics.pass_rate import pass_at_k, pass_hat_k

__all__ = [
    "ALPHA",
    "CONFIDENCE",
    "POWER",
    "Estimate",
    "InstanceTrials",
    "Method",
    "PairedTest",
    "Spread",
    "TestName",
    "WorldOf",
    "amount",
    "by_instance",
    "clustered",
    "combined",
    "detectable",
    "difference",
    "level_world",
    "mcnemar",
    "needed_instances",
    "needed_trials",
    "pass_at_k",
    "pass_hat_k",
    "permutation",
    "share",
    "spread_of",
]
