"""A report of 300 instances and three models costs the browser little, and stays small."""

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from mpcbench.evaluation.report import document as html
from mpcbench.evaluation.report.document import write_report
from mpcbench.evaluation.report.episode.packing import blocks
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import run_summary
from unit_tests.report_browser.conftest import Open

if TYPE_CHECKING:
    from mpcbench.schema.result import Result

pytestmark = pytest.mark.slow  # drives a browser

INSTANCES = 300
MODELS = 3
SECONDS = 2.0
"""What opening may take of processor time."""

MEGABYTES = 20


@pytest.fixture(scope="module")
def large(sample_folder: RunFolder, folder: Path) -> Path:
    """A report of 900 episodes: those of the sample again and again under other instances' names, pages included."""
    run = ReportedRun.read(sample_folder)
    by_level: dict[int, list[str]] = {}
    for result in run.results:
        if result.instance_id not in by_level.setdefault(result.level, []):
            by_level[result.level].append(result.instance_id)
    results: list[Result] = []
    for level, instances in by_level.items():
        for number, original in enumerate(islice(cycle(instances), INSTANCES // len(by_level))):
            results += [
                result.model_copy(update={"instance_id": f"level{level}-{number:03}"})
                for result in run.results
                if result.instance_id == original
            ]
    originals = list(blocks([run], [(0, result) for result in run.results]))

    def repeated(runs: object, episodes: object) -> Iterator[str]:  # noqa: ARG001 - as blocks()
        return islice(cycle(originals), INSTANCES)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html, "blocks", repeated)
        write_report(
            [ReportedRun(sample_folder, results, run_summary(sample_folder.info, results))], folder / "large.html"
        )
    assert INSTANCES * MODELS == len(results)
    return folder / "large.html"


class Clock:
    """Tells what a page costs its main thread, as long as it stays in one process, and not how long it waits.

    A wall clock would also tell what else the machine is doing.
    """

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")

    def seconds(self) -> float:
        """The seconds of processor time that the main thread has taken since the clock was made."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "ThreadTime")


def test_report_stays_small(large: Path) -> None:
    """900 episodes with their transcripts make a file that can be sent by e-mail."""

    assert large.stat().st_size < MEGABYTES * 1e6


def test_report_opens_at_once(watched: Open, large: Path) -> None:
    """The overview, the list and a page are there within two seconds of the processor each."""
    page = watched(large).page
    clock = Clock(page)
    page.goto(large.as_uri(), wait_until="load")
    expect(page.locator(".results")).to_be_visible()
    opened = clock.seconds()

    page.get_by_role("link", name="Episodes").click()
    expect(page.locator(".episodes tbody tr")).to_have_count(250)
    listed = clock.seconds()

    page.locator(".episodes tbody a").nth(7).click()
    expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
    shown = clock.seconds()
    print(f"opened {opened:.2f} s, listed {listed - opened:.2f} s, page {shown - listed:.2f} s")

    assert 0 < opened < listed < shown
    assert opened < SECONDS
    assert listed - opened < SECONDS
    assert shown - listed < SECONDS


def test_long_list_is_shown_in_parts(watched: Open, large: Path) -> None:
    """The list grows by the button at its end, which takes the focus on; filters look through all of it."""
    page = watched(large).open("#/episodes")
    more = page.get_by_role("button", name="Show 250 more of 650")
    more.click()
    expect(page.locator(".episodes tbody tr")).to_have_count(500)
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 251
    page.get_by_label("Search").fill("level3-099")

    expect(page.locator(".episodes tbody tr")).to_have_count(3)
    expect(page.get_by_role("button", name="Show")).to_have_count(0)


def test_typing_in_a_long_list_is_fast(watched: Open, large: Path) -> None:
    """Filtering and sorting 900 episodes takes a fifth of a second of the processor at most.

    Of three pages, each of them new, the one that was disturbed least counts: a busy machine takes more of the processor's
    time for the same, and never less.
    """
    taken = [_filtered_and_sorted(watched(large).open("#/episodes")) for _ in range(3)]
    print(f"filtered and sorted in {', '.join(f'{1000 * one:.0f}' for one in taken)} ms")

    assert 0 < min(taken) < 0.2


def _filtered_and_sorted(page: Page) -> float:
    """The seconds of processor time that it takes."""
    clock = Clock(page)
    start = clock.seconds()
    page.evaluate(
        """() => {
            const search = document.querySelector("[name=q]");
            search.value = "level3";
            search.dispatchEvent(new InputEvent("input", { bubbles: true }));
            document.querySelector("[data-sort=f1] button").click();
            document.body.offsetHeight;
        }"""
    )
    expect(page.locator(".episodes tbody tr").first).to_contain_text("level3")
    return clock.seconds() - start
