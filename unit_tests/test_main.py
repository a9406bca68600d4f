"""The command `mpcbench`."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mpcbench import __main__ as command


@pytest.fixture(autouse=True)
def _handler() -> Iterator[None]:
    """The handler of SIGTERM is as before in the end."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_sigterm_ends_a_command_like_ctrl_c() -> None:
    """What the command leaves in order on Ctrl-C is left in order; the exit code tells the two apart."""
    left: list[str] = []

    def serve() -> int:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            left.append("closed")
        return 0

    assert (143, ["closed"]) == (command._ended_in_order(serve), left)


def test_ctrl_c_is_left_to_python() -> None:
    """Nobody has asked for the end but the user."""

    def serve() -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        command._ended_in_order(serve)


def test_exit_code_is_that_of_the_command() -> None:
    """What it returns."""
    assert command._ended_in_order(lambda: 2) == 2


def test_nothing_is_said_where_nobody_reads() -> None:
    """As with `mpcbench play INSTANCE | head -1`: no traceback, and the status that a shell gives for SIGPIPE."""
    program = (
        "import sys; from mpcbench.__main__ import _ended_in_order as end; sys.exit(end(lambda: print('a line') or 0))"
    )
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)

    assert (141, "") == (done.returncode, done.stderr)
