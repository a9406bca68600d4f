"""A page in Chromium that remembers everything that a report must not do."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, sync_playwright

from unit_tests.hostile_text import FLAG

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 900}
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable() -> str | None:
    """The system's Chromium; None without one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    """A browser without a screen that asks nobody for anything by itself."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page whose faults are written down."""

    def __init__(self, browser: Browser, file: Path, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(**{"viewport": DESK, "service_workers": "block", **options})
        self.context.set_default_timeout(30_000)
        self.file = file
        self.faults: list[str] = []
        self.context.on("request", self._asked)
        self.context.on("dialog", self._spoken)
        self.context.on("page", self._listen)
        self.page: Page = self.context.new_page()

    def _listen(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))

    def _asked(self, request: Request) -> None:
        if request.url.partition("#")[0] not in {self.file.as_uri(), "data:,"}:
            self.faults.append(f"request: {request.url[:200]}")

    def _spoken(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message[:200]}")
        dialog.dismiss()

    def _said(self, message: ConsoleMessage) -> None:
        self.faults.append(f"console {message.type}: {message.text[:300]}")

    def open(self, address: str = "") -> Page:
        """The report at a fragment of its address, anew."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.file.as_uri()}{address}")
        return self.page

    def go(self, address: str) -> Page:
        """To another fragment of the open report."""
        self.page.evaluate("address => { location.hash = address }", address)
        return self.page

    def attacked(self) -> bool:
        """Whether a hostile text got to run."""
        return bool(self.page.evaluate(f"'{FLAG}' in window"))

    def overflow(self) -> int:
        """The pixels by which the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
