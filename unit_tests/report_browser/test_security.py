"""Nothing that a model, a name or a file says can run, load, cover or lead anywhere."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from unit_tests.hostile_text import FLAG
from unit_tests.report_browser.browser import Watched
from unit_tests.report_browser.conftest import Open

pytestmark = pytest.mark.slow  # drives a browser

FOREIGN = "script, iframe, object, embed, img, video, audio, form, input, link, meta, base, style, dialog, a[href]"
"""What no page of an episode holds."""


def test_every_hostile_page_is_only_text(watched: Open, hostile: Path) -> None:
    """In all views and on the page of every episode, attacks are text: no dialog, request, error, element or global."""
    one = watched(hostile)
    page = one.open("#/overview")
    for view in ("#/compare", "#/episodes"):
        one.go(view)
    expect(page.locator(".episodes tbody tr")).to_have_count(6)
    addresses = [link.get_attribute("href") or "" for link in page.locator(".episodes tbody a").all()]
    shown = []
    for address in addresses:
        assert address.startswith("#/episode?")
        one.go(address)
        body = page.locator("article[data-view=episode] .body")
        expect(body.locator("h2").first).to_be_visible()
        for fold in body.locator("details").all():
            fold.evaluate("fold => { fold.open = true }")
        assert 0 == body.locator(FOREIGN).count()
        assert not body.evaluate(
            "body => [...body.querySelectorAll('*')].some(one => [...one.attributes].some("
            "({ name }) => name.startsWith('on') || name === 'style' || name === 'id'))"
        )
        shown.append(body.inner_text())
        page.wait_for_timeout(100)

    assert 6 == len(addresses)
    assert not one.attacked()
    # The attacks are there to be read.
    assert all(f"window.{FLAG}=1" in text for text in shown)


def test_hostile_page_stays_in_its_place(watched: Open, hostile: Path) -> None:
    """Nothing of an episode's page lies over the rest of the report, however long or tall its words are."""
    one = watched(hostile)
    page = one.open("#/episodes")
    addresses = [link.get_attribute("href") or "" for link in page.locator(".episodes tbody a").all()]

    for address in addresses:
        one.go(address)
        expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
        assert one.overflow() <= 0
        for selector in ("header.top nav a", ".trail .back", "button.theme"):
            on_top = page.locator(selector).first.evaluate(
                "one => { const box = one.getBoundingClientRect();"
                " const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
                " return one === top || one.contains(top) }"
            )
            assert on_top


def test_reordering_and_control_characters_are_shown(watched: Open, hostile: Path) -> None:
    """No character that hides or reorders what is around it reaches the page."""
    one = watched(hostile)
    page = one.open("#/episodes")
    addresses = [link.get_attribute("href") or "" for link in page.locator(".episodes tbody a").all()]
    texts = [page.locator("body").inner_text()]
    for address in addresses:
        one.go(address)
        expect(page.locator("article[data-view=episode] .body h2").first).to_be_visible()
        texts.append(page.locator("body").evaluate("body => body.textContent"))

    for text in texts:
        assert not set("\u202e\u202c\u2066\u2069\u200b\ufeff\x00\x07\x1b\x9b\u2028\x85") & set(text)
    assert any("\\u202e" in text for text in texts)
    assert any("\\x1b[31m" in text for text in texts)


def test_policy_stops_what_would_get_through(browser: Browser, sample: Path) -> None:
    """Were an attack ever to become an element, the browser would refuse to run, load or send anything."""
    one = Watched(browser, sample)
    page = one.open()
    failures: list[str | None] = []
    one.context.on("requestfailed", lambda request: failures.append(request.failure))
    page.evaluate(
        """flag => {
            const add = (tag, attributes, text) => {
                const element = document.createElement(tag);
                for (const [name, value] of Object.entries(attributes)) {
                    try {
                        element.setAttribute(name, value);
                    } catch {
                        // trusted types refuse what would run
                    }
                }
                document.body.append(element);
                return element;
            };
            add("img", { src: "https://attacker.invalid/pixel.png" });
            add("img", { src: "data:image/png;base64,AAAA", onerror: `window.${flag}=1` });
            add("iframe", { src: "https://attacker.invalid/" });
            add("link", { rel: "stylesheet", href: "https://attacker.invalid/x.css" });
            add("object", { data: "https://attacker.invalid/x.swf" });
            add("form", { action: "https://attacker.invalid/" }).submit();
            const base = add("base", { href: "https://attacker.invalid/" });
            fetch("https://attacker.invalid/").catch(() => {});
        }""",
        FLAG,
    )
    page.wait_for_timeout(300)
    html = page.evaluate(
        "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'taken' } catch { return 'refused' } })()"
    )
    evaluated = page.evaluate("(() => { try { return String(setTimeout('1')) } catch { return 'refused' } })()")
    attacked, faults = one.attacked(), list(one.faults)
    address = page.url
    one.context.close()

    assert not attacked
    assert not [fault for fault in faults if fault.startswith("dialog")]
    # The browser names the requests that it refused: none got as far as to fail for another reason.
    assert {"csp"} >= set(failures)
    assert len(failures) == sum(fault.startswith("request") for fault in faults)
    assert sum("Content Security Policy" in fault for fault in faults) >= 5
    assert "refused" == html == evaluated
    assert address.startswith(sample.as_uri())
