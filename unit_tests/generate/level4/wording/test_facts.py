"""Every phrasing of every fact is read, and pages say nothing else."""

from datetime import date, datetime
from random import Random

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_fact import read_page
from mpcbench.generate.level4.wording import facts as phrasings
from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.pages import BEGINNINGS, ENDINGS, page
from mpcbench.generate.wording.choices import capitalised, every
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema.level4.facts import (
    Definition,
    Fact,
    Handover,
    NewManager,
    Notice,
    RoomClosed,
    SiteClosed,
    SiteOpen,
    Swap,
)
from mpcbench.schema.level4.world import LadderCollection
from unit_tests.builders.ladder_spoken import TODAY, ZONE, OfficeResolver, office

OFFICE = office()
RESOLVER = OfficeResolver(OFFICE)
SINCE = date(2027, 3, 15)
START, END = datetime(2027, 3, 9, 9, tzinfo=ZONE), datetime(2027, 3, 9, 12, tzinfo=ZONE)
SPAN = "on 9 March 2027 between 9:00 and 12:00"


def notice(effect: RoomClosed | SiteClosed | SiteOpen) -> Notice:
    return Notice(notice_id="N017", effects=(effect,))


@pytest.mark.parametrize(
    ("texts", "fact", "around"),
    [
        (phrasings.DEFINITION, Definition(alias="Tulip", means="p003"), "{}"),
        (phrasings.HANDOVER, Handover(role="ROLE-01", person_id="p003", since=SINCE), "{}"),
        (phrasings.NEW_MANAGER, NewManager(person_id="p003", manager="p001", since=SINCE), "{}"),
        (phrasings.SWAP, Swap(roster="RST-01", first=SINCE, last=SINCE, person_id="p003"), "{}"),
        (phrasings.ROOM_CLOSED, notice(RoomClosed(start=START, end=END, room_id="R01")), "notice N017: {}"),
        (phrasings.SITE_CLOSED, notice(SiteClosed(start=START, end=END, site="Mill Lane")), "under notice N017, {}"),
        (phrasings.SITE_OPEN, notice(SiteOpen(start=START, end=END, site="Mill Lane")), "{} (notice N017)"),
        (phrasings.REPLACES, Notice(notice_id="N017", effects=(), replaces="N004"), "{}"),
        (phrasings.TAKEN_BACK, Notice(notice_id="N017", effects=(), replaces="N004"), "{}"),
    ],
)
def test_phrasings(texts: tuple[str, ...], fact: Fact, around: str) -> None:
    """Each of at least four phrasings is read as its fact."""
    assert len(texts) >= 4
    for text in (full for one in texts for full in every(one)):
        said = text.format(
            alias="Tulip",
            meaning="Ines Costa",
            since="15 March 2027",
            days="on 15 March 2027",
            person="Ines Costa",
            manager="Ada Larsen",
            role="head of Finance",
            roster="Support desk roster",
            room="Elm (R01)",
            site="Mill Lane",
            span=SPAN,
            notice="N017",
            replaced="N004",
        )

        assert (fact,) == read_page("News", f"{capitalised(around.format(said))}.", RESOLVER), said


@pytest.mark.parametrize("texts", [*BEGINNINGS.values(), *ENDINGS.values()])
def test_what_pages_say_besides(texts: tuple[str, ...]) -> None:
    """The beginnings and endings of pages state nothing."""
    for text in (full for one in texts for full in every(one)):
        assert () == read_page("News", text, RESOLVER)


def test_the_title_of_a_definition() -> None:
    """An entry of the glossary has the alias as its title and says nothing but its meaning."""
    fact = Definition(alias="velvet ladder", means="TEAM-01")
    written = page(LadderCollection.GLOSSARY, "G1", None, TODAY, (fact,), OFFICE, Random(1))

    assert "Velvet ladder" == written.title
    assert (fact,) == read_page(written.title, written.text, RESOLVER)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (Notice(notice_id="N017", effects=()), "notice N017 has no effect"),
        (notice(RoomClosed(start=START, end=END, room_id="R99")), "the office has no room 'R99'"),
        (Swap(roster="RST-99", first=SINCE, last=SINCE, person_id="p001"), "the office has no roster 'RST-99'"),
        (Swap(roster="RST-01", first=SINCE, last=date(2027, 3, 14), person_id="p001"), "is before the first"),
        (Definition(alias='the "one"', means="p001"), "cannot be part of a sentence"),
    ],
)
def test_what_cannot_be_said(fact: Fact, message: str) -> None:
    """What no sentence would express exactly is an error that says why."""
    with pytest.raises(PhrasingError, match=message):
        phrasings.say_fact(fact, Names(OFFICE), Random(1))


def test_a_page_without_facts_needs_a_title() -> None:
    """A page that states nothing has no title of its own."""
    with pytest.raises(PhrasingError, match="needs a title"):
        page(LadderCollection.WIKI, "W1", None, TODAY, (), OFFICE, Random(1))
