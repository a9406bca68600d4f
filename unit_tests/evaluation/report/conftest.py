"""Sample runs, made once."""

import pytest

from mpcbench.evaluation.runs.folder import RunFolder
from unit_tests.builders.sample_runs import hostile_run, sample_run


@pytest.fixture(scope="package")
def sample(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return sample_run(tmp_path_factory.mktemp("sample") / "sample-run")


@pytest.fixture(scope="package")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return hostile_run(tmp_path_factory.mktemp("hostile") / "hostile-run")
