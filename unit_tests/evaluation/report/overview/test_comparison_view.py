"""Models and runs are compared in pairs by the project's one comparison; what cannot be compared says why."""

from pathlib import Path

import pytest

from mpcbench.evaluation.report.overview.comparison_view import comparison_view
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.report.templating import templates
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.statistics.comparison import compare
from mpcbench.schema.episode import Episode
from unit_tests.builders.sample_runs import changed, reported, sample_run


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return sample_run(tmp_path_factory.mktemp("alone") / "alone-run", ("reference",), ("level1-003", "level1-042"))


def html(view: dict[str, object]) -> str:
    return " ".join(templates().get_template("compare.html.j2").render(comparison=view).split())


def test_one_model_has_nothing_to_be_compared_with(alone: RunFolder) -> None:
    """A report of one run of one model has no comparison."""

    assert comparison_view([reported(alone)]) is None


def test_models_of_a_run_are_compared(sample: RunFolder) -> None:
    """Every pair of a run's models is compared, with the numbers of `compare`."""
    run = reported(sample)
    view = comparison_view([run])
    assert view is not None
    pair = next(one for one in view["pairs"] if one.names == ("flawed:too-many", "reference"))
    hashes = run.info.data.sha256
    expected = compare(
        run.results,
        run.results,
        hashes_a=hashes,
        hashes_b=hashes,
        models=("flawed:too-many", "reference"),
    )
    assert expected.overall is not None

    assert 3 == len(view["pairs"])
    assert [f"{part.f1_difference.mean:+.3f}" for part in (*expected.levels, expected.overall)] == [
        part.f1[2] for part in pair.parts
    ]
    assert [name for part in expected.levels for name in part.gained] == [link.text for link in pair.gained]
    assert pair.gained
    assert "#/episode?instance=level1-003&model=reference" == pair.gained[0].address
    assert "Solved by the second only: " in html(view)


def test_runs_of_one_model_are_compared(sample: RunFolder, alone: RunFolder) -> None:
    """With many pairs, each model is compared with itself in the other runs; links name the run."""
    view = comparison_view([reported(sample), reported(alone), reported(alone)])
    assert view is not None

    assert [
        ("reference · A", "reference · B"),
        ("reference · A", "reference · C"),
        ("reference · B", "reference · C"),
    ] == [one.names for one in view["pairs"]]
    assert "Each model is compared with itself in the other runs." == view["which"]
    assert all(pair.parts[0].verdict == "inconclusive" for pair in view["pairs"])
    assert any(remark.startswith("Left out, as only reference · A") for remark in view["pairs"][0].remarks)


def test_many_models_are_compared_with_the_first(sample: RunFolder, tmp_path: Path) -> None:
    """Five models of one run make four pairs, each with the first."""
    names = iter(range(10_000))

    def spread(episode: Episode) -> Episode:
        return episode.model_copy(update={"model": f"m{next(names) % 5}"})

    view = comparison_view([reported(changed(sample, tmp_path / "five", spread))])
    assert view is not None

    assert [("m0", f"m{number}") for number in range(1, 5)] == [one.names for one in view["pairs"]]
    assert "Each is compared with m0." == view["which"]


def test_other_data_are_not_compared(alone: RunFolder, tmp_path: Path) -> None:
    """Runs on different data are side by side, and the pair says why it is not compared."""
    data = alone.info.data.model_copy(update={"sha256": dict.fromkeys(alone.info.data.sha256, "0" * 64)})
    other = changed(alone, tmp_path / "other", lambda episode: episode, data=data)
    view = comparison_view([reported(alone), ReportedRun.read(other)])
    assert view is not None

    assert [()] == [pair.parts for pair in view["pairs"]]
    assert "They cannot be compared: the runs are on different data" in html(view)


def test_what_did_not_run_is_said(sample: RunFolder, alone: RunFolder) -> None:
    """A level at which a contender did not run has words in its cell."""
    view = comparison_view([reported(sample), reported(alone)])
    assert view is not None

    assert ["Level 1", "Level 2", "Level 3", "All levels"] == [heading for heading, _ in view["beside"]]
    assert "not run" in html(view)
