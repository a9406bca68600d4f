"""The diagnosis of level 4: only what leads to the whole answer is a cause."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpcbench.benchmark.environment.setting import toolbox_of
from mpcbench.evaluation.diagnosis.level4.counterfactuals import MOST_SOLVED, Counterfactuals
from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.misreadings import MISREADINGS, misread
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks, solve
from mpcbench.oracle.level4.touched import touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.cause import Cause, Diagnosis, Stage, in_words
from mpcbench.schema.episode import AnswerCandidate, Reply, ToolCall
from mpcbench.schema.level4.dataset import LadderExam
from unit_tests.builders import small_ladder
from unit_tests.oracle.level4.strategies import Theme, ladder_cases


def calls(exam: LadderExam, *, without: str = "") -> tuple[ToolCall, ...]:
    """Those that show everything, but for one record."""
    tools = toolbox_of(exam)
    small_ladder.read_all(tools)
    return tuple(call for call in tools.log if without not in call.records)


def diagnosed(rung: int, *starts: str, without: str = "", room: str = "R01", needed: tuple[str, ...] = ()) -> Diagnosis:
    """Of an answer with these starts; some more records are needed than the small set says."""
    exam = small_ladder.exam(rung)
    records = (*exam.label.records, *needed)
    exam = replace(exam, label=exam.label.model_copy(update={"records": records}))
    meetings = [one.meeting for one in exam.label.gold]
    candidates: list[dict[str, Any]] = [
        {"start": f"2027-03-01T{start}+00:00", "end": later(start), "room_id": room}
        | ({} if meeting is None else {"meeting": meeting})
        for start, meeting in zip(starts, meetings, strict=False)
    ]
    attempt = Attempt(
        model="m",
        task="",
        reply=Reply(text=json.dumps({"candidates": candidates})),
        tool_calls=calls(exam, without=without),
    )
    diagnosis = grade(exam, attempt).diagnosis
    assert diagnosis is not None
    return diagnosis


def later(start: str) -> str:
    """An hour later."""
    hour, minute = start.split(":")
    return f"2027-03-01T{int(hour) + 1:02}:{minute}+00:00"


def only(diagnosis: Diagnosis) -> Cause:
    (cause,) = diagnosis.causes
    return cause


def test_answer_of_the_world_before_the_change_is_recognised() -> None:
    """The agent did not look again after the change; that it overlooked the new entry explains the answer equally well."""
    cause, *others = diagnosed(3, "09:45", "10:00", "10:15").causes

    assert "integration.mechanism_misread:changes_first_state" == cause.reason
    assert (1, True, {"misread": "all of its kind"}) == (cause.changes, cause.reproduces, cause.evidence[0].values)
    assert {"fact": "entry:p1.late"} in [one.evidence[0].values for one in others]
    assert [2, 3] == [one.alternative for one in others]


def test_lost_entry_is_named_with_its_calendar() -> None:
    """Ben's entry from 09:15 to 09:45 was not taken into account; or Ben himself, who has no other, was not."""
    diagnosis = diagnosed(1, "09:30", "09:45", "10:00")
    other, cause = diagnosis.causes

    assert Stage.INTEGRATION == diagnosis.stage
    assert ["integration.fact_lost:invitation", "integration.fact_lost:entry"] == [other.reason, cause.reason]
    assert ("calendar:p2", {"fact": "entry:p2.e2"}, 3) == (
        cause.evidence[0].record,
        cause.evidence[0].values,
        cause.evidence[0].tool_call,
    )
    assert "Overlooked a single fact: entry (integration)" == in_words(cause.reason)


@pytest.mark.parametrize(
    ("starts", "leads"), [(("09:30", "09:45", "10:00"), True), (("10:30", "10:45", "11:00"), False)]
)
def test_record_never_seen_says_whether_it_leads_to_the_answer(starts: tuple[str, ...], leads: bool) -> None:
    """It is the cause either way, as the gold depends on it."""
    diagnosis = diagnosed(1, *starts, without="calendar:p2")
    cause = only(diagnosis)

    assert (Stage.ACQUISITION, "acquisition.record_never_seen:calendar") == (diagnosis.stage, cause.reason)
    assert leads == cause.reproduces
    assert (1.0, pytest.approx(2 / 3), None) == tuple(diagnosis.capability.model_dump().values())


