"""The names of the level-4 office collide with nothing."""

from itertools import chain

from mpcbench.generate.level4.naming import OFFICE_NAMES
from mpcbench.generate.level4.world.names import LINE_TEAMS, PROJECT_TEAMS, ROOMS, meeting_names
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS
from unit_tests.builders.made_office import SEED, made_office

NAMES = meeting_names(SEED)


def test_pool_holds_enough_names() -> None:
    """At least 4,000 names are for instances, and no name, nickname or code occurs twice."""
    names = [str(one.name) for one in NAMES]
    short = [*chain.from_iterable((one.nickname, one.code) for one in NAMES)]

    assert OFFICE_NAMES >= 4000
    assert len(set(names)) == len(names)
    assert len(set(short)) == len(short)
    assert set(names).isdisjoint(short)


def test_office_leaves_the_names_of_instances_alone() -> None:
    """No alias of the office is a short name of an instance's meeting, and nothing is said about such a meeting."""
    office = made_office()
    theirs = {name for one in NAMES[:OFFICE_NAMES] for name in (str(one.name), one.code, f"the {one.nickname}")}
    aliases = {fact.alias for _, _, fact in office.facts() if isinstance(fact, Definition)}
    about = {getattr(tag, "about", "") for thread in office.threads for one in thread.messages for tag in one.tags}

    assert theirs.isdisjoint(aliases)
    assert theirs.isdisjoint(name.removeprefix(ALIAS) for name in about)


def test_short_names_are_no_names_of_teams_or_rooms() -> None:
    """The words of nicknames are neither rooms nor teams."""
    words = {word for one in NAMES for word in one.nickname.split()}
    others = {word.lower() for name in (*ROOMS, *LINE_TEAMS, *PROJECT_TEAMS) for word in name.split()}

    assert words.isdisjoint(others)
