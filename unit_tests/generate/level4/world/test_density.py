"""How much the office holds of what the mechanisms of level 4 need."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

from mpcbench.generate.level4.world.diaries import DAY_END, DAY_START, Diary
from mpcbench.generate.level4.world.sites import DAYS, SATURDAY, ZONES
from mpcbench.oracle.level4.cast import people_on
from mpcbench.oracle.level4.timeline import series_days
from mpcbench.schema.level4.calendar import Entry, Frequency, Status
from mpcbench.schema.level4.facts import (
    Definition,
    Fact,
    Handover,
    NewManager,
    Notice,
    Swap,
)
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.people import Holder, OnRoster
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import Shift
from unit_tests.builders.made_office import made_knowledge, made_office

WEEKDAYS = [day for day in DAYS if day.weekday() < SATURDAY]


@cache
def every_entry() -> list[Entry]:
    return [entry for calendar in made_office().calendars for entry in calendar.entries]


@cache
def every_fact() -> list[Fact]:
    return [fact for _, _, fact in made_office().facts()]


class TestCalendars:
    def test_people_are_busy_for_half_of_their_hours(self) -> None:
        """Between 40 and 60 % of everybody's working hours are taken, by the clock of their site."""
        for person in made_office().people:
            diary = Diary(person.person_id, ZONES[person.site])
            for entry in made_knowledge().calendars[person.person_id].entries:
                diary.add(entry, None)
            taken = sum(diary.minutes_taken(day) for day in WEEKDAYS) / len(WEEKDAYS) / (DAY_END - DAY_START)

            assert 0.4 <= taken <= 0.62, person

    def test_every_state_occurs(self) -> None:
        """At least one in a hundred entries has each state, and one in thirty is private."""
        states = Counter(entry.status for entry in every_entry())

        assert set(Status) == set(states)
        assert min(states.values()) >= len(every_entry()) / 100
        assert sum(entry.title is None for entry in every_entry()) >= len(every_entry()) / 30

    def test_every_kind_of_series_occurs(self) -> None:
        """Series recur daily, weekly and monthly, at intervals, in zones of others, with exceptions and moves."""
        rules = [entry.recurrence for entry in every_entry() if entry.recurrence is not None]
        elsewhere = [
            entry
            for person in made_office().people
            for entry in made_knowledge().calendars[person.person_id].entries
            if entry.recurrence is not None and entry.recurrence.timezone != ZONES[person.site].key
        ]
        moved = [one for rule in rules for one in rule.moved]

        assert min(Counter(rule.frequency for rule in rules)[one] for one in Frequency) >= 100
        assert sum(rule.interval > 1 for rule in rules) >= 500
        assert sum(len(rule.excepted) for rule in rules) >= 2000
        assert len(moved) >= 2000
        assert {None, Status.TENTATIVE, Status.CANCELLED, Status.FREE, Status.DECLINED} == {one.status for one in moved}
        assert len(elsewhere) >= 200

    def test_exceptions_and_moves_are_of_dates_of_the_rule(self) -> None:
        """A rule puts an occurrence on each date that is excepted or moved."""
        for entry in every_entry():
            if entry.recurrence is not None:
                rule = entry.recurrence
                days = set(series_days(rule, entry.start.astimezone(rule.zone).date()))

                assert days >= {*rule.excepted, *(one.day for one in rule.moved)}

    def test_titles_are_unique_where_a_text_may_name_them(self) -> None:
        """No two entries of a person on one day have a title in common, and no entry has that of a series."""
        for calendar in made_office().calendars:
            titled = [entry for entry in calendar.entries if entry.title is not None]
            series = Counter(entry.title for entry in titled if entry.recurrence is not None)
            single = Counter((entry.title, entry.start.date()) for entry in titled if entry.recurrence is None)

            assert max(series.values()) == 1
            assert max(single.values()) == 1
            assert set(series).isdisjoint(title for title, _ in single)

    def test_bookings(self) -> None:
        """Rooms have tentative and cancelled bookings, and recurring ones."""
        bookings = [entry for one in made_office().room_calendars for entry in one.entries]

        assert 0.3 * 80 * len(WEEKDAYS) <= len(bookings)
        assert (
            min(Counter(one.status for one in bookings)[state] for state in (Status.TENTATIVE, Status.CANCELLED)) >= 500
        )
        assert sum(one.recurrence is not None for one in bookings) >= 300


