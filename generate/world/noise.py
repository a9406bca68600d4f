"""What is said about meetings that no instance asks for: statements like those of the level's instances."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from random import Random
from typing import Final

from mpcbench.generate.wording.planned import PlannedStatement, planned
from mpcbench.generate.wording.vocabulary import EQUIPMENT
from mpcbench.generate.world.meetings import Talk
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanWindow,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    Site,
    Statement,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.model import Level, clock
from mpcbench.schema.statements import DailyHours

_DURATIONS: Final = {2: (30, 30, 45, 45, 60, 60, 75, 90), 3: (30, 30, 30, 45, 45, 60)}
_HOURS: Final = ((480, 1080), (480, 1110), (510, 1110), (540, 1050), (540, 1080))
"""Daily hours, in minutes of the day."""

_BAN, _REQUIRED = (120, 300), (240, 480)
"""The lengths of spans in minutes, from and to."""

_KEYS = (
    (TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.CAPACITY_DESCENDING),
    (TieBreakKey.FLOOR_ASCENDING, TieBreakKey.FLOOR_DESCENDING),
    (TieBreakKey.NAME_ASCENDING,),
)
"""The keys by which rooms are ranked, by what they look at."""


@dataclass(frozen=True, slots=True)
class NoiseTopic:
    """What the statements about a meeting may refer to."""

    level: Level
    zone: tzinfo
    first_day: date
    days: int
    """The length of the window that begins on the first day."""

    people: tuple[str, ...]
    """Who takes part from beginning to end, by person ID."""

    outsiders: tuple[str, ...]
    """Who may be added or removed: two at least."""

    policies: Sequence[str]
    sites: Sequence[str] = ()
    events: Sequence[AfterEvent] = ()


def noise_talks(topic: NoiseTopic, rng: Random) -> tuple[Talk, ...]:
    """The statements about a meeting, as `Sample.talks` of an instance would hold them."""
    statements = _Statements(topic, rng)
    return statements.level2() if topic.level == 2 else statements.level3()


class _Statements:
    def __init__(self, topic: NoiseTopic, rng: Random) -> None:
        self.topic = topic
        self.rng = rng
        self.daily = rng.choice(_HOURS)
        half = topic.days // 2
        days = [topic.first_day + timedelta(days=number) for number in range(topic.days)]
        self.early, self.late = ([day for day in part if day.weekday() < 5] for part in (days[:half], days[half:]))
        """The weekdays of the window's two halves: limits are in the one, what they leave is in the other."""

    def level2(self) -> tuple[Talk, ...]:
        """A kick-off that states length, policy and a demand; mostly, one of them is corrected or stated later."""
        rng = self.rng
        said: list[Statement] = [self.duration(), self.policy(), *self.demand2()]
        rng.shuffle(said)
        if rng.random() < 0.45:
            scalars = [item for item in said if isinstance(item, Duration | Deadline | NotBefore)]
            late = PlannedStatement(self.other(rng.choice(scalars)), correcting=True)
        else:
            late = PlannedStatement(said.pop())
        if rng.random() < 0.25:
            return ((*planned(said), late),)
        return planned(said), (late,)

    def level3(self) -> tuple[Talk, ...]:
        """A kick-off, one or two amendments in a talk of their own, and sometimes a late statement.

        Everything is said about as often as of the instances, so that lengths do not tell their threads from others.
        """
        rng, topic = self.rng, self.topic
        joins, leaves = rng.sample(topic.outsiders, 2)
        length, guests = self.duration(), Guests(count=rng.randint(1, 9))
        removal = RemoveParticipant(person_id=leaves)
        changes: list[Statement] = [AddParticipant(person_id=joins), removal, self.other(length), self.other(guests)]
        changes = rng.sample(changes, rng.choice((1, 1, 2)))
        invited = (*topic.people, leaves) if removal in changes else topic.people
        opening: list[Statement] = [
            Participants(person_ids=tuple(rng.sample(invited, len(invited)))),
            length,
            self.count(),
            self.window(),
        ]
        more = [guests, *self.room(), *self.policies(), *self.demand3()]
        rng.shuffle(opening)
        rng.shuffle(more)
        amendments = tuple(PlannedStatement(change, correcting=True) for change in changes)
        amended = {type(item.statement) for item in amendments}
        late = more.pop() if rng.random() < 0.5 and type(more[-1]) not in amended else None
        talks = [planned([*opening, *more]), amendments]
        if late is not None:
            talks.insert(rng.choice((1, 2)), (PlannedStatement(late),))
        return tuple(talks)

    def other(self, statement: Statement) -> Statement:
        """Another statement of the same kind."""
        while True:
            match statement:
                case Duration():
                    other: Statement = self.duration()
                case Deadline():
                    other = Deadline(at=self.moment(self.late))
                case NotBefore():
                    other = NotBefore(at=self.moment(self.early))
                case _:
                    other = Guests(count=self.rng.randint(1, 9))
            if other != statement:
                return other

    def duration(self) -> Duration:
        return Duration(minutes=self.rng.choice(_DURATIONS[self.topic.level]))

    def policy(self) -> CallPolicy:
        return CallPolicy(policy_id=self.rng.choice(self.topic.policies))

    def policies(self) -> list[Statement]:
        """The policies of level 3, mostly two."""
        called = self.rng.sample(self.topic.policies, 2 if self.rng.random() < 0.9 else 1)
        return [CallPolicy(policy_id=policy) for policy in called]

    def count(self) -> OptionCount:
        return OptionCount(count=self.rng.randint(3, 6))

    def window(self) -> Window:
        opens, closes = self.daily
        end = self.topic.first_day + timedelta(days=self.topic.days)
        return Window(
            start=self.at(self.topic.first_day, 0),
            end=self.at(end, 0),
            daily=DailyHours(start=clock(opens), end=clock(closes)),
        )

    def demand2(self) -> list[Statement]:
        """What is said about the time at level 2: often nothing; the rest leaves enough of it."""
        rng = self.rng
        latest = rng.random() < 1 / 3
        limit: list[Statement] = [
            Deadline(at=self.moment(self.late)) if latest else NotBefore(at=self.moment(self.early))
        ]
        demand = rng.choice((self.bans(1), limit, limit, limit)) if rng.random() < 0.42 else []
        return [*demand, Ranking(order=Order.LATEST)] if latest else [*demand]

    def demand3(self) -> list[Statement]:
        """What is said about the time at level 3, which leaves enough of it."""
        rng = self.rng
        start: list[Statement] = [NotBefore(at=self.moment(self.early))]
        if rng.random() < 0.07:
            return self.required()
        if self.topic.events and rng.random() < 0.15:
            start = [rng.choice(self.topic.events)]
        (number,) = rng.choices((0, 1, 2), (13, 6, 1))
        return [*start, *self.bans(number)]

    def bans(self, number: int) -> list[Statement]:
        """Bans on hours of different days, which no earliest start excludes already."""
        spans = (self.span(day, _BAN) for day in sorted(self.rng.sample(self.late, number)))
        return [BanWindow(start=start, end=end) for start, end in spans]

    def required(self) -> list[Statement]:
        """Two required windows on different days."""
        spans = (self.span(day, _REQUIRED) for day in sorted(self.rng.sample((*self.early, *self.late), 2)))
        return [RequiredWindow(start=start, end=end) for start, end in spans]

    def room(self) -> list[Statement]:
        """The requirements for the room besides its seats."""
        rng = self.rng
        every: list[Statement] = [
            Equipment(items=tuple(sorted(rng.sample(EQUIPMENT, rng.choice((1, 1, 2)))))),
            TieBreak(keys=tuple(map(rng.choice, rng.sample(_KEYS, rng.choice((1, 1, 2)))))),
        ]
        if self.topic.sites and rng.random() < 0.13:
            every.append(Site(site=rng.choice(self.topic.sites)))
        return every

    def span(self, day: date, lengths: tuple[int, int]) -> tuple[datetime, datetime]:
        """A span of a day within the daily hours, on half hours."""
        opens, closes = self.daily
        length = self.rng.randrange(*lengths, 30)
        start = self.rng.randrange(opens, closes - length + 1, 30)
        return self.at(day, start), self.at(day, start + length)

    def moment(self, days: Sequence[date]) -> datetime:
        """A half hour of one of these days, well within the daily hours."""
        opens, closes = self.daily
        return self.at(self.rng.choice(days), self.rng.randrange(opens + 60, closes - 30, 30))

    def at(self, day: date, minute: int) -> datetime:
        return datetime.combine(day, time(minute // 60, minute % 60), self.topic.zone)
