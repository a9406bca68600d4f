import pytest

from mpcbench.evaluation.statistics.attribution import (
    REPAIRED,
    REPAIRS,
    STEPS,
    attribution,
    attribution_rows,
    attribution_table,
    decides,
    explain_attribution,
    named_records,
    repair_trial,
)
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence
from mpcbench.schema.episode import Attribution, AttributionVerdict, Episode, Fault, Outcome, RepairTrial
from mpcbench.schema.result import Result, result_of
from unit_tests.builders import tiny

OUTCOMES = {"p": Outcome.PASSED, "f": Outcome.FAILED, "e": Outcome.ERROR}
WRONG = '{"candidates": []}'


def trials(outcomes: str) -> list[RepairTrial]:
    """Trials in their order: p for passed, f for failed, e for error."""
    return [
        RepairTrial(
            reveal=reveal,
            outcome=outcome,
            f1=None if outcome is Outcome.ERROR else float(outcome is Outcome.PASSED),
            exact_match=None if outcome is Outcome.ERROR else outcome is Outcome.PASSED,
            fault=Fault(kind="endpoint", message="gone") if outcome is Outcome.ERROR else None,
        )
        for reveal, outcome in zip(STEPS, (OUTCOMES[letter] for letter in outcomes), strict=False)
    ]


def attributed(found: Attribution, model: str = "agent") -> Episode:
    return tiny.episode(1, WRONG, model=model).model_copy(update={"attribution": found})


@pytest.mark.parametrize(
    ("outcomes", "verdict", "proven"),
    [
        ("p", AttributionVerdict.UNSTABLE, None),
        ("fp", AttributionVerdict.PROVEN, "decomposition"),
        ("ffp", AttributionVerdict.PROVEN, "acquisition"),
        ("fffp", AttributionVerdict.PROVEN, "integration"),
        ("ffff", AttributionVerdict.UNREPAIRED, None),
        ("e", AttributionVerdict.ERROR, None),
        ("fffe", AttributionVerdict.ERROR, None),
        ("ffpf", AttributionVerdict.PROVEN, "acquisition"),
        ("pfff", AttributionVerdict.UNSTABLE, None),
        ("fepp", AttributionVerdict.ERROR, None),
    ],
)
def test_first_pass_or_error_decides(outcomes: str, verdict: AttributionVerdict, proven: str | None) -> None:
    """The first exact match names the stage, unless it is the control's; without one, or after an error, none is proven."""
    made = trials(outcomes)
    found = attribution(made)

    assert (verdict, proven, tuple(made)) == (found.verdict, found.proven, found.trials)
    assert Attribution.model_validate_json(found.model_dump_json()) == found


def test_only_a_wrong_answer_leaves_the_cause_open() -> None:
    """A pass ends the search, and so does an error."""
    assert [False, True, True] == [decides(trial) for trial in trials("fpe")]


def test_repairs_come_in_the_order_of_the_stages() -> None:
    """Each repairs one stage more."""
    assert ["decomposition", "acquisition", "integration"] == [REPAIRED[reveal] for reveal in REPAIRS]


def test_trial_keeps_what_counts_of_its_episode() -> None:
    """A scored trial keeps its outcome and scores; one that is an error keeps its fault."""
    fault = Fault(kind="endpoint", message="gone")
    passed = repair_trial("plan", tiny.episode(1, tiny.gold_text(1)))
    error = repair_trial("records", tiny.episode(1, fault=fault))

    assert passed == RepairTrial(reveal="plan", outcome=Outcome.PASSED, f1=1.0, exact_match=True)
    assert error == RepairTrial(reveal="records", outcome=Outcome.ERROR, f1=None, exact_match=None, fault=fault)


@pytest.mark.parametrize(
    ("outcomes", "text"),
    [
        ("ffp", "acquisition (proven): the first exact match comes with the records revealed"),
        ("ffff", "none is proven: no repair gives an exact match, not even with the constraints revealed"),
        ("fe", "none is proven: the trial with the plan revealed is an error"),
        ("e", "none is proven: the control is an error"),
        ("p", "none is proven: run again as it was, it gives an exact match"),
    ],
)
def test_text_says_what_is_proven(outcomes: str, text: str) -> None:
    """One line for the verdict and one for each trial."""
    lines = explain_attribution(attribution(trials(outcomes))).splitlines()

    assert ["Proven cause", f"  {text}"] == lines[:2]
    assert len(outcomes) == len(lines[2:])


def test_text_of_an_error_holds_its_fault() -> None:
    """Control characters of a message stay harmless."""
    trial = trials("fe")[1]
    trial = trial.model_copy(update={"fault": Fault(kind="harness", message="a\x1b[31m\nb")})

    assert "    plan revealed  error  harness: a\\x1b[31m b" in explain_attribution(attribution([trial]))


