"""The transcript of a model against the log of its calls: the exchange is read again as it was read in the run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mpcbench.benchmark.agents.endpoint.agent import MALFORMED
from mpcbench.benchmark.agents.endpoint.dialogue import Dialogue, Move, NativeDialogue, nudged
from mpcbench.benchmark.agents.endpoint.json_protocol import JsonDialogue
from mpcbench.benchmark.agents.endpoint.model_calls import sendable_arguments, sendable_name
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.agents.endpoint.turn import Call, Item, Turn
from mpcbench.benchmark.agents.endpoint.wires import WIRES
from mpcbench.benchmark.agents.protocol import EndpointError, Task
from mpcbench.benchmark.environment.prompts import FINAL_TURN
from mpcbench.benchmark.environment.setting import tools_offered
from mpcbench.schema.episode import Episode, Finish, Reply, ToolCall, Usage
from mpcbench.schema.untrusted_text import plain_json, well_formed

_OF_PEOPLE = {"api": Api.CHAT, "tool_protocol": ToolProtocol.NATIVE}
"""How the moves of a person are written down."""

_TOLD = {"user", "tool", "system", "developer"}
_NOTHING = Turn(items=(), calls=(), text="", finish=None, usage=Usage())
_STILL = Move()
_MALFORMED = Move(problem=MALFORMED)
"""A turn that the endpoint reports as malformed; the model is told so."""

_REASONS = {Finish.LENGTH: "length", Finish.REFUSAL: "content_filter"}
_INCOMPLETE = {Finish.LENGTH: "max_output_tokens", Finish.REFUSAL: "content_filter"}


@dataclass(frozen=True, slots=True)
class _Exchange:
    """What the model said in one turn, and what it was told then."""

    said: tuple[Item, ...]
    told: tuple[Item, ...]


def transcript_findings(episode: Episode, agent: Mapping[str, Any]) -> Iterator[str]:
    """Where the messages contradict the calls or the reply.

    Args:
        episode: The episode, of an agent with an endpoint or of a person.
        agent: What `run.json` says of the agent, or of the one that is replayed.
    """
    reply = episode.reply
    if reply is None:
        if episode.fault is not None and episode.fault.kind == "endpoint":
            yield "$.reply: missing, though an endpoint that fails leaves the exchange up to there"
        return
    wire = _OF_PEOPLE if "player" in agent else agent
    try:
        api, protocol = Api(wire["api"]), ToolProtocol(wire["tool_protocol"])
    except (KeyError, ValueError):
        return  # the agent's description is named as the defect
    dialogue: Dialogue = NativeDialogue(WIRES[api])
    if protocol is ToolProtocol.JSON:
        dialogue = JsonDialogue(WIRES[api], structured_output=False)
    yield from _Reading(api, dialogue, episode, reply).findings()


@dataclass
class _Reading:
    """A transcript that is read again, turn by turn."""

    api: Api
    dialogue: Dialogue
    episode: Episode
    reply: Reply
    last: Turn = _NOTHING
    """The turn that was read last."""

    move: Move = _STILL
    """What it amounts to."""

    number: int = 0
    """Which, from 1."""

    answered: bool = True
    """Whether the model was told something after it."""

    nudged: bool = False
    """Whether that asks for a final message."""

    def findings(self) -> Iterator[str]:
        """The first contradiction, or what is wrong with the end."""
        episode, messages = self.episode, list(self.reply.messages)
        task = Task(episode.instance_id, episode.system_prompt, episode.task)
        opening = plain_json(self.dialogue.opening(task, tools_offered(episode.level)))
        start, rest = messages[: len(opening)], messages[len(opening) :]
        self.nudged = start == nudged(opening, FINAL_TURN)
        if start != opening and not self.nudged:
            yield "$.reply.messages: does not begin with the system prompt and the task"
            return
        exchanges = list(_exchanges(rest))
        for number, exchange in enumerate(exchanges, start=1):
            if self.nudged and number < len(exchanges):
                yield f"$.reply.messages: turn {number} is the final one, and others follow"
                return
            # A turn after which the model was told something was not its last, even if no other is in the transcript.
            found = self._turn(number, exchange, None if exchange.told else self.reply.finish)
            if found is not None:
                yield f"$.reply.messages: {found}"
                return
        if any(call.turn > len(exchanges) for call in episode.tool_calls):
            yield "$.tool_calls: calls after the last turn of the transcript"
        yield from self._end(len(exchanges))

    def _turn(self, number: int, exchange: _Exchange, finish: Finish | None) -> str | None:
        """What is wrong with a turn and what the model was told then; None if nothing is."""
        try:
            self.last = _read(self.api, exchange.said, finish)
        except EndpointError:
            return f"turn {number} is no message of a model"
        self.move = self.dialogue.move(self.last)
        self.answered, self.number = bool(exchange.told), number
        logged = [call for call in self.episode.tool_calls if call.turn == number]
        if not _same_calls(self.move.calls if self.answered else (), logged):
            return f"turn {number} does not hold the calls of the log"
        if self.answered and not any(self._is_told(exchange.told, move) for move in (self.move, _MALFORMED)):
            return f"turn {number} is not answered by the results of the log"
        return None

    def _is_told(self, found: Sequence[Item], move: Move) -> bool:
        """Whether this is what follows a move, perhaps with the request for a final message."""
        results = [call.result for call in self.episode.tool_calls if call.turn == self.number]
        told = plain_json(self.dialogue.follow_up(self.last, move, results if move.calls else []))
        self.nudged = bool(told) and _comparable(found) == _comparable(nudged(told, FINAL_TURN))
        return self.nudged or _comparable(found) == _comparable(told)

    def _end(self, turns: int) -> Iterator[str]:
        """Whether the end of the transcript, after so many turns, is that of the reply."""
        reply, last, move = self.reply, self.last, self.move
        if self.episode.fault is not None:
            if turns and not self.answered:
                yield "$.fault: an error, and the transcript ends with the model's message"
            if reply.turns != turns:
                yield f"$.reply.turns: {reply.turns}, and the transcript has {turns}"
            return
        if self.answered:  # the endpoint ended the exchange without a message
            turns, last, move = turns + 1, _NOTHING, Move(finish=reply.finish)
        if reply.turns != turns:
            yield f"$.reply.turns: {reply.turns}, and the transcript has {turns}"
        if reply.forced_final != self.nudged:
            yield "$.reply.forced_final: the transcript says otherwise"
        final = self.nudged or move.finish is not None
        finish = move.finish or (Finish.TURNS if move.calls or not final else Finish.STOP)
        if reply.finish is not finish or (self.answered and finish is Finish.TURNS):
            yield f"$.reply.finish: {reply.finish.value}, and the transcript says otherwise"
        if reply.text != (well_formed(last.text) if final else ""):
            yield "$.reply.text: not the last message of the transcript"


def _exchanges(messages: Sequence[Item]) -> Iterator[_Exchange]:
    said: list[Item] = []
    told: list[Item] = []
    for message in messages:
        if message.get("role") in _TOLD or message.get("type") == "function_call_output":
            told.append(message)
            continue
        if told or (said and "type" not in message and message.get("role") in {"assistant", "model"}):
            yield _Exchange(tuple(said), tuple(told))
            said, told = [], []
        said.append(message)
    if said or told:
        yield _Exchange(tuple(said), tuple(told))


def _read(api: Api, said: Sequence[Item], finish: Finish | None) -> Turn:
    """The turn as the wire reads it, with the end that the reply claims; raises `EndpointError`."""
    if api is not Api.RESPONSES:
        if len(said) != 1:
            raise EndpointError("not one message")
        reason = _REASONS.get(finish, "stop") if finish is not None else "stop"
        (message,) = said
        match api:
            case Api.MESSAGES:
                return WIRES[api].read({"content": message.get("content"), "stop_reason": reason})
            case Api.GENERATE_CONTENT:
                content = message if "parts" in message else {"parts": [{"text": message.get("content")}]}
                return WIRES[api].read({"candidates": [{"content": content, "finishReason": reason}]})
        return WIRES[api].read({"choices": [{"message": message, "finish_reason": reason}]})
    if not said:
        raise EndpointError("no output")
    cut = None if finish is None else _INCOMPLETE.get(finish)
    items = [{"type": "message", **item} if "type" not in item else item for item in said]
    if cut is None:
        return WIRES[api].read({"status": "completed", "output": items})
    return WIRES[api].read({"status": "incomplete", "incomplete_details": {"reason": cut}, "output": items})


def _same_calls(calls: Sequence[Call], logged: Sequence[ToolCall]) -> bool:
    if len(calls) != len(logged):
        return False
    return all(
        sendable_name(call.name) == sendable_name(log.name) and _same_arguments(call.arguments, log.arguments)
        for call, log in zip(calls, logged, strict=True)
    )


def _same_arguments(written: str, logged: object) -> bool:
    """Whether the arguments of a message are those of the log, which decodes them where it can."""
    if isinstance(logged, str):
        return written in {logged, sendable_arguments(logged)}
    try:
        return bool(plain_json(json.loads(written or "{}")) == logged)
    except (ValueError, RecursionError):
        return False


def _comparable(items: Sequence[Item]) -> str:
    """The items as text; lone surrogates are replaced by either of two characters."""
    return json.dumps(items, sort_keys=True).replace("\\ufffd", "?")
