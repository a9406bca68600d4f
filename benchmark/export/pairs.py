"""Pairs of messages for one conversation: the right next step, and the one with which an episode failed."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from mpcbench.benchmark.agents.conversation import Message, call_id, conversation, is_call
from mpcbench.benchmark.export.mistakes import causes_of, flawed_attempts, is_of_kind
from mpcbench.benchmark.export.row import Row, row
from mpcbench.benchmark.export.sources import Taken, as_usual, is_exact
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.cause import Stage
from mpcbench.schema.episode import Episode, Outcome

_LATE = {Stage.INTEGRATION, Stage.FORMAT}
"""The stages of failures that show in the final message alone."""


class Pair(NamedTuple):
    """Two next messages of one conversation."""

    prompt: list[Message]
    chosen: Message
    rejected: Message

    @property
    def step(self) -> int:
        """Which of the agent's messages it is about, from 1."""
        return 1 + sum(bool(message["role"] == "assistant") for message in self.prompt)


def parted(right: Episode, wrong: Episode, *, at_departure: bool) -> Pair | None:
    """The pair of two episodes of one task at the step at which the wrong one fails; None if there is no such step.

    Once every needed record was shown, only the final message can be wrong, and the right one takes its place. Before
    that, the right next step makes the first calls of the right episode that the wrong one has not made.

    Args:
        right: An exact match.
        wrong: A failure.
        at_departure: Whether a call that the right episode never makes is where the wrong one fails, as in an agent with
            one flaw. Otherwise, and where there is no such call, it fails by answering too early.
    """
    good, bad = conversation(right), conversation(wrong)
    has_final = bad[-1]["role"] == "assistant" and not is_call(bad[-1])
    before_final = bad[: len(bad) - has_final]
    if wrong.diagnosis is not None and wrong.diagnosis.stage in _LATE:
        final = bad[-1] if has_final else {"role": "assistant", "content": ""}
        return None if wrong.records_missed else Pair(before_final, good[-1], final)
    found = _departure(bad, _made(good)) if at_departure else None
    if found is None and has_final:
        found = before_final, bad[-1]
    if found is None:
        return None
    prompt, rejected = found
    done = _made(prompt)
    undone = (_only(message, [call for call in _calls(message) if _key(call) not in done]) for message in good)
    chosen = next((message for message in undone if is_call(message)), None)
    return None if chosen is None else Pair(prompt, _renumbered(chosen, prompt), _renumbered(rejected, prompt))


def _departure(messages: list[Message], right: set[str]) -> tuple[list[Message], Message] | None:
    """The conversation before the first call that is not among the right ones, and the message with that call."""
    for place, message in enumerate(messages):
        calls = _calls(message)
        first = next((number for number, call in enumerate(calls) if _key(call) not in right), None)
        if first is not None:
            results = messages[place + 1 : place + 1 + first]
            begun = [_only(message, calls[:first]), *results] if first else []
            return [*messages[:place], *begun], _only(message, calls[first:])
    return None


def _calls(message: Message) -> list[Message]:
    return list(message.get("tool_calls", ()))


def _made(messages: Iterable[Message]) -> set[str]:
    return {_key(call) for message in messages for call in _calls(message)}


def _key(call: Message) -> str:
    """What is called, however its arguments are written."""
    function = call["function"]
    return json.dumps([function["name"], json.loads(function["arguments"])], sort_keys=True)


def _only(message: Message, calls: list[Message]) -> Message:
    """The message with some of its calls."""
    return message | {"tool_calls": calls}


def _renumbered(message: Message, prompt: list[Message]) -> Message:
    """The message with IDs of calls that follow those of the conversation."""
    if not is_call(message):
        return message
    first = 1 + sum(len(_calls(one)) for one in prompt)
    return _only(message, [call | {"id": call_id(first + number)} for number, call in enumerate(_calls(message))])


def flawed_pairs(taken: Taken, settings: Settings, kind: str | None) -> Iterator[Row]:
    """A demonstration against each agent with a flaw of a kind, where nothing but that flaw shows."""
    for flaw, wrong in flawed_attempts(taken.exam, settings, kind):
        pair = parted(taken.episode, wrong, at_departure=True)
        if pair is not None:
            yield _row(taken, pair, wrong, flaw.name)


def trial_pairs(episodes: Iterable[Taken], kind: str | None) -> Iterator[Row]:
    """Each failed trial of a model against a passed one of the same instance: the one that has made most of its calls.

    Args:
        episodes: Trials of one model on one instance follow one another.
        kind: What all causes of a failed trial have to be.
    """
    for _, group in groupby(episodes, key=_same_task):
        trials = list(group)
        passed = [one for one in trials if is_exact(one.episode)]
        for wrong in trials:
            failed = wrong.episode.outcome is Outcome.FAILED and as_usual(wrong.episode)
            if passed and failed and all(is_of_kind(cause, kind) for cause in causes_of(wrong.episode)):
                found = [(parted(right.episode, wrong.episode, at_departure=False), right) for right in passed]
                pairs = [(pair, right) for pair, right in found if pair is not None]
                if pairs:
                    pair, right = max(pairs, key=lambda one: len(one[0].prompt))
                    yield _row(replace(wrong, episode=right.episode), pair, wrong.episode, None)


def _same_task(taken: Taken) -> tuple[object, ...]:
    episode = taken.episode
    return taken.run_id, episode.instance_id, episode.model, episode.task, episode.tags


def _row(taken: Taken, pair: Pair, wrong: Episode, flaw: str | None) -> Row:
    content = {"prompt": pair.prompt, "chosen": [pair.chosen], "rejected": [pair.rejected]}
    return row(taken, content, step=pair.step, mistake=causes_of(wrong), flaw=flaw)
