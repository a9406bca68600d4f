"""Plots are SVG without styles or foreign names, coloured by classes, whatever the models are called."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mpcbench.evaluation.report.model_result import ModelResult, model_results
from mpcbench.evaluation.report.plots.plots import capability_plot, causes_plot, scores_plot
from mpcbench.evaluation.report.plots.svg import Paint
from mpcbench.evaluation.report.templating import ASSETS
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.model_output import one_line
from unit_tests.builders.sample_runs import reported
from unit_tests.hostile_text import CORPUS


@pytest.fixture(scope="module")
def found(sample: RunFolder) -> list[ModelResult]:
    return model_results([reported(sample)])


def plots(found: list[ModelResult], name: Any = lambda one: one.row.model) -> list[ET.Element]:
    return [
        ET.fromstring(plot)
        for plot in (
            scores_plot(found, name, "f1", "F1"),
            scores_plot(found, name, "exact_match", "EM"),
            capability_plot(found, name, "Capabilities"),
            causes_plot(found, name, "Causes"),
        )
    ]


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter("text")]


def test_plots_hold_no_style_and_no_colour(found: list[ModelResult]) -> None:
    """A strict policy forbids style attributes, and a theme needs classes in place of colours."""
    for root in plots(found):
        for element in root.iter():
            assert "style" not in element.attrib
            assert element.tag not in {"style", "metadata"}
            for name in ("fill", "stroke"):
                assert element.attrib.get(name, "none") == "none"


def test_every_class_has_its_rule(found: list[ModelResult]) -> None:
    """Each colour of a plot is given in the style sheet, as fill and as stroke."""
    style = (ASSETS / "report.css").read_text()
    used = {
        name for root in plots(found) for element in root.iter() for name in element.attrib.get("class", "").split()
    } - {"plot"}

    assert used
    assert used <= {f"{what}-{paint.css}" for what in ("fill", "stroke") for paint in Paint}
    for name in used | {f"fill-{paint.css}" for paint in Paint}:
        assert f".{name} {{" in style


def test_ids_differ_between_plots(found: list[ModelResult]) -> None:
    """References stay within their plot, and no ID stands twice on a page."""
    ids: list[str] = []
    for root in plots(found):
        own = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        references = {element.attrib["href"].removeprefix("#") for element in root.iter("use")}
        references |= set(re.findall(r"url\(#(\w+)\)", ET.tostring(root, encoding="unicode")))
        assert references == set(own)
        ids += own

    assert len(set(ids)) == len(ids)


def test_plots_name_models_and_levels(found: list[ModelResult]) -> None:
    """Beside every plot stand all models below a heading for each level."""
    for root in plots(found):
        shown = texts(root)
        assert [f"Level {level}" for level in (1, 2, 3)] == [text for text in shown if text.startswith("Level")]
        assert 3 == shown.count("reference")
        assert root.attrib["aria-label"]
        assert "img" == root.attrib["role"]


def test_scores_are_written_beside_their_points(found: list[ModelResult]) -> None:
    """The value of each row is that of the table, and lies where the axis says."""
    root = plots(found)[0]
    shown = texts(root)

    for standing in found:
        assert standing.row.average_f1 is not None
        assert f"{standing.row.average_f1:.3f}" in shown


def test_points_lie_where_their_values_are(found: list[ModelResult]) -> None:
    """The x of a point grows with its value, from the tick of 0 to that of 1."""
    root = plots(found)[0]
    ticks = {one.text: float(one.attrib["x"]) for one in root.iter("text") if one.text in {"0", "1"}}
    points = [float(one.attrib["x"]) for one in root.iter("use") if "fill-accent" in one.attrib.get("class", "")]
    expected = [
        ticks["0"] + (standing.row.average_f1 or 0) * (ticks["1"] - ticks["0"])
        for standing in found
        if standing.row.average_f1 is not None
    ]

    assert expected == pytest.approx(points, abs=0.5)


@pytest.mark.parametrize("text", CORPUS)
def test_names_cannot_break_a_plot(found: list[ModelResult], text: str) -> None:
    """A name is text, without mathematics, whatever characters it has, and draws no warning."""
    name = one_line(text, 18) or "(no name)"
    root = ET.fromstring(scores_plot(found, lambda _: name, "f1", "F1"))

    assert len(found) == texts(root).count(name)
    assert {"svg", "title", "desc", "defs", "g", "path", "use", "text", "clipPath", "rect"} >= {
        element.tag for element in root.iter()
    }


def test_model_without_a_score_keeps_its_row(found: list[ModelResult]) -> None:
    """A model all of whose episodes are void is named, with a word in place of a point."""
    row = found[0].row
    none = dict.fromkeys(type(row.estimates).model_fields)
    void = row.model_copy(update={"estimates": row.estimates.model_copy(update=none), "causes": ()})
    standing = found[0]._replace(row=void)

    assert "no score" in texts(ET.fromstring(scores_plot([standing], lambda _: "m", "f1", "F1")))
    assert 3 == texts(ET.fromstring(capability_plot([standing], lambda _: "m", "Capabilities"))).count("unknown")
