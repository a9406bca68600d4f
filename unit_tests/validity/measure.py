"""Measure the diagnosis: run every group of agents and answers, on several processors, and collect the findings."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.flawed import FLAWS, PAIRS
from mpcbench.schema.dataset import Dataset
from unit_tests.validity.bench import Bench
from unit_tests.validity.claim import NEAR, RANDOM, near_misses, random_answers
from unit_tests.validity.finding import Finding, Group, of_kit, of_mutant, of_own
from unit_tests.validity.kit import FIFTH, FIRST, FOURTH, HELD_OUT, SECOND, THIRD, UNSEEN
from unit_tests.validity.mutants import drawn

NAMES: Final = {
    Group.HELD_OUT: HELD_OUT,
    Group.FIFTH: FIFTH,
    Group.FOURTH: FOURTH,
    Group.THIRD: THIRD,
    Group.UNSEEN: UNSEEN,
    Group.SECOND: SECOND,
    Group.FIRST: FIRST,
    Group.OWN: (*FLAWS, *PAIRS),
    Group.NEAR: tuple(NEAR),
    Group.RANDOM: tuple(RANDOM),
}
"""The agents and kinds of each group; mutants are drawn until there are enough."""


class Sizes(NamedTuple):
    """How many wrong answers are diagnosed; None for all there are."""

    of_each: dict[Group, int | None]
    """For each agent or kind of a group, which is left out if it is 0; of mutants, how many give one each."""

    tries: int | None
    """On how many instances an agent runs at most until it has given so many wrong answers."""

    every: int = 1
    """Only every nth agent and kind."""


USUAL: Final = Sizes(
    {
        Group.HELD_OUT: 5,
        Group.MUTANTS: None,
        Group.FIFTH: 5,
        Group.FOURTH: 5,
        Group.THIRD: 5,
        Group.UNSEEN: 5,
        Group.SECOND: 5,
        Group.FIRST: 3,
        Group.OWN: 3,
        Group.NEAR: 20,
        Group.RANDOM: 50,
    },
    tries=40,
)
"""What `make validity` measures, in about five minutes on two cores."""

ALL: Final = Sizes(dict.fromkeys(Group), tries=None)
FEW: Final = Sizes(
    {
        Group.HELD_OUT: 0,
        Group.MUTANTS: 4,
        Group.FIFTH: 1,
        Group.FOURTH: 1,
        Group.THIRD: 1,
        Group.UNSEEN: 1,
        Group.SECOND: 1,
        Group.FIRST: 1,
        Group.OWN: 1,
        Group.NEAR: 2,
        Group.RANDOM: 2,
    },
    tries=20,
    every=12,
)
"""What the tests measure anew. The held-out agents are left alone."""

Job = tuple[Group, str, int | None, int | None]
Progress = Callable[[str], None]
_bench: Bench


def measured(dataset: Dataset, sizes: Sizes, progress: Progress, jobs: int | None = None) -> list[Finding]:
    """The findings of all groups, in a fixed order; jobs is the number of processes, 0 for none but this one."""
    number = (os.cpu_count() or 1) if jobs is None else jobs
    if number == 0:
        _start(dataset.folder)
        return _collected(map(_run, _jobs(sizes)), map(_run, _mutant_jobs()), sizes, progress)
    with multiprocessing.Pool(number, _start, (dataset.folder,)) as pool:
        # Leaving the pool ends it, so that no more mutants are tried than needed.
        return _collected(pool.imap(_run, _jobs(sizes)), pool.imap(_run, _mutant_jobs()), sizes, progress)


def _collected(
    others: Iterator[list[Finding]], mutants: Iterator[list[Finding]], sizes: Sizes, progress: Progress
) -> list[Finding]:
    found: list[Finding] = []
    for own in others:
        progress(f"{own[0].group}, {own[0].name}: {_verdicts(own)}" if own else "no wrong answer")
        found += own
    effective = (finding for own in mutants for finding in own)
    for number, finding in enumerate(islice(effective, sizes.of_each[Group.MUTANTS]), start=1):
        progress(f"mutant {number}, {finding.name}: {finding.verdict}")
        found.append(finding)
    return found


def _verdicts(own: Sequence[Finding]) -> str:
    return ", ".join(finding.verdict for finding in own)


def _jobs(sizes: Sizes) -> list[Job]:
    return [
        (group, name, sizes.of_each[group], sizes.tries)
        for group in NAMES
        if sizes.of_each[group] != 0
        for name in NAMES[group][:: sizes.every]
    ]


def _mutant_jobs() -> list[Job]:
    return [(Group.MUTANTS, str(place), 1, None) for place in range(len(drawn()))]


def _start(folder: Path) -> None:
    global _bench  # noqa: PLW0603 - what a process of the pool keeps between jobs
    _bench = Bench(Dataset.open(folder))


def _run(job: Job) -> list[Finding]:
    group, name, most, tries = job
    match group:
        case Group.HELD_OUT | Group.FIFTH | Group.FOURTH | Group.THIRD | Group.UNSEEN | Group.SECOND | Group.FIRST:
            return [*of_kit(_bench, group, name, most, tries)]
        case Group.OWN:
            return [*of_own(_bench, name, most, tries)]
        case Group.NEAR:
            return [*near_misses(_bench, name, most)]
        case Group.RANDOM:
            return [*random_answers(_bench, name, most)]
        case Group.MUTANTS:
            return [*of_mutant(_bench, drawn()[int(name)], most)]
