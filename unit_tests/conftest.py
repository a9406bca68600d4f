"""How Hypothesis runs: however slow the machine is, in CI with the same examples every time, briefly where tests are left out."""

import gc
import os
import signal
from collections.abc import Iterator

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
        max_examples=QUICK if "not " in config.option.markexpr else FULL,
    )
    settings.load_profile("chosen")
    # The worlds are many long-lived objects, which the garbage collector would traverse again and again.
    gc.set_threshold(10_000)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Make Ctrl-C and hang-ups work here and in new processes; background jobs and nohup begin with them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGHUP, hangup)
