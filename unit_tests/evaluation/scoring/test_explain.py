"""The failure text shows a person what was asked, answered, broken, called and never seen."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from mpcbench.evaluation.scoring.evidence_text import evidence_text
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.schema.cause import Evidence
from mpcbench.schema.episode import Episode, Fault, Finish
from mpcbench.schema.model import LADDER, Level
from unit_tests.builders import tiny
from unit_tests.examples import examples


def explained(episode: Episode) -> str:
    assert episode.level != LADDER
    return explain(episode, tiny.exam(episode.level))


def answer(*rows: tuple[str, ...]) -> str:
    return json.dumps({"candidates": [dict(zip(("start", "end", "room_id"), row, strict=False)) for row in rows]})


def test_wrong_answer_is_explained() -> None:
    """The whole text of a failure, as a person reads it."""
    text = answer(
        ("2027-02-08T10:30", "2027-02-08T11:30"),
        ("2027-02-08T10:00", "2027-02-08T11:00"),
        ("2027-02-08T10:30", "2027-02-08T11:30"),
    )
    calls = (
        tiny.call("calendar:p001", keyword="Priya Nair", date="2027-02-08"),
        tiny.call(keyword="Prya", is_error=True),
    )
    expected = """\
level1-000, agent: failed: no exact match, F1 0.500, precision 0.500, recall 0.500

Task
  Find slots for the Heron pricing review.

Gold and answer
  rank  gold                                answer
     1  Mon 2027-02-08 10:15-11:15  missed  Mon 2027-02-08 10:30-11:30  right, ranks 2
     2  Mon 2027-02-08 10:30-11:30  found   Mon 2027-02-08 10:00-11:00  wrong
     3                                      Mon 2027-02-08 10:30-11:30  right, ranks 2, repeats 1

Why
  decomposition unknown, acquisition 0.500, integration unknown
  Never saw a needed policy (acquisition), deduced: acquisition.record_never_seen:policy
    - policy:POL-01: work hours 09:00-17:00, Mon, Tue, Wed, Thu, Fri, buffer of 10 minutes; shown by
      get_policy POL-01
    This alone does not lead to the answer.

What is wrong
  2. Mon 2027-02-08 10:00-11:00
    - buffer_min: leaves 0 minutes to Priya Nair (p001)'s 'Design review' (Mon 2027-02-08 09:00-10:00), where 10 are asked for
      policy:POL-01 (never seen), calendar:p001

Tool calls: 2 in 1 turn
  turn  tool          arguments                                result
     1  get_calendar  keyword="Priya Nair", date="2027-02-08"  2 characters
     1  get_calendar  keyword="Prya"                           error: no such person

Needed records never seen
  policy:POL-01"""
    actual = explained(tiny.episode(1, text, calls=calls))

    assert expected == actual


def test_causes_are_explained() -> None:
    """Each explanation that fits is shown with its evidence and the call that showed it, in plain words."""
    text = answer(("2027-02-08T10:00", "2027-02-08T11:00"), ("2027-02-08T10:15", "2027-02-08T11:15"))
    calls = tuple(map(tiny.call, ("calendar:p001", "policy:POL-01")))
    expected = """\
Why
  decomposition unknown, acquisition 1.000, integration 0.500
  Ignored the buffer around events (integration), deduced: integration.constraint_omitted:buffer_min
    - policy:POL-01 (tool call 2): buffer of 10 minutes
    Solved with this mistake, the task gives exactly the answer.
  or, which explains the answer equally well
  Wrong buffer around events (integration), deduced: integration.value_wrong:buffer_min
    - calendar:p001 (tool call 1): events Mon 2027-02-08 09:00-10:00
    - policy:POL-01 (tool call 2): 10 minutes; in the answer: no buffer around Mon 2027-02-08 09:00-10:00
    Solved with this mistake, the task gives exactly the answer.
  or, which explains the answer equally well
  Buffer on one side only (integration), deduced: integration.value_wrong:buffer_side
    - policy:POL-01 (tool call 2): 10 minutes; in the answer: 10 minutes, only after
    Solved with this mistake, the task gives exactly the answer.
