"""The composition load counts exactly the facts that the gold depends on."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpcbench.oracle import UnresolvedError
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.facts import facts
from mpcbench.oracle.level4.hidden import hidden, records_touched
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.load import Gold, Load, Verdict, load_bearing, misread_effects
from mpcbench.oracle.level4.misreadings import MISREADINGS, misread
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema import BufferMin, Equipment, Guests, NotBefore, Room
from mpcbench.schema.level4.calendar import Status
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.people import Named, OnRoster, Required
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Agreed, Invite, Invited
from mpcbench.schema.level4.world import LadderCollection, LadderPage, Roster, Shift
from unit_tests.builders.ladder import entry, known, message, moment, required, said
from unit_tests.oracle.level4.strategies import Theme, ladder_cases

MONDAY = date(2027, 3, 1)


def names(knowledge: Any) -> list[str]:
    return [one.fact for one in load_bearing(knowledge)]


def task_lines(*but: int) -> list[str]:
    """The usual statements of the task, all of which are needed."""
    return [f"said:task.0.{place}" for place in range(5) if place not in but]


def test_bare_task_needs_its_statements_and_its_room() -> None:
    """Without the organiser, duration, count, window, invitation or room there is no gold; nothing else matters."""
    calendars = {"p1": [entry("11:30", "12:00")], "p2": [entry("09:00", "12:00")]}

    assert [*task_lines(), "room:R01"] == names(known(calendars=calendars))


def test_entries_count_one_by_one() -> None:
    """An entry counts if no other one blocks the same slots, whatever its state would be if it were busy."""
    calendars = {
        "p1": [
            entry("08:00", "09:15", "unneeded"),
            entry("09:30", "09:35", "covered"),
            entry("09:20", "09:50", "covering"),
            entry("10:00", "10:30", "declined", status=Status.DECLINED),
        ]
    }
    found = names(known(calendars=calendars))

    assert [*task_lines(), "entry:p1.covering", "state:p1.declined", "room:R01"] == found


def test_chain_counts_every_link() -> None:
    """A proposal by alias, its confirmation, the alias, the roster's shift and the entry of the person on duty count."""
    roster = Roster(roster_id="RST-01", name="", shifts=(Shift(first=MONDAY, last=MONDAY, person_id="p3"),))
    page = LadderPage(
        page_id="G1",
        collection=LadderCollection.GLOSSARY,
        title="",
        text="",
        posted=moment("07:00"),
        facts=(Definition(alias="the Dutch thing", means="Curlew review"),),
    )
    invitation = Invite(invitation=Required(who=OnRoster(roster="RST-01")))
    knowledge = known(
        messages=[
            message("p2", said(invitation, "alias:the Dutch thing")),
            message("p1", Agreed(about="Curlew review", message=0), minute=1),
        ],
        pages=(page,),
        rosters=(roster,),
        calendars={"p3": [entry("08:00", "10:00")]},
    )
    found = load_bearing(knowledge)

    assert [
        *task_lines(4),
        "said:T0001.0.0",
        "agreed:T0001.1.0",
        "definition:the Dutch thing",
        "shift:RST-01.0",
        "entry:p3.e1",
        "room:R01",
    ] == [one.fact for one in found]
    assert "glossary:G1" == found[6].record
    assert "roster:RST-01" == found[7].record


