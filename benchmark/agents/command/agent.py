"""A program of the user's, made an agent of the benchmark: it gets the task and the address of an MCP server."""

import json
import secrets
import threading
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from mpcbench.benchmark.agents.command.program import Program
from mpcbench.benchmark.agents.command.spec import CommandSpec
from mpcbench.benchmark.agents.mcp.agent import require_sdk
from mpcbench.benchmark.agents.mcp.episode import SUBMIT, McpEpisode
from mpcbench.benchmark.agents.plugged.agent import AgentOptions, secrets_of_environment
from mpcbench.benchmark.agents.plugged.isolation import environment
from mpcbench.benchmark.agents.plugged.process import ending_text
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from mpcbench.schema.untrusted_text import one_line

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.mcp.http_server import EpisodeServer

ENDPOINT_FAILED: Final = 75
"""The exit code (EX_TEMPFAIL of sysexits.h) by which a program says that its endpoint failed."""

_HOW_TO_ANSWER = f"""\
The tools are those of the MCP server mpcbench. Give the answer by calling its tool {SUBMIT} with that JSON object as the \
arguments, or as your final message."""

_ANSWERED_SECONDS = 10.0
"""For the program to end by itself once it has submitted its answer."""

_LONGEST_VARIABLE = 100_000
"""Bytes of the task in an environment variable; Linux allows 131,071."""

_SHOWN_OUTPUT = 4_000
_TASK_FILE, _CONFIG_FILE, _SCHEMA_FILE = "task.txt", "mcp.json", "answer.schema.json"


class CommandAgent:
    """Runs a user's program; any number of episodes at a time.

    Args:
        spec: Which program.
        options: The user's.
        sandbox: Where it runs.

    Raises:
        AgentSpecError: the MCP SDK is not installed, or the program cannot be run like that.
    """

    def __init__(self, spec: CommandSpec, options: AgentOptions, sandbox: Sandbox) -> None:
        require_sdk(spec.name)
        if options.in_process:
            raise AgentSpecError(f"--in-process: not with --model {spec.name}, which is a process of its own")
        self._spec = spec
        self._options = options
        self._sandbox = sandbox
        self.secrets = secrets_of_environment()
        """What no file of a run may hold: the program's keys."""

        sandbox.require_visible(spec.name, spec.files, "move it elsewhere")

    def described(self) -> dict[str, JsonValue]:
        """Which program it is, what it is given, and how it is separated from the run."""
        return {
            **self._spec.described(),
            "args": self._options.arguments(),
            "isolation": self._sandbox.isolation.value,
            "timeout_seconds": self._options.timeout_seconds,
        }

    def line(self) -> str:
        """How it runs, for people."""
        return f"{self._spec.name}: {self._sandbox.isolation.text}"

    def preflight(self) -> None:
        """Nothing: the program was found when the run's options were read, and each start is an episode."""

    @cached_property
    def _server(self) -> "EpisodeServer":
        from mpcbench.benchmark.agents.mcp.http_server import EpisodeServer  # noqa: PLC0415 - it loads the SDK

        return EpisodeServer()

    def close(self) -> None:
        """Close the server of the tools."""
        if "_server" in self.__dict__:
            self._server.close()

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode. What goes wrong in the program is its failure, and the reply says what.

        Raises:
            EndpointError: the program says that its endpoint failed.
        """
        episode = McpEpisode(task, tools, _HOW_TO_ANSWER)
        episode.begin()  # a program need not ask for anything
        with (
            self._server.serving(secrets.token_urlsafe(), episode) as address,
            TemporaryDirectory(prefix="mpcbench-task-") as told,
            TemporaryDirectory(prefix="mpcbench-", ignore_cleanup_errors=True) as scratch,
        ):
            variables = self._told(Path(told), task, budget, episode.task, address)
            command = self._sandbox.command(self._spec.words, Path(scratch))
            try:
                program = Program(
                    command, environment(Path(scratch)) | variables, Path(scratch), Path(told, _TASK_FILE)
                )
            except OSError as error:
                episode.end(f"the program cannot be started: {(error.strerror or str(error)).lower()}")
                return episode.reply(0)
            with program:
                return self._reply(program, episode)

    def _told(self, folder: Path, task: Task, budget: Budget, text: str, address: str) -> dict[str, str]:
        """Write the files for a program; returns its environment variables."""
        files = {
            _TASK_FILE: text,
            _CONFIG_FILE: json.dumps({"mcpServers": {"mpcbench": {"type": "http", "url": address}}}, indent=1),
            _SCHEMA_FILE: json.dumps(task.answer_schema, indent=1),
        }
        for name, content in files.items():
            (folder / name).write_text(f"{content}\n", encoding="utf-8", errors="replace")
        variables = {
            "MPCBENCH_MCP_URL": address,
            "MPCBENCH_MCP_CONFIG": str(folder / _CONFIG_FILE),
            "MPCBENCH_TASK_FILE": str(folder / _TASK_FILE),
            "MPCBENCH_SCHEMA_FILE": str(folder / _SCHEMA_FILE),
            "MPCBENCH_INSTANCE": task.instance_id,
            "MPCBENCH_TRIAL": str(task.trial),
            "MPCBENCH_MAX_TURNS": str(budget.max_turns),
            "MPCBENCH_SECONDS": f"{self._options.timeout_seconds:g}",
            "MPCBENCH_AGENT_ARGS": json.dumps(self._options.arguments()),
        }
        if len(text.encode(errors="replace")) <= _LONGEST_VARIABLE and "\0" not in text:
            variables["MPCBENCH_TASK"] = text
        return variables

    def _reply(self, program: Program, episode: McpEpisode) -> Reply:
        seconds = self._options.timeout_seconds

        def end_soon_after_answer() -> None:
            if episode.wait(seconds):
                program.wait(_ANSWERED_SECONDS)
                program.end()

        threading.Thread(target=end_soon_after_answer, daemon=True, name="command-end").start()
        code = program.wait(seconds)
        shown = "\n".join(part.strip()[-_SHOWN_OUTPUT:] for part in (program.output, program.errors) if part.strip())
        if program.refusal is not None:
            episode.end(program.refusal, shown)
        elif code is None:
            episode.end(f"the program gave no answer within {seconds:g} s", shown)
        elif code != 0:
            answered = episode.is_over
            episode.end(f"the program {ending_text(code)}", shown)
            if code == ENDPOINT_FAILED and not answered:
                last = program.errors.strip().splitlines()[-1:]
                why = one_line("".join(last), 300)
                raise EndpointError(f"the program says that its endpoint failed{why and ': '}{why}", episode.reply(0))
        else:
            episode.answer(program.output)
        printed = {"stdout": program.output[-_SHOWN_OUTPUT:], "stderr": program.errors}
        return episode.reply(0).model_copy(
            update={"messages": tuple({"role": name, "content": text} for name, text in printed.items() if text)}
        )