"""

    assert expected in explained(tiny.episode(1, text, calls=calls))


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        ("10 minutes; in the answer: 10 minutes, only after", {"holds": {"minutes": 10}, "used": {"minutes": 10, "only": "after"}}),
        ("09:00-13:00, Tue", {"holds": {"start": "09:00", "end": "13:00", "day": 1}, "used": None}),
        ("Mon, Fri; in the answer: days every one", {"holds": {"days": [0, 4]}, "used": {"days": "every one"}}),
        (
            "events Mon 2027-02-08 09:00-10:00 and Mon 2027-02-08 23:00 to Tue 2027-02-09 01:00",
            {
                "holds": {
                    "events": [
                        {"start": "2027-02-08T08:00:00+00:00", "end": "2027-02-08T09:00:00+00:00"},
                        {"start": "2027-02-08T23:00:00+01:00", "end": "2027-02-09T01:00:00+01:00"},
                    ]
                }
            },
        ),
        ("in the answer: rooms ranked by their IDs", {"used": {"keys": []}}),
        ("5 options; in the answer: 1 option", {"holds": {"options": 5}, "used": {"options": 1}}),
        ("Mon 2027-02-08 09:00", {"holds": {"at": "2027-02-08T08:00:00+00:00"}}),
        ("as asked for; in the answer: 2 hours too early", {"holds": {"hours_late": 0}, "used": {"hours_late": -2}}),
        ("15 minutes or 20 minutes", {"holds": {"one_of": [{"minutes": 15}, {"minutes": 20}, {"minutes": 15}]}}),
        ("shown by get_calendar p041", {"holds": {"events": []}, "shown_by": "get_calendar p041"}),
        ("rooms elsewhere: 1 and 2 and 3 and 4 and 2 more", {"rooms_elsewhere": [1, 2, 3, 4, 5, 6]}),
    ],
)  # fmt: skip
def test_evidence_in_words(expected: str, values: dict[str, JsonValue]) -> None:
    """Spans are local, weekdays have names, and long lists are cut."""
    evidence = Evidence(record="policy:POL-01", values=values, tool_call=2)

    assert f"policy:POL-01 (tool call 2): {expected}" == evidence_text(evidence, tiny.ZONE)


def test_unparsable_answer_is_shown_shortened() -> None:
    """An unparsable message is shown by its beginning and end, with the reason."""
    text = "BEGIN " + "word " * 2000 + "END"
    actual = explained(tiny.episode(2, text))

    assert "No answer\n  unparsable: the final message holds no JSON object with the key 'candidates'" in actual
    assert "  | BEGIN word" in actual
    assert "more characters ...]" in actual
    assert actual.index("word END\n\nTool calls: 0\n  none") > 0
    assert len(actual) < 4000


def test_missing_answer_is_named() -> None:
    """An agent that ran out of turns left no message to show."""
    actual = explained(tiny.episode(1, "", finish=Finish.TURNS))

    assert "No answer\n  no answer\n\nTool calls" in actual


def test_error_says_what_failed() -> None:
    """An episode that is an error is not scored and shows its fault."""
    actual = explained(tiny.episode(1, fault=Fault(kind="endpoint", message="503 after 3 tries\x07")))

    assert actual.startswith("level1-000, agent: error, not scored\n")
    assert "Error\n  endpoint: 503 after 3 tries\\x07" in actual
    assert "No answer" not in actual


def test_exact_match_is_explained_too() -> None:
    """A passed episode reads as one."""
    actual = explained(tiny.episode(3, tiny.gold_text(3)))

    assert (
        "level3-000, agent: passed: exact match in the right order, F1 1.000, precision 1.000, recall 1.000" in actual
    )
    assert "found  Mon 2027-02-08 15:30-16:30 R03  right\n" in actual
    assert "What is wrong" not in actual


def test_order_is_told_from_set() -> None:
    """An exact match in another order is marked as such."""
    text = answer(("2027-02-08T10:30", "2027-02-08T11:30"), ("2027-02-08T10:15", "2027-02-08T11:15"))
    actual = explained(tiny.episode(1, text))

    assert "passed: exact match, F1 1.000, " in actual
    assert "right, ranks 2" in actual


def test_long_answers_and_logs_are_cut() -> None:
    """Hundreds of candidates and calls are counted, not all shown."""
    rows = [
        (f"2027-03-{day:02}T{hour:02}:00", f"2027-03-{day:02}T{hour:02}:30")
        for day in range(1, 6)
        for hour in range(24)
    ]
    actual = explained(tiny.episode(1, answer(*rows), calls=(tiny.call(),) * 150))

    assert "  and 90 more candidates in the answer\n" in actual
    assert "  and 1 more candidates in the answer\n" in explained(tiny.episode(1, answer(*rows[:31])))
    assert "more candidates" not in explained(tiny.episode(1, answer(*rows[:30])))
    assert "  and 50 more\n" in actual
    assert "the answer as a whole\n    - count: the answer has 120 candidates where 2 are asked for; 70 more" in actual


def test_arguments_that_are_no_object_are_shown() -> None:
    """What a model sent instead of arguments is shown as it came."""
    call = tiny.call().model_copy(update={"arguments": "{broken\x1b["})
    actual = explained(tiny.episode(1, "", calls=(call,)))

    assert '"{broken\\u001b["' in actual


hostile = st.text(st.sampled_from('ab \n\r\t\x00\x1b\x07\x7f\x9b\u202e\u2028\ud800{}"')) | st.text()


@given(hostile, hostile, hostile, st.sampled_from([1, 3]))
@examples(25)
def test_terminal_is_safe(text: str, room: str, argument: str, level: Level) -> None:
    """Whatever a model writes, the explanation holds no character that could steer a terminal."""
    row = ("2027-02-08T10:00", "2027-02-08T11:00", room)[: 3 if level == 3 else 2]
    calls = (tiny.call("room:R01", name=text, keyword=argument),)
    episodes = (
        tiny.episode(level, text, calls=calls),
        tiny.episode(level, answer(row), calls=calls, model=argument),
        tiny.episode(level, "", calls=calls, fault=Fault(kind="endpoint", message="x" + text.replace("\ud800", ""))),
    )
    for episode in episodes:
        assert re.fullmatch(
            r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\ud800-\udfff]*", explained(episode)
        )


@pytest.mark.parametrize("level", [1, 2, 3])
def test_columns_are_aligned(level: Level) -> None:
    """Gold and answer start in the same column on every line."""
    text = answer(("2027-02-08T10:00", "2028-02-09T11:00"), ("2027-02-08T10:00:30", "2027-02-08T11:00"))
    lines = explained(tiny.episode(level, text)).split("Gold and answer\n")[1].split("\n\n")[0].splitlines()
    expected = {lines[0].index("answer")}
    actual = {line.index("Mon", line.index("missed")) for line in lines[1:]}

    assert expected == actual
