"""The readers under test, and the strategies that generate their input."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from mpcbench.evaluation.runs.folder import RunError, parse_episode
from mpcbench.evaluation.scoring.answer import AnswerError, parse_answer
from mpcbench.schema.dataset import LEVELS
from unit_tests.builders import tiny

LONGEST_SECONDS = 2.0
"""The limit for one input in seconds, generous for a busy machine; most inputs take a millisecond."""

ZONE = ZoneInfo("America/New_York")

_ANSWERS = tuple(tiny.gold_text(level) for level in LEVELS)
_EPISODES = tuple(
    tiny.episode(level, text).model_dump_json() for level in LEVELS for text in (tiny.gold_text(level), "[", "x")
)
_FRAGMENTS = (
    '{"candidates":', "[", "]", "{", "}", '"', "\\", "\\ud800", "\ud800", "NaN", "-Infinity", "1e999", "9" * 400, "null",
    "```json", "\x00", "\u202e", "<script>alert(1)</script>", '{"a":' * 30, "[" * 500, "2027-02-30T25:61", "+99:99",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", '"start"', '"end"', '"room_id"', ",", ":", "\n", "\u2028",
)  # fmt: skip
_TEXTS = st.text(st.characters(), max_size=60) | st.sampled_from(_FRAGMENTS)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["start", "end", "room_id", "x"]), inner)
    ),
    max_leaves=8,
)


@st.composite
def _edited(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """A valid text with some pieces deleted, duplicated or replaced."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        text = text[:start] + draw(_TEXTS | st.just(text[start:end] * 2)) + text[end:]
    return text


@st.composite
def _assigned(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """A valid text with one value replaced."""
    value = json.loads(draw(st.sampled_from(texts)))
    place = value
    for _ in range(draw(st.integers(1, 5))):
        if not isinstance(place, dict | list) or not place:
            break
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if draw(st.booleans()):
            place[key] = draw(_VALUES)
            break
        place = place[key]
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _any(texts: tuple[str, ...]) -> st.SearchStrategy[str]:
    pieces = st.lists(_TEXTS, max_size=12).map("".join)
    return st.one_of(_edited(texts), _assigned(texts), _VALUES.map(json.dumps), pieces)


def answer(text: str) -> None:
    """Parse a final message at every level."""
    for level in LEVELS:
        with suppress(AnswerError):
            parse_answer(text, level, ZONE)


def episode(text: str) -> None:
    """Read an episode file."""
    with suppress(RunError):
        parse_episode(text, Path("episode.json"))


def timed(target: Callable[[str], None], text: str) -> float:
    """The seconds that a reader takes for an input; asserts that it does not hang."""
    start = time.perf_counter()
    target(text)
    seconds = time.perf_counter() - start
    assert seconds <= LONGEST_SECONDS, f"{seconds:.1f} s for {text[:200]!r}"
    return seconds


TARGETS: dict[str, tuple[Callable[[str], None], st.SearchStrategy[str]]] = {
    "answer": (answer, _any(_ANSWERS)),
    "episode": (episode, _any(_EPISODES)),
}
"""The reader and its input, by name."""
