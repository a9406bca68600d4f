"""An exchange with a model: its transcript, the calls that it makes, and the reply in which it ends.

Where the turns come from is the caller's business: an endpoint, or a library whose own loop asks the model.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from mpcbench.benchmark.agents.endpoint.dialogue import Dialogue, Move, nudged, user_message
from mpcbench.benchmark.agents.endpoint.turn import LARGEST_TRANSCRIPT, Item, Offer, Turn, stored_size, total
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.prompts import FINAL_TURN
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Finish, Reply

FREE_CALLS = 2_000
"""The calls of an episode that count as no more than their bytes in the transcript."""

CALL_SIZE = 512
"""The bytes that any further call counts for besides, as it takes a few thousand in memory."""

_DROPPED: dict[str, Any] = {"items": (), "calls": (), "text": "", "finish": Finish.LENGTH, "problem": None}
"""What is left of a turn that does not fit into the transcript, besides its tokens."""

_EMPTY = "(empty message)"


@dataclass
class Exchange:
    """One episode of a model; what its last turn may be is said by `Budget`."""

    dialogue: Dialogue
    task: Task
    tools: Toolbox
    budget: Budget
    transcript: list[Item] = field(init=False)
    """All that was said, in the form of the model's API."""

    turns: list[Turn] = field(init=False, default_factory=list)
    reply: Reply | None = field(init=False, default=None)
    """What the exchange ends in; None while it goes on."""

    def __post_init__(self) -> None:
        """Write the opening."""
        self.transcript = self.dialogue.opening(self.task, self.tools.tools)
        self._size = stored_size(self.transcript)
        self._nudge()

    @property
    def number(self) -> int:
        """That of the next turn, from 1."""
        return len(self.turns) + 1

    @property
    def is_forced(self) -> bool:
        """Whether the next turn can only be the answer."""
        return self.budget.final_turn and self.number == self.budget.max_turns

    def offer(self) -> Offer:
        """What the next turn may be."""
        return self.dialogue.offer(self.task, self.tools.tools, final=self.is_forced)

    def take(self, turn: Turn) -> None:
        """Run the calls of the model's next turn, or end with it; not after the end."""
        assert self.reply is None
        number, last, forced = self.number, self.number == self.budget.max_turns, self.is_forced
        move, logged = self.dialogue.move(turn), len(self.tools.log)
        ends = forced or move.finish is not None
        if not ends:
            turn = replace(turn, items=_sendable(turn))
        surplus = min(len(move.calls), logged + len(move.calls) - FREE_CALLS)
        self._size += stored_size(turn.items) + CALL_SIZE * max(0, surplus)
        told = [] if ends or last else self._told(turn, move, number, LARGEST_TRANSCRIPT - self._size)
        self._size += stored_size(told)
        if self._size > LARGEST_TRANSCRIPT:
            del self.tools.log[logged:]  # the model does not see these results
            turn, move, told, ends = replace(turn, **_DROPPED), Move(finish=Finish.LENGTH), [], True
        self.turns.append(turn)
        self.transcript += [*turn.items, *told]
        if ends:
            finish = move.finish or (Finish.TURNS if move.calls else Finish.STOP)
            self.reply = self._reply(turn.text, finish, forced=forced)
        elif last:
            self.reply = self.unfinished()
        else:
            self._nudge()

    def unfinished(self) -> Reply:
        """The reply without a final message."""
        return self._reply("", Finish.TURNS)

    def _reply(self, text: str, finish: Finish, *, forced: bool = False) -> Reply:
        return Reply(
            text=text,
            finish=finish,
            turns=len(self.turns),
            messages=tuple(self.transcript),
            usage=total([turn.usage for turn in self.turns]),
            forced_final=forced,
        )

    def _nudge(self) -> None:
        if self.is_forced:
            self.transcript = nudged(self.transcript, FINAL_TURN)

    def _told(self, turn: Turn, move: Move, number: int, room: int) -> list[Item]:
        """What the model is told after a turn that is not its last, or part of it where that is more than the room."""
        results: list[str] = []
        for call in move.calls:
            if room < 0:
                return [user_message(text) for text in results]
            results.append(_encodable(self.tools.call(call.name, call.arguments, turn=number)))
            room -= len(results[-1])
        return self.dialogue.follow_up(turn, move, results)


def _sendable(turn: Turn) -> tuple[Item, ...]:
    """The items of a turn that is not the last, with a placeholder for an empty message, which endpoints refuse."""
    if turn.calls or turn.text.strip():
        return turn.items
    if turn.items and turn.items[0].get("role") == "model":  # of generateContent
        return ({**turn.items[0], "parts": [{"text": _EMPTY}]},)
    others = [item for item in turn.items if item.get("role") != "assistant"]
    said: Item = next((item for item in turn.items if item.get("role") == "assistant"), {"role": "assistant"})
    parts: Any = [{"type": "output_text", "text": _EMPTY, "annotations": []}]
    return (*others, {**said, "content": parts if said.get("type") == "message" else _EMPTY})


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
