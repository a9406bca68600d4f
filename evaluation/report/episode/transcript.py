"""The transcript of an episode: what was said, and every tool call with its result and the records that it showed.

The toolbox's log, and not the messages, says what was called and which records were shown; the messages say what
else was said, in which order. Where the two cannot be matched, both are shown.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import JsonValue

from mpcbench.evaluation.report.episode.messages import Called, Part, Returned, Unknown, Utterance, Voice, parts
from mpcbench.schema.episode import Episode, ToolCall

_SHORTEST_QUOTE: Final = 20  # a result that is found in a message is at least this long


class Showing(StrEnum):
    """What a record in a result is to the agent."""

    FIRST = "first"
    """Needed, and shown for the first time."""

    AGAIN = "again"
    """Needed, and shown before."""

    OTHER = "other"
    """Not needed."""


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record in the result of a call."""

    record: str
    showing: Showing


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call."""

    number: int | None
    """Its place in the log, from 1; None if it was not run."""

    name: str
    arguments: JsonValue
    result: str | None
    """None if it was not run."""

    is_error: bool = False
    records: tuple[ShownRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of the transcript."""

    turn: int
    """The agent's turn, from 1; 0 before the first."""

    what: Utterance | Call | Unknown


@dataclass(frozen=True, slots=True)
class Transcript:
    """An episode step by step."""

    entries: tuple[Entry, ...]
    never_seen: tuple[str, ...]
    """Needed records that no result showed, as the episode has them."""


def transcript(episode: Episode, needed: Collection[str] = ()) -> Transcript:
    """The transcript of an episode.

    Args:
        episode: What happened.
        needed: The records that the instance needs.
    """
    calls = _logged(episode.tool_calls, needed)
    messages = episode.reply.messages if episode.reply is not None else ()
    telling = _Telling(episode.tool_calls, calls)
    if messages:
        telling.tell([part for message in messages for part in parts(message)])
    else:
        telling.say(Voice.SYSTEM, episode.system_prompt)
        telling.say(Voice.USER, episode.task)
    telling.finish()
    final = episode.reply.text if episode.reply is not None else ""
    if final.strip() and not any(isinstance(one.what, Utterance) and one.what.text == final for one in telling.entries):
        telling.turn = max(telling.turn, episode.reply.turns if episode.reply is not None else 0)
        telling.say(Voice.ASSISTANT, final)
    return Transcript(tuple(telling.entries), episode.records_missed)


def _logged(log: Sequence[ToolCall], needed: Collection[str]) -> list[Call]:
    wanted, shown = set(needed), set[str]()
    calls = []
    for number, call in enumerate(log, start=1):
        records = [
            ShownRecord(
                record,
                Showing.OTHER if record not in wanted else Showing.AGAIN if record in shown else Showing.FIRST,
            )
            for record in dict.fromkeys(call.records)
        ]
        shown.update(call.records)
        records.sort(key=lambda one: list(Showing).index(one.showing))
        calls.append(Call(number, call.name, call.arguments, call.result, call.is_error, tuple(records)))
    return calls


@dataclass
class _Telling:
    """Entries in the making."""

    log: Sequence[ToolCall]
    calls: Sequence[Call]
    entries: list[Entry] = field(default_factory=list)
    turn: int = 0
    written: int = 0
    """How many calls of the log have been written."""

    _called: dict[str, list[int]] = field(default_factory=dict)
    """Where calls without a result are among the entries, by ID."""

    _models_turn: bool = False

    def say(self, voice: Voice, text: str) -> None:
        if text.strip():
            self.add(Utterance(voice, text))

    def add(self, what: Utterance | Call | Unknown) -> None:
        self.entries.append(Entry(self.turn, what))

    def tell(self, every: Sequence[Part]) -> None:
        for part in every:
            self._count(part)
            match part:
                case Utterance(voice=Voice.USER, text=text) if self.turn:
                    self.say(Voice.USER, self._without_results(text))
                case Utterance() | Unknown():
                    self.add(part)
                case Called(call_id=call_id, name=name, arguments=arguments):
                    self._called.setdefault(repr(call_id), []).append(len(self.entries))
                    self.add(Call(None, name, arguments, None))
                case Returned(call_id=call_id, text=text):
                    self._return(repr(call_id), text)

    def finish(self) -> None:
        """Add the calls that no message mentions, each after its turn."""
        rest = self.calls[self.written :]
        for call in rest:
            turn = self.log[call.number - 1].turn if call.number is not None else self.turn
            place = bisect_right(self.entries, turn, key=lambda one: one.turn)
            self.entries.insert(place, Entry(turn, call))
            self.turn = max(self.turn, turn)
        self.written = len(self.calls)

    def _count(self, part: Part) -> None:
        of_model = isinstance(part, Called) or (
            isinstance(part, Utterance) and part.voice in {Voice.ASSISTANT, Voice.REASONING, Voice.REFUSAL}
        )
        if of_model and not self._models_turn:
            self.turn += 1
        if not isinstance(part, Unknown):
            self._models_turn = of_model

    def _return(self, call_id: str, text: str) -> None:
        waiting = self._called.get(call_id)
        place = waiting.pop(0) if waiting else None
        call = self._next(text)
        if call is None:
            before = self.entries[place].what if place is not None else None
            name, arguments = (before.name, before.arguments) if isinstance(before, Call) else ("", None)
            call = Call(None, name, arguments, text)
        if place is None:
            self.add(call)
        else:
            self.entries[place] = Entry(self.entries[place].turn, call)

    def _next(self, text: str) -> Call | None:
        """The next call of the log with this result; earlier ones appear in no message."""
        for at in range(self.written, len(self.calls)):
            if self.calls[at].result == text:
                for skipped in self.calls[self.written : at]:
                    self.add(skipped)
                self.written = at + 1
                return self.calls[at]
        return None

    def _without_results(self, text: str) -> str:
        """A message without the results that it quotes, which are shown as calls; text protocols quote results."""
        position = 0
        kept = []
        while self.written < len(self.calls):
            result = self.calls[self.written].result or ""
            at = text.find(result, position) if len(result) >= _SHORTEST_QUOTE else -1
            if at < 0:
                break
            kept += [text[position:at], f"[the result of call {self.calls[self.written].number}]"]
            self.add(self.calls[self.written])
            position = at + len(result)
            self.written += 1
        return "".join([*kept, text[position:]])
