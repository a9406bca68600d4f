"""Whole runs of `pytest benchmark` with `--reveal` and `--attribute causal`."""

from pathlib import Path

import pytest

from mpcbench.benchmark.environment.reveal import TITLES
from unit_tests.benchmark.harness.test_harness import Finished, name_of, run, without_times
from unit_tests.builders import small_dataset

ARGUMENTS = ("--model=lacking", "--level=1", "--attribute=causal")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    small_dataset.write(folder)
    return folder


@pytest.fixture(scope="module")
def attributed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """One process, with an agent that lacks another stage on every instance."""
    return run(tmp_path_factory.mktemp("serial"), f"--dataset={folder}", *ARGUMENTS)


def test_first_helpful_repair_names_the_stage(attributed: Finished) -> None:
    """Each instance is led back to the stage that its agent lacks; a passed one to nothing."""
    found = [attributed.episode(name)["attribution"] for name in attributed.outcomes()]

    assert found[5] is None
    assert [(one["verdict"], one["proven"], [trial["reveal"] for trial in one["trials"]]) for one in found[:5]] == [
        ("proven", "decomposition", [None, "plan"]),
        ("proven", "acquisition", [None, "plan", "records"]),
        ("proven", "integration", [None, "plan", "records", "constraints"]),
        ("unrepaired", None, [None, "plan", "records", "constraints"]),
        ("error", None, [None, "plan", "records"]),
    ]


def test_score_is_that_of_the_unrepaired_episode(attributed: Finished) -> None:
    """Repairs neither turn a failure into a pass nor into an error; their own scores are kept beside it."""
    outcomes = list(attributed.outcomes().values())
    repaired, unfinished = (attributed.episode(f"level1-00{number}-lacking") for number in (2, 5))

    assert outcomes == ["failed"] * 5 + ["passed"]
    assert pytest.approx(2 / 3) == repaired["scores"]["f1"]
    assert [trial["f1"] for trial in repaired["attribution"]["trials"]] == [pytest.approx(2 / 3)] * 2 + [1.0]
    assert unfinished["fault"] is None
    assert unfinished["attribution"]["trials"][2]["fault"]["message"] == "HTTP 500 from 127.0.0.1: no luck \ufffd"


def test_named_records_are_handed_over(attributed: Finished) -> None:
    """A failed episode is run once more with only the records that its deduced cause names; that proves no stage."""
    found = [attributed.episode(name)["attribution"] for name in attributed.outcomes()][:5]

    assert [None] * 5 == [one["named"]["reveal"] for one in found]
    assert ["failed", "passed", "failed", "failed", "failed"] == [one["named"]["outcome"] for one in found]
    assert "acquisition" == found[1]["proven"]


def test_unrepaired_episode_was_given_nothing(attributed: Finished) -> None:
    """The task of the episode is the plain one, and so are the settings of the run."""
    episode = attributed.episode("level1-001-lacking")

    assert (None, "Find two slots for the Heron review on 1 February 2027.") == (episode["reveal"], episode["task"])
    assert (
        attributed.report["mpcbench"]["settings"]["reveal"],
        attributed.report["mpcbench"]["settings"]["attribute"],
    ) == (
        None,
        "causal",
    )


def test_failure_output_and_summary_say_proven(attributed: Finished) -> None:
    """The text of a failure, the terminal's table and the report's block show the proven causes."""
    texts = {name_of(test): test["call"].get("longrepr", "") for test in attributed.report["tests"]}
    block = attributed.report["mpcbench"]["attribution"]

    assert (
        "proven   acquisition (proven): the first exact match comes with the records revealed"
        in texts["level1-002-lacking"]
    )
    assert "none is proven: the trial with the records revealed is an error" in texts["level1-005-lacking"]
    assert attributed.output.count("Proven causes") == 1
    assert "handed the records that the deduced cause names, 1 of 5 gave an exact match" in attributed.output
    assert block == [
        {
            "level": 1, "model": "lacking", "attributed": 5,
            "decomposition": 1, "acquisition": 1, "integration": 1, "unstable": 0, "unrepaired": 1, "errors": 1,
            "named": 5, "borne_out": 1, "gains": [], "largest": None,
        }
    ]  # fmt: skip


def test_report_is_the_same_for_two_workers(attributed: Finished, folder: Path, tmp_path: Path) -> None:
    """Up to times, the JSON report does not show how the run was distributed."""
    parallel = run(tmp_path, f"--dataset={folder}", *ARGUMENTS, "-n", "2")

    assert without_times(attributed.report) == without_times(parallel.report)


def test_given_holds_for_every_episode(folder: Path, tmp_path: Path) -> None:
    """Every task ends with what is handed over, and the run says so."""
    given = run(tmp_path, f"--dataset={folder}", "--model=lacking", "--level=1", "--reveal=records")
    episodes = [given.episode(name) for name in given.outcomes()]

    assert list(given.outcomes().values()) == ["passed", "passed", "failed", "failed", "error", "passed"]
    assert {"records"} == {episode["reveal"] for episode in episodes}
    assert all(TITLES["records"] in episode["task"] for episode in episodes)
    assert given.report["mpcbench"]["settings"]["reveal"] == "records"
    assert given.report["mpcbench"]["attribution"] == []


def test_repairs_of_repaired_episodes_are_refused(folder: Path, tmp_path: Path) -> None:
    """`--reveal` and `--attribute` together are a usage error of one line."""
    refused = run(tmp_path, f"--dataset={folder}", "--reveal=plan", "--attribute=causal")

    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert refused.output.startswith("ERROR: --attribute: not together with --reveal")
