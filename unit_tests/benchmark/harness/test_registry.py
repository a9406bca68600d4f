from pathlib import Path

import pytest

from mpcbench.benchmark.agents.baselines import BASELINES, BaselineAgent
from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, MissingKeyError
from mpcbench.benchmark.agents.endpoint.models import OptionError
from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.dataset import Dataset

DATASET = Dataset(Path("nowhere"))


def settings(*models: str, **options: str) -> Settings:
    return Settings.from_options({"model": models, **options}, Path())


def test_reference_is_the_default() -> None:
    """Without --model the reference agent runs."""
    assert {"reference": reference_agent} == agents_of(settings(), DATASET)


def test_baselines_are_agents() -> None:
    """Every baseline can be selected by its name."""
    agents = agents_of(settings(*BASELINES), DATASET)

    assert [(name, BaselineAgent) for name in BASELINES] == [(name, type(agent)) for name, agent in agents.items()]


def test_every_other_name_is_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of models that models.toml does not have are passed on, colons and all."""
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    agents = agents_of(settings("llama3:8b", "vendor/model"), DATASET)

    assert [EndpointAgent, EndpointAgent] == [type(agent) for agent in agents.values()]


def test_options_of_the_endpoint_need_an_endpoint() -> None:
    """An option that no selected agent would use is an error."""
    with pytest.raises(SettingsError) as caught:
        agents_of(settings("reference", "noop", temperature="1"), DATASET)

    assert str(caught.value) == "--temperature: no model behind an endpoint is selected with --model"


def test_option_that_the_model_does_not_take() -> None:
    """The run does not begin."""
    with pytest.raises(OptionError) as caught:
        agents_of(settings("o4-mini", **{"temperature": "1", "base-url": "http://127.0.0.1:1/v1"}), DATASET)

    assert "temperature" in str(caught.value)


def test_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose key is not in the environment is found out before the run."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(MissingKeyError) as caught:
        agents_of(settings("gpt-4o"), DATASET)

    assert "OPENAI_API_KEY" in str(caught.value)
