"""The overview, the list, the pages of episodes and the comparison can be read and moved between."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from unit_tests.report_browser.browser import PHONE
from unit_tests.report_browser.conftest import Open

pytestmark = pytest.mark.slow  # drives a browser


def heading(page: Page) -> str:
    return page.locator("article[data-view]:visible h1").inner_text()


def rows(page: Page) -> list[list[str]]:
    """The list as text, row by row."""
    return [
        [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
        for row in page.locator(".episodes tbody tr").all()
    ]


def test_overview_opens_first(watched: Open, sample: Path) -> None:
    """The report opens with tables and plots; the other views are not shown."""
    page = watched(sample).open()

    assert "Results of a run" == heading(page)
    assert page.locator(".results tbody tr").count() == 3 * 4 + 1 * 4
    assert page.locator("svg.plot:visible").count() == 4 + 3
    assert not page.locator(".episodes").is_visible()
    assert "Results of a run" == page.title()


@pytest.mark.parametrize("address", ["#/episodes", "#/episode?instance=level1-003&model=reference", "#/compare"])
def test_views_have_addresses(watched: Open, sample: Path, address: str) -> None:
    """Each view opens by its address alone, and only it is shown."""
    page = watched(sample).open(address)
    name = address.removeprefix("#/").partition("?")[0]

    assert [name] == [one.get_attribute("data-view") for one in page.locator("article[data-view]:visible").all()]
    assert page.title().endswith(" · MPCBench")


def test_unknown_address_shows_the_overview(watched: Open, sample: Path) -> None:
    """An address that names no view is no error."""
    page = watched(sample).open("#/no-such-view?x=1")

    assert "Results of a run" == heading(page)


def test_unknown_episode_is_said(watched: Open, sample: Path) -> None:
    """An address that names no episode says so."""
    page = watched(sample).open("#/episode?instance=level9-999&model=x")

    expect(page.locator("article[data-view=episode]")).to_contain_text("This report holds no episode of level9-999")


def test_list_shows_every_episode(watched: Open, sample: Path) -> None:
    """Outcome, F1 and cause are shown beside every instance and model, in the order of the data."""
    page = watched(sample).open("#/episodes")
    found = rows(page)

    assert 18 == len(found)
    assert ["level1-003", "level1-003", "level1-003", "level1-042"] == [row[0] for row in found[:4]]
    assert ["level1-003", "reference", "✓ passed", "1.000", ""] == found[2][:5]
    assert ["level1-042", "flawed:prose-only", "! error", "", "endpoint: HTTP 503 after 5 attempts"] == found[3][:5]
    assert "18 episodes" == page.locator(".found [role=status]").inner_text()


def test_page_shows_the_episode(watched: Open, sample: Path) -> None:
    """The page of an episode has its timeline and transcript, and names what it shows."""
    page = watched(sample).open("#/episode?instance=level3-004&model=flawed%3Atoo-many")
    body = page.locator("article[data-view=episode] .body")

    expect(body.locator("h2").first).to_contain_text("level3-004")
    expect(body.get_by_role("heading", name="Timeline")).to_be_visible()
    expect(body.get_by_role("heading", name="Transcript")).to_be_visible()
    assert body.locator("svg").count() > 0
    assert "level3-004, flawed:too-many · MPCBench" == page.title()


def test_next_and_previous_follow_the_list(watched: Open, sample: Path) -> None:
    """They step through the list as it was filtered and sorted, and end where it ends; back leads to that list."""
    page = watched(sample).open("#/episodes?model=reference&sort=-instance")
    page.locator(".episodes a").first.click()
    body = page.locator("article[data-view=episode] .body")
    expect(body.locator("h2").first).to_contain_text("level3-082")
    trail = page.locator(".trail")
    assert trail.get_by_text("Previous").get_attribute("aria-disabled") == "true"

    trail.get_by_role("link", name="Next").click()
    expect(body.locator("h2").first).to_contain_text("level3-004")
    for _ in range(4):
        trail.get_by_role("link", name="Next").click()
    expect(body.locator("h2").first).to_contain_text("level1-003")
    assert trail.get_by_text("Next").get_attribute("aria-disabled") == "true"

    trail.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(re.compile(r"#/episodes\?model=reference&sort=-instance$"))
    assert 6 == len(rows(page))


def test_history_leads_back(watched: Open, sample: Path) -> None:
    """The browser's own back and forward work between views."""
    page = watched(sample).open("#/overview")
    page.get_by_role("link", name="Episodes").click()
    page.locator(".episodes a").first.click()
    expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
    page.go_back()
    assert "Episodes" == heading(page)
    page.go_back()
    assert "Results of a run" == heading(page)
    page.go_forward()

    assert "Episodes" == heading(page)


