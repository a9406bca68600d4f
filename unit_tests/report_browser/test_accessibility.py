"""axe-core finds no serious fault in any view, light or dark, on a desk or on a phone."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from unit_tests.report_browser.browser import DESK, PHONE
from unit_tests.report_browser.conftest import Open

pytestmark = pytest.mark.slow  # drives a browser

VIEWS = {
    "overview": "#/overview",
    "compare": "#/compare",
    "episodes": "#/episodes?sort=-f1",
    "failed episode": "#/episode?instance=level3-082&model=flawed%3Atoo-many",
    "passed episode": "#/episode?instance=level1-003&model=reference",
    "error": "#/episode?instance=level1-042&model=flawed%3Aprose-only",
    "no episode": "#/episode?instance=none",
}
SERIOUS = {"serious", "critical"}
RUN = """() => axe.run({resultTypes: ["violations"]}).then(found => ({
    faults: found.violations.map(({id, impact, nodes}) => ({id, impact, html: nodes.slice(0, 3).map(node => node.html)})),
    passes: found.passes.length,
}))"""
"""Only what is asked for: all that axe-core knows of every element takes longer to hand over than to find."""


def axe(page: Page) -> Any:
    """What axe-core, which a package of the tests brings, says of the page as it is: faults, and how many rules hold."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    return page.evaluate(RUN)


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", DESK), ("dark", DESK), ("light", PHONE)], ids=["light", "dark", "phone"]
)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(watched: Open, both: Path, view: str, scheme: str, size: dict[str, int]) -> None:
    """With every fold open, no rule of axe-core that matters is broken."""
    page = watched(both, color_scheme=scheme, viewport=size).open(VIEWS[view])
    if "episode" in view and view not in {"episodes", "no episode"}:
        expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
    page.evaluate(
        "() => document.querySelectorAll('article:not([hidden]) details').forEach(one => { one.open = true })"
    )
    found: Any = axe(page)

    assert [] == [fault for fault in found["faults"] if fault["impact"] in SERIOUS]
    assert found["passes"] > 10


def test_axe_would_find_a_fault(watched: Open, both: Path) -> None:
    """An unnamed control and pale text are found, so that finding nothing means something."""
    page = watched(both).open("#/episodes")
    page.evaluate(
        "() => { for (const label of document.querySelectorAll('.filters label')) label.replaceWith(...label.children);"
        " document.documentElement.style.setProperty('--muted', '#bbb') }"
    )
    found: Any = axe(page)

    assert {"select-name", "color-contrast"} <= {fault["id"] for fault in found["faults"] if fault["impact"] in SERIOUS}


def test_views_have_one_heading_and_landmarks(watched: Open, both: Path) -> None:
    """Each view has one heading of level 1; the page has a banner, navigation, a main part and a footer."""
    one = watched(both)
    for address in VIEWS.values():
        page = one.open(address)
        assert 1 == page.get_by_role("heading", level=1).count()
        for role in ("banner", "main", "contentinfo"):
            assert 1 == page.get_by_role(role).count()
        assert page.get_by_role("navigation", name="Views").is_visible()


def test_plots_and_tables_have_names(watched: Open, both: Path) -> None:
    """Assistive technology reads what each plot shows; every area that scrolls can be reached and has a name."""
    page = watched(both).open()

    for plot in page.locator("svg.plot").all():
        assert len(plot.get_attribute("aria-label") or "") > 40
        assert "img" == plot.get_attribute("role")
    for area in page.locator("article[data-view=overview] .scroll").all():
        assert "0" == area.get_attribute("tabindex")
        assert area.get_attribute("aria-label") or area.get_attribute("aria-labelledby")


def test_changes_are_announced(watched: Open, both: Path) -> None:
    """How many episodes fit is said in a status; a new view takes the focus to its heading."""
    page = watched(both).open("#/episodes")
    page.get_by_label("Search").fill("level2")
    assert page.get_by_role("status").inner_text().endswith(" episodes")
    page.locator(".episodes tbody a").first.click()
    expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()

    assert "H1" == page.evaluate("document.activeElement.tagName")
    assert page.evaluate("document.activeElement.textContent").startswith("level2-")
