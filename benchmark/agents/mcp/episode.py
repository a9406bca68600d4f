"""An episode as MCP clients see it: its tools, its task, and the answer that ends it. Knows nothing of the SDK."""

import json
import threading
from collections.abc import Mapping
from typing import Any, Final

from mpcbench.benchmark.agents.plugged.calls import LARGEST_CALL, EpisodeCalls
from mpcbench.benchmark.agents.plugged.process import AgentEndedError
from mpcbench.benchmark.agents.protocol import Task, UnusableEndpointError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from mpcbench.schema.untrusted_text import one_line

SUBMIT: Final = "submit_answer"
"""The tool that takes the answer. It is no tool of the benchmark, and no call of it is logged."""

_SUBMIT_TEXT = (
    "Submit the final answer of the task. Call it once, when you have found the options: it ends the episode, and its "
    "result does not say whether the answer is right. Arguments that do not fit are refused, and you can try again."
)

HOW_TO_ANSWER: Final = f"""\
The tools are those of the MCP server mpcbench. Instead of writing a final message, call its tool {SUBMIT} with that \
JSON object as the arguments."""

_OVER = "error: the episode is over: its answer has been submitted, or its time has run out"
_LONGEST = 300


class McpEpisode:
    """One episode; clients' requests come from the threads of a server.

    Args:
        task: What is asked.
        tools: What answers the calls.
        how_to_answer: What an agent is told of that, behind the rules.
    """

    def __init__(self, task: Task, tools: Toolbox, how_to_answer: str = HOW_TO_ANSWER) -> None:
        self._schema = dict(task.answer_schema)
        self._calls = EpisodeCalls(tools)
        self._changed = threading.Condition(threading.RLock())
        self._asked = False
        self._reply: Reply | None = None
        self.task = f"{task.system_prompt}\n\n{how_to_answer}\n\n{task.text}"
        """All that an agent is told."""

        self.tools: list[dict[str, Any]] = [
            *(
                {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters}
                for tool in tools.tools
            ),
            {"name": SUBMIT, "description": _SUBMIT_TEXT, "inputSchema": self._schema},
        ]
        """As MCP lists them."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more counts."""
        return self._reply is not None

    @property
    def is_taken(self) -> bool:
        """Whether a client has asked for something, or nothing more counts."""
        return self._asked or self.is_over

    def begin(self) -> None:
        """A client asks for something."""
        if not self._asked:
            with self._changed:
                self._asked = True
                self._changed.notify_all()

    def call(self, name: str, arguments: Mapping[str, Any], turn: object = None) -> str:
        """The result of a tool; a mistake of the agent gives a text that begins with `error:`.

        Args:
            name: Of the tool.
            arguments: By name.
            turn: The number of the model's message that makes the call, from 1; without one each call is a turn.
        """
        self.begin()
        with self._changed:
            if self._reply is not None:
                return _OVER
            if name == SUBMIT:
                return self._submitted(arguments)
            try:
                return self._calls.call({"call": name, "arguments": dict(arguments), "turn": turn})
            except AgentEndedError as error:
                self.end(str(error))
                return f"error: {error}"

    def _submitted(self, arguments: Mapping[str, Any]) -> str:
        try:
            text = json.dumps(arguments, ensure_ascii=False)
        except RecursionError:
            return f"error: {SUBMIT}: the arguments are nested too deeply"
        if len(text) > LARGEST_CALL:
            return f"error: {SUBMIT}: the answer has more than {LARGEST_CALL:,} characters"
        # It takes longer to load than all that a run without clients needs.
        from jsonschema import Draft202012Validator  # noqa: PLC0415
        from jsonschema.exceptions import best_match  # noqa: PLC0415

        problem = best_match(Draft202012Validator(self._schema).iter_errors(arguments))
        if problem is not None:
            return f"error: {SUBMIT}: {one_line(f'{problem.json_path}: {problem.message}', _LONGEST)}"
        self._over(self._calls.ended({"reply": {"text": text}}))
        return "The answer has been submitted. The episode is over."

    def end(self, why: str, output: str = "") -> None:
        """End the episode without an answer, unless it has one.

        Args:
            why: One line.
            output: The end of what the agent printed, as far as it is known.
        """
        with self._changed:
            if self._reply is None:
                self._over(self._calls.failed(why, output=output))

    def answer(self, text: str) -> None:
        """End the episode with a final message that was not submitted, unless it has an answer."""
        with self._changed:
            if self._reply is None:
                self._over(self._calls.ended({"reply": {"text": text}}))

    def _over(self, reply: Reply) -> None:
        self._reply = reply
        self._changed.notify_all()

    def reply(self, seconds: float) -> Reply:
        """Wait for a client, and then for the end of the episode.

        Args:
            seconds: How long to wait for each.

        Raises:
            UnusableEndpointError: no client has asked for anything.
        """
        limit = min(seconds, threading.TIMEOUT_MAX)
        with self._changed:
            self._changed.wait_for(lambda: self.is_taken, limit)
            if not self._asked:
                why = "before the connection was closed" if self.is_over else f"within {seconds:g} s"
                self.end("no client came")
                raise UnusableEndpointError(f"no MCP client asked for anything {why}")
            if not self._changed.wait_for(lambda: self.is_over, limit):
                self.end(f"the agent gave no answer within {seconds:g} s")
            assert self._reply is not None
            return self._reply

    def wait(self, seconds: float) -> bool:
        """Whether the episode ends within this time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_over, seconds)
