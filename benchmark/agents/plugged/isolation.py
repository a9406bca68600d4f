"""How an agent's process is kept from the gold: what it cannot see, and by which means of the system.

Nothing is taken for granted: a means counts only if a process started with it really does not see a hidden folder.
"""

import marshal
import os
import shutil
import subprocess
import sys
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mpcbench.schema.dataset import COMMITTED, IS_CHECKOUT

_PROJECT = ("mpcbench", "docs", "unit_tests", "runs", "build", ".git")
"""Folders of a checkout that hold gold, or what computes it, beside those that `mpcbench/` links to."""

_DATA = ("worlds", "instances", "oracles")
_PROBE_SECONDS = 30
_HARNESS_ONLY = ("PYTEST_", "MPCBENCH_", "COV_")

_FILE_SYSTEM = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
_LIMITS = ["--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--as-pid-1", "--die-with-parent"]
"""Of bubblewrap; root's processes would keep their rights."""

_PROBE = """
import os, sys
hidden, scratch = sys.argv[1:]
open(os.path.join(scratch, "file"), "w").close()
sys.exit(3 if os.listdir(hidden) or os.getpid() > 100 else 0)
"""


class Isolation(StrEnum):
    """What separates an agent from the run."""

    BUBBLEWRAP = "bubblewrap"
    """A process in bubblewrap's sandbox."""

    NAMESPACES = "namespaces"
    """A process in namespaces made here."""

    NONE = "none"
    """A process that can read whatever the user can."""

    IN_PROCESS = "in-process"
    """Nothing at all."""

    @property
    def text(self) -> str:
        """What separates the agent, for people."""
        match self:
            case Isolation.IN_PROCESS:
                return "not isolated: in the process of the run, without a time limit"
            case Isolation.NONE:
                return "not isolated: neither bubblewrap nor user namespaces work here, so it can read the labels"
            case _:
                return f"isolated by {self}"


@cache
def best_isolation() -> Isolation:
    """The first means that works here."""
    for isolation in (Isolation.BUBBLEWRAP, Isolation.NAMESPACES):
        if _works(isolation):
            return isolation
    return Isolation.NONE


def _works(isolation: Isolation) -> bool:
    if sys.platform != "linux" or (isolation is Isolation.BUBBLEWRAP and shutil.which("bwrap") is None):
        return False
    with TemporaryDirectory() as scratch, TemporaryDirectory() as hidden:
        Path(hidden, "file").touch()
        probe = [sys.executable, "-I", "-S", "-c", _PROBE, hidden, scratch]
        command = confined(probe, isolation, Path(scratch), [Path(hidden)])
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0


def confined(program: Sequence[str], isolation: Isolation, scratch: Path, hidden: Iterable[Path]) -> list[str]:
    """The command that runs a program.

    Args:
        program: An executable's path and its arguments.
        isolation: By which means; with `NONE` the command is the program.
        scratch: A folder, the only one to which the program can write; what it writes vanishes with it.
        hidden: The folders that it finds empty.
    """
    folders = [str(folder) for folder in hidden]
    match isolation:
        case Isolation.BUBBLEWRAP:
            empty = [part for folder in (*folders, str(scratch)) for part in ("--tmpfs", folder)]
            command = ["bwrap", *_FILE_SYSTEM, *empty, *_LIMITS, "--chdir", str(scratch)]
            return [*command, "--", *program]
        case Isolation.NAMESPACES:
            text = as_text(Path(__file__).with_name("confine.py"))
            return [sys.executable, "-P", "-c", text, str(scratch), "\n".join(folders), *program]
    return list(program)


@cache
def as_text(source: Path) -> str:
    """A module of this package as a text for `python -c`, compiled, as every episode would compile it again."""
    code = compile(source.read_text(encoding="utf-8"), "<string>", "exec", dont_inherit=True)
    return f"import binascii, marshal\nexec(marshal.loads(binascii.a2b_base64({b2a_base64(marshal.dumps(code))!r})))"


def environment(scratch: Path) -> dict[str, str]:
    """What the agent's process gets of the run's environment: all but what concerns the run only."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_HARNESS_ONLY)}
    return kept | {"TMPDIR": str(scratch)}


def hidden_folders(dataset: Path, runs: Iterable[Path]) -> tuple[Path, ...]:
    """The existing folders that hold the gold, or from which it follows: data, code, history, and runs.

    Args:
        dataset: The folder of the run's data set.
        runs: Folders of runs, or that hold runs.
    """
    folders = [*_of_project(), *(dataset / name for name in _DATA), *runs]
    real = sorted({folder.resolve() for folder in folders if folder.is_dir()})
    return tuple(one for one in real if not any(one != other and one.is_relative_to(other) for other in real))


def _of_project() -> Iterator[Path]:
    if not IS_CHECKOUT:
        yield COMMITTED
        return
    package = COMMITTED / "mpcbench"
    yield from (COMMITTED / name for name in (*_PROJECT, *(path.name for path in package.iterdir())))
    # In a worktree of git, a file says where the history is.
    with suppress(OSError, ValueError):
        tree = COMMITTED / (COMMITTED / ".git").read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        yield tree
        yield tree / (tree / "commondir").read_text(encoding="utf-8").strip()
