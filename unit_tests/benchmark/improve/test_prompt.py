"""The optimiser against the practice endpoint: a stand-in model whose mistake one sentence in its prompt mends."""

import importlib.util
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.improve.__main__ import main
from mpcbench.benchmark.practice_endpoint import EndpointServer, Solver
from mpcbench.benchmark.practice_endpoint.brains import Conversation, ModelTurn
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.generate.__main__ import main as generate
from mpcbench.schema.dataset import COMMITTED
from unit_tests.builders import small_ladder

LESSON = "Read the policy before you answer."
needs_gepa = pytest.mark.skipif(importlib.util.find_spec("gepa") is None, reason="gepa is not installed")


class Teachable:
    """Reads no policy until it is told to; without tools it writes instructions, once it has read what went wrong."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, conversation: Conversation) -> ModelTurn:
        if not conversation.tools:
            self.read.append(conversation.user)
            return ModelTurn(text=f"```\n{LESSON}\n```")
        return Solver(reference if LESSON in conversation.system else flawed_agent("no-policy"))(conversation)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three instances of the split train."""
    folder = tmp_path_factory.mktemp("train") / "data"
    assert generate(["--level", "1", "--count", "3", "--seed", "100000", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-practice-endpoint")


@needs_gepa
@pytest.mark.slow  # several runs of the suite, each in a process of its own
def test_optimiser_finds_what_mends_the_mistake(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The writer reads the diagnosis; its instructions are kept because the runs with them score higher."""
    brain, out = Teachable(), tmp_path / "better.txt"
    with EndpointServer(brain) as server:
        given = ["--dataset", str(data), "--writer", "gpt-4o", "--writer-url", server.base_url, "--out", str(out)]
        code = main(["prompt", *given, "--episodes", "9", "--model", "gpt-4o", "--base-url", server.base_url])
    said = capsys.readouterr()
    runs = [RunFolder.open(path) for path in sorted((tmp_path / "better-runs").glob("run*"))]

    assert 0 == code, said.err
    assert f"{LESSON}\n" == out.read_text()
    assert "1.000 now, on 3 training instances" in said.out
    assert "policy" in brain.read[0].partition("what was wrong with it:")[2]
    assert LESSON == runs[-1].info.settings["instructions"]
    assert all(episode.system_prompt.endswith(LESSON) for episode in runs[-1].episodes())


@needs_gepa
def test_run_that_fails_ends_the_optimisation(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error is no score: one line says which run, and nothing is written."""
    given = ["--dataset", str(data), "--writer", "gpt-4o", "--out", str(tmp_path / "out.txt")]

    assert 2 == main(["prompt", *given, "--model", "flawed:no-such-flaw"])
    assert "run001: mpcbench run ended with 4" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


@needs_gepa
def test_wrong_option_of_a_run_is_named(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line says which, and the corrected command can have the same places."""
    given = ["--dataset", str(data), "--writer", "gpt-4o", "--out", str(tmp_path / "out.txt"), "--model", "reference"]

    assert 2 == main(["prompt", *given, "--bogus", "3"])
    assert "run001: mpcbench run ended with 4: " in (said := capsys.readouterr().err)
    assert "unrecognized arguments: --bogus" in said
    assert [] == list(tmp_path.iterdir())


@needs_gepa
@pytest.mark.slow  # runs of the suite, each in a process of its own
def test_writer_that_fails_ends_the_optimisation(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At its first failure: no more episodes are spent, and nothing is written."""

    def silent(_: Conversation) -> ModelTurn:
        return ModelTurn(text="")

    out = tmp_path / "out.txt"
    with EndpointServer(silent) as server:
        given = ["--dataset", str(data), "--writer", "gpt-4o", "--writer-url", server.base_url, "--out", str(out)]
        code = main(["prompt", *given, "--episodes", "60", "--model", "flawed:no-policy"])

    assert 2 == code
    assert "--writer gpt-4o: an empty answer" in capsys.readouterr().err
    assert not out.exists()
    assert 2 == len(list((tmp_path / "out-runs").glob("run*")))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dataset", str(COMMITTED)], "level1-000 of seed 2027 is in the split test, not in train"),
        (["--level", "1"], "--level: the optimiser itself says so to each run"),
        (["--run-dir=x"], "--run-dir=x: the optimiser itself says so to each run"),
    ],
)
def test_wrong_data_and_options_are_refused(
    options: list[str], message: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is optimised on test instances, and the optimiser's own options are not for the user."""
    given = ["--dataset", str(data), "--writer", "gpt-4o", "--out", str(tmp_path / "out.txt"), *options]

    assert 2 == main(["prompt", *given])
    assert message in capsys.readouterr().err


def test_level_4_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so before the writer is asked."""
    small_ladder.write(tmp_path / "data")
    given = ["--dataset", str(tmp_path / "data"), "--writer", "gpt-4o", "--out", str(tmp_path / "out.txt")]

    assert 2 == main(["prompt", *given])
    assert "holds level 4 alone, and improve prompt knows levels 1 to 3 only" in capsys.readouterr().err


def test_writer_needs_a_key(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names the variable before anything runs."""
    monkeypatch.delenv("OPENAI_API_KEY")

    assert 2 == main(["prompt", "--dataset", str(data), "--writer", "gpt-4o", "--out", str(tmp_path / "out.txt")])
    assert "OPENAI_API_KEY: not set; --writer gpt-4o needs an API key" in capsys.readouterr().err
