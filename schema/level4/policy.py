"""Policies of level 4: they apply by their own words, on the days on which an edition is in force."""

from typing import Annotated, Literal

from pydantic import Field

from mpcbench.schema.level4.header import Day, TeamId
from mpcbench.schema.model import Model
from mpcbench.schema.statements import BanDowTime, BufferMin, LunchBlock, PolicyId, RoomTurnaround, WorkHours


class HolidaysBlock(Model):
    """The public holidays of a participant's country block the participant's whole local date."""

    kind: Literal["holidays_block"] = "holidays_block"


class TentativeFree(Model):
    """Tentative entries of participants do not block."""

    kind: Literal["tentative_free"] = "tentative_free"


class TeamCalendarBlocks(Model):
    """The entries of a team's calendar count as entries of everybody whom the team's page lists."""

    kind: Literal["team_calendar_blocks"] = "team_calendar_blocks"


class BuildingOpen(Model):
    """The candidate lies wholly inside the opening hours of the room's building."""

    kind: Literal["building_open"] = "building_open"


LadderRule = Annotated[
    WorkHours
    | LunchBlock
    | BanDowTime
    | BufferMin
    | RoomTurnaround
    | HolidaysBlock
    | TentativeFree
    | TeamCalendarBlocks
    | BuildingOpen,
    Field(discriminator="kind"),
]


class Scope(Model):
    """The meetings that are meant: those for which every condition given holds."""

    guests: bool | None = None
    """With guests (true) or without any (false)."""

    room_sites: tuple[str, ...] = ()
    """The candidate's room is at one of these sites."""

    organiser_teams: tuple[TeamId, ...] = ()
    """The organiser is in one of these teams, by the directory."""

    longer_than: Annotated[int, Field(ge=0)] | None = None
    """It lasts longer than so many minutes."""

    at_most: Annotated[int, Field(ge=1)] | None = None
    """It lasts so many minutes or less."""


class Exemption(Model):
    """A policy does not apply to the meetings that are meant."""

    policy_id: PolicyId
    when: Scope


class Policy(Model):
    """One edition of a policy, as a section of a document states it; record `policy:<policy_id>@<edition>`."""

    policy_id: PolicyId
    edition: Annotated[int, Field(ge=1)]
    first: Day | None = None
    """The first day on which it is in force; None: it always was. It then replaces every edition of an earlier day."""

    last: Day | None = None
    """The last day on which it is in force; None: until a later edition replaces it."""

    scope: Scope = Scope()
    people_at: tuple[str, ...] = ()
    """The sites whose participants its rules about people bind; all sites if empty."""

    rules: tuple[LadderRule, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    """Of this policy or of another; they hold while this edition is in force, whatever its scope."""
