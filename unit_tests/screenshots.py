"""The screenshots in README.md and docs/; `python -m unit_tests.screenshots` makes them anew.

They show the report of the runs that are named, or of a run of agents that need no model, made for the purpose, and the
web page on which a person plays.
"""

import argparse
import io
import re
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page

from mpcbench.benchmark.agents.human.agent import HUMAN, HumanAgent
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.report.document import write_report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.identity import data_of
from mpcbench.schema.dataset import DataError
from mpcbench.schema.run import Case
from unit_tests.builders.made_runs import committed, made_run
from unit_tests.report_browser.browser import DESK, PHONE, chromium, executable

CHECKOUT: Final = Path(__file__).parents[1]
IMAGES: Final = Path("docs/images")
LARGEST: Final = 150_000
"""Bytes of a picture."""

MODELS: Final = ("reference", "flawed:kick-off-only", "flawed:omits-buffer", "flawed:archived-policy")
"""The agents of the run that is made if none is named."""

EVERY: Final = 5
"""Of the instances, how many that run passes over for each that it takes."""


@dataclass(frozen=True)
class Shot:
    """A picture: which part of which view, on what screen."""

    name: str
    address: str
    top: str | None = None
    """What the picture begins with; None for the top of the page."""

    height: int = 900
    options: dict[str, Any] = field(default_factory=lambda: {"viewport": DESK, "color_scheme": "light"})


PLAYED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("search_threads", {"keyword": "Seal compliance"}),
    ("read_thread", {"thread_id": "T91673"}),
    ("get_calendar", {"person_id": "p005", "start_date": "2027-02-10", "end_date": "2027-02-24"}),
)
"""The calls before the picture of the page on which a person plays."""

NOTED: Final = (
    "90 min, 5 options, 10 to 24 Feb, 08:00 to 18:30\nwith Farid, Pavel and Esme (p005)\nHarbour House, whiteboard"
)

_DARK_PHONE: Final = {"viewport": PHONE, "color_scheme": "dark", "is_mobile": True}
SHOTS: Final = (
    Shot("report-overview", "#/overview"),
    Shot("report-plots", "#/overview", top="#scores"),
    Shot("report-episodes", "#/episodes?outcome=failed", height=640),
    Shot("report-episode", "#/episode?outcome=failed", height=1000),
    Shot("report-phone", "#/overview", height=740, options=_DARK_PHONE),
)


def take(browser: Browser, report: Path, shot: Shot) -> bytes:
    """A picture as PNG with a palette."""
    context = browser.new_context(device_scale_factor=1.5, **shot.options)
    try:
        page = context.new_page()
        if shot.address.startswith("#/episode?"):
            _open_failed(page, report)
        else:
            page.goto(f"{report.as_uri()}{shot.address}")
        top = 0.0
        if shot.top is not None:
            box = page.locator(shot.top).bounding_box()
            assert box is not None
            top = box["y"] - 24
        width = shot.options["viewport"]["width"]
        clip: Any = {"x": 0, "y": top, "width": width, "height": shot.height}
        return with_palette(page.screenshot(clip=clip, full_page=True))
    finally:
        context.close()


def _open_failed(page: Page, report: Path) -> None:
    """The last failed episode in the list, which is of the highest level, and whose timeline is the richest."""
    page.goto(f"{report.as_uri()}#/episodes?outcome=failed&sort=-instance")
    page.locator(".episodes tbody a").first.click()
    page.locator("article[data-view=episode] .body h2").first.wait_for()


def play_page(browser: Browser, folder: Path) -> bytes:
    """The page of an episode in play, after a few calls, as PNG with a palette."""
    case, agent = Case("level3-031", 3, HUMAN), HumanAgent({})
    trial = Trial(case, committed().exam(case.instance_id), Settings.from_options({"model": [HUMAN]}, folder))
    address = agent.open(folder, port=0)
    assert address is not None
    episode = agent.episode(case, trial.told, trial.toolbox(), trial.budget)
    for name, arguments in PLAYED:
        episode.call(name, arguments)
    episode.write_notes(NOTED)
    threading.Thread(target=trial.run, args=(agent,), daemon=True).start()
    context = browser.new_context(device_scale_factor=1.5, **SHOTS[0].options)
    try:
        page = context.new_page()
        page.goto(address)
        page.locator(".tool > summary", has_text=re.compile("^get_calendar$")).click()
        page.locator(".tools").evaluate("list => { list.scrollTop = 80 }")
        return with_palette(page.screenshot())
    finally:
        context.close()
        agent.close()


def with_palette(png: bytes) -> bytes:
    """The picture with at most 128 colours, which is all that a report has but for the edges of letters."""
    from PIL import Image  # noqa: PLC0415 - only pictures need it

    stream = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(
        stream, "PNG", optimize=True
    )
    return stream.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Make all pictures; 0 for success, 2 where there is no browser or no such run, or a picture is too large."""
    parser = argparse.ArgumentParser(prog="python -m unit_tests.screenshots", description=__doc__.split("\n")[0])
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="*", help="folders of runs (default: a run made now)")
    parser.add_argument("--out", metavar="DIR", type=Path, default=CHECKOUT / IMAGES, help=f"default: {IMAGES}")
    options = parser.parse_args(arguments)
    browser = executable()
    if browser is None:
        print("error: no browser: install Chromium (Debian and Ubuntu: apt-get install chromium)", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _make(browser, options.runs or [_made(Path(folder) / "example")], Path(folder), options.out)
    except (RunError, DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _made(path: Path) -> Path:
    instances = [one.instance_id for level in committed().levels for one in committed().instances(level)[::EVERY]]
    return made_run(path, MODELS, instances).path


def _make(browser: str, paths: list[Path], folder: Path, out: Path) -> int:
    runs = []
    for path in paths:
        run = RunFolder.open(path)
        runs.append(ReportedRun.read(run, data_of(run.info, None, CHECKOUT)))
    report = folder / "report.html"
    write_report(runs, report)
    out.mkdir(parents=True, exist_ok=True)
    with chromium(browser) as started:
        for shot in SHOTS:
            _write(out / f"{shot.name}.png", take(started, report, shot))
        _write(out / "play.png", play_page(started, folder))
    return 0


def _write(file: Path, content: bytes) -> None:
    """Write a picture; raises `OSError` if it is too large."""
    if len(content) > LARGEST:
        raise OSError(f"{file} would have {len(content):,} bytes, more than {LARGEST:,}")
    file.write_bytes(content)
    print(f"{file}: {len(content):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
