"""Write the pages of the intranet that state facts about the organisation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Final

from mpcbench.generate.level4.wording.facts import say_fact
from mpcbench.generate.level4.wording.names import Names, names_of
from mpcbench.generate.wording.choices import capitalised, one_of
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema.level4.facts import Definition, Fact, Handover, NewManager, Notice, Swap
from mpcbench.schema.level4.world import LadderCollection, LadderPage, LadderWorld

TITLES: Final = {
    Handover: ("A change in our roles", "New face in a familiar role", "Changing of the guard", "Who does what"),
    NewManager: ("A change in reporting lines", "New manager", "News from the organisation chart", "Reporting lines"),
    Swap: ("A change in the roster", "Duty swap", "Who is on duty", "Roster news"),
    Notice: ("Please note", "News from the buildings", "From the facilities desk", "About our rooms and buildings"),
}
BEGINNINGS: Final[Mapping[LadderCollection, Sequence[str]]] = {
    LadderCollection.ANNOUNCEMENT: (
        "[Dear colleagues, a|A] short piece of news.",
        "We'd like to let everybody know about the following.",
        "[Some|A bit of] news for all of us.",
        "This concerns several of our offices.",
    ),
    LadderCollection.SITE_NEWS: (
        "News from the house.",
        "The facilities team has news for visitors and colleagues.",
        "A word to everybody who works here or comes to visit.",
        "This week from the front desk.",
    ),
    LadderCollection.WIKI: (
        "This page is kept by volunteers.",
        "Newcomers often ask about this.",
        "Please keep this page tidy.",
        "A few words for those who are new here.",
    ),
    LadderCollection.NEWSLETTER: (
        "Welcome to another issue.",
        "In this issue you'll find gossip, recipes and a few facts.",
        "The editors send their greetings.",
        "Here's what happened in our offices.",
    ),
}
ENDINGS: Final[Mapping[LadderCollection, Sequence[str]]] = {
    LadderCollection.ANNOUNCEMENT: (
        "Many thanks to all who helped.",
        "Questions are welcome at the front desk.",
        "We wish everybody all the best.",
        "Thank you for your patience.",
    ),
    LadderCollection.SITE_NEWS: (
        "Thank you for your understanding.",
        "The front desk is happy to help.",
        "We apologise for the noise.",
        "Have a good week.",
    ),
    LadderCollection.WIKI: (
        "Corrections are welcome.",
        "Somebody ought to add a picture here.",
        "See also the page on abbreviations.",
        "That's about all.",
    ),
    LadderCollection.NEWSLETTER: (
        "The choir is still looking for tenors.",
        "The lentil recipe from the last issue was a great success.",
        "Send us your photographs.",
        "That's all for this time.",
    ),
}
"""What pages say besides, which binds nothing; entries of look-ups have none."""


def page(
    collection: LadderCollection,
    page_id: str,
    title_hint: str | None,
    posted: datetime,
    facts: Sequence[Fact],
    office: LadderWorld | Names,
    rng: Random,
) -> LadderPage:
    """A page that states the facts in their order.

    Args:
        collection: Its kind.
        page_id: Its ID within the kind.
        title_hint: Its title; if None, one that fits the first fact: for a definition the alias.
        posted: When it was posted.
        facts: What it states. Days have their year.
        office: Has the people, teams, roles, rosters, sites and rooms that the facts refer to. Give its `Names` where many
            pages are written.
        rng: Chooses among the phrasings.

    Raises:
        PhrasingError: a fact cannot be expressed exactly.
    """
    names = names_of(office)
    said = [sentence for fact in facts for sentence in say_fact(fact, names, rng)]
    before, after = (texts.get(collection, ()) for texts in (BEGINNINGS, ENDINGS))
    parts = [*_some(before, 0.6, rng), *said, *_some(after, 0.5, rng)]
    return LadderPage(
        page_id=page_id,
        collection=collection,
        title=title_hint or _title(facts, rng),
        text=" ".join(parts),
        posted=posted,
        facts=tuple(facts),
    )


def _some(texts: Sequence[str], chance: float, rng: Random) -> list[str]:
    return [capitalised(one_of(texts, rng))] if texts and rng.random() < chance else []


def _title(facts: Sequence[Fact], rng: Random) -> str:
    if not facts:
        raise PhrasingError("a page that states nothing needs a title")
    first = facts[0]
    return capitalised(first.alias) if isinstance(first, Definition) else rng.choice(TITLES[type(first)])
