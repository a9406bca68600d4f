"""What the documentation shows of the code and the data; `python -m unit_tests.tables` writes it anew.

Each section is enclosed by two marks in its page, such as `<!-- matrix -->` and `<!-- /matrix -->`.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Mapping
from itertools import groupby
from statistics import mean
from typing import Any, Final

from mpcbench.benchmark.agents.baselines import BaselineAgent, baseline_markdown, baseline_table
from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.harness.pytest_options import options_markdown
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.evaluation.scoring.brief import brief, verdict
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.generate.describe import matrix
from mpcbench.generate.level4.describe import describe as describe_ladder
from mpcbench.generate.profile import profile
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import known
from mpcbench.oracle.level4.load import Gold
from mpcbench.schema.dataset import COMMITTED, Dataset, write_files
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.run import case_of
from unit_tests.test_architecture import LAYERS

DOCS: Final = COMMITTED / "docs"
FAILED: Final = "level1-058"
"""The instance whose failed case is shown."""

LOGGED: Final = "level3-000"
FLAW: Final = "kick-off-only"
"""The case whose lines in a log are shown."""


LIBRARY: Final = "library.md"
"""The page whose blocks of text are what its blocks of code print."""


class MarkError(ValueError):
    """A section's marks are not in a text exactly once."""


def level_matrix(dataset: Dataset) -> str:
    """What the levels ask for, as measured."""
    return matrix([profile(dataset, level) for level in dataset.levels])


def tools(dataset: Dataset) -> str:
    """The tools of each level."""
    lines = ["| level | tools of the five sources | tools that no task needs |", "| --- | --- | --- |"]
    for level in dataset.levels:
        needed, decoys = (
            ", ".join(f"`{tool.name}`" for tool in tools_of_level(level) if (tool.source is None) is decoy)
            for decoy in (False, True)
        )
        lines.append(f"| {level} | {needed} | {decoys} |")
    return "\n".join(lines)


def ladder(dataset: Dataset) -> str:
    """What level 4 holds, as measured."""
    return describe_ladder(dataset.ladder).replace("## ", "### ")


def ignored(dataset: Dataset) -> str:
    """What is left of the gold for somebody who ignores one mechanism of level 4 altogether, and does all else right."""
    found: dict[Mechanism, list[float]] = {mechanism: [] for mechanism in Mechanism}
    indexed = known(dataset.ladder.world)
    for instance in dataset.ladder.instances:
        gold = Gold(knowledge_of(dataset.ladder.world, instance, indexed))
        for mechanism in instance.mechanisms:
            found[mechanism].append(gold.found_ignoring(mechanism))
    lines = ["| mechanism ignored | instances | exact match | share found |", "|---|---:|---:|---:|"]
    for mechanism, shares in found.items():
        lines.append(f"| `{mechanism}` | {len(shares)} | {shares.count(1)} | {mean(shares):.2f} |")
    return "\n".join(lines)


def baselines(dataset: Dataset) -> str:
    """What the baselines score."""
    return baseline_markdown(baseline_table(dataset))


def failure(dataset: Dataset) -> str:
    """What pytest prints for a failed case."""
    exam = dataset.exam(FAILED)
    episode = run_episode(BaselineAgent("random", dataset), exam, model="random")
    text = explain(episode, exam)
    title = f" test_instance[{FAILED}-random] ".center(80, "_")
    return f"```text\n$ pytest benchmark --model random --instance {FAILED} -v\n{title}\n{text}\n```"


def log(dataset: Dataset) -> str:
    """What pytest prints for a failed case by default, and its line in the short summary."""
    exam = dataset.exam(LOGGED)
    episode = run_episode(flawed_agent(FLAW), exam, model=f"flawed:{FLAW}")
    test, file = (
        f"test_instance[{LOGGED}-flawed:{FLAW}]",
        f"runs/20270109-142501-flawed-{FLAW}/episodes/{case_of(episode).file_name}",
    )
    lines = [
        f"$ pytest benchmark --model flawed:{FLAW} --level 3",
        "…",
        f" {test} ".center(80, "_"),
        brief(episode, exam),
        f"file     {file}; -v shows the whole page",
        "…",
        " short test summary info ".center(80, "="),
        f"FAILED benchmark/test_instances.py::{test} - {verdict(episode)} · {file}",
    ]
    return "\n".join(["```text", *lines, "```"])


def options(_: Dataset) -> str:
    """The command-line options."""
    return options_markdown().strip()


def layers(_: Dataset) -> str:
    """The layers of the code, lowest first."""
    lines = [", ".join(f"`{one}`" for one in own) for _, own in groupby(LAYERS, lambda one: one.split(".")[0])]
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


SECTIONS: Final[Mapping[str, tuple[str, Callable[[Dataset], str]]]] = {
    "matrix": ("tasks.md", level_matrix),
    "tools": ("tasks.md", tools),
    "baselines": ("data.md", baselines),
    "ladder": ("level4.md", ladder),
    "ignored": ("level4.md", ignored),
    "options": ("running.md", options),
    "failure": ("scoring.md", failure),
    "log": ("running.md", log),
    "layers": ("architecture.md", layers),
}
"""By name the page of a section, and what makes it."""


def as_program(page: str) -> str:
    """A page whose blocks of text are what its Python, run from top to bottom, prints since the block before."""
    names: dict[str, Any] = {}
    output = io.StringIO()

    def block(match: re.Match[str]) -> str:
        if match["kind"] == "python":
            with contextlib.redirect_stdout(output):
                exec(compile(match["content"], LIBRARY, "exec"), names)
            return match[0]
        printed = output.getvalue()
        output.seek(0)
        output.truncate()
        return f"```text\n{printed}```"

    return re.sub(r"^```(?P<kind>python|text)\n(?P<content>.*?)^```$", block, page, flags=re.DOTALL | re.MULTILINE)


def shown(name: str) -> str:
    """What a page shows as a section; raises `MarkError`."""
    return section((DOCS / SECTIONS[name][0]).read_text(encoding="utf-8"), name)


def section(text: str, name: str) -> str:
    """What is between a section's marks; raises `MarkError`."""
    return _match(text, name)[0].strip("\n")


def with_section(text: str, name: str, content: str) -> str:
    """The text with other content between a section's marks; raises `MarkError`."""
    match = _match(text, name)
    return f"{text[: match.start()]}\n\n{content}\n\n{text[match.end() :]}"


def _match(text: str, name: str) -> re.Match[str]:
    found = list(re.finditer(rf"(?<=<!-- {name} -->).*?(?=<!-- /{name} -->)", text, re.DOTALL))
    if len(found) != 1:
        raise MarkError(f"{len(found)} sections between <!-- {name} --> and <!-- /{name} -->, expected 1")
    return found[0]


def main() -> int:
    """Write every section anew; 0 for success, 2 where a mark is missing."""
    dataset = Dataset.open(COMMITTED)
    texts: dict[str, str] = {}
    for name, (page, make) in SECTIONS.items():
        text = texts.get(page) or (DOCS / page).read_text(encoding="utf-8")
        try:
            texts[page] = with_section(text, name, make(dataset))
        except MarkError as error:
            print(f"error: {DOCS / page}: {error}", file=sys.stderr)
            return 2
    texts[LIBRARY] = as_program((DOCS / LIBRARY).read_text(encoding="utf-8"))
    write_files(DOCS, texts)
    print(f"wrote {', '.join(SECTIONS)} and what {LIBRARY} prints in {DOCS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
