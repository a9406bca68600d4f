"""Merges runs that were made in parts, such as shards of several machines or single levels, into one run."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from mpcbench.evaluation.runs.building import built_aside
from mpcbench.evaluation.runs.durable_file import read_file
from mpcbench.evaluation.runs.folder import RunError, RunFolder, check_outside_runs
from mpcbench.evaluation.runs.identity import differences, joined
from mpcbench.evaluation.runs.options import wrong_option
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.schema.episode import Outcome
from mpcbench.schema.run import Case, RunInfo


def merge(parts: Sequence[RunFolder], out: Path) -> RunFolder:
    """A new run that holds the episodes of all parts, with its summaries.

    An episode that several parts hold is taken once if they agree on it. If it is an error in one part only, the other
    part's is taken.

    Raises:
        RunError: a part's options are none, the parts were not run alike, two hold different episodes of one case, or the folder holds
            something or lies in that of a run.
    """
    check_outside_runs(out)
    for part in parts:
        wrong = wrong_option(part.info.options)
        if wrong is not None:
            raise RunError(f"{part.run_file}: $.options.{wrong}: not a value of the option")
    for first, second in pairwise(parts):
        found = list(differences(first.info, second.info))
        if found:
            raise RunError(f"{second.path} cannot be merged with {first.path}, which was run with {'; '.join(found)}")
    chosen: dict[Case, RunFolder] = {}
    for part in parts:
        for case in part.cases():
            chosen[case] = _better(case, chosen[case], part) if case in chosen else part
    info, *others = map(_unsharded, (part.info for part in parts))
    for other in others:
        info = joined(info, other)
    created = min(part.info.created for part in parts)
    cases = tuple(sorted(info.cases, key=lambda case: case.place))
    complete = set(cases) <= chosen.keys()
    update = {
        "created": created,
        "cases": cases,
        "stopped": None if complete else next((part.info.stopped for part in parts if part.info.stopped), None),
    }
    with built_aside(out, info.model_copy(update=update)) as merged:
        results = []
        for case, part in chosen.items():
            results.append(part.result(case))
            merged.write_episode(case, read_file(part.episode_file(case)))
        write_summary(merged, results)
    return RunFolder.open(out)


def missing_shards(parts: Sequence[RunFolder]) -> list[str]:
    """The shards, such as `2/3`, that are not among the parts although others of the same split are."""
    shards = {str(part.info.settings["shard"]) for part in parts if part.info.settings.get("shard") is not None}
    splits = [re.fullmatch(r"[0-9]{1,6}/([0-9]{1,6})", shard) for shard in shards]
    numbers = sorted({int(split[1]) for split in splits if split is not None})
    wanted = [f"{number}/{of}" for of in numbers for number in range(1, of + 1)]
    return [shard for shard in wanted if shard not in shards]


def _unsharded(info: RunInfo) -> RunInfo:
    """The information as if the run were not a part of others."""
    options = {name: value for name, value in info.options.items() if name != "shard"}
    return info.model_copy(update={"options": options, "settings": {**info.settings, "shard": None}})


def _better(case: Case, first: RunFolder, second: RunFolder) -> RunFolder:
    one, other = first.episode(case), second.episode(case)
    assert one is not None
    assert other is not None
    if one == other or other.outcome is Outcome.ERROR:
        return first
    if one.outcome is Outcome.ERROR:
        return second
    raise RunError(f"{second.episode_file(case)}: not the episode in {first.episode_file(case)}")
