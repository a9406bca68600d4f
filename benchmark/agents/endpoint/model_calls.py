"""Tool calls as models write them, brought into a form that can be run and sent back.

A model may write anything; the toolbox reports its mistakes. But every later request repeats the call, and one that
the endpoint cannot parse would end the episode before the model sees its error. So such calls are rewritten before they
are sent back.
"""

import json
import re
import uuid
from collections.abc import Container
from typing import Any

from mpcbench.benchmark.agents.endpoint.turn import Call
from mpcbench.schema.untrusted_text import plain_json, well_formed

_NOT_IN_NAMES = re.compile("[^a-zA-Z0-9_-]+")
_LONGEST_NAME = 64


def call_of(call_id: Any, name: Any, arguments: Any, taken: Container[str]) -> Call:
    """The call, with whatever came as name and arguments as text.

    It has a new ID where it came without one, or with that of another call of the turn, which are `taken`.
    """
    if not isinstance(call_id, str) or not call_id.strip() or call_id in taken:
        call_id = f"call_{uuid.uuid4().hex[:24]}"
    return Call(call_id, _text(name), _text(arguments))


def sendable_name(name: str) -> str:
    """The name itself if it is one that a tool could have; else the closest valid one."""
    return _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME] or "_"


def sendable_arguments(arguments: str) -> str:
    """The arguments themselves if they are a JSON object that every parser reads; else one that quotes them."""
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        value = None
    # Plain: without NaN, lone surrogates and endless nesting.
    if isinstance(value, dict) and plain_json(value) == value:
        return arguments or "{}"
    return json.dumps({"invalid_arguments": well_formed(arguments)}, ensure_ascii=False)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(plain_json(value), ensure_ascii=False)
