"""The system prompt of each level."""

import json
import re

import pytest

from mpcbench.benchmark.environment.prompts import FINAL_TURN, json_tools_prompt, system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.model import Level

LEVELS: tuple[Level, ...] = (1, 2, 3)


@pytest.mark.parametrize("level", [2, 3])
def test_names_no_place_to_look(level: Level) -> None:
    """From level 2 on, which systems hold what is needed is for the agent to find out."""
    places = re.compile(r"calendar|polic(?:y|ies)|thread|chat|channel|director(?:y|ies)|room system", re.IGNORECASE)

    assert [] == places.findall(system_prompt(level, "Europe/Berlin"))


@pytest.mark.parametrize("level", LEVELS)
class TestEveryLevel:
    def test_shows_the_schema_that_the_parser_enforces(self, level: Level) -> None:
        """The one JSON object in the prompt is the answer's schema."""
        prompt = system_prompt(level, "Europe/Berlin")
        schema = json.loads(prompt[prompt.index("\n{") : prompt.rindex("\n}") + 2])

        assert answer_schema(level) == schema

    def test_names_the_time_zone(self, level: Level) -> None:
        """The agent learns the zone of the world's times and of an answer without an offset."""
        assert 2 == system_prompt(level, "America/New_York").count("America/New_York")

    @pytest.mark.parametrize(
        "convention",
        [
            "exactly N",
            ":00, :15, :30 or :45",
            "overlap one another",
            "exclude their end",
            "daily hours",
            "daylight saving time",
            "before the option and after it",
            "Saturdays and Sundays too",
            "out of account",
            "earliest start first",
            "the last one counts",
        ],
    )
    def test_says_the_conventions(self, level: Level, convention: str) -> None:
        """What answers are judged by is said at every level."""
        assert convention in system_prompt(level, "Europe/Berlin")

    @pytest.mark.parametrize(
        ("timezone", "example"),
        [
            ("Europe/Berlin", "2027-02-09T14:30:00+01:00"),
            ("America/New_York", "2027-02-09T14:30:00-05:00"),
            ("Asia/Kolkata", "2027-02-09T14:30:00+05:30"),
        ],
    )
    def test_shows_an_offset_of_the_zone(self, level: Level, timezone: str, example: str) -> None:
        """The only time with an offset in the prompt is one of the world's zone."""
        prompt = system_prompt(level, timezone)

        assert f"such as {example};" in prompt
        assert 1 == prompt.count("2027-")

    def test_names_no_tool(self, level: Level) -> None:
        """Which tool to use is for the agent to find out."""
        prompt = system_prompt(level, "Europe/Berlin")

        assert [] == [tool.name for tool in tools_of_level(level) if tool.name in prompt]

    def test_has_no_gaps(self, level: Level) -> None:
        """Nothing of the templates is left in the text."""
        prompt = system_prompt(level, "Europe/Berlin")

        assert [] == re.findall(r"\{[a-z_]+\}", prompt)
        assert "  -" not in prompt.split("JSON Schema")[0]

    def test_tools_of_the_json_protocol(self, level: Level) -> None:
        """Every tool is on a line of its own with its description and the schema of its arguments."""
        tools = tools_of_level(level)
        lines = [json.loads(line) for line in json_tools_prompt(tools).splitlines() if line.startswith("{")]

        assert [(tool.name, tool.description, tool.parameters) for tool in tools] == [
            tuple(line.values()) for line in lines
        ]
        assert {("tool", "description", "arguments")} == {tuple(line) for line in lines}

    def test_json_protocol_says_the_answer_once(self, level: Level) -> None:
        """The format of the answer is the parser's, said by the system prompt alone."""
        added = json_tools_prompt(tools_of_level(level))

        assert "candidates" in added
        assert not any(word in added for word in ("rationale", "ISO 8601", '"start":'))


def test_last_word_of_the_json_protocol_is_the_tools() -> None:
    """Nothing after them asks for an answer, and nowhere is it said that a message is JSON only: either makes small
    models answer at once."""
    prompt = json_tools_prompt(tools_of_level(1))

    assert '"arguments"' in prompt.splitlines()[-1]
    assert re.search(r"\bonly\b", prompt.partition("These are the tools")[0]) is None


def test_forced_final_turn_names_the_key_of_the_answer() -> None:
    """What is asked for is the answer that the parser reads."""
    assert all(f'"{key}"' in FINAL_TURN for level in LEVELS for key in answer_schema(level)["required"])


@pytest.mark.parametrize(
    ("convention", "levels"),
    [
        ("latest start first", {2}),
        ("deadline", {2, 3}),
        ("later message holds", {2, 3}),
        ("of the same name that is over is another meeting", {2, 3}),
        ("the number of all guests", {3}),
        ("set by its organiser, by its participants", {2, 3}),
        ("Hearsay, guesses and general advice bind nothing", {2, 3}),
        ("shorten a meeting's name or describe the meeting", {2, 3}),
        ("at that moment or later, and so on no earlier day", {2, 3}),
        ("last named in that conversation", {2, 3}),
        ("Only the people who are named as attending attend", {2, 3}),
        ("turnaround", {3}),
        ("guests", {3}),
        ("room", {3}),
        ("room ID, ascending", {3}),
        ("come after some event", {3}),
        ("People are added and removed", {3}),
    ],
)
def test_says_only_what_concerns_the_level(convention: str, levels: set[int]) -> None:
    """A convention is in the prompts of the levels that need it and in no other."""
    assert levels == {level for level in LEVELS if convention in system_prompt(level, "Europe/Berlin")}