class TestRoles:
    def test_roles_are_shown_by_every_kind_of_record(self) -> None:
        """The records that name the holders of roles exist: people, teams, rosters, sites and pages; one role is vacant."""
        shown = Counter(role.shown_in.partition(":")[0] for role in made_office().roles)

        assert {role.shown_in for role in made_office().roles} <= set(made_office().record_ids())
        assert {"person", "team", "roster", "site", "announcement", "wiki"} == set(shown)
        assert len(made_office().roles) >= 25
        assert 1 == sum(role.holder is None for role in made_office().roles)

    def test_pages_that_show_roles_say_who_holds_them(self) -> None:
        """A role that a page shows is held today by whom the page names."""
        today = made_office().today.date()
        for role in made_office().roles:
            if role.shown_in.partition(":")[0] in {"announcement", "wiki"}:
                facts = [fact for _, record, fact in made_office().facts() if record == role.shown_in]
                named = [fact.person_id for fact in facts if isinstance(fact, Handover)]

                assert [role.holder] == named
                assert {role.holder} == people_on(made_knowledge(), Holder(role=role.role_id), today)

    def test_heads_of_teams_manage_them(self) -> None:
        """The head of a team is the manager of all others in it, and no news says otherwise of the role."""
        changed = {fact.role for fact in every_fact() if isinstance(fact, Handover)}
        for role in made_office().roles:
            if role.name.startswith("head of"):
                team = role.shown_in.partition(":")[2]
                managers = {
                    one.manager for one in made_office().people if one.team == team and one.person_id != role.holder
                }

                assert {role.holder} == managers
                assert role.role_id not in changed

    def test_roles_managers_and_duties_change_within_the_period(self) -> None:
        """Many handovers, new managers and swaps take effect within the period, and their people differ from before."""
        ahead = [fact for fact in every_fact() if isinstance(fact, Handover | NewManager) and fact.since > DAYS[0]]
        swaps = [fact for fact in every_fact() if isinstance(fact, Swap)]

        assert sum(isinstance(fact, Handover) for fact in ahead) >= 20
        assert sum(isinstance(fact, NewManager) for fact in ahead) >= 24
        assert len(swaps) >= 30
        assert all(DAYS[0] <= fact.first <= fact.last <= DAYS[-1] for fact in swaps)
        assert max(fact.since for fact in ahead) <= DAYS[-1] + timedelta(days=45)

    def test_rosters(self) -> None:
        """Eight rosters cover most days of the period, each with several people; some days have nobody."""
        covered = {
            roster.roster_id: [len(people_on(made_knowledge(), OnRoster(roster=roster.roster_id), day)) for day in DAYS]
            for roster in made_office().rosters
        }

        assert 8 == len(covered)
        assert all(sum(days) >= 0.8 * len(DAYS) for days in covered.values())
        assert any(0 in days for days in covered.values())
        assert any(_overlapping(roster.shifts) for roster in made_office().rosters)


def _overlapping(shifts: Sequence[Shift]) -> bool:
    days = Counter(
        one.first + timedelta(days=number) for one in shifts for number in range((one.last - one.first).days + 1)
    )
    return max(days.values()) > 1


class TestNews:
    def test_aliases(self) -> None:
        """People, teams and meetings have aliases; some of them mean another one, and follow-ups use some."""
        meanings = [fact.means for fact in every_fact() if isinstance(fact, Definition)]
        used = {
            tag.about
            for thread in made_office().threads
            for message in thread.messages
            for tag in message.tags
            if isinstance(tag, Said) and tag.about.startswith(ALIAS)
        }

        assert sum(means.startswith(ALIAS) for means in meanings) >= 10
        assert sum(means in made_knowledge().people for means in meanings) >= 20
        assert sum(means in made_knowledge().teams for means in meanings) >= 10
        assert all(made_knowledge().meaning(reference) for reference in used)
        assert len(used) >= 30

    def test_notices(self) -> None:
        """Rooms and sites are closed, buildings are open, within the period and before it; notices replace others."""
        notices = [fact for fact in every_fact() if isinstance(fact, Notice)]
        effects = [effect for notice in notices for effect in notice.effects]
        ids = {notice.notice_id for notice in notices}
        replaced = [notice.replaces for notice in notices if notice.replaces is not None]

        assert {"room_closed", "site_closed", "site_open"} == {effect.kind for effect in effects}
        assert sum(effect.end < made_office().today for effect in effects) >= 6
        assert sum(effect.start.date() >= DAYS[0] for effect in effects) >= 50
        assert len(replaced) >= 12
        assert ids >= set(replaced)
        assert any(not notice.effects for notice in notices)
        assert any(notice.notice_id in replaced for notice in notices if notice.replaces is not None)

    def test_what_replaces_a_notice_is_posted_after_it(self) -> None:
        """No notice names one that is not known yet."""
        posted = {fact.notice_id: when for when, _, fact in made_office().facts() if isinstance(fact, Notice)}
        for fact in every_fact():
            if isinstance(fact, Notice) and fact.replaces is not None:
                assert posted[fact.replaces] < posted[fact.notice_id]

    def test_facts_stand_on_pages_and_in_messages(self) -> None:
        """Every kind of fact but notices is made known in both."""
        places = {(type(fact), record.partition(":")[0] == "thread") for _, record, fact in made_office().facts()}

        assert {(kind, chat) for kind in (Definition, Handover, NewManager, Swap) for chat in (True, False)} <= places


def test_period_and_today() -> None:
    """The period has sixteen weeks and begins on a Monday."""
    assert timedelta(weeks=16) - timedelta(hours=1) == made_office().period.end - made_office().period.start
    assert date(2027, 3, 1) == made_office().period.start.date()
