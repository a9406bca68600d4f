"""A statement that has yet to be put into words."""

from dataclasses import dataclass

from mpcbench.schema import Statement


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A statement to be made in a thread."""

    statement: Statement
    correcting: bool = False
    """Whether it replaces or amends what was said before."""
