"""The web page in a real browser: under its policy, by the keyboard alone, light, dark and narrow."""

import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mpcbench.benchmark.agents.human.agent import HumanAgent
from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial, TrialResult
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.schema.exam import Exam
from mpcbench.schema.run import Case
from unit_tests.builders import small_dataset
from unit_tests.report_browser.browser import DESK, PHONE, chromium, executable

pytestmark = pytest.mark.slow  # drives a browser

SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = executable()
    if path is None:
        pytest.skip("no browser: install Chromium (Debian and Ubuntu: apt-get install chromium)")
    with chromium(path) as started:
        yield started


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    return small_dataset.write(tmp_path_factory.mktemp("data")).exam("level3-001")


class Played:
    """An episode that waits for its person on another thread; a page remembers what must not happen."""

    def __init__(self, browser: Browser, exam: Exam, run: Path, **options: Any) -> None:
        self.results: list[TrialResult] = []
        self.faults: list[str] = []
        agent = HumanAgent({})
        address = agent.open(run, port=0)
        assert address is not None
        trial = Trial(Case("level3-001", 3, "human"), exam, Settings.from_options({"model": ["human"]}, run))
        assert Budget(DEFAULT_MAX_TURNS) == trial.budget

        def play() -> None:
            self.results.append(trial.run(agent))
            agent.stored(exam, self.results[0].episode)

        self.thread = threading.Thread(target=play, daemon=True)
        self.thread.start()
        self.agent = agent
        self.context = browser.new_context(**{"viewport": DESK, **options})
        self.context.set_default_timeout(60_000)
        page = self.page = self.context.new_page()
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith((address, "data:")) else self.faults.append(request.url),
        )
        page.goto(address)

    def close(self) -> None:
        self.context.close()
        self.agent.close()


@pytest.fixture
def played(browser: Browser, exam: Exam, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Played]:
    one = Played(browser, exam, tmp_path, **getattr(request, "param", {}))
    yield one
    one.close()
    assert [] == one.faults


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def call_calendar(page: Page) -> None:
    """A person's calendar, by the keyboard alone."""
    tab_to(page, ".tool:has([value=get_calendar]) > summary")
    press(page, "Enter")
    for name, value in (("person_id", "p001"), ("start_date", "2027-02-01"), ("end_date", "2027-02-14")):
        tab_to(page, f".tool:has([value=get_calendar]) [name='arg.{name}']")
        page.keyboard.type(value)
    press(page, "Enter")
    expect(page.locator("#call-1 svg.week")).to_have_count(2)


def test_keyboard_alone_plays_an_episode(played: Played, exam: Exam) -> None:
    """A call without a reload, a note that is saved by itself, an answer, and the explanation."""
    page = played.page
    call_calendar(page)
    expect(page.locator("#turn")).to_have_text("2")
    tab_to(page, "#notes")
    page.keyboard.type("Mornings are free")
    tab_to(page, "#notes-form button")
    expect(page.locator("#saved")).to_have_text("Saved")
    for place, gold in enumerate(exam.label.gold):
        texts = (f"{gold.start:%Y-%m-%d}", f"{gold.start:%H:%M}", f"{gold.end:%H:%M}", str(gold.room_id))
        for name, text in zip(("date", "start", "end", "room"), texts, strict=True):
            tab_to(page, f".rows tr:nth-child({place + 1}) [name={name}]")
            page.keyboard.type(text)
    tab_to(page, "#answer-form button.main")
    press(page, "Enter")
    expect(page.locator(".episode strong.outcome")).to_have_text("passed")
    tab_to(page, "form[action=next] button")
    press(page, "Enter")
    played.thread.join(timeout=20)

    (result,) = played.results
    assert result.episode.scores is not None
    assert result.episode.scores.exact_match
    assert result.episode.reply is not None
    assert "Notebook:\nMornings are free" == result.episode.reply.messages[-1]["reasoning_content"]


def test_a_slip_is_told_where_it_happened_and_drafts_survive(played: Played) -> None:
    """The line is in the tool's form, the answer's rows outlive a reload, and rows can be added."""
    page = played.page
    page.locator("[name=date]").first.fill("2027-02-01")
    page.get_by_role("button", name="Add a row").click()
    page.get_by_label("Room of option 7").fill("R03")
    page.locator(".tool:has([value=get_calendar]) > summary").click()
    form = page.locator("form:has([value=get_calendar])")
    for name, value in (("person id", "p001"), ("start date", "2027-02-01"), ("end date", "2027-02-31")):
        form.get_by_label(name).fill(value)
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("get_calendar: end_date: ")
    expect(page.locator("#turn")).to_have_text("1")
    played.faults.clear()  # Chromium notes a response of 422 in its console
    page.reload()

    expect(page.get_by_label("Date of option 1")).to_have_value("2027-02-01")
    expect(page.get_by_label("Room of option 7")).to_have_value("R03")


@pytest.mark.parametrize(
    "played",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": PHONE, "is_mobile": True}],
    ids=["light", "dark", "phone"],
    indirect=True,
)
def test_page_is_accessible_and_fits(played: Played) -> None:
    """axe-core finds nothing serious with every fold open, before the answer and after it; nothing sticks out."""
    page = played.page
    call_calendar(page)
    for _ in range(2):
        page.evaluate("document.querySelectorAll('details:not([name])').forEach(one => { one.open = true })")
        assert 0 >= page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert [] == serious(page)
        if page.locator("[name=sure]").count():
            page.locator("[name=sure]").check()
            page.get_by_role("button", name="Give up").click()
            expect(page.locator(".episode strong.outcome")).to_be_visible()


def serious(page: Page) -> list[Any]:
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"] if fault["impact"] in SERIOUS]
