"""The command `mpcbench`: the benchmark and the project's other command lines under one name."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from mpcbench.schema.dataset import COMMITTED
from mpcbench.version import VERSION

COMMANDS = {
    "run": ("", "measure agents; takes the options of `pytest benchmark`"),
    "watch": ("mpcbench.benchmark.progress.__main__", "show how far a run is that another process runs"),
    "serve": ("mpcbench.benchmark.agents.mcp.__main__", "serve an instance to an MCP client"),
    "play": ("mpcbench.benchmark.play.__main__", "play an episode yourself, in the terminal or in a web page"),
    "generate": ("mpcbench.generate.__main__", "make data sets, join shards, describe a data set"),
    "export": ("mpcbench.benchmark.export.__main__", "write training data from runs and from the generator"),
    "improve": (
        "mpcbench.benchmark.improve.__main__",
        "make a model better: worked examples, an optimised prompt, trained weights",
    ),
    "oracle": ("mpcbench.oracle.__main__", "label a data set, or compare its labels"),
    "evaluate": ("mpcbench.evaluation.__main__", "score answers; rescore, verify, merge, compare and report runs"),
    "schema": ("mpcbench.schema.__main__", "check a data set against its JSON Schema"),
    "practice-endpoint": (
        "mpcbench.benchmark.practice_endpoint.__main__",
        "serve the reference agent as a model behind an OpenAI-compatible endpoint",
    ),
}
"""By name, the module whose `main` it runs, and what it does."""

_SUITE = COMMITTED / "benchmark"
_BROKEN_PIPE = 128 + 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands and return its exit code; 2 for an unknown one."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name, rest = (given[0], given[1:]) if given else ("", [])
    if name in {"", "-h", "--help"}:
        print(_usage())
        return 0 if name else 2
    if name == "--version":
        print(f"mpcbench {VERSION}")
        return 0
    if name not in COMMANDS:
        print(f"mpcbench: no command {name!r}; the commands are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    if name == "run":
        return _run(rest)
    command: Callable[..., int] = import_module(COMMANDS[name][0]).main
    return _ended_in_order(lambda: command(rest, prog=f"mpcbench {name}"))


def _ended_in_order(command: Callable[[], int]) -> int:
    """Run a command that SIGTERM ends like Ctrl-C, so that its workers end, too, and nothing is half-done.

    Where nobody reads what it prints any more, as with `| head`, it ends without a word, with the status of SIGPIPE.
    """
    ended: list[int] = []

    def end(number: int, _: object) -> None:
        ended.append(128 + number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        status = command()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the last flush does not fail again
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        if not ended:
            raise
    return ended[0] if ended else status


def _run(arguments: Sequence[str]) -> int:
    """Pytest on the installed suite, with the settings that a checkout has in pyproject.toml; on a cluster with `--ray`."""
    if any(one == "--ray" or one.startswith("--ray=") for one in arguments):
        from mpcbench.benchmark.cluster.__main__ import main as run_on_cluster  # noqa: PLC0415 - rarely needed

        return run_on_cluster(arguments, prog="mpcbench run")
    import pytest  # noqa: PLC0415 - the other commands do without

    return int(pytest.main(["-c", str(_SUITE / "installed.ini"), "--rootdir=.", str(_SUITE), *arguments]))


def _usage() -> str:
    lines = [f"  {name:18} {what}" for name, (_, what) in COMMANDS.items()]
    return "\n".join(["usage: mpcbench COMMAND ...", "", *lines, "", "`mpcbench COMMAND --help` lists its options."])


if __name__ == "__main__":
    sys.exit(main())
