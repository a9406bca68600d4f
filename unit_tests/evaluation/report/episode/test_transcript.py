"""Transcripts tell what was said and called, in order, whatever format the messages have."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.episode.messages import Unknown, Utterance
from mpcbench.evaluation.report.episode.transcript import Call, Entry, Showing, transcript
from unit_tests.builders import tiny
from unit_tests.evaluation.report.conversations import ARGUMENTS, CALLS, FINAL, chat, episode, in_text, responses
from unit_tests.evaluation.report.episode.test_messages import MESSAGES
from unit_tests.examples import examples

NEEDED = ("calendar:p001", "policy:POL-01", "thread:T0001")


def told(entry: Entry) -> tuple[int, str, Any]:
    """An entry as its turn, its kind and what it holds."""
    match entry.what:
        case Utterance(voice=voice, text=text):
            return entry.turn, voice.value, text
        case Call(number=number, name=name):
            return entry.turn, name, number
        case Unknown(value=value):
            return entry.turn, "unknown", value


OPENING = [(0, "system", "You schedule meetings."), (0, "user", "Find slots.")]
NATIVE = [
    *OPENING,
    (1, "assistant", "Calendars first."),
    (1, "get_calendar", 1),
    (1, "get_calendar", 2),
    (2, "reasoning", "Now the policy."),
    (2, "get_policy", 3),
    (3, "assistant", FINAL),
]


@pytest.mark.parametrize("messages", [chat, responses])
def test_order(messages: Any) -> None:
    """Both formats of the API give the same transcript."""
    assert NATIVE == [told(entry) for entry in transcript(episode(*messages())).entries]


def test_order_of_texts() -> None:
    """Results that a message quotes are shown as calls, and no longer in the message."""
    found = [told(entry) for entry in transcript(episode(*in_text())).entries]

    assert [
        *OPENING,
        (1, "assistant", "Calendars first."),
        (1, "get_calendar", 1),
        (1, "get_calendar", 2),
        (
            1,
            "user",
            f"Result of {ARGUMENTS[0]}\n<[the result of call 1]>\n\nResult of {ARGUMENTS[1]}\n<[the result of call 2]>",
        ),
        (2, "assistant", "Now the policy."),
        (2, "get_policy", 3),
        (2, "user", f"Result of {ARGUMENTS[2]}\n<[the result of call 3]>"),
        (3, "assistant", FINAL),
    ] == found


def test_agent_without_messages() -> None:
    """Of an agent that keeps no messages there are prompt, task, calls by turn and the final message."""
    found = [told(entry) for entry in transcript(episode()).entries]

    assert [
        (0, "system", "You schedule meetings."),
        (0, "user", tiny.instance(1).task[0]),
        (1, "get_calendar", 1),
        (1, "get_calendar", 2),
        (2, "get_policy", 3),
        (3, "assistant", FINAL),
    ] == found


def test_records_of_calls() -> None:
    """A needed record is marked where it is first shown, and otherwise where it is shown again."""
    calls = [entry.what for entry in transcript(episode(*chat()), NEEDED).entries if isinstance(entry.what, Call)]

    assert [
        [("calendar:p001", Showing.FIRST), ("person:p001", Showing.OTHER)],
        [],
        [("policy:POL-01", Showing.FIRST), ("calendar:p001", Showing.AGAIN)],
    ] == [[tuple(vars_of(shown)) for shown in call.records] for call in calls]


def vars_of(shown: Any) -> tuple[str, Showing]:
    return shown.record, shown.showing


def test_calls_that_were_not_run() -> None:
    """A call without a result is told as one that was not run."""
    found = transcript(episode(*chat()[:-2], calls=CALLS[:2], text="")).entries[-1]

    assert Entry(2, Call(None, "get_policy", ARGUMENTS[2], None)) == found


def test_result_that_is_not_in_the_log() -> None:
    """What a message says of a result is shown, and what the log says too."""
    messages = [*chat()[:4], {**chat()[4], "content": "tampered"}]
    found = [entry.what for entry in transcript(episode(*messages, calls=CALLS[:2])).entries]
    calls = [(what.number, what.name, what.result) for what in found if isinstance(what, Call)]

    assert [
        (1, "get_calendar", CALLS[0].result),
        (None, "get_calendar", "tampered"),
        (2, "get_calendar", CALLS[1].result),
    ] == calls


def test_result_without_a_call() -> None:
    """A result whose ID no call has is told all the same."""
    found = transcript(episode({"role": "tool", "tool_call_id": 7, "content": "text"}, calls=(), text="")).entries

    assert [Entry(0, Call(None, "", None, "text"))] == list(found)


def test_calls_that_messages_leave_out() -> None:
    """A call that no message tells of comes after its turn."""
    messages = [*chat()[:5], *chat()[7:]]
    found = [told(entry)[:2] for entry in transcript(episode(*messages)).entries]

    assert [
        (0, "system"),
        (0, "user"),
        (1, "assistant"),
        (1, "get_calendar"),
        (1, "get_calendar"),
        (2, "assistant"),
        (2, "get_policy"),
    ] == found


def test_equal_results() -> None:
    """Calls with equal results are told in the order of the log."""
    calls = tuple(CALLS[2].model_copy(update={"turn": turn, "arguments": {"keyword": str(turn)}}) for turn in (1, 2))
    result = {"role": "tool", "content": CALLS[2].result}
    call = {"role": "assistant", "tool_calls": [{"function": {"name": "get_policy", "arguments": "{}"}}]}
    found = transcript(episode(call, result, call, result, calls=calls, text="")).entries

    assert [(1, "get_policy", 1), (2, "get_policy", 2)] == [told(entry) for entry in found]


def test_records_never_seen() -> None:
    """What was never seen is what the episode says."""
    assert ("policy:POL-01",) == transcript(tiny.episode(1, "?", calls=(tiny.call("calendar:p001"),))).never_seen


@examples(30)
@given(st.lists(MESSAGES, max_size=6))
def test_any_messages(messages: list[dict[str, Any]]) -> None:
    """Messages of any shape have a transcript, in which every call of the log appears once, in order."""
    entries = transcript(episode(*messages)).entries
    numbers = [entry.what.number for entry in entries if isinstance(entry.what, Call)]

    assert [1, 2, 3] == [number for number in numbers if number is not None]
