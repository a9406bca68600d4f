"""How times and proposals are written for people: local time with its weekday."""

from collections.abc import Collection
from datetime import datetime, tzinfo

from mpcbench.evaluation.scoring.score import Proposal
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.schema.model import clock

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def local_time(moment: datetime, zone: tzinfo) -> str:
    """An aware time as `Tue 2027-02-09 14:30`, with seconds and the offset from UTC only where they matter."""
    local = moment.astimezone(zone)
    return f"{_date(local)} {_clock(local, zone)}"


def local_span(start: datetime, end: datetime, zone: tzinfo) -> str:
    """Two aware times as `Tue 2027-02-09 14:30-15:30`; the second date only where it is another."""
    first, last = start.astimezone(zone), end.astimezone(zone)
    if first.date() == last.date():
        return f"{local_time(start, zone)}-{_clock(last, zone)}"
    return f"{local_time(start, zone)} to {local_time(end, zone)}"


def local_minute(minutes: int, zone: tzinfo) -> str:
    """The same as `local_time`, of minutes since 1970-01-01 UTC."""
    return local_time(to_datetime(minutes, zone), zone)


def local_interval(interval: Interval, zone: tzinfo) -> str:
    """The same as `local_span`, of an interval."""
    return local_span(to_datetime(interval.start, zone), to_datetime(interval.end, zone), zone)


def proposal_text(proposal: Proposal, zone: tzinfo) -> str:
    """A proposal as its local span and, if it has one, its room; in a plan, its meeting comes first."""
    span = local_span(proposal.start, proposal.end, zone)
    placed = span if proposal.room_id is None else f"{span} {proposal.room_id}"
    meeting = getattr(proposal, "meeting", None)
    return placed if meeting is None else f"{meeting}: {placed}"


def hours_text(start: int, end: int) -> str:
    """Two minutes of the day as `09:00-17:30`."""
    return f"{clock(start)}-{clock(end)}"


def days_text(days: Collection[int]) -> str:
    """Weekdays (0 is Monday) as `Mon, Tue, Fri`."""
    return ", ".join(WEEKDAYS[day] for day in sorted(set(days)))


def _date(local: datetime) -> str:
    return f"{WEEKDAYS[local.weekday()]} {local.date().isoformat()}"


def _clock(local: datetime, zone: tzinfo) -> str:
    time = f"{local:%H:%M}"
    if local.microsecond:
        time = f"{local:%H:%M:%S.%f}"
    elif local.second:
        time = f"{local:%H:%M:%S}"
    # The same wall clock with another offset is another instant where a change of offset repeats the hour.
    wall = local.replace(tzinfo=zone)
    repeated = wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()
    return f"{time}{local:%z}" if repeated else time
