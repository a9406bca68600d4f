"""A base world in the oracle's units, as the samplers use it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from mpcbench.generate.world.calendars import DAY_END, DAY_START, local_time
from mpcbench.oracle.interval import Interval, paint, smeared, to_minutes
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.masks import constraint_mask
from mpcbench.oracle.problem import Buffer, Busy, Constraint, Problem, RoomOption, Rule
from mpcbench.oracle.resolve import interval_of, policy_constraint, room_option
from mpcbench.schema import BanDowTime, Event, LunchBlock, Order, RoomTurnaround, Section, Source, World

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MARGIN = 24 * 60
"""How far beyond a window events are considered, in minutes: more than any buffer or duration."""


@dataclass(frozen=True)
class Setting:
    """A base world with its calendars and bookings as sets of minutes."""

    world: World
    zone: ZoneInfo
    days: tuple[date, ...]
    """The local days of the period."""

    span: Interval
    """The period with a margin, in minutes; its start is the origin of the sets below."""

    busy: dict[str, int]
    """The busy minutes of every person, as a set."""

    booked: dict[str, int]
    """The booked minutes of every room, as a set."""

    rooms: tuple[RoomOption, ...]
    """Every room, without its bookings."""

    @classmethod
    def of(cls, world: World) -> "Setting":
        """The setting of a base world."""
        zone = world.zone
        first, last = world.period.start.astimezone(zone).date(), world.period.end.astimezone(zone).date()
        span = Interval(to_minutes(world.period.start), to_minutes(world.period.end)).widened(MARGIN)
        return cls(
            world=world,
            zone=zone,
            days=tuple(first + timedelta(days=number) for number in range((last - first).days)),
            span=span,
            busy={owner: _minutes(events, span) for owner, events in world.events_by_person.items()},
            booked={room: _minutes(events, span) for room, events in world.bookings_by_room.items()},
            rooms=tuple(room_option(room, ()) for room in world.rooms),
        )

    @cached_property
    def every_policy(self) -> tuple[Constraint, ...]:
        """The constraints on the slot that all policies would make together."""
        return every_policy(self.world)

    @cached_property
    def slot_policies(self) -> tuple[Section, ...]:
        """The policies that constrain the slot."""
        return tuple(section for section in self.world.policies if slot_constraints(section))

    @cached_property
    def light_policies(self) -> tuple[Section, ...]:
        """The policies that leave most times: those of a single lunch break or ban."""
        return tuple(
            section
            for section in self.world.policies
            if len(section.rules) == 1 and isinstance(section.rules[0], BanDowTime | LunchBlock)
        )

    @cached_property
    def policy_constraints(self) -> dict[str | None, tuple[Constraint, ...]]:
        """The constraints on the slot of every policy, by policy ID."""
        return {section.policy_id: slot_constraints(section) for section in self.world.policies}

    @cached_property
    def closed(self) -> dict[Rule, int]:
        """The minutes that each rule of a policy rules out, as a set; a buffer's depend on who attends."""
        frame = Problem(
            level=self.world.level,
            zone=self.zone,
            participants=(),
            window=self.span,
            daily=None,
            duration=1,
            count=1,
            constraints=(),
            rooms=None,
            order=Order.EARLIEST,
            tie_break=(),
        )
        everywhere = (1 << (self.span.end - self.span.start)) - 1
        return {
            one.rule: everywhere & ~constraint_mask(one, frame)
            for one in self.every_policy
            if not isinstance(one.rule, Buffer)
        }

    def allowed(self, rule: Rule, problem: Problem) -> int:
        """The starts that a rule of a policy other than a buffer allows, as a set that goes on beyond the window."""
        known = self._allowed.get((rule, problem.duration))
        if known is None:
            everywhere = (1 << (self.span.end - self.span.start)) - 1
            known = everywhere & ~smeared(self.closed[rule], problem.duration - 1)
            self._allowed[rule, problem.duration] = known
        return known >> (problem.window.start - self.span.start)

    @cached_property
    def _allowed(self) -> dict[tuple[Rule, int], int]:
        """The starts in the period that rules of policies allow, by rule and duration; filled as they are needed."""
        return {}

    @cached_property
    def grid(self) -> tuple[int, ...]:
        """The instants on the grid at the hours that calendars fill, on all days of the period."""
        minutes = range(DAY_START, DAY_END, GRID_MINUTES)
        return tuple(self.instant(day, minute) for day in self.days for minute in minutes)

    @cached_property
    def grid_minutes(self) -> "npt.NDArray[np.intp]":
        """The grid in minutes since the start of the span."""
        import numpy as np  # noqa: PLC0415 - a tenth of a second

        return np.array(self.grid, dtype=np.intp) - self.span.start

    @cached_property
    def apart(self) -> dict[tuple[object, int, int], int]:
        """The starts on the grid of the whole period that `Timetable` has found; filled as they are needed."""
        return {}

    @cached_property
    def namesakes(self) -> dict[str, tuple[str, ...]]:
        """The other people of the same name, by person ID."""
        people = self.world.people
        return {
            one.person_id: tuple(other.person_id for other in people if other.name == one.name and other is not one)
            for one in people
        }

    def window(self, first: date, last: date) -> Interval:
        """From the midnight that begins the first day to the midnight that ends the last."""
        return Interval(self.instant(first, 0), self.instant(last, 24 * 60))

    def instant(self, day: date, minute: int) -> int:
        """A wall-clock time, minutes after a day's midnight, as an instant."""
        return _instant(day, minute, self.zone)

    def near(self, minutes: int, window: Interval) -> int:
        """The part of a set of minutes that can matter for a window; its origin is MARGIN before the window."""
        length = window.end - window.start + 2 * MARGIN
        return (minutes >> (window.start - MARGIN - self.span.start)) & ((1 << length) - 1)

    @cached_property
    def endings(self) -> tuple[tuple[int, str, str], ...]:
        """The end, person and ID of every event whose title is unique on its day in its calendar, by end."""
        found = []
        for person_id, events in self.world.events_by_person.items():
            days = [(event.title, event.start.astimezone(self.zone).date()) for event in events]
            times = Counter(days)
            found += [
                (to_minutes(event.end), person_id, event.event_id)
                for event, day in zip(events, days, strict=True)
                if times[day] == 1
            ]
        return tuple(sorted(found))


def busy_constraint(person_id: str) -> Constraint:
    """The constraint to keep clear of a person's events, without the events, which a draft keeps as minutes."""
    return Constraint(Source.CALENDAR, "busy", (f"calendar:{person_id}",), Busy(person_id, ()))


def every_policy(world: World) -> tuple[Constraint, ...]:
    """The constraints on the slot of all policies of a world together."""
    return tuple(constraint for section in world.policies for constraint in slot_constraints(section))


def slot_constraints(section: Section) -> tuple[Constraint, ...]:
    """The constraints that a policy imposes on the slot."""
    return tuple(
        policy_constraint(f"policy:{section.policy_id}", rule)
        for rule in section.rules
        if not isinstance(rule, RoomTurnaround)
    )


@lru_cache(maxsize=65536)
def _instant(day: date, minute: int, zone: ZoneInfo) -> int:
    """As `Setting.instant`, which is asked for the same times again and again."""
    return to_minutes(local_time(day, minute, zone))


def _minutes(events: Sequence[Event], span: Interval) -> int:
    return paint((interval_of(event) for event in events), span)
