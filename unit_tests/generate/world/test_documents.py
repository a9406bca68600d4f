"""Policy documents."""

import re
from random import Random

import pytest

from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import every
from mpcbench.generate.wording.policies import RULES, days_of_week, other_rule, say_past_rule, say_rule
from mpcbench.generate.world.documents import LEAST_WORDS, archived_pages, write_documents
from mpcbench.generate.world.organisation import policies_of
from mpcbench.schema import (
    BanDowTime,
    BufferMin,
    Collection,
    Document,
    LunchBlock,
    PolicyRule,
    RoomTurnaround,
    WorkHours,
)
from mpcbench.schema.model import Level, minute_of_day

RULE_VALUES: list[PolicyRule] = [
    WorkHours(start="10:00", end="16:30", days=(0, 1, 2, 3)),
    LunchBlock(start="12:00", end="13:30", days=(0, 1, 2, 3, 4)),
    BufferMin(minutes=20),
    BanDowTime(day=2, start="09:00", end="13:00"),
    RoomTurnaround(minutes=15),
]
rules = pytest.mark.parametrize("rule", RULE_VALUES, ids=lambda rule: rule.kind)


def needed(rule: PolicyRule) -> list[list[str]]:
    """Lists of alternatives; a rule's text must contain one of each list."""
    match rule:
        case BufferMin(minutes=minutes) | RoomTurnaround(minutes=minutes):
            special = {15: "a quarter of an hour", 30: "half an hour", 45: "three quarters of an hour", 60: "one hour"}
            return [[f"{minutes} minutes", special.get(minutes, f"{minutes} minutes")]]
        case BanDowTime(day=day):
            weekdays = [words.WEEKDAYS[day]]
        case WorkHours(days=days) | LunchBlock(days=days):
            weekdays = [days_of_week(days, Random(seed)) for seed in range(20)]
            if len(days) == 7:
                weekdays = ["every day", "seven days a week", "all days of the week"]
    hours = [[clock.write(minute_of_day(time)) for clock in words.CLOCKS] for time in (rule.start, rule.end)]
    return [weekdays, *hours]


@rules
def test_every_phrasing_says_everything(rule: PolicyRule) -> None:
    """Whatever the phrasing, the sentence holds every value of the rule."""
    texts = [say_rule(rule, Random(seed)) for seed in range(200)]

    lacking = [
        (text, alternatives)
        for text in texts
        for alternatives in needed(rule)
        if not any(alternative.lower() in text.lower() for alternative in alternatives)
    ]
    assert lacking == []


@rules
def test_at_least_six_phrasings_are_reached(rule: PolicyRule) -> None:
    """Every phrasing of a rule is reached, choices included, and there are six or more."""
    phrasings = [full for template in RULES[rule.kind].rule for full in every(template)]
    texts = [say_rule(rule, Random(seed)) for seed in range(300)]
    patterns = [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(full)), re.IGNORECASE) for full in phrasings]

    assert len(patterns) >= 6
    assert all(any(pattern.fullmatch(text) for text in texts) for pattern in patterns)


@rules
def test_history_has_a_year_and_other_numbers(rule: PolicyRule) -> None:
    """A former rule is given with its year and never equals the rule in force."""
    for seed in range(50):
        other = other_rule(rule, Random(seed))
        assert type(other) is type(rule)
        assert other != rule
        assert "2022" in say_past_rule(other, 2022, Random(seed))


@pytest.mark.parametrize(
    ("days", "texts"),
    [
        (
            (0, 1, 2, 3, 4),
            {"Monday to Friday", "Monday through Friday", "Mondays, Tuesdays, Wednesdays, Thursdays and Fridays"},
        ),
        ((0, 2, 4), {"Mondays, Wednesdays and Fridays"}),
        ((4, 3), {"Thursdays and Fridays"}),
    ],
)
def test_days_of_the_week(days: tuple[int, ...], texts: set[str]) -> None:
    """Days are named one by one or as a stretch without gaps."""
    assert texts == {days_of_week(days, Random(seed)) for seed in range(40)}


def documents(level: Level, seed: int) -> tuple[Document, ...]:
    return write_documents(policies_of(level, Random(seed)), level, Random(seed))


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_every_policy_has_one_section(level: Level, seed: int) -> None:
    """The documents hold each policy once, with its ID in the heading and its rules beside the text."""
    plans = policies_of(level, Random(seed))
    sections = [section for document in documents(level, seed) for section in document.sections]

    assert {plan.policy_id: plan.rules for plan in plans} == {
        section.policy_id: section.rules for section in sections if section.policy_id is not None
    }
    assert len(plans) == sum(section.policy_id is not None for section in sections)
    assert all(section.policy_id in section.heading for section in sections if section.policy_id)


@pytest.mark.parametrize(("level", "count"), [(2, 8), (3, 16)])
@pytest.mark.parametrize("seed", range(12))
def test_documents_are_long(level: Level, count: int, seed: int) -> None:
    """At levels 2 and 3 every document is long, with unnumbered sections in between, each of them once."""
    written = documents(level, seed)
    unnumbered = [section.heading for document in written for section in document.sections if not section.policy_id]

    assert count == len(written)
    assert sorted(set(unnumbered)) == sorted(unnumbered)
    for document in written:
        text = " ".join([document.introduction, *(section.text for section in document.sections)])
        assert len(text.split()) >= LEAST_WORDS


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_sections_state_their_rules(level: Level, seed: int) -> None:
    """The text of a section holds every value of its rules."""
    for document in documents(level, seed):
        for section in document.sections:
            for rule in section.rules:
                for alternatives in needed(rule):
                    assert any(alternative.lower() in section.text.lower() for alternative in alternatives)


def test_level_1_sections_are_one_line() -> None:
    """The compact document has no paragraphs."""
    (document,) = documents(1, 3)

    assert all("\n" not in section.text for section in document.sections)


def test_archived_pages_say_that_they_are_superseded() -> None:
    """Archived editions carry their status and are unique."""
    pages = archived_pages(policies_of(3, Random(1)), Random(2))

    assert {Collection.POLICY_ARCHIVE} == {page.collection for page in pages}
    assert len(pages) == len({page.page_id for page in pages})
    assert all("superseded" in page.title and page.text.startswith("Status: superseded.") for page in pages)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_same_seed_same_documents(level: Level) -> None:
    """Documents depend on the policies and the seed alone."""
    assert documents(level, 4) == documents(level, 4)
