"""One browser for all tests, and reports of sample runs, made once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from mpcbench.evaluation.report.document import write_report
from mpcbench.evaluation.runs.folder import RunFolder
from unit_tests.builders.sample_runs import hostile_run, reported, sample_run
from unit_tests.report_browser.browser import Watched, chromium, executable

Open = Callable[..., Watched]


@pytest.fixture(scope="package")  # while it runs, no other test of the process can run an event loop
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    path = executable()
    if path is None:
        pytest.skip("no browser: install Chromium (Debian and Ubuntu: apt-get install chromium)")
    with chromium(path) as started:
        yield started


@pytest.fixture
def watched(browser: Browser) -> Iterator[Open]:
    """Opens pages that must not do anything wrong until the test is over."""
    opened: list[Watched] = []

    def open_file(file: Path, **options: Any) -> Watched:
        opened.append(Watched(browser, file, **options))
        return opened[-1]

    yield open_file
    for one in opened:
        attacked = one.attacked()
        one.context.close()
        assert not one.faults
        assert not attacked


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def sample_folder(folder: Path) -> RunFolder:
    return sample_run(folder / "sample-run")


@pytest.fixture(scope="session")
def sample(folder: Path, sample_folder: RunFolder) -> Path:
    """The report of a run of three agents on six instances."""
    write_report([reported(sample_folder)], folder / "sample.html")
    return folder / "sample.html"


@pytest.fixture(scope="session")
def both(folder: Path, sample_folder: RunFolder) -> Path:
    """The report of two runs, the second one with three trials."""
    other = sample_run(folder / "other-run", ("reference", "flawed:too-many"), ("level1-003", "level2-017"), 3)
    write_report([reported(sample_folder), reported(other)], folder / "both.html")
    return folder / "both.html"


@pytest.fixture(scope="session")
def hostile(folder: Path) -> Path:
    """The report of a run in which every text is an attack."""
    write_report([reported(hostile_run(folder / "hostile-run"))], folder / "hostile.html")
    return folder / "hostile.html"
