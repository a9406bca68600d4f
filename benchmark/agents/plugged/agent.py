"""An agent of the user's, made an agent of the benchmark: each episode in a process of its own."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeGuard

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.plugged import guest
from mpcbench.benchmark.agents.plugged.isolation import (
    Isolation,
    best_isolation,
    confined,
    environment,
    hidden_folders,
)
from mpcbench.benchmark.agents.plugged.process import AgentEndedError, AgentProcess
from mpcbench.benchmark.agents.plugged.spec import AgentSpec, AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import MOST, MOST_TOKENS, Finish, Reply, Usage
from mpcbench.schema.untrusted_text import one_line

MOST_CALLS: Final = 2_000
"""Tool calls of an episode; one of the reference agent makes fewer than 100."""

LARGEST_LOG: Final = 16 * 2**20
"""Characters of all calls of an episode with their results, and of the messages that an agent returns."""

LARGEST_CALL: Final = 2**20
"""Characters of one call."""

_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""What the names of environment variables end with whose values are secret."""

_LOAD_SECONDS = 120.0
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What a user may choose for the agent."""

    args: tuple[str, ...] = ()
    """What the agent is given besides, each as `key=value`; of a key that is given twice, the last value holds."""

    timeout_seconds: float = 1800.0
    """How long an episode may take."""

    in_process: bool = False
    """Whether the agent runs in the process of the run, for debugging."""

    def arguments(self) -> dict[str, JsonValue]:
        """The arguments by name; values that are JSON are decoded."""
        found: dict[str, JsonValue] = {}
        for text in self.args:
            key, _, value = text.partition("=")
            try:
                found[key] = json.loads(value)
            except (ValueError, RecursionError):
                found[key] = value
        return found


class NotStartedError(RuntimeError):
    """The agent's process could not be started: a fault of the machine or of the harness."""


class PluggedAgent:
    """Runs a user's agent; it serves any number of episodes at a time.

    Args:
        spec: Which agent.
        options: The user's.
        dataset: The folder of the run's data, hidden from the agent.
        runs: Folders of runs, or that hold runs, hidden from it as well.

    Raises:
        AgentSpecError: the agent's file is in a folder that is hidden from it.
    """

    def __init__(self, spec: AgentSpec, options: AgentOptions, dataset: Path, runs: Iterable[Path]) -> None:
        self._spec = spec
        self.secrets = Secrets(value for name, value in os.environ.items() if name.upper().endswith(_SECRET))
        """What no file of a run may hold: the agent's keys."""

        self._options = options
        self._hidden = partial(hidden_folders, dataset, tuple(runs))
        if self.isolation in {Isolation.BUBBLEWRAP, Isolation.NAMESPACES}:
            self._must_be_visible()

    @property
    def isolation(self) -> Isolation:
        """What separates the agent from the run."""
        return Isolation.IN_PROCESS if self._options.in_process else best_isolation()

    def described(self) -> dict[str, JsonValue]:
        """Which agent it is, what it is given, and how it is separated from the run."""
        return {
            **self._spec.described(),
            "isolation": self.isolation.value,
            "timeout_seconds": self._seconds,
        }

    @property
    def _seconds(self) -> float | None:
        return None if self._options.in_process else self._options.timeout_seconds

    def line(self) -> str:
        """How it runs, for people."""
        match self.isolation:
            case Isolation.IN_PROCESS:
                how = "not isolated: in the process of the run, without a time limit"
            case Isolation.NONE:
                how = "not isolated: neither bubblewrap nor user namespaces work here, so it can read the labels"
            case isolation:
                how = f"isolated by {isolation}"
        return f"{self._spec.name}: {how}"

    def preflight(self) -> None:
        """Try whether the agent loads; raises `AgentSpecError`."""
        order = {"agent": self._spec.order(), "task": None}
        try:
            report = self._tried(order)
        except (AgentEndedError, NotStartedError, OSError) as error:
            raise self._unloadable(str(error)) from None
        if "failure" in report:
            raise self._unloadable(str(_mapping(report["failure"]).get("summary")))

    def _tried(self, order: Mapping[str, Any]) -> dict[str, Any]:
        if self._options.in_process:
            return _in_process(order, str)
        with (
            TemporaryDirectory(prefix="mpcbench-") as scratch,
            self._started(Path(scratch), _LOAD_SECONDS) as process,
        ):
            process.send(order)
            return process.receive()

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode. What goes wrong in the agent is its failure, and the reply says what.

        Raises:
            EndpointError: the agent reports that its endpoint refused or could not be reached.
            NotStartedError: its process could not be started.
        """
        calls = _Calls(tools)
        order = {
            "agent": self._spec.order(),
            "task": {name: value for name, value in asdict(task).items() if name in guest.Task.__annotations__},
            "tools": [
                {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
                for tool in tools.tools
            ],
            "budget": {"max_turns": budget.max_turns, "seconds": self._seconds},
        }
        if self._options.in_process:
            report = _in_process(order, calls.call)
            return calls.ended(report) if calls.refusal is None else calls.failed(calls.refusal)
        with (
            TemporaryDirectory(prefix="mpcbench-", ignore_cleanup_errors=True) as scratch,
            self._started(Path(scratch), self._options.timeout_seconds) as process,
        ):
            process.send(order)
            try:
                while "call" in (message := process.receive()):
                    process.send({"result": calls.call(message)})
            except AgentEndedError as error:
                return calls.failed(str(error), output=process.output)
        return calls.ended(message, process.output)

    def _started(self, scratch: Path, seconds: float) -> AgentProcess:
        source = Path(guest.__file__).read_text(encoding="utf-8")
        program = [sys.executable, "-P", "-c", source]
        command = confined(program, self.isolation, scratch, self._hidden())
        process = AgentProcess(command, environment(scratch), scratch, seconds)
        try:
            process.receive()
        except AgentEndedError as error:
            with process:
                pass
            raise NotStartedError(f"{self._spec.name}: {error}: {one_line(process.output, _LONGEST_LINE)}") from None
        return process

    def _unloadable(self, why: str) -> AgentSpecError:
        return AgentSpecError(f"--model {self._spec.name}: the agent cannot be loaded: {one_line(why, _LONGEST_LINE)}")

    def _must_be_visible(self) -> None:
        file = self._spec.file
        around = () if file is None else (one for one in self._hidden() if file.resolve().is_relative_to(one))
        for folder in around:
            raise AgentSpecError(
                f"--model {self._spec.name}: {file} is in {folder}, which is hidden from agents; "
                "move it elsewhere, or use --in-process"
            )


def _in_process(order: Mapping[str, Any], call: Callable[[Mapping[str, Any]], str]) -> dict[str, Any]:
    """What comes of an order in this process."""

    def asked(name: str, arguments: Any, turn: Any) -> str:
        return call({"call": name, "arguments": arguments, "turn": turn})

    report: dict[str, Any] = json.loads(guest.followed(order, asked))
    return report


class _Calls:
    """The tool calls of an episode, within their limits, and the replies that follow them."""

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
        summary = one_line(str(found.get("summary")), _LONGEST_LINE)
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
