"""Of a record that was never opened: the calls that list it, the call that shows it, and the text that mattered."""

import pytest

from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.titles import titled
from mpcbench.evaluation.diagnosis.within_reach import within_reach
from mpcbench.oracle.resolve import statements
from mpcbench.schema.cause import Cause, Evidence
from mpcbench.schema.episode import ToolCall
from unit_tests.evaluation.diagnosis.planted import dataset, instances

INSTANCE = instances(3)[0]
WORLD = dataset().world(3)
PROVENANCE = Provenance(statements(WORLD, INSTANCE))


def call(result: str, *records: str, is_error: bool = False) -> ToolCall:
    return ToolCall(turn=1, name="list_threads", arguments={}, result=result, is_error=is_error, records=records)


def needed(kind: str) -> str:
    records = dataset().labels(3)[INSTANCE.instance_id].records
    return next(record for record in records if record.startswith(f"{kind}:"))


def test_calls_that_list_a_thread() -> None:
    """Only results that name the thread as a whole word count, not errors; its quote is a message of the thread."""
    record = needed("thread")
    name = record.partition(":")[2]
    calls = [call(f"[{name}]"), call(f"{name}9"), call(name, is_error=True), call(f"see {name}, please")]
    actual = within_reach(record, WORLD, PROVENANCE, calls)

    assert [1, 4] == actual["listed_in_calls"]
    assert f"read_thread {name}" == actual["shown_by"]
    assert str(actual["quote"])[:40] in " ".join(
        " ".join(message.text.split()) for message in WORLD.thread_by_id[name].messages
    )


@pytest.mark.parametrize(("kind", "tool"), [("policy", "read_policy_document DOC-"), ("calendar", "get_calendar p")])
def test_call_that_shows_a_record(kind: str, tool: str) -> None:
    """A policy is shown by its document, a calendar by its owner; a record that no call lists is not called listed."""
    actual = within_reach(needed(kind), WORLD, PROVENANCE, ())

    assert str(actual["shown_by"]).startswith(tool)
    assert "listed_in_calls" not in actual


def test_single_events_have_titles() -> None:
    """The evidence of an overlooked event says whose it is and what it is."""
    person, events = next((person, events) for person, events in WORLD.events_by_person.items() if events)
    event = events[0]
    span = {
        "start": event.start.astimezone(WORLD.zone).isoformat(),
        "end": event.end.astimezone(WORLD.zone).isoformat(),
    }
    evidence = Evidence(record=f"calendar:{person}", values={"holds": {"events": [span]}, "used": None}, tool_call=7)
    (actual,) = titled([Cause(reason="integration.record_overlooked:event", evidence=(evidence,))], WORLD)

    assert {
        "holds": {"events": [{"title": event.title, **span}]},
        "used": None,
        "owner": WORLD.person_by_id[person].name,
    } == actual.evidence[0].values
