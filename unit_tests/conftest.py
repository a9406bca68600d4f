"""How Hypothesis runs: however slow the machine is, in CI with the same examples every time, and briefly with `not slow`."""

import os

import pytest
from hypothesis import HealthCheck, settings

QUICK_EXAMPLES = 15
"""Of a property that does not say how many; Hypothesis tries 100, the whole suite too."""

settings.register_profile("developer", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("developer"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile before any module with tests is imported."""
    profile = settings.get_profile("ci" if os.environ.get("CI") else "developer")
    if "not slow" in config.option.markexpr:
        profile = settings(profile, max_examples=QUICK_EXAMPLES)
    settings.register_profile("chosen", profile)
    settings.load_profile("chosen")
