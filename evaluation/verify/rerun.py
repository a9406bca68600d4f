"""Runs agents without an endpoint again, and replays: the same case gives the same episode, but for its seconds."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mpcbench.benchmark.agents.baselines import BASELINES
from mpcbench.benchmark.agents.replay import ReplayAgent
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.record import as_json
from mpcbench.benchmark.harness.registry import FLAWED, REPLAY, agent_named
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial, error_episode
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.level4.exam import any_exam
from mpcbench.schema.run import RunInfo, case_of
from mpcbench.schema.untrusted_text import one_line

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.protocol import Agent


def needs_no_endpoint(model: str) -> bool:
    """Whether it is the reference agent, a baseline or a flawed agent, which always do the same."""
    return model == "reference" or model in BASELINES or model.startswith(FLAWED)


def replayed(model: str, info: RunInfo) -> ReplayAgent | None:
    """The agent of a `replay:` model; None if the run that it replays is not where it was, or is another."""
    try:
        agent = ReplayAgent(model.removeprefix(REPLAY), Path())
    except (RunError, RuntimeError):  # there is no home folder of that name
        return None
    return agent if agent.described() == info.agents.get(model) else None


def of_dead_worker(episode: Episode, settings: Settings) -> bool:
    """Whether it is all that is known of an episode whose worker died."""
    fault = episode.fault
    if fault is None or fault.kind != "worker":
        return False
    return bool(as_json(episode) == as_json(error_episode(case_of(episode), settings, fault)))


class Rerun:
    """The agents of a run that can be run again."""

    def __init__(self, settings: Settings, dataset: Dataset, info: RunInfo) -> None:
        self._settings = settings
        self._dataset = dataset
        self._info = info
        self._agents: dict[str, Agent | None] = {}

    def findings(self, episode: Episode) -> Iterator[str]:
        """Where the episode is not what its agent does; nothing if it cannot be run again; raises `DataError`."""
        model = episode.model
        if model not in self._agents:
            try:
                self._agents[model] = self._agent(model)
            except SettingsError as error:
                yield f"$.model: {error}"
                return
        agent = self._agents[model]
        if agent is None or of_dead_worker(episode, self._settings):
            return
        exam = any_exam(self._dataset, episode.instance_id)
        again = Trial(case_of(episode), exam, self._settings).run(agent).episode
        was, now = as_json(episode), as_json(again)
        if was["reply"] and now["reply"] and not was["reply"]["messages"]:
            now["reply"]["messages"] = []  # stored when these agents kept no messages
        differing = [name for name in was if name != "seconds" and was[name] != now[name]]
        if episode.outcome is Outcome.ERROR and again.outcome is not Outcome.ERROR:
            yield f"$.outcome: an error, and {again.outcome.value} when {one_line(model, 60)} is run again"
        elif differing:
            yield f"$.{differing[0]}: not what {one_line(model, 60)} does when it is run again"

    def _agent(self, model: str) -> "Agent | None":
        if model.startswith(REPLAY):
            return replayed(model, self._info)
        return agent_named(model, self._settings, self._dataset)
