"""Every phrasing of a section is read, and no rule is said in fewer than four ways."""

from datetime import date
from random import Random

import pytest

from mpcbench.benchmark.agents.reference.level4.grammar_policy import read_section
from mpcbench.generate.level4.wording import policies
from mpcbench.generate.wording.choices import capitalised, every
from mpcbench.generate.wording.policies import RULES, fill_rule
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    Exemption,
    HolidaysBlock,
    LadderRule,
    Policy,
    Scope,
    TeamCalendarBlocks,
    TentativeFree,
)
from unit_tests.builders.ladder_spoken import OfficeResolver, office

OFFICE = office()
RESOLVER = OfficeResolver(OFFICE)
FIRST, LAST = date(2027, 3, 15), date(2027, 4, 30)
LISTED: tuple[WorkHours | LunchBlock | BanDowTime | BufferMin | RoomTurnaround, ...] = (
    WorkHours(start="08:00", end="17:30", days=(0, 1, 2, 3, 4)),
    LunchBlock(start="12:00", end="13:00", days=(2,)),
    BanDowTime(start="14:00", end="16:30", day=2),
    BufferMin(minutes=15),
    RoomTurnaround(minutes=10),
)
PLAIN: tuple[LadderRule, ...] = (HolidaysBlock(), TentativeFree(), TeamCalendarBlocks(), BuildingOpen())


def read(text: str) -> Policy:
    return read_section("POL-04, edition 2: Title", f"{capitalised(text)}.", RESOLVER)


def edition(**fields: object) -> Policy:
    return Policy.model_validate({"policy_id": "POL-04", "edition": 2, **fields})


def every_one(texts: tuple[str, ...]) -> list[str]:
    return [full for text in texts for full in every(text)]


@pytest.mark.parametrize("rule", PLAIN, ids=lambda rule: rule.kind)
def test_rules_without_numbers(rule: LadderRule) -> None:
    """Each of at least four phrasings is read as its rule."""
    texts = policies.RULES[rule.kind]

    assert len(texts) >= 4
    assert [edition(rules=(rule,))] * len(every_one(texts)) == [read(text) for text in every_one(texts)]


@pytest.mark.parametrize("rule", LISTED, ids=lambda rule: rule.kind)
def test_rules_with_numbers(rule: WorkHours | LunchBlock | BanDowTime | BufferMin | RoomTurnaround) -> None:
    """The phrasings of level 3 are read as the rules of level 4."""
    for text in every_one(RULES[rule.kind].rule):
        said = fill_rule(text, rule, Random(text))

        assert edition(rules=(rule,)) == read(said.removesuffix(".")), said


@pytest.mark.parametrize(
    ("texts", "fields"),
    [
        (policies.FIRST, {"first": FIRST}),
        (policies.LAST, {"last": LAST}),
        (policies.FIRST_AND_LAST, {"first": FIRST, "last": LAST}),
        (policies.EVERYWHERE, {}),
        (policies.SCOPES, {"scope": Scope(guests=True)}),
        (policies.PEOPLE_AT, {"people_at": ("Mill Lane", "Harbour House")}),
        (policies.EXEMPTIONS, {"exemptions": (Exemption(policy_id="POL-09", when=Scope(at_most=30)),)}),
        (policies.GENERAL_EXEMPTIONS, {"exemptions": (Exemption(policy_id="POL-04", when=Scope()),)}),
    ],
)
def test_what_is_said_besides_rules(texts: tuple[str, ...], fields: dict[str, object]) -> None:
    """Days, scopes and exceptions are said in at least four ways, each of which is read."""
    exempt = "POL-09" if texts is policies.EXEMPTIONS else "this section"
    conditions = "that last half an hour or less" if texts is policies.EXEMPTIONS else "with guests from outside"
    for text in every_one(texts):
        said = text.format(
            first="15 March 2027",
            last="30 April 2027",
            days="from 15 March 2027 through 30 April 2027",
            conditions=conditions,
            sites="Mill Lane or Harbour House",
            policy=exempt,
        )

        assert edition(**fields) == read(said), said
    assert len(texts) >= 4


def test_an_unknown_site() -> None:
    """A section about a site that the office does not have cannot be written."""
    with pytest.raises(PhrasingError, match="no site 'Atlantis'"):
        policies.section(edition(people_at=("Atlantis",)), OFFICE, Random(1))
