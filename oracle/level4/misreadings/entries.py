"""Edits of calendar entries: one taken for another, or lost."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema.level4.calendar import Entry

Edit = Callable[[Entry], Entry | None]


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """The function from knowledge to knowledge that changes or loses one entry.

    Args:
        kind: `calendars`, `team_calendars` or `bookings`.
        owner: Whose calendar it is in.
        event_id: The entry.
        edit: The entry as it is misread; None if it is lost.
    """

    kind: str
    owner: str
    event_id: str
    edit: Edit

    def __call__(self, known: Knowledge) -> Knowledge:
        """The knowledge with the entry edited."""
        return edited(known, (self,))


def edited(known: Knowledge, edits: Iterable[EntryEdit]) -> Knowledge:
    """The knowledge with entries edited, no entry twice."""
    by_calendar: dict[tuple[str, str], dict[str, Edit]] = defaultdict(dict)
    for one in edits:
        by_calendar[one.kind, one.owner][one.event_id] = one.edit
    changes: dict[str, Any] = {}
    for (kind, owner), some in by_calendar.items():
        if kind not in changes:
            changes[kind] = dict(getattr(known, kind))
        changes[kind][owner] = _edited(changes[kind][owner], some)
    return replace(known, **changes) if changes else known


def _edited(timeline: Timeline, edits: Mapping[str, Edit]) -> Timeline:
    found = (edits[entry.event_id](entry) if entry.event_id in edits else entry for entry in timeline.entries)
    return Timeline(tuple(entry for entry in found if entry is not None), timeline)
