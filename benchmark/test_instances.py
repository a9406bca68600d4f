"""The benchmark: one test for every instance and model."""

import pytest

from mpcbench.benchmark.harness.session import RunSession
from mpcbench.benchmark.harness.trial import TrialResult
from mpcbench.schema.run import Case

# A library's warning is no fault of the episode.
pytestmark = pytest.mark.filterwarnings("default")


def test_instance(case: Case, result: TrialResult, run: RunSession) -> None:
    """The agent proposes exactly the gold candidates, or what `--fail-on` asks for."""
    run.judge(case, result)
