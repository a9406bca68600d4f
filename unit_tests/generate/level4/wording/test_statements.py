"""Every phrasing of every statement is read, as a decision and as a proposal."""

from collections.abc import Iterator
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.grammar_statement import StatementReader
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.generate.level4.wording import frames
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.statements import BODIES, Speech, fields, kind_of, say, sentence
from mpcbench.generate.wording.choices import every
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema import (
    BanWindow,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    RequiredWindow,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.level4.people import AtLeast, Holder, MembersOf, Named, OnRoster, Optional, Required, StandIn
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    DailyLimit,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    Organiser,
    Said,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)
from unit_tests.builders.ladder_spoken import MEETINGS, PLAN, TODAY, ZONE, OfficeResolver, office

OFFICE = office()
NAMES = Names(OFFICE)
RESOLVER = OfficeResolver(OFFICE)
REVIEW, OTHER = MEETINGS[0], MEETINGS[2]
AUTHOR = "p002"


def at(day: int, hour: int) -> datetime:
    return datetime(2027, 3, day, hour, tzinfo=ZONE)


MIXED = (
    StandIn(who=Holder(role="ROLE-02"), stand_in=Named(person="p003")),
    AtLeast(count=2, of=(Named(person="p004"), Named(person="p005"), MembersOf(team="TEAM-03"))),
    Optional(who=OnRoster(roster="RST-01")),
)
STATEMENTS: dict[str, Any] = {
    "organiser": Organiser(person="p001"),
    "own_organiser": Organiser(person=AUTHOR),
    "delegate": Delegate(person="alias:AL"),
    "own_delegate": Delegate(person=AUTHOR),
    "duration": Duration(minutes=90),
    "duration_of": DurationOf(meeting=OTHER),
    "option_count": OptionCount(count=5),
    "window": Window(start=at(8, 0), end=at(20, 0)),
    "invited": Invited(invitations=MIXED),
    "invite": Invite(invitation=MIXED[1]),
    "uninvite": Uninvite(who=MembersOf(team="alias:Growth", contractors=False)),
    "own_uninvite": Uninvite(who=Named(person=AUTHOR)),
    "guests": Guests(count=3),
    "no_guests": Guests(count=0),
    "seats": Seats(count=14),
    "deadline": Deadline(at=at(12, 17)),
    "not_before": NotBefore(at=at(10, 9)),
    "ban_window": BanWindow(start=at(9, 15), end=at(11, 9)),
    "required_window": RequiredWindow(start=at(9, 9), end=at(9, 12)),
    "another_window": RequiredWindow(start=at(9, 0), end=at(11, 0)),
    "after_entry": AfterEntry(person="p003", event_id="e2", day=date(2027, 3, 16)),
    "tentative_block": TentativeEntries(block=True),
    "tentative_free": TentativeEntries(block=False),
    "tie_break": TieBreak(keys=(TieBreakKey.FLOOR_ASCENDING, TieBreakKey.NAME_ASCENDING)),
    "equipment": Equipment(items=("projector", "video conferencing")),
    "equipment_of": EquipmentOf(meeting="alias:the Dutch thing"),
    "site": Site(site="Mill Lane"),
    "site_of": SiteOf(meeting=OTHER),
    "agenda": Agenda(meetings=(OTHER, "alias:the Dutch thing", REVIEW)),
    "after_meeting": AfterMeeting(meeting=OTHER),
    "daily_limit": DailyLimit(count=2),
}


def sentences(kind: str, statement: Any) -> Iterator[tuple[str, Said]]:
    """Every body, named and about a plan, with the frames in turn."""
    rng = Random(kind)
    clauses = every_one((*frames.DECIDED_CLAUSES, *frames.CHANGED_CLAUSES, *frames.PROPOSED_CLAUSES))
    actions = every_one((*frames.DECIDED_ACTIONS, *frames.CHANGED_ACTIONS, *frames.PROPOSED_ACTIONS))
    bodies = BODIES[kind]
    for texts, around in ((bodies.clauses, clauses), (bodies.actions, actions)):
        for number, body in enumerate(every_one(texts)):
            for frame in around[number % 3 :: 3]:
                for about, called, plan in (
                    (REVIEW, "the Curlew pricing review", "the Curlew pricing review"),
                    (PLAN, f"each meeting of the {PLAN}", f"the {PLAN}"),
                ):
                    speech = Speech(NAMES, rng, ZONE, TODAY.date(), AUTHOR)
                    text = body.format(it=called, this=plan, **fields(statement, speech))
                    yield sentence(frame.format(body=text)), Said(about=about, statement=statement)


