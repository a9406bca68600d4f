"""Which policies apply to a candidate, and what they demand of a person or a room."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from mpcbench.oracle.level4.axis import Hours
from mpcbench.oracle.level4.brief import Brief
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    HolidaysBlock,
    LadderRule,
    Policy,
    Scope,
    TeamCalendarBlocks,
    TentativeFree,
)
from mpcbench.schema.model import minute_of_day


class Terms(NamedTuple):
    """What the policies that apply demand of people at one site."""

    buffer: int
    inside: tuple[Hours, ...]
    outside: tuple[Hours, ...]
    holidays: bool
    tentative_blocks: bool
    by_team: bool
    """Whether the calendars of a person's teams count as the person's own."""


class RoomTerms(NamedTuple):
    """What the policies that apply demand of a room."""

    turnaround: int
    building_open: bool


def counting_on(policies: Iterable[Policy], day: date) -> tuple[Policy, ...]:
    """The editions that count on a day: of each policy at most one."""
    newest: dict[str, Policy] = {}
    for policy in policies:
        if _first(policy) <= day:
            other = newest.get(policy.policy_id)
            if other is None or (_first(other), other.edition) < (_first(policy), policy.edition):
                newest[policy.policy_id] = policy
    return tuple(policy for policy in newest.values() if policy.last is None or day <= policy.last)


def _first(policy: Policy) -> date:
    return policy.first or date.min


class Meant:
    """Which policies mean a meeting in a room of a site, whatever the day."""

    def __init__(self, policies: Iterable[Policy], brief: Brief, team: str, room_site: str) -> None:
        """Judge the scopes; `team` is the organiser's."""
        self._scopes: set[int] = set()
        self._exempt: dict[int, tuple[str, ...]] = {}
        for policy in policies:
            if is_meant(policy.scope, brief, team, room_site):
                self._scopes.add(id(policy))
            self._exempt[id(policy)] = tuple(
                exemption.policy_id
                for exemption in policy.exemptions
                if is_meant(exemption.when, brief, team, room_site)
            )

    def applying(self, counting: Sequence[Policy]) -> tuple[Policy, ...]:
        """Those of the editions of a day that apply."""
        exempt = {policy_id for policy in counting for policy_id in self._exempt[id(policy)]}
        return tuple(policy for policy in counting if id(policy) in self._scopes and policy.policy_id not in exempt)


def is_meant(scope: Scope, brief: Brief, team: str, room_site: str) -> bool:
    """Whether a scope holds for a meeting in a room of a site; `team` is the organiser's."""
    length = brief.duration or 0
    return (
        (scope.guests is None or scope.guests == (brief.guests > 0))
        and (not scope.room_sites or room_site in scope.room_sites)
        and (not scope.organiser_teams or team in scope.organiser_teams)
        and (scope.longer_than is None or length > scope.longer_than)
        and (scope.at_most is None or length <= scope.at_most)
    )


def terms(brief: Brief, policies: Iterable[Policy], site: str) -> Terms:
    """What the policies demand of people at a site, with what is said about tentative entries."""
    rules = [rule for policy in policies if not policy.people_at or site in policy.people_at for rule in policy.rules]
    free = any(isinstance(rule, TentativeFree) for rule in rules)
    return Terms(
        buffer=max((rule.minutes for rule in rules if isinstance(rule, BufferMin)), default=0),
        inside=tuple(_hours(rule, rule.days) for rule in rules if isinstance(rule, WorkHours)),
        outside=(
            *(_hours(rule, rule.days) for rule in rules if isinstance(rule, LunchBlock)),
            *(_hours(rule, (rule.day,)) for rule in rules if isinstance(rule, BanDowTime)),
        ),
        holidays=any(isinstance(rule, HolidaysBlock) for rule in rules),
        tentative_blocks=not free if brief.tentative is None else brief.tentative,
        by_team=any(isinstance(rule, TeamCalendarBlocks) for rule in rules),
    )


def room_terms(policies: Iterable[Policy]) -> RoomTerms:
    """What the policies demand of a room."""
    rules: list[LadderRule] = [rule for policy in policies for rule in policy.rules]
    return RoomTerms(
        turnaround=max((rule.minutes for rule in rules if isinstance(rule, RoomTurnaround)), default=0),
        building_open=any(isinstance(rule, BuildingOpen) for rule in rules),
    )


def _hours(rule: WorkHours | LunchBlock | BanDowTime, days: tuple[int, ...]) -> Hours:
    return minute_of_day(rule.start), minute_of_day(rule.end), days
