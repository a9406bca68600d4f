"""The system prompt of level 4."""

import json
import re

import pytest

from mpcbench.benchmark.environment.level4.prompts import is_plan, ladder_prompt
from mpcbench.benchmark.environment.level4.tools.catalogue import ladder_tools
from mpcbench.evaluation.scoring.ladder_answer import ladder_answer_schema
from mpcbench.schema.level4.mechanism import Mechanism
from unit_tests.schema.level4_documents import INSTANCE

both = pytest.mark.parametrize("plan", [False, True])


@both
def test_shows_the_schema_that_the_parser_enforces(plan: bool) -> None:
    """The one JSON object in the prompt is the answer's schema."""
    prompt = ladder_prompt("Europe/Berlin", plan=plan)
    schema = json.loads(prompt[prompt.index("\n{") : prompt.rindex("\n}") + 2])

    assert ladder_answer_schema(plan=plan) == schema


@both
def test_names_no_place_to_look(plan: bool) -> None:
    """Which systems hold what is needed is for the agent to find out."""
    prompt = ladder_prompt("Europe/Berlin", plan=plan)
    places = re.compile(
        r"calendar|polic(?:y|ies)|thread|chat|channel|director(?:y|ies)|room system|roster|glossary|announce|wiki"
        r"|newsletter|team page|archive|intranet|booking system",
        re.IGNORECASE,
    )

    assert [] == places.findall(prompt)
    assert [] == [tool.name for tool in ladder_tools() if tool.name in prompt]


@both
@pytest.mark.parametrize(
    "convention",
    [
        ":00, :15, :30 or :45",
        "the day of an option is the one on which it starts",
        "exclude their end",
        "if the window has daily hours",
        "hands the planning over",
        "What the task itself says is decided",
        "is a proposal",
        "declined or left unanswered",
        "the one named first is the organiser",
        "the later one holds",
        "after everything that was decided about it",
        "who have it on the day of the option",
        "the organiser too only if invited",
        "optional people need not be available",
        "declined, cancelled or free takes no time",
        "tentative counts as busy unless",
        "by their own words",
        "whatever meetings that rule itself is about",
        "all changes that have been made known",
        "no earlier one comes back",
        "participant's own site",
        "public holiday",
        "asks for a buffer",
        "as many seats as are asked for instead",
        "taken back or replaced",
        "when you give your answer",
        "by earliest start first|starts earlier is better",
    ],
)
def test_says_the_conventions_in_one_sentence_each(plan: bool, convention: str) -> None:
    """What answers are judged by is said once, in a bullet that is one sentence, or two of the plan's ranking."""
    bullets = [line for line in ladder_prompt("Europe/Berlin", plan=plan).splitlines() if line.startswith("- ")]
    found = [bullet for bullet in bullets if re.search(convention, bullet)]

    assert 1 == len(found)
    assert len(re.findall(r"\.(?: |$)", found[0])) <= 2


@pytest.mark.parametrize(
    ("convention", "plan"),
    [
        ("exactly N", False),
        ("the number of options asked for", False),
        ("still lets all later meetings be placed", True),
        ("a day, this counts for everybody who is needed", True),
        ("holds for each of its meetings unless", True),
        ('"meeting"', True),
    ],
)
def test_says_only_what_concerns_the_task(convention: str, plan: bool) -> None:
    """A plan needs no number of options, a single meeting nothing about plans."""
    assert [plan] == [one for one in (False, True) if convention in ladder_prompt("Europe/Berlin", plan=one)]


@both
@pytest.mark.parametrize(
    ("timezone", "example"), [("Europe/Berlin", "14:30:00+01:00"), ("America/New_York", "14:30:00-05:00")]
)
def test_shows_an_offset_of_the_zone(plan: bool, timezone: str, example: str) -> None:
    """The only time with an offset is one of the world's zone, and no gap of a template is left."""
    prompt = ladder_prompt(timezone, plan=plan)

    assert f"such as 2027-02-09T{example};" in prompt
    assert 1 == prompt.count("2027-")
    assert [] == re.findall(r"\{[a-z_]+\}", prompt)


def test_plans_are_told_by_their_mechanism() -> None:
    """An instance is a plan if it draws the mechanism of joint plans."""
    assert not is_plan(INSTANCE)
    assert is_plan(INSTANCE.model_copy(update={"mechanisms": (Mechanism.JOINT,)}))
