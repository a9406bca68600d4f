"""A statement on its way into a text."""

from dataclasses import dataclass

from mpcbench.schema import Statement


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A statement as it will be made in a thread."""

    statement: Statement
    correcting: bool = False
    """Whether it replaces or amends what was said before."""
