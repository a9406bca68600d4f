"""The tool calls of an episode whose agent runs outside the run: within limits, and the reply that follows them."""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from mpcbench.benchmark.agents.plugged.process import AgentEndedError
from mpcbench.benchmark.agents.protocol import EndpointError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import MOST, MOST_TOKENS, Finish, Reply, Usage
from mpcbench.schema.untrusted_text import one_line

MOST_CALLS: Final = 2_000
"""Tool calls of an episode; one of the reference agent makes fewer than 100."""

LARGEST_LOG: Final = 16 * 2**20
"""Characters of all calls of an episode with their results, and of the messages that an agent returns."""

LARGEST_CALL: Final = 2**20
"""Characters of one call."""

LONGEST_LINE: Final = 500
"""Characters of what is said of a failure in one line."""


class EpisodeCalls:
    """The calls of an episode."""

    def __init__(self, tools: Toolbox) -> None:
        self.refusal: str | None = None
        """Beyond which limit the agent went; it may have gone on since."""

        self._tools = tools
        self._size = 0
        self._turn = 0

    def call(self, message: Mapping[str, Any]) -> str:
        """The result of a call; raises `AgentEndedError` where the agent goes beyond a limit."""
        name, arguments, turn = str(message["call"]), message.get("arguments"), message.get("turn")
        if not isinstance(arguments, str | dict):
            arguments = str(arguments)
        asked = _stored_size([name, arguments])
        if asked > LARGEST_CALL:
            raise self._refused(f"the agent made a tool call of more than {LARGEST_CALL:,} characters")
        if len(self._tools.log) >= MOST_CALLS:
            raise self._refused(f"the agent made more than {MOST_CALLS:,} tool calls")
        self._turn = turn if _is_count(turn, MOST) and turn > 0 else self._turn + 1
        result = self._tools.call(name, arguments, turn=self._turn)
        self._size += asked + _stored_size(result)
        if self._size > LARGEST_LOG:
            raise self._refused(f"the agent's tool calls and their results have more than {LARGEST_LOG:,} characters")
        return result

    def _refused(self, why: str) -> AgentEndedError:
        self.refusal = self.refusal or why
        return AgentEndedError(why)

    def ended(self, report: Mapping[str, Any], output: str = "") -> Reply:
        """The reply that an agent's last message makes.

        Raises:
            EndpointError: the agent reports that its endpoint refused or could not be reached.
        """
        if "failure" not in report:
            return self._reply(_mapping(report.get("reply")))
        found = _mapping(report["failure"])
        summary = one_line(str(found.get("summary")), LONGEST_LINE)
        reply = self.failed(summary, trace=str(found.get("trace")), output=output)
        if found.get("endpoint") is True:
            raise EndpointError(summary, reply)
        return reply

    def failed(self, summary: str, *, trace: str = "", output: str = "") -> Reply:
        """The reply of an agent that gave none: what happened, and what else is known of it."""
        printed = f"It printed:\n{output.strip()}" if output.strip() else ""
        text = "\n\n".join(part for part in (summary, trace.strip(), printed) if part)
        return Reply(text="", finish=Finish.FAILURE, turns=self._turn + 1, failure=text)

    def _reply(self, said: Mapping[str, Any]) -> Reply:
        """The reply that an agent gave, as far as it can be stored."""
        text, turns, usage = said.get("text"), said.get("turns"), _mapping(said.get("usage"))
        if not isinstance(text, str):
            return self.failed("the agent wrote to the connection with the run")
        messages = said.get("messages")
        messages = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
        if _stored_size(messages) > LARGEST_LOG:
            messages = [{"note": f"left out: more than {LARGEST_LOG:,} characters"}]
        counts = {name: usage.get(name) for name in Usage.model_fields}
        known = {name: count for name, count in counts.items() if _is_count(count, MOST_TOKENS)}
        return Reply(
            text=text,
            turns=turns if _is_count(turns, MOST) and turns > 0 else self._turn + 1,
            messages=tuple(messages),
            usage=Usage(**known) if known else None,
        )


def _stored_size(value: object) -> int:
    """Characters as JSON; of what is nested too deeply, more than any limit."""
    try:
        return len(json.dumps(value))
    except RecursionError:
        return LARGEST_LOG + 1


def _is_count(value: object, most: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= most


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
