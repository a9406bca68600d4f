"""The parser takes the last answer object, in any company, and never fails in another way than `AnswerError`."""

import json
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mpcbench.evaluation.scoring.answer import (
    MAX_CANDIDATES,
    MAX_CHARACTERS,
    Answer,
    AnswerError,
    answer_schema,
    parse_answer,
)
from mpcbench.schema import Room
from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.model import Level
from unit_tests.examples import examples

ZONE = ZoneInfo("Europe/Berlin")
SLOT = {"start": "2027-02-09T14:30:00", "end": "2027-02-09T15:30:00"}
ANSWER = json.dumps({"candidates": [SLOT]})
FIRST = json.dumps({"candidates": []})

offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
aware = st.datetimes(datetime.fromisoformat("1000-01-02"), datetime.fromisoformat("2999-12-30"), timezones=offsets)


def starts(text: str, level: Level = 1, zone: ZoneInfo = ZONE) -> list[datetime]:
    return [candidate.start.astimezone(UTC) for candidate in parse_answer(text, level, zone).candidates]


def one_start(start: str, zone: ZoneInfo = ZONE) -> datetime:
    (found,) = starts(json.dumps({"candidates": [{"start": start, "end": start}]}), zone=zone)
    return found


@given(
    st.lists(st.tuples(aware, aware, st.none() | st.text(st.characters(exclude_categories=["Cs"]))), max_size=5),
    st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    st.booleans(),
)
def test_parser_reads_what_was_written(
    given: list[tuple[datetime, datetime, str | None]], rationale: str | None, ascii_only: bool
) -> None:
    """An answer written as JSON comes back with the same instants, rooms, order and rationale."""
    rows = [{"start": start.isoformat(), "end": end.isoformat(), "room_id": room} for start, end, room in given]
    text = json.dumps({"rationale": rationale, "candidates": rows}, ensure_ascii=ascii_only)
    expected = Answer(
        tuple(AnswerCandidate(start.astimezone(UTC), end.astimezone(UTC), room) for start, end, room in given),
        rationale,
    )
    actual = parse_answer(text, 3, UTC)

    assert expected == actual


