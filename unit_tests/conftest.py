"""How Hypothesis runs: however slow the machine is, in CI with the same examples every time, briefly with `not slow`."""

import os

import pytest
from hypothesis import HealthCheck, settings

from unit_tests.examples import FULL, QUICK


def pytest_configure(config: pytest.Config) -> None:
    """Choose the settings before a module with tests is imported."""
    settings.register_profile(
        "chosen",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        derandomize="CI" in os.environ,
        max_examples=QUICK if "not slow" in config.option.markexpr else FULL,
    )
    settings.load_profile("chosen")