def test_episodes_of_an_instance_lead_to_each_other(watched: Open, both: Path) -> None:
    """All models, trials and runs of the instance are linked, the one that is shown is marked."""
    page = watched(both).open("#/episode?instance=level2-017&model=reference&trial=2&run=B")
    links = page.locator(".variants a")
    texts = [" ".join(text.split()) for text in links.all_inner_texts()]

    assert 3 + 2 * 3 == len(texts)
    assert "reference, trial 2 · B ✓ passed" == " ".join(
        page.locator('.variants a[aria-current="page"]').inner_text().split()
    )
    links.filter(has_text="flawed:prose-only").click()
    expect(page.locator("article[data-view=episode] .body h2").first).to_contain_text("flawed:prose-only")
    expect(page).to_have_url(re.compile("run=A"))


def test_flips_lead_to_their_episodes(watched: Open, sample: Path) -> None:
    """What one model solved and the other did not is linked from the comparison."""
    page = watched(sample).open("#/compare")
    pair = page.locator(".pair").nth(1)
    pair.locator("summary").click()
    pair.locator(".flips a").first.click()

    expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()


def test_theme_can_be_chosen(watched: Open, sample: Path) -> None:
    """The button turns the theme over, says what it will do next, and the choice stays."""
    one = watched(sample, color_scheme="light")
    page = one.open()
    button = page.locator("button.theme")
    back = "getComputedStyle(document.body).backgroundColor"
    assert ("Dark theme", "rgb(255, 255, 255)") == (button.get_attribute("aria-label"), page.evaluate(back))
    button.click()
    dark = page.evaluate(back)
    assert "rgb(255, 255, 255)" != dark
    page = one.open("#/episodes")

    assert dark == page.evaluate(back)
    assert "Light theme" == page.locator("button.theme").get_attribute("aria-label")


def test_theme_follows_the_system(watched: Open, sample: Path) -> None:
    """Without a choice the report is as dark as the system, plots included."""
    light, dark = (watched(sample, color_scheme=scheme).open() for scheme in ("light", "dark"))
    ink = "getComputedStyle(document.querySelector('svg.plot .fill-ink')).fill"

    assert light.evaluate(ink) == light.evaluate("getComputedStyle(document.body).color")
    assert dark.evaluate(ink) == dark.evaluate("getComputedStyle(document.body).color")
    assert light.evaluate(ink) != dark.evaluate(ink)


@pytest.mark.parametrize(
    "address", ["#/overview", "#/compare", "#/episodes", "#/episode?instance=level3-082&model=reference"]
)
@pytest.mark.parametrize("which", ["sample", "both", "hostile"])
def test_phone_needs_no_sideways_scroll(
    watched: Open, which: str, address: str, request: pytest.FixtureRequest
) -> None:
    """On a phone the page is as wide as the window; only tables and timelines scroll, by themselves."""
    one = watched(request.getfixturevalue(which), viewport=PHONE, has_touch=True, is_mobile=True)
    page = one.open(address)
    if which != "hostile" and address.startswith("#/episode?"):
        expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
    for fold in page.locator("article[data-view]:visible details").all():
        fold.evaluate("fold => { fold.open = true }")

    assert one.overflow() <= 0


def test_without_script_the_overview_can_be_read(watched: Open, both: Path) -> None:
    """Tables, plots and the comparison are there without JavaScript; a word says what is not."""
    page = watched(both, java_script_enabled=False).open()

    assert page.get_by_text("This browser runs no JavaScript here").is_visible()
    assert page.locator(".results").is_visible()
    assert page.locator("svg.plot:visible").count() > 4
    assert page.get_by_role("heading", name="Side by side").is_visible()
    assert not page.locator(".episodes").is_visible()


def test_report_can_be_printed(watched: Open, sample: Path) -> None:
    """On paper there are no controls, and nothing is cut off by a scroll bar."""
    one = watched(sample)
    page = one.open()
    page.emulate_media(color_scheme="light")
    page.locator("button.theme").click()
    page.emulate_media(media="print", color_scheme="dark")

    assert not page.locator("header.top").is_visible()
    assert "visible" == page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX")
    assert "rgb(255, 255, 255)" == page.evaluate("getComputedStyle(document.body).backgroundColor")
