"""What a confined process sees and can do."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.plugged import isolation
from mpcbench.benchmark.agents.plugged.isolation import Isolation, best_isolation, confined, hidden_folders
from mpcbench.schema.dataset import COMMITTED

LOOK = """
import json, os, sys
folder, scratch = sys.argv[1:3]
def can(action):
    try:
        action()
    except OSError as error:
        return error.strerror
    return True
print(json.dumps({
    "listed": os.listdir(folder),
    "own": can(lambda: open(scratch + "/file", "w")),
    "elsewhere": can(lambda: open(os.path.dirname(folder) + "/file", "w")),
    "processes": [int(name) for name in os.listdir("/proc") if name.isdigit()],
    "devices": sorted(os.listdir("/dev")),
    "root": can(lambda: os.listdir("/proc/1/root" + folder) and 1 / 0),
    "user": os.getuid(),
    "unmount": os.system("umount " + folder + " 2>/dev/null") != 0,
    "kernel": can(lambda: open("/proc/sys/kernel/core_pattern", "w")),
    "shared": can(lambda: open("/dev/shm/file", "w")),
    "rights": [line.split()[1] for line in open("/proc/self/status") if line.startswith(("CapPrm", "CapEff", "CapInh"))],
    "limited": [line.split()[1] for line in open("/proc/self/status") if line.startswith("NoNewPrivs")],
    "left": [name for name in ("ctypes", "struct") if name in sys.modules] + [name for name in dir() if name == "main"],
}))
"""


def works(means: Isolation) -> None:
    if not isolation._works(means):
        pytest.skip(f"{means} does not work on this machine")


each_means = pytest.mark.parametrize("means", [Isolation.BUBBLEWRAP, Isolation.NAMESPACES])


@each_means
@pytest.mark.parametrize("options", [["-c"], ["-P", "-c"]], ids=["a-program", "of-the-same-interpreter"])
def test_confined_process(means: Isolation, options: list[str], tmp_path: Path) -> None:
    """It finds hidden folders empty, writes to its scratch folder only, sees no processes or disks, and has no rights."""
    works(means)
    hidden, scratch = tmp_path / "hidden", tmp_path / "scratch"
    for folder in (hidden, scratch):
        folder.mkdir()
    (hidden / "gold").touch()
    command = confined([sys.executable, *options, LOOK], means, scratch, [hidden])
    done = subprocess.run([*command, hidden, scratch], capture_output=True, text=True, check=True)
    seen: dict[str, Any] = json.loads(done.stdout)

    assert ([], True, "Read-only file system") == (seen["listed"], seen["own"], seen["elsewhere"])
    assert max(seen["processes"]) < 10
    assert {"null", "urandom", "shm", "fd", "stdout"} <= set(seen["devices"])
    assert not [name for name in seen["devices"] if name.startswith(("sd", "vd", "nvme", "mem"))]
    assert seen["root"] in {True, "Permission denied"}
    assert (True, True) == (seen["unmount"], seen["shared"])
    assert seen["kernel"] in {"Read-only file system", "Permission denied"}
    assert (["0" * 16] * 3, ["1"], []) == (seen["rights"], seen["limited"], seen["left"])
    assert [] == list(scratch.iterdir())
    assert ["gold"] == [path.name for path in hidden.iterdir()]


def test_what_the_confining_imported_can_be_imported(tmp_path: Path) -> None:
    """In a program that goes on in the confining process, modules that it used work as in any other."""
    works(Isolation.NAMESPACES)
    code = """
import ctypes, struct
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
numbers = (ctypes.c_int * 3)(3, 1, 2)
ctypes.CDLL(None).qsort(numbers, 3, ctypes.sizeof(ctypes.c_int), compare(lambda a, b: a[0] - b[0]))
print(list(numbers), struct.pack("<I", 1), ctypes.cast(numbers, ctypes.c_void_p).value > 0)
"""
    command = confined([sys.executable, "-P", "-c", code], Isolation.NAMESPACES, tmp_path, [])
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert ("[1, 2, 3] b'\\x01\\x00\\x00\\x00' True\n", "") == (done.stdout, done.stderr)


@each_means
@pytest.mark.parametrize(
    ("code", "ends"), [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9); os._exit(137)", 137)]
)
def test_exit_code(means: Isolation, tmp_path: Path, code: str, ends: int) -> None:
    """The program's exit code is the command's."""
    works(means)
    command = confined([sys.executable, "-c", code], means, tmp_path, [])

    assert ends == subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.slow  # kills processes
@each_means
def test_death_of_the_run_ends_everything(means: Isolation, tmp_path: Path) -> None:
    """When the process that started it is killed, nothing is left of the confined one."""
    works(means)
    command = confined(["/bin/sleep", "1234.5"], means, tmp_path, [])
    starter = f"import subprocess; subprocess.run({command!r})"
    process = subprocess.Popen([sys.executable, "-c", starter], start_new_session=True)
    wait_for(sleeping=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert wait_for(sleeping=False)


def wait_for(*, sleeping: bool) -> bool:
    """Whether the program runs, or has ended, within seconds."""
    for _ in range(100):
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        if any(line == "/bin/sleep 1234.5" for line in listed.splitlines()) is sleeping:
            return True
        time.sleep(0.1)
    return False


def test_hidden_folders(tmp_path: Path) -> None:
    """The data of the run, its runs, and of a checkout all that holds gold or computes it; none within another."""
    for name in ("oracles", "worlds", "runs/one", "other"):
        (tmp_path / name).mkdir(parents=True)
    found = hidden_folders(tmp_path, [tmp_path / "runs", tmp_path / "runs/one", tmp_path / "none"])

    assert {tmp_path / "oracles", tmp_path / "worlds", tmp_path / "runs"} == {
        folder for folder in found if folder.is_relative_to(tmp_path)
    }
    assert {COMMITTED / name for name in ("oracles", "worlds", "oracle", "generate", "mpcbench", "unit_tests")} <= set(
        found
    )
    assert [] == [folder for folder in found if any(folder != one and folder.is_relative_to(one) for one in found)]


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_history_is_hidden() -> None:
    """In a checkout and in a worktree of git, the folder with the objects is hidden."""
    command = ["git", "-C", str(COMMITTED), "rev-parse", "--git-common-dir"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not a checkout of git")
    history = (COMMITTED / done.stdout.strip()).resolve()

    assert any(history.is_relative_to(folder) for folder in hidden_folders(COMMITTED, []))


def test_nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without either means there is no isolation, and no error."""
    monkeypatch.setattr(isolation, "confined", lambda *_: ["/bin/false"])
    best_isolation.cache_clear()
    try:
        assert Isolation.NONE is best_isolation()
    finally:
        best_isolation.cache_clear()
