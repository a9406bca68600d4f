"""An episode in steps: something else asks the model, and hands over each of its messages.

A step runs the calls of a message and gives what the model is told next, or ends the episode. Messages, tools, budget and
grading are those of a run; only the loop is another's.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from mpcbench.benchmark.agents.endpoint.chat_completions import ChatCompletions
from mpcbench.benchmark.agents.endpoint.dialogue import Dialogue, NativeDialogue
from mpcbench.benchmark.agents.endpoint.exchange import Exchange
from mpcbench.benchmark.agents.endpoint.json_protocol import JsonDialogue
from mpcbench.benchmark.agents.endpoint.refusals import MalformedOutputError
from mpcbench.benchmark.agents.protocol import EndpointError
from mpcbench.benchmark.environments.reward import DEFAULT_WEIGHTS, Reward, Weights, reward
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.episode import Episode
from mpcbench.schema.exam import Exam
from mpcbench.schema.run import Case

Message: TypeAlias = dict[str, Any]
"""One message of OpenAI's chat format."""

MODEL = "agent"
"""What the agent is called where nobody names it."""


class StepError(ValueError):
    """A step cannot be taken: the episode is over, or the message does not fit the chat format; one line."""


class SteppedEpisode:
    """One instance as an environment.

    Args:
        exam: The instance.
        model: The agent's name in the graded episode.
        by_text: Whether the model calls tools by JSON in its texts, as with `--tool-protocol json`.
        options: Options of the command line that decide what an episode is, with underscores for dashes, such as
            `max_turns="10"` or `paraphrase="2"`.

    Raises:
        SettingsError: an option's value is not allowed.
    """

    def __init__(self, exam: Exam, *, model: str = MODEL, by_text: bool = False, **options: str) -> None:
        settings = Settings.from_options({name.replace("_", "-"): value for name, value in options.items()}, Path())
        case = Case(exam.instance.instance_id, exam.instance.level, model)
        self.exam = exam
        self._trial = Trial(case, exam, settings)
        self._toolbox = self._trial.toolbox()
        wire = ChatCompletions()
        dialogue: Dialogue = JsonDialogue(wire, structured_output=False) if by_text else NativeDialogue(wire)
        self._exchange = Exchange(dialogue, self._trial.told, self._toolbox, self._trial.budget)
        self._start = time.perf_counter()
        self._graded: Episode | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """All messages so far: what a model is asked with for its next one."""
        return tuple(self._exchange.transcript)

    @property
    def tools(self) -> Sequence[dict[str, Any]]:
        """The definitions of the tools in OpenAI's chat format; none if they are called by text."""
        return self._exchange.offer().tools

    @property
    def may_call(self) -> bool:
        """Whether the next message may call tools; if not, it is taken for the answer."""
        return not self._exchange.is_forced

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self._exchange.reply is not None

    def step(self, message: Mapping[str, Any], finish_reason: str | None = None) -> Sequence[Message]:
        """Take the model's next message, and give the messages that follow it: results of its calls, or hints.

        A mistake of the model in its calls is no error: its text is the call's result.

        Args:
            message: The model's, with `content` and `tool_calls`.
            finish_reason: Why it stopped, as the API says it; `stop` by default.

        Raises:
            StepError: the episode is over, or the message is none of the chat format.
        """
        if self.is_over:
            raise StepError("the episode is over: begin another one")
        body = {"choices": [{"message": dict(message), "finish_reason": finish_reason or "stop"}]}
        try:
            turn = ChatCompletions().read(body)
        except (EndpointError, MalformedOutputError) as error:
            raise StepError(str(error).replace("the response", "the message")) from None
        known = len(self._exchange.transcript)
        self._exchange.take(turn)
        return tuple(self._exchange.transcript[known + 1 :])

    def end(self) -> None:
        """End the episode without an answer, unless it has ended."""
        if self._exchange.reply is None:
            self._exchange.reply = self._exchange.unfinished()

    def graded(self) -> Episode:
        """The graded episode; one that is not over has no answer."""
        if self._graded is None:
            self.end()
            told, reply = self._trial.told, self._exchange.reply
            self._graded = self._trial.graded(told, self._toolbox, self._start, reply=reply)
        return self._graded

    def reward(self, weights: Weights = DEFAULT_WEIGHTS) -> Reward:
        """The reward of the graded episode."""
        return reward(self.graded(), self.exam, weights)


def replayed(
    exam: Exam, said: Sequence[tuple[Mapping[str, Any], str | None]], *, model: str = MODEL, **options: str
) -> SteppedEpisode:
    """The episode of messages that a model wrote elsewhere, each with its finish reason; those after its end are left out.

    Raises:
        SettingsError: an option's value is not allowed.
        StepError: a message is none of the chat format.
    """
    episode = SteppedEpisode(exam, model=model, by_text=False, **options)
    for message, finish_reason in said:
        if episode.is_over:
            break
        episode.step(message, finish_reason)
    return episode
