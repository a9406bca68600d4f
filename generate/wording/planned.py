"""Statements that have yet to be put into words."""

from collections.abc import Sequence
from dataclasses import dataclass

from mpcbench.schema import Statement


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A statement to be made in a thread."""

    statement: Statement
    correcting: bool = False
    """Whether it replaces or amends what was said before."""


def planned(statements: Sequence[Statement]) -> tuple[PlannedStatement, ...]:
    """Statements to be made in this order; one that repeats a kind is worded as an addition to what was said."""
    kinds = [statement.kind for statement in statements]
    return tuple(
        PlannedStatement(statement, correcting=statement.kind in kinds[:place])
        for place, statement in enumerate(statements)
    )
