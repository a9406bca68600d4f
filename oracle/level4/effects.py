"""What placements of a plan do to the candidates of its other meetings, limits aside."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mpcbench.oracle.level4.axis import Axis
from mpcbench.oracle.level4.layout import Placement
from mpcbench.oracle.level4.meeting import Meeting, Situation


class Effect(NamedTuple):
    """The candidates of another meeting, as its layout numbers them, that a placement rules out."""

    all: int
    by_room: int
    """Those in the room of the placement, for the sake of the room."""


class Effects:
    """Answers for the meetings of one stage, and remembers what it has found.

    Args:
        meetings: The meetings, in the order in which they are placed.
        axis: Their axis.
        ordered: Whether the order of meetings counts.
        like: The same for a stage that may share meetings; for these its answers are taken.
    """

    def __init__(
        self, meetings: Sequence[Meeting], axis: Axis, *, ordered: bool, like: "Effects | None" = None
    ) -> None:
        self.layouts = [meeting.layout for meeting in meetings]
        self._meetings = meetings
        self._axis = axis
        places = {meeting.brief.name: place for place, meeting in enumerate(meetings)}
        self.order = [
            (places[other], place)
            for place, meeting in enumerate(meetings)
            for other in meeting.brief.after_meetings
            if ordered
        ]
        """The places of two meetings, the first of which has to end before the second begins."""

        self._like = like if like is not None and like._is_comparable(axis, places) else None  # noqa: SLF001 - of the same class
        self._others = [
            place
            for place, meeting in enumerate(meetings)
            if self._like is None or self._like._meetings[place] is not meeting  # noqa: SLF001
        ]
        """The meetings that are not shared."""

        self._effects: dict[tuple[Placement, int], Effect] = {}
        self._left: dict[Placement, tuple[int, ...]] = {}
        self._gaps: dict[tuple[int, int], Mapping[int, int]] = {}
        self._without: dict[tuple[str, int], tuple[int, ...]] = {}
        self._in_room: dict[str, list[tuple[int, int, Situation]]] = {}
        """The meetings, options and their situations in a room, by its ID."""

        for place, meeting in enumerate(meetings):
            for option, one in enumerate(meeting.options):
                self._in_room.setdefault(one.room.room_id, []).append((place, option, one.situation))

    def _is_comparable(self, axis: Axis, places: Mapping[str, int]) -> bool:
        return self._axis is axis and [meeting.brief.name for meeting in self._meetings] == list(places)

    def left_by(self, candidate: Placement) -> tuple[int, ...]:
        """By meeting, the candidates that a placement does not rule out, whatever else is placed; none of its own."""
        if candidate not in self._left:
            found, others = [0] * len(self.layouts), list(range(len(self.layouts)))
            if self._like is not None and candidate.meeting not in self._others:
                found, others = [*self._like.left_by(candidate)], self._others
            for other in others:
                if other != candidate.meeting:
                    found[other] = self.layouts[other].all & ~self.effect(candidate, other).all
            self._left[candidate] = tuple(found)
        return self._left[candidate]

    def effect(self, candidate: Placement, other: int) -> Effect:
        """What a placement does to another meeting."""
        if self._like is not None and candidate.meeting not in self._others and other not in self._others:
            return self._like.effect(candidate, other)
        key = (candidate, other)
        if key not in self._effects:
            self._effects[key] = self._effect(candidate, other)
        return self._effects[key]

    def _effect(self, candidate: Placement, other: int) -> Effect:
        meeting, layout, length = self._meetings[candidate.meeting], self.layouts[other], self._meetings[other].length
        room, own = meeting.options[candidate.option].room, meeting.options[candidate.option].situation
        start = self._axis.instants[candidate.start]
        end = start + meeting.length
        by_room = 0
        for place, option, situation in self._in_room[room.room_id]:
            if place == other:
                gap = max(own.room.turnaround, situation.room.turnaround)
                by_room |= layout.between(start - gap - length + 1, end + gap) * layout.lowest[option]
        found = by_room
        for gap, options in self._gaps_to(own, other).items():
            found |= layout.between(start - gap - length + 1, end + gap) * options
        if (candidate.meeting, other) in self.order:
            found |= layout.between(self._axis.span.start, end) * layout.options
        if (other, candidate.meeting) in self.order:
            found |= layout.between(start - length + 1, self._axis.span.end) * layout.options
        return Effect(found, by_room)

    def _gaps_to(self, own: Situation, other: int) -> Mapping[int, int]:
        """The options of another meeting with people who are required in both, by the minutes that have to lie between.

        The options are the sum of their lowest bits.
        """
        key = (id(own), other)
        if key not in self._gaps:
            found: dict[int, int] = {}
            for option, lowest in zip(self._meetings[other].options, self.layouts[other].lowest, strict=True):
                theirs = option.situation
                shared = own.cast.required & theirs.cast.required
                if shared:
                    gap = max(max(own.buffers[one], theirs.buffers[one]) for one in shared)
                    found[gap] = found.get(gap, 0) | lowest
            self._gaps[key] = found
        return self._gaps[key]

    def without(self, person: str, day: int) -> tuple[int, ...]:
        """By meeting, all candidates but those on a day, given by its number, that require a person."""
        key = (person, day)
        if key not in self._without:
            found = list(self._like.without(person, day)) if self._like is not None else [0] * len(self.layouts)
            for other in self._others:
                layout = self.layouts[other]
                options = sum(
                    lowest
                    for option, lowest in zip(self._meetings[other].options, layout.lowest, strict=True)
                    if person in option.situation.cast.required
                )
                found[other] = layout.all & ~(layout.on_day(day) * options)
            self._without[key] = tuple(found)
        return self._without[key]
