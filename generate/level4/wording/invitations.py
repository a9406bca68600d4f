"""Phrase who is invited: one person, whoever has a role, a team, a choice of several."""

from collections.abc import Sequence
from random import Random

from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.wording.choices import one_of
from mpcbench.generate.wording.values import PhrasingError, count, listed
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
    SamePeople,
    StandIn,
    Who,
)

HOLDER = (
    "the {role}",
    "whoever is {role} [that day|on the day]",
    "the person who is {role} [that day|on the day]",
    "our {role}",
)
MANAGER = ("{person}'s manager", "the manager of {person}", "whoever is the manager of {person} [that day|on the day]")
MY_MANAGER = ("my manager", "whoever is my manager [that day|on the day]")
ROSTER = (
    "whoever is [on|on duty on] the {roster} [that day|on the day]",
    "the person on the {roster} [that day|on the day]",
    "whoever the {roster} names for [that day|the day]",
    "the person whom the {roster} names for [that day|the day]",
)
MEMBERS = (
    "everybody [in|on] {team}",
    "[all members|the members] of {team}",
    "all the people [in|on] {team}",
    "the whole of {team}",
)
EMPLOYEES = (
    "everybody [in|on] {team} except contractors",
    "[all members|the members] of {team} without its contractors",
    "all the people [in|on] {team} who are not contractors",
    "the whole of {team} apart from contractors",
)
MEMBERS_OF = ("the members of {team}", "all the people [in|on] {team}")
EMPLOYEES_OF = (
    "the members of {team} without its contractors",
    "all the people [in|on] {team} who are not contractors",
)
OPTIONAL = (
    "{who} (optional)",
    "{who} as an optional participant",
    "{who} if possible",
    "{who} on an optional basis",
)
STAND_IN = (
    "{who} or, failing that, {stand_in}",
    "{who} with {stand_in} as stand-in",
    "{who} (stand-in {stand_in})",
    "{who} with {stand_in} standing in if need be",
)
AT_LEAST = (
    "at least {count} of {people}",
    "{count} or more of {people}",
    "no fewer than {count} of {people}",
    "any {count} of {people} (more are welcome)",
)
ONE_OF_TWO = ("either {first} or {second}", "{first} or {second} (one of them is enough)")
SAME_PEOPLE = (
    "the same people as for {meeting}",
    "everybody on the list for {meeting}",
    "[all participants|the participants] of {meeting}",
    "everybody who takes part in {meeting}",
)


def say_who(who: Who, names: Names, rng: Random, author: str | None = None) -> str:
    """People as a noun phrase without commas, so that it can be an item of a list."""
    match who:
        case Named(person=person):
            return names.person(person, author)
        case Holder(role=role):
            return one_of(HOLDER, rng).format(role=names.role(role))
        case ManagerOf(person=person) if person == author:
            return one_of(MY_MANAGER, rng)
        case ManagerOf(person=person):
            return one_of(MANAGER, rng).format(person=names.person(person))
        case OnRoster(roster=roster):
            return one_of(ROSTER, rng).format(roster=names.roster(roster))
        case MembersOf(team=team, contractors=contractors):
            return one_of(MEMBERS if contractors else EMPLOYEES, rng).format(team=names.team(team))


def _some(who: Who, names: Names, rng: Random, author: str | None) -> str:
    """People of whom some will do."""
    if isinstance(who, MembersOf):
        return one_of(MEMBERS_OF if who.contractors else EMPLOYEES_OF, rng).format(team=names.team(who.team))
    return say_who(who, names, rng, author)


def say_invitation(invitation: Invitation, names: Names, rng: Random, author: str | None = None) -> str:
    """One invitation as a noun phrase, to follow `invite`."""
    match invitation:
        case Required(who=who):
            return say_who(who, names, rng, author)
        case Optional(who=who):
            return one_of(OPTIONAL, rng).format(who=say_who(who, names, rng, author))
        case StandIn(who=who, stand_in=stand_in):
            return one_of(STAND_IN, rng).format(
                who=say_who(who, names, rng, author), stand_in=say_who(stand_in, names, rng, author)
            )
        case AtLeast(count=number, of=some):
            people = [_some(who, names, rng, author) for who in some]
            if number == 1 and len(people) == 2 and rng.random() < 0.5:
                return one_of(ONE_OF_TWO, rng).format(first=people[0], second=people[1])
            return one_of(AT_LEAST, rng).format(count=count(rng, number), people=listed(people))
        case SamePeople(meeting=meeting):
            return one_of(SAME_PEOPLE, rng).format(meeting=names.meeting(meeting))


def say_invitations(invitations: Sequence[Invitation], names: Names, rng: Random, author: str | None = None) -> str:
    """A list of invitations: with commas if all are simply people by name, else with semicolons."""
    if not invitations:
        raise PhrasingError("nobody is invited")
    said = [say_invitation(one, names, rng, author) for one in invitations]
    if all(isinstance(one, Required) and isinstance(one.who, Named) for one in invitations):
        return listed(said)
    return "; ".join([*said[:-1], rng.choice(("", "and ")) + said[-1]]) if said[1:] else said[0]
