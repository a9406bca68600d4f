"""The transcript's section of an episode's page as plain values for its template."""

import json
from collections.abc import Collection
from typing import Final

from pydantic import JsonValue

from mpcbench.evaluation.report.episode.json_text import pretty, pretty_if_json
from mpcbench.evaluation.report.episode.messages import Utterance, Voice
from mpcbench.evaluation.report.episode.sections import Values, cut, short_id
from mpcbench.evaluation.report.episode.transcript import Call, Entry, Showing, Transcript

_FOLDED_FROM: Final = 500  # characters of a result
_LONG: Final = 5000  # characters of a message that is folded
_RECORDS: Final = 12  # records of a result that are not needed


def needed_records(records: Collection[str] | None, told: Transcript, revealed: Collection[str]) -> list[Values]:
    """The needed records, if they are known, each with the number of the call that first showed it, or that the task revealed it."""
    first: dict[str, int | None] = {}
    for entry in told.entries:
        if isinstance(entry.what, Call):
            for shown in entry.what.records:
                first.setdefault(shown.record, entry.what.number)

    def needed(record: str) -> Values:
        if record in told.never_seen:
            return {"record": short_id(record), "look": "never", "said": "never seen"}
        if record in first:
            return {"record": short_id(record), "look": "first", "said": f"call {first[record]}"}
        return {
            "record": short_id(record),
            "look": "other",
            "said": "given with the task" if record in revealed else "not told",
        }

    return [needed(record) for record in (records if records is not None else told.never_seen)]


def turns(told: Transcript) -> list[Values]:
    """The transcript by turn."""
    grouped: list[Values] = []
    for entry in told.entries:
        if not grouped or grouped[-1]["number"] != entry.turn:
            grouped.append({"number": entry.turn, "entries": []})
        grouped[-1]["entries"].append(_entry(entry))
    return grouped


_TITLES = {
    Voice.SYSTEM: "System prompt",
    Voice.USER: "To the agent",
    Voice.ASSISTANT: "Agent",
    Voice.REASONING: "Reasoning",
    Voice.REFUSAL: "Refusal",
}


def _entry(entry: Entry) -> Values:
    what = entry.what
    if isinstance(what, Call):
        return _call(what)
    if isinstance(what, Utterance):
        text = cut(pretty_if_json(what.text))
        folded = what.voice in {Voice.SYSTEM, Voice.REASONING} or len(text) > _LONG
        return {"form": what.voice.value, "title": _TITLES[what.voice], "text": text, "folded": folded}
    text = cut(pretty(what.value))
    return {"form": "unknown", "title": "Other JSON", "text": text, "folded": len(text) > _FOLDED_FROM}


def _call(call: Call) -> Values:
    of: dict[Showing, list[str]] = {showing: [] for showing in Showing}
    for shown in call.records:
        of[shown.showing].append(short_id(shown.record))
    arguments = _arguments(call.arguments)
    result = "" if call.result is None else cut(pretty_if_json(call.result))
    return {
        "form": "call",
        "number": call.number,
        "name": short_id(call.name) or "(no name)",
        "arguments": arguments,
        "long_arguments": len(arguments) > _FOLDED_FROM,
        "result": result,
        "was_run": call.result is not None,
        "is_error": call.is_error,
        "folded": len(result) > _FOLDED_FROM,
        "first": of[Showing.FIRST],
        "again": of[Showing.AGAIN],
        "other": of[Showing.OTHER][:_RECORDS],
        "more": max(0, len(of[Showing.OTHER]) - _RECORDS),
    }


def _arguments(arguments: JsonValue) -> str:
    if isinstance(arguments, str):
        try:
            decoded = json.loads(arguments)
        except (ValueError, RecursionError):
            return cut(arguments)
        arguments = decoded if isinstance(decoded, dict) else arguments
    if isinstance(arguments, dict) and not any(isinstance(value, dict | list) for value in arguments.values()):
        parts = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
        return cut(", ".join(parts))
    return "" if arguments is None else cut(pretty(arguments))
