"""Every misreading changes the gold of a task that a reader can check by hand, in the way that its name says."""

from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.load import Gold, ignorable, misread_effects
from mpcbench.oracle.level4.misreadings import MISREADINGS, habits_of, misread, misread_all, ways_of
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema import BanWindow, Duration, LunchBlock, NotBefore, WorkHours
from mpcbench.schema.level4.calendar import Frequency, Moved, Recurrence, Status
from mpcbench.schema.level4.facts import Definition, Handover, Notice, RoomClosed, Swap
from mpcbench.schema.level4.instance import Change, EntryChanged, LadderInstance
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import AtLeast, Holder, Named, OnRoster, Optional, Required, StandIn
from mpcbench.schema.level4.policy import Exemption, HolidaysBlock, Policy, Scope
from mpcbench.schema.level4.statements import (
    AfterMeeting,
    Agenda,
    Agreed,
    DailyLimit,
    Delegate,
    DurationOf,
    Invite,
    Invited,
    Organiser,
)
from mpcbench.schema.level4.world import (
    Colleague,
    Holiday,
    HolidayCalendar,
    LadderCollection,
    LadderPage,
    LadderWorld,
    Office,
    Role,
    Roster,
    Shift,
)
from unit_tests.builders.ladder import entry, known, message, moment, required, said, span, starts, task, window
from unit_tests.oracle.level4.strategies import Theme, ladder_cases

MONDAY = date(2027, 3, 1)
ALL_DAYS = (0, 1, 2, 3, 4, 5, 6)
FIRST = ["09:00", "09:15", "09:30"]


Task = tuple[LadderWorld, LadderInstance]


class Example(NamedTuple):
    """A task, its gold, and the answer of a solver who misreads it."""

    task: Task
    gold: list[str]
    misread: list[str]

    @property
    def knowledge(self) -> Knowledge:
        return knowledge_of(*self.task)


def until(time: str) -> tuple[Any, ...]:
    """Busy from 08:00."""
    return (entry("08:00", time),)


def page(*facts: Any) -> tuple[LadderPage, ...]:
    return (
        LadderPage(
            page_id="A1",
            collection=LadderCollection.ANNOUNCEMENT,
            title="",
            text="",
            posted=moment("07:00"),
            facts=facts,
        ),
    )


def invite(who: Any) -> Any:
    return said(Invite(invitation=who))


def ben_starts_at_ten(invitation: Any, **records: Any) -> Task:
    """Ben is busy until 10:00, Cleo until 10:30."""
    return task(invite(invitation), calendars={"p2": until("10:00"), "p3": until("10:30")}, **records)


def by_role(since: int) -> Task:
    """Ben holds the role, and from a day of March on Cleo; the meeting may also take place on the second."""
    role = Role(role_id="ROLE-01", name="head", holder="p2", shown_in="team:TEAM-01")
    handover = Handover(role="ROLE-01", person_id="p3", since=date(2027, 3, since))
    longer = window("09:00", "12:00").model_copy(update={"end": moment("12:00", 2)})
    return task(
        invite(Required(who=Holder(role="ROLE-01"))),
        said(longer.model_copy(update={"daily": None})),
        roles=(role,),
        pages=page(handover),
        messages=[message("p1", said(NotBefore(at=moment("08:00"))))],
        calendars={"p2": (entry("00:00", "10:00"),), "p3": (entry("00:00", "11:30"),)},
    )


def on_duty(*swaps: Swap) -> Task:
    roster = Roster(
        roster_id="RST-01",
        name="desk",
        shifts=(
            Shift(first=date(2027, 2, 1), last=date(2027, 2, 28), person_id="p2"),
            Shift(first=MONDAY, last=MONDAY, person_id="p3"),
        ),
    )
    return ben_starts_at_ten(Required(who=OnRoster(roster="RST-01")), rosters=(roster,), pages=page(*swaps))


def other_meeting(*more: Any) -> list[Any]:
    """The thread of another meeting: half an hour, then whatever is said."""
    first = [said(Organiser(person="p2"), "Wagtail workshop"), said(Duration(minutes=120), "Wagtail workshop")]
    edition = [said(Organiser(person="p2"), "Wagtail workshop 2"), said(Duration(minutes=90), "Wagtail workshop 2")]
    return [message("p2", *first, *edition), *more]


def policy(*rules: Any, number: int = 1, edition: int = 1, **more: Any) -> Policy:
    return Policy(policy_id=f"POL-0{number}", edition=edition, rules=rules, **more)


def from_ten(**more: Any) -> Policy:
    return policy(WorkHours(start="10:00", end="18:00", days=ALL_DAYS), **more)


