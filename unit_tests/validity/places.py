"""What a change at a place of the reference agent's code breaks, told from the meaning of the code alone."""

from collections.abc import Iterable
from typing import Final

from unit_tests.validity.judge import Expected

_LIMITS = ("ban_window", "required_window", "deadline", "not_before", "after_event")
_HOURS = ("work_hours", "lunch_block", "ban_dow_time", "daily_hours")
_ROOM = ("capacity", "equipment", "site", "guests")
_BUFFERS = ("buffer_min", "buffer_side", "touching", "room_turnaround")
_TIMES = ("offset", "week", "window", "duration")
_RANKING = ("integration.ranking", "integration.habit")
_COUNT = ("integration.count", "integration.value_wrong:option_count")
_GRID = ("integration.off_grid", "integration.value_wrong:grid", "integration.habit:coarse_grid")
_OVERLOOKED = ("integration.record_overlooked", "integration.record_misread")
_FORMAT = ("format.*",)
_UNREAD = ("acquisition.record_never_seen", "acquisition.record_seen_in_part", "decomposition.source_never_queried")


def about(*kinds: str) -> tuple[str, ...]:
    """The reasons that conditions of some kinds were left out, had another value or were compared with starts only."""
    reasons = ("constraint_omitted", "value_wrong", "starts_only")
    return tuple(f"integration.{reason}:{kind}" for kind in kinds for reason in reasons)


BUSY: Final = (*about("busy", "participant"), *_OVERLOOKED)
BOOKINGS: Final = (*about("bookings"), *_OVERLOOKED)

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "busy": (*BUSY, *about(*_BUFFERS)),
    "calendars": BUSY,
    "margin": about(*_BUFFERS),
    "Pause": about("buffer_min", "buffer_side"),
    "RoomPause": about("room_turnaround", "buffer_side"),
    "banned": about("ban_window"),
    "bans": about("ban_window"),
    "required": about("required_window"),
    "earliest": about("not_before", "after_event"),
    "first_start": about("not_before", "after_event"),
    "not_before": about("not_before"),
    "after": about("after_event"),
    "last_end": about("deadline"),
    "deadline": about("deadline"),
    "rules": (*about(*_HOURS), "integration.constraint_added:weekdays"),
    "_obeys": (*about(*_HOURS), "integration.constraint_added:weekdays"),
    "InsideHours": about("work_hours", "daily_hours"),
    "OutsideHours": about("lunch_block", "ban_dow_time"),
    "hours": about("daily_hours"),
    "_EVERY_DAY": (*about("daily_hours"), "integration.constraint_added:weekdays"),
    "_pieces": (*about(*_HOURS), *about("duration")),
    "rank": _RANKING,
    "room_order": _RANKING,
    "bookings": BOOKINGS,
    "booked": (*BOOKINGS, "integration.room_missing"),
    "count": _COUNT,
    "chosen": (*_COUNT, *_RANKING),
    "latest": (*_RANKING, "integration.value_wrong:order"),
    "capacity": about("capacity", "guests"),
    "guests": about("capacity", "guests"),
    "people": about("capacity", "guests"),
    "equipment": about("equipment"),
    "site": about("site"),
    "suitable_rooms": about(*_ROOM),
    "length": about("duration", "window"),
}
"""For functions that do several things: what changed code that mentions a name is about."""

INTEGRATION: Final[dict[str, tuple[str, ...]]] = {
    "integrate.Blocked.__init__": (*BUSY, *BOOKINGS, *about("ban_window", *_BUFFERS)),
    "integrate.Blocked.overlap": (*BUSY, *BOOKINGS, *about("ban_window", *_BUFFERS)),
    "integrate.choose": (*_COUNT, *_RANKING, *BOOKINGS, "integration.value_wrong:order", *_FORMAT),
    "integrate.feasible_slots": (*BUSY, *about(*_LIMITS, *_HOURS, *_BUFFERS)),
    "integrate.room_choices": (*_RANKING, *BOOKINGS, *about("room_turnaround")),
    "integrate.spans_of_window": (*about("window", "duration"), *_GRID),
    "integrate._grid": (*_GRID, *about("window", "daily_hours")),
    "integrate._pieces": about(*_HOURS, "duration"),
    "integrate._inside": (*about("work_hours", "daily_hours"), "integration.constraint_added:weekdays"),
    "integrate._obeys": about(*_HOURS),
    "integrate._busy": about("ban_window", "required_window"),
    "integrate._option": about("offset", "duration"),
    "integrate._local": (*about(*_TIMES, *_HOURS), *_GRID),
    "integrate._minute": (*about(*_HOURS), *_GRID),
    "integrate._EVERY_DAY": (*about("daily_hours"), "integration.constraint_added:weekdays"),
    "acquire.suitable_rooms": (*about(*_ROOM), "acquisition.record_never_seen:room_calendar"),
    "agent.answer_text": ("integration.room_missing", "integration.ranking", *about("duration", "offset"), *_FORMAT),
    "agent.StagedAgent.__call__": (*_FORMAT, *_UNREAD),
    "grammar_time.instant": about(*_LIMITS, *_TIMES),
    "desk.minutes": (*BUSY, *BOOKINGS, *about(*_LIMITS, *_TIMES)),
}
"""What a change is about that leaves everything read as it is, by module and function."""

