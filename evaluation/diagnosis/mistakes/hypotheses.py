"""All single changes that may model an agent's mistake."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.choices import RoomQuery
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.addition import added_calendars, added_policies, usual_conditions
from mpcbench.evaluation.diagnosis.mistakes.blurred import blurred
from mpcbench.evaluation.diagnosis.mistakes.bounds import strict_bounds
from mpcbench.evaluation.diagnosis.mistakes.habits import counts, fine_grids, fixed_room, habits
from mpcbench.evaluation.diagnosis.mistakes.omission import omissions
from mpcbench.evaluation.diagnosis.mistakes.other_rooms import other_rooms
from mpcbench.evaluation.diagnosis.mistakes.records import HOURS_OFF, SHIFTS, coincidences, merged, misread, overlooked
from mpcbench.evaluation.diagnosis.mistakes.rules import other_rules
from mpcbench.evaluation.diagnosis.mistakes.starts import starts_only
from mpcbench.evaluation.diagnosis.mistakes.touching import touching
from mpcbench.oracle.interval import Interval
from mpcbench.schema.cause import Reason, reason_text

_OF_ROOM: Final = {*RoomQuery._fields}


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """The changes that an agent may have made to a problem, given what it was shown."""

    policies: Collection[str] | None
    """IDs of the policies that it may have applied; None if unknown."""

    calendars: Collection[str]
    """IDs of the people whose calendars it saw."""

    sought: Collection[str] | None = None
    """IDs of the policies that it went out of its way to read, see `sought`; None if unknown."""

    needed: Collection[str] = ()
    """IDs of the people whose calendars the task needs."""

    _made: dict[tuple[int, object], tuple[Frame, Sequence[Change]]] = field(default_factory=dict)

    def mistakes(self, fit: Fit) -> Sequence[Change]:
        """Conditions omitted, misread or compared with starts only, records overlooked, and habits."""
        return [
            *self.general(fit.frame),
            *self._seen_past(fit),
            *self._once(("misread", fit.pairs), fit.frame, lambda: [*misread(fit)]),
        ]

    def combined(self, fit: Fit) -> tuple[Sequence[Change], Sequence[Change]]:
        """The mistakes and the additions that may go with another: those on record, and what concerns the choice."""

        def pairable(some: Sequence[Change]) -> list[Change]:
            return [
                one
                for one in some
                if one.part.ground is Ground.RECORD or (one.fields and one.part.ground < Ground.NOTHING)
            ]

        mistakes = self._once("pairable", fit.frame, lambda: pairable(self.general(fit.frame)))
        additions = self._once("pairable additions", fit.frame, lambda: pairable(self.additions(fit.frame)))
        return [*mistakes, *pairable(self._seen_past(fit))], additions

    def repairs(self, fit: Fit) -> Sequence[Change]:
        """The mistakes that may each have broken one of several conditions: all but habits and coincidences."""
        return [one for one in self.mistakes(fit) if one.masks or one.dropped or one.fields.keys() & _OF_ROOM]

    def _seen_past(self, fit: Fit) -> Sequence[Change]:
        """What depends on the answer: records overlooked, its one room, its grid and its number."""
        own = self._once(("own", fit.pairs), fit.frame, lambda: [*overlooked(fit), *fixed_room(fit), *fine_grids(fit)])
        return [*own, *counts(fit.frame, len(fit.pairs))]

    def coincidences(self, fit: Fit) -> Sequence[Change]:
        """Misread records that nothing points to."""
        return self._once(("coincidences", fit.pairs), fit.frame, lambda: [*coincidences(fit)])

    def general(self, frame: Frame) -> Sequence[Change]:
        """The mistakes that do not depend on the answer."""
        return self._once(
            "mistakes",
            frame,
            lambda: [
                *omissions(frame),
                *other_rules(frame),
                *touching(frame),
                merged(frame),
                *blurred(frame),
                *starts_only(frame),
                *strict_bounds(frame),
                *habits(frame),
                *other_rooms(frame),
            ],
        )

    def additions(self, frame: Frame) -> Sequence[Change]:
        """Conditions that nobody asked for."""
        return self._once(
            "additions",
            frame,
            lambda: [
                *added_policies(frame, self.policies, self.sought),
                *added_calendars(frame, self.calendars, self.needed),
                *usual_conditions(frame),
            ],
        )

    def suggested(self, frame: Frame) -> Sequence[Change]:
        """Possible reasons for an empty answer: single policies.

        Almost any calendar could empty it, and the policies of a document together almost always would.
        """
        make = partial(added_policies, frame, self.policies, self.sought, together=False)
        return self._once("suggested", frame, lambda: [*make()])

    def sizes(self, fit: Fit) -> Mapping[tuple[str, Ground], int]:
        """How many mistakes of each reason and ground there are.

        What is overlooked counts once for each calendar, as for any answer the events in its way are considered.
        """
        frame = fit.frame
        every = [*self.mistakes(fit), *self.coincidences(fit), *self.additions(frame)]
        found = Counter((one.part.reason, one.part.ground) for one in every)
        events, bookings = _entries(fit)
        for reason, kinds, number in (
            (Reason.RECORD_OVERLOOKED, "event", len(frame.persons)),
            (Reason.RECORD_OVERLOOKED, "booking", len(frame.rooms(frame.choices))),
            (Reason.RECORD_MISREAD, "event", events * SHIFTS),
            (Reason.RECORD_MISREAD, "booking", bookings * SHIFTS),
            (Reason.VALUE_WRONG, "clock", len(frame.persons) * HOURS_OFF),
        ):
            for ground in Ground:
                found[reason_text(reason, kinds), ground] = max(1, number)
        return found

    def _once(self, kind: object, frame: Frame, make: Callable[[], Sequence[Change]]) -> Sequence[Change]:
        key = (id(frame), kind)
        if key not in self._made:
            self._made[key] = (frame, make())  # keeps the frame alive, so that its id stays unique
        return self._made[key][1]


def _entries(fit: Fit) -> tuple[int, int]:
    """How many events of participants and bookings of suitable rooms lie between the first and the last candidate.

    These are the ones that can make a difference; the candidates are those of the gold and of the answer.
    """
    frame = fit.frame
    starts = [frame.origin + start for start, _ in (*fit.pairs, *frame.gold)]
    reach = Interval(min(starts), max(starts) + frame.duration).widened(frame.buffer)
    rooms = [room for room, _ in frame.rooms(frame.choices) if room is not None]
    events = sum(len(frame.overlapped(f"calendar:{person}", [reach])) for person in frame.persons)
    return events, sum(len(frame.overlapped(f"room_calendar:{room}", [reach])) for room in rooms)
