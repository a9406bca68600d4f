"""Names are taken for what they look like until more is known."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.register import EntryNeed, Register, bare, undefined
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.oracle.level4.knowledge import Meaning
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.statements import Said
from unit_tests.builders.ladder_episodes import indexed


def register() -> Register:
    return Register(
        ZoneInfo("Europe/Berlin"),
        teams={"platform": "TEAM-01"},
        aliases={"KVB-4174": Meaning("glossary:G1", "Falcon pricing review"), "MTA": Meaning("wiki:W1", "p001")},
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the Falcon pricing review", "Falcon pricing review"),
        ("The Heron supplier deep dive", "Heron supplier deep dive"),
        ("KVB-4174", "alias:KVB-4174"),
        ("the velvet ladder", "alias:velvet ladder"),
        ("The velvet ladder", "alias:velvet ladder"),
        ("MTA", None),
        ("velvet ladder", None),
        ("the room for it", None),
        ("the meeting", None),
    ],
)
def test_meetings(words: str, expected: str | None) -> None:
    """Full names, codes and nicknames with an article are meetings, unless they are known to be something else."""
    assert register().meeting(words) == expected


def test_people() -> None:
    """A full name is a person from the start; the real ID does not change the one by which the person is known."""
    names = register()
    own = names.person("Tariq Meyer")

    assert names.person("MTA") == "alias:MTA"
    assert names.person("whoever is on duty") is None
    assert own is not None
    assert names.person_id("Tariq Meyer", "p042") == own
    assert (names.real[own], names.name_of(own)) == ("p042", "Tariq Meyer")
    assert names.colleagues()[own].site == ""


def test_roles() -> None:
    """Any words may be a role until nobody is found to hold it."""
    names = register()

    assert names.role("head of Finance") == "ROLE-01"
    assert names.role("head of Finance") == "ROLE-01"
    assert names.role("Captain") is None
    names.no_role.add("first mate")
    assert names.role("first mate") is None


def test_needs() -> None:
    """What cannot be told without a look-up is noted."""
    names = register()

    assert names.roster("support desk") is None
    assert names.entry("p001", "Retro", date(2027, 3, 1)) is None
    assert names.needs_rosters
    assert [*names.needed_entries] == [EntryNeed("p001", "Retro", date(2027, 3, 1))]


def test_chains_of_aliases() -> None:
    """Of a chain, the first alias that is not defined has to be looked up."""
    names = register()
    names.aliases["velvet ladder"] = Meaning("wiki:W2", "alias:QQQ-1000")

    assert undefined(["alias:velvet ladder", "alias:KVB-4174", "p001"], names) == ["QQQ-1000"]
    names.no_alias.add("QQQ-1000")
    assert undefined(["alias:velvet ladder"], names) == []


def test_threads_of_the_office() -> None:
    """Without any look-up, what threads say is read as it was meant."""
    records, _ = indexed()
    office = records.world
    for thread in office.threads[::25]:
        names = Register(
            office.zone,
            sites={site.site: site.zone for site in office.sites},
            teams={team.name.lower(): team.team_id for team in office.teams},
            rosters={roster.name.lower(): roster.roster_id for roster in office.rosters},
            people={person.name: person.person_id for person in office.people},
            roles={role.name: role.role_id for role in office.roles},
        )
        tags = read_thread([Message(one.author, one.sent, one.text) for one in thread.messages], names)

        assert [_plain(tag) for some in tags for tag in some] == [
            _plain(tag) for message in thread.messages for tag in message.tags
        ]


def _plain(tag: object) -> str:
    """A tag as text, without the articles of aliases."""
    assert hasattr(tag, "model_dump_json")
    text: str = tag.model_dump_json() if isinstance(tag, Said | Definition) else str(tag)
    return (
        text.replace(f"alias:{'the '}", "alias:").replace('"alias":"the ', '"alias":"').replace("alias:the ", "alias:")
    )


def test_articles() -> None:
    """Aliases are known without their article."""
    assert [bare(words) for words in ("the velvet ladder", "The Night Owls", "theory club")] == [
        "velvet ladder",
        "Night Owls",
        "theory club",
    ]
