"""What is said about the office's own meetings: decisions, proposals and answers like those about instances' meetings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import DAYS, OFFICES, SATURDAY, moment
from mpcbench.generate.wording.vocabulary import EQUIPMENT
from mpcbench.schema import (
    BanWindow,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.level4.header import ALIAS, MeetingRef
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Optional,
    Required,
    StandIn,
    Who,
)
from mpcbench.schema.level4.statements import (
    Agreed,
    Declined,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    Said,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)
from mpcbench.schema.level4.world import LadderWorld, Tag
from mpcbench.schema.statements import DailyHours

_DURATIONS: Final = (30, 30, 45, 45, 60, 60, 75, 90, 120)
_DAILY: Final = (None, None, ("08:00", "18:00"), ("09:00", "17:00"), ("10:00", "18:30"), ("13:00", "19:00"))
_LATEST: Final = 14 * 7
"""Windows end within so many days of the period, so that days can be written without their year."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A message to be written: who says what, after how long."""

    author: str
    tags: tuple[Tag, ...] = ()


@dataclass
class Meeting:
    """One of the office's own meetings, and the talk about it."""

    office: LadderWorld
    people: Staff
    name: str
    alias: str | None
    """What some follow-ups may call it, with the prefix of aliases."""

    others: Sequence[str]
    """The names of meetings that it may refer to."""

    rng: Random
    group: list[str] = field(init=False)
    organiser: str = field(init=False)
    deciders: list[str] = field(init=False)
    first: date = field(init=False)
    """The first day of its window."""

    days: int = field(init=False)
    """The length of its window."""

    only_names: bool = True
    """Whether everybody is invited by name, so that "take Mei off the list" has one meaning."""

    def __post_init__(self) -> None:
        kind = self.rng.random()
        if kind < 0.6:
            near = [person.person_id for person in self.people.at(self.rng.choice(self.people.people).site)]
        else:
            near = [person.person_id for person in self.people.people]
        self.group = self.rng.sample(near, self.rng.randint(4, 8))
        self.organiser = self.group[0]
        self.deciders = [self.organiser]
        self.first = self.rng.choice([day for day in DAYS[: _LATEST - 21] if day.weekday() < SATURDAY])
        self.days = self.rng.choice((5, 7, 7, 12, 14, 21))

    def kickoff(self) -> list[Remark]:
        """The first thread: it names the organiser, the people, the length, the window and the number of options."""
        opening: list[LadderStatement] = [Organiser(person=self.organiser), self.invited(), self.duration()]
        more = [
            self.window(),
            OptionCount(count=self.rng.randint(3, 8)),
            *self.demands(self.rng.choice((0, 1, 1, 2, 3))),
        ]
        cut = self.rng.randrange(len(more) + 1)
        remarks = [self.remark(self.organiser, self.name, *opening, *more[:cut])]
        if more[cut:]:
            remarks.append(self.remark(self.organiser, self.name, *more[cut:]))
        return [*remarks, *self.discussion(self.name, remarks)]

    def follow_up(self) -> list[Remark]:
        """A later thread: a change by somebody who may decide, or a proposal, by the full name or the alias."""
        about = self.alias if self.alias is not None and self.rng.random() < 0.7 else self.name
        if len(self.deciders) == 1 and self.rng.random() < 0.12:
            deputy = self.rng.choice(self.group[1:])
            self.deciders.append(deputy)
            remarks = [self.remark(self.organiser, about, Delegate(person=deputy))]
        elif self.rng.random() < 0.6:
            remarks = [self.remark(self.rng.choice(self.deciders), about, *self.changes(self.rng.choice((1, 1, 2))))]
        else:
            remarks = [self.remark(self.proposer(), about, *self.changes(1))]
        return [*remarks, *self.discussion(about, remarks)]

    def discussion(self, about: MeetingRef, before: Sequence[Remark]) -> list[Remark]:
        """Proposals that are agreed to, declined or left alone, and other talk."""
        rng = self.rng
        remarks: list[Remark] = []
        last = before[-1]
        if last.author not in self.deciders:
            remarks += self.answer(about, len(before) - 1)
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            remarks.append(self.remark(self.proposer(), about, *self.changes(1)))
            remarks += self.answer(about, len(before) + len(remarks) - 1)
        for _ in range(rng.choice((0, 1, 1, 2))):
            remarks.append(Remark(rng.choice(self.group)))
        return remarks

    def answer(self, about: MeetingRef, place: int) -> list[Remark]:
        """What is said to the proposal at a place of the thread: sometimes nothing."""
        rng = self.rng
        kind = rng.random()
        author = rng.choice(self.deciders)
        if kind < 0.4:
            return [Remark(author, (Agreed(about=about, message=place),))]
        if kind < 0.65:
            return [Remark(author, (Declined(about=about, message=place),))]
        return [Remark(self.proposer())] if kind < 0.8 else []

    def proposer(self) -> str:
        """Somebody who takes part and may not decide."""
        return self.rng.choice([one for one in self.group if one not in self.deciders])

    def remark(self, author: str, about: MeetingRef, *statements: LadderStatement) -> Remark:
        """A message with statements."""
        return Remark(author, tuple(Said(about=about, statement=statement) for statement in statements))

    # Statements.

    def duration(self) -> Duration:
        """How long it lasts."""
        return Duration(minutes=self.rng.choice(_DURATIONS))

    def window(self) -> Window:
        """One to three weeks."""
        hours = self.rng.choice(_DAILY)
        daily = None if hours is None else DailyHours(start=hours[0], end=hours[1])
        return Window(start=moment(self.first, 0), end=moment(self.first + timedelta(days=self.days), 0), daily=daily)

    def at(self, first: int, last: int) -> datetime:
        """A half hour of a day of the window, from the first to the last as parts of the window in percent."""
        day = self.first + timedelta(days=self.rng.randint(self.days * first // 100, (self.days - 1) * last // 100))
        return moment(day, self.rng.randrange(9 * 60, 17 * 60, 30))

    def who(self) -> Who:
        """A person by name, role, duty or relation, or a team."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            return Named(person=rng.choice(self.people.people).person_id)
        self.only_names = False
        if kind < 0.68:
            return Holder(role=rng.choice([role for role in self.office.roles if role.holder is not None]).role_id)
        if kind < 0.82:
            return OnRoster(roster=rng.choice(self.office.rosters).roster_id)
        return ManagerOf(person=rng.choice([one.person_id for one in self.people.people if one.manager is not None]))

    def invitation(self) -> Invitation:
        """One invitation of any kind."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            return Required(who=self.who())
        if kind < 0.65:
            return Optional(who=self.who())
        if kind < 0.8:
            return StandIn(who=self.who(), stand_in=Named(person=rng.choice(self.people.people).person_id))
        if kind < 0.93:
            some = [person.person_id for person in rng.sample(self.people.people, rng.randint(2, 5))]
            return AtLeast(count=rng.randint(1, len(some) - 1), of=tuple(Named(person=one) for one in some))
        self.only_names = False
        team = rng.choice(self.people.project_teams).team_id
        return Required(who=MembersOf(team=team, contractors=rng.random() < 0.5))

    def invited(self) -> Invited:
        """Everybody of the group by name, some as a choice, and perhaps somebody else."""
        named = [Required(who=Named(person=one)) for one in self.group]
        more = [self.invitation() for _ in range(self.rng.choice((0, 0, 1, 2)))]
        return Invited(invitations=(*named, *more))

    def demands(self, count: int) -> list[LadderStatement]:
        """Demands of different kinds."""
        rng = self.rng
        start = self.at(10, 90)
        every: list[LadderStatement] = [
            Equipment(items=tuple(sorted(rng.sample(EQUIPMENT, rng.choice((1, 1, 2)))))),
            Guests(count=rng.randint(1, 6)),
            Site(site=rng.choice(OFFICES).site),
            NotBefore(at=self.at(0, 40)),
            Deadline(at=self.at(60, 100)),
            BanWindow(start=start, end=start + timedelta(hours=rng.choice((2, 3, 4)))),
            TieBreak(keys=(rng.choice(tuple(TieBreakKey)),)),
            TentativeEntries(block=rng.random() < 0.4),
            Seats(count=rng.randint(4, 16)),
        ]
        if self.others:
            other = rng.choice(self.others)
            every.append(rng.choice((DurationOf(meeting=other), EquipmentOf(meeting=other), SiteOf(meeting=other))))
        return rng.sample(every, count)

    def changes(self, count: int) -> list[LadderStatement]:
        """Changes of different kinds."""
        rng = self.rng
        every: list[LadderStatement] = [
            self.duration(),
            *self.demands(3),
            Invite(invitation=self.invitation()),
        ]
        if self.only_names:
            every.append(Uninvite(who=Named(person=rng.choice(self.group[1:]))))
        return rng.sample(every, count)


def talk_of(
    office: LadderWorld,
    people: Staff,
    names: Sequence[str],
    aliases: Mapping[str, str],
    rng: Random,
) -> Iterator[tuple[Meeting, list[list[Remark]]]]:
    """The threads of each of the meetings, the kick-off first.

    Args:
        office: The people, roles and rosters.
        people: The same people by team.
        names: The meetings' full names.
        aliases: The aliases of some meetings, by their full names.
        rng: The random numbers.
    """
    for place, name in enumerate(names):
        alias = f"{ALIAS}{aliases[name]}" if name in aliases else None
        meeting = Meeting(office, people, name, alias, names[max(0, place - 40) : place], rng)
        more = rng.choice((0, 1, 1, 2)) + (alias is not None)
        yield meeting, [meeting.kickoff(), *(meeting.follow_up() for _ in range(more))]
