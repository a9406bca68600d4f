"""The figures as Markdown: docs/validity.md."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from benchmark.agents.flawed import FLAWS, PAIRS
from schema.dataset import Dataset
from unit_tests.validity.bench import Bench
from unit_tests.validity.claim import RANDOM, Claim, claims
from unit_tests.validity.finding import STAGES, Finding, findings

STAGE_TARGET: Final = 0.99
REASON_TARGET: Final = 0.95
FALSE_CLAIMS_TARGET: Final = 0.05
SAMPLE: Final = 50
"""The tests regenerate the tables for every instance of this step."""

_MOST_REASONS = 4
_HOW = """\
Each flawed agent is the reference agent with exactly one known defect (`--model flawed:NAME`). It ran on every
committed instance of its levels, and where the defect made the answer wrong, its episode was diagnosed. The
diagnosis reads tool calls, record IDs and candidates; it knows nothing of the defect.

- **stage right**: the diagnosed stage is the one of the defect (of a pair: the earlier of the two).
- **reason right**: the true reason is the one given, or among two that explain the answer equally well. More than two
  are wrong. In integration, an explanation that has a part besides the true one is wrong, and of a pair both reasons
  must be in it. A pair of one stage counts where both defects show in the answer, a pair of two stages where the
  defect of the earlier stage makes the answer wrong by itself.
- **claims about random answers**: an agent that has seen every needed record gives an answer drawn at random, and the
  diagnosis names a reason all the same. Where hardly more candidates are feasible than asked for, a draw of them can
  be exactly what a mistake leads to; those draws are counted too.

Written by `make validity`; the tests hold the last section to the data.
"""


def tables(found: Sequence[Finding], claimed: Sequence[Claim]) -> str:
    """The figures as Markdown."""
    lines = ["| | right | of | share | target |", "|---|--:|--:|--:|--:|"]
    for what, right, target in (
        ("stage", sum(one.stage_right for one in found), f"≥ {STAGE_TARGET:.0%}"),
        ("reason", sum(one.reason_right for one in found), f"≥ {REASON_TARGET:.0%}"),
    ):
        lines.append(f"| {what} | {right} | {len(found)} | {_share(right, len(found))} | {target} |")
    false = sum(one.is_false for one in claimed)
    lines.append(
        f"| false claims about random answers | {false} | {len(claimed)} | {_share(false, len(claimed))} "
        f"| ≤ {FALSE_CLAIMS_TARGET:.0%} |"
    )
    lines += ["", "Defect's stage (rows) and diagnosed stage:", "", f"| | {' | '.join(STAGES)} | none |"]
    lines.append("|---|" + "--:|" * (len(STAGES) + 1))
    for stage in STAGES:
        counts = Counter(one.stage for one in found if one.true_stage is stage)
        lines.append(f"| {stage} | {' | '.join(str(counts[other]) for other in (*STAGES, None))} |")
    lines += ["", "| flaw | wrong answers | stage right | reason right | diagnosed reasons |", "|---|--:|--:|--:|---|"]
    lines += [_row(name, own) for name, own in _grouped(found)]
    lines += ["", "| random answers | wrong | claims | claimed reasons |", "|---|--:|--:|---|"]
    for kind in RANDOM:
        wrong = [one for one in claimed if one.kind == kind]
        untrue = [one.explanations for one in wrong if one.is_false]
        lines.append(f"| {kind} | {len(wrong)} | {len(untrue)} | {_most_common(untrue)} |")
    return "\n".join(lines) + "\n"


def _grouped(found: Sequence[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    for name in (*FLAWS, *PAIRS):
        yield name, [one for one in found if one.name == name]


def _row(name: str, own: Sequence[Finding]) -> str:
    stage, reason = sum(one.stage_right for one in own), sum(one.reason_right for one in own)
    reasons = _most_common([one.explanations for one in own])
    return f"| `{name}` | {len(own)} | {_share(stage, len(own))} | {_share(reason, len(own))} | {reasons} |"


def _most_common(told: Iterable[tuple[frozenset[str], ...]]) -> str:
    counts = Counter(" or ".join(sorted(" + ".join(sorted(one)) for one in explained)) for explained in told)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{reason} ({count})" for reason, count in ranked[:_MOST_REASONS]]
    rest = sum(count for _, count in ranked[_MOST_REASONS:])
    return "<br>".join([*shown, *([f"others ({rest})"] if rest else [])])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def measured(bench: Bench, progress: Callable[[str], None]) -> tuple[list[Finding], list[Claim]]:
    """Every flaw and pair, then the random answers."""
    found: list[Finding] = []
    for name in (*FLAWS, *PAIRS):
        own = [*findings(bench, name)]
        wrong = [one.instance_id for one in own if not one.reason_right]
        progress(
            f"{name}: {len(own)} wrong answers, reason right {_share(len(own) - len(wrong), len(own))} {wrong[:5]}"
        )
        found += own
    claimed = [*claims(bench)]
    progress(f"random answers: {sum(one.is_false for one in claimed)} claims of {len(claimed)}")
    return found, claimed


def sample(dataset: Dataset) -> str:
    """The tables for a few instances, which the tests regenerate."""
    return tables(*measured(Bench(dataset, SAMPLE), lambda _: None))


def report(dataset: Dataset, found: Sequence[Finding], claimed: Sequence[Claim]) -> str:
    """The whole of docs/validity.md."""
    flaws = "\n".join(
        f"| `{flaw.name}` | {', '.join(map(str, flaw.levels))} | {flaw.description} | {'<br>'.join(flaw.expected)} |"
        for flaw in FLAWS.values()
    )
    return (
        f"# How right the diagnosis is\n\n{_HOW}\n## Result\n\n{tables(found, claimed)}\n## The flaws\n\n"
        f"| flaw | levels | what the agent does wrong | true reason, any of |\n|---|---|---|---|\n{flaws}\n\n"
        f"## Sample: every {SAMPLE}th instance\n\n{sample(dataset)}"
    )
