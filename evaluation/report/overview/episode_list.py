"""The list of episodes as data for the report's script: short keys, and no number that was computed here."""

from collections.abc import Sequence
from typing import Any, Final

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.schema.cause import in_words
from mpcbench.schema.episode import Outcome
from mpcbench.schema.result import Result
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import one_line

OUTCOMES = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.ERROR: "error"}
"""The word for each outcome."""

LONGEST_NAME: Final = 200
"""Characters of a name that a page shows."""


def letter(run: int) -> str:
    """The name of a run within a report: A to Z, then AA and so on."""
    return (letter(run // 26 - 1) if run >= 26 else "") + chr(ord("A") + run % 26)


def ordered(runs: Sequence[ReportedRun]) -> list[tuple[int, Result]]:
    """All episodes of all runs, each with the place of its run, by level, instance, model, trial and run."""
    found = [(place, result) for place, run in enumerate(runs) for result in run.results]
    return sorted(found, key=lambda one: (case_of(one[1]).place, one[0]))


def _reasons(result: Result) -> list[str]:
    """The primary causes: of every explanation that fits, all parts."""
    return [] if result.diagnosis is None else list(primary_reasons(result.diagnosis))


def index(runs: Sequence[ReportedRun], episodes: Sequence[tuple[int, Result]]) -> dict[str, Any]:
    """What the script needs to list, filter, sort and find the episodes, as JSON values.

    `episodes` holds one row for each: run, model and the causes as places in the lists beside it; `block` is the
    number of the block that holds its page, and `page` its place there.
    """
    models = list(dict.fromkeys(result.model for _, result in episodes))
    reasons = sorted({reason for _, result in episodes for reason in _reasons(result)})
    blocks: dict[str, int] = {}
    pages: dict[str, int] = {}
    rows = []
    for run, result in episodes:
        block = blocks.setdefault(result.instance_id, len(blocks))
        page = pages.get(result.instance_id, 0)
        pages[result.instance_id] = page + 1
        usage = result.usage
        rows.append(
            {
                "run": run,
                "instance": one_line(result.instance_id, LONGEST_NAME),
                "level": result.level,
                "model": models.index(result.model),
                "trial": result.trial,
                "outcome": OUTCOMES[result.outcome],
                "f1": None if result.scores is None else result.scores.f1,
                "causes": [reasons.index(reason) for reason in _reasons(result)],
                "note": _note(result),
                "turns": result.turns,
                "calls": result.tool_calls,
                "tokens": None if usage is None else _total(usage.input_tokens, usage.output_tokens),
                "cost": result.cost_usd,
                "seconds": result.seconds,
                "block": block,
                "page": page,
            }
        )
    return {
        "runs": [
            {"letter": letter(place), "id": one_line(run.info.run_id, LONGEST_NAME)} for place, run in enumerate(runs)
        ],
        "models": [one_line(model, LONGEST_NAME) for model in models],
        "causes": [in_words(reason) for reason in reasons],
        "episodes": rows,
    }


def _note(result: Result) -> str:
    """What is shown in place of a cause: why an episode is an error."""
    return "" if result.fault is None else one_line(f"{result.fault.kind}: {result.fault.message}", 160)


def _total(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
