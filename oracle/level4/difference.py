"""How the knowledge of one solver differs from another's, and what of a task stays the same for all that."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from typing import Final

from mpcbench.oracle.level4.brief import Brief
from mpcbench.oracle.level4.cast import depends_on_day, whos_of
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.policies import is_meant
from mpcbench.schema import Room
from mpcbench.schema.level4.facts import Notice, RoomClosed
from mpcbench.schema.level4.people import ManagerOf, MembersOf
from mpcbench.schema.level4.policy import Policy

_PLANNING: Final = frozenset({"lookahead", "ordered", "limited", "before"})
_FIELDS: Final = tuple(one.name for one in fields(Knowledge) if one.name not in _PLANNING)
_ROLES: Final = frozenset({"roles", "rosters", "handovers", "new_managers", "swaps"})


class Difference:
    """What differs between two solvers' knowledge of a task; values are the same only if they are the same objects."""

    def __init__(self, one: Knowledge, other: Knowledge) -> None:
        self.one = one
        self.other = other
        self.fields = frozenset(name for name in _FIELDS if getattr(one, name) is not getattr(other, name))
        """Those of the knowledge that are not the same, but for how plans are made."""

    @cached_property
    def said(self) -> frozenset[str] | None:
        """The meetings about which other things are said; None if names, people or teams may mean something else."""
        if {"aliases", "subject", "zone"} & self.fields or self._other_keys("people") or self._other_keys("teams"):
            return None
        changed = _changed(self.one.lines, self.other.lines)
        return frozenset(meaning for about in changed if (meaning := self.one.meaning(about)) is not None)

    def _other_keys(self, name: str) -> bool:
        return name in self.fields and getattr(self.one, name).keys() != getattr(self.other, name).keys()

    @cached_property
    def people(self) -> frozenset[str]:
        """The people whose calendar, site, teams or teams' calendars are others."""
        one, other = self.one, self.other
        teams = _changed(one.team_calendars, other.team_calendars)
        members = {member for team in teams if team in one.teams for member in one.teams[team].members}
        for team in _changed(one.teams, other.teams):
            members.update(*(known.teams[team].members for known in (one, other) if team in known.teams))
        return _changed(one.calendars, other.calendars).union(members, self.moved)

    @cached_property
    def moved(self) -> frozenset[str]:
        """The people whose site is another."""
        return frozenset(one for one in self._colleagues if _site(self.one, one) != _site(self.other, one))

    @cached_property
    def _colleagues(self) -> frozenset[str]:
        return _changed(self.one.people, self.other.people)

    @cached_property
    def rooms(self) -> frozenset[str]:
        """The rooms whose bookings or notices are others, or that are not the same for both."""
        changed = _changed(self.one.bookings, self.other.bookings)
        if "notices" in self.fields:
            changed |= frozenset(self._under_notice())
        return changed if "rooms" not in self.fields else changed | self._rooms.keys()

    @cached_property
    def _rooms(self) -> Mapping[str, tuple[Room | None, Room | None]]:
        """The rooms that are not the same for both, as each knows them."""
        one, other = _by_id(self.one.rooms), _by_id(self.other.rooms)
        return {room_id: (one.get(room_id), other.get(room_id)) for room_id in _changed(one, other)}

    def _under_notice(self) -> Iterator[str]:
        """The rooms that notices speak of which only one knows, or whose notices that they replace are in force again."""
        one, other = (
            {id(posted.notice): posted.notice for posted in known.notices} for known in (self.one, self.other)
        )
        differing = [
            notice for notice_id, notice in (one | other).items() if (notice_id in one) != (notice_id in other)
        ]
        named = {name for notice in differing for name in (notice.notice_id, notice.replaces)}
        concerned: list[Notice] = [*differing, *(notice for notice in one.values() if notice.notice_id in named)]
        for effect in (effect for notice in concerned for effect in notice.effects):
            if isinstance(effect, RoomClosed):
                yield effect.room_id
            else:
                yield from (
                    room.room_id for known in (self.one, self.other) for room in known.rooms if room.site == effect.site
                )

    def leaves(self, brief: Brief, sites: Iterable[str]) -> bool:
        """Whether the same times are open to a meeting, the same people are needed, and the same policies apply.

        Args:
            brief: What both hold to be said about the meeting.
            sites: Where there are rooms that suit it.
        """
        return not (
            "zone" in self.fields
            or (brief.after_entries and "calendars" in self.fields)
            or ("policies" in self.fields and self._other_policies(brief, sites))
            or (_ROLES & self.fields and depends_on_day(brief.invitations))
            or ({"people", "teams"} & self.fields and self._other_members(brief))
            or ("rooms" in self.fields and self._other_sites(brief))
        )

    def _other_policies(self, brief: Brief, sites: Iterable[str]) -> bool:
        """Whether the policies of which they do not know the same editions can apply, or exempt from others."""
        assert brief.organiser is not None
        team = self.one.people[brief.organiser].team
        some = list(sites)
        return any(
            is_meant(scope, brief, team, site)
            for policy in self._policies
            for scope in (policy.scope, *(one.when for one in policy.exemptions))
            for site in some
        )

    @cached_property
    def _policies(self) -> tuple[Policy, ...]:
        one, other = ({id(policy): policy for policy in known.policies} for known in (self.one, self.other))
        both = one | other
        names = {policy.policy_id for key, policy in both.items() if (key in one) != (key in other)}
        return tuple(policy for policy in both.values() if policy.policy_id in names)

    def _other_members(self, brief: Brief) -> bool:
        """Whether the organiser's team, a manager or a team's members differ."""
        if brief.organiser in self._colleagues or self._other_keys("people"):
            return True
        teams = _changed(self.one.teams, self.other.teams)
        for who in whos_of(brief.invitations):
            if isinstance(who, ManagerOf) and who.person in self._colleagues:
                return True
            if isinstance(who, MembersOf):
                members = self.one.teams[who.team].members
                if who.team in teams or not self._colleagues.isdisjoint(members):
                    return True
        return False

    def _other_sites(self, brief: Brief) -> bool:
        """Whether rooms suit the meeting at other sites."""
        changed = (room for both in self._rooms.values() for room in both if room is not None)
        if not any(map(brief.suits, changed)):
            return False
        one, other = ({room.site for room in known.rooms if brief.suits(room)} for known in (self.one, self.other))
        return one != other


def _site(knowledge: Knowledge, person: str) -> str | None:
    return knowledge.people[person].site if person in knowledge.people else None


def _by_id(rooms: Iterable[Room]) -> dict[str, Room]:
    return {room.room_id: room for room in rooms}


def _changed(one: Mapping[str, object], other: Mapping[str, object]) -> frozenset[str]:
    """The keys whose values are not the very same."""
    if one is other:
        return frozenset()
    both = {key for key, value in one.items() if other.get(key) is not value}
    return frozenset(both | (other.keys() - one.keys()))
