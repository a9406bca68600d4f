"""What a solver knows who has not seen one record."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from mpcbench.oracle.level4.facts import facts
from mpcbench.oracle.level4.knowledge import TASK, Knowledge, Posted, Stated, without
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema.level4.world import policy_record

T = TypeVar("T", Stated[Any], Posted)


def records_touched(knowledge: Knowledge, found: Touched) -> tuple[str, ...]:
    """The records that can matter to a task, without repetition; the task text is none."""
    records = {f"calendar:{person}": None for person in sorted(found.people & knowledge.calendars.keys())}
    records |= {fact.record: None for fact in facts(knowledge, found)}
    return tuple(record for record in records if record != TASK)


def hidden(knowledge: Knowledge, record: str) -> Knowledge:
    """The knowledge without everything that a record shows."""
    kind, _, name = record.partition(":")
    roles = {
        role_id: role.model_copy(update={"holder": None})
        for role_id, role in knowledge.roles.items()
        if role.shown_in == record
    }
    known = replace(knowledge, roles={**knowledge.roles, **roles}) if roles else knowledge
    return _HIDING[kind](known, name) if kind in _HIDING else _unread(known, record)


def _emptied(calendars: Mapping[str, Timeline], owner: str) -> dict[str, Timeline]:
    return {**calendars, owner: Timeline()}


_HIDING: Final[Mapping[str, Callable[[Knowledge, str], Knowledge]]] = {
    "calendar": lambda known, name: replace(known, calendars=_emptied(known.calendars, name)),
    "team_calendar": lambda known, name: replace(known, team_calendars=_emptied(known.team_calendars, name)),
    "room_calendar": lambda known, name: replace(known, bookings=_emptied(known.bookings, name)),
    "room": lambda known, name: replace(known, rooms=tuple(room for room in known.rooms if room.room_id != name)),
    "policy": lambda known, name: replace(
        known, policies=tuple(one for one in known.policies if policy_record(one) != f"policy:{name}")
    ),
    "person": lambda known, name: replace(known, people=without(known.people, name)),
    "team": lambda known, name: replace(known, teams=without(known.teams, name)),
    "roster": lambda known, name: replace(known, rosters=without(known.rosters, name)),
    "site": lambda known, name: replace(known, sites=without(known.sites, name)),
    "holidays": lambda known, name: replace(known, holidays=without(known.holidays, name)),
}
"""By kind of record; of all other kinds are threads and pages."""


def _unread(known: Knowledge, record: str) -> Knowledge:
    """The knowledge without what a thread or page states."""
    thread = record.removeprefix("thread:")
    lines = {
        about: tuple(line for line in some if line.thread != thread)
        for about, some in known.lines.items()
        if thread in [line.thread for line in some]
    }
    return known.having(
        lines={**known.lines, **lines} if lines else known.lines,
        aliases=known.aliases
        if all(meaning.record != record for meaning in known.aliases.values())
        else {alias: meaning for alias, meaning in known.aliases.items() if meaning.record != record},
        handovers=_others(known.handovers, record),
        new_managers=_others(known.new_managers, record),
        swaps=_others(known.swaps, record),
        notices=_others(known.notices, record),
    )


def _others(stated: tuple[T, ...], record: str) -> tuple[T, ...]:
    """What other records state; the same tuple if this one states none of it."""
    found = tuple(one for one in stated if one.record != record)
    return stated if len(found) == len(stated) else found
