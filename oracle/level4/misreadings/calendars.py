"""Misreadings of calendar entries: their states, and the exceptions and moves of series."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings.entries import EntryEdit
from mpcbench.oracle.level4.misreadings.language import rewritten
from mpcbench.oracle.level4.misreadings.rules import with_policies
from mpcbench.oracle.level4.misreadings.slip import Misreading, Slip
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema.level4.calendar import Entry, Status
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.policy import TentativeFree
from mpcbench.schema.level4.statements import Said, TentativeEntries
from mpcbench.schema.level4.world import policy_record

_KEPT: Final = 256
"""So many calendars are kept as they are misread, since whoever makes instances looks at the same ones again and again."""

_NOT_BLOCKING = {Status.DECLINED, Status.CANCELLED, Status.FREE}


def calendars_touched(knowledge: Knowledge, found: Touched) -> Iterator[tuple[str, str, tuple[Entry, ...]]]:
    """The calendars that can matter: the kind, the owner and the entries of each."""
    for person in sorted(found.people & knowledge.calendars.keys()):
        yield "calendars", person, knowledge.calendars[person].entries
    for team_id, team in knowledge.teams.items():
        if team_id in knowledge.team_calendars and found.people.intersection(team.members):
            yield "team_calendars", team_id, knowledge.team_calendars[team_id].entries
    for room_id, timeline in knowledge.bookings.items():
        yield "bookings", room_id, timeline.entries


class _MisreadEntries:
    """The slips that misread one entry each, of those that the misreading concerns."""

    def __init__(self, concerns: Callable[[Entry], bool], edit: Callable[[Entry], Entry]) -> None:
        self._concerns = concerns
        self._edit = edit
        self._misread = lru_cache(_KEPT)(self._misread_anew)

    def __call__(self, knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
        for kind, owner, entries in calendars_touched(knowledge, found):
            for entry in filter(self._concerns, entries):
                name = f"{owner}:{entry.event_id}"
                yield Slip(name, name, EntryEdit(kind, owner, entry.event_id, self._edit))

    def at_once(self, knowledge: Knowledge, found: Touched) -> Knowledge | None:
        """The knowledge with all of these entries misread; None if there is none."""
        changes: dict[str, Any] = {}
        for kind, owner, _ in calendars_touched(knowledge, found):
            timeline = getattr(knowledge, kind)[owner]
            wrong = self._misread(timeline)
            if wrong is not timeline:
                if kind not in changes:
                    changes[kind] = dict(getattr(knowledge, kind))
                changes[kind][owner] = wrong
        return replace(knowledge, **changes) if changes else None

    def _misread_anew(self, timeline: Timeline) -> Timeline:
        if not any(map(self._concerns, timeline.entries)):
            return timeline
        entries = (self._edit(entry) if self._concerns(entry) else entry for entry in timeline.entries)
        return Timeline(tuple(entries), timeline)


def _is_no_reason(entry: Entry) -> bool:
    return entry.status in _NOT_BLOCKING


def _as_busy(entry: Entry) -> Entry:
    return replace(entry, status=Status.BUSY)


def _is_tentative(entry: Entry) -> bool:
    return entry.status is Status.TENTATIVE


def _as_free(entry: Entry) -> Entry:
    return replace(entry, status=Status.FREE)


def _has_exceptions(entry: Entry) -> bool:
    return entry.recurrence is not None and bool(entry.recurrence.excepted)


def _without_exceptions(entry: Entry) -> Entry:
    return _recurring(entry, {"excepted": ()})


def _has_moves(entry: Entry) -> bool:
    return entry.recurrence is not None and bool(entry.recurrence.moved)


def _without_moves(entry: Entry) -> Entry:
    return _recurring(entry, {"moved": ()})


def _recurring(entry: Entry, update: dict[str, Any]) -> Entry:
    rule = entry.recurrence
    return entry if rule is None else replace(entry, recurrence=rule.model_copy(update=update))


def _is_series(entry: Entry) -> bool:
    return entry.recurrence is not None


def _single(entry: Entry) -> Entry:
    return replace(entry, recurrence=None)


_TENTATIVE_AS_FREE: Final = _MisreadEntries(_is_tentative, _as_free)


def _tentative_inverted(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    """Whoever says that tentative entries do or do not block is misread; if nobody does, they are taken for free."""
    said = [(line, line.tag) for line in found.lines if isinstance(line.tag, Said)]
    stated = [(line, tag, tag.statement) for line, tag in said if isinstance(tag.statement, TentativeEntries)]
    for line, tag, statement in stated:
        inverted = tag.model_copy(update={"statement": TentativeEntries(block=not statement.block)})
        yield Slip(line.key, line.key, rewritten(line, inverted))
    freeing = [policy for policy in knowledge.policies if any(isinstance(rule, TentativeFree) for rule in policy.rules)]
    for policy in freeing:
        rules = tuple(rule for rule in policy.rules if not isinstance(rule, TentativeFree))
        wrong = policy.model_copy(update={"rules": rules})
        yield Slip(policy_record(policy), policy_record(policy), with_policies({policy_record(policy): wrong}))
    if not stated and not freeing:
        for slip in _TENTATIVE_AS_FREE(knowledge, found):
            if slip.element.startswith("p"):
                yield slip


def _of_entries(way: str, concerns: Callable[[Entry], bool], edit: Callable[[Entry], Entry]) -> Misreading:
    slips = _MisreadEntries(concerns, edit)
    return Misreading(Mechanism.STATES, way, slips, slips.at_once)


CALENDARS = (
    Misreading(Mechanism.STATES, "tentative_inverted", _tentative_inverted),
    _of_entries("declined_blocks", _is_no_reason, _as_busy),
    _of_entries("exceptions_ignored", _has_exceptions, _without_exceptions),
    _of_entries("moves_ignored", _has_moves, _without_moves),
    _of_entries("series_ignored", _is_series, _single),
)
