"""What drawings are made of: paths, discs and texts in pixels, which templates/shapes.html.j2 writes as SVG.

They carry class names in place of colours, for the light and the dark theme and a strict Content-Security-Policy.
"""

from typing import NamedTuple


class Path(NamedTuple):
    """A path, with what it tells when pointed at."""

    d: str
    title: str = ""


class Disc(NamedTuple):
    """A circle."""

    x: str
    y: str
    radius: str


class Text(NamedTuple):
    """A text at a point of its base line."""

    x: str
    y: str
    text: str


class Group(NamedTuple):
    """Shapes of one look; later ones cover earlier ones."""

    look: str
    """Class names."""

    paths: tuple[Path, ...] = ()
    texts: tuple[Text, ...] = ()
    discs: tuple[Disc, ...] = ()


def pixels(value: float) -> str:
    """A length with at most one decimal place."""
    return f"{round(value, 1):g}"


def box(left: float, top: float, width: float, height: float) -> str:
    """The path of a rectangle."""
    return f"M{pixels(left)} {pixels(top)}h{pixels(width)}v{pixels(height)}H{pixels(left)}z"
