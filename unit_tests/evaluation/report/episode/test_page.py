"""The page of an episode shows what there is, and nothing that a model writes is more than text."""

import re
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.flawed.catalogue import FLAWS
from mpcbench.benchmark.agents.flawed.flaw import FlawedAgent
from mpcbench.evaluation.report.episode.page import instance_page
from mpcbench.schema.episode import (
    Attribution,
    AttributionVerdict,
    Episode,
    Fault,
    Finish,
    Outcome,
    RepairTrial,
    Reply,
    ToolCall,
    Usage,
)
from mpcbench.schema.model import Level
from unit_tests.builders import tiny
from unit_tests.builders.committed import DATASET
from unit_tests.evaluation.report.conversations import CALLS, chat, episode, responses
from unit_tests.evaluation.report.drawn import answer, page
from unit_tests.evaluation.report.episode.test_messages import MESSAGES
from unit_tests.evaluation.report.markup import Markup
from unit_tests.examples import examples
from unit_tests.validity.bench import Bench

WRONG = answer(3, "2027-02-08 15:00-16:00 R01", "2027-02-08 15:30-16:30 R03", "2027-02-08 16:00-17:00 R02")


def markup(shown: Episode) -> Markup:
    return checked(page(shown))


def checked(text: str) -> Markup:
    """The page read; it fails where it could run, load or break anything."""
    found = Markup(text)
    headings = [int(one.tag[1]) for one in found.elements if re.fullmatch("h[1-6]", one.tag)]
    assert found.elements[0].tag == "article"
    assert headings[0] == 2
    assert all(later - earlier <= 1 for earlier, later in pairwise(headings))
    for one in found.elements:
        assert one.tag in TAGS
        assert set(one.attributes) <= ATTRIBUTES
        assert re.fullmatch("[a-z -]*", one.attributes.get("class") or "")
        assert all((value or "").isprintable() for value in one.attributes.values())
    assert all(
        re.fullmatch(r"[MHVhvz0-9. -]+", one.attributes["d"] or "") for one in found.elements if one.tag == "path"
    )
    assert [] == [
        character
        for character in unescape(text)
        if not (character.isprintable() or character == "\n" or category(character) == "Zs")
    ]
    return found


TAGS = {
    *("article", "header", "section", "div", "span", "p", "h2", "h3", "h4", "ul", "ol", "li", "dl", "dt", "dd"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "code", "blockquote"),
    *("strong", "small", "svg", "g", "path", "text", "title"),
}
ATTRIBUTES = {
    *("class", "role", "tabindex", "aria-label", "aria-hidden", "scope", "colspan", "open"),
    *("d", "x", "y", "width", "height"),
}


def test_failed_episode() -> None:
    """The head says how it ended, the rest why: cause with evidence, candidates, violations, and what was missed."""
    found = markup(tiny.episode(3, WRONG, calls=(tiny.call("calendar:p001"), tiny.call("policy:POL-01"))))

    assert ["level3-000 agent"] == found.texts("h2")
    assert ["failed"] == found.texts("strong", "outcome")
    assert ["1 of 2 options found, 1 missed; 2 wrong ones proposed."] == found.texts("p", "verdict")
    assert ["Never saw a needed thread (acquisition) deduced acquisition.record_never_seen:thread"] == found.texts(
        "p", "cause"
    )
    assert {"F1 0.400", "Acquisition 0.667", "Integration not told"} <= set(found.texts("div"))
    assert [
        "✓ found, answer 2",
        "○ missed",
        "✗ wrong",
        "✓ right, ranks 1",
        "✗ wrong",
    ] == found.texts("td", "said")
    assert [
        "✗ Answer 1 Mon 2027-02-08 15:00-16:00 R01",
        "✗ Answer 3 Mon 2027-02-08 16:00-17:00 R02",
        "The answer as a whole",
    ] == found.texts("p", "candidate")
    assert {"calendar:p001 seen", "policy:POL-01 seen", "room:R02 never seen", "thread:T0001 never seen"} <= set(
        found.texts("span", "record")
    )
    assert ["★ calendar:p001 call 1", "★ policy:POL-01 call 2", "thread:T0001 never seen"] == found.texts(
        "li", "record"
    )


