"""`mpcbench serve`: one instance for one MCP client, recorded, scored and diagnosed as a run of its own."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mpcbench.benchmark.agents.mcp.agent import MCP, McpAgent, episode_name
from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.resuming import run_path
from mpcbench.benchmark.harness.run_info import run_info
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.stopping import NotRunError
from mpcbench.benchmark.port import port_number
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import Reply
from mpcbench.schema.run import Case
from mpcbench.schema.untrusted_text import printable


class StdioAgent(McpAgent):
    """Serves its one episode on standard input and output."""

    def __init__(self, options: AgentOptions) -> None:
        super().__init__(options)
        self._connection: threading.Thread | None = None

    def preflight(self) -> None:
        """Nothing: no port is opened."""

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG002 - as for `McpAgent`
        """Run the episode."""
        from mpcbench.benchmark.agents.mcp.stdio import serve_on_stdio  # noqa: PLC0415 - it loads the SDK

        episode = McpEpisode(task, tools)
        self._connection = serve_on_stdio(episode)
        return self._ended(episode)

    def close(self) -> None:
        """Wait until the client closes the connection."""
        if self._connection is not None:
            self._connection.join()


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.agents.mcp") -> int:
    """Serve an instance until its answer is recorded; the exit code is 0, 1 without an episode, or 2 on bad input."""
    given = vars(_parser(prog).parse_args(arguments))
    transport = given.pop("transport")
    options: dict[str, Any] = {name.replace("_", "-"): value for name, value in given.items()}
    options |= {"model": [MCP], "instance": [options["instance"]]}
    port = options.pop("port")
    if port is not None and transport == "stdio":
        _say("error: --port: only with --transport http")
        return 2
    if port is not None:
        options["agent-arg"] = [f"port={port}"]
    try:
        settings = Settings.from_options(options, Path())
        agent = StdioAgent(settings.agent) if transport == "stdio" else McpAgent(settings.agent)
        return _serve(agent, settings, options)
    except (AgentSpecError, DataError, RunError, SettingsError, OSError) as error:
        _say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        return _leave(130)


def _serve(agent: McpAgent, settings: Settings, options: dict[str, Any]) -> int:
    dataset = Dataset.open(settings.dataset)
    (case,) = select(dataset, settings)
    dataset.require(case.level)
    agent.preflight()
    with _new_run(agent, settings, options, dataset, case) as folder:
        runner = EpisodeRunner(settings, dataset, {MCP: agent}, folder, lambda text: text)
        trial = runner.trial_of(case)
        if not isinstance(agent, StdioAgent):
            print(agent.server.address(episode_name(trial.task)), flush=True)
        _say(f"{case.instance_id} is served; run: {folder.path}")
        try:
            result = runner.run(case)
        except NotRunError as error:
            _say(f"error: {error}")
            return _leave(1)
        if isinstance(agent, StdioAgent):  # clients end servers that do not exit at once
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _say("\n".join(["", result.error or trial.explanation(result.episode), "", f"run: {folder.path}"]))
        write_summary(folder, folder.results(), write_report=_report(folder, dataset))
    agent.close()
    return _leave(0)


@contextmanager
def _new_run(
    agent: McpAgent, settings: Settings, options: dict[str, Any], dataset: Dataset, case: Case
) -> Iterator[RunFolder]:
    """The folder of a run of one episode, which is locked."""
    now = datetime.now(UTC)
    folder = RunFolder(run_path(settings, now))
    info = run_info(folder.path.name, now, settings, options, dataset, [case.level], {MCP: agent})
    folder.make_room()
    lock = RunLock.take(folder.path)
    try:
        yield RunFolder.create(folder.path, info.model_copy(update={"cases": (case,)}))
    finally:
        lock.release()


def _report(folder: RunFolder, dataset: Dataset) -> Callable[[Any, Path], None]:
    def write(summary: Any, out: Path) -> None:
        # They load the templates and the plots.
        from mpcbench.evaluation.report.document import write_report  # noqa: PLC0415
        from mpcbench.evaluation.report.reported_run import ReportedRun  # noqa: PLC0415

        write_report([ReportedRun(folder, folder.results(), summary, dataset)], out)

    return write


def _say(text: str) -> None:
    """Print to standard error, as standard output may be the client's."""
    print(printable(text), file=sys.stderr, flush=True)


def _leave(code: int) -> int:
    """End this process where a thread still reads standard input, for which Python would wait."""
    sys.stdout.flush()
    sys.stderr.flush()
    if any(thread.name == "mcp-stdio" for thread in threading.enumerate()):
        os._exit(code)
    return code


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Serve the tools and the task of an instance to one MCP client. The first answer that is submitted "
        "is scored and explained on standard error, and recorded in the folder of a run. Exit code: 0, 1 if nothing was "
        "recorded, 2 on bad input.",
    )
    option = parser.add_argument
    option("--instance", metavar="ID", required=True, help="such as level3-017")
    option("--transport", choices=("stdio", "http"), default="stdio", help="default: stdio")
    option(
        "--port",
        metavar="N",
        type=port_number,
        help="of --transport http, on 127.0.0.1 (default: a free one); the address is printed",
    )
    option("--dataset", metavar="DIR", help="folder with worlds/, instances/ and oracles/")
    option("--run-dir", metavar="DIR", help="folder of the run, empty or missing (default: a new one in runs/)")
    option(
        "--agent-timeout", metavar="SECONDS", help="how long to wait for a client, and for its answer (default: 1,800)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
