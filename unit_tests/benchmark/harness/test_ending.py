"""How a run ends on signals: on the first of them, once, and in order."""

import os
import signal
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from mpcbench.benchmark.harness import ending
from mpcbench.benchmark.harness.ending import Signals

ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def signals() -> Iterator[Signals]:
    """Taken as they are at the start of a process."""
    earlier = {number: signal.getsignal(number) for number in ALL}
    for number in ALL:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signals = Signals()
    signals.take()
    yield signals
    signals.give_back()
    for number, handler in earlier.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("first", ALL)
def test_only_the_first_signal_interrupts(signals: Signals, first: signal.Signals) -> None:
    """Those that come while the run ends change nothing."""
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), first)
    for number in ALL:
        os.kill(os.getpid(), number)

    assert first.name == signals.received


@pytest.mark.parametrize("number", ALL)
def test_signal_where_python_knows_no_line_interrupts_later(
    signals: Signals, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it interrupts can be shown."""
    monkeypatch.setattr(ending, "_LATER_SECONDS", 0.5)
    handler: Any = signal.getsignal(number)
    before = []

    def run() -> None:
        handler(number, SimpleNamespace(f_lineno=None))
        before.append(signals.received)
        time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        run()

    assert [None] == before
    assert number.name == signals.received


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", ALL)
def test_swallowed_interruption_is_made_again(
    signals: Signals, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python only warns of what is raised in a finaliser, and the run would go on to its end."""
    monkeypatch.setattr(ending, "_UNHEARD_SECONDS", 0.5)
    went_on = []

    class Finalised:
        def __del__(self) -> None:
            os.kill(os.getpid(), number)

    def run() -> None:
        Finalised()
        went_on.append(signals.received)
        time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        run()

    assert [number.name] == went_on
    assert number.name == signals.received


def test_heard_interruption_is_not_made_again(signals: Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the run takes as long as it takes."""
    monkeypatch.setattr(ending, "_UNHEARD_SECONDS", 0.1)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    signals.disarm()
    again = False
    try:
        time.sleep(0.5)
    except KeyboardInterrupt:
        again = True

    assert not again


@pytest.mark.parametrize("number", ALL)
def test_signal_during_the_end_changes_nothing(signals: Signals, number: signal.Signals) -> None:
    """A run whose tests are over is no interrupted run."""
    signals.disarm()
    os.kill(os.getpid(), number)

    assert signals.received is None


def test_signals_are_given_back(signals: Signals) -> None:
    """A process that goes on after the run handles them as before."""
    signals.give_back()

    assert [signal.default_int_handler, signal.SIG_DFL, signal.SIG_DFL] == [signal.getsignal(one) for one in ALL]
