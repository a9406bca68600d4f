"""Worked examples for the system prompt, from exported conversations."""

from collections.abc import Iterable
from typing import Final

from mpcbench.benchmark.improve.conversations import Conversation, ImproveError

_HEADING: Final = """\
Here is how others went about tasks of this kind, from the task on. Their people, times and policies are not yours: look \
up your own."""

_VOICES: Final = {"user": "you are told", "assistant": "you write"}


def examples_text(conversations: Iterable[Conversation], count: int, characters: int) -> str:
    """The first tasks as a text, each with as much as fits of the conversation that shows most of it.

    Args:
        conversations: Whole ones, or steps.
        count: How many.
        characters: An example ends after the last message of the model within so many.

    Raises:
        ImproveError: there are fewer with a message of the model within so many characters.
    """
    longest: dict[str, str] = {}
    for one in conversations:
        task = next((message["content"] for message in one.messages if message["role"] == "user"), "")
        longest[task] = max(longest.get(task, ""), _example(one, characters), key=len)
    found = [text for text in longest.values() if text][:count]
    if len(found) < count:
        raise ImproveError(
            f"{len(found)} of {count} examples, one a task, have a message of the model within {characters:,} characters; "
            "raise --characters, or export more rows"
        )
    examples = [f"Example {number}\n{text}" for number, text in enumerate(found, start=1)]
    return "\n\n".join([_HEADING, *examples])


def _example(conversation: Conversation, characters: int) -> str:
    """The exchange after the system prompt, up to the last message of the model that fits; empty if none does."""
    text = kept = ""
    for message in conversation.messages:
        if message["role"] in _VOICES:
            text += f"{_VOICES[message['role']]}: {message['content']}\n"
        if message["role"] == "assistant" and len(text) <= characters:
            kept = text
    return kept.rstrip()
