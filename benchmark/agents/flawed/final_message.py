"""Flaws of the final message: it contains no answer that can be parsed."""

import json

from mpcbench.benchmark.agents.flawed.flaw import Flaw, replying
from mpcbench.schema.episode import Finish, Reply


def _prose(reply: Reply) -> Reply:
    candidates = json.loads(reply.text)["candidates"]
    times = ", then ".join(f"{candidate['start']} to {candidate['end']}" for candidate in candidates)
    return reply.model_copy(update={"text": f"I would propose {times}. Shall I send the invitations?"})


def _cut_off(reply: Reply) -> Reply:
    return reply.model_copy(update={"text": reply.text[: len(reply.text) // 3], "finish": Finish.LENGTH})


def _silent(reply: Reply) -> Reply:
    return reply.model_copy(update={"text": ""})


def _refusing(reply: Reply) -> Reply:
    text = "I am sorry, but I cannot look into other people's calendars."
    return reply.model_copy(update={"text": text, "finish": Finish.REFUSAL})


FLAWS = (
    Flaw("prose-only", "Answers in prose instead of JSON.", ("format.unparsable",), replying(_prose)),
    Flaw("cut-off", "Is cut off in the middle of the answer.", ("format.truncated",), replying(_cut_off)),
    Flaw("silent", "Ends without a final message.", ("format.no_answer",), replying(_silent)),
    Flaw("refuses", "Declines to answer.", ("format.refused",), replying(_refusing)),
)
"""One for each way of failing to answer."""
