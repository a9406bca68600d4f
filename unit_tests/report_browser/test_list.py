"""The list of episodes is filtered, searched and sorted by mouse and by keyboard, and its address holds how."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from unit_tests.report_browser.conftest import Open
from unit_tests.report_browser.test_views import rows

pytestmark = pytest.mark.slow  # drives a browser


def column(page: Page, place: int) -> list[str]:
    return [row[place] for row in rows(page)]


@pytest.mark.parametrize(
    ("name", "value", "place", "expected", "number"),
    [
        ("level", "2", 0, {"level2-017", "level2-050"}, 6),
        ("model", "reference", 1, {"reference"}, 6),
        ("outcome", "error", 2, {"! error"}, 1),
        ("outcome", "passed", 2, {"✓ passed"}, None),
    ],
)
def test_filters_leave_what_fits(
    watched: Open, sample: Path, name: str, value: str, place: int, expected: set[str], number: int | None
) -> None:
    """Only fitting episodes stay, their number is announced, and the address holds the filter."""
    page = watched(sample).open("#/episodes")
    page.locator(f'.filters [name="{name}"]').select_option(value)
    found = column(page, place)

    assert expected == set(found)
    assert number in {None, len(found)}
    assert f"{len(found)} of 18 episodes" == page.locator(".found [role=status]").inner_text()
    expect(page).to_have_url(re.compile(re.escape(f"#/episodes?{name}={value}") + "$"))


def test_causes_are_filtered_by_any_explanation(watched: Open, sample: Path) -> None:
    """An episode that several causes explain equally well is found by each of them."""
    page = watched(sample).open("#/episodes")
    options = page.locator('.filters [name="cause"] option').all_inner_texts()[1:]
    assert options

    for option in options:
        page.locator('.filters [name="cause"]').select_option(option)
        assert rows(page)
        assert {"✗ failed"} == set(column(page, 2))


@pytest.mark.parametrize(
    ("text", "number"),
    [("level1-003", 3), ("LEVEL1 too-many", 2), ("503", 1), ("nothing like this", 0), ("   ", 18), ("(", None)],
)
def test_search_looks_into_everything(watched: Open, sample: Path, text: str, number: int | None) -> None:
    """Every word has to occur in the instance, the model, the outcome, a cause or the fault; case does not matter."""
    page = watched(sample).open("#/episodes")
    page.get_by_label("Search").fill(text)
    found = len(rows(page))

    assert number in {None, found}
    expect(page.locator(".found [role=status]")).to_contain_text(f"{found} ")


def test_filters_are_cleared_at_once(watched: Open, sample: Path) -> None:
    """One button brings back the whole list, and typing can go on."""
    page = watched(sample).open("#/episodes?level=2&q=reference&outcome=passed")
    assert 2 == len(rows(page))
    assert "2" == page.locator('.filters [name="level"]').input_value()
    page.get_by_role("button", name="Clear the filters").click()

    assert 18 == len(rows(page))
    expect(page).to_have_url(re.compile("#/episodes$"))
    assert "q" == page.evaluate("document.activeElement.name")


@pytest.mark.parametrize(
    ("heading", "place", "first_down"),
    [("F1", 3, True), ("Turns", 5, True), ("Tokens", 7, True), ("Seconds", 9, True), ("Model", 1, False)],
)
def test_headings_sort(watched: Open, sample: Path, heading: str, place: int, first_down: bool) -> None:
    """A heading sorts, numbers from the greatest first; again, and it sorts the other way. Unknowns stay last."""
    page = watched(sample).open("#/episodes")
    button = page.locator(".episodes th").get_by_role("button", name=heading, exact=True)

    for down in (first_down, not first_down):
        button.click()
        texts = [text.replace(",", "") for text in column(page, place)]
        known = [float(text) if place > 1 else text for text in texts if text]
        assert sorted(known, reverse=down) == known
        assert all(texts[: len(known)])
        direction = "descending" if down else "ascending"
        assert [direction] == [one.get_attribute("aria-sort") for one in page.locator(".episodes th[aria-sort]").all()]


def test_address_restores_the_list(watched: Open, sample: Path) -> None:
    """The whole state is in the address: opened anew, the list is the same."""
    one = watched(sample)
    page = one.open("#/episodes")
    page.get_by_label("Search").fill("level3")
    page.locator('.filters [name="outcome"]').select_option("failed")
    page.locator(".episodes th").get_by_role("button", name="Calls").click()
    before, address = rows(page), page.evaluate("location.hash")
    again = one.open(address)

    assert before
    assert before == rows(again)
    assert "level3" == again.get_by_label("Search").input_value()


@pytest.mark.parametrize(
    "address", ["?sort=-__proto__", "?level=9", "?sort=run", "?q=%E0%A4%A", "?=&&&sort", "?cause=x"]
)
def test_odd_addresses_do_no_harm(watched: Open, sample: Path, address: str) -> None:
    """What an address asks for and is not there finds nothing, or leaves the usual order."""
    page = watched(sample).open(f"#/episodes{address}")

    assert len(rows(page)) in {0, 18}
    assert page.locator(".episodes th[aria-sort]").count() == 1


def test_list_can_be_used_by_keyboard_alone(watched: Open, sample: Path) -> None:
    """Tab reaches the skip link, the views, the filters, the headings and the episodes; Enter opens one."""
    page = watched(sample).open("#/episodes")
    page.keyboard.press("Tab")
    assert "Skip to the content" == page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    assert "main" == page.evaluate("document.activeElement.id")
    expect(page).to_have_url(re.compile("#/episodes$"))
    page.keyboard.press("Tab")
    assert "q" == page.evaluate("document.activeElement.name")
    page.keyboard.type("reference level3")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"#/episodes\?q=reference\+level3&level=1$"))
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('th') !== null"):
            break
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("sort=-instance"))
    page.goto(f"{page.url.partition('#')[0]}#/episodes?q=reference")
    expect(page.locator(".episodes tbody tr")).to_have_count(6)
    page.locator(".episodes tbody a").nth(1).focus()
    page.keyboard.press("Enter")

    expect(page.locator("article[data-view=episode] .body h2").first).to_contain_text("level1-042")
    assert "H1" == page.evaluate("document.activeElement.tagName")


def test_focus_can_be_seen(watched: Open, sample: Path) -> None:
    """Whatever the keyboard reaches has an outline."""
    page = watched(sample).open("#/episodes")

    for _ in range(14):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            "(() => { const style = getComputedStyle(document.activeElement);"
            " return [style.outlineStyle, parseFloat(style.outlineWidth)] })()"
        )
        assert "none" != outline[0]
        assert outline[1] >= 2
