"""The colours of the page can be told from what they stand on, in light and in dark."""

import re

import pytest

from mpcbench.evaluation.report.templating import ASSETS

TEXT, MARK = 4.5, 3.0
"""The least contrast of text and of marks; WCAG 2.2, success criteria 1.4.3 and 1.4.11."""

LIGHT, DARK = 0, 1


def colours(scheme: int) -> dict[str, str]:
    """The variables' colours in one scheme, without the report's own."""
    found = re.findall(
        r"--e-([a-z-]+):[^;]*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (ASSETS / "episode.css").read_text("utf-8")
    )
    return {name: pair[scheme] for name, *pair in found}


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        *((text, "back", TEXT) for text in ("text", "quiet", "right", "wrong", "missed")),
        *((text, "soft", TEXT) for text in ("text", "quiet")),
        *(("on", back, TEXT) for back in ("right", "wrong", "quiet")),
        *(("text", back, TEXT) for back in ("missed-soft", "wrong-soft")),
        *((state, f"{state}-soft", TEXT) for state in ("right", "wrong", "missed")),
        *(("quiet", back, TEXT) for back in ("closed", "shade")),
        ("on", "hit", MARK),
        *((mark, "back", MARK) for mark in ("busy", "hit", "right", "wrong", "missed")),
    ],
)
def test_contrast(front: str, back: str, least: float, scheme: int) -> None:
    """Text and marks have the contrast that people with weak sight need."""
    of = colours(scheme)

    assert contrast(of[front], of[back]) >= least
