"""Task texts."""

import re
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording.phrasing import PhrasingError, Voice
from mpcbench.generate.wording.tasks import BARE_TASKS, COUNTED_TASKS, EXPLICIT_TASKS, write_tasks
from mpcbench.schema import CallPolicy, Duration, OptionCount, Participants, Statement, Window
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours

ZONE = ZoneInfo("America/New_York")
MEETING = "Heron pricing review"
VOICE = Voice(ZONE, {"p001": "Ana Ruiz", "p002": "Li Wei"})
PEOPLE = Participants(person_ids=("p001", "p002"))
WINDOW = Window(
    start=datetime(2027, 2, 1, tzinfo=ZONE),
    end=datetime(2027, 2, 6, tzinfo=ZONE),
    daily=DailyHours(start="08:00", end="20:00"),
)
STATEMENTS: dict[Level, tuple[Statement, ...]] = {
    1: (PEOPLE, WINDOW, Duration(minutes=45), OptionCount(count=3), CallPolicy(policy_id="POL-04")),
    2: (PEOPLE, WINDOW, OptionCount(count=3)),
    3: (),
}
levels = pytest.mark.parametrize("level", STATEMENTS)


def tasks(level: Level, count: int = 80) -> list[str]:
    return [
        text for seed in range(count) for text in write_tasks(level, MEETING, STATEMENTS[level], VOICE, Random(seed))
    ]


@levels
def test_three_different_texts(level: Level) -> None:
    """The paraphrases differ in more than their numbers."""
    texts = write_tasks(level, MEETING, STATEMENTS[level], VOICE, Random(3))

    assert len(set(texts)) == 3


@levels
def test_every_text_names_the_meeting(level: Level) -> None:
    """Every text contains the meeting's name."""
    assert all(MEETING in text for text in tasks(level))


@pytest.mark.parametrize("level", [1, 2])
def test_participants_window_and_count_are_said(level: Level) -> None:
    """Levels 1 and 2 say participants, window with year and hours, and N."""
    for text in tasks(level):
        assert "Ana Ruiz and Li Wei" in text
        assert re.search(r"(three|3) (option|suggestion)s", text)
        assert len(re.findall("2027", text)) == 2
        assert re.search(r"(1 Feb|Feb(ruary)? 1|02-01)", text)
        assert re.search(r"(5 Feb|Feb(ruary)? 5|02-05)", text)
        assert re.search(r"(08:00|8:00|8 ?am)", text)
        assert re.search(r"(20:00|8 ?pm)", text)


def test_level_1_names_both_sources() -> None:
    """Level 1 says duration and policy ID, and that calendars and the policy count."""
    for text in tasks(1):
        assert re.search(r"45 min|three quarters of an hour", text)
        assert "POL-04" in text
        assert "calendar" in text
        assert "policy" in text


def test_level_2_states_only_the_number_of_sources() -> None:
    """Level 2 says that three kinds of internal sources are needed and names none."""
    forbidden = re.compile(r"calendar|polic|thread|chat|channel|conversation|director|room|POL-|DOC-", re.IGNORECASE)
    for text in tasks(2):
        assert re.search(r"three kinds of internal sources", text, re.IGNORECASE)
        assert not forbidden.search(text.replace(MEETING, ""))


def test_level_3_says_nothing_but_the_name() -> None:
    """Level 3 hints at no source, time, length or number."""
    words = {word for text in tasks(3) for word in re.findall(r"\w+", text.replace(MEETING, "").lower())}
    hints = re.compile(r"calendar|polic|thread|chat|director|room|source|minute|hour|day|date|people|participant")

    assert not any(character.isdigit() for word in words for character in word)
    assert sorted(word for word in words if hints.search(word)) == []


@pytest.mark.parametrize("templates", [EXPLICIT_TASKS, COUNTED_TASKS, BARE_TASKS])
def test_at_least_six_phrasings(templates: tuple[str, ...]) -> None:
    """There are six templates or more of each level."""
    assert len(set(templates)) >= 6


@levels
def test_same_seed_same_texts(level: Level) -> None:
    """The texts depend on the seed alone."""
    assert tasks(level, 5) == tasks(level, 5)


@pytest.mark.parametrize(
    ("level", "statements"),
    [(1, STATEMENTS[2]), (2, STATEMENTS[1]), (3, STATEMENTS[2]), (2, ())],
)
def test_other_statements_are_refused(level: Level, statements: tuple[Statement, ...]) -> None:
    """A task cannot state more or less than its level does."""
    with pytest.raises(PhrasingError, match=f"task of level {level} cannot state"):
        write_tasks(level, MEETING, statements, VOICE, Random(1))
