"""Misreadings of who takes part: roles, managers, rosters, and how many people it takes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial

from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.cast import people_on
from mpcbench.oracle.level4.knowledge import Knowledge, Stated
from mpcbench.oracle.level4.misreadings.language import rewritten
from mpcbench.oracle.level4.misreadings.slip import Misreading, Slip
from mpcbench.oracle.level4.touched import Touched, invitations_in
from mpcbench.schema.level4.facts import Swap
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    OnRoster,
    Optional,
    Required,
    StandIn,
)
from mpcbench.schema.level4.statements import Invite, Invited, Said
from mpcbench.schema.level4.world import Roster, Shift

_LONG_AGO, _FAR_AWAY = date(1970, 1, 1), date(9999, 1, 1)


def _fixed_role(role: str, holder: str | None) -> Callable[[Knowledge], Knowledge]:
    def apply(known: Knowledge) -> Knowledge:
        fixed = known.roles[role].model_copy(update={"holder": holder})
        handovers = tuple(one for one in known.handovers if one.fact.role != role)
        return replace(known, roles={**known.roles, role: fixed}, handovers=handovers)

    return apply


def _fixed_manager(person: str, manager: str | None) -> Callable[[Knowledge], Knowledge]:
    def apply(known: Knowledge) -> Knowledge:
        fixed = known.people[person].model_copy(update={"manager": manager})
        new_managers = tuple(one for one in known.new_managers if one.fact.person_id != person)
        return replace(known, people={**known.people, person: fixed}, new_managers=new_managers)

    return apply


def _by_role(
    knowledge: Knowledge,
    found: Touched,
    choose: Callable[[list[tuple[date, str]], str | None, Holder | ManagerOf], str | None],
) -> Iterator[Slip]:
    """The slips that hold one person to be the holder on all days; `choose` gets the changes and the holder before."""
    for who in found.whos:
        match who:
            case Holder(role=role) if role in knowledge.roles:
                changes = [(one.fact.since, one.fact.person_id) for one in knowledge.handovers if one.fact.role == role]
                if changes:
                    yield Slip(role, role, _fixed_role(role, choose(changes, knowledge.roles[role].holder, who)))
            case ManagerOf(person=reference):
                person = knowledge.meaning(reference)
                changes = [
                    (one.fact.since, one.fact.manager) for one in knowledge.new_managers if one.fact.person_id == person
                ]
                if person is not None and person in knowledge.people and changes:
                    manager = choose(changes, knowledge.people[person].manager, ManagerOf(person=person))
                    yield Slip(f"manager:{person}", f"manager:{person}", _fixed_manager(person, manager))


def _first_holder(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    return _by_role(knowledge, found, lambda _, before, __: before)


def _last_holder(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    return _by_role(knowledge, found, lambda changes, _, __: max(changes, key=lambda one: one[0])[1])


def _day_of_message(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    """The holders on the day of the first message about the task."""
    sent = [line.sent for line in found.lines if line.thread]
    if not sent:
        return iter(())
    day = to_datetime(min(sent), knowledge.zone).date()
    return _by_role(knowledge, found, lambda _, __, who: next(iter(people_on(knowledge, who, day)), None))


def _roster_ignored(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for who in found.whos:
        if isinstance(who, OnRoster) and who.roster in knowledge.rosters:
            roster = knowledge.rosters[who.roster]
            for shift in roster.shifts[:1]:
                always = Shift(first=_LONG_AGO, last=_FAR_AWAY, person_id=shift.person_id)
                fixed = roster.model_copy(update={"shifts": (always,)})
                yield Slip(who.roster, who.roster, partial(_with_roster, fixed))


def _with_roster(wrong: Roster, knowledge: Knowledge) -> Knowledge:
    swaps = tuple(one for one in knowledge.swaps if one.fact.roster != wrong.roster_id)
    return replace(knowledge, rosters={**knowledge.rosters, wrong.roster_id: wrong}, swaps=swaps)


def _swap_missed(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    rosters = {who.roster for who in found.whos if isinstance(who, OnRoster)}
    for swap in knowledge.swaps:
        if swap.fact.roster in rosters:
            yield Slip(f"swap:{swap.record}", f"{swap.order}", partial(without_swap, swap))


def without_swap(missed: Stated[Swap], knowledge: Knowledge) -> Knowledge:
    """The knowledge of somebody who has not read of a swap."""
    return replace(knowledge, swaps=tuple(one for one in knowledge.swaps if one != missed))


def _rewritten_invitations(found: Touched, wrong: Callable[[Invitation], tuple[Invitation, ...]]) -> Iterator[Slip]:
    """The slips that take the invitations of one line for others."""
    for line in found.lines:
        invitations = invitations_in(line)
        misread = tuple(one for invitation in invitations for one in wrong(invitation))
        if misread != invitations and isinstance(line.tag, Said):
            yield Slip(line.key, line.key, rewritten(line, _inviting(line.tag, misread)))


def _inviting(said: Said, invitations: tuple[Invitation, ...]) -> Said:
    """The statement with other invitations; one that adds invites the first of them and any other as a choice of all."""
    if isinstance(said.statement, Invited):
        return said.model_copy(update={"statement": Invited(invitations=invitations)})
    if len(invitations) == 1:
        return said.model_copy(update={"statement": Invite(invitation=invitations[0])})
    whos = tuple(one.who for one in invitations if isinstance(one, Required))
    return said.model_copy(update={"statement": Invite(invitation=AtLeast(count=len(whos), of=whos))})


def _all_required(_: Knowledge, found: Touched) -> Iterator[Slip]:
    def wrong(invitation: Invitation) -> tuple[Invitation, ...]:
        match invitation:
            case AtLeast(of=some):
                return tuple(Required(who=who) for who in some)
            case StandIn(who=who, stand_in=stand_in):
                return (Required(who=who), Required(who=stand_in))
        return (invitation,)

    return _rewritten_invitations(found, wrong)


def _first_choice(_: Knowledge, found: Touched) -> Iterator[Slip]:
    def wrong(invitation: Invitation) -> tuple[Invitation, ...]:
        match invitation:
            case AtLeast(count=count, of=some):
                return tuple(Required(who=who) for who in some[:count])
            case StandIn(who=who):
                return (Required(who=who),)
        return (invitation,)

    return _rewritten_invitations(found, wrong)


def _optional_required(_: Knowledge, found: Touched) -> Iterator[Slip]:
    def wrong(invitation: Invitation) -> tuple[Invitation, ...]:
        return (Required(who=invitation.who),) if isinstance(invitation, Optional) else (invitation,)

    return _rewritten_invitations(found, wrong)


PEOPLE = (
    Misreading(Mechanism.ROLE, "first_holder", _first_holder),
    Misreading(Mechanism.ROLE, "last_holder", _last_holder),
    Misreading(Mechanism.ROLE, "day_of_message", _day_of_message),
    Misreading(Mechanism.ROLE, "roster_ignored", _roster_ignored),
    Misreading(Mechanism.ROLE, "swap_missed", _swap_missed),
    Misreading(Mechanism.QUORUM, "all_required", _all_required),
    Misreading(Mechanism.QUORUM, "first_choice", _first_choice),
    Misreading(Mechanism.QUORUM, "optional_required", _optional_required),
)
