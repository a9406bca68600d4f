"""The list of episodes holds every episode of every run in order, as plain JSON."""

import json

import pytest

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.evaluation.report.overview.episode_list import index, letter, ordered
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.cause import in_words
from mpcbench.schema.run import case_of
from unit_tests.builders.sample_runs import reported


@pytest.mark.parametrize(
    ("place", "expected"),
    [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")],
)
def test_letters_go_on_after_z(place: int, expected: str) -> None:
    """Runs are lettered like the columns of a spreadsheet."""

    assert expected == letter(place)


def test_episodes_stand_by_instance_then_run(sample: RunFolder) -> None:
    """All episodes of an instance are together, those of one model by run."""
    run = reported(sample)
    found = ordered([run, run])
    places = [(case_of(result).place, place) for place, result in found]

    assert 2 * len(run.results) == len(found)
    assert sorted(places) == places


def test_entry_says_what_the_result_says(sample: RunFolder) -> None:
    """Outcome, score, causes in words, calls, tokens and cost are those of the result; what is unknown is null."""
    run = reported(sample)
    episodes = ordered([run])
    found = json.loads(json.dumps(index([run], episodes)))

    assert [{"letter": "A", "id": "sample-run"}] == found["runs"]
    for (_, result), entry in zip(episodes, found["episodes"], strict=True):
        usage, scores, diagnosis = result.usage, result.scores, result.diagnosis
        assert result.model == found["models"][entry["model"]]
        assert (scores and scores.f1, result.turns, result.tool_calls, result.cost_usd, result.seconds) == (
            entry["f1"],
            entry["turns"],
            entry["calls"],
            entry["cost"],
            entry["seconds"],
        )
        reasons = [] if diagnosis is None else [in_words(reason) for reason in primary_reasons(diagnosis)]
        assert reasons == [found["causes"][place] for place in entry["causes"]]
        tokens = None if usage is None else (usage.input_tokens or 0) + (usage.output_tokens or 0)
        assert tokens == entry["tokens"]
        assert ("endpoint: HTTP 503 after 5 attempts" if entry["outcome"] == "error" else "") == entry["note"]

    assert {"passed", "failed", "error"} == {entry["outcome"] for entry in found["episodes"]}


def test_pages_of_an_instance_share_a_block(sample: RunFolder) -> None:
    """Blocks are numbered by instance, and pages within a block from 0."""
    run = reported(sample)
    entries = index([run, run], ordered([run, run]))["episodes"]
    by_block: dict[int, list[int]] = {}
    instances: dict[int, set[str]] = {}
    for entry in entries:
        by_block.setdefault(entry["block"], []).append(entry["page"])
        instances.setdefault(entry["block"], set()).add(entry["instance"])

    assert list(range(6)) == list(by_block)
    assert all(list(range(6)) == pages for pages in by_block.values())
    assert all(len(names) == 1 for names in instances.values())
