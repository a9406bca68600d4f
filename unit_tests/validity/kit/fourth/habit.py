"""A desk at which tools are called by habit."""

from collections.abc import Callable
from typing import Any, Final

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from unit_tests.validity.kit.core import Mind, Plan

OWNER: Final = ("keyword", "person", "person_id")
"""The parameters of calendar tools that say whose calendar it is."""

Arguments = dict[str, Any]
Answer = Callable[["Habit", str, Arguments], str]


class Habit(Desk):
    """A desk at which tools are called by habit."""

    def __init__(self, mind: Mind, tools: Toolbox, budget: Budget, answer: Answer) -> None:
        super().__init__(tools, budget)
        self.mind, self._answer = mind, answer
        self.met: list[str] = []
        """The owners of the calendars, or the rooms, that were asked for, in order."""

    def call(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool, or go without."""
        return self._answer(self, tool, arguments)

    def plainly(self, tool: str, arguments: Arguments) -> str:
        """Call a tool as it is."""
        return super().call(tool, **arguments)

    def in_vain(self, tool: str, arguments: Arguments) -> None:
        """Call a tool and take no notice of its result, which may be an error."""
        self._tools.call(tool, arguments, turn=self.turn)

    def place(self, owner: str) -> int:
        """Which of the calendars or rooms met so far this is, from 0."""
        if owner not in self.met:
            self.met.append(owner)
        return self.met.index(owner)


def by(answer: Answer) -> Plan:
    """Calling tools by a habit, which says what comes of each call."""
    return Plan(desk=lambda mind, tools, budget: Habit(mind, tools, budget, answer))


def owner_of(arguments: Arguments) -> str:
    """The person whose calendar is asked for, as the tool takes it."""
    return next(str(arguments[name]) for name in OWNER if name in arguments)


def is_of_participant(tool: str, arguments: Arguments) -> bool:
    """Whether a calendar is fetched, and not only one day of it for an event to wait for."""
    return tool == "get_calendar" and ("date" in arguments or arguments["start_date"] != arguments["end_date"])