def test_rows_count_verdicts_by_level_and_model() -> None:
    """Episodes without attribution are left out; the counts add up to those attributed."""
    found = [attribution(trials(outcomes)) for outcomes in ("fp", "ffp", "ffp", "fffp", "ffff", "fe", "p")]
    episodes = [attributed(one, "z") for one in found] + [attributed(found[0], "b"), tiny.episode(1, WRONG)]
    rows = attribution_rows(map(result_of, episodes))

    assert [
        {"level": 1, "model": "b", "attributed": 1, "decomposition": 1, "acquisition": 0, "integration": 0, "unstable": 0, "unrepaired": 0, "errors": 0},
        {"level": 1, "model": "z", "attributed": 7, "decomposition": 1, "acquisition": 2, "integration": 1, "unstable": 1, "unrepaired": 1, "errors": 1},
    ] == [row.model_dump(exclude={"gains", "largest", "named", "borne_out"}) for row in rows]  # fmt: skip
    assert ["1", "z", "7", "1", "2", "1", "1", "1", "1"] == attribution_table(rows).splitlines()[2].split()


def test_trials_with_the_named_records_are_counted() -> None:
    """They change no verdict; how many gave an exact match is said below the table."""
    control, helped = trials("fp")
    found = [attribution(trials("ffff"), one) for one in (helped, control, None)]
    (row,) = attribution_rows(result_of(attributed(one)) for one in found)

    assert ({AttributionVerdict.UNREPAIRED}, 2, 1) == ({one.verdict for one in found}, row.named, row.borne_out)
    assert attribution_table([row]).endswith("names, 1 of 2 gave an exact match")
    assert "    named records revealed  passed  F1 1.000" in explain_attribution(found[0])


def test_named_records_are_those_of_the_first_explanation() -> None:
    """Each record comes once; an episode without a diagnosis names none."""
    causes = [
        Cause(reason=reason, alternative=number, evidence=tuple(Evidence(record=one) for one in records))
        for reason, number, records in (
            ("integration.off_grid", 1, ("policy:POL-01", None, "task")),
            ("integration.off_grid", 1, ("task",)),
            ("unexplained", 1, ("thread:T1",)),
            ("integration.off_grid", 2, ("thread:T2",)),
        )
    ]
    capability = Capability(decomposition=1, acquisition=1, integration=0)
    found = Diagnosis(stage=None, causes=tuple(causes), capability=capability)
    episode = tiny.episode(1, WRONG)

    assert ("policy:POL-01", "task") == named_records(episode.model_copy(update={"diagnosis": found}))
    assert () == named_records(episode.model_copy(update={"diagnosis": None}))


def series(text: str, instance_id: str, trial: int = 1) -> Result:
    episode = attributed(attribution(trials(text)))
    return result_of(episode.model_copy(update={"instance_id": instance_id, "trial": trial}))


def test_gains_are_means_over_instances() -> None:
    """Trials of an instance are averaged first; a series that contains an error is left out."""
    results = [
        *(series("ffpp", "level1-001", trial) for trial in (1, 2, 3)),
        series("fppp", "level1-002"),
        series("fppp", "level1-002", 2),
        series("ffpp", "level1-002", 3),
        series("ffep", "level1-003"),
    ]
    (row,) = attribution_rows(results)

    assert ["decomposition", "acquisition", "integration"] == [one.stage for one in row.gains]
    assert pytest.approx([1 / 3, 2 / 3, 0]) == [one.gain.mean for one in row.gains]
    assert {2} == {one.gain.n for one in row.gains}


def test_stage_with_the_largest_gain_is_proven_by_its_interval() -> None:
    """With enough instances the interval lies above 0, and the table says so; with few it does not."""
    (many,) = attribution_rows(series("ffpp", f"level1-{number:03}") for number in range(30))
    (few,) = attribution_rows(series(text, f"level1-00{text[1:].index('p')}") for text in ("fppp", "ffpp"))

    assert ("acquisition", None) == (many.largest, few.largest)
    assert attribution_table([many]).endswith("; proven: acquisition")
    assert attribution_table([few]).endswith("; none stands out")
    assert "acquisition +1.000 [" in attribution_table([many])


def test_single_trials_have_no_gains() -> None:
    """Where the first repair that helps ends the series, nothing is averaged."""
    (row,) = attribution_rows([series("fp", "level1-001"), series("fffp", "level1-002")])

    assert ((), None) == (row.gains, row.largest)


def test_records_handed_over_count_as_seen() -> None:
    """With the records or the constraints revealed nothing needed was missed, with the plan everything was."""
    missed = [tiny.episode(2, WRONG, reveal=reveal).records_missed for reveal in (None, *REPAIRS)]

    assert [tiny.label(2).records] * 2 + [(), ()] == missed
