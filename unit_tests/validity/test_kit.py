"""The kits of flawed agents that validate the diagnosis."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random

import pytest

from unit_tests.builders.committed import DATASET
from unit_tests.validity.bench import Bench
from unit_tests.validity.expected import RIGHT, WORDS, expected_of_agent
from unit_tests.validity.judge import Expected
from unit_tests.validity.kit import FIFTH, FIRST, FOURTH, HELD_OUT, KIT, SECOND, THIRD, UNSEEN, FlawedAgent

FIRST_KIT = [name for name in sorted(KIT) if name not in {*UNSEEN, *THIRD, *FOURTH, *FIFTH, *HELD_OUT}]


def test_halves() -> None:
    """The lot with its fixed seed splits the first kit into two halves."""
    mixed = Random(20261122).sample(FIRST_KIT, len(FIRST_KIT))

    assert (sorted(mixed[:79]), sorted(mixed[79:])) == ([*FIRST], [*SECOND])


@pytest.mark.parametrize(
    ("names", "digest"),
    [
        pytest.param(FIRST_KIT, "8d4f6d7c27100106b4474796cf2ecb808d528880b9aa1b8b1819b0128a696d44", id="first"),
        pytest.param(sorted(UNSEEN), "db91282b676916590f2b56062223f40dae0a5b89e903a5ac38def313f159c317", id="unseen"),
        pytest.param(sorted(THIRD), "38bf09f6881d5dac0dce362992b0bb8324bd38458d6e015c8fbef98505a61309", id="third"),
        pytest.param(sorted(FOURTH), "3f95a12875ed08bec0bd17f01a5f27546bebd34a9d56b797cfceca88361dff8e", id="fourth"),
        pytest.param(sorted(FIFTH), "88ac68c7a43f8b5051482fa5b0022a628d57e6ef82c66521bdb7183b8240d0cf", id="fifth"),
        pytest.param(sorted(HELD_OUT), "112f7deb366669b69b8ff6665b6d8dec756b5f917b012473fe2ed9b4b436c3b8", id="sixth"),
    ],
)
def test_expected_reasons_are_frozen(names: Sequence[str], digest: str) -> None:
    """What an agent does and what it expects was fixed before anybody ran it: neither changes with the diagnosis."""
    said = "\n".join(f"{name}|{_expectation(KIT[name])}" for name in names)

    assert digest == sha256(said.encode()).hexdigest()


def test_every_agent_is_in_the_tables() -> None:
    """The tables of expected reasons cover the agents of the first kit and the words of both, and no others."""
    in_words = {name for name in FIRST_KIT if not KIT[name].reasons}
    words = {one for agent in KIT.values() for one in agent.acceptable if " " in one}

    assert in_words <= {*RIGHT} <= {*FIRST_KIT}
    assert words == {*WORDS}


def test_expectation() -> None:
    """An agent's own reasons and those of the tables are right, and the record of its slip is named."""
    agent = KIT["event-overlooked"]
    bench = Bench(DATASET)
    instance = next(bench.drawn("x", (1,)))
    bench.episode(agent, instance)
    assert agent.slip is not None

    assert Expected(
        ("integration.constraint_omitted:busy", *RIGHT["event-overlooked"]), (), agent.slip["record"]
    ) == expected_of_agent(agent, DATASET.world(1))


def _expectation(agent: FlawedAgent) -> str:
    return f"{agent.description}|{agent.stage}|{agent.expected}|{agent.reasons}|{agent.acceptable}|{agent.levels}"
