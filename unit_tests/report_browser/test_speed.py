"""A report of 300 instances and three models opens at once and stays small."""

import os
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

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
"""What opening may take on a machine that has nothing else to do."""

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


def load() -> float:
    """How many times as long everything takes because others use the processors too; at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def test_report_stays_small(large: Path) -> None:
    """900 episodes with their transcripts make a file that can be sent by e-mail."""

    assert large.stat().st_size < MEGABYTES * 1e6


def test_report_opens_at_once(watched: Open, large: Path) -> None:
    """The overview, the list and a page are there within two seconds of the processor, list and page much sooner."""
    page = watched(large).page
    start = time.perf_counter()
    page.goto(large.as_uri(), wait_until="load")
    expect(page.locator(".results")).to_be_visible()
    opened = time.perf_counter() - start

    start = time.perf_counter()
    page.get_by_role("link", name="Episodes").click()
    expect(page.locator(".episodes tbody tr")).to_have_count(250)
    listed = time.perf_counter() - start

    start = time.perf_counter()
    page.locator(".episodes tbody a").nth(7).click()
    expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
    shown = time.perf_counter() - start
    print(f"opened {opened:.2f} s, listed {listed:.2f} s, page {shown:.2f} s, load {load():.1f}")

    assert opened < SECONDS * load()
    assert listed < SECONDS * load()
    assert shown < SECONDS * load()


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
    """Filtering and sorting 900 episodes takes a tenth of a second at most."""
    page = watched(large).open("#/episodes")
    taken = page.evaluate(
        """() => {
            const search = document.querySelector("[name=q]");
            const start = performance.now();
            search.value = "level3";
            search.dispatchEvent(new InputEvent("input", { bubbles: true }));
            document.querySelector("[data-sort=f1] button").click();
            document.body.offsetHeight;
            return performance.now() - start;
        }"""
    )

    print(f"filtered and sorted in {taken:.0f} ms, load {load():.1f}")

    assert taken < 200 * load()