@given(st.text())
def test_prose_around_answer_does_not_matter(prose: str) -> None:
    """Text before the answer, and text without braces after it, leaves it the same."""
    behind = prose.replace("{", "")
    expected = parse_answer(ANSWER, 1, ZONE)
    actual = parse_answer(f"{prose}\n{ANSWER}{behind}", 1, ZONE)

    assert expected == actual


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{ANSWER}\n```",
        f"```\n{ANSWER}\n```\nHope that helps!",
        f"First I had {FIRST}, but then:\n{ANSWER}",
        f'{{not json}} {{"a": 1}} {ANSWER} {{"b": 2}} {{',
        f'an unclosed {{"candidates": [{ANSWER}',
        f'{{"answer": {ANSWER}}}',
        f'{{"broken": "string {ANSWER}',
        json.dumps({"rationale": 'as in {"candidates": []}', "candidates": [SLOT]}),
        ANSWER.replace(" ", "\r\n\t "),
    ],
)
def test_last_answer_object_counts(text: str) -> None:
    """Fences, prose, drafts, other objects, wrappers and broken beginnings are passed over."""
    expected = [datetime(2027, 2, 9, 13, 30, tzinfo=UTC)]
    actual = starts(text)

    assert expected == actual


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the final message holds no JSON object with the key 'candidates'"),
        ("[]", "the final message holds no JSON object with the key 'candidates'"),
        ('{"candidates": [}', "the final message holds no JSON object with the key 'candidates'"),
        ('{"candidates": 01}', "the final message holds no JSON object with the key 'candidates'"),
        (json.dumps([SLOT]), "the final message holds no JSON object with the key 'candidates'"),
        ('{"candidates": NaN}', "the final message holds no JSON object with the key 'candidates'"),
        ('{"candidates": [], "rationale": Infinity}', "the final message holds no JSON object"),
        ('{"candidates": [], "rationale": "a\x00"}', "the final message holds no JSON object"),
        ('{"candidates": [], "candidates": []}', "$: the key 'candidates' appears twice in one object"),
        ('{"candidates": [{"start": 1, "start": 2}]}', "$: the key 'start' appears twice in one object"),
        (f'{ANSWER} {{"candidates": "none"}}', "$.candidates: Input should be a valid list"),
        ('{"candidates": [{"start": "2027-02-09T14:30"}]}', "$.candidates[0].end: Field required"),
        ('{"candidates": ' + "9" * 5000 + "}", "the final message holds no JSON object"),
        ('{"candidates": 1e999}', "$.candidates: Input should be a valid list"),
        ("x" * (MAX_CHARACTERS + 1), "the final message has 4,000,001 characters, more than 4,000,000"),
    ],
)
def test_what_is_no_answer_is_refused(text: str, what: str) -> None:
    """Each way of missing the format has a message of one line that names the place and the rule."""
    with pytest.raises(AnswerError) as caught:
        parse_answer(text, 1, ZONE)

    assert str(caught.value).startswith(what)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (1, "not a string but a number"),
        (None, "not a string but null"),
        (True, "not a string but a boolean"),
        ([], "not a string but an array"),
        ({}, "not a string but an object"),
        ("tomorrow", "not an ISO 8601 date and time: 'tomorrow'"),
        ("2027-02-09", "not an ISO 8601 date and time"),
        ("2027-02-09T24:00", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30\n", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30+99:00", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30+1", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30 UTC", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30  +01:00", "not an ISO 8601 date and time"),
        ("2027-02-09T14:30 ", "not an ISO 8601 date and time"),
        ("99999-02-09T14:30", "not an ISO 8601 date and time"),
        ("0001-01-01T00:00+14:00", "not an ISO 8601 date and time"),
        ("٢٠٢٧-02-09T14:30", "not an ISO 8601 date and time"),
        ("2027-02-30T14:30", "no such date and time: '2027-02-30T14:30': day is out of range for month"),
        ("\x1b[2J" * 100, "not an ISO 8601 date and time"),
    ],
)
def test_what_is_no_time_is_refused(start: Any, what: str) -> None:
    """A time that is not ISO 8601 makes the answer unparsable, with a message that is safe to print."""
    with pytest.raises(AnswerError) as caught:
        parse_answer(json.dumps({"candidates": [{**SLOT, "start": start}]}), 1, ZONE)

    assert str(caught.value).startswith(f"$.candidates[0].start: {what}")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2027-02-09T14:30", "2027-02-09T13:30"),
        ("2027-02-09 14:30", "2027-02-09T13:30"),
        ("2027-02-09T14:30:00.000", "2027-02-09T13:30"),
        ("2027-02-09T14:30:17", "2027-02-09T13:30:17"),
        ("2027-02-09T13:30Z", "2027-02-09T13:30"),
        ("2027-02-09T08:30-0500", "2027-02-09T13:30"),
        ("2027-02-09T14:30+01", "2027-02-09T13:30"),
        ("2027-02-09t13:30z", "2027-02-09T13:30"),
        ("2027-02-09 14:30:00 +01:00", "2027-02-09T13:30"),
        ("2027-02-09T13:30:00.5 z", "2027-02-09T13:30:00.5"),
        ("2027-10-31T02:30", "2027-10-31T00:30"),  # twice on that day: the first
        ("2027-10-31T02:30+01:00", "2027-10-31T01:30"),
        ("2027-03-28T02:30", "2027-03-28T01:30"),  # skipped: the offset before
    ],
)
def test_times_are_instants(written: str, utc: str) -> None:
    """With an offset a time is that instant, without one it is read in the world's zone."""
    expected = datetime.fromisoformat(utc).replace(tzinfo=UTC)
    actual = one_start(written)

    assert expected == actual


def test_skipped_time_is_given_as_it_shows_on_the_clock() -> None:
    """A time that the change to summer time skips comes back as the real time of its instant."""
    text = json.dumps({"candidates": [{"start": "2027-03-28T02:30", "end": "2027-03-28T02:45"}]})
    expected = "2027-03-28T03:30:00+02:00"
    actual = parse_answer(text, 1, ZONE).candidates[0].start.isoformat()

    assert expected == actual


ROOMS = [
    Room(room_id=room_id, name=name, site="Berlin", floor=1, capacity=4, equipment=())
    for room_id, name in (("R07", "Heron"), ("R08", "Blue Ibis"), ("R09", "Crane"), ("R10", "Crane"), ("R11", "R07"))
]


@pytest.mark.parametrize(
    ("written", "room_id"),
    [
        ("R07", "R07"),
        ("r07", "R07"),
        (" R 07\n", "R07"),
        ("Heron", "R07"),
        ("blue  ibis", "R08"),
        ("Crane", "Crane"),  # the name of two rooms
        ("Her", "Her"),
        ("R99", "R99"),
        ("", ""),
        (None, None),
    ],
)
def test_room_is_known_by_its_id_or_its_own_name(written: str | None, room_id: str | None) -> None:
    """Case and white space do not matter, an ID goes before a name, and what names no room is kept."""
    text = json.dumps({"candidates": [{**SLOT, "room_id": written}]})
    (actual,) = parse_answer(text, 3, ZONE, ROOMS).candidates

    assert room_id == actual.room_id


def test_candidate_without_a_room_can_be_read() -> None:
    """At level 3 the schema requires a room; without one the candidate is wrong, not unparsable."""
    (actual,) = parse_answer(ANSWER, 3, ZONE, ROOMS).candidates

    assert actual.room_id is None


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("room_id", [None, "R07", 7])
def test_levels_without_rooms_ignore_them(level: Level, room_id: Any) -> None:
    """Where no room is asked for, one that is named changes nothing."""
    text = json.dumps({"candidates": [{**SLOT, "room_id": room_id}]})

    assert parse_answer(ANSWER, level, ZONE) == parse_answer(text, level, ZONE, ROOMS)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_other_keys_are_ignored(level: Level) -> None:
    """Remarks inside the answer or a candidate, and a rationale that is no text, do not change the answer."""
    text = json.dumps(
        {"confidence": 1, "candidates": [{**SLOT, "rank": 1, "note": None}], "rationale": ["a"], "draft": {"a": SLOT}}
    )

    assert parse_answer(ANSWER, level, ZONE) == parse_answer(text, level, ZONE)


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        (f"{ANSWER} If nothing were free, I would say {FIRST} instead.", 1),
        (f"{ANSWER}\n```json\n{FIRST}\n```\nis what I had first.", 1),
        (f"{ANSWER}\nNo, there is none:\n```json\n{FIRST}\n```\n", 0),
        (f'{ANSWER} {{"answer": {FIRST}}}.', 0),
        (f"{FIRST} That is all.", 0),
    ],
)
def test_empty_list_after_a_full_one_counts_only_as_the_last_word(text: str, candidates: int) -> None:
    """Where words follow the empty list, the last full one is the answer."""
    assert candidates == len(starts(text))


def test_number_of_candidates_is_limited() -> None:
    """As many candidates as a window has are read; more than the limit are no answer."""
    most = json.dumps({"candidates": [SLOT] * MAX_CANDIDATES})

    assert len(parse_answer(most, 1, ZONE).candidates) == MAX_CANDIDATES
    with pytest.raises(AnswerError, match=r"^\$\.candidates: .*at most 30000 items"):
        parse_answer(json.dumps({"candidates": [SLOT] * (MAX_CANDIDATES + 1)}), 1, ZONE)


fragments = st.sampled_from(
    [
        *'{}[]":,\\ \n\x00\ud800',
        '"candidates"',
        "null",
        "1e9",
        "NaN",
        '{"candidates":',
        '"start":',
        '"end":',
        '"2027-02-09T14:30"',
        ANSWER,
        "```json",
        "\\ud800",
    ]
)