def test_load_is_estimated_from_some_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An estimate from all facts is the load, one from every third counts each for three, and no fact is tried twice."""
    knowledge = known(calendars={"p1": [entry("08:00", "10:00")]}, bookings={"R01": (entry("10:00", "10:30"),)})
    bearing = load_bearing(knowledge)
    tried: list[Verdict] = []
    verdict = Gold.verdict

    def counted(gold: Gold, other: Knowledge) -> Verdict:
        tried.append(verdict(gold, other))
        return tried[-1]

    monkeypatch.setattr(Gold, "verdict", counted)
    load, thirds = Load(Gold(knowledge)), Load(Gold(knowledge))

    assert len(bearing) == load.estimate(1)
    every = len(tried)
    assert bearing == load.bearing()
    assert every == len(tried)
    estimate = thirds.estimate(3)
    assert 3 * sum(one.changed for one in tried[every:]) == estimate
    assert bearing == thirds.bearing()
    assert 2 * every == len(tried)


def test_policies_and_rooms_count_by_rule_and_condition() -> None:
    """The rule of a policy counts, and so do the seats and each piece of equipment of rooms that lack them."""
    rooms = tuple(
        Room(room_id=f"R0{number}", name="", site="Harbour", floor=1, capacity=capacity, equipment=equipment)
        for number, capacity, equipment in ((1, 10, ("video",)), (2, 2, ("video",)), (3, 10, ()))
    )
    knowledge = known(
        said(Equipment(items=("video",))),
        said(Guests(count=3)),
        policies=[Policy(policy_id="POL-01", edition=1, rules=(BufferMin(minutes=20),))],
        calendars={"p1": [entry("08:00", "09:00")]},
        rooms=rooms,
    )

    assert [
        *task_lines(),
        "said:task.0.5",
        "said:task.0.6",
        "rule:POL-01@1.0",
        "entry:p1.e1",
        "room:R01",
        "capacity:R02",
        "equipment:R03.video",
    ] == names(knowledge)


def test_statements_that_change_nothing_do_not_count() -> None:
    """A bound that excludes nothing is no load, nor are invitations of people who are free, as long as there is one."""
    free = Invite(invitation=Required(who=Named(person="p2")))

    assert [*task_lines(4), "room:R01"] == names(known(said(NotBefore(at=moment("08:00"))), said(free)))


def test_people_of_one_statement_count_one_by_one() -> None:
    """Of three people invited together, the two who are busy at times of their own count."""
    calendars = {"p1": [entry("08:00", "09:30")], "p2": [entry("10:45", "10:50")]}
    found = names(known(said(Invited(invitations=required("p1", "p2", "p3"))), calendars=calendars))

    assert [
        *task_lines(4),
        "said:task.0.5",
        "invitation:task.0.5.0",
        "invitation:task.0.5.1",
        "entry:p1.e1",
        "entry:p2.e1",
        "room:R01",
    ] == found


@pytest.mark.parametrize("theme", Theme)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_facts_left_out_change_nothing(theme: Theme, data: st.DataObject) -> None:
    """Losing an entry that is left out, as it is near no slot that its calendar alone blocks, changes no gold."""
    case = data.draw(ladder_cases(theme))
    knowledge = knowledge_of(case.world, case.instance)
    try:
        gold = picks(knowledge)
    except UnresolvedError:
        return
    misread_effects(knowledge, each=True)
    counted = {one.fact for one in load_bearing(knowledge)}
    changing = set()
    for fact in facts(knowledge, touched(knowledge)):
        try:
            changed = set(picks(fact.lose(knowledge))) != set(gold)
        except UnresolvedError:
            changed = True
        if changed:
            changing.add(fact.name)

    assert changing == counted


def answer(knowledge: Knowledge) -> set[Pick] | None:
    """What somebody answers who knows this, worked out from nothing; None if the task cannot be solved."""
    try:
        return set(picks(knowledge))
    except UnresolvedError:
        return None


@pytest.mark.parametrize("theme", Theme)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_verdicts_are_those_of_solving_anew(theme: Theme, data: st.DataObject) -> None:
    """Without a record, with a habit or with a slip, an answer differs from the gold just as one worked out from nothing."""
    case = data.draw(ladder_cases(theme))
    knowledge = knowledge_of(case.world, case.instance)
    right = answer(knowledge)
    if right is None:
        return
    gold, found = Gold(knowledge), touched(knowledge)
    believed = [hidden(knowledge, record) for record in records_touched(knowledge, found)]
    for misreading in MISREADINGS:
        habit = misread(knowledge, found, misreading)
        believed += [] if habit is None else [habit]
        believed += [slip.apply(knowledge) for slip in misreading.slips(knowledge, found)]

    for one in believed:
        given = answer(one)
        lost = None if given is None else len(right - given)

        assert (lost, given != right) == gold.verdict(one)
