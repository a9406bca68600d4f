"""The documentation names files and headings that exist, and its examples are what the tools return today."""

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.evaluation.scoring.time_text import proposal_text
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

PAGES = (*sorted(COMMITTED.glob("docs/*.md")), *(COMMITTED / name for name in ("README.md", "CONTRIBUTING.md")))
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page end in."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link is to a file that exists, and to one of its headings."""
    for target, _, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(#?)([^)]*)\)", prose(page)):
        linked = page.parent / target if target else page

        assert linked.is_file(), target
        assert not anchor or anchor in anchors(linked), f"{target}#{anchor}"


@each_page
def test_files_named_exist(page: Path) -> None:
    """Every path of a source file or folder in the text is one of the repository's."""
    named = re.findall(r"`((?:[\w.]+/)+(?:[\w.]+\.(?:py|md|toml|j2))?)`", prose(page))
    folders = [COMMITTED, COMMITTED / "evaluation", COMMITTED / "benchmark", COMMITTED / "generate"]
    made = {"runs/", "runs/RUN_ID/", "episodes/"}

    assert [] == [path for path in named if path not in made and not any((one / path).exists() for one in folders)]


class Example(NamedTuple):
    """The part of docs/examples.md about one level."""

    text: str
    exam: Exam

    @property
    def blocks(self) -> list[str]:
        """Its blocks of code."""
        return re.findall(r"^```text\n(.*?)\n```", self.text, re.DOTALL | re.MULTILINE)


def example(level: Level) -> Example:
    text = (COMMITTED / "docs" / "examples.md").read_text(encoding="utf-8").split("\n## Level ")[level]
    found = re.search(r"\(`(.*?)`\)", text)
    assert found is not None
    return Example(text, DATASET.exam(found[1]))


each_level = pytest.mark.parametrize("level", DATASET.levels)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@each_level
def test_examples_tell_the_task(level: Level) -> None:
    """The task is the first wording of the instance."""
    shown = example(level)
    told = " ".join(line.removeprefix("> ") for line in shown.text.splitlines() if line.startswith("> "))

    assert shown.exam.instance.task[0] in told


@each_level
def test_examples_show_what_the_tools_return(level: Level) -> None:
    """Every result is that of the call above it, with parts left out only at an ellipsis."""
    shown = example(level)
    toolbox = Toolbox(Sources(shown.exam.world), tools_of_level(shown.exam.instance.level))
    calls = [block.partition("\n") for block in shown.blocks if block.startswith("> ")]
    for line, _, result in calls:
        call = ast.parse(line.removeprefix("> "), mode="eval").body
        assert isinstance(call, ast.Call)
        returned = squeezed(
            toolbox.call(ast.unparse(call.func), {str(one.arg): ast.literal_eval(one.value) for one in call.keywords})
        )
        pieces = squeezed(result).split("…")
        places = [0]
        for piece in pieces:
            places.append(returned.find(piece, places[-1]))
            assert places[-1] >= 0, f"{line}: {piece}"

        assert returned.startswith(pieces[0])
        assert returned.endswith(pieces[-1])
        assert all(early <= late for early, late in pairwise(places))

    assert len(calls) >= 2


@each_level
def test_examples_show_the_gold(level: Level) -> None:
    """The last block is the gold, and the counts above it are those of the label."""
    shown = example(level)
    counts = shown.exam.label.counts
    stages = (counts.generated, counts.calendar, counts.policy, counts.threads, counts.rooms)[: level + 2]
    told = re.search(r"^\d+ slots of the right length .*?:$", shown.text, re.DOTALL | re.MULTILINE)
    gold = [
        f"{rank}  {proposal_text(one, shown.exam.world.zone)}"
        for rank, one in enumerate(shown.exam.label.gold, start=1)
    ]

    assert gold == shown.blocks[-1].splitlines()
    assert told is not None
    assert [*stages, len(gold)] == [int(number) for number in re.findall(r"\d+", told[0])]


@each_level
def test_examples_count_the_calls(level: Level) -> None:
    """What the reference agent is said to call is what it calls."""
    shown = example(level)
    calls = [call.name for call in run_episode(reference, shown.exam).tool_calls]

    assert f"makes {len(calls)} calls, {calls.count('get_calendar')} of them for calendars" in " ".join(
        shown.text.split()
    )
