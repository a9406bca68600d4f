"""The data that users' agents are tried on."""

from pathlib import Path

import pytest

from mpcbench.schema.dataset import Dataset
from unit_tests.builders import small_dataset


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_dataset.write(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the agents' files are."""
    return tmp_path_factory.mktemp("agents")
