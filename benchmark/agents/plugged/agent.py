"""An agent of the user's, made an agent of the benchmark: each episode in a process of its own."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.plugged import guest
from mpcbench.benchmark.agents.plugged.calls import LONGEST_LINE, EpisodeCalls
from mpcbench.benchmark.agents.plugged.isolation import Isolation, as_text, environment
from mpcbench.benchmark.agents.plugged.process import AgentEndedError, AgentProcess
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.agents.plugged.spec import AgentSpec, AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from mpcbench.schema.untrusted_text import one_line

_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""What the names of environment variables end with whose values are secret."""

_LOAD_SECONDS = 120.0


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


def secrets_of_environment() -> Secrets:
    """The values of environment variables that are called keys, tokens, secrets or passwords."""
    return Secrets(value for name, value in os.environ.items() if name.upper().endswith(_SECRET))


class NotStartedError(RuntimeError):
    """The agent's process could not be started: a fault of the machine or of the harness."""


class PluggedAgent:
    """Runs a user's agent; it serves any number of episodes at a time.

    Args:
        spec: Which agent.
        options: The user's.
        sandbox: Where it runs, unless that is in the process of the run.

    Raises:
        AgentSpecError: the agent's file is in a folder that is hidden from it.
    """

    def __init__(self, spec: AgentSpec, options: AgentOptions, sandbox: Sandbox) -> None:
        self._spec = spec
        self.secrets = secrets_of_environment()
        """What no file of a run may hold: the agent's keys."""

        self._options = options
        self._sandbox = sandbox
        if not options.in_process:
            files = () if spec.file is None else (spec.file,)
            sandbox.require_visible(spec.name, files, "move it elsewhere, or use --in-process")

    @property
    def isolation(self) -> Isolation:
        """What separates the agent from the run."""
        return Isolation.IN_PROCESS if self._options.in_process else self._sandbox.isolation

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
        return f"{self._spec.name}: {self.isolation.text}"

    def preflight(self) -> None:
        """Try whether the agent loads; raises `AgentSpecError`."""
        order = {"agent": self._spec.order(), "task": None}
        try:
            report = self._tried(order)
        except (AgentEndedError, NotStartedError, OSError) as error:
            raise self._unloadable(str(error)) from None
        failure = report.get("failure")
        if failure is not None:
            raise self._unloadable(str(failure.get("summary") if isinstance(failure, dict) else failure))

    def _tried(self, order: Mapping[str, Any]) -> dict[str, Any]:
        if self._options.in_process:
            return _in_process(order, str)
        with (
            TemporaryDirectory(prefix="mpcbench-") as scratch,
            self._started(Path(scratch), _LOAD_SECONDS) as process,
        ):
            process.send(order)
            return process.receive()

    def close(self) -> None:
        """Nothing: each process ends with its episode."""

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode. What goes wrong in the agent is its failure, and the reply says what.

        Raises:
            EndpointError: the agent reports that its endpoint refused or could not be reached.
            NotStartedError: its process could not be started.
        """
        calls = EpisodeCalls(tools)
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
        program = [sys.executable, "-P", "-c", as_text(Path(guest.__file__))]
        command = self._sandbox.command(program, scratch)
        process = AgentProcess(command, environment(scratch), scratch, seconds)
        try:
            process.receive()
        except AgentEndedError as error:
            with process:
                pass
            raise NotStartedError(f"{self._spec.name}: {error}: {one_line(process.output, LONGEST_LINE)}") from None
        return process

    def _unloadable(self, why: str) -> AgentSpecError:
        return AgentSpecError(f"--model {self._spec.name}: the agent cannot be loaded: {one_line(why, LONGEST_LINE)}")


def _in_process(order: Mapping[str, Any], call: Callable[[Mapping[str, Any]], str]) -> dict[str, Any]:
    """What comes of an order in this process."""

    def asked(name: str, arguments: Any, turn: Any) -> str:
        return call({"call": name, "arguments": arguments, "turn": turn})

    report: dict[str, Any] = json.loads(guest.followed(order, asked))
    return report
