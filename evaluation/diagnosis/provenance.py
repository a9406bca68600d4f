"""What was said about a meeting, and where: the records behind the parameters of its problem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mpcbench.oracle.problem import Constraint, Outside
from mpcbench.oracle.resolve import Located, interval_of
from mpcbench.schema.model import Model

TASK: Final = "task"
"""Stands for the task text where a record ID is expected."""


class SourcedStatement(NamedTuple):
    """A statement and the record that it stands in."""

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
        """The statement of a kind that holds, after its record; the task and None where nobody made one."""
        return (self.every(kind) or [SourcedStatement(TASK, None)])[-1]

    def behind(self, constraint: Constraint) -> Iterator[SourcedStatement]:
        """The statements of threads that make a constraint: those that hold."""
        said = [
            SourcedStatement(record_of(item), item.statement)
            for item in self.located
            if item.statement.kind == constraint.kind and record_of(item) in constraint.records
        ]
        match constraint.rule:
            case Outside(span=span):
                yield from (one for one in said if interval_of(one.statement) == span)
            case _ if constraint.kind in {"deadline", "not_before"}:
                yield from said[-1:]
            case _:
                yield from said


def record_of(item: Located) -> str:
    """The record that a statement stands in; `task` for the task text."""
    return TASK if item.key.thread is None else f"thread:{item.key.thread}"
