"""`mpcbench serve`, and runs of `--model mcp`; the former's clients need the MCP SDK."""

import sys
import threading
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from mpcbench.benchmark.agents.mcp.__main__ import main
from mpcbench.evaluation.__main__ import main as evaluation
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import COMMITTED, Dataset
from mpcbench.schema.episode import Outcome
from unit_tests.benchmark.harness.test_harness import run

pytest.importorskip("mcp_types", reason="make mcp installs the MCP SDK")

from mcp.client.stdio import StdioServerParameters, stdio_client

from unit_tests.benchmark.agents.mcp.mcp_client import solve


@pytest.mark.slow  # starts processes
def test_serve_on_stdio(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The client's answer is scored and explained on standard error; the run can be verified."""
    arguments = ["-m", "mpcbench", "serve", "--instance=level1-007", f"--run-dir={tmp_path / 'run'}"]
    server = StdioServerParameters(command=sys.executable, args=arguments, cwd=COMMITTED)
    with (tmp_path / "said.txt").open("w") as said:
        told = solve(stdio_client(server, said))
    (episode,) = RunFolder.open(tmp_path / "run").episodes()

    assert "The answer has been submitted. The episode is over." == told
    assert "level1-007, mcp: passed: exact match in the right order" in (tmp_path / "said.txt").read_text()
    assert Outcome.PASSED is episode.outcome
    assert 0 == evaluation(["verify", str(tmp_path / "run")]), capfd.readouterr().out


def test_serve_over_http(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The address is the first line of standard output."""
    ended: list[int] = []
    arguments = ["--instance=level1-007", "--transport=http", f"--run-dir={tmp_path / 'run'}"]
    server = threading.Thread(target=lambda: ended.append(main(arguments)), daemon=True)
    server.start()
    address, said = "", ""
    while not address:
        time.sleep(0.05)
        out, err = capfd.readouterr()
        address, said = address + out.strip(), said + err
    solve(address)
    server.join(60)

    assert [0] == ended
    assert address.endswith("/level1-007/mcp")
    assert "level1-007, mcp: passed" in said + capfd.readouterr().err
    assert (tmp_path / "run" / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--instance=level1-999"], "error: --instance: no 'level1-999' in "),
        (["--instance=level1-007", "--port=1"], "error: --port: only with --transport http"),
        (["--instance=level1-007", "--dataset=nowhere"], "error: nowhere: "),
        (
            ["--instance=level1-007", "--agent-timeout=0"],
            "error: --agent-timeout: '0' is not a number of seconds above 0",
        ),
    ],
)
def test_bad_input(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line says what is wrong; no folder is made."""
    code = main([*arguments, f"--run-dir={tmp_path / 'run'}"])
    said = capsys.readouterr().err

    assert (2, 1) == (code, said.count("\n"))
    assert said.startswith(why)
    assert not (tmp_path / "run").exists()


def test_wrong_port(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the option as it was typed."""
    with pytest.raises(SystemExit) as caught:
        main(["--instance=level1-007", "--transport=http", "--port=99999"])

    assert 2 == caught.value.code
    assert capsys.readouterr().err.endswith("error: argument --port: 99999 is not a port from 0 to 65535\n")


@pytest.mark.slow  # a whole run with its client
def test_run_with_a_client(tmp_path: Path) -> None:
    """The file in the run's folder says where the next episode is; each is recorded, and the run can be verified."""
    folder = tmp_path / "run"

    def client() -> None:
        while not (folder / "mcp.json").is_file():
            time.sleep(0.05)
        address = (folder / "mcp.json").read_text().partition('"next": "')[2].partition('"')[0]
        for _ in range(2):
            with urlopen(address, timeout=60) as answer:
                solve(answer.read().decode().strip())

    thread = threading.Thread(target=client, daemon=True)
    thread.start()
    done = run(tmp_path, "--model=mcp", "--level=1", "--limit=2", f"--run-dir={folder}", own_process=True)
    thread.join(30)

    assert {"level1-000-mcp": "passed", "level1-050-mcp": "passed"} == done.outcomes()
    assert "agent: mcp: not isolated: any client; http://127.0.0.1:" in done.output
    assert not (folder / "mcp.json").exists()
    assert 0 == evaluation(["verify", str(folder)])


def test_run_with_workers_is_refused(tmp_path: Path) -> None:
    """One line says what to use instead."""
    done = run(tmp_path, "--model=mcp", "-n2", own_process=True, reports=False)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert "ERROR: -n: not with --model mcp, whose episodes have one address; --concurrency has" in done.output


def test_run_without_a_client_ends(dataset: Dataset, tmp_path: Path) -> None:
    """It stops after the first wait, and can be resumed."""
    options = (f"--dataset={dataset.folder}", "--level=1", "--limit=2", "--agent-timeout=0.2")
    done = run(tmp_path, "--model=mcp", *options, own_process=True)

    assert pytest.ExitCode.INTERRUPTED == done.code
    assert "no MCP client asked for anything within 0.2 s" in done.output