def test_timeline() -> None:
    """Days with candidates are shown, the others can be unfolded; each picture has its text."""
    found = markup(tiny.episode(1, answer(1, "2027-02-08 09:30-10:30")))
    pictures = [one.attributes["aria-label"] for one in found.elements if one.attributes.get("role") == "img"]

    assert "Mon 2027-02-08 1 wrong, 2 missed" in found.texts("h4")
    assert "Tue 2027-02-09 no candidates" in found.texts("summary")
    assert [
        (
            "Mon 2027-02-08 08:00-18:00. missed: gold 1, Mon 2027-02-08 10:15-11:15; missed: gold 2, "
            "Mon 2027-02-08 10:30-11:30; wrong: answer 1, Mon 2027-02-08 09:30-10:30. "
            "Busy events: Priya Nair 2, Sam Carter 1."
        ),
        "Tue 2027-02-09 08:00-18:00. no candidates. Busy events: Priya Nair 0, Sam Carter 0.",
    ] == pictures
    assert "Priya Nair: answer 1 overlaps Design review, 09:00-10:00" in found.texts("title")


def test_passed_episode() -> None:
    """Nothing is said to be wrong."""
    found = markup(tiny.episode(1, tiny.gold_text(1)))

    assert ["All 2 options are right."] == found.texts("p", "verdict")
    assert ["Task", "Timeline", "Gold and answer", "Set-up and cost", "Transcript"] == found.texts("h3")


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    ("text", "more", "verdict"),
    [
        ("", {"fault": Fault(kind="endpoint", message="HTTP 500")}, "Error, not scored: endpoint: HTTP 500"),
        ("", {"fault": Fault(kind="worker", message="died"), "reply": None}, "Error, not scored: worker: died"),
        (
            "I cannot",
            {"finish": Finish.REFUSAL},
            "Refused: the final message holds no JSON object with the key 'candidates'",
        ),
        ("", {}, "No answer"),
        ("", {"finish": Finish.TURNS}, "No answer"),
        ('{"candidates": []}', {}, "The answer is empty; 2 options were to be found."),
        ('{"candidates": 3}', {}, "Unparsable: $.candidates: Input should be a valid list"),
    ],
)
def test_episodes_without_candidates(level: Level, text: str, more: dict[str, Any], verdict: str) -> None:
    """Errors, refused, missing, empty and unparsable answers have a page that says so, with the gold."""
    found = markup(tiny.episode(level, text, **more))

    assert [verdict] == found.texts("p", "verdict")
    assert (
        len(tiny.label(level).gold)
        == sum("mark" in one.classes and not {"legend"} & {*one.path} for one in found.elements if one.tag == "g") - 3
    )


def test_final_message_without_an_answer() -> None:
    """A message that could not be parsed is shown."""
    found = markup(tiny.episode(1, "Tuesday would <b>do</b>."))

    assert ["The final message, which holds no answer"] == [text for text in found.texts("summary") if "final" in text]
    assert "Tuesday would <b>do</b>." in found.texts("pre")


@pytest.mark.parametrize("fault", [None, Fault(kind="worker", message="died")])
def test_episode_without_data(fault: Fault | None) -> None:
    """Without world, instance and label the page shows what the episode holds."""
    shown = tiny.episode(3, WRONG, fault=fault)
    found = checked(instance_page(None, None, None, shown))

    assert "There is no timeline: the data of this instance are not at hand." in found.texts("p")
    assert ["Gold, best first; times in UTC", "Answer, in its own order"] == found.texts("caption")


def test_data_that_do_not_fit() -> None:
    """With a world that the instance does not fit there is no timeline."""
    found = checked(instance_page(tiny.world(1), tiny.instance(2), tiny.label(2), tiny.episode(2, "?")))

    assert "There is no timeline: the data of this instance are not at hand." in found.texts("p")


