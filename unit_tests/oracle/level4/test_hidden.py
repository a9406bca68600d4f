"""Hiding a record takes away what it shows, and nothing else."""

import pytest

from mpcbench.oracle import UnresolvedError
from mpcbench.oracle.level4.hidden import hidden, records_touched
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.solve import picks
from mpcbench.oracle.level4.touched import touched
from mpcbench.schema import Duration, WorkHours
from mpcbench.schema.level4.facts import Definition, Notice, RoomClosed
from mpcbench.schema.level4.people import Holder, Required
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Invite
from mpcbench.schema.level4.world import LadderCollection, LadderPage, Role
from unit_tests.builders.ladder import entry, known, message, moment, said, span, starts

NOTICE = Notice(notice_id="N001", effects=(RoomClosed(room_id="R01", **span("09:00", "09:30")),))


def page(fact: Notice | Definition) -> LadderPage:
    return LadderPage(
        page_id="A1",
        collection=LadderCollection.ANNOUNCEMENT,
        title="",
        text="",
        posted=moment("08:00"),
        facts=(fact,),
    )


def task() -> Knowledge:
    """Ada is busy until 10, her room closed until 9:30, and a policy begins at 9:45; Ben, who holds a role, comes, too."""
    policy = Policy(policy_id="POL-01", edition=1, rules=(WorkHours(start="09:45", end="17:00", days=(0, 1, 2, 3, 4)),))
    return known(
        calendars={"p1": (entry("09:00", "10:00"),), "p2": (entry("10:00", "10:15"),)},
        bookings={"R01": (entry("10:15", "10:30"),)},
        policies=(policy,),
        messages=(message("p1", said(Invite(invitation=Required(who=Holder(role="ROLE-01"))))),),
        pages=(page(NOTICE),),
        roles=(Role(role_id="ROLE-01", name="lead", holder="p2", shown_in="person:p2"),),
    )


def test_the_whole_knowledge() -> None:
    """With everything known there is one start a quarter of an hour from 10:30 on."""
    assert ["10:30", "10:45", "11:00"] == starts(task())


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("room_calendar:R01", ["10:15", "10:30", "10:45"]),
        ("thread:T0001", ["10:30", "10:45", "11:00"]),
        ("calendar:p2", ["10:30", "10:45", "11:00"]),
        ("policy:POL-01@1", ["10:30", "10:45", "11:00"]),
        ("room:R01", []),
    ],
)
def test_one_record(record: str, expected: list[str]) -> None:
    """Each hides what only it shows."""
    assert expected == starts(hidden(task(), record))


def test_several_records() -> None:
    """Hidden one after another, they leave what none of them shows."""
    knowledge = task()
    for record in ("calendar:p1", "thread:T0001", "room_calendar:R01"):
        knowledge = hidden(knowledge, record)
    assert ["09:45", "10:00", "10:15"] == starts(knowledge)
    knowledge = hidden(knowledge, "policy:POL-01@1")
    assert ["09:30", "09:45", "10:00"] == starts(knowledge)
    knowledge = hidden(knowledge, "announcement:A1")
    assert ["09:00", "09:15", "09:30"] == starts(knowledge)


def test_a_person_who_is_not_in_the_directory() -> None:
    """Whoever is needed has to be found there; the entry also names the holder of a role."""
    with pytest.raises(UnresolvedError):
        starts(hidden(task(), "person:p1"))
    assert hidden(task(), "person:p2").roles["ROLE-01"].holder is None


def test_an_alias_is_defined_by_its_page() -> None:
    """Without the page, what is said under the alias is about nothing known."""
    knowledge = known(
        messages=(message("p1", said(Duration(minutes=30), "alias:tulip")),),
        pages=(page(Definition(alias="tulip", means="Curlew review")),),
    )
    lengths = [picks(one)[0].end - picks(one)[0].start for one in (knowledge, hidden(knowledge, "announcement:A1"))]

    assert [30, 60] == lengths


def test_records_that_can_matter() -> None:
    """All records with a fact that can matter, and the calendars of everybody who may be meant, even empty ones."""
    knowledge = task()
    found = records_touched(knowledge, touched(knowledge))

    assert len(found) == len(set(found))
    assert {
        "calendar:p1",
        "calendar:p2",
        "room:R01",
        "room_calendar:R01",
        "policy:POL-01@1",
        "thread:T0001",
        "announcement:A1",
        "person:p1",
        "person:p2",
    } == set(found)
