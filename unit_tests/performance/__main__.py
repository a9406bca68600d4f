"""Command line: measure everything, or some parts, and print a table."""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from mpcbench.benchmark.agents.baselines import baseline_table
from mpcbench.schema.dataset import Dataset
from unit_tests.performance import diagnosis, endpoint, engine, ladder
from unit_tests.performance.figure import Figure, table
from unit_tests.performance.process import CHECKOUT, Finished, ProcessError, run

_FRESH_COUNT = "10"
"""Instances of each level for the reference agent on data that nobody has seen."""

_WORKERS = "2"
_PLAIN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and where files may be put."""

    dataset: Path
    seed: int
    """Of the fresh data."""

    scratch: Path
    """An empty folder."""


def _engine(plan: Plan) -> Iterator[Figure]:
    return engine.figures(Dataset.open(plan.dataset))


def _ladder(_: Plan) -> Iterator[Figure]:
    return ladder.figures()


def _diagnosis(plan: Plan) -> Iterator[Figure]:
    return diagnosis.figures(Dataset.open(plan.dataset))


def _generate(plan: Plan) -> Iterator[Figure]:
    made = run("generate", "--workers", _WORKERS, "--out", str(plan.scratch))
    yield Figure.at_most("generate: all 300 instances, 2 workers", made.seconds, 120, " s")


def _benchmark(plan: Plan) -> Iterator[Figure]:
    done, rows = _reference_agent(plan.dataset, plan.scratch)
    cases = sum(row["attempted"] for row in rows)
    yield Figure.at_most("benchmark: reference agent, -n 2", done.seconds, 30, " s", f"{cases} cases")
    name, most = "benchmark: memory of a worker", 200
    if done.child_megabytes is None:
        yield Figure(name, "unknown without /proc", f"<= {most} MB", None)
    else:
        yield Figure.at_most(name, done.child_megabytes, most, " MB")
    yield from _perfect("the data set", rows)


def _endpoint(plan: Plan) -> Iterator[Figure]:
    return endpoint.figures(Dataset.open(plan.dataset), plan.scratch)


def _collection(plan: Plan) -> Iterator[Figure]:
    done = run("pytest", "benchmark", *_PLAIN, "--dataset", str(plan.dataset), "--collect-only", "-q")
    said = re.search(r"(\d+) tests collected in ([\d.]+)s", done.output)
    if said is None:
        raise ProcessError(f"pytest does not say how long it collected: {done.output[-200:]}")
    yield Figure.at_most("collection: by pytest's own clock", float(said[2]), 1, " s", f"{said[1]} cases")
    yield Figure("collection: the whole process", f"{done.seconds:.3g} s", "", None)


def _reference(plan: Plan) -> Iterator[Figure]:
    data = plan.scratch / "data"
    run("generate", "--workers", _WORKERS, "--count", _FRESH_COUNT, "--seed", str(plan.seed), "--out", str(data))
    _, rows = _reference_agent(data, plan.scratch)
    yield from _perfect(f"fresh seed {plan.seed}", rows)


def _baselines(plan: Plan) -> Iterator[Figure]:
    rows = baseline_table(Dataset.open(plan.dataset))
    exact = max(rows, key=lambda row: row.exact_match)
    yield Figure.at_most("baselines: exact match", exact.exact_match, 0, note=f"highest of {len(rows)}")
    for name, target, among in (
        ("baselines: F1 of all but everything", 0.02, [row for row in rows if row.baseline != "everything"]),
        ("baselines: F1 of everything", 0.05, [row for row in rows if row.baseline == "everything"]),
    ):
        highest = max(among, key=lambda row: row.f1)
        yield Figure.at_most(name, highest.f1, target, note=f"{highest.baseline}, level {highest.level}")


def _reference_agent(dataset: Path, scratch: Path) -> tuple[Finished, list[dict[str, Any]]]:
    """A run of the reference agent by two workers, and its summary: a row a level."""
    report = scratch / "report.json"
    reporting = ("--json-report", f"--json-report-file={report}", "--fail-on", "never")
    done = run(
        "pytest",
        "benchmark",
        *_PLAIN,
        "-q",
        "-n",
        _WORKERS,
        "--model",
        "reference",
        "--dataset",
        str(dataset),
        *reporting,
    )
    rows: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["mpcbench"]["rows"]
    return done, rows


def _perfect(data: str, rows: Sequence[dict[str, Any]]) -> Iterator[Figure]:
    for name, key in (("exact match", "exact_match"), ("F1", "f1")):
        cases = sum(row["attempted"] for row in rows)
        yield Figure.at_least(
            f"reference agent: {name}",
            min(row["estimates"][key]["mean"] for row in rows),
            1,
            "",
            f"{data}, {cases} cases",
        )


PARTS: dict[str, Callable[[Plan], Iterator[Figure]]] = {
    "engine": _engine,
    "ladder": _ladder,
    "diagnosis": _diagnosis,
    "generate": _generate,
    "benchmark": _benchmark,
    "endpoint": _endpoint,
    "collection": _collection,
    "reference": _reference,
    "baselines": _baselines,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table; a target that is missed shows there and nowhere else."""
    parser = argparse.ArgumentParser(
        prog="python -m unit_tests.performance",
        description="Measure the engine, the generator and the harness, and print each figure beside its target. "
        "Takes a few minutes; nothing else should run meanwhile.",
    )
    parser.add_argument(
        "--only", choices=PARTS, action="append", help="a part to measure (repeatable); all if not given"
    )
    parser.add_argument("--dataset", type=Path, default=CHECKOUT, help="the data set (default: the committed)")
    parser.add_argument("--seed", type=int, default=20_270_131, help="of the fresh data (default: %(default)s)")
    options = parser.parse_args(arguments)
    figures: list[Figure] = []
    with tqdm(options.only or list(PARTS), file=sys.stderr, unit="part") as parts:
        for part in parts:
            parts.set_description(part)
            with tempfile.TemporaryDirectory() as scratch:
                plan = Plan(options.dataset.resolve(), options.seed, Path(scratch))
                try:
                    figures += PARTS[part](plan)
                except (ProcessError, engine.DisagreementError, ValueError) as error:
                    figures.append(Figure(part, "not measured", "", reached=False))
                    print(f"{part}: {error}", file=sys.stderr)
    print(table(figures))


if __name__ == "__main__":
    main()
