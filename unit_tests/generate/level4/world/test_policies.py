"""The policies of the office: what they demand, where they are found, and that they leave time to meet."""

from datetime import date
from functools import cache
from itertools import combinations
from typing import get_args

import pytest

from mpcbench.generate.level4.world.sites import DAYS, SATURDAY, ZONES, holidays_of, moment
from mpcbench.oracle.level4.brief import Brief
from mpcbench.oracle.level4.policies import Meant, counting_on, terms
from mpcbench.schema import BanDowTime
from mpcbench.schema.level4.policy import HolidaysBlock, LadderRule, Policy, Scope
from unit_tests.builders.made_office import made_knowledge, made_office

SITES = sorted(ZONES)


@cache
def every_policy() -> list[Policy]:
    return [policy for _, policy in made_office().policies]


@cache
def line_teams() -> list[str]:
    return sorted({person.team for person in made_office().people})


def applying(day: date, guests: int, minutes: int, room: str, team: str) -> list[Policy]:
    """The policies that apply to a meeting on a day."""
    brief = Brief(name="", organiser=None, duration=minutes, guests=guests)
    return list(
        Meant(made_knowledge().policies, brief, team, room).applying(counting_on(made_knowledge().policies, day))
    )


def starts(day: date, sites: tuple[str, ...], guests: int, minutes: int, room: str, team: str) -> int:
    """How many quarter hours of a day are left to people of the sites whose calendars are empty."""
    brief = Brief(name="", organiser=None, duration=minutes, guests=guests)
    policies = applying(day, guests, minutes, room, team)
    bound = {site: terms(brief, policies, site) for site in sites}
    if any(one.holidays and day in holidays_of(site) for site, one in bound.items()):
        return 0
    left = set(range(7 * 60, 20 * 60, 15))
    for site, one in bound.items():
        ahead = _ahead(day, site)
        for low, high, days in one.inside:
            left &= {at for at in left if day.weekday() in days and low <= at + ahead <= high - minutes}
        for low, high, days in one.outside:
            left -= {at for at in left if day.weekday() in days and low - minutes < at + ahead < high}
    return len(left)


def _ahead(day: date, site: str) -> int:
    """By how many minutes the clock of a site is ahead of that of home, for times on the same date at both."""
    local = moment(day, 12 * 60).astimezone(ZONES[site])
    return 60 * local.hour - 12 * 60


class TestVariety:
    def test_every_rule_occurs(self) -> None:
        """Each kind of rule that a policy can have is in one."""
        kinds = {one.model_fields["kind"].default for one in _members(LadderRule)}

        assert kinds == {rule.kind for policy in every_policy() for rule in policy.rules}

    def test_every_condition_occurs(self) -> None:
        """Each condition of scopes is in a scope and in an exemption, and so are people at sites, and first and last days."""
        scopes = [policy.scope for policy in every_policy()]
        exempt = [exemption.when for policy in every_policy() for exemption in policy.exemptions]

        assert set(Scope.model_fields) == _conditions(scopes) == _conditions(exempt)
        assert {True, False} <= {scope.guests for scope in scopes}
        assert any(policy.people_at for policy in every_policy())
        assert any(policy.first is not None and policy.last is not None for policy in every_policy())
        assert any(policy.first is None and policy.last is not None for policy in every_policy())

    def test_exemptions_are_from_policies_that_exist(self) -> None:
        """Some are of the policy itself, others of another one."""
        own = [one.policy_id == policy.policy_id for policy in every_policy() for one in policy.exemptions]

        assert {one.policy_id for policy in every_policy() for one in policy.exemptions} <= {
            one.policy_id for one in every_policy()
        }
        assert {True, False} == set(own)
        assert len(own) >= 15

    def test_editions_change_within_the_period(self) -> None:
        """At least a dozen policies are not the same on all days of the period."""
        changing = {
            policy.policy_id
            for policy in every_policy()
            for day in (policy.first, policy.last)
            if day is not None and DAYS[0] < day < DAYS[-1]
        }

        assert len(changing) >= 12


class TestDocuments:
    def test_counts(self) -> None:
        """30 to 40 policies are in 12 to 15 documents, and there is an archive."""
        current = [document for document in made_office().documents if not document.archived]

        assert 30 <= len({policy.policy_id for policy in every_policy()}) <= 40
        assert 12 <= len(current) <= 15
        assert 5 <= len(made_office().documents) - len(current) <= 10

    def test_archive_holds_editions_that_count(self) -> None:
        """Of some policies the edition of the first days is only in the archive, of others it counts for nothing."""
        archived = {
            (section.policy.policy_id, section.policy.edition)
            for document in made_office().documents
            if document.archived
            for section in document.sections
            if section.policy is not None
        }
        counting = {(policy.policy_id, policy.edition) for policy in counting_on(every_policy(), DAYS[0])}

        assert len(archived & counting) >= 3
        assert archived - counting


class TestEffect:
    def test_some_of_the_policies_apply(self) -> None:
        """To a meeting of people of two sites about eight of the policies apply on a working day, and never more than 13."""
        weekdays = [day for day in DAYS if day.weekday() < SATURDAY]
        counts = []
        for place, sites in enumerate(combinations(SITES, 2)):
            day = weekdays[11 + 11 * place]
            for guests, minutes in ((0, 30), (3, 60), (0, 90)):
                policies = applying(day, guests, minutes, sites[0], line_teams()[3 * place])
                counts.append(sum(_binds(policy, sites, day) for policy in policies))

        assert 5 <= sum(counts) / len(counts) <= 9
        assert max(counts) <= 13

    @pytest.mark.parametrize("sites", [*combinations(SITES, 1), *combinations(SITES, 2), tuple(SITES)])
    def test_no_meeting_is_impossible(self, sites: tuple[str, ...]) -> None:
        """In any two weeks a meeting has a start, whatever its length up to 90 minutes and whoever organises it."""
        for guests, minutes in ((0, 30), (3, 60), (0, 90)):
            for team in line_teams()[::5]:
                left = [starts(day, sites, guests, minutes, sites[0], team) for day in DAYS if day.weekday() < SATURDAY]

                assert all(sum(left[first : first + 10]) for first in range(0, len(left) - 9, 5)), (
                    guests,
                    minutes,
                    team,
                )


def _binds(policy: Policy, sites: tuple[str, ...], day: date) -> bool:
    """Whether on a working day it demands something of people at the sites or of the room."""
    rules = [
        rule
        for rule in policy.rules
        if not isinstance(rule, HolidaysBlock) and (not isinstance(rule, BanDowTime) or rule.day == day.weekday())
    ]
    return bool(rules) and (not policy.people_at or not set(sites).isdisjoint(policy.people_at))


def _members(union: object) -> tuple[type[LadderRule], ...]:
    return get_args(get_args(union)[0])


def _conditions(scopes: list[Scope]) -> set[str]:
    """The conditions that at least one of the scopes states."""
    return {name for scope in scopes for name in Scope.model_fields if getattr(scope, name) not in {None, ()}}
