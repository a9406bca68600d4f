"""Names of conditions for people: the kinds that constraints and violations carry."""

from types import MappingProxyType
from typing import Final

_NAMES: Final = MappingProxyType(
    {
        "busy": "busy event",
        "buffer_min": "buffer around events",
        "lunch_block": "lunch break",
        "ban_dow_time": "weekly block",
        "ban_window": "blocked time",
        "required_window": "required time",
        "after_event": "after an event",
        "bookings": "room is booked",
        "capacity": "too few seats",
        "room_missing": "no room named",
        "room_unknown": "no such room",
        "count": "number of options",
        "duration": "length",
    }
)


def kind_name(kind: str) -> str:
    """A kind in words, in lower case; an unknown one as it is."""
    return _NAMES.get(kind, kind.replace("_", " "))
