"""The life of the local model's server, with a stand-in for the native code."""

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.local.model import LocalModel, LocalOptions
from mpcbench.benchmark.agents.local.serve import KEY_VARIABLE
from mpcbench.benchmark.agents.local.server import URL_VARIABLE, LocalServer
from mpcbench.benchmark.agents.local.weights import LocalModelError
from unit_tests.benchmark.agents.local import stand_in_xllamacpp
from unit_tests.benchmark.agents.local.gguf_files import write_gguf
from unit_tests.benchmark.agents.local.processes import alive, comes_true

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX systems have them")

OWNER = """
import sys
from pathlib import Path
from mpcbench.benchmark.agents.local.model import LocalModel, LocalOptions
from mpcbench.benchmark.agents.local.server import LocalServer

server = LocalServer(LocalModel.prepare(LocalOptions(Path(sys.argv[1])), in_flight=2))
server.start()
print(server.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packages"
    monkeypatch.setenv("PYTHONPATH", stand_in_xllamacpp.install(folder))
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    return write_gguf(tmp_path / "tiny.gguf")


@pytest.fixture
def model(weights: Path) -> LocalModel:
    return LocalModel.prepare(LocalOptions(weights), in_flight=2)


def status(url: str, key: str) -> int:
    request = urllib.request.Request(f"{url}/chat/completions", b"{}", {"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_server_lives_from_start_to_close(model: LocalModel) -> None:
    """It listens on loopback, the environment holds its address and key, and both are gone with it."""
    with LocalServer(model) as server:
        url, key = os.environ[URL_VARIABLE], os.environ[KEY_VARIABLE]

        assert url.startswith("http://127.0.0.1:")
        assert url == server.base_url
        assert (401, 400) == (status(url, "another"), status(url, key))
        assert server.death() is None
    assert not alive(server.pid)
    assert {URL_VARIABLE, KEY_VARIABLE}.isdisjoint(os.environ)
    assert server.death() is None


def test_keys_are_new_and_on_no_command_line(model: LocalModel) -> None:
    """Every server has a key of its own, which its command line does not show."""
    keys = set()
    for _ in range(2):
        with LocalServer(model) as server:
            keys.add(os.environ[KEY_VARIABLE])
            shown = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(server.pid)], check=True, capture_output=True)

            assert b"serve.py" in shown.stdout
            assert not any(key.encode() in shown.stdout for key in keys)
    assert 2 == len(keys)


def test_header_tells_what_runs(model: LocalModel) -> None:
    """People see the model, its hash, its settings and the process."""
    with LocalServer(model) as server:
        lines = server.lines()

    assert [
        f"Tiny from --gguf: tiny.gguf, {model.weights.header.file_bytes:,} bytes",
        f"SHA-256 {model.weights.sha256}",
        "xllamacpp 0.0.1, its own chat template, context 4,096 tokens, message at most 512 tokens",
        f"{model.slots} at a time, {model.threads} threads",
    ] == lines[:4]
    assert lines[4].startswith(f"process {server.pid} at http://127.0.0.1:")


@pytest.mark.parametrize(
    ("accident", "cause"),
    [
        ("refuse", f"llama_model_load: {stand_in_xllamacpp.FIRST_ERROR}"),
        ("abort", "SIGABRT: ggml.c:1: GGML_ASSERT(tensor != NULL) failed"),
        ("leave", "exit code 7: the native code says something here too"),
        ("hang", "no server after 1 s"),
    ],
)
def test_failed_starts_say_why(model: LocalModel, monkeypatch: pytest.MonkeyPatch, accident: str, cause: str) -> None:
    """A server that does not come up is one error of one line, and no process."""
    monkeypatch.setenv(stand_in_xllamacpp.STAND_IN, accident)
    server = LocalServer(model, start_seconds=1.0 if accident == "hang" else 60.0)

    with pytest.raises(LocalModelError) as caught:
        server.start()
    assert f"--model local: tiny.gguf cannot be served: {cause}" == str(caught.value)
    assert not alive(server.pid)
    assert URL_VARIABLE not in os.environ


def test_weights_that_vanish_are_told(weights: Path, model: LocalModel) -> None:
    """What the server's process raises is the cause where its log tells none."""
    weights.unlink()
    with pytest.raises(LocalModelError, match=r"\A--model local: tiny.gguf cannot be served: AssertionError\Z"):
        LocalServer(model).start()


@pytest.mark.slow  # kills the server
def test_death_is_told_with_its_cause(model: LocalModel) -> None:
    """A server that was killed is known to be, until it is closed."""
    with LocalServer(model) as server:
        os.kill(server.pid, signal.SIGKILL)

        assert comes_true(lambda: server.death() is not None)
        assert (
            f"the server of --model local (process {server.pid}) died: SIGKILL, perhaps for lack of memory"
        ) == server.death()
    server.close()


def test_ctrl_c_does_not_reach_the_server(model: LocalModel) -> None:
    """An interrupt goes to the whole group of processes; the server waits for its owner to decide."""
    with LocalServer(model) as server:
        os.kill(server.pid, signal.SIGINT)
        time.sleep(0.3)

        assert alive(server.pid)


@pytest.mark.slow  # interrupts this process
@pytest.mark.usefixtures("interruptible")
def test_interrupted_starts_leave_nothing(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the weights are loaded ends the server's process too."""
    monkeypatch.setenv(stand_in_xllamacpp.STAND_IN, "wait")
    server = LocalServer(model)

    def interrupt() -> None:
        assert comes_true(lambda: server._process is not None)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        server.start()
    assert not alive(server.pid)


@pytest.mark.slow  # kills the owner of the server
@pytest.mark.parametrize("ending", ["kill", "terminate", "return"])
def test_server_ends_with_its_owner(weights: Path, ending: str) -> None:
    """Whether its owner is killed, terminated or merely ends without closing it, no server is left."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(weights)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdin is not None
        pid = int(owner.stdout.readline())

        assert alive(pid)
        if ending == "return":
            owner.stdin.close()
        else:
            getattr(owner, ending)()
        owner.wait(60)
        assert comes_true(lambda: not alive(pid))


@pytest.mark.slow  # kills the owner of the server
def test_server_ends_with_its_owner_while_it_loads(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Native code that holds the interpreter's lock does not keep the process alive."""
    said = tmp_path / "pid"
    monkeypatch.setenv(stand_in_xllamacpp.STAND_IN, "hang")
    monkeypatch.setenv("STAND_IN_PID", str(said))
    with subprocess.Popen([sys.executable, "-c", OWNER, str(weights)], stdin=subprocess.PIPE) as owner:
        assert comes_true(lambda: said.exists() and bool(said.read_text()))
        pid = int(said.read_text())

        assert alive(pid)
        owner.kill()
        owner.wait(60)
        assert comes_true(lambda: not alive(pid), 5.0)
