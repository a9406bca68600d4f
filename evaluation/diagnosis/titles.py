"""The owners of calendars and the titles of single events, for readers of the evidence."""

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Final

from pydantic import JsonValue

from mpcbench.evaluation.diagnosis.evidence import as_json
from mpcbench.schema import Event, World
from mpcbench.schema.cause import Cause, Evidence, Reason

_OF_SINGLE_EVENTS: Final = (Reason.RECORD_OVERLOOKED.value, Reason.RECORD_MISREAD.value)

_Titles = Mapping[tuple[JsonValue, JsonValue], str]


def titled(causes: Iterable[Cause], world: World) -> tuple[Cause, ...]:
    """The causes; evidence of overlooked and misread events and bookings says whose they are and what they are."""
    return tuple(
        cause.model_copy(update={"evidence": tuple(_titled(one, world) for one in cause.evidence)})
        if cause.reason.startswith(_OF_SINGLE_EVENTS)
        else cause
        for cause in causes
    )


def _titled(evidence: Evidence, world: World) -> Evidence:
    kind, _, name = (evidence.record or "").partition(":")
    events: Iterable[Event]
    match kind:
        case "calendar":
            owner, events = world.person_by_id[name].name, world.events_by_person.get(name, ())
        case "room_calendar":
            owner, events = world.room_by_id[name].name, world.bookings_by_room.get(name, ())
        case _:
            return evidence
    titles = _titles(events, world.zone)
    holds = _with_titles(evidence.values.get("holds"), titles)
    return evidence.model_copy(update={"values": {**evidence.values, "holds": holds, "owner": owner}})


def _titles(events: Iterable[Event], zone: tzinfo) -> _Titles:
    return {(as_json(event.start, zone), as_json(event.end, zone)): event.title for event in events}


def _with_titles(value: JsonValue, titles: _Titles) -> JsonValue:
    """A value in which every span of an event has the event's title."""
    match value:
        case dict() if isinstance(value.get("start"), str) and isinstance(value.get("end"), str):
            title = titles.get((value["start"], value["end"]))
            return value if title is None else {"title": title, **value}
        case dict():
            return {name: _with_titles(one, titles) for name, one in value.items()}
        case list():
            return [_with_titles(one, titles) for one in value]
    return value
