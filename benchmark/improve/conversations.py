"""What improves a model: the conversations of an exported file."""

import json
from dataclasses import dataclass
from pathlib import Path

from mpcbench.benchmark.agents.conversation import Message


class ImproveError(ValueError):
    """A model cannot be improved so; the message is one line."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One row of an export in text: what was said, and how much of it was there before."""

    instance_id: str
    messages: tuple[Message, ...]
    given: int
    """How many of the messages, from the first, are no part of what is to be learned."""


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations that `mpcbench export sft` or `steps` wrote with `--format json-protocol`.

    Raises:
        ImproveError: the file cannot be read, holds something else, or instances that are for tests only.
    """
    try:
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")  # texts may hold other ends of lines
    except (OSError, UnicodeDecodeError) as error:
        raise ImproveError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if lines == [""]:
        raise ImproveError(f"{path}: holds no rows")
    return [_conversation(line, f"{path}:{number}") for number, line in enumerate(lines, start=1)]


def _conversation(line: str, place: str) -> Conversation:
    try:
        row = json.loads(line)
        origin = row["provenance"]
        before = row.get("prompt", [])
        messages = [*before, *row["completion"]] if before else row["messages"]
        texts = all(
            isinstance(one["content"], str) and one["role"] != "tool" and "tool_calls" not in one for one in messages
        )
        name, for_tests = origin["instance_id"], origin["do_not_train"]
        asked = messages[0]["role"] != "assistant"
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ImproveError(f"{place}: no row of mpcbench export sft or steps") from None
    if "outcome" in row:
        raise ImproveError(f"{place}: an episode that may have failed; learn from rows of mpcbench export sft or steps")
    if not asked:
        raise ImproveError(f"{place}: begins with an answer")
    if not texts:
        raise ImproveError(f"{place}: has native tool calls; export with --format json-protocol")
    if for_tests is not False:
        raise ImproveError(f"{place}: {name} is for tests, and training on it spoils the benchmark")
    return Conversation(str(name), tuple(messages), len(before))
