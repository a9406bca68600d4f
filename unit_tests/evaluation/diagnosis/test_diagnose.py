"""The first failed stage is named with its reason; a right answer has none, and nothing is claimed without evidence."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.schema import Source
from mpcbench.schema.cause import Capability, Diagnosis, Stage
from mpcbench.schema.episode import Episode, Fault, Finish, Reveal, ToolCall
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from unit_tests.builders import tiny
from unit_tests.examples import examples

SOURCES = (Source.CALENDAR, Source.POLICY, Source.THREADS, Source.DIRECTORY, Source.ROOMS)
RECORDS = (
    "calendar:p001",
    "calendar:p002",
    "policy:POL-01",
    "policy:POL-03",
    "thread:T0001",
    "person:p003",
    "room:R01",
    "room_calendar:R01",
)
WRONG = json.dumps({"candidates": [{"start": "2027-02-08T09:10", "end": "2027-02-08T10:10"}]})
EVERYTHING = (*RECORDS, "calendar:p003", "person:p001", "person:p002", "room:R03", "room_calendar:R03", "policy:POL-02")


def exam(level: Level) -> Exam:
    sources = {1: SOURCES[:2], 2: SOURCES[:3], 3: SOURCES}[level]
    records = {1: RECORDS[:3], 2: RECORDS[:5], 3: RECORDS}[level]
    return tiny.exam(level, sources=sources, records=records)


def diagnosed(
    level: Level,
    text: str,
    shown: Sequence[str] = EVERYTHING,
    *,
    calls: tuple[ToolCall, ...] = (),
    calls_known: bool = True,
    reveal: Reveal | None = None,
    **more: Any,
) -> Diagnosis | None:
    episode = tiny.episode(level, text, calls=(*(tiny.call(record) for record in shown), *calls), **more)
    episode = episode.model_copy(update={"reveal": reveal})
    return diagnose(exam(level), episode, calls_known=calls_known)


def reasons(diagnosis: Diagnosis | None) -> list[str]:
    assert diagnosis is not None
    return [cause.reason for cause in diagnosis.causes]


@given(st.permutations(range(2)), st.sampled_from([1, 2, 3]), st.sets(st.sampled_from(RECORDS)))
@examples(30)
def test_right_answer_has_no_cause(order: list[int], level: Level, shown: set[str]) -> None:
    """Whatever the agent has seen, an exact match in any order has no cause and no stage."""
    gold = json.loads(tiny.gold_text(level))["candidates"]
    actual = diagnosed(level, json.dumps({"candidates": [gold[place] for place in order]}), sorted(shown))

    assert actual is not None
    assert (actual.stage, actual.causes) == (None, ())


@given(st.sets(st.sampled_from(RECORDS)), st.sampled_from(RECORDS), st.sampled_from([WRONG, "prose"]))
@examples(40)
def test_more_records_never_lower_acquisition(shown: set[str], more: str, text: str) -> None:
    """Having been shown one record more never lowers the acquisition or the decomposition."""
    before, after = (diagnosed(3, text, sorted(records)) for records in (shown, shown | {more}))

    assert before is not None
    assert after is not None
    assert before.capability.acquisition is not None
    assert after.capability.acquisition is not None
    assert before.capability.decomposition is not None
    assert after.capability.decomposition is not None
    assert before.capability.acquisition <= after.capability.acquisition
    assert before.capability.decomposition <= after.capability.decomposition


candidate = st.builds(
    lambda day, quarter, minutes, room: {
        "start": f"2027-02-{day:02}T{quarter // 4:02}:{quarter % 4 * 15:02}",
        "end": f"2027-02-{day:02}T{quarter // 4:02}:{quarter % 4 * 15 + minutes:02}",
        "room_id": room,
    },
    st.integers(7, 10),
    st.integers(0, 95),
    st.integers(1, 14),
    st.sampled_from(["R01", "R03", "Ash", None]),
)


@given(st.lists(candidate, max_size=4), st.sets(st.sampled_from(RECORDS)), st.booleans())
@examples(40)
def test_diagnosis_is_pure_and_can_be_stored(rows: list[dict[str, str]], shown: set[str], known: bool) -> None:
    """The same episode always has the same diagnosis, which survives being written; no answer makes it raise."""
    text = json.dumps({"candidates": rows})
    expected = diagnosed(3, text, sorted(shown), calls_known=known)
    actual = diagnosed(3, text, sorted(shown), calls_known=known)

    assert expected is not None
    assert expected == actual
    assert Diagnosis.model_validate_json(expected.model_dump_json()) == expected
    assert expected.causes or expected.stage is None


def test_error_has_none() -> None:
    """An episode that the endpoint broke says nothing of the agent."""
    assert diagnosed(1, "", fault=Fault(kind="endpoint", message="503")) is None


@pytest.mark.parametrize(
    ("text", "finish", "expected"),
    [
        ("prose", Finish.STOP, "format.unparsable"),
        ("", Finish.STOP, "format.no_answer"),
        ("{", Finish.LENGTH, "format.truncated"),
        ("no", Finish.REFUSAL, "format.refused"),
        ("", Finish.TURNS, "format.no_answer"),
    ],
)
def test_no_answer_is_the_cause_whatever_else(text: str, finish: Finish, expected: str) -> None:
    """An answer that cannot be parsed is the primary cause, also where nothing was queried."""
    actual = diagnosed(3, text, (), finish=finish)

    assert [expected] == reasons(actual)
    assert actual is not None
    assert (actual.stage, actual.capability.acquisition) == (Stage.FORMAT, 0)


@pytest.mark.parametrize(
    ("level", "lacking", "expected"),
    [
        (1, ("policy",), ["policy"]),
        (1, ("policy", "calendar"), ["policy", "calendar"]),
        (2, ("policy", "thread"), ["threads"]),
        (2, ("calendar", "thread"), ["threads", "calendar"]),
        (3, ("person", "calendar"), ["directory"]),
        (3, ("room", "room_calendar"), ["rooms"]),
        (3, ("thread", "policy", "person", "calendar", "room", "room_calendar"), ["threads"]),
    ],
)
def test_source_never_queried(level: Level, lacking: tuple[str, ...], expected: list[str]) -> None:
    """Sources never queried come first; those to which only another one leads are not listed."""
    shown = [record for record in EVERYTHING if record.split(":")[0] not in lacking]
    actual = diagnosed(level, WRONG, shown)

    assert [f"decomposition.source_never_queried:{source}" for source in expected] == reasons(actual)


def test_failed_call_counts_as_query() -> None:
    """Who asked the policy source in vain has queried it, but not seen the record."""
    asked = tiny.call(name="get_policy", is_error=True).model_copy(update={"source": Source.POLICY})
    actual = diagnosed(1, WRONG, ("calendar:p001", "calendar:p002"), calls=(asked,))

    assert ["acquisition.record_never_seen:policy"] == reasons(actual)
    assert actual is not None
    assert Capability(decomposition=1, acquisition=2 / 3, integration=None) == actual.capability


@pytest.mark.parametrize(
    ("lacking", "expected"),
    [
        ({"thread:T0001", "policy:POL-03", "person:p003"}, ["thread"]),
        ({"room:R01", "room_calendar:R01"}, ["room"]),
        ({"room_calendar:R01"}, ["room_calendar"]),
        ({"person:p003", "room:R01"}, ["person", "room"]),
    ],
)
def test_record_never_seen(lacking: set[str], expected: list[str]) -> None:
    """Records never seen are named by kind, without those to which only another one leads."""
    asked = tiny.call(name="read_thread", is_error=True).model_copy(update={"source": Source.THREADS})
    shown = [record for record in EVERYTHING if record not in lacking]
    actual = diagnosed(3, WRONG, shown, calls=(asked,))

    assert [f"acquisition.record_never_seen:{kind}" for kind in expected] == reasons(actual)


@pytest.mark.parametrize(
    ("room", "bookings"),
    [("R01", [{"start": "2027-02-08T15:00:00+01:00", "end": "2027-02-08T16:00:00+01:00"}]), ("R03", [])],
)
def test_bookings_never_seen_are_those_of_the_room(room: str, bookings: list[dict[str, str]]) -> None:
    """The evidence holds the bookings that candidates in that very room overlap."""
    slot = {"start": "2027-02-08T15:10", "end": "2027-02-08T16:10", "room_id": room}
    shown = [record for record in EVERYTHING if record != "room_calendar:R01"]
    actual = diagnosed(3, json.dumps({"candidates": [slot]}), shown)
    assert actual is not None
    ((evidence,),) = (cause.evidence for cause in actual.causes)

    assert "room_calendar:R01" == evidence.record
    assert {"events": bookings} == evidence.values["holds"]


def test_unknown_calls_say_nothing_of_stages() -> None:
    """Without a log of calls no source or record is called missed, and what is only observed has no stage."""
    actual = diagnosed(1, WRONG.replace("-02-08", "-02-09"), (), calls_known=False)

    assert actual is not None
    assert actual.stage is None
    assert reasons(actual) == ["observed.wrong_number:too_few", "observed.condition_broken:off_grid"]
    assert Capability(decomposition=None, acquisition=None, integration=None) == actual.capability


@pytest.mark.parametrize("reveal", ["records", "constraints"])
def test_records_handed_over_count_as_seen(reveal: Reveal) -> None:
    """With the records in the task, an agent that calls nothing fails in integration."""
    actual = diagnosed(1, WRONG, (), reveal=reveal)

    assert actual is not None
    assert (actual.stage, actual.capability.acquisition) == (Stage.INTEGRATION, 1)


def test_calendar_read_for_some_days_is_told() -> None:
    """Who fetched a calendar for another week has seen the record, but not the events that matter."""
    week: dict[str, Any] = {"keyword": "Priya Nair", "date": "2027-02-15"}
    calls = (tiny.call("calendar:p001", **week), tiny.call("calendar:p002", **week))
    rows = [{"start": f"2027-02-08T09:{minute}", "end": f"2027-02-08T10:{minute}"} for minute in ("00", "15")]
    actual = diagnosed(1, json.dumps({"candidates": rows}), ("policy:POL-01",), calls=calls)

    assert actual is not None
    assert actual.stage is Stage.ACQUISITION
    assert "acquisition.record_seen_in_part:calendar" in reasons(actual)


def test_evidence_names_the_call() -> None:
    """The evidence of an ignored policy says which call had shown it."""
    rows = [
        {"start": f"2027-02-08T{start}", "end": f"2027-02-08T{end}"}
        for start, end in (("10:00", "11:00"), ("10:15", "11:15"))
    ]
    episode: Episode = tiny.episode(
        1,
        json.dumps({"candidates": rows}),
        calls=tuple(map(tiny.call, ("calendar:p001", "policy:POL-01", "calendar:p002"))),
    )
    actual = diagnose(exam(1), episode)

    assert actual is not None
    buffer = next(cause for cause in actual.causes if cause.reason == "integration.constraint_omitted:buffer_min")
    assert [("policy:POL-01", 2)] == [(evidence.record, evidence.tool_call) for evidence in buffer.evidence]
    assert (buffer.changes, buffer.reproduces) == (1, True)
