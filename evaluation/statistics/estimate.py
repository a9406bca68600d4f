"""An average with the number of instances behind it and its uncertainty."""

from enum import StrEnum
from typing import Final

from mpcbench.schema.model import Model

CONFIDENCE: Final = 0.95
"""Of every interval, two-sided."""


class Method(StrEnum):
    """How an interval was computed; `evaluation.statistics.interval` says when which."""

    STUDENT = "student"
    """Student's t on the instances' values."""

    WILSON = "wilson"
    """Wilson's score interval: every instance has 0 or 1."""

    KORN_GRAUBARD = "korn_graubard"
    """Clopper and Pearson's exact interval with the effective number of instances: nearly all values are the same."""

    CLUSTER_ROBUST = "cluster_robust"
    """Student's t with a cluster-robust standard error: the instances come from several worlds of one level."""

    BY_LEVEL = "by_level"
    """The intervals of several levels, combined."""

    NONE = "none"
    """None: a single value, or values without any spread, of something that has no upper bound."""


class Estimate(Model):
    """A mean over instances with its 95 % interval."""

    mean: float
    n: int
    """The number of instances."""

    low: float | None
    """None, like high, where the method is none."""

    high: float | None
    method: Method