MIXED: Final = frozenset(
    {"integrate.choose", "integrate.feasible_slots", "integrate.room_choices", "acquire.suitable_rooms"}
)
"""Functions that do several things, so that the names which the changed code mentions say more."""

RETRIEVAL: Final = frozenset(
    {
        "acquire.find_threads",
        "acquire.read_threads",
        "acquire.follow_up",
        "acquire._search",
        "acquire._PAUSE",
        "desk.Desk.pages",
        "mentions.Meeting.announced_channels",
    }
)
"""What decides which threads are read: a change there keeps a thread from being read, or adds one."""

_REQUEST: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "length": ("duration", ()),
    "count": ("option_count", ("integration.count",)),
    "window": ("window", about("daily_hours")),
    "guests": ("guests", about("capacity")),
    "deadline": ("deadline", ()),
    "not_before": ("not_before", ()),
    "bans": ("ban_window", ()),
    "required": ("required_window", ()),
    "after": ("after_event", ()),
    "latest": ("order", _RANKING),
    "room_order": ("tie_break", _RANKING),
    "equipment": ("equipment", ()),
    "site": ("site", ()),
}
"""The kind of each field of a request, and other reasons that name it."""

_RULES: Final = {
    "InsideHours": ("work_hours",),
    "OutsideHours": ("lunch_block", "ban_dow_time"),
    "Pause": ("buffer_min",),
    "RoomPause": ("room_turnaround",),
}

HEARD: Final = frozenset({*_REQUEST, "people", "policies"})
"""What is known before a record is fetched for it."""

Known = dict[str, tuple[str, ...]]
"""What an agent has understood and fetched, by field: the parts of the value, as sorted texts."""


def expected_of(where: str, names: Iterable[str], right: Known, used: Known) -> Expected:
    """What a diagnosis should say of a mutant's wrong answer.

    What was read wrongly comes first. If everything was read as it should be, the place says what went wrong.

    Args:
        where: The module and function of the change.
        names: The names that the changed code mentions.
        right: What the unchanged agent knows.
        used: What the mutant knows; without the fields that it did not come to.
    """
    if right.keys() - used.keys():
        return Expected((*_FORMAT, *_UNREAD))
    wrong = [field for field in right if right[field] != used[field]]
    misheard = [field for field in wrong if field in HEARD]
    # Rules can be read wrongly, too, where the same policies were called for.
    also = [field for field in wrong if field in _RULES and "policies" not in misheard] if misheard else wrong
    reasons = [reason for field in [*misheard, *also] for reason in _reasons_of(field, right[field], used[field])]
    if misheard:  # can keep a record from being read, which the calls then show
        if where in RETRIEVAL:
            reasons += _UNREAD
        return Expected(tuple(dict.fromkeys(reasons)), _UNREAD)
    if where in INTEGRATION:
        words = [reason for name in sorted(names) for reason in WORDS.get(name, ())] if where in MIXED else []
        reasons = [*(words or INTEGRATION[where]), *(_UNREAD if wrong else ())]
    return Expected(tuple(dict.fromkeys(reasons)))


def _reasons_of(field: str, right: tuple[str, ...], used: tuple[str, ...]) -> tuple[str, ...]:
    """The reasons that name a field with another value than the right one."""
    lost, added = {*right} - {*used}, {*used} - {*right}
    if field in _REQUEST:
        kind, others = _REQUEST[field]
        return (*about(kind), *others, f"integration.constraint_added:{kind}")
    if field == "people":
        gone = ("integration.constraint_omitted:participant", *_UNREAD) if lost else ()
        more = ("integration.constraint_added:participant", *about("capacity")) if added else ()
        return (*gone, *more)
    if field == "policies":
        return (*(_UNREAD if lost else ()), *(("integration.constraint_added:policy",) if added else ()))
    if field in _RULES:
        kinds: tuple[str, ...] = (*_RULES[field], *(("buffer_side",) if "Pause" in field else ()))
        ignored = ("integration.constraint_omitted:policy",) if lost else ()
        return (*about(*kinds), *ignored, *(("integration.constraint_added:policy",) if added else ()))
    if field == "calendars":
        return (*BUSY, *about("offset", "clock"), *_UNREAD)
    if field == "after_ends":
        return (*about("after_event"), *_UNREAD)
    if field == "bookings":
        return (*BOOKINGS, *_UNREAD)
    if field == "rooms":
        return (*about(*_ROOM, "tie_break"), *_RANKING, *_UNREAD)
    return _UNREAD
