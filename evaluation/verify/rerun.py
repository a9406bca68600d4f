"""Runs agents without an endpoint again: the same case gives the same episode, but for the seconds it took."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mpcbench.benchmark.agents.baselines import BASELINES
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.record import as_json
from mpcbench.benchmark.harness.registry import FLAWED, agent_named
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import one_line

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.protocol import Agent


def needs_no_endpoint(model: str) -> bool:
    """Whether it is the reference agent, a baseline or a flawed agent, which always do the same."""
    return model == "reference" or model in BASELINES or model.startswith(FLAWED)


class Rerun:
    """The agents of a run that can be run again."""

    def __init__(self, settings: Settings, dataset: Dataset) -> None:
        self._settings = settings
        self._dataset = dataset
        self._agents: dict[str, Agent] = {}

    def findings(self, episode: Episode) -> Iterator[str]:
        """Where the episode is not what its agent does; raises `DataError`."""
        model = episode.model
        if model not in self._agents:
            try:
                self._agents[model] = agent_named(model, self._settings, self._dataset)
            except SettingsError as error:
                yield f"$.model: {error}"
                return
        exam = self._dataset.exam(episode.instance_id)
        again = Trial(case_of(episode), exam, self._settings).run(self._agents[model]).episode
        was, now = as_json(episode), as_json(again)
        differing = [name for name in was if name != "seconds" and was[name] != now[name]]
        if episode.outcome is Outcome.ERROR and again.outcome is not Outcome.ERROR:
            yield f"$.outcome: an error, and {again.outcome.value} when {one_line(model, 60)} is run again"
        elif differing:
            yield f"$.{differing[0]}: not what {one_line(model, 60)} does when it is run again"
