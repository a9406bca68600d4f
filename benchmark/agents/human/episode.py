"""An episode in a person's hands: the same tools, budget and answer as a model has, and a notebook."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mpcbench.benchmark.agents.human.journal import Journal, Kind
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Tool, Toolbox, ToolError
from mpcbench.evaluation.scoring.answer import parse_answer
from mpcbench.evaluation.scoring.ladder_answer import check_ladder_answer
from mpcbench.schema.episode import Finish, Reply, ToolCall
from mpcbench.schema.model import LADDER


class OverError(ValueError):
    """A move that the episode does not allow any more."""


@dataclass
class HumanEpisode:
    """One person's episode; what the journal holds has been done already.

    Every tool call is a turn, and so is the answer.

    Args:
        task: What the person is told.
        tools: The tools, with an empty log.
        budget: How many turns there are.
        journal: Where every move is kept.
    """

    task: Task
    tools: Toolbox
    budget: Budget
    journal: Journal

    def __post_init__(self) -> None:
        """Do the calls of the journal again, which give the same results."""
        if not self.journal.moves:
            self.journal.add(Kind.BEGIN)
        for move in self.journal.moves:
            if move.kind is Kind.CALL:
                self._called(move.name, move.arguments)

    @property
    def calls(self) -> list[ToolCall]:
        """All calls so far, in order."""
        return self.tools.log

    @property
    def turn(self) -> int:
        """The number of the next turn, from 1."""
        return len(self.calls) + 1

    @property
    def notes(self) -> str:
        """The notebook."""
        return next((move.text for move in reversed(self.journal.moves) if move.kind is Kind.NOTES), "")

    @property
    def has_rooms(self) -> bool:
        """Whether an option has a room."""
        return "room_id" in self._parts

    @property
    def is_plan(self) -> bool:
        """Whether an option has a meeting, as several are planned."""
        return "meeting" in self._parts

    @property
    def _parts(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.task.answer_schema["properties"]["candidates"]["items"]["properties"]
        return found

    @property
    def is_over(self) -> bool:
        """Whether the answer is given."""
        return bool(self.journal.moves) and self.journal.moves[-1].kind in {Kind.ANSWER, Kind.GIVE_UP}

    def tool(self, name: str) -> Tool:
        """The tool of a name; raises `ToolError` if there is none."""
        for tool in self.tools.tools:
            if tool.name == name:
                return tool
        raise ToolError(f"no tool {name!r}; the tools are {', '.join(tool.name for tool in self.tools.tools)}")

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolCall:
        """Call a tool; the tool itself may find that, say, nobody has that name, which is a call's result like any other.

        Raises:
            ToolError: there is no such tool, or the arguments do not fit. A slip of the hand is no call.
            OverError: only the answer is left, or not even that.
        """
        self._check_open()
        self.tool(name).checked(arguments)
        if self.turn >= self.budget.max_turns:
            raise OverError(f"turn {self.turn} of {self.budget.max_turns} is the last one: only the answer is left")
        self.journal.add(Kind.CALL, name=name, arguments=dict(arguments))
        return self._called(name, self.journal.moves[-1].arguments)

    def write_notes(self, text: str) -> None:
        """Write the notebook anew; raises `OverError`."""
        self._check_open()
        if text != self.notes:
            self.journal.add(Kind.NOTES, text=text)

    def answer(self, text: str) -> None:
        """Give the answer, which ends the episode.

        Raises:
            AnswerError: it cannot be read, so it does not count.
            OverError: it is given already.
        """
        self._check_open()
        world = self.tools.sources.world
        if world.level == LADDER:
            check_ladder_answer(text, plan=self.is_plan)
        else:
            parse_answer(text, world.level, world.zone, world.rooms)
        self.journal.add(Kind.ANSWER, text=text)

    def give_up(self) -> None:
        """End the episode without an answer; raises `OverError`."""
        self._check_open()
        self.journal.add(Kind.GIVE_UP)

    def reply(self) -> Reply:
        """What the agent returns once the episode is over; its messages are those of a model that did the same."""
        last = self.journal.moves[-1]
        return Reply(
            text=last.text,
            finish=Finish.STOP if last.kind is Kind.ANSWER else Finish.REFUSAL,
            turns=self.turn,
            messages=tuple(self._messages()),
        )

    def _called(self, name: str, arguments: Mapping[str, Any]) -> ToolCall:
        self.tools.call(name, arguments, turn=self.turn)
        return self.calls[-1]

    def _check_open(self) -> None:
        if self.is_over:
            raise OverError("the answer is given already")

    def _messages(self) -> list[dict[str, Any]]:
        """The exchange as a model's over the chat completions API; what was noted is its reasoning."""
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": self.task.system_prompt},
            {"role": "user", "content": self.task.text},
        ]
        noted: dict[str, str] = {}
        number = 0
        for move in self.journal.moves:
            match move.kind:
                case Kind.NOTES:
                    noted = {"reasoning_content": f"Notebook:\n{move.text}"}
                case Kind.CALL:
                    number += 1
                    function = {"name": move.name, "arguments": json.dumps(move.arguments)}
                    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
                    messages.append({"role": "assistant", "content": None, **noted, "tool_calls": calls})
                    result = self.calls[number - 1].result
                    messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": result})
                    noted = {}
                case Kind.ANSWER:
                    messages.append({"role": "assistant", "content": move.text, **noted})
                case Kind.GIVE_UP:
                    messages.append({"role": "assistant", "content": "", **noted})
                case Kind.BEGIN:
                    pass
        return messages
