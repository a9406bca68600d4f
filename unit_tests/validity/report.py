"""The report on the validity of the diagnosis, docs/validity.md, as Markdown."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from mpcbench.benchmark.agents.flawed import FLAWS, PAIRS
from mpcbench.schema.dataset import Dataset
from unit_tests.validity.bench import Bench
from unit_tests.validity.claim import RANDOM, Claim, claims
from unit_tests.validity.finding import STAGES, Finding, findings

STAGE_TARGET: Final = 0.99
REASON_TARGET: Final = 0.95
FALSE_CLAIMS_TARGET: Final = 0.05
SAMPLE: Final = 50
"""The tests regenerate the tables for every n-th instance."""

_MOST_REASONS = 4
_HOW = """\
Each flawed agent is the reference agent with exactly one known defect (`--model flawed:NAME`). It ran on every
committed instance of its levels, and where the defect made the answer wrong, its episode was diagnosed. The
diagnosis reads tool calls, record IDs and candidates; it knows nothing of the defect.

- **stage right**: the diagnosed stage is the one of the defect (of a pair: the earlier of the two).
- **reason right**: the diagnosis gives the true reason, alone or with one other that explains the answer equally well;
  more than two explanations are wrong. In integration, an explanation with an additional reason is wrong, and for a
  pair it must contain both reasons. A pair of one stage counts if both defects affect the answer, a pair of two stages
  if the defect of the earlier stage alone makes the answer wrong.
- **every cause with evidence**: each cause after the format stage names a record, what holds by it, what was used
  instead and the first tool call that showed it.
- **evidence right**: for right reasons, the evidence consists of records that the defect touches, as determined from
  the instance alone, and no others. Explanations of the same reason by other records are alternatives: the true one
  must be among at most two.
- **false claims**: an agent that has seen every needed record answers at random, and the diagnosis still names a
  reason. It never names one that would explain more than one in ten random answers made of feasible candidates. If few
  more candidates are feasible than asked for, this leaves true reasons unexplained.
- **part of the gold**: an answer with some gold candidates and nothing else has too few. The diagnosis does not guess
  a second mistake, since too many would forbid the missing candidates. For `neighbouring-policy+too-few` it therefore
  often misses the policy, which counts as wrong.
- An empty answer reveals little: it has too few candidates, or policies that were read or superseded values ruled out
  too much. The diagnosis does not guess other defects that leave nothing feasible, which counts as wrong.
- The stages follow from the calls: a source that was never queried is a failure of decomposition, an unseen record of
  a queried source one of acquisition. A cause *proven* by `--reveal` can name the stage before: `--reveal plan` names
  all needed records, so missing an amendment in an unread thread is deduced as acquisition but proven as
  decomposition.

Written by `make validity`; the tests hold the last section to the data.
"""


def tables(found: Sequence[Finding], claimed: Sequence[Claim]) -> str:
    """The figures as Markdown tables."""
    lines = ["| | number | of | share | target |", "|---|--:|--:|--:|--:|"]
    for what, right, target in (
        ("stage", sum(one.stage_right for one in found), f"≥ {STAGE_TARGET:.0%}"),
        ("reason", sum(one.reason_right for one in found), f"≥ {REASON_TARGET:.0%}"),
    ):
        lines.append(f"| {what} right | {right} | {len(found)} | {_share(right, len(found))} | {target} |")
    whole = sum(one.is_shown for one in found)
    lines.append(f"| every cause with evidence | {whole} | {len(found)} | {_share(whole, len(found))} | |")
    shown = [one.evidence_right for one in found if one.evidence_right is not None]
    lines.append(f"| evidence right | {sum(shown)} | {len(shown)} | {_share(sum(shown), len(shown))} | |")
    for kind in RANDOM:
        wrong = [one for one in claimed if one.kind == kind]
        false = sum(one.is_false for one in wrong)
        share = _share(false, len(wrong))
        lines.append(f"| false claims: {kind} | {false} | {len(wrong)} | {share} | ≤ {FALSE_CLAIMS_TARGET:.0%} |")
    lines += ["", "Defect's stage (rows) and diagnosed stage:", "", f"| | {' | '.join(STAGES)} | none |"]
    lines.append("|---|" + "--:|" * (len(STAGES) + 1))
    for stage in STAGES:
        counts = Counter(one.stage for one in found if one.true_stage is stage)
        lines.append(f"| {stage} | {' | '.join(str(counts[other]) for other in (*STAGES, None))} |")
    lines += ["", "| flaw | wrong answers | stage right | reason right | evidence right | diagnosed reasons |"]
    lines += ["|---|--:|--:|--:|--:|---|"]
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
    shown = [one.evidence_right for one in own if one.evidence_right is not None]
    shares = (_share(stage, len(own)), _share(reason, len(own)), _share(sum(shown), len(shown)))
    return f"| `{name}` | {len(own)} | {' | '.join(shares)} | {_most_common([one.explanations for one in own])} |"


def _most_common(diagnoses: Iterable[tuple[frozenset[str], ...]]) -> str:
    counts = Counter(
        " or ".join(sorted(" + ".join(sorted(reasons)) for reasons in explanations)) for explanations in diagnoses
    )
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    most_common = [f"{reason} ({count})" for reason, count in ranked[:_MOST_REASONS]]
    rest = sum(count for _, count in ranked[_MOST_REASONS:])
    return "<br>".join([*most_common, *([f"others ({rest})"] if rest else [])])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def is_reached(found: Sequence[Finding], claimed: Sequence[Claim]) -> bool:
    """Whether every target is reached."""
    return (
        sum(one.stage_right for one in found) >= STAGE_TARGET * len(found)
        and sum(one.reason_right for one in found) >= REASON_TARGET * len(found)
        and all(
            sum(one.is_false for one in claimed if one.kind == kind)
            <= FALSE_CLAIMS_TARGET * sum(one.kind == kind for one in claimed)
            for kind in RANDOM
        )
    )


def measured(bench: Bench, progress: Callable[[str], None]) -> tuple[list[Finding], list[Claim]]:
    """Measure every flaw and pair, then the random answers."""
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
