"""How terms are made known: in which threads, by whom, under which names, and by which detours."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.sampling.references import OtherMeeting
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.level4.sampling.script import Answer, Naming, Part, Script
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.terms import Outline, Terms
from mpcbench.generate.level4.world.names import PooledName
from mpcbench.generate.level4.world.sites import moment
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.solve import Pick
from mpcbench.schema import BanWindow, Deadline, Duration, OptionCount
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS, MeetingRef
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import Invitation, Named, Required, SamePeople
from mpcbench.schema.level4.statements import (
    AfterMeeting,
    Agenda,
    DailyLimit,
    Delegate,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    Said,
    Uninvite,
)
from mpcbench.schema.level4.world import LadderCollection

_PAGES: Final = (LadderCollection.GLOSSARY, LadderCollection.WIKI, None)
_SUPERSEDED: Final = {"duration", "duration_of", "invite", "uninvite", "site", "site_of"}
"""What the task does not say, since what is said in the first message would hold in its place."""

_MOST_TALKS: Final = 45
"""Near so many threads, hardly any new ones begin."""

_LENGTHS: Final = (30, 45, 60, 75, 90)

_FROM, _TO, _BY = (7 * 60, 8 * 60), (18 * 60, 19 * 60, 20 * 60), (10 * 60, 12 * 60, 14 * 60, 16 * 60)
"""When proposals say that somebody is away from and to, or wants the meeting to be over: minutes of a day."""


@dataclass
class _Meeting:
    """What is still to be told about one meeting."""

    terms: Terms
    mechanisms: frozenset[Mechanism]
    deciders: list[str]
    proposers: list[str]
    alias: MeetingRef | None = None
    opening: list[LadderStatement] = field(default_factory=list)
    later: list[LadderStatement] = field(default_factory=list)
    talk: int | None = None
    """The last thread about it, after the first."""

    said_by_alias: bool = False
    proposed: bool = False


class Staging:
    """Writes the script of an instance."""

    def __init__(
        self,
        setting: Setting,
        rung: int,
        mechanisms: frozenset[Mechanism],
        names: tuple[PooledName, ...],
        rng: Random,
    ) -> None:
        """`names` are those of the instance, by place."""
        self.setting = setting
        self.rung = rung
        shape = rung_of(rung)
        self.told, self.amended = shape.told, shape.amended
        self.mechanisms = mechanisms
        self.names = {str(one.name): one for one in names}
        self.references = list(names[1 + shape.meetings[1] :])
        """For meetings that the instance's own refer to; those before are the subject's and the agenda's."""

        self.rng = rng
        self.parts: list[Part] = []
        self.namings: list[Naming] = []
        self.talk = 0

    def script(self, outline: Outline, gold: tuple[Pick, ...]) -> Script:
        """The script that makes an outline known whose gold this is."""
        rng = self.rng
        first = max(outline.meetings, key=lambda one: len(outline.waiting_for(one)))
        meetings = [self._meeting(terms, outline, is_first=terms is first) for terms in outline.meetings]
        only = meetings[0] if outline.count is not None else None
        subject: MeetingRef = outline.name
        alias = only.alias if only is not None else None
        if only is None and Mechanism.ALIAS in self.mechanisms and rng.random() < 0.5:
            alias = self._alias(outline.name, outline.organiser)
        if alias is not None and self.rung > 1 and rng.random() < 0.5:
            subject = alias
        task = [] if outline.count is None else [Said(about=subject, statement=OptionCount(count=outline.count))]
        if only is None:
            self._open_plan(outline)
        else:
            only.opening.append(outline.window)
        for meeting in meetings:
            self._tell(self._new_talk(), meeting.terms.name, meeting.terms.organiser, meeting.opening, fixed=True)
        todo = [meeting for meeting in meetings for _ in meeting.later]
        rng.shuffle(todo)
        for meeting in todo:
            if meeting.later:
                own = subject if meeting is only else meeting.terms.name
                task += [Said(about=own, statement=one) for one in self._follow_up(meeting)]
        for meeting in meetings:
            if Mechanism.AUTHORITY in meeting.mechanisms:
                found = [one for one in gold if one.meeting in {None, meeting.terms.name}]
                self._decoys(meeting, found, outline.window.start)
        return Script(subject, tuple(task), tuple(sorted(self.parts, key=lambda one: one.talk)), tuple(self.namings))

    def _new_talk(self) -> int:
        self.talk += 1
        return self.talk

    def _talk_about(self, meeting: _Meeting) -> int:
        """A new thread or, the likelier the more there are, the last one about the meeting."""
        if meeting.talk is None or self.rng.random() > self.talk / _MOST_TALKS:
            meeting.talk = self._new_talk()
        return meeting.talk

    def _tell(
        self, talk: int, about: MeetingRef, author: str, statements: Iterable[LadderStatement], *, fixed: bool = False
    ) -> None:
        some = tuple(statements)
        if some:
            self.parts.append(Part(talk, about, author, some, fixed=fixed))

    def _meeting(self, terms: Terms, outline: Outline, *, is_first: bool) -> _Meeting:
        """A meeting with its mechanisms; the first, which most others wait for, has all that were drawn."""
        rng = self.rng
        special = (Mechanism.ALIAS, Mechanism.AUTHORITY, Mechanism.BY_REFERENCE)
        chosen = frozenset(
            kind for kind in special if kind in self.mechanisms and (is_first or rng.random() < self.told)
        )
        meeting = _Meeting(terms, chosen, [terms.organiser], self._proposers(terms))
        before: dict[str, LadderStatement] = {}
        if Mechanism.BY_REFERENCE in chosen and (is_first or len(self.references) > 1):
            other = OtherMeeting(self.setting, terms, self.references.pop(0), self.rung, rng)
            before = other.said
            for author, about, statements in other.talks:
                self._tell(self._new_talk(), about, author, statements, fixed=True)
        if Mechanism.ALIAS in chosen:
            meeting.alias = self._alias(terms.name, terms.organiser)
        self._divide(meeting, before)
        if outline.count is not None or terms.organiser != outline.organiser:
            meeting.opening.insert(0, Organiser(person=terms.organiser))
        return meeting

    def _open_plan(self, outline: Outline) -> None:
        rng = self.rng
        first: list[LadderStatement] = [
            Organiser(person=outline.organiser),
            Agenda(meetings=tuple(one.name for one in outline.meetings)),
        ]
        more: list[LadderStatement] = [outline.window, *outline.demands]
        if outline.limit is not None:
            more.append(DailyLimit(count=outline.limit))
        cut = rng.randint(1, len(more))
        talk = self._new_talk()
        self._tell(talk, outline.name, outline.organiser, (*first, *more[:cut]), fixed=True)
        self._tell(self._new_talk(), outline.name, outline.organiser, more[cut:], fixed=True)

    def _divide(self, meeting: _Meeting, before: dict[str, LadderStatement]) -> None:
        """Choose what the first message says and what is said later."""
        rng, terms = self.rng, meeting.terms
        duration = before.get("duration", Duration(minutes=terms.duration))
        invitations: list[Invitation] = list(terms.invitations)
        later = [before.get(one.kind, one) for one in terms.demands]
        later += [AfterMeeting(meeting=one) for one in terms.after]
        people = before.get("people")
        if isinstance(people, Invite):
            invitations = [people.invitation, *(one for one in invitations if not is_plain(one))]
        for one in list(invitations):
            if (
                len(invitations) > 1
                and not isinstance(one, SamePeople)
                and rng.random() < (0.15 if is_plain(one) else 0.7)
            ):
                invitations.remove(one)
                later.append(Invite(invitation=one))
        needy = bool(meeting.mechanisms & {Mechanism.ALIAS, Mechanism.AUTHORITY})
        if rng.random() < 0.35 or (len(later) < 2 and needy):
            later.append(duration)
            wrong = rng.choice([one for one in _LENGTHS if one != terms.duration])
            meeting.opening.append(Duration(minutes=wrong))
        else:
            meeting.opening.append(duration)
        if rng.random() < self.amended and not isinstance(people, Invite):
            extra = Named(person=self._somebody(terms))
            invitations.append(Required(who=extra))
            later.append(Uninvite(who=extra))
        rng.shuffle(later)
        cut = rng.choice((0, 0, 1)) if len(later) > 2 else 0
        meeting.opening += [Invited(invitations=tuple(invitations)), *later[:cut]]
        meeting.later = later[cut:]

    def _follow_up(self, meeting: _Meeting) -> list[LadderStatement]:
        """Tell one thing that is still to be told; what is returned the task is to say."""
        rng, terms = self.rng, meeting.terms
        item = meeting.later.pop()
        about: MeetingRef = terms.name
        if meeting.alias is not None and (not meeting.said_by_alias or rng.random() < 0.7):
            about = meeting.alias
        proposed = Mechanism.AUTHORITY in meeting.mechanisms and (not meeting.proposed or rng.random() < 0.5)
        first = item.kind not in _SUPERSEDED
        if first and not proposed and about == terms.name and rng.random() < 0.25:
            return [item]
        if proposed:
            answer = Answer(rng.choice(meeting.deciders), agrees=True)
            self.parts.append(Part(self._talk_about(meeting), about, rng.choice(meeting.proposers), (item,), answer))
            meeting.proposed = True
        else:
            more = [meeting.later.pop()] if meeting.later and rng.random() < 0.3 else []
            self._tell(self._talk_about(meeting), about, rng.choice(meeting.deciders), (item, *more))
        meeting.said_by_alias = meeting.said_by_alias or about != terms.name
        if Mechanism.AUTHORITY in meeting.mechanisms and self.rung > 1 and rng.random() < 0.4:
            self._hand_over(meeting, about)
        return []

    def _hand_over(self, meeting: _Meeting, about: MeetingRef) -> None:
        """Somebody else may decide from now on, too; only once."""
        if len(meeting.deciders) == 1 and len(meeting.proposers) > 1 and meeting.later:
            deputy = self.rng.choice(meeting.proposers)
            self._tell(self._talk_about(meeting), about, meeting.terms.organiser, (Delegate(person=deputy),))
            meeting.deciders.append(deputy)
            meeting.proposers.remove(deputy)

    def _proposers(self, terms: Terms) -> list[str]:
        found = [one for one in dict.fromkeys(terms.plainly_required) if one != terms.organiser]
        while len(found) < 3:
            found.append(self._somebody(terms, *found))
        return found

    def _somebody(self, terms: Terms, *others: str) -> str:
        return self.setting.somebody(terms.organiser, {*terms.plainly_required, *others}, self.rng)

    def _alias(self, name: str, author: str) -> str:
        """The alias that follow-ups use, which some record defines; on higher rungs by another alias."""
        rng, pooled = self.rng, self.names[name]
        self.namings.append(Naming(Definition(alias=pooled.code, means=name), rng.choice(_PAGES), author))
        if self.rung > 2 and rng.random() < 0.7:
            nickname = f"the {pooled.nickname}"
            definition = Definition(alias=nickname, means=ALIAS + pooled.code)
            self.namings.append(Naming(definition, rng.choice(_PAGES), author))
            return ALIAS + nickname
        return ALIAS + pooled.code

    def _decoys(self, meeting: _Meeting, gold: list[Pick], opens: datetime) -> None:
        """Proposals that are declined or left alone, which would change the gold.

        Those about times are about whole days, so that they do not tell when the meeting takes place.
        """
        rng, terms = self.rng, meeting.terms
        zone, opening = self.setting.known.zone, opens.date()
        about = terms.name if meeting.alias is None or rng.random() < 0.5 else meeting.alias
        for _ in range(rng.choice((1, 1, 2)) if self.rung < 4 else rng.choice((2, 3))):
            day = to_datetime(rng.choice(gold).start, zone).date()
            first, last = day - timedelta(days=rng.randrange(3)), day + timedelta(days=rng.randrange(3))
            latest = opening + timedelta(days=rng.randint(0, (day - opening).days))
            idea: LadderStatement = rng.choice(
                (
                    BanWindow(start=moment(first, rng.choice(_FROM)), end=moment(last, rng.choice(_TO))),
                    Deadline(at=moment(latest, rng.choice(_BY))),
                    Duration(minutes=rng.choice([one for one in _LENGTHS if one != terms.duration])),
                    Invite(invitation=Required(who=Named(person=self._somebody(terms)))),
                )
            )
            answer = Answer(rng.choice(meeting.deciders), agrees=False) if rng.random() < 0.5 else None
            part = Part(self._talk_about(meeting), about, rng.choice(meeting.proposers), (idea,), answer, decoy=True)
            self.parts.append(part)


def is_plain(one: Invitation) -> bool:
    """Whether somebody is invited by name and has to be there."""
    return isinstance(one, Required) and isinstance(one.who, Named)
