"""The file is complete in itself, lets nothing run but its own script, and says the numbers of the summary."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.document import inert_json, report, write_report
from mpcbench.evaluation.report.episode.packing import unpacked
from mpcbench.evaluation.report.episode.page import instance_page
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.summary_files import run_summary
from mpcbench.evaluation.statistics.summary_text import markdown, table
from mpcbench.schema.exam import Exam
from mpcbench.schema.run import case_of
from unit_tests.builders.sample_runs import reported
from unit_tests.evaluation.report.page_parser import Element, elements

HTML = frozenset(
    "html head meta title link style body a header div span nav ul ol li button main p article section h1 h2 h3 h4 table "  # noqa: SIM905
    "caption thead tbody tr th td figure figcaption details summary dl dt dd form label input select option footer code "
    "script strong em pre blockquote small".split()
)
"""Every HTML element that the templates write."""

SVG = frozenset(
    "svg title desc g path rect use defs clippath text line polygon circle pattern tspan".split()  # noqa: SIM905
)
ICON = Element("link", {"rel": "icon", "href": "data:,"}, "")
"""Without it browsers ask for /favicon.ico."""

LOADING = frozenset(
    "src srcset srcdoc action formaction data poster background ping code manifest style".split()  # noqa: SIM905
)


@pytest.fixture(scope="module")
def page(sample: RunFolder) -> str:
    return "".join(report([reported(sample)]))


@pytest.fixture(scope="module")
def hostile_page(hostile: RunFolder) -> str:
    return "".join(report([reported(hostile)]))


def blocks(html: str) -> list[str]:
    return [one.text for one in elements(html) if one.attributes.get("id", "").startswith("block-")]


def harmless(found: list[Element]) -> None:
    """Nothing that loads, runs or leads elsewhere."""
    assert {element.tag for element in found} <= HTML | SVG
    for element in found:
        names = set(element.attributes)
        assert not any(name.startswith("on") for name in names), element
        assert not names & LOADING, element
        for name in names & {"href", "xlink:href"}:
            assert element.attributes[name].startswith("#") or element == ICON, element


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_report_loads_and_runs_nothing_else(which: str, request: pytest.FixtureRequest) -> None:
    """Of all elements, in the file and in the packed pages, none loads, runs or leads elsewhere."""
    html: str = request.getfixturevalue(which)
    found = elements(html)
    inner = [element for block in blocks(html) for fragment in unpacked(block) for element in elements(fragment)]

    harmless(found)
    harmless(inner)
    assert not {element.tag for element in inner} & {"script", "style", "link", "meta", "form", "input", "a"}
    assert not [element for element in inner if "id" in element.attributes]


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_policy_names_exactly_the_script_and_the_style(which: str, request: pytest.FixtureRequest) -> None:
    """Everything is forbidden but one script and one style, by their hashes; other scripts are inert data."""
    found = elements(request.getfixturevalue(which))
    policies = [one.attributes["content"] for one in found if "http-equiv" in one.attributes]
    styles = [one.text for one in found if one.tag == "style"]
    scripts = [one for one in found if one.tag == "script"]
    running = [one.text for one in scripts if "type" not in one.attributes]

    assert {"application/json", "text/plain"} == {one.attributes["type"] for one in scripts if "type" in one.attributes}
    assert (1, 1, 1) == (len(policies), len(styles), len(running))
    rules = dict(rule.split(" ", 1) for rule in policies[0].split("; "))
    assert "'none'" == rules["default-src"] == rules["base-uri"] == rules["form-action"]
    assert source(running[0]) == rules["script-src"]
    assert source(styles[0]) == rules["style-src"]
    assert "unsafe" not in policies[0]


def source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_policy_comes_before_what_it_governs(page: str) -> None:
    """Only the character set precedes the policy."""
    tags = [(element.tag, "charset" in element.attributes) for element in elements(page)]

    assert [("html", False), ("head", False), ("meta", True), ("meta", False)] == tags[:4]


def test_every_episode_has_its_page(sample: RunFolder, page: str) -> None:
    """What is packed for an entry of the list is the page of that episode, timeline included."""
    run = reported(sample)
    index = json.loads(next(one.text for one in elements(page) if one.attributes.get("id") == "index"))
    packed = [unpacked(block) for block in blocks(page)]
    entries = index["episodes"]

    assert len(run.results) == len(entries)
    for result, entry in zip(run.results, entries, strict=True):
        episode = run.episode(case_of(result))
        assert episode is not None
        exam = run.exam(case_of(result))
        assert isinstance(exam, Exam)
        shown = packed[entry["block"]][entry["page"]]
        assert instance_page(exam.world, exam.instance, exam.label, episode) == shown
        assert "<svg" in shown
        assert (result.instance_id, result.level, result.model, result.trial) == (
            entry["instance"],
            entry["level"],
            index["models"][entry["model"]],
            entry["trial"],
        )


def test_without_the_data_pages_have_no_timeline(sample: RunFolder) -> None:
    """Pages say in words that the timeline is missing, and the overview says why."""
    html = "".join(report([reported(sample).__class__.read(sample)]))

    assert "pages of its episodes have no timeline" in html
    assert all("There is no timeline" in fragment for block in blocks(html) for fragment in unpacked(block))


def test_same_runs_give_the_same_bytes(sample: RunFolder, page: str) -> None:
    """Nothing depends on the time, on random numbers or on what was drawn before."""
    assert page == "".join(report([reported(sample)]))


def test_numbers_agree_everywhere(sample: RunFolder, page: str) -> None:
    """F1, exact matches, intervals, errors and causes: report, summary.json, Markdown and terminal agree."""
    summary = run_summary(sample.info, sample.results())
    written = json.loads((sample.path / "summary.json").read_text())
    text, marked = table(summary), markdown(summary)
    rows = re.findall(r'<th role="rowheader" scope="row".*?</tr>', page, re.DOTALL)

    assert len(summary.rows) + len(summary.overall) == len(rows)
    for one, stored, row in zip(
        [*summary.rows, *summary.overall], [*written["rows"], *written["overall"]], rows, strict=True
    ):
        f1, exact = one.estimates.f1, one.estimates.exact_match
        assert f1 is not None
        assert f1.low is not None
        assert f1.high is not None
        assert exact is not None
        assert (stored["estimates"]["f1"]["mean"], stored["estimates"]["exact_match"]["mean"]) == (f1.mean, exact.mean)
        assert (stored["estimates"]["f1"]["low"], stored["errors"]) == (f1.low, one.errors)
        both = f"{f1.mean:.3f} [{f1.low:.2f}, {f1.high:.2f}]"
        assert both in text
        assert both in marked
        plain = " ".join(re.sub(r"<[^>]*>", " ", row).split())
        assert f"{one.model} {exact.mean:.1%} [" in plain
        assert f"] {both} {one.instances} {one.errors} " in plain
        for cause, kept in zip(one.causes[:3], stored["causes"][:3], strict=True):
            assert cause.episodes == kept["episodes"]
            assert f"{cause.episodes:.3g}" in plain


def test_report_that_fails_leaves_the_old_one(sample: RunFolder, tmp_path: Path) -> None:
    """An episode that vanished while the report was written is an error, and the earlier report stays."""
    run = reported(sample)
    out = tmp_path / "report.html"
    out.write_text("earlier")
    missing = run.__class__(RunFolder(tmp_path / "nowhere"), run.results, run.summary, run.dataset)
    missing.folder.__dict__["info"] = run.info

    with pytest.raises(RunError, match="no such file"):
        write_report([missing], out)

    assert "earlier" == out.read_text()
    assert [out] == list(tmp_path.iterdir())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
)
def test_json_ends_no_script(value: object) -> None:
    """Whatever the JSON holds, it reads back and has no character that HTML gives a meaning."""
    text = inert_json(value)

    assert not set("<>&") & set(text)
    assert value == json.loads(text)