def abroad(**records: Any) -> Task:
    """Ben sits in New York, five hours behind until 14 March and four from then on."""
    sites = (
        Office(site="Harbour", timezone="UTC", country="GB"),
        Office(site="Pier", timezone="America/New_York", country="US"),
    )
    ben = Colleague(person_id="p2", name="Ben", team="TEAM-01", site="Pier", title="", email="")
    return task(
        invite(Required(who=Named(person="p2"))),
        said(window("13:00", "17:00", records.pop("day", 1))),
        sites=sites,
        people=(ben,),
        messages=[message("p1", said(NotBefore(at=moment("08:00"))))],
        **records,
    )


def weekly(**more: Any) -> Recurrence:
    return Recurrence(timezone="UTC", frequency=Frequency.WEEKLY, until=date(2027, 4, 1), **more)


def plan(*statements: Any, calendars: Any) -> Task:
    """A plan of two meetings of an hour, "First" with Ada and "Second" with Ada and Ben, in one room."""
    return task(
        said(Agenda(meetings=("First", "Second"))),
        said(Invited(invitations=required("p1", "p2")), "Second"),
        *statements,
        calendars=calendars,
    )


EXAMPLES = {
    "alias not_found": Example(
        task(
            messages=[message("p1", said(NotBefore(at=moment("10:00")), "alias:the Dutch thing"))],
            pages=page(Definition(alias="the Dutch thing", means="Curlew review")),
        ),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
    "alias other_meeting": Example(
        task(
            messages=[
                message("p1", said(NotBefore(at=moment("10:00")), "alias:the Dutch thing")),
                message("p1", said(Organiser(person="p1"), "Curlew lunch"), minute=1),
            ],
            pages=page(Definition(alias="the Dutch thing", means="Curlew review")),
        ),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
    "by_reference first_value": Example(
        task(
            said(DurationOf(meeting="Wagtail workshop")),
            messages=other_meeting(message("p2", said(Duration(minutes=180), "Wagtail workshop"), minute=5)),
        ),
        ["09:00"],
        FIRST,
    ),
    "by_reference other_edition": Example(
        task(
            said(DurationOf(meeting="Wagtail workshop")),
            said(NotBefore(at=moment("09:45"))),
            messages=other_meeting(),
        ),
        ["09:45", "10:00"],
        ["09:45", "10:00", "10:15"],
    ),
    "authority proposals_hold": Example(
        task(messages=[message("p2", said(NotBefore(at=moment("10:00"))))]),
        FIRST,
        ["10:00", "10:15", "10:30"],
    ),
    "authority confirmed_dropped": Example(
        task(
            said(Delegate(person="p3")),
            messages=[
                message("p2", said(NotBefore(at=moment("10:00")))),
                message("p3", Agreed(about="Curlew review", message=0), minute=1),
            ],
        ),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
    "role first_holder": Example(by_role(1), ["11:30", "11:45", "12:00"], ["10:00", "10:15", "10:30"]),
    "role last_holder": Example(by_role(2), ["10:00", "10:15", "10:30"], ["11:30", "11:45", "12:00"]),
    "role day_of_message": Example(by_role(1), ["11:30", "11:45", "12:00"], ["10:00", "10:15", "10:30"]),
    "role roster_ignored": Example(on_duty(), ["10:30", "10:45", "11:00"], ["10:00", "10:15", "10:30"]),
    "role swap_missed": Example(
        on_duty(Swap(roster="RST-01", first=MONDAY, last=MONDAY, person_id="p2")),
        ["10:00", "10:15", "10:30"],
        ["10:30", "10:45", "11:00"],
    ),
    "scope all_apply": Example(task(policies=[from_ten(scope=Scope(guests=True))]), FIRST, ["10:00", "10:15", "10:30"]),
    "scope exemptions_ignored": Example(
        task(policies=[from_ten(exemptions=(Exemption(policy_id="POL-01", when=Scope(at_most=60)),))]),
        FIRST,
        ["10:00", "10:15", "10:30"],
    ),
    "scope superseded_edition": Example(
        task(policies=[from_ten(), policy(edition=2, first=MONDAY)]), FIRST, ["10:00", "10:15", "10:30"]
    ),
    "scope dates_ignored": Example(
        task(policies=[from_ten(first=date(2027, 3, 2))]), FIRST, ["10:00", "10:15", "10:30"]
    ),
    "zones one_zone": Example(abroad(policies=[from_ten()]), ["15:00", "15:15", "15:30"], ["13:00", "13:15", "13:30"]),
    "zones offset_of_another_date": Example(
        abroad(policies=[from_ten()], day=15),
        ["15 14:00", "15 14:15", "15 14:30"],
        ["15 15:00", "15 15:15", "15 15:30"],
    ),
    "zones one_country": Example(
        abroad(
            policies=[policy(HolidaysBlock())],
            holidays=(
                HolidayCalendar(country="GB", days=()),
                HolidayCalendar(country="US", days=(Holiday(day=MONDAY, name=""),)),
            ),
        ),
        [],
        ["13:00", "13:15", "13:30"],
    ),
    "quorum all_required": Example(
        ben_starts_at_ten(AtLeast(count=1, of=(Named(person="p2"), Named(person="p3")))),
        ["10:00", "10:15", "10:30"],
        ["10:30", "10:45", "11:00"],
    ),
    "quorum first_choice": Example(
        ben_starts_at_ten(StandIn(who=Named(person="p3"), stand_in=Named(person="p2"))),
        ["10:00", "10:15", "10:30"],
        ["10:30", "10:45", "11:00"],
    ),
    "quorum optional_required": Example(
        ben_starts_at_ten(Optional(who=Named(person="p2"))), FIRST, ["10:00", "10:15", "10:30"]
    ),
    "states tentative_inverted": Example(
        task(calendars={"p1": (entry("08:00", "10:00", status=Status.TENTATIVE),)}),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
    "states declined_blocks": Example(
        task(calendars={"p1": (entry("08:00", "10:00", status=Status.DECLINED),)}),
        FIRST,
        ["10:00", "10:15", "10:30"],
    ),
    "states exceptions_ignored": Example(
        task(calendars={"p1": (entry("09:00", "10:00", recurrence=weekly(excepted=(MONDAY,))),)}),
        FIRST,
        ["10:00", "10:15", "10:30"],
    ),
    "states moves_ignored": Example(
        task(
            calendars={
                "p1": (
                    entry("09:00", "10:00", recurrence=weekly(moved=(Moved(day=MONDAY, **span("10:30", "11:30")),))),
                )
            }
        ),
        ["09:00", "09:15", "09:30"],
        ["10:00", "10:15", "10:30"],
    ),
    "states series_ignored": Example(
        task(said(window("09:00", "12:00", 8)), calendars={"p1": (entry("09:00", "10:00", recurrence=weekly()),)}),
        ["08 10:00", "08 10:15", "08 10:30"],
        ["08 09:00", "08 09:15", "08 09:30"],
    ),
    "notices ignored": Example(
        task(pages=page(Notice(notice_id="N001", effects=(RoomClosed(room_id="R01", **span("08:00", "10:00")),)))),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
    "notices replaced_obeyed": Example(
        task(
            pages=page(
                Notice(notice_id="N001", effects=(RoomClosed(room_id="R01", **span("08:00", "10:00")),)),
                Notice(notice_id="N002", effects=(), replaces="N001"),
            )
        ),
        FIRST,
        ["10:00", "10:15", "10:30"],
    ),
    "notices expired_obeyed": Example(
        task(pages=page(Notice(notice_id="N001", effects=(RoomClosed(room_id="R01", **span("06:00", "07:00")),)))),
        FIRST,
        [],
    ),
    # Greedily "First" takes 09:00, the only hour of Ben's that "Second" could have.
    "joint greedy": Example(plan(calendars={"p2": (entry("10:00", "12:00"),)}), ["10:00", "09:00"], ["09:00"]),
    "joint order_ignored": Example(
        plan(said(AfterMeeting(meeting="Second"), "First"), calendars={}), ["10:00", "09:00"], ["09:00", "10:00"]
    ),
    "joint limit_ignored": Example(plan(said(DailyLimit(count=1)), calendars={}), [], ["09:00", "10:00"]),
    "changes first_state": Example(
        task(
            calendars={"p1": ()},
            change=Change(
                when_shown=("calendar:p1",), edit=EntryChanged(person_id="p1", entry=entry("08:00", "10:00"))
            ),
        ),
        ["10:00", "10:15", "10:30"],
        FIRST,
    ),
}


def test_every_misreading_has_an_example() -> None:
    """The examples are those of the catalogue, each once."""
    names = {f"{one.mechanism} {one.way}" for one in MISREADINGS}

    assert names == EXAMPLES.keys()
    assert len(MISREADINGS) == len(names)


@pytest.mark.parametrize("name", EXAMPLES)
def test_misreading_changes_the_gold(name: str) -> None:
    """The gold is the one worked out by hand, and so is the answer of a solver who misreads the task."""
    example = EXAMPLES[name]
    misreading = next(one for one in MISREADINGS if f"{one.mechanism} {one.way}" == name)
    believed = misread(example.knowledge, touched(example.knowledge), misreading)
    assert believed is not None

    assert example.gold == starts(example.knowledge)
    assert example.misread == starts(believed)


@pytest.mark.parametrize("name", EXAMPLES)
def test_certificate_shows_the_misreading(name: str) -> None:
    """The effects of a task hold the misreading once, or also for each thing alone, and say that the gold changes."""
    knowledge = EXAMPLES[name].knowledge
    effects = [one for one in misread_effects(knowledge) if f"{one.mechanism} {one.way}" == name]
    alone = [one for one in misread_effects(knowledge, each=True) if f"{one.mechanism} {one.way}" == name]

    assert [("*", True)] == [(one.misread, one.changed) for one in effects]
    assert effects == alone[:1]
    assert any(one.changed for one in alone[1:])


def test_the_ways_of_a_mechanism_come_together() -> None:
    """Whoever ignores a mechanism has all of its ways; with zones, taking everybody to be in one is enough."""
    for mechanism in Mechanism:
        own = tuple(one for one in MISREADINGS if one.mechanism is mechanism)

        assert own == ways_of(mechanism) == habits_of(mechanism)[0]
    assert ["one_zone"] == [one.way for one in habits_of(Mechanism.ZONES)[1]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_habits_are_applied_one_after_another(name: str) -> None:
    """One habit leaves what it leaves alone; none leaves what is known."""
    example = EXAMPLES[name]
    misreading = next(one for one in MISREADINGS if f"{one.mechanism} {one.way}" == name)

    assert example.misread == starts(misread_all(example.knowledge, (misreading,)))
    assert example.gold == starts(misread_all(example.knowledge, ()))


def test_entries_are_misread_at_once_as_one_after_another() -> None:
    """Several of one calendar and one of another, among entries that the habit does not concern."""
    declined: dict[str, Any] = {"status": Status.DECLINED}
    mixed = (
        entry("08:00", "08:30", "e1", **declined),
        entry("08:30", "09:00", "e2"),
        entry("09:15", "09:45", "e3", **declined),
    )
    knowledge = knowledge_of(
        *task(
            invite(Required(who=Named(person="p2"))),
            calendars={"p1": mixed, "p2": (entry("10:00", "10:15", "e4", **declined),)},
        )
    )
    found = touched(knowledge)
    misreading = next(one for one in MISREADINGS if one.way == "declined_blocks")
    one_by_one = knowledge
    for slip in misreading.slips(knowledge, found):
        one_by_one = slip.apply(one_by_one)
    at_once = misread(knowledge, found, misreading)
    assert at_once is not None

    for person in ("p1", "p2"):
        assert one_by_one.calendars[person].entries == at_once.calendars[person].entries
        assert {Status.BUSY} == {one.status for one in at_once.calendars[person].entries}
    assert starts(one_by_one) == starts(at_once)
    assert starts(knowledge) != starts(at_once)


def test_a_notice_in_force_cannot_be_ignored() -> None:
    """It can if it only replaces another one, or is over: whoever knows of no notice is right then."""
    gold = {name: Gold(EXAMPLES[f"notices {name}"].knowledge) for name in ("ignored", "replaced_obeyed")}
    found = {name: [*ignorable(one, [Mechanism.NOTICES], most=0.4)] for name, one in gold.items()}

    assert {"ignored": [], "replaced_obeyed": [Mechanism.NOTICES]} == found


def test_lunch_is_local() -> None:
    """Lunch from 09:00 to 10:30 in New York ends at 15:30 UTC."""
    found = abroad(policies=[policy(LunchBlock(start="09:00", end="10:30", days=ALL_DAYS))])

    assert ["13:00", "15:30", "15:45"] == starts(knowledge_of(*found))


def test_bans_of_those_who_may_not_decide_do_not_hold() -> None:
    """A ban that nobody confirms is a proposal, even by a participant."""
    ban = said(BanWindow(**span("09:00", "10:00")))

    assert FIRST == starts(known(messages=[message("p2", ban)]))
    assert ["10:00", "10:15", "10:30"] == starts(known(messages=[message("p1", ban)]))


def entries_of(knowledge: Knowledge | None) -> Any:
    """The knowledge with calendars by their entries, so that it can be compared."""
    if knowledge is None:
        return None
    calendars = {
        name: {owner: timeline.entries for owner, timeline in getattr(knowledge, name).items()}
        for name in ("calendars", "team_calendars", "bookings")
    }
    return replace(knowledge, calendars={}, team_calendars={}, bookings={}), calendars


@pytest.mark.parametrize("theme", Theme)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_all_at_once_is_one_by_one(theme: Theme, data: st.DataObject) -> None:
    """What is misread at once is what is misread slip by slip."""
    case = data.draw(ladder_cases(theme))
    knowledge = knowledge_of(case.world, case.instance)
    found = touched(knowledge)
    quick = [misreading for misreading in MISREADINGS if misreading.at_once is not None]

    assert quick
    for misreading in quick:
        expected = misread(knowledge, found, misreading._replace(at_once=None))
        for _ in range(2):
            assert entries_of(expected) == entries_of(misread(knowledge, found, misreading))
