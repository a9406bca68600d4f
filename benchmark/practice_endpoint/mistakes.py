"""Mistakes that models make: turns in which a well-behaved brain is made to err."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mpcbench.benchmark.practice_endpoint.brains import Brain, Conversation, ModelCall, ModelTurn
from mpcbench.benchmark.practice_endpoint.chaos import Chaos
from mpcbench.benchmark.practice_endpoint.fault import IN_CALLS, FaultKind

MANY = 200
HUGE = 1_000_000
LONG = 20_000
DEEP = 100_000
NO_SUCH_TOOL = "no_such_tool"
CONTROL = "\0\a\b\x1b[2J\x1b[31m\x7f\x85\u2028\u202e\ufeff"
SURROGATES = "\ud83d \udc00\ud83d"
HTML = "</script></pre>--><script>alert('answer')</script><img src=x onerror=\"alert('answer')\">&lt;b&gt;|`</td>"


@dataclass(frozen=True)
class Erring:
    """A brain that makes mistakes if it is offered tools.

    A turn with a mistake in its calls is an extra turn, which the inner brain never sees. So an agent that answers
    each bad call with an error text gets as far as without the mistake.
    """

    brain: Brain
    chaos: Chaos

    @property
    def is_quick(self) -> bool:
        """Whether the inner brain is quick."""
        return getattr(self.brain, "is_quick", False)

    def __call__(self, conversation: Conversation) -> ModelTurn:
        if not conversation.tools:
            # A text may be a tool call in the JSON protocol, so leave it alone.
            return self.brain(conversation)
        wrong = {turn for turn in range(1, conversation.turns + 1) if self._kind(conversation, turn) in IN_CALLS}
        without_mistakes = replace(
            conversation,
            exchanges=tuple(exchange for exchange in conversation.exchanges if exchange.turn not in wrong),
            turns=conversation.turns - len(wrong),
        )
        turn = self.brain(without_mistakes)
        kind = self._kind(conversation, conversation.turns + 1)
        if kind in _IN_CALLS and conversation.may_call:
            calls = turn.calls or (ModelCall(conversation.tools[0].name, "{}"),)
            return replace(turn, text=None, refusal=None, calls=_IN_CALLS[kind](calls))
        if kind in _IN_ANSWERS and not turn.calls:
            return replace(turn, text=_IN_ANSWERS[kind](turn.text or ""), refusal=None)
        return turn

    def _kind(self, conversation: Conversation, turn: int) -> FaultKind | None:
        return self.chaos.by_the_model(conversation.system, conversation.user, turn)


def _each(edit: Callable[[str], Any]) -> Callable[[tuple[ModelCall, ...]], tuple[ModelCall, ...]]:
    def edited(calls: tuple[ModelCall, ...]) -> tuple[ModelCall, ...]:
        return tuple(ModelCall(call.name, edit(call.arguments)) for call in calls)

    return edited


def _decoded(arguments: str) -> dict[str, Any]:
    try:
        decoded = json.loads(arguments)
    except ValueError:
        return {}
    return decoded if isinstance(decoded, dict) else {}


def _mistyped(arguments: str) -> str:
    values = _decoded(arguments)
    return json.dumps({name: [{"value": value}] for name, value in values.items()} or {"keyword": None})


def _huge(arguments: str) -> str:
    values = _decoded(arguments)
    name = next(iter(values), "keyword")
    return json.dumps(values | {name: "x" * HUGE})


def _surrounded(junk: str) -> Callable[[str], str]:
    """Keep the answer, with junk before it, after it and in its rationale."""

    def edited(text: str) -> str:
        try:
            answer = json.loads(text)
        except ValueError:
            return f"{junk}\n{text}\n{junk}"
        kept = json.dumps(answer | {"rationale": junk}) if isinstance(answer, dict) else text
        return f"{junk}\n{kept}\n{junk}"

    return edited


_IN_CALLS: dict[FaultKind | None, Callable[[tuple[ModelCall, ...]], tuple[ModelCall, ...]]] = {
    FaultKind.INVALID_ARGUMENTS: _each(lambda arguments: arguments[: len(arguments) // 2] + '{"'),
    FaultKind.UNKNOWN_TOOL: lambda calls: tuple(replace(call, name=NO_SUCH_TOOL) for call in calls),
    FaultKind.MISTYPED_ARGUMENTS: _each(_mistyped),
    FaultKind.OBJECT_ARGUMENTS: _each(_decoded),
    FaultKind.NULL_ARGUMENTS: _each(lambda _: None),
    FaultKind.MANY_CALLS: lambda calls: (calls * MANY)[:MANY],
    FaultKind.HUGE_ARGUMENTS: _each(_huge),
}
_IN_ANSWERS: dict[FaultKind | None, Callable[[str], str]] = {
    FaultKind.NAN_ANSWER: lambda _: '{"candidates": [{"start": NaN, "end": Infinity}]}',
    FaultKind.HUGE_ANSWER: lambda _: json.dumps(
        {"candidates": [{"start": "2027-01-04T09:00:00+01:00", "end": "2027-01-04T10:00:00+01:00"}] * LONG}
    ),
    FaultKind.DEEP_ANSWER: lambda _: '{"candidates": ' + "[" * DEEP + "]" * DEEP + "}",
    FaultKind.CONTROL_CHARACTERS: _surrounded(CONTROL),
    FaultKind.LONE_SURROGATES: _surrounded(SURROGATES),
    FaultKind.MARKUP: _surrounded(HTML),
}
