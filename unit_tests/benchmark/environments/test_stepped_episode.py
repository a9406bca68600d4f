"""An episode whose messages something else hands over."""

import pytest

from mpcbench.benchmark.environment.prompts import FINAL_TURN
from mpcbench.benchmark.environments.stepped_episode import StepError, SteppedEpisode
from mpcbench.benchmark.export.row import tool_definitions
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.schema.episode import Outcome
from unit_tests.benchmark.environments.conversations import call, text
from unit_tests.builders.committed import DATASET

EXAM = DATASET.exam("level1-000")
POLICY = '{"tool": "get_policy", "arguments": {"keyword": "POL-45"}}'


def test_what_it_begins_with() -> None:
    """The prompts of a run and the tools of the level."""
    episode = SteppedEpisode(EXAM)

    assert ["system", "user"] == [message["role"] for message in episode.messages]
    assert EXAM.instance.task[0] == episode.messages[1]["content"]
    assert tool_definitions(1) == tuple(episode.tools)
    assert episode.may_call


def test_texts_call_tools() -> None:
    """Without native calls the prompt lists the tools, and results come as the user's message."""
    episode = SteppedEpisode(EXAM, by_text=True)
    (told,) = episode.step({"role": "assistant", "content": POLICY})

    assert () == episode.tools
    assert '"tool": "get_policy"' in episode.messages[0]["content"]
    assert told["content"].startswith("Result 1 of 1: get_policy")
    assert not episode.is_over


def test_the_last_turn_is_for_the_answer() -> None:
    """The model is told so, and calls that it makes in it are not run."""
    episode = SteppedEpisode(EXAM, max_turns="2")
    *_, told = episode.step(*call("get_policy", '{"keyword": "POL-45"}'))
    assert FINAL_TURN == told["content"]
    assert not episode.may_call
    assert () == episode.step(*call("get_policy", '{"keyword": "POL-01"}', 2))

    assert episode.is_over
    assert 1 == len(episode.graded().tool_calls)
    assert 0 == episode.reward().total


def test_an_episode_that_is_left_has_no_answer() -> None:
    """What is graded before its end fails without an answer."""
    episode = SteppedEpisode(EXAM)
    graded = episode.graded()

    assert (Outcome.FAILED, "no_answer") == (graded.outcome, graded.answer_status)
    assert episode.is_over


def test_steps_that_cannot_be_taken() -> None:
    """After the end, with no message of the chat format, or with unknown options, one line says what is wrong."""
    episode = SteppedEpisode(EXAM)
    with pytest.raises(StepError, match=r"^the message does not fit the protocol: choices.0.message.content"):
        episode.step({"content": 7})
    with pytest.raises(StepError, match="unknown finish reason 'tired'"):
        episode.step({"content": "{}"}, "tired")
    episode.step(*text("Monday"))
    with pytest.raises(StepError, match="the episode is over"):
        episode.step(*text("Tuesday"))
    with pytest.raises(SettingsError, match="--paraphrase"):
        SteppedEpisode(EXAM, by_text=False, paraphrase="4")
