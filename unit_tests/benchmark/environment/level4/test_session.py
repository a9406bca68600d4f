"""The change of an instance takes effect exactly once, after the call that completes what it waits for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox, UnshownRecordError
from mpcbench.oracle.level4.changes import UnknownRecordError
from mpcbench.schema.level4.instance import Change, Edit, EntryChanged
from unit_tests.benchmark.environment.level4.crawl import DAYS
from unit_tests.builders.office_records import EDITS, OFFICE, single

RECORDS = LadderRecords(OFFICE)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("read_thread", {"thread_id": "T0001"}),
    ("read_thread", {"thread_id": "T0404"}),
    ("get_calendar", {"person_id": "p001", **DAYS}),
    ("get_calendar", {"person_id": "p002", **DAYS}),
    ("get_room_bookings", {"room_ids": ["R01", "R02"], **DAYS}),
    ("get_room_bookings", {"room_ids": ["R01"], **DAYS}),
    ("search_announcements", {}),
    ("read_announcement", {"page_id": "A3"}),
    ("search_messages", {"keyword": "hour"}),
    ("list_threads", {"channel": "projects"}),
    ("no_such_tool", {}),
)
WAITED_FOR = ("thread:T0001", "calendar:p001", "calendar:p002", "room_calendar:R01", "room_calendar:R02")

edits = st.sampled_from(EDITS)
changes = st.builds(
    lambda shown, edit: Change(when_shown=tuple(shown), edit=edit),
    st.lists(st.sampled_from(WAITED_FOR), min_size=1, unique=True),
    edits,
)


@given(change=changes, calls=st.lists(st.sampled_from(CALLS), max_size=12))
def test_change_applies_once_after_the_call_that_completes_it(
    change: Change, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """Up to that call every result is that of the world before, and from then on that of the world after."""
    tools = LadderToolbox(RECORDS, change)
    before, after = LadderToolbox(RECORDS), LadderToolbox(RECORDS.after(change.edit))
    unseen = set(change.when_shown)
    for name, arguments in calls:
        world = before if unseen else after
        expected = world.call(name, arguments)

        assert expected == tools.call(name, arguments)
        assert world.log[-1] == tools.log[-1]
        unseen -= set(tools.log[-1].records)
        assert tools.has_changed is not bool(unseen)


@given(change=changes, calls=st.lists(st.sampled_from(CALLS), max_size=12))
def test_a_replayed_log_is_the_same(change: Change, calls: list[tuple[str, dict[str, Any]]]) -> None:
    """The calls of a log give the same log again, and the shared records stay those before the change."""
    tools, again = (LadderToolbox(RECORDS, change) for _ in range(2))
    for turn, (name, arguments) in enumerate(calls, start=1):
        tools.call(name, arguments, turn=turn)
    for call in tools.log:
        again.call(call.name, call.arguments, turn=call.turn)  # type: ignore[arg-type]  # arguments of objects only

    assert tools.log == again.log
    assert RECORDS.world is OFFICE


@pytest.mark.parametrize("edit", EDITS, ids=["message", "page", "other entry", "new entry", "booking"])
def test_every_kind_of_edit_is_shown(edit: Edit) -> None:
    """Some result differs after each edit."""
    before, after = LadderToolbox(RECORDS), LadderToolbox(RECORDS, Change(when_shown=("thread:T0001",), edit=edit))
    after.call("read_thread", {"thread_id": "T0001"})

    assert any(before.call(name, arguments) != after.call(name, arguments) for name, arguments in CALLS)


def test_an_edit_reaches_searches() -> None:
    """A message that is sent while the agent works is found from then on."""
    tools = LadderToolbox(RECORDS, Change(when_shown=("thread:T0001",), edit=EDITS[0]))
    early = tools.call("search_messages", {"keyword": "hour"})
    tools.call("read_thread", {"thread_id": "T0001"})

    assert '"total": 0' in early
    assert '"total": 1' in tools.call("search_messages", {"keyword": "hour"})


def test_indexes_that_an_edit_leaves_alone_are_shared() -> None:
    """A message in a channel makes only the index of channels anew, an entry none."""
    sent, entered = RECORDS.after(EDITS[0]), RECORDS.after(EDITS[2])

    assert RECORDS.messages(direct=True) is sent.messages(direct=True)
    assert RECORDS.messages(direct=False) is not sent.messages(direct=False)
    assert RECORDS.messages(direct=False) is entered.messages(direct=False)


def test_a_world_without_a_change_stays() -> None:
    """Without a change nothing happens, whatever is shown."""
    tools = LadderToolbox(RECORDS)
    for name, arguments in CALLS * 2:
        tools.call(name, arguments)

    assert tools.has_changed
    assert [call.result for call in tools.log[: len(CALLS)]] == [call.result for call in tools.log[len(CALLS) :]]


def test_a_change_that_can_never_happen_is_an_error() -> None:
    """Waiting for an unknown record, or editing one, is a mistake of the data that is named before the episode."""
    with pytest.raises(UnshownRecordError, match="'thread:T9999'"):
        LadderToolbox(RECORDS, Change(when_shown=("thread:T9999",), edit=EDITS[0]))
    unknown = EntryChanged(person_id="p999", entry=single("e1", None, "02-08 09:00", "02-08 10:00"))
    with pytest.raises(UnknownRecordError, match="'p999'"):
        LadderToolbox(RECORDS, Change(when_shown=("thread:T0001",), edit=unknown))
