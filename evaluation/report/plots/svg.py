"""Plots drawn with matplotlib, as SVG that a strict Content-Security-Policy lets through and a theme can colour.

Matplotlib writes style attributes and colours. Here each colour becomes a class, whose colour the report's style
sheet gives for the light and the dark theme; everything else of a style becomes an attribute.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure

_SVG: Final = "http://www.w3.org/2000/svg"
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"


class Paint(StrEnum):
    """The colours that plots use, as matplotlib gets them; the style sheet names a class after each."""

    INK = "#000001"
    MUTED = "#000002"
    RULE = "#000003"
    SURFACE = "#000004"
    ACCENT = "#000005"
    DECOMPOSITION = "#000011"
    ACQUISITION = "#000012"
    INTEGRATION = "#000013"
    FORMAT = "#000014"
    UNEXPLAINED = "#000015"

    @property
    def css(self) -> str:
        """What the class of a fill or a stroke of this colour ends with."""
        return self.name.lower()


@contextmanager
def drawing(salt: str) -> Iterator[None]:
    """Matplotlib's settings while a plot is drawn and written.

    Args:
        salt: Makes the IDs within this plot's SVG differ from those of the other plots of a page.
    """
    import matplotlib as mpl  # noqa: PLC0415 - takes longer to load than everything else of an evaluation

    # A font that comes with matplotlib, so that widths are the same everywhere; no mathematics: a model may be called $x$.
    settings = mpl.rc_context(
        {"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": salt, "text.parse_math": False}
    )
    with settings, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def svg(figure: "Figure", title: str, description: str) -> "Markup":
    """The figure as an SVG element for an HTML page; call it while `drawing`.

    Args:
        figure: Painted in the colours of `Paint` only.
        title: The name that assistive technology reads.
        description: What the plot shows and where its numbers stand.
    """
    from markupsafe import Markup  # noqa: PLC0415

    stream = io.BytesIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    root = ET.fromstring(stream.getvalue())  # noqa: S314 - matplotlib wrote it
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    used = {reference for element in root.iter() for reference in _references(element)}
    for element in root.iter():
        _clean(element, used)
    root.attrib = {"viewBox": root.attrib["viewBox"], "role": "img", "class": "plot"}
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        said = ET.Element(f"{{{_SVG}}}{tag}")
        said.text = text
        root.insert(place, said)
    root.attrib["aria-label"] = f"{title}. {description}"
    # In HTML the SVG elements need no prefix and no namespace.
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - serialised, so escaped


def _references(element: ET.Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if name in {_XLINK, "href"}:
            yield value.removeprefix("#")
        elif name == "clip-path":
            yield value.removeprefix("url(#").removesuffix(")")


def _clean(element: ET.Element, used: set[str]) -> None:
    attributes = dict(element.attrib)
    element.attrib.clear()
    classes = []
    for name, value in _declarations(attributes.pop("style", "")):
        if name in {"fill", "stroke"} and value in set(Paint):
            classes.append(f"{name}-{Paint(value).css}")
        elif name != "font-family":
            element.attrib[name] = value
    for name, value in attributes.items():
        if name == _XLINK:
            element.attrib["href"] = value
        elif (name != "id" or value in used) and not value.startswith("rotate(-0 "):
            element.attrib[name] = value
    if classes:
        element.attrib["class"] = " ".join(classes)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in filter(None, map(str.strip, style.split(";"))):
        name, _, value = declaration.partition(":")
        yield name.strip(), value.strip()