def test_many_candidates() -> None:
    """Of a thousand candidates the first are shown and the rest are counted, so the page stays small."""
    times = [(8 + n // 30, n // 60 % 24, n % 60) for n in range(0, 60 * 24, 1)][:1000]
    rows = ", ".join(f'{{"start": "2027-02-08T{h:02}:{m:02}", "end": "2027-02-09T{h:02}:{m:02}"}}' for _, h, m in times)
    text = page(tiny.episode(1, f'{{"candidates": [{rows}]}}'))
    found = checked(text)

    assert len(text) < 400_000
    assert "and 970 more" in found.texts("td")
    assert "950 more wrong candidates are not drawn." in found.texts("p")
    assert 50 == len(found.texts("p", "candidate")) - 1


def test_proven_cause() -> None:
    """What repairs have shown appears beside what was deduced."""
    trials = (
        RepairTrial(reveal=None, outcome=Outcome.FAILED, f1=0, exact_match=False),
        RepairTrial(reveal="plan", outcome=Outcome.FAILED, f1=0.5, exact_match=False),
        RepairTrial(reveal="records", outcome=Outcome.PASSED, f1=1, exact_match=True),
    )
    proof = Attribution(verdict=AttributionVerdict.PROVEN, proven="acquisition", trials=trials)
    found = markup(tiny.episode(1, "?").model_copy(update={"attribution": proof}))

    assert "acquisition (proven): the first exact match comes with the records revealed" in found.texts("p")
    rows = ["nothing: as it was failed F1 0.000", "plan failed F1 0.500", "records passed F1 1.000"]
    assert rows == [text for text in found.texts("tr") if text in rows]


def test_what_was_given() -> None:
    """What was handed over with the task is folded below it."""
    task = tiny.instance(1).task[0]
    found = markup(tiny.episode(1, "?", task=f"{task}\n\nEverything that is needed", reveal="constraints"))

    assert [task] == found.texts("blockquote")
    assert "Revealed with the task: the constraints" in found.texts("summary")
    assert "Everything that is needed" in found.texts("pre")


def test_numbers() -> None:
    """Turns, tokens, cost and time are told, and not what is unknown."""
    reply = Reply(text=tiny.gold_text(1), turns=4, usage=Usage(input_tokens=12345, output_tokens=67))
    shown = tiny.episode(1, reply=reply).model_copy(update={"cost_usd": 0.0123, "trial": 2})
    found = markup(shown)

    assert {
        "Turns 4, ended by stop",
        "Tokens 12,345 input, 67 output",
        "Cost $0.0123",
        "Time 1.5 s",
        "Set-up paraphrase 1, tags hidden",
    } <= {" ".join(text.split()) for text in found.texts("div")}
    assert ["passed level 1, trial 2"] == found.texts("p", "facts-line")


@pytest.mark.parametrize("messages", [chat(), responses(), ()])
def test_transcript(messages: tuple[dict[str, Any], ...]) -> None:
    """Turns hold calls with arguments, results and the records that they showed, needed ones marked."""
    found = markup(episode(*messages))

    assert ["Before the first turn", "Turn 1", "Turn 2", "Turn 3"] == [
        text for text in found.texts("h4") if "urn" in text
    ]
    assert [
        '1 get_calendar keyword="Priya Nair"',
        '2 get_calendar keyword="?" error',
        '3 get_policy keyword="POL-01"',
    ] == found.texts("p", "signature")
    assert [
        "★ calendar:p001 needed, first seen here person:p001",
        "★ policy:POL-01 needed, first seen here calendar:p001 needed, seen before",
    ] == found.texts("p", "records")
    assert {call.result for call in CALLS} <= set(found.texts("pre"))


def test_long_results_are_whole() -> None:
    """A long result is folded, and all of it is there."""
    text = " ".join(map(str, range(4000)))
    call = CALLS[0].model_copy(update={"result": text})
    found = markup(episode(calls=(call,)))

    assert "Result, 18,889 characters" in found.texts("summary")
    assert text in found.texts("pre")


SCRIPTS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</pre></title></svg></style></textarea><script>alert(1)</script>",
    "<!--", "-->", "]]>", "<![CDATA[", "<?php", "&lt;script&gt;", "&#60;script&#62;",
    "javascript:alert(1)", "{{ 7 * 7 }}{% raw %}{# #}", "${7*7}",
    "\u202egnp.exe\u2066\u200b\ufeff\u00ad\x00\x07\x1b[31m\x7f\u2028\u2029\ud800",
    "Z" + "\u0301\u0327" * 40, "\u05d0\u05d1 \ufdfd", "W" * 3000, "\ufffe\U000e0041",
)  # fmt: skip


def poisoned(evil: str, level: Level = 3) -> Episode:
    """An episode in which a model wrote one text wherever it could."""
    call = ToolCall(
        turn=1,
        name=evil,
        arguments={evil: [evil, {evil: evil}]},
        result=evil,
        is_error=True,
        records=(evil, "room:R01"),
    )
    text = WRONG.replace("R02", "EVIL").replace("}]}", '}], "rationale": "EVIL"}')
    reply = Reply(
        text=text.replace("EVIL", re.sub(r'([\\"])', r"\\\1", re.sub(r"[\x00-\x1f\ud800]", "", evil))),
        turns=2,
        messages=(
            {"role": "system", "content": evil},
            {"role": evil, evil: evil},
            {
                "role": "assistant",
                "content": evil,
                "tool_calls": [{"id": evil, "function": {"name": evil, "arguments": evil}}],
            },
            {"role": "tool", "tool_call_id": evil, "content": evil},
            {"type": "reasoning", "summary": [{"text": evil}], evil: evil},
        ),
    )
    shown = tiny.episode(
        level, reply=reply, calls=(call, call.model_copy(update={"arguments": evil})), task=evil, model=evil
    )
    return shown.model_copy(
        update={"system_prompt": evil, "answer_error": evil, "instance_id": evil, "records_missed": (evil,)}
    )


@pytest.mark.parametrize("evil", SCRIPTS)
def test_hostile_text(evil: str) -> None:
    """Whatever a model writes is text: no element, attribute, comment or invisible character comes of it."""
    harmless = markup(poisoned("harmless"))
    found = markup(poisoned(evil))
    void = poisoned(evil).model_copy(
        update={"scores": None, "outcome": Outcome.ERROR, "fault": Fault(kind=evil, message=evil), "answer": None}
    )

    assert skeleton(harmless) == skeleton(found)
    markup(void)
    checked(instance_page(None, None, None, void))


def skeleton(found: Markup) -> set[tuple[str, tuple[str, ...]]]:
    """Which elements are within which; texts of other lengths may fold."""
    return {(one.tag, one.path) for one in found.elements if "details" not in (*one.path, one.tag)}


def test_unusual_spaces() -> None:
    """Spaces that are not printable by Python's measure stay, and nothing around them changes."""
    assert skeleton(markup(poisoned("harmless"))) == skeleton(markup(poisoned("a\u1680b\xa0c\u3000d")))


def test_invisible_characters_are_shown() -> None:
    """Characters that hide or reorder text appear as escapes."""
    found = markup(poisoned("a\u202eb\x1bc\ud800"))

    assert "a\\u202eb\\x1bc\ufffd" in found.texts("pre")


@examples(20)
@given(st.lists(MESSAGES, max_size=4))
def test_any_messages(messages: list[dict[str, Any]]) -> None:
    """Messages of any shape make a page with a transcript."""
    assert "Transcript" in " ".join(markup(episode(*messages)).texts("h3"))


@cache
def bench() -> Bench:
    return Bench(DATASET)


@pytest.mark.parametrize("name", FLAWS)
def test_flawed_agents(name: str) -> None:
    """The failures of every flawed agent have a page, at each of its levels, hardly longer than the episode is when stored."""
    agent = flawed_agent(name)
    assert isinstance(agent, FlawedAgent)
    for level in agent.levels:
        instance = DATASET.instances(level)[len(name)]
        shown = bench().episode(agent, instance)
        label = DATASET.labels(level)[instance.instance_id]
        text = instance_page(DATASET.world(level), instance, label, shown)
        found = checked(text)
        marked = [one for one in found.elements if one.tag == "g" and "mark" in one.classes][3:]

        assert len(text) < len(shown.model_dump_json()) + 80_000
        assert shown.answer is None or len(label.gold) <= len(marked)
        assert (shown.outcome is Outcome.PASSED) == (not found.texts("p", "cause"))


def test_same_page_again() -> None:
    """The same episode gives the same page."""
    assert page(tiny.episode(3, WRONG)) == page(tiny.episode(3, WRONG))
