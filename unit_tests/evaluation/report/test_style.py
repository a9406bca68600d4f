"""Every text of the report can be read by people with weak eyes, in the light and in the dark theme."""

import re

import pytest

from mpcbench.evaluation.report.templating import ASSETS

STYLE = (ASSETS / "report.css").read_text(encoding="utf-8")
COLOURS = {
    name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", STYLE)
}
TEXTS = ("ink", "muted", "accent", "pass", "fail", "error")
BACKGROUNDS = ("page", "surface", "raised", "warn-surface")
MARKS = ("line", "accent", "decomposition", "acquisition", "integration", "format", "unexplained")


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    """Black on white has a contrast of 21; the grey #767676 is the lightest with 4.5."""

    assert pytest.approx(21) == contrast("#000000", "#ffffff")
    assert contrast("#767676", "#ffffff") >= 4.5 > contrast("#777777", "#ffffff")


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("background", BACKGROUNDS)
def test_texts_have_contrast(theme: int, text: str, background: str) -> None:
    """Text has at least 4.5 to 1 on every background (WCAG AA)."""

    assert contrast(COLOURS[text][theme], COLOURS[background][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("mark", MARKS)
def test_marks_have_contrast(theme: int, mark: str) -> None:
    """Bars, points and the borders of controls have at least 3 to 1 on the page (WCAG AA)."""

    assert contrast(COLOURS[mark][theme], COLOURS["page"][theme]) >= 3


def test_style_loads_nothing() -> None:
    """No style names a file or an address."""
    styles = STYLE + (ASSETS / "episode.css").read_text(encoding="utf-8")

    assert not re.search(r"url\(|@import|@font-face|https?:|</", styles)
