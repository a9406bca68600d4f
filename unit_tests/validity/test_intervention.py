"""Handing an agent what its diagnosis names."""

import pytest

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.schema import Instance
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Stage
from mpcbench.schema.episode import Outcome
from unit_tests.builders.committed import DATASET
from unit_tests.validity.bench import Bench
from unit_tests.validity.intervention import is_mended
from unit_tests.validity.kit import KIT

BENCH = Bench(DATASET)


def failed(agent: Agent) -> Instance:
    """The first instance by lot on which an agent fails."""
    found = (one for one in BENCH.drawn("x", (1, 2, 3)) if BENCH.episode(agent, one).outcome is Outcome.FAILED)
    return next(found)


def diagnosis(reason: str, *records: str) -> Diagnosis:
    cause = Cause(reason=reason, evidence=tuple(Evidence(record=record) for record in records))
    capability = Capability(decomposition=1, acquisition=1, integration=0.5)
    return Diagnosis(stage=Stage.INTEGRATION, causes=(cause,), capability=capability)


@pytest.mark.parametrize(
    ("agent", "right", "wrong"),
    [
        ("flawed:omits-buffer", "integration.constraint_omitted:buffer_min", "integration.constraint_omitted:deadline"),
        ("flawed:first-duration", "integration.value_wrong:duration", "integration.value_wrong:option_count"),
        (
            "flawed:no-policy",
            "decomposition.source_never_queried:policy",
            "decomposition.source_never_queried:calendar",
        ),
        ("length-step-less", "integration.value_wrong:duration", "integration.value_wrong:window"),
    ],
)
def test_a_value(agent: str, right: str, wrong: str) -> None:
    """Handed the value that was wrong the agent gives the gold, and handed another value it does not."""
    own = flawed_agent(agent.removeprefix("flawed:")) if agent.startswith("flawed:") else KIT[agent]
    instance = failed(own)

    assert is_mended(BENCH, own, instance, diagnosis(right)) is True
    assert is_mended(BENCH, own, instance, diagnosis(wrong)) is False


def test_a_record() -> None:
    """Handed the calendar that was overlooked the agent gives the gold, and handed another it does not."""
    agent = KIT["event-overlooked"]
    instance = failed(agent)
    assert agent.slip is not None
    record = agent.slip["record"]
    people = BENCH.right(instance).owners.values()
    other = next(f"calendar:{person}" for person in people if f"calendar:{person}" != record)
    reason = "integration.constraint_omitted:busy"

    assert is_mended(BENCH, agent, instance, diagnosis(reason, record)) is True
    assert is_mended(BENCH, agent, instance, diagnosis(reason, other)) is False


@pytest.mark.parametrize("reason", ["integration.ranking:disjoint_slots", "integration.count:too_few", "unexplained"])
def test_nothing_to_hand_over(reason: str) -> None:
    """A habit or a number of candidates names neither a record nor a value."""
    agent = KIT["disjoint"]

    assert is_mended(BENCH, agent, failed(agent), diagnosis(reason)) is None
