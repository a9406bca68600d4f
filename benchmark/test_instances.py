"""The benchmark: one test for every instance and model."""

import pytest

from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.episode import Episode

# A library's warning is no fault of the episode.
pytestmark = pytest.mark.filterwarnings("default")


def test_instance(episode: Episode, trial: Trial) -> None:
    """The agent proposes exactly the gold candidates, or what `--fail-on` asks for."""
    if episode.scores is None or trial.settings.fail_on.fails(episode.scores):
        pytest.fail(trial.explanation(episode), pytrace=False)
