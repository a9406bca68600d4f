"""How Hypothesis runs, and in what order the tests are.

Hypothesis runs however slow the machine is, in CI with the same examples every time, and briefly where tests are left out.
"""

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the files with slow tests go first, so that no worker is left with a long one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Make Ctrl-C and hang-ups work here and in new processes; background jobs and nohup begin with them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGHUP, hangup)
