"""The reward of an episode by its parts."""

from dataclasses import fields

import pytest

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environments.reward import PENALTIES, WeightError, Weights, reward
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

NAMES = [field.name for field in fields(Weights)]


def parts_of(agent: Agent, instance_id: str) -> dict[str, float]:
    exam = DATASET.exam(instance_id)
    return dict(reward(run_episode(agent, exam), exam).parts)


@pytest.mark.parametrize("level", LEVELS)
def test_the_reference_agent_gets_all_of_it(level: Level) -> None:
    """An exact match with every needed record and no call too many has all parts and no penalty."""
    parts = parts_of(reference, DATASET.instance_ids(level)[0])

    assert {name: float(name not in PENALTIES) for name in NAMES} == parts


def test_what_a_stage_lacks_costs_its_part() -> None:
    """Without the policy one of two sources is missing, its record too, and nothing counts as integration."""
    parts = parts_of(flawed_agent("no-policy"), "level1-002")

    assert 0.5 == parts["decomposition"]
    assert 0 < parts["acquisition"] < 1
    assert 0 == parts["integration"]


def test_options_beyond_those_asked_for_cost() -> None:
    """Hedging is taken off even where the F1 alone would pay for it."""
    exam = DATASET.exam("level1-000")
    episode = run_episode(reference, exam)
    wanted = episode.answer or ()
    hedged = episode.model_copy(update={"answer": (*wanted, wanted[0])})

    assert 1 / len(wanted) == reward(hedged, exam).parts["extra_candidates"]


def test_calls_that_cannot_help_cost() -> None:
    """A failed call, a repeated one and one of a decoy count, the first call of a needed source does not."""
    exam = DATASET.exam("level2-000")
    episode = run_episode(reference, exam)
    first = episode.tool_calls[0]
    failed = first.model_copy(update={"arguments": {"page": 99}, "is_error": True})
    decoy = first.model_copy(update={"name": "search_wiki", "source": None})
    made = episode.model_copy(update={"tool_calls": (first, first, failed, decoy)})

    assert 3 / 4 == reward(made, exam).parts["unneeded_calls"]


def test_the_total_is_the_weighted_sum() -> None:
    """Only the parts with a weight count, and penalties are taken off."""
    exam = DATASET.exam("level1-002")
    episode = run_episode(flawed_agent("no-policy"), exam)
    weights = Weights.of({"decomposition": 2, "unneeded_calls": 1})
    found = reward(episode, exam, weights)

    assert 2 * 0.5 - found.parts["unneeded_calls"] == found.total
    assert episode.scores is not None
    assert episode.scores.f1 == reward(episode, exam).total


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"F1": 1}, "weights: no part is called 'F1'; the parts are f1, exact_match"),
        ({"f1": "1"}, "weights: f1: '1' is no finite number"),
        ({"f1": float("nan")}, "weights: f1: nan is no finite number"),
        ({"f1": True}, "weights: f1: True is no finite number"),
    ],
)
def test_bad_weights(given: dict[str, object], complaint: str) -> None:
    """A slip in the weights is named, with what would be right."""
    with pytest.raises(WeightError) as raised:
        Weights.of(given)

    assert str(raised.value).startswith(complaint)
