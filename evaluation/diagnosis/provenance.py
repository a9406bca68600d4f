"""The provenance of a problem's parameters: the statements behind them and the records that make them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mpcbench.oracle.problem import Constraint, Outside
from mpcbench.oracle.resolve import Located, interval_of
from mpcbench.schema.model import Model

TASK: Final = "task"
"""Represents the task text in place of a record ID."""


class SourcedStatement(NamedTuple):
    """A statement and the record that makes it."""

    record: str
    statement: Any


@dataclass(frozen=True)
class Provenance:
    """The statements about a meeting, oldest first."""

    located: Sequence[Located]

    def every(self, kind: type[Model]) -> list[SourcedStatement]:
        """The statements of a kind."""
        return [
            SourcedStatement(record_of(item), item.statement)
            for item in self.located
            if isinstance(item.statement, kind)
        ]

    def last(self, kind: type[Model]) -> tuple[str, Any]:
        """The record and statement that hold for a kind; the task and None if there is no such statement."""
        return (self.every(kind) or [SourcedStatement(TASK, None)])[-1]

    def behind(self, constraint: Constraint) -> Iterator[SourcedStatement]:
        """The statements of threads that impose a constraint; of deadlines and the like, the one that holds."""
        candidates = [
            SourcedStatement(record_of(item), item.statement)
            for item in self.located
            if item.statement.kind == constraint.kind and record_of(item) in constraint.records
        ]
        match constraint.rule:
            case Outside(span=span):
                yield from (sourced for sourced in candidates if interval_of(sourced.statement) == span)
            case _ if constraint.kind in {"deadline", "not_before"}:
                yield from candidates[-1:]
            case _:
                yield from candidates


def record_of(item: Located) -> str:
    """The record that makes a statement; `task` for the task text."""
    return TASK if item.key.thread is None else f"thread:{item.key.thread}"
