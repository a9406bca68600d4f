"""Measures what guessing is worth without one source, on the committed data and on held-out data."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby, repeat
from pathlib import Path
from typing import Final

from tqdm import tqdm

from mpcbench.benchmark.agents.baselines.battery import BatteryRow, excesses, measured
from mpcbench.benchmark.agents.baselines.without import MISSING, Missing
from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.statistics.summary_text import interval, markdown_table, percent
from mpcbench.generate.making import GenerationError, files_of, make_instances
from mpcbench.generate.parallel import Processes
from mpcbench.schema.dataset import COMMITTED, DataError, Dataset, write_files
from mpcbench.schema.model import Level

_HELD_OUT: Final = "held-out"


def print_battery(
    levels: Sequence[Level],
    *,
    train: Path | None,
    test: Path | None,
    seed: int,
    count: int,
    workers: int,
    markdown: bool,
    every: bool,
) -> int:
    """Measure and print; 1 where a bound is exceeded on held-out data.

    Args:
        levels: What to measure.
        train: The data to learn from; None for data that are generated with the next seed.
        test: The held-out data; None for data that are generated with the seed.
        seed: That of generated data.
        count: The number of instances of each level in generated data.
        workers: The number of processes.
        markdown: Whether to print Markdown.
        every: Whether to print every variant and not only the best.

    Raises:
        DataError: data are missing or wrong, or could not be generated.
    """
    with tempfile.TemporaryDirectory() as scratch:
        test = test or _generated(Path(scratch, "test"), levels, seed, count, workers)
        train = train or _generated(Path(scratch, "train"), levels, seed + 1, count, workers)
        rows = list(_measured(levels, train, {_HELD_OUT: test, "committed": COMMITTED}, workers))
    heading, lines = (_every if every else _best)(rows)
    if markdown:
        print(markdown_table(heading, (0,), lines))
    else:
        print("\n".join(text_table([heading, *lines], right=(0,))))
    exceeded = list(excesses(rows, _HELD_OUT))
    for line in exceeded:
        print(f"over the bound: {line}", file=sys.stderr)
    return 1 if exceeded else 0


def _generated(folder: Path, levels: Sequence[Level], seed: int, count: int, workers: int) -> Path:
    for level in levels:
        making = make_instances(level, seed, range(count), Processes(workers))
        try:
            made = list(tqdm(making, total=count, desc=f"seed {seed}, level {level}", unit="instance"))
            write_files(folder, files_of(level, seed, made))
        except GenerationError as error:
            raise DataError(str(error)) from error
    return folder


def _measured(levels: Sequence[Level], train: Path, tests: Mapping[str, Path], workers: int) -> Iterator[BatteryRow]:
    jobs = [(level, missing) for level in levels for missing in MISSING[level]]
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(_measure, jobs, repeat(train), repeat(tests))
        for rows in tqdm(found, total=len(jobs), desc="measuring", unit="source"):
            yield from rows


def _measure(job: tuple[Level, Missing], train: Path, tests: Mapping[str, Path]) -> list[BatteryRow]:
    return measured(*job, Dataset.open(train), {name: Dataset.open(folder) for name, folder in tests.items()})


Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def _every(rows: Sequence[BatteryRow]) -> Table:
    """A line for every guess on each data set."""
    heading = ("level", "without", "data", "n", "exact match [95%]", "F1 [95%]", "guess")
    lines: list[tuple[str, ...]] = [
        (
            str(row.level),
            row.missing.value,
            row.data,
            str(row.f1.n),
            percent(row.exact_match),
            interval(row.f1),
            row.variant,
        )
        for row in rows
    ]
    return heading, lines


def _best(rows: Sequence[BatteryRow]) -> Table:
    """A line for everything that can be missing: on each data set the most exact matches and the highest F1."""
    sizes = {row.data: row.f1.n for row in rows}
    heading = (
        "level",
        "without",
        *(f"exact match, {data} (n={n})" for data, n in sizes.items()),
        *(f"F1, {data}" for data in sizes),
        "best guesses",
    )
    lines = []
    for (level, missing), group in groupby(rows, lambda row: (row.level, row.missing)):
        found = list(group)
        of_data = [[row for row in found if row.data == data] for data in sizes]
        exact = [max(variants, key=lambda row: (row.exact_match.mean, row.f1.mean)) for variants in of_data]
        f1 = [max(variants, key=lambda row: row.f1.mean) for variants in of_data]
        guesses = dict.fromkeys(row.variant for row in (exact[0], f1[0]) if row.f1.mean)
        cells = [*(percent(row.exact_match) for row in exact), *(interval(row.f1) for row in f1)]
        lines.append((str(level), missing.value, *cells, ", ".join(guesses)))
    return heading, lines
