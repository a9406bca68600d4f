"""Plots as their template writes them."""

from xml.etree import ElementTree as ET

from mpcbench.evaluation.report.plots.plot import Plot
from mpcbench.evaluation.report.templating import templates


def drawn(plot: Plot) -> ET.Element:
    """The SVG element of a plot."""
    macros = templates().get_template("shapes.html.j2").module
    return ET.fromstring(macros.plot(plot))  # type: ignore[attr-defined]  # a macro of the template
