"""Rows as OpenAI's fine-tuning takes them: no fields but its own, so that provenance needs a file of its own."""

from mpcbench.benchmark.agents.conversation import Message
from mpcbench.benchmark.export.row import CANARY_NAME, Row


def openai_row(row: Row) -> Row:
    """A row in the format for supervised fine-tuning or, with a rejected message, for preferences.

    The canary is the name of the system message. Of a step, only the message that is asked for has a weight.
    """
    if "rejected" in row:
        return {
            "input": {"messages": _named(row["prompt"]), "tools": row["tools"]},
            "preferred_output": row["chosen"],
            "non_preferred_output": row["rejected"],
        }
    if "completion" in row:
        before = [_unweighted(message) for message in row["prompt"]]
        return {"messages": _named([*before, *row["completion"]]), "tools": row["tools"]}
    return {"messages": _named(row["messages"]), "tools": row["tools"]}


def _named(messages: list[Message]) -> list[Message]:
    return [message | ({"name": CANARY_NAME} if message["role"] == "system" else {}) for message in messages]


def _unweighted(message: Message) -> Message:
    return message | ({"weight": 0} if message["role"] == "assistant" else {})
