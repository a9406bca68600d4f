"""A comparison for people: as plain text for the terminal, and in Markdown."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.statistics import Estimate, TestName
from mpcbench.evaluation.statistics.agreement import Agreement
from mpcbench.evaluation.statistics.comparison import Comparison, Side
from mpcbench.evaluation.statistics.comparison_part import ComparisonPart, ComparisonVerdict, Needed
from mpcbench.evaluation.statistics.summary_text import code, markdown_table, plain_name
from mpcbench.schema.cause import in_words

_CAUSES = 10  # causes listed
_NAMED = 20  # instances named
_WIDTH = 98

_VERDICTS = {
    ComparisonVerdict.A_BETTER: "A is better",
    ComparisonVerdict.B_BETTER: "B is better",
    ComparisonVerdict.INCONCLUSIVE: "inconclusive",
}
_STAGES = {"answer": "answer can be read", "decomposition": "decomposition", "acquisition": "acquisition"}
_TESTS = {TestName.MCNEMAR: "exact McNemar", TestName.PERMUTATION: "paired permutation"}


def comparison_text(comparison: Comparison) -> str:
    """For the terminal: both runs, the differences, what would show them, flipped instances and moved causes."""
    f1, exact = _f1_lines(comparison), _exact_lines(comparison)
    stages, needed = _stage_lines(comparison), _needed_lines(comparison)
    parts = [
        list(_sides(comparison, plain_name)),
        text_table(exact, right=tuple(range(8))),
        text_table(f1, right=(0, 1, 2, 3, 4, 5, 6)),
        text_table(stages, right=(0, 2, 3, 4, 5, 6)) if stages else [],
        text_table(needed, right=(0, 1, 2, 3)) if needed else [],
        [line for one in _remarks(comparison, plain_name) for line in wrap(one, _WIDTH, subsequent_indent="  ")],
        *(text_table([("A", "B", title), *lines], right=(0, 1)) for title, lines in _cause_tables(comparison)),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def comparison_markdown(comparison: Comparison) -> str:
    """The same in Markdown; names that others made are code spans."""
    f1, exact = _f1_lines(comparison), _exact_lines(comparison)
    stages, needed = _stage_lines(comparison), _needed_lines(comparison)
    parts = [
        "\n".join(f"- {line}" for line in _sides(comparison, code)),
        markdown_table(exact[0], tuple(range(8)), exact[1:]),
        markdown_table(f1[0], (0, 1, 2, 3, 4, 5, 6), f1[1:]),
        markdown_table(stages[0], (0, 2, 3, 4, 5, 6), stages[1:]) if stages else "",
        markdown_table(needed[0], (0, 1, 2, 3), needed[1:]) if needed else "",
        "\n".join(f"- {line}" for line in _remarks(comparison, code)),
        *(markdown_table(("A", "B", title), (0, 1), lines) for title, lines in _cause_tables(comparison)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _sides(comparison: Comparison, name: Callable[[str], str]) -> Iterator[str]:
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        trials = f", {side.trials} trials an instance" if side.trials > 1 else ""
        yield f"{letter}: {name(side.model)} in {name(side.name)}{trials}"


def _parts(comparison: Comparison) -> list[tuple[str, ComparisonPart]]:
    parts = [(str(part.level), part) for part in comparison.levels]
    return parts if comparison.overall is None else [*parts, ("all", comparison.overall)]


def _f1_lines(comparison: Comparison) -> list[tuple[str, ...]]:
    heading = ("level", "n", "F1 of A", "F1 of B", "B - A [95%]", "p", "detectable", "verdict")
    lines: list[tuple[str, ...]] = [
        (
            level,
            str(part.instances),
            f"{part.f1_a.mean:.3f}",
            f"{part.f1_b.mean:.3f}",
            _signed(part.f1_difference),
            _p(part.f1_test.p_value),
            "unknown" if part.detectable is None else "> 1" if part.detectable > 1 else f"{part.detectable:.3f}",
            _VERDICTS[part.verdict],
        )
        for level, part in _parts(comparison)
    ]
    return [heading, *lines]


def _exact_lines(comparison: Comparison) -> list[tuple[str, ...]]:
    heading = ("level", "n", "exact match of A", "of B", "B - A [95%]", "gained", "lost", "p")
    lines: list[tuple[str, ...]] = [
        (
            level,
            str(part.instances),
            f"{part.exact_match_a.mean:.1%}",
            f"{part.exact_match_b.mean:.1%}",
            _signed(part.exact_match_difference),
            str(len(part.gained)),
            str(len(part.lost)),
            _p(part.exact_match_test.p_value),
        )
        for level, part in _parts(comparison)
    ]
    return [heading, *lines]


def _stage_lines(comparison: Comparison) -> list[tuple[str, ...]]:
    """The scores of the stages that differ, if any do."""
    lines: list[tuple[str, ...]] = [
        (
            level,
            _STAGES[stage.name],
            str(stage.instances),
            f"{stage.a.mean:.3f}",
            f"{stage.b.mean:.3f}",
            _signed(stage.difference),
            _p(stage.test.p_value),
        )
        for level, part in _parts(comparison)
        for stage in part.stages
    ]
    return [("level", "stage", "n", "A", "B", "B - A [95%]", "p"), *lines] if lines else []


def _needed_lines(comparison: Comparison) -> list[tuple[str, ...]]:
    """What it takes to detect a difference, unless there is none; of trials only where the runs have several."""
    trials = comparison.a.trials > 1 and comparison.b.trials > 1
    lines: list[tuple[str, ...]] = [
        (
            level,
            f"{needed.difference:.3f}",
            "unknown" if needed.instances is None else f"{needed.instances:,}",
            *((_needed_trials(needed),) if trials else ()),
        )
        for level, part in _parts(comparison)
        for needed in part.needed
        if round(needed.difference, 9)
    ]
    return [("level", "to detect", "instances", *(("or trials",) if trials else ())), *lines] if lines else []


def _needed_trials(needed: Needed) -> str:
    if needed.trials is not None:
        return f"{needed.trials:,}"
    return "unknown" if needed.trials_enough is None else "no number"


def _cause_tables(comparison: Comparison) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """The title and lines of each table of causes or symptoms that has any."""
    for title, moves in (
        ("primary cause (deduced)", comparison.causes),
        ("observed, cause unknown", comparison.symptoms),
    ):
        if moves:
            yield title, [(f"{move.a:.3g}", f"{move.b:.3g}", in_words(move.reason)) for move in moves[:_CAUSES]]


def _signed(found: Estimate) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _remarks(comparison: Comparison, name: Callable[[str], str]) -> Iterator[str]:
    whole = comparison.overall or comparison.levels[0]
    yield (
        f"p of exact match: {_TESTS[whole.exact_match_test.name]}; p of F1: {_TESTS[whole.f1_test.name]}. Detectable: "
        f"with a power of {comparison.power:.0%} at a level of {comparison.alpha:.0%}; a smaller difference is "
        "inconclusive."
    )
    gained = [instance_id for part in comparison.levels for instance_id in part.gained]
    lost = [instance_id for part in comparison.levels for instance_id in part.lost]
    for title, flipped in (("gained", gained), ("lost", lost)):
        if flipped:
            yield f"{title} by B: {_named(flipped, name)}"
    if comparison.horizon is not None:
        yield comparison.horizon.text()
    if comparison.agreement is not None:
        yield agreement_text(comparison.agreement)
    for setting, (of_a, of_b) in comparison.differing.items():
        yield f"differing setting: {setting} is {of_a} in A and {of_b} in B"
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        if side.unearned:
            named = _named(side.unearned, name)
            yield f"warning: exact matches of {letter} without the needed records: {len(side.unearned)} ({named})"
        if side.left_out:
            yield f"left out, scored in {letter} only: {_left_out(side, name)}"


def agreement_text(found: Agreement) -> str:
    """The agreement of two runs in one sentence."""
    same = "" if found.same_candidates is None else f"the same candidates in {found.same_candidates:.1%}, "
    kappa = "unknown, as all ended alike" if found.kappa is None else f"{found.kappa:.2f}"
    return (
        f"agreement over {found.episodes} episode{'s'[: found.episodes != 1]} of both: {same}exact match in both or neither in "
        f"{found.exact_match:.1%}, Cohen's kappa {kappa}"
    )


def _left_out(side: Side, name: Callable[[str], str]) -> str:
    return f"{len(side.left_out)} ({_named(side.left_out, name)})"


def _named(instance_ids: Sequence[str], name: Callable[[str], str]) -> str:
    more = f" and {len(instance_ids) - _NAMED} more" if len(instance_ids) > _NAMED else ""
    return ", ".join(map(name, instance_ids[:_NAMED])) + more
