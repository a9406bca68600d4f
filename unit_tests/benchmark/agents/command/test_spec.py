"""What `--model 'command:…'` names."""

import sys
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.command.agent import CommandAgent
from mpcbench.benchmark.agents.command.spec import CommandSpec
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.isolation import Isolation
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError


def test_words(tmp_path: Path) -> None:
    """Quotes group words; a file of the user's becomes an absolute path, a program of the system's its own."""
    script = tmp_path / "my agent.py"
    script.write_text("print()")
    spec = CommandSpec.of(f"command:{sys.executable} 'my agent.py' --model 'a b, c'", tmp_path)

    assert (sys.executable, str(script), "--model", "a b, c") == spec.words
    assert script == spec.files[-1]
    assert "command:" in str(spec.described()["agent"])


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "no program is named"),
        ("sh 'x", "no closing quotation"),
        ("no-such-program x", "there is no program 'no-such-program' in PATH, nor a file in "),
        ("./not-there", "there is no program './not-there' in PATH, nor a file in "),
        ("./plain.txt", "plain.txt is not executable"),
    ],
)
def test_what_names_no_program(tmp_path: Path, typed: str, why: str) -> None:
    """One line says what is wrong."""
    (tmp_path / "plain.txt").touch()
    with pytest.raises(AgentSpecError) as caught:
        CommandSpec.of(f"command:{typed}", tmp_path)

    assert str(caught.value).startswith(f"--model command:{typed}: ")
    assert why in str(caught.value)


def test_file_in_a_hidden_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run says so before it begins."""
    monkeypatch.setattr("mpcbench.benchmark.agents.plugged.sandbox.best_isolation", lambda: Isolation.BUBBLEWRAP)
    monkeypatch.setattr("mpcbench.benchmark.agents.command.agent.require_sdk", lambda _: None)
    runs = tmp_path / "runs"
    runs.mkdir()
    script = runs / "agent.sh"
    script.touch(0o755)
    spec = CommandSpec.of(f"command:{script}", tmp_path)
    with pytest.raises(
        AgentSpecError, match=r"agent\.sh is in .*runs, which is hidden from agents; move it elsewhere$"
    ):
        CommandAgent(spec, AgentOptions(), Sandbox(tmp_path / "data", (runs,)))
