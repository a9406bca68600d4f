"""Who is invited to a meeting: people by name, alias, role, relation, roster or team, and how many of them it takes."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.level4.header import MeetingRef, PersonRef, RoleId, RosterId, TeamRef
from mpcbench.schema.model import Model


class Named(Model):
    """One person, by name or alias."""

    kind: Literal["person"] = "person"
    person: PersonRef


class Holder(Model):
    """Whoever holds the role on the day of the candidate."""

    kind: Literal["holder"] = "holder"
    role: RoleId


class ManagerOf(Model):
    """Whoever is the person's manager on the day of the candidate."""

    kind: Literal["manager_of"] = "manager_of"
    person: PersonRef


class OnRoster(Model):
    """Whoever the roster names for the day of the candidate, swaps included."""

    kind: Literal["on_roster"] = "on_roster"
    roster: RosterId


class MembersOf(Model):
    """Everybody whom the team's page lists."""

    kind: Literal["members_of"] = "members_of"
    team: TeamRef
    contractors: bool = True
    """False: without the members whom the directory lists as contractors."""


Who = Annotated[Named | Holder | ManagerOf | OnRoster | MembersOf, Field(discriminator="kind")]
"""People on a given day: one, none (an uncovered day of a roster) or, for teams, several."""


class Required(Model):
    """All of them have to be available."""

    kind: Literal["required"] = "required"
    who: Who


class Optional(Model):
    """They are invited and get a seat, but need not be available."""

    kind: Literal["optional"] = "optional"
    who: Who


class StandIn(Model):
    """`who` has to be available or, if not, `stand_in`; both get a seat."""

    kind: Literal["stand_in"] = "stand_in"
    who: Who
    stand_in: Who


class AtLeast(Model):
    """At least `count` of the people have to be available; all of them get a seat."""

    kind: Literal["at_least"] = "at_least"
    count: Annotated[int, Field(ge=1, le=50)]
    of: Annotated[tuple[Who, ...], Field(min_length=1)]


class SamePeople(Model):
    """The invitations of another meeting, as its own messages left them."""

    kind: Literal["same_people"] = "same_people"
    meeting: MeetingRef


Invitation = Annotated[Required | Optional | StandIn | AtLeast | SamePeople, Field(discriminator="kind")]
