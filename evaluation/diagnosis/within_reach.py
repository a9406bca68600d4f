"""What an agent could have known of a record that it never opened: where it was listed, what shows it, what it says."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.schema import World
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.untrusted_text import shortened

_QUOTED: Final = 240  # characters of a quote
_TOOLS: Final = {
    "thread": "read_thread",
    "person": "get_person",
    "calendar": "get_calendar",
    "room": "get_room_details",
    "room_calendar": "get_room_bookings",
}


def within_reach(record: str, world: World, provenance: Provenance, calls: Iterable[ToolCall]) -> Mapping[str, object]:
    """The calls whose results name an unseen record, the call that shows it, and the text that mattered."""
    found = {"listed_in_calls": _listed_in(record, calls), "shown_by": _shown_by(record, world)}
    return {name: value for name, value in (found | {"quote": _quote(record, world, provenance)}).items() if value}


def _listed_in(record: str, calls: Iterable[ToolCall]) -> list[int]:
    name = re.compile(rf"\b{re.escape(record.partition(':')[2])}\b")
    return [
        number
        for number, call in enumerate(calls, start=1)
        if not call.is_error and record not in call.records and name.search(call.result)
    ]


def _shown_by(record: str, world: World) -> str:
    kind, _, name = record.partition(":")
    if kind == "policy":
        documents = [
            document.document_id
            for document in world.documents
            if name in {section.policy_id for section in document.sections}
        ]
        return f"get_policy {name}" if world.level == 1 or not documents else f"read_policy_document {documents[0]}"
    if kind == "calendar" and world.level != 3:
        name = world.person_by_id[name].name
    return f"{_TOOLS[kind]} {name}"


def _quote(record: str, world: World, provenance: Provenance) -> str:
    """The last message of a thread that matters to the meeting, or the section of a policy; empty for others."""
    kind, _, name = record.partition(":")
    texts: list[str] = []
    if kind == "thread":
        places = [item.key.message for item in provenance.located if item.key.thread == name]
        texts = [world.thread_by_id[name].messages[place].text for place in places[-1:]]
    elif kind == "policy" and world.level > 1:  # level 1 shows rules, not texts
        texts = [
            section.text for document in world.documents for section in document.sections if section.policy_id == name
        ]
    return shortened(" ".join(texts[0].split()), _QUOTED) if texts else ""
