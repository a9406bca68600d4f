"""Plots are SVG without styles or foreign names, coloured by classes, whatever the models are called."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mpcbench.evaluation.report.model_result import ModelResult, model_results
from mpcbench.evaluation.report.plots.plot import decade_ticks, even_ticks
from mpcbench.evaluation.report.plots.plots import capability_plot, causes_plot, scores_plot
from mpcbench.evaluation.report.templating import ASSETS
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.untrusted_text import one_line
from unit_tests.builders.sample_runs import reported
from unit_tests.evaluation.report.plots.markup import drawn
from unit_tests.hostile_text import CORPUS


@pytest.fixture(scope="module")
def found(sample: RunFolder) -> list[ModelResult]:
    return model_results([reported(sample)])


def plots(found: list[ModelResult], name: Any = lambda one: one.summary.model) -> list[ET.Element]:
    return [
        drawn(plot)
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
    """Each look of a plot is given in the style sheet."""
    style = (ASSETS / "report.css").read_text()
    used = {name for root in plots(found) for group in root.iter("g") for name in group.attrib["class"].split()}

    assert {"fill-accent", "fill-ink", "stroke-rule", "axis", "end", "middle"} <= used
    for name in used:
        assert f".plot .{name} {{" in style


def test_no_element_has_an_id(found: list[ModelResult]) -> None:
    """So none can be on a page twice, and nothing refers to another element."""
    for root in plots(found):
        assert not any(element.attrib.keys() & {"id", "href"} for element in root.iter())


def test_plots_name_models_and_levels(found: list[ModelResult]) -> None:
    """Beside every plot all models are listed below a heading for each level."""
    for root in plots(found):
        shown = texts(root)
        assert [f"Level {level}" for level in (1, 2, 3)] == [text for text in shown if text.startswith("Level")]
        assert 3 == shown.count("reference")
        title, description = root.findtext("title"), root.findtext("desc")
        assert title
        assert description
        assert ("img", f"{title}. {description}") == (root.attrib["role"], root.attrib["aria-label"])


def test_scores_are_written_beside_their_points(found: list[ModelResult]) -> None:
    """The value of each row is that of the table, and lies where the axis says."""
    root = plots(found)[0]
    shown = texts(root)

    for result in found:
        assert result.summary.estimates.f1 is not None
        assert f"{result.summary.estimates.f1.mean:.3f}" in shown


def test_points_lie_where_their_values_are(found: list[ModelResult]) -> None:
    """The x of a point grows with its value, from the tick of 0 to that of 1; its interval lies around it."""
    root = plots(found)[0]
    ticks = {one.text: float(one.attrib["x"]) for one in root.iter("text") if one.text in {"0", "1"}}
    estimates = [one.summary.estimates.f1 for one in found if one.summary.estimates.f1 is not None]
    (points,) = [group for group in root.iter("g") if group.find("circle") is not None]

    def x(value: float | None) -> float:
        assert value is not None
        return ticks["0"] + value * (ticks["1"] - ticks["0"])

    assert [x(one.mean) for one in estimates] == pytest.approx(
        [float(one.attrib["cx"]) for one in points.iter("circle")], abs=0.1
    )
    spans = [re.match(r"M([\d.]+) [\d.]+h([\d.]+)v", one.attrib["d"]) for one in points.iter("path")]
    assert [(x(one.low), x(one.high)) for one in estimates] == [
        pytest.approx((float(span[1]), float(span[1]) + float(span[2])), abs=0.2) for span in spans if span
    ]


def test_pieces_of_a_bar_follow_one_another(found: list[ModelResult]) -> None:
    """The pieces of all stages together are as long as the failed episodes are many."""
    root = plots(found)[3]
    ticks = [float(one.attrib["x"]) for one in root.iter("text") if one.attrib["y"] == _axis(root)]
    values = [int(one.text or "") for one in root.iter("text") if one.attrib["y"] == _axis(root)]
    scale = (ticks[-1] - ticks[0]) / values[-1]
    stages = ("format", "decomposition", "acquisition", "integration", "unexplained")
    pieces = [
        re.match(r"M[\d.]+ [\d.]+h([\d.]+)v13", path.attrib["d"])
        for group in root.iter("g")
        if group.attrib["class"] in {f"fill-{stage}" for stage in stages}
        for path in group.iter("path")
    ]
    length = sum(float(piece[1]) for piece in pieces if piece)

    assert length / scale == pytest.approx(sum(one.summary.failed for one in found), rel=0.01)


def _axis(root: ET.Element) -> str:
    """The height of the texts below the axis."""
    return max((one.attrib["y"] for one in root.iter("text")), key=float)


@pytest.mark.parametrize(
    ("most", "whole", "expected"),
    [
        (1, True, [0, 1]),
        (3, True, [0, 1, 2, 3]),
        (20, True, [0, 5, 10, 15, 20]),
        (93, True, [0, 50]),
        (100, True, [0, 50, 100]),
        (1, False, [0, 0.5, 1]),
        (0.054, False, [0, 0.02, 0.04]),
        (400, False, [0, 100, 200, 300, 400]),
    ],
)
def test_ticks_are_round(most: float, whole: bool, expected: list[float]) -> None:
    """One, two or five times a power of ten apart, at most four steps; whole where things are counted."""
    assert expected == pytest.approx(list(even_ticks(most, whole=whole)))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.0006, 1.6, [0.001, 0.01, 0.1, 1]), (0.5, 30, [1, 10]), (1e-6, 1, [1e-6, 1e-4, 1e-2, 1]), (1.1, 9, [])],
)
def test_decades(low: float, high: float, expected: list[float]) -> None:
    """Powers of ten within the axis, at most four of them."""
    assert expected == pytest.approx(list(decade_ticks(low, high)))


@pytest.mark.parametrize("text", CORPUS)
def test_names_cannot_break_a_plot(found: list[ModelResult], text: str) -> None:
    """A name is text, whatever characters it has."""
    name = one_line(text, 18) or "(no name)"
    root = drawn(scores_plot(found, lambda _: name, "f1", "F1"))

    assert len(found) == texts(root).count(name)
    assert {"svg", "title", "desc", "g", "path", "circle", "text"} >= {element.tag for element in root.iter()}


def test_model_without_a_score_keeps_its_row(found: list[ModelResult]) -> None:
    """A model whose episodes are all errors is named, with a word in place of a point."""
    summary = found[0].summary
    none = dict.fromkeys(type(summary.estimates).model_fields)
    errors = summary.model_copy(update={"estimates": summary.estimates.model_copy(update=none), "causes": ()})
    result = found[0]._replace(summary=errors)

    assert "no score" in texts(drawn(scores_plot([result], lambda _: "m", "f1", "F1")))
    assert 3 == texts(drawn(capability_plot([result], lambda _: "m", "Capabilities"))).count("unknown")
