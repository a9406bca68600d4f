"""The deterministic engine: `solve(resolve(world, instance))` computes the gold. Pure: values in, values out."""

from mpcbench.oracle.problem import Busy, Constraint, Problem, RoomOption, RoomSearch, UnresolvedError
from mpcbench.oracle.resolve import StatementKey, resolve
from mpcbench.oracle.solve import Solution, solve

__all__ = [
    "Busy",
    "Constraint",
    "Problem",
    "RoomOption",
    "RoomSearch",
    "Solution",
    "StatementKey",
    "UnresolvedError",
    "resolve",
    "solve",
]