def test_records_of_one_kind_that_were_never_seen_explain_the_answer() -> None:
    """Nobody looked Ben up in the directory either, but he is known: without him there would be another answer."""
    diagnosis = diagnosed(1, "09:30", "09:45", "10:00", without="calendar:p2", needed=("person:p2",))
    cause = only(diagnosis)

    assert (Stage.ACQUISITION, "acquisition.record_never_seen:calendar") == (diagnosis.stage, cause.reason)
    assert (True, 1, ["calendar:p2"]) == (cause.reproduces, cause.alternative, [one.record for one in cause.evidence])


def test_what_leads_to_the_answer_outranks_a_record_that_was_never_shown() -> None:
    """Ben's calendar was never shown, but the answer is not the one without it: it is the one before the change."""
    diagnosis = diagnosed(3, "09:45", "10:00", "10:15", without="calendar:p2")

    assert Stage.INTEGRATION == diagnosis.stage
    assert "integration.mechanism_misread:changes_first_state" == diagnosis.causes[0].reason
    assert diagnosis.capability.acquisition == pytest.approx(2 / 3)


def test_source_never_queried_comes_first() -> None:
    """Nothing of the threads was asked for."""
    diagnosis = diagnosed(1, "09:00", "09:15", "09:30", without="thread:T0001")

    assert Stage.DECOMPOSITION == diagnosis.stage
    assert ["decomposition.source_never_queried:threads"] == [one.reason for one in diagnosis.causes]


def test_what_no_single_change_explains_is_only_observed() -> None:
    """An occupied start, a feasible one that is not among the first, and a wrong number."""
    broken = diagnosed(1, "09:45", "10:00", "09:15")
    passed_over = diagnosed(1, "09:45", "10:00", "10:45")
    few = diagnosed(1, "09:45")

    assert ["observed.one_wrong", "observed.condition_broken:meeting"] == [one.reason for one in broken.causes]
    assert ["observed.one_wrong", "observed.passed_over:option"] == [one.reason for one in passed_over.causes]
    assert ["observed.wrong_number:too_few"] == [one.reason for one in few.causes]
    assert "Observed: breaks a condition of the meeting" == in_words(broken.causes[1].reason)


def test_unreadable_answer_is_the_cause() -> None:
    """Whatever was shown."""
    exam = small_ladder.exam(1)
    found = grade(exam, Attempt(model="m", task="", reply=Reply(text="At ten."), tool_calls=calls(exam))).diagnosis

    assert found is not None
    assert (Stage.FORMAT, "format.unparsable") == (found.stage, found.causes[0].reason)


def test_passed_episode_has_no_cause() -> None:
    """Its capabilities are full."""
    diagnosis = diagnosed(2, "09:45", "10:45")

    assert (None, ()) == (diagnosis.stage, diagnosis.causes)
    assert [1.0, 1.0, 1.0] == list(diagnosis.capability.model_dump().values())


def answer(found: tuple[Pick, ...], zone: Any) -> tuple[AnswerCandidate, ...]:
    def local(minutes: int) -> datetime:
        return to_datetime(minutes, zone)

    return tuple(AnswerCandidate(local(one.start), local(one.end), one.room_id, one.meeting) for one in found)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), theme=st.sampled_from(Theme))
def test_every_habit_is_among_the_explanations_of_its_answer(data: st.DataObject, theme: Theme) -> None:
    """And every explanation, applied to the task, gives the answer."""
    case = data.draw(ladder_cases(theme))
    knowledge = knowledge_of(case.world, case.instance)
    try:
        solution, found = solve(knowledge), touched(knowledge)
    except (UnresolvedError, SearchLimitError):
        return
    if not solution.gold:
        return
    label = small_ladder.label(small_ladder.instance(1)).model_copy(
        update={"gold": solution.gold, "certificate": None, "instance_id": case.instance.instance_id}
    )
    exam = LadderExam(case.world, case.instance, label)
    gold = set(picks(knowledge))
    for misreading in MISREADINGS:
        believed = misread(knowledge, found, misreading)
        if believed is None:
            continue
        try:
            given = picks(believed)
        except (UnresolvedError, SearchLimitError):
            continue
        if not given or set(given) == gold:
            continue
        tried = Counterfactuals(exam, answer(given, knowledge.zone), {})
        habits = [one.reason for one in tried.habits()]

        assert f"integration.mechanism_misread:{misreading.mechanism.value}_{misreading.way}" in habits
        assert tried.solved <= MOST_SOLVED
