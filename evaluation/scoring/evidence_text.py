"""The evidence for a cause in one line of plain words."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Final

from pydantic import JsonValue

from mpcbench.evaluation.scoring.time_text import days_text, local_span, local_time
from mpcbench.schema.cause import Evidence

_VALUES: Final = 4  # values shown of a list
_WORDS: Final = {
    "person_id": "",
    "slot": "",
    "at": "",
    "room_id": "room",
    "remove_participant": "without",
    "add_participant": "also with",
    "takes_part": "takes part:",
    "option_count": "number of options:",
    "buffer_min": "buffer of",
    "lunch_block": "lunch break",
    "ban_dow_time": "blocked every week:",
    "ban_window": "blocked:",
    "not_before": "not before",
    "deadline": "deadline",
    "room_turnaround": "turnaround of rooms:",
    "days_asked_for": "only read for",
    "event_ends": "the event ends",
    "after_event_of": "after an event of",
    "free_at_the_edge_of": "free up to the edge of",
    "left_out": "left out:",
    "rooms_without": "rooms without it:",
    "rooms_elsewhere": "rooms elsewhere:",
    "bookings_of": "the bookings of",
    "seats_needed": "seats needed:",
    "capacity": "seats:",
    "items": "",
    "lacking": "without",
    "required": "asked for:",
    "keys": "rooms ranked by",
    "order": "",
    "used_of": "as said before in",
    "candidate": "option",
    "leaves_no_option": "would leave no option:",
}
"""Plain words for the names of values, where the name itself would not read well."""

_COUNTED: Final[Mapping[str, Callable[[int], str]]] = {
    "minutes": lambda number: _number(number, "minute"),
    "options": lambda number: _number(number, "option"),
    "guests": lambda number: _number(number, "guest"),
    "seats": lambda number: _number(number, "seat"),
    "step": lambda number: f"starts every {_number(number, 'minute')}",
    "first": lambda number: f"from minute {number} of the hour",
    "minutes_late": lambda number: f"{_number(abs(number), 'minute')} too {_late(number)}",
    "hours_late": lambda number: f"{_number(abs(number), 'hour')} too {_late(number)}" if number else "as asked for",
    "days_late": lambda number: f"{_number(abs(number), 'day')} too {_late(number)}" if number else "as asked for",
    "weeks_late": lambda number: f"{_number(abs(number), 'week')} too {_late(number)}" if number else "as asked for",
    "years_late": lambda number: f"{_number(abs(number), 'year')} too {_late(number)}" if number else "as asked for",
    "minutes_from_utc": lambda number: f"an offset of {_number(number, 'minute')} from UTC",
}
"""Plain words for numbers, by their names."""

_UNSAID: Final = frozenset({"owner", "calendar", "gap"})


def evidence_text(evidence: Evidence, zone: tzinfo) -> str:
    """What shows a cause, in one line; times in the zone."""
    return ": ".join(part for part in (_source(evidence), "; ".join(_said(evidence.values, zone))) if part)


def _source(evidence: Evidence) -> str:
    if not evidence.record:
        return ""
    owner = evidence.values.get("owner")
    seen = "" if evidence.tool_call is None else f" (tool call {evidence.tool_call})"
    return f"{evidence.record}{f' of {owner}' if owner else ''}{seen}"


def _said(values: Mapping[str, JsonValue], zone: tzinfo) -> Iterator[str]:
    """What the record says, then what the answer fits instead, then the rest."""
    for name, value in values.items():
        match name, value:
            case _, None:
                pass
            case "holds", {"events": []}:
                pass  # nothing there is in the way of the answer
            case "holds", _:
                yield _value(value, zone)
            case "used", {"days_asked_for": days}:
                yield f"only read for {_value(days, zone)}"
            case "used", _:
                yield f"in the answer: {_value(value, zone)}"
            case "listed_in_calls", list():
                calls = " and ".join(map(str, value[:_VALUES]))
                yield f"listed in call{'s'[: len(value) > 1]} {calls} and never opened"
            case "quote", _:
                yield f'the text that mattered: "{value}"'
            case _:
                yield from _items({name: value}, zone)


def _value(value: JsonValue, zone: tzinfo) -> str:
    """A value for people: `10 minutes, only after`; what has a start and an end as a local span after its title."""
    match value:
        case None:
            return "nothing"
        case dict():
            start, end = value.get("start"), value.get("end")
            if isinstance(start, str) and isinstance(end, str):
                title = f"{value['title']!r} " if "title" in value else ""
                rest = {name: one for name, one in value.items() if name not in {"start", "end", "title"}}
                return ", ".join([f"{title}{_span(start, end, zone)}", *_items(rest, zone)])
            return ", ".join(_items(value, zone)) or "nothing"
        case list():
            listed = [_value(one, zone) for one in value[:_VALUES]]
            more_values = [f"{len(value) - _VALUES} more"] if len(value) > _VALUES else []
            return " and ".join([*listed, *more_values]) or "none"
        case str():
            return _moment(value, zone)
        case _:
            return str(value)


def _items(values: Mapping[str, JsonValue], zone: tzinfo) -> Iterator[str]:
    for name, value in values.items():
        listed = value if name == "days" and isinstance(value, list) else [value] if name == "day" else []
        days = [one for one in listed if isinstance(one, int)]
        if days:
            yield days_text(days)
        elif name in _COUNTED and isinstance(value, int):
            yield _COUNTED[name](value)
        elif name in _COUNTED and isinstance(value, list):
            yield " and ".join(_COUNTED[name](one) for one in value if isinstance(one, int))
        elif name == "one_of" and isinstance(value, list):
            yield " or ".join(dict.fromkeys(_value(one, zone) for one in value))
        elif name == "keys" and value == []:
            yield "rooms ranked by their IDs"
        elif name not in _UNSAID and value != []:
            yield f"{_WORDS.get(name, _plain(name))} {_value(value, zone)}".strip()


def _span(start: str, end: str, zone: tzinfo) -> str:
    try:
        return local_span(datetime.fromisoformat(start), datetime.fromisoformat(end), zone)
    except ValueError:  # times of day
        return f"{start}-{end}"


def _moment(text: str, zone: tzinfo) -> str:
    """An instant as local time; a single word without underscores; any other text as it is."""
    try:
        moment = datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        moment = None
    if moment is not None and moment.tzinfo is not None:
        return local_time(moment, zone)
    return text if " " in text else _plain(text)


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _late(number: int) -> str:
    return "late" if number > 0 else "early"


def _plain(name: str) -> str:
    return name.replace("_", " ")
