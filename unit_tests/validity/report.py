"""The report on the validity of the diagnosis, docs/validity.md, as Markdown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.flawed import FLAWS, PAIRS
from unit_tests.validity.expected import RIGHT
from unit_tests.validity.finding import STAGES, Finding, Group
from unit_tests.validity.judge import Verdict
from unit_tests.validity.kit import KIT
from unit_tests.validity.measure import NAMES, Sizes
from unit_tests.validity.mutants import TRIES


class Target(NamedTuple):
    """What the shares of a group should be."""

    named: float = 0.0
    """At least: right or acceptable."""

    silent: float = 1.0
    """At most: only a symptom, or unexplained."""

    false: float = 1.0
    """At most: another cause claimed."""

    right: float = 0.0
    """At least: right."""


TARGETS: Final = {
    Group.HELD_OUT: Target(named=0.80, silent=0.15, false=0.03),
    Group.MUTANTS: Target(named=0.80, silent=0.15, false=0.03),
    Group.FIFTH: Target(),
    Group.FOURTH: Target(),
    Group.THIRD: Target(),
    Group.UNSEEN: Target(),
    Group.SECOND: Target(),
    Group.FIRST: Target(),
    Group.OWN: Target(right=0.97),
    Group.NEAR: Target(false=0.04),
    Group.RANDOM: Target(false=0.05),
}

SAMPLE: Final = "## Sample that the tests measure\n\n"
"""The heading of the last section."""

_KITS: Final = (Group.FIFTH, Group.FOURTH, Group.THIRD, Group.UNSEEN, Group.SECOND, Group.FIRST)
_AGENTS: Final = (Group.HELD_OUT, Group.MUTANTS, *_KITS, Group.OWN)
_NAMED: Final = {Verdict.RIGHT, Verdict.ACCEPTABLE}
_SILENT: Final = {Verdict.SYMPTOM, Verdict.UNEXPLAINED}
_MOST_REASONS: Final = 3
_HOW: Final = """\
Agents whose failure is known ran on the committed instances, and their wrong answers were diagnosed. The diagnosis reads
tool calls, record IDs and candidates; it knows nothing of the agent. Each diagnosis gets one verdict:

| verdict | the diagnosis |
|---|---|
| right | gives the true reason in one of at most two explanations, and no other beside it; where it names a record of the kind that the failure is about, that very record |
| acceptable | says something else that is true of the failure and useful, or gives the true reason in one of three explanations |
| symptom | claims no cause but what is true of the answer whatever its cause, such as too few candidates |
| unexplained | says nothing |
| false | claims another cause |

Eleven groups are reported apart:

- **Held-out flawed agents**: the sixth kit: 120 agents that nobody who works on the diagnosis runs, written by somebody
  who has not seen it, with the expected reason for each. They are measured once, when the diagnosis is finished. This is the
  headline.
- **Mutants** of the reference agent's own code: in each, one operator, constant, comparison, condition, argument order,
  statement or list item is changed. Where the change is, and which values it made differ from those of the unchanged
  agent, says what the failure is. A change that leads to an error instead of an answer does not count.
- **The fifth kit**: 150 agents, written in the same way by others, which were held out after those of the fourth. They
  have been run since: of their 729 wrong answers 94.4% were explained rightly or acceptably, 2.2% had only symptoms, and
  3.4% a false claim. Since then the diagnosis is made with this kit, too.
- **The fourth kit**: 161 agents, written in the same way by others, which were held out after those of the third. They
  have been run since: of their 779 wrong answers 90.9% were explained rightly or acceptably, 6.4% had only symptoms, and
  2.7% a false claim. The diagnosis has been changed since, but without a look at this kit.
- **The third kit**: 139 agents, written in the same way by others, which were held out after those of the second. They
  have been run since: of their 654 wrong answers 74.8% were explained rightly or acceptably, 21.4% had only symptoms, and
  3.8% a false claim. Since then the diagnosis is made with this kit, too, and its figures say how it fits agents that it
  knows.
- **The second kit**: 109 agents, written in the same way by others, which were held out after those of the first. They
  have been run since: of their 522 wrong answers 81.8% were explained rightly or acceptably, 8.0% had only symptoms, and
  10.2% a false claim. In 4.2% of all the claim is what the agent's code plainly does, and the expectation says something
  else; `unit_tests/validity/expected.py` corrects and explains these. The other 5.9% were false. Since then the diagnosis
  is made with this kit, too, as with the third.
- **The two halves of the first kit**: 158 agents, each the reference agent with one step replaced. They were written from
  published lists of failures by somebody who had not seen the diagnosis, with the expected reason for each, and split by
  lot. The diagnosis was made with the first half while the second was held out. The second half has been run since: of
  its 370 wrong answers 80.8% were explained rightly or acceptably, 13.0% had only symptoms, and 6.2% a false claim, when
  on the first half no claim was false. Since then the diagnosis is made with both halves, as with the second kit.