def every_one(texts: tuple[str, ...]) -> list[str]:
    return [full for text in texts for full in every(text)]


def test_every_kind_is_tried() -> None:
    """The statements below cover all sets of phrasings."""
    assert set(BODIES) == set(STATEMENTS)


@pytest.mark.parametrize("kind", STATEMENTS)
def test_every_kind_has_four_phrasings(kind: str) -> None:
    """There are at least four ways of saying each thing, choices of words aside."""
    bodies = BODIES[kind]

    assert len(bodies.clauses + bodies.actions) >= 4


@pytest.mark.parametrize("kind", STATEMENTS)
def test_phrasings(kind: str) -> None:
    """Each phrasing is read as its statement."""
    for text, said in sentences(kind, STATEMENTS[kind]):
        read = read_thread([Message(AUTHOR, TODAY, text)], RESOLVER)

        assert ((said,),) == read, text


@pytest.mark.parametrize("kind", STATEMENTS)
def test_no_phrasing_can_be_read_in_another_way(kind: str) -> None:
    """Of all forms that the grammar knows, those that match a phrasing agree on what it states."""
    names = NameReader(RESOLVER, AUTHOR)
    for text, said in sentences(kind, STATEMENTS[kind]):
        phrases = Phrases(text, TODAY.date(), RESOLVER)

        readings = list(StatementReader(names).readings(phrases, phrases.text))

        assert readings == [(said.statement, said.about)] * len(readings), text


def test_authors_speak_of_themselves() -> None:
    """People say "I" and "me" of themselves."""
    speech = Speech(NAMES, Random(1), ZONE, TODAY.date(), AUTHOR)
    kinds = [kind_of(STATEMENTS[kind], speech) for kind in ("own_organiser", "own_delegate", "own_uninvite")]

    assert ["own_organiser", "own_delegate", "own_uninvite"] == kinds
    assert "Ben Okafor" not in say(Invite(invitation=Required(who=Named(person=AUTHOR))), speech)


def test_what_no_meeting_of_a_plan_may_do_is_not_said_of_all_of_them() -> None:
    """ "We can't hold every meeting of the plan then" could mean that some of them may be."""
    statement = STATEMENTS["ban_window"]
    texts = {
        say(statement, Speech(NAMES, Random(seed), ZONE, TODAY.date(), AUTHOR, is_plan=True, named=PLAN))
        for seed in range(300)
    }

    assert any("o part of any meeting" in text and "can be held" in text for text in texts)
    for text in texts:
        assert "hold" not in text
        assert "o part of e" not in text
        assert ((Said(about=PLAN, statement=statement),),) == read_thread([Message(AUTHOR, TODAY, text)], RESOLVER), (
            text
        )


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (Deadline(at=datetime(2027, 10, 31, 2, 30, tzinfo=ZONE, fold=1)), "the clock shows 2027-10-31 02:30 twice"),
        (Deadline(at=datetime(2028, 3, 1, 9, tzinfo=ZONE)), "too far from 2027-03-01"),
        (Site(site="Atlantis"), "the office has no site 'Atlantis'"),
        (AfterEntry(person="p001", event_id="e3"), "no entry 'e3' with a title"),
        (AfterEntry(person="p001", event_id="e2"), "a series if and only if a day is given"),
        (DurationOf(meeting="Review: part two"), "'Review: part two' cannot be part of a sentence"),
        (Delegate(person="p099"), "the office has no person 'p099'"),
    ],
)
def test_what_cannot_be_said(statement: Any, message: str) -> None:
    """What no sentence would express exactly is an error that says why."""
    speech = Speech(NAMES, Random(1), ZONE, TODAY.date(), AUTHOR)

    with pytest.raises(PhrasingError, match=message):
        say(statement, speech)