@given(st.lists(st.one_of(fragments, st.text(max_size=3)), max_size=40).map("".join), st.sampled_from([1, 2, 3]))
@examples(500)
def test_no_text_breaks_the_parser(text: str, level: Level) -> None:
    """Any text gives an answer that the schema allows or an `AnswerError`, whose message is one safe line."""
    try:
        parse_answer(text, level, ZONE)
        message = ""
    except AnswerError as error:
        message = str(error)

    assert message.isprintable()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
times = st.sampled_from(
    ["2027-02-09T14:30", "2027-02-09T14:30:00Z", "2027-02-09T25:30", "2027-2-9T14:30", "2027-02-09T14:30+01:00", ""]
)


@given(
    st.fixed_dictionaries(
        {
            "candidates": st.lists(
                st.fixed_dictionaries(
                    {"start": times | json_values, "end": times},
                    optional={"room_id": st.none() | st.text(max_size=3) | json_values, "note": json_values},
                ),
                max_size=2,
            )
        },
        optional={"rationale": json_values, "confidence": json_values},
    ),
    st.sampled_from([1, 2, 3]),
)
def test_parser_accepts_what_the_schema_in_the_prompt_allows(value: dict[str, Any], level: Level) -> None:
    """An answer that is valid under the published JSON Schema parses, and keeps what it says."""
    allowed = Draft202012Validator(answer_schema(level)).is_valid(value)
    try:
        actual = parse_answer(json.dumps(value), level, ZONE)
    except AnswerError:
        assert not allowed
        return

    assert len(value["candidates"]) == len(actual.candidates)
    if allowed:
        assert value.get("rationale") == actual.rationale
        assert [one.get("room_id") for one in value["candidates"]] == [one.room_id for one in actual.candidates]