- **Own flawed agents**: those of `--model flawed:NAME`, around which the diagnosis was first built. Here the evidence is
  examined, too.
- **Near misses**: the gold with one candidate replaced. Only the slip itself explains such an answer.
- **Random answers**, which no mistake has caused: every cause is false.
"""
_STAGES: Final = """\
The stage is right nearly by construction, so the figure is worth little: it is read off the calls. A needed source that
was never queried is decomposition, a needed record that no result showed is acquisition, and all else is integration.
The expectations were written with the same definitions. The figure shows that the calls are read correctly; it does not
show that the stage is where the agent's thinking failed: an agent that misreads a date and therefore fetches the wrong
days counts as acquisition. [`--attribute causal`](scoring.md#proving-a-cause) tests that by repairing one stage after
the other.
"""
_EMPTY: Final = """\
Of an answer without options that was given after everything had been read, the calls and the answer say nothing about the
cause: hundreds of mistakes lead to it. It is only observed that there are no options, which is judged a symptom. So the
share of symptoms depends on how many such answers a group has; mutants have many, as one changed comparison often rules
everything out.
"""
_INTERVENTION: Final = """\
A cause that names a record or a value can be tested: the agent runs again and is handed just that, and nothing else of
it is repaired. Where several explanations are given, the first is tested. Habits, slips at a candidate, offsets and
numbers of candidates name nothing that can be handed over.
"""


def report(found: Sequence[Finding], sizes: Sizes, few: Sequence[Finding]) -> str:
    """The whole of docs/validity.md."""
    parts = [
        f"# How right the diagnosis is\n\n{_HOW}\n{_sizes(sizes)}\n\nWritten by `make validity`.\n",
        f"## Result\n\n{summary(found)}",
        f"## Answers without options\n\n{_EMPTY}\n{_empty_table(found)}",
        f"## What the stage is worth\n\n{_STAGES}\n{_stage_table(found)}",
        f"## Handing over what was named\n\n{_INTERVENTION}\n{_intervention_table(found)}",
        _evidence(found),
        *(f"## {group.capitalize()}\n\n{_details(found, group)}" for group in Group if sizes.of_each[group] != 0),
    ]
    if few:
        parts.append(f"{SAMPLE}{summary(few)}")
    return "\n".join(parts)


def summary(found: Sequence[Finding]) -> str:
    """The verdicts of each group, with their targets."""
    lines = [
        "| | wrong answers | right | acceptable | symptom | unexplained | false | target |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for group in Group:
        own = [one for one in found if one.group is group]
        lines.append(f"| {group} | {len(own)} | {' | '.join(_shares(own))} | {_target(group)} |")
    return "\n".join(lines) + "\n"


def missed(found: Sequence[Finding]) -> Iterator[str]:
    """The targets that are missed, in words."""
    for group, target in TARGETS.items():
        own = [one.verdict for one in found if one.group is group]
        named, silent, right = _part(own, _NAMED), _part(own, _SILENT), _part(own, {Verdict.RIGHT})
        false = _part(own, {Verdict.FALSE})
        if own and (named < target.named or silent > target.silent or false > target.false or right < target.right):
            yield (
                f"{group}: right {right:.1%}, right or acceptable {named:.1%}, symptom or unexplained {silent:.1%}, "
                f"false {false:.1%}; target: {_target(group)}"
            )


def _part(verdicts: Sequence[Verdict], wanted: set[Verdict]) -> float:
    return sum(one in wanted for one in verdicts) / len(verdicts) if verdicts else 0.0


def _target(group: Group) -> str:
    target = TARGETS[group]
    said = []
    if target.right:
        said.append(f"right ≥ {target.right:.0%}")
    if target.named:
        said.append(f"right or acceptable ≥ {target.named:.0%}")
    if target.silent < 1:
        said.append(f"symptom or unexplained ≤ {target.silent:.0%}")
    if target.false < 1:
        said.append(f"false ≤ {target.false:.0%}")
    return ", ".join(said)


def _sizes(sizes: Sizes) -> str:
    if sizes.tries is None:
        return "All instances were used, and one wrong answer of each mutant."
    each = sizes.of_each
    return (
        f"This is a sample drawn by lot, the same each time: {each[Group.HELD_OUT]} wrong answers of each held-out agent,\n"
        f"{each[Group.FIFTH]} of each agent of the fifth kit, {each[Group.FOURTH]} of each of the fourth, "
        f"{each[Group.THIRD]} of each of the third, "
        f"{each[Group.UNSEEN]} of each of the second,\n{each[Group.SECOND]} of each of the second half of the first and {each[Group.FIRST]} of its first, "
        f"{each[Group.OWN]} of each own one, found on at most {sizes.tries} instances;\n"
        f"one of each mutant that changes the answer to one of {TRIES} instances; {each[Group.NEAR]} near misses and "
        f"{each[Group.RANDOM]} random answers of each kind.\n"
        '`make validity ARGS="--all"` uses all instances.'
    )


def _empty_table(found: Sequence[Finding]) -> str:
    lines = [
        "| | options | wrong answers | right or acceptable | symptom or unexplained | false |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for group in _AGENTS:
        for name, is_empty in (("some", False), ("none", True)):
            own = [one.verdict for one in found if one.group is group and one.is_empty is is_empty]
            parts = (sum(one in verdicts for one in own) for verdicts in (_NAMED, _SILENT, {Verdict.FALSE}))
            cells = " | ".join(_share(part, len(own)) for part in parts)
            lines.append(f"| {group} | {name} | {len(own)} | {cells} |")
    return "\n".join(lines) + "\n"


def _stage_table(found: Sequence[Finding]) -> str:
    lines = [f"| | stage right | {' | '.join(STAGES)} | none |", "|---|--:|" + "--:|" * (len(STAGES) + 1)]
    for group in _AGENTS:
        own = [one for one in found if one.group is group]
        right = sum(one.stage in one.true_stages for one in own)
        counts = Counter(one.stage for one in own)
        cells = " | ".join(str(counts[stage]) for stage in (*STAGES, None))
        lines.append(f"| {group} | {_share(right, len(own))} | {cells} |")
    return "\n".join(lines) + "\n"


def _intervention_table(found: Sequence[Finding]) -> str:
    lines = ["| | verdict | named something to hand over | then gave the gold | share |", "|---|---|--:|--:|--:|"]
    for group in (Group.HELD_OUT, Group.UNSEEN, Group.SECOND, Group.FIRST, Group.OWN):
        for name, verdicts in (("right or acceptable", _NAMED), ("false", {Verdict.FALSE})):
            own = [one for one in found if one.group is group and one.verdict in verdicts]
            tested = [one.is_mended for one in own if one.is_mended is not None]
            lines.append(
                f"| {group} | {name} | {len(tested)} of {len(own)} | {sum(tested)} | {_share(sum(tested), len(tested))} |"
            )
    return "\n".join(lines) + "\n"


def _evidence(found: Sequence[Finding]) -> str:
    agents = [one for one in found if one.group not in {Group.NEAR, Group.RANDOM}]
    right = [one.evidence_right for one in found if one.evidence_right is not None]
    whole = sum(one.is_shown for one in agents)
    return (
        "## Evidence\n\n"
        "A cause names a record, what holds by it, what was used instead, and the first tool call that showed it. "
        "Of the own\nflawed agents it is known from the instance alone which records the flaw touches: the evidence must "
        "name some of\nthese and no others, in one of at most two explanations by the true reason.\n\n"
        "| | number | of | share |\n|---|--:|--:|--:|\n"
        f"| every cause with evidence | {whole} | {len(agents)} | {_share(whole, len(agents))} |\n"
        f"| evidence right, own flawed agents | {sum(right)} | {len(right)} | {_share(sum(right), len(right))} |\n"
    )


def _details(found: Sequence[Finding], group: Group) -> str:
    lines = [
        "| | wrong answers | right | acceptable | symptom | unexplained | false | expected | diagnosed |",
        "|---|--:|--:|--:|--:|--:|--:|---|---|",
    ]
    by_name: dict[str, list[Finding]] = {name: [] for name in NAMES.get(group, ())}
    for one in sorted((one for one in found if one.group is group), key=lambda one: one.name):
        by_name.setdefault(one.name, []).append(one)
    for name, own in by_name.items():
        title, expected = _described(name)
        counts = Counter(one.verdict for one in own)
        cells = " | ".join(str(counts[verdict]) for verdict in Verdict)
        reasons = _most_common(one.explanations for one in own)
        lines.append(f"| {title} | {len(own)} | {cells} | {expected} | {reasons} |")
    return "\n".join(lines) + "\n"


def _described(name: str) -> tuple[str, str]:
    """What is said of a name: what the agent does, and the reasons that name it."""
    if name in KIT:
        agent = KIT[name]
        return f"`{name}`: {agent.description}", "<br>".join((*agent.reasons, *RIGHT.get(name, ()))) or "in words"
    if name in FLAWS:
        return f"`{name}`: {FLAWS[name].description}", "<br>".join(FLAWS[name].expected)
    return f"`{name}`" if "." in name or name in PAIRS else name, ""


def _most_common(diagnoses: Iterable[tuple[frozenset[str], ...]]) -> str:
    counts = Counter(
        " or ".join(sorted(" + ".join(sorted(reasons)) for reasons in explanations)) for explanations in diagnoses
    )
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    most_common = [f"{reason} ({count})" for reason, count in ranked[:_MOST_REASONS]]
    rest = sum(count for _, count in ranked[_MOST_REASONS:])
    return "<br>".join([*most_common, *([f"others ({rest})"] if rest else [])])


def _shares(own: Sequence[Finding]) -> list[str]:
    return [_share(sum(one.verdict is verdict for one in own), len(own)) for verdict in Verdict]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
