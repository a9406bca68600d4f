"""Which agent a name means, found without importing anything."""

from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent
from mpcbench.benchmark.agents.plugged.agent import PluggedAgent
from mpcbench.benchmark.agents.plugged.spec import AgentSpec, AgentSpecError, NoModuleError
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.dataset import Dataset

DATASET = Dataset(Path("nowhere"))


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a module and a package, both of which fail when they are imported."""
    (tmp_path / "package").mkdir()
    for name in ("package/__init__.py", "package/inner.py", "single.py"):
        (tmp_path / name).write_text("raise RuntimeError")
    return tmp_path


def spec(name: str, here: Path) -> AgentSpec:
    found = AgentSpec.of(name, here, {})
    assert found is not None
    return found


def test_module(here: Path) -> None:
    """A module is looked for in the folder of the call, also within a package."""
    inner = spec("package.inner:Agents.first", here)

    assert (here, "package.inner", "Agents.first", False) == (
        inner.folder,
        inner.module,
        inner.attribute,
        inner.by_file,
    )
    assert [here / "package/inner.py", here / "package/__init__.py", here / "single.py"] == [
        spec(f"{name}:agent", here).file for name in ("package.inner", "package", "single")
    ]


def test_file(here: Path) -> None:
    """A file's own folder comes first for its imports."""
    for name in ("package/inner.py:agent", f"{here}/package/inner.py:agent"):
        inner = spec(name, here)

        assert (here / "package", "inner", here / "package/inner.py") == (inner.folder, inner.module, inner.file)


@pytest.mark.parametrize("name", ["llama3:8b", "vendor/model", "ft:gpt-4o:org::id", "a-b:c", "o4-mini", "x:class"])
def test_names_of_models(name: str, here: Path) -> None:
    """Whatever is not of the form module:attribute is the name of a model."""
    assert AgentSpec.of(name, here, {}) is None


def test_what_is_not_there(here: Path) -> None:
    """The message names what was looked for and where."""
    with pytest.raises(NoModuleError, match=f"there is no module single.inner in {here}"):
        spec("single.inner:agent", here)
    with pytest.raises(AgentSpecError, match=f"there is no file {here}/none.py"):
        spec("none.py:agent", here)


def settings(here: Path, *models: str, **options: object) -> Settings:
    return Settings.from_options({"model": models, **options}, here)


def test_module_before_model(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that is there is an agent; where there is none, the name is a model's if an endpoint is named."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    endpoint = {"base-url": "http://127.0.0.1:1/v1"}
    agents = agents_of(settings(here, "single:agent", "mistral:instruct", **endpoint), DATASET)

    assert [PluggedAgent, EndpointAgent] == [type(agent) for agent in agents.values()]
    with pytest.raises(SettingsError, match=r"there is no module mistral in .*; if it is the name of a model, give"):
        agents_of(settings(here, "mistral:instruct"), DATASET)
    with pytest.raises(SettingsError, match="there is no file"):
        agents_of(settings(here, "mistral.py:instruct", **endpoint), DATASET)


def test_options_of_agents_need_an_agent(here: Path) -> None:
    """An option that no selected agent would use is an error, and so is an argument without a name."""
    with pytest.raises(SettingsError) as caught:
        agents_of(settings(here, "reference", **{"agent-timeout": "5"}), DATASET)
    with pytest.raises(SettingsError) as wrong:
        settings(here, "single:agent", **{"agent-arg": ["x y=5"]})

    assert "--agent-timeout: no agent of yours is selected, such as --model module:attribute or --model human" == str(
        caught.value
    )
    assert "--agent-arg: 'x y=5' is not KEY=VALUE with the name of an argument as its key" == str(wrong.value)
