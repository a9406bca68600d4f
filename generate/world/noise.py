"""Noise: threads about meetings that no instance asks for, with statements of every kind of the level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from random import Random
from typing import Final

from mpcbench.generate.wording.phrasing import Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.vocabulary import EQUIPMENT
from mpcbench.generate.world.threads import Aside, ThreadKind, ThreadPlan, write_thread
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
    Thread,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.model import Level
from mpcbench.schema.statements import DailyHours

_DURATIONS: Final = (15, 30, 30, 45, 45, 60, 60, 75, 90, 105, 120, 150)
_HOURS: Final = (("08:00", "18:00"), ("08:00", "20:00"), ("08:30", "18:30"), ("09:00", "17:00"), ("09:00", "19:00"))


@dataclass(frozen=True, slots=True)
class NoisePlan:
    """One thread about a meeting that no instance asks for."""

    thread_id: str
    channel: str
    meeting: str
    kind: ThreadKind
    first: datetime
    authors: tuple[str, ...]
    voice: Voice
    level: Level
    people: Sequence[str]
    """Possible participants, by person ID; at least six."""

    policies: Sequence[str]
    sites: Sequence[str] = ()
    events: Sequence[AfterEvent] = ()
    """Events that the meeting may have to come after; the voice must know them."""

    asides: tuple[Aside, ...] = ()
    others: tuple[str, ...] = ()


def noise_thread(plan: NoisePlan, rng: Random) -> Thread:
    """A thread like those that instances need, about days soon after its first message."""
    statements = _Statements(plan, rng)
    planned = statements.update() if plan.kind is ThreadKind.UPDATE else statements.kickoff()
    return write_thread(
        ThreadPlan(
            thread_id=plan.thread_id,
            channel=plan.channel,
            meeting=plan.meeting,
            kind=plan.kind,
            first=plan.first,
            authors=plan.authors,
            statements=tuple(planned),
            voice=plan.voice,
            asides=plan.asides,
            others=plan.others,
        ),
        rng,
    )


class _Statements:
    def __init__(self, plan: NoisePlan, rng: Random) -> None:
        self.plan = plan
        self.rng = rng
        self.zone: tzinfo = plan.voice.zone
        first = plan.first.astimezone(self.zone).date() + timedelta(days=rng.randint(3, 16))
        self.day = first + timedelta(days=-first.weekday() % 7)
        self.length = rng.choice((4, 5, 5, 9, 10))

    def kickoff(self) -> Iterator[PlannedStatement]:
        """The statements that open the planning of a meeting, sometimes with a final correction."""
        rng, plan = self.rng, self.plan
        statements: list[Statement] = [Duration(minutes=rng.choice(_DURATIONS)), self.policy(), *self.demand()]
        if plan.level == 3 or rng.random() < 0.3:
            statements += [self.participants(), self.window(), self.count()]
        if plan.level == 3:
            statements += self.room()
            if plan.events and rng.random() < 0.4:
                statements.append(rng.choice(plan.events))
        rng.shuffle(statements)
        yield from (PlannedStatement(statement) for statement in statements)
        if rng.random() < 0.35:
            yield PlannedStatement(
                self.other(rng.choice([item for item in statements if _is_scalar(item)])), correcting=True
            )

    def update(self) -> Iterator[PlannedStatement]:
        """One or two amendments."""
        rng = self.rng
        changes: list[Statement] = [Duration(minutes=rng.choice(_DURATIONS)), self.ban(), self.policy()]
        if self.plan.level == 3:
            joins, leaves = rng.sample(list(self.plan.people), 2)
            changes += [AddParticipant(person_id=joins), RemoveParticipant(person_id=leaves)]
            changes += [Guests(count=rng.randint(0, 6)), self.count(), self.window()]
        yield from (
            PlannedStatement(statement, correcting=True) for statement in rng.sample(changes, rng.choice((1, 1, 2)))
        )

    def other(self, statement: Statement) -> Statement:
        """Another statement of the same kind."""
        while True:
            match statement:
                case Duration():
                    other: Statement = Duration(minutes=self.rng.choice(_DURATIONS))
                case OptionCount():
                    other = self.count()
                case Deadline():
                    other = Deadline(at=self.moment())
                case NotBefore():
                    other = NotBefore(at=self.moment())
                case _:
                    other = Guests(count=self.rng.randint(1, 9))
            if other != statement:
                return other

    def participants(self) -> Participants:
        return Participants(person_ids=tuple(self.rng.sample(list(self.plan.people), self.rng.randint(2, 6))))

    def policy(self) -> CallPolicy:
        return CallPolicy(policy_id=self.rng.choice(self.plan.policies))

    def count(self) -> OptionCount:
        return OptionCount(count=self.rng.randint(2, 6))

    def window(self) -> Window:
        opens, closes = self.rng.choice(_HOURS)
        end = self.day + timedelta(days=self.length)
        return Window(start=self.at(self.day, 0), end=self.at(end, 0), daily=DailyHours(start=opens, end=closes))

    def demand(self) -> list[Statement]:
        """One statement about the time, or two that belong together."""
        kind = self.rng.randrange(5)
        if kind == 0:
            return [Deadline(at=self.moment()), Ranking(order=Order.LATEST)]
        if kind == 1:
            return [NotBefore(at=self.moment())]
        if kind == 2:
            start, end = self.span()
            return [RequiredWindow(start=start, end=end)]
        return [self.ban()]

    def ban(self) -> BanWindow:
        start, end = self.span()
        return BanWindow(start=start, end=end)

    def room(self) -> list[Statement]:
        """The requirements for the room."""
        rng = self.rng
        every: list[Statement] = [
            Guests(count=rng.randint(1, 9)),
            Equipment(items=tuple(rng.sample(EQUIPMENT, rng.randint(1, 2)))),
            TieBreak(keys=tuple(rng.sample(list(TieBreakKey), rng.randint(1, 2)))),
        ]
        if self.plan.sites:
            every.append(Site(site=rng.choice(self.plan.sites)))
        return rng.sample(every, rng.randint(1, len(every)))

    def span(self) -> tuple[datetime, datetime]:
        """A few hours of one day."""
        day = self.workday()
        start = self.rng.randrange(16, 30) * 30
        return self.at(day, start), self.at(day, start + self.rng.randint(2, 9) * 30)

    def moment(self) -> datetime:
        """A quarter of an hour of a working day."""
        return self.at(self.workday(), self.rng.randrange(34, 72) * 15)

    def workday(self) -> date:
        """A weekday of the window."""
        days = (self.day + timedelta(days=number) for number in range(self.length))
        return self.rng.choice([day for day in days if day.weekday() < 5])

    def at(self, day: date, minute: int) -> datetime:
        return datetime.combine(day, time(minute // 60, minute % 60), self.zone)


def _is_scalar(statement: Statement) -> bool:
    """Whether a later statement of the kind replaces this one and `_Statements.other` can make one."""
    return isinstance(statement, Duration | OptionCount | Deadline | NotBefore | Guests)
