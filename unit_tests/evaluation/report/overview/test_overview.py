"""The overview says what the summary says, and in words what is missing or unknown."""

from itertools import count
from pathlib import Path

import pytest

from mpcbench.evaluation.report.overview.overview import overview
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.report.templating import templates
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.statistics.attribution import attribution
from mpcbench.schema.cause import in_words
from mpcbench.schema.episode import Episode, Outcome, RepairTrial
from unit_tests.builders.sample_runs import changed, reported, sample_run
from unit_tests.evaluation.report.plots.markup import drawn


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Three trials of two agents on two instances."""
    path = tmp_path_factory.mktemp("repeated") / "repeated-run"
    return sample_run(path, ("reference", "flawed:too-many"), ("level1-003", "level2-017"), trials=3)


def html(*runs: ReportedRun) -> str:
    values = overview(runs)
    return " ".join(templates().get_template("overview.html.j2").render(values).split())


def test_lines_stand_by_level_and_model(sample: RunFolder) -> None:
    """Every row of the summary has its line, and so has every model at all levels together."""
    run = reported(sample)
    values = overview([run])
    lines = [line for group in values["all_groups"] for line in group.lines]

    assert ["Level 1", "Level 2", "Level 3", "All levels"] == [group.heading for group in values["all_groups"]]
    assert [*run.summary.rows, *run.summary.overall] == [line.summary for line in lines]
    assert [row.model for row in (*run.summary.rows, *run.summary.overall)] == [line.name for line in lines]
    for line in lines:
        assert [(in_words(cause.reason), f"{cause.episodes:.3g}") for cause in line.summary.causes] == list(line.causes)


def test_runs_are_told_apart_by_letters(sample: RunFolder) -> None:
    """With several runs, each model's line carries the letter of its run."""
    run = reported(sample)
    values = overview([run, run])
    first = values["groups"][0]

    assert ["flawed:prose-only · A", "flawed:prose-only · B"] == [line.name for line in first.lines[:2]]
    assert "Results of 2 runs" == values["title"]
    assert [("A", "sample-run"), ("B", "sample-run")] == [(card.letter, card.name) for card in values["runs"]]


def test_front_and_costs(sample: RunFolder) -> None:
    """The cheap and the right agent are on the front; of what has no price the table says that its cost is unknown."""
    values = overview([reported(sample)])
    lines = {line.name: line for line in values["groups"][1].lines}

    assert "yes" == lines["reference"].front == lines["flawed:too-many"].front
    assert ("", "cost unknown", "unknown") == (
        lines["flawed:prose-only"].front,
        lines["flawed:prose-only"].cost,
        lines["flawed:prose-only"].total_cost,
    )
    assert lines["reference"].cost.startswith("$0.0")
    assert 3 == len(values["cost_plots"])


def test_unknown_costs_have_no_plot(sample: RunFolder, tmp_path: Path) -> None:
    """Where no cost is known, words take the place of the plots."""
    free = changed(sample, tmp_path / "free", lambda episode: episode.model_copy(update={"cost_usd": None}))
    text = html(reported(free))

    assert "Cost unknown: no episode has both" in text
    assert "Pareto front: no other" not in text


def test_notes_say_what_is_missing(sample: RunFolder, tmp_path: Path) -> None:
    """A run that ended early, planned episodes that are not there, and data not at hand are said at the top."""
    stopped = changed(sample, tmp_path / "stopped", lambda episode: episode, stopped="the budget of $1 is spent")
    next((stopped.path / "episodes").iterdir()).unlink()
    run = ReportedRun.read(RunFolder.open(stopped.path))
    notes = overview([run])["notes"]
    lettered = overview([run, run])["notes"]

    assert "The run ended early: the budget of $1 is spent" in notes
    assert "1 of 18 planned episodes are not there" in notes
    assert any("have no timeline" in note for note in notes)
    assert "Run B: the run ended early: the budget of $1 is spent" in lettered


def test_cautions_of_the_summary_are_shown(sample: RunFolder) -> None:
    """Whatever the summary warns of is at the top of the report."""
    run = reported(sample)
    notes = overview([run])["notes"]

    for warning in run.summary.warnings:
        text = warning.text(str)
        assert text[:1].upper() + text[1:] in notes


def test_repeated_trials_have_their_rates(repeated: RunFolder) -> None:
    """With several trials, pass@k and pass^k appear in a table; with one there is none."""
    run = reported(repeated)
    values = overview([run])
    line = values["groups"][0].lines[0]

    assert [1, 2, 3] == list(values["ks"])
    for name, rates in line.pass_rates:
        which = "at_least_one" if name == "pass@k" else "every"
        expected = tuple(f"{getattr(rate, which).mean:.1%}" for rate in line.summary.pass_rates)
        assert expected == rates
    assert "Repeated trials" in html(run)
    assert "3 episodes" in html(run)


def test_single_trials_have_no_rates(sample: RunFolder) -> None:
    """Nothing is said of trials where there is one of each instance."""

    assert "Repeated trials" not in html(reported(sample))


def test_proven_causes_are_counted(sample: RunFolder, tmp_path: Path) -> None:
    """Failures whose repairs were tried are counted by the stage that was proven."""
    repaired = attribution(
        [
            RepairTrial(reveal="plan", outcome=Outcome.FAILED, f1=0.0, exact_match=False),
            RepairTrial(reveal="records", outcome=Outcome.PASSED, f1=1.0, exact_match=True),
        ]
    )

    def with_repairs(episode: Episode) -> Episode:
        failed = episode.outcome is Outcome.FAILED
        return episode.model_copy(update={"attribution": repaired if failed else None})

    run = reported(changed(sample, tmp_path / "repaired", with_repairs))
    failed = sum(result.outcome is Outcome.FAILED for result in run.results)
    lines = [line for group in overview([run])["proven"] for line in group.lines]

    assert 0 < failed == sum(line.attribution.acquisition for line in lines if line.attribution is not None)
    assert "Proven causes" in html(run)
    assert "Proven causes" not in html(reported(sample))


def test_identity_names_everything(sample: RunFolder) -> None:
    """Settings, data hashes, versions and the grading version are at the end."""
    text = html(reported(sample))
    info = sample.info

    for value in (*info.data.sha256.values(), *info.prompts_sha256.values(), *info.versions.values()):
        assert value in text
    assert f"grading version {info.grading_version}" in text
    assert "max_turns" in text


def test_long_names_are_cut_in_plots_only(sample: RunFolder, tmp_path: Path) -> None:
    """A plot shows the beginning of a long name, the tables show all of it."""
    name = "a-model-with-a-name-of-more-than-eighteen-characters"
    trials = count(1)
    one = changed(
        sample, tmp_path / "long", lambda episode: episode.model_copy(update={"model": name, "trial": next(trials)})
    )
    values = overview([reported(one), reported(one)])
    texts = [one.text for one in drawn(values["score_plots"][0][1]).iter("text")]

    assert "a-model-with-… · B" in texts
    assert name not in texts
    assert f"{name} · B" == values["groups"][0].lines[1].name
