"""Slips of format that still parse: every time or room of the answer is written down in a wrong way."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan, answer_text, candidate_of, flawed


def shifted_year(option: Option) -> Option:
    """An option a year early."""
    return option._replace(
        start=option.start.replace(year=option.start.year - 1), end=option.end.replace(year=option.end.year - 1)
    )


def _day_and_month(option: Option) -> Option:
    """With day and month swapped, if that is a date."""
    if option.start.day > 12 or option.start.day == option.start.month:
        return option
    return option._replace(
        start=option.start.replace(month=option.start.day, day=option.start.month),
        end=option.end.replace(month=option.start.day, day=option.start.month),
    )


def _room_name(_: Mind, facts: Facts, option: Option) -> Option:
    names = {room.room_id: room.name for room in facts.rooms or ()}
    return option._replace(room_id=names.get(option.room_id or "", option.room_id))


def _all_names(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    mind.note(what="names instead of IDs")
    return [_room_name(mind, facts, option) for option in options]


def _inclusive_end(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    mind.note(minutes=-1)
    return [option._replace(end=option.end - timedelta(minutes=1)) for option in options]


def _as_zulu(mind: Mind, options: Sequence[Option]) -> str:
    """Local times marked as UTC."""
    mind.note(offset_given="Z", offset_right=str(options[0].start.utcoffset()) if options else None)
    return answer_text(mind, [one._replace(start=_zulu(one.start), end=_zulu(one.end)) for one in options])


def _zulu(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def _utc_without_offset(mind: Mind, options: Sequence[Option]) -> str:
    """Times in UTC, written without an offset."""
    mind.note(what="UTC written as local time")
    found = json.loads(answer_text(mind, options))
    for candidate in found["candidates"]:
        for end in ("start", "end"):
            moment = datetime.fromisoformat(candidate[end]).astimezone(UTC)
            candidate[end] = moment.replace(tzinfo=None).isoformat()
    return json.dumps(found)


def _hour_across_change(mind: Mind, options: Sequence[Option]) -> str:
    """Writes every time with the offset that held in January, whatever the date."""
    fixed = [one._replace(start=_winter(one.start), end=_winter(one.end)) for one in options]
    if any(new.start != old.start for new, old in zip(fixed, options, strict=True)):
        mind.note(what="the winter offset in summer time")
    return answer_text(mind, fixed)


def _winter(moment: datetime) -> datetime:
    """The same wall-clock time with the offset of January."""
    offset = moment.replace(month=1, day=15).utcoffset()
    assert offset is not None
    return moment.replace(tzinfo=timezone(offset))


def _every(change: Callable[[Option], Option]) -> Plan:
    def slip(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
        new = [change(option) for option in options]
        mind.note(right=[candidate_of(option) for option in options], given=[candidate_of(option) for option in new])
        return new

    return Plan(options=slip)


_agent = partial(flawed, lead="How the answer is written")

_OFFSET = "integration.value_wrong:offset"
_MISSING = "integration.room_missing"

AGENTS = (
    _agent(
        "room-names",
        "Gives the rooms' names instead of their IDs.",
        Plan(options=_all_names),
        (),
        _MISSING,
        "rooms named by name",
        levels=(3,),
    ),
    _agent("wrong-year", "Gives all candidates for the year before.", _every(shifted_year), (), "a wrong year"),
    _agent(
        "day-and-month-swapped",
        "Swaps day and month of all dates where that is possible.",
        _every(_day_and_month),
        (),
        "day and month swapped",
    ),
    _agent(
        "inclusive-end",
        "Gives the last minute of a meeting as its end.",
        Plan(options=_inclusive_end),
        ("integration.value_wrong:duration",),
        "ends a minute early",
    ),
    _agent("local-as-utc", "Marks local times as UTC.", Plan(text=_as_zulu), (_OFFSET,)),
    _agent(
        "utc-as-local",
        "Gives times in UTC without an offset.",
        Plan(text=_utc_without_offset),
        (_OFFSET,),
    ),
    _agent(
        "winter-offset",
        "Gives times after the change of clocks with the winter offset.",
        Plan(text=_hour_across_change),
        (_OFFSET,),
    ),
)
"""The agents of this module."""
