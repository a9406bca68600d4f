"""A calendar read for some days counts as seen unless an event of the other days matters."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.gaps import gaps
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.resolve import statements
from mpcbench.schema.cause import Diagnosis, Stage
from mpcbench.schema.episode import Reveal, ToolCall
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from unit_tests.builders import tiny
from unit_tests.evaluation.diagnosis.planted import dataset, instances, problem_of
from unit_tests.examples import examples

WHOLE = ("policy:POL-01", "policy:POL-02", "policy:POL-03", "thread:T0001", "person:p003", "room:R01", "room:R03")
CALENDARS = ("calendar:p001", "calendar:p002", "room_calendar:R01", "room_calendar:R03")
DAYS = ("2027-02-07", "2027-02-08", "2027-02-09", "2027-02-10")


def days(record: str, first: str, last: str) -> ToolCall:
    return tiny.call(record, start_date=first, end_date=last)


def found(level: Level, calls: Sequence[ToolCall]) -> dict[str, tuple[Interval, ...]]:
    world, instance = tiny.world(level), tiny.instance(level)
    problem = resolve(world, instance)
    frame = Frame(world, Provenance(statements(world, instance)), problem, problem.duration)
    return dict(gaps(frame, Exposure.by(calls, tiny.ZONE)))


def minutes(start: str, end: str) -> Interval:
    return Interval(to_minutes(tiny.at(start)), to_minutes(tiny.at(end)))


def test_event_of_a_day_that_was_not_read_matters() -> None:
    """Where an unseen event blocks an earlier candidate, it is named; later ones do not matter."""
    monday = (minutes("2027-02-08 09:00", "2027-02-08 10:00"),)
    calls = (days("calendar:p001", "2027-02-09", "2027-02-09"), days("calendar:p002", "2027-02-09", "2027-02-09"))

    assert {"calendar:p001": monday} == found(1, calls)


@pytest.mark.parametrize("first", ["2027-02-07", "2027-02-08"])
def test_days_that_do_not_matter_may_be_missing(first: str) -> None:
    """Who has read the days up to the last gold candidate has seen enough."""
    calls = [days(record, first, "2027-02-08") for record in CALENDARS]

    assert {} == found(1, calls[:2])
    assert {} == found(3, calls)


def test_bookings_of_a_day_that_was_not_read_matter() -> None:
    """Room calendars are looked at, too, in the rooms that suit."""
    calls = [days(record, "2027-02-08", "2027-02-08") for record in CALENDARS[:2]]
    booked = (minutes("2027-02-08 15:00", "2027-02-08 16:00"),)

    assert {"room_calendar:R01": booked} == found(3, [*calls, days("room_calendar:R01", "2027-02-09", "2027-02-09")])


def test_event_to_wait_for_matters() -> None:
    """A calendar without the event that the meeting waits for lacks just this event."""
    for instance in instances(3, 1):
        problem = problem_of(instance)
        awaited = [one for one in problem.constraints if one.kind == "after_event"]
        others = [one for one in awaited if one.records[-1].partition(":")[2] not in problem.participants]
        if not others:
            continue
        world, (constraint, *_) = dataset().world(3), others
        record, provenance = constraint.records[-1], Provenance(statements(world, instance))
        whole = tuple(dataset().labels(3)[instance.instance_id].records)
        calls = [tiny.call(*(one for one in whole if one != record)), days(record, "2026-01-01", "2026-01-01")]
        missing = gaps(Frame(world, provenance, problem, problem.duration), Exposure.by(calls, world.zone))

        assert [record] == [*missing]
        assert [constraint.rule.instant] == [event.end for event in missing[record]]  # type: ignore[union-attr]
        return
    pytest.fail("no instance waits for an event of somebody else")


def exam(level: Level) -> Exam:
    return tiny.exam(level, records=(*WHOLE, *CALENDARS) if level == 3 else ("policy:POL-01", *CALENDARS[:2]))


def diagnosed(level: Level, calls: Sequence[ToolCall], reveal: Reveal | None = None) -> Diagnosis:
    text = json.dumps({"candidates": [{"start": "2027-02-09T11:00", "end": "2027-02-09T12:00"}]})
    episode = tiny.episode(level, text, calls=tuple(calls)).model_copy(update={"reveal": reveal})
    actual = diagnose(exam(level), episode)
    assert actual is not None
    return actual


calendar_calls = st.lists(
    st.builds(
        lambda record, days_of: days(record, *sorted(days_of)),
        st.sampled_from(CALENDARS),
        st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS)),
    ),
    max_size=6,
)
more_calls = st.one_of(calendar_calls.filter(bool).map(lambda calls: calls[0]), st.sampled_from(WHOLE).map(tiny.call))


@given(calendar_calls, st.sets(st.sampled_from(WHOLE)), more_calls)
@examples(60)
def test_more_days_never_lower_acquisition(calls: list[ToolCall], whole: set[str], more: ToolCall) -> None:
    """A further call, for days or for a record, never lowers the acquisition."""
    known = [*calls, tiny.call(*sorted(whole))]
    before, after = (diagnosed(3, some).capability.acquisition for some in (known, [*known, more]))

    assert before is not None
    assert after is not None
    assert before <= after


def test_calendar_read_in_part_fails_in_acquisition() -> None:
    """What the missing days hide is the cause, with its events, the days asked for and the first call."""
    part = days("calendar:p001", "2027-02-09", "2027-02-09")
    actual = diagnosed(1, [tiny.call("policy:POL-01"), part, days("calendar:p002", "2027-02-08", "2027-02-09")])
    (cause,) = actual.causes
    (evidence,) = cause.evidence

    assert (Stage.ACQUISITION, "acquisition.record_seen_in_part:calendar") == (actual.stage, cause.reason)
    assert ("calendar:p001", 2) == (evidence.record, evidence.tool_call)
    assert {
        "holds": {"events": [{"start": "2027-02-08T09:00:00+01:00", "end": "2027-02-08T10:00:00+01:00"}]},
        "used": {
            "days_asked_for": [{"start": "2027-02-09T00:00:00+01:00", "end": "2027-02-10T00:00:00+01:00"}],
        },
    } == evidence.values
    assert 2 / 3 == actual.capability.acquisition
    assert actual.capability.integration is None


@pytest.mark.parametrize("reveal", ["records", "constraints"])
def test_calendar_that_was_handed_over_is_whole(reveal: Reveal) -> None:
    """Who got the records with the task and looks one day up again lacks nothing."""
    actual = diagnosed(3, [days(record, "2027-02-09", "2027-02-09") for record in CALENDARS], reveal)

    assert (Stage.INTEGRATION, 1) == (actual.stage, actual.capability.acquisition)