@pytest.mark.parametrize(
    "value",
    [
        {"candidates": [{**SLOT, "start": "2027-02-09T14:30+01:00"}]},
        {"candidates": [{**SLOT, "end": "2027-02-09T14:30:00Z"}], "rationale": None},
    ],
)
def test_schema_asks_for_more_than_the_parser(value: dict[str, Any]) -> None:
    """The schema shows one way to write an answer; a level 3 candidate has a room, and no limit of length is shown."""
    schema = answer_schema(3)
    with_room = {**value, "candidates": [{**slot, "room_id": "R07"} for slot in value["candidates"]]}
    validator = Draft202012Validator(schema)

    assert validator.is_valid(with_room)
    assert not validator.is_valid(value)
    assert not validator.is_valid({**with_room, "confidence": 1})
    assert "maxItems" not in json.dumps(schema)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_schema_is_valid_and_self_contained(level: Level) -> None:
    """The JSON Schema is one, has no references and knows rooms at level 3 only."""
    schema = answer_schema(level)
    Draft202012Validator.check_schema(schema)
    expected = ["start", "end", "room_id"] if level == 3 else ["start", "end"]
    actual = list(schema["properties"]["candidates"]["items"]["properties"])

    assert expected == actual
    assert "$ref" not in json.dumps(schema)


SIZE = 200_000
HOSTILE = {
    "braces": "{" * SIZE,
    "brackets": "[" * SIZE + "]" * SIZE,
    "nested objects": '{"a":' * (SIZE // 5),
    "closed nested objects": '{"a":' * (SIZE // 6) + "1" + "}" * (SIZE // 6),
    "nested answers": '{"candidates":[' * (SIZE // 15),
    "open quotes": '{"' * (SIZE // 2),
    "alternating quotes": '{":"' * (SIZE // 4),
    "escapes": '{"' + '\\"' * (SIZE // 2),
    "backslashes": '{"a":"{\\"' * (SIZE // 9),
    "long strings": '{"a":1,"b' + "x" * SIZE,
    "spaces": "{" + " " * SIZE,
    "spaced braces": "{ " * (SIZE // 2),
    "small objects": '{"candidates":[' + "{}," * (SIZE // 3),
    "deep objects": '{"a":{"b":{"c":{"d":{"e":1}}}}}' * (SIZE // 31),
    "repeated prefixes": ('{"a":' * 5 + "1," * 1000) * (SIZE // 2000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    """Text made to send parsers back and forth is refused in a moment."""
    start = time.process_time()
    with pytest.raises(AnswerError):
        parse_answer(HOSTILE[name], 1, ZONE)

    assert time.process_time() - start < 5  # quadratic time would be hours


def test_echoed_schema_is_no_answer() -> None:
    """An answer followed by the JSON Schema of answers is that answer."""
    answer = '{"candidates": [{"start": "2027-02-09T14:30", "end": "2027-02-09T15:00"}]}'
    text = f'{answer} It fits {{"properties": {{"candidates": {{"type": "array"}}}}}}.'

    assert parse_answer(answer, 1, UTC) == parse_answer(text, 1, UTC)
