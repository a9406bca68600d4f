"""One exchange with two turns of calls, in each wire format."""

from typing import Any

from pydantic import JsonValue

from mpcbench.schema.episode import Episode, Reply, ToolCall
from unit_tests.builders import tiny

FINAL = tiny.gold_text(1)
CALLS = (
    ToolCall(
        turn=1,
        name="get_calendar",
        arguments={"keyword": "Priya Nair"},
        result='{"events": ["Design review, Supplier audit"]}',
        is_error=False,
        records=("person:p001", "calendar:p001"),
    ),
    ToolCall(
        turn=1,
        name="get_calendar",
        arguments={"keyword": "?"},
        result="error: no person '?'",
        is_error=True,
        records=(),
    ),
    ToolCall(
        turn=2,
        name="get_policy",
        arguments={"keyword": "POL-01"},
        result="Work hours are from nine to five.",
        is_error=False,
        records=("calendar:p001", "policy:POL-01"),
    ),
)
OPENING: tuple[dict[str, JsonValue], ...] = (
    {"role": "system", "content": "You schedule meetings."},
    {"role": "user", "content": "Find slots."},
)
ARGUMENTS = ('{"keyword": "Priya Nair"}', '{"keyword": "?"}', '{"keyword": "POL-01"}')


def chat() -> tuple[dict[str, Any], ...]:
    """The exchange by chat completions."""

    def call(place: int) -> dict[str, Any]:
        function = {"name": CALLS[place].name, "arguments": ARGUMENTS[place]}
        return {"id": f"call_{place}", "type": "function", "function": function}

    def result(place: int) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": f"call_{place}", "content": CALLS[place].result}

    return (
        *OPENING,
        {"role": "assistant", "content": "Calendars first.", "refusal": None, "tool_calls": [call(0), call(1)]},
        result(0),
        result(1),
        {"role": "assistant", "content": None, "reasoning_content": "Now the policy.", "tool_calls": [call(2)]},
        result(2),
        {"role": "assistant", "content": FINAL},
    )


def responses() -> tuple[dict[str, Any], ...]:
    """The exchange by the responses API."""

    def call(place: int) -> dict[str, Any]:
        told = {"name": CALLS[place].name, "arguments": ARGUMENTS[place], "status": "completed"}
        return {"type": "function_call", "id": f"fc_{place}", "call_id": f"call_{place}", **told}

    def result(place: int) -> dict[str, Any]:
        return {"type": "function_call_output", "call_id": f"call_{place}", "output": CALLS[place].result}

    def message(text: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        return {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": [part]}

    thought = {"type": "summary_text", "text": "Now the policy."}
    return (
        *OPENING,
        message("Calendars first."),
        call(0),
        call(1),
        result(0),
        result(1),
        {"type": "reasoning", "id": "rs", "summary": [thought]},
        call(2),
        result(2),
        message(FINAL),
    )


def in_text() -> tuple[dict[str, Any], ...]:
    """The exchange with calls and results within texts."""

    def results(*places: int) -> str:
        return "\n\n".join(f"Result of {ARGUMENTS[place]}\n<{CALLS[place].result}>" for place in places)

    return (
        *OPENING,
        {"role": "assistant", "content": "Calendars first."},
        {"role": "user", "content": results(0, 1)},
        {"role": "assistant", "content": "Now the policy."},
        {"role": "user", "content": results(2)},
        {"role": "assistant", "content": FINAL},
    )


def episode(*messages: dict[str, Any], calls: tuple[ToolCall, ...] = CALLS, text: str = FINAL) -> Episode:
    """An episode with these messages."""
    return tiny.episode(1, calls=calls, reply=Reply(text=text, turns=3, messages=messages))
