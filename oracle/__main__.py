"""`python -m oracle`: label a data set, or check its labels. The only module of the package with I/O."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tqdm import tqdm

from mpcbench.oracle.problem import UnresolvedError
from mpcbench.oracle.resolve import resolve
from mpcbench.oracle.solve import Solution, solve
from mpcbench.schema import Instance, Label
from mpcbench.schema.dataset import (
    COMMITTED,
    LEVELS,
    DataError,
    Dataset,
    instances_path,
    labels_path,
    read_jsonl,
    to_jsonl_text,
    write_files,
)
from mpcbench.schema.model import Level

_EPILOG = """\
The oracle reads worlds/world_levelL.json and instances/instances_levelL.jsonl in a folder and finds the feasible
candidates of every instance: all slots (at level 3, slots with a room) that satisfy every constraint. The first N in
ranking order are the gold. It reads tags, never text.

It prints, for every level, the number of instances and the minimum, median and maximum number of feasible candidates.

A label written by --out holds the gold, the counts after each stage and the digest of the whole feasible set. Fields
that only generation knows (needed sources, records and requirements, and the certificate) are copied from the
folder's own label of the instance if its gold, counts and digest are the same; otherwise they are empty.

examples:
  python -m oracle                            solve the data of this repository
  python -m oracle /tmp/fresh --check         compare the labels of another data set with the oracle's
  python -m oracle --level 1 --out /tmp/mine  write /tmp/mine/oracles/oracle_level1.jsonl

exit code: 0 on success, 1 if --check finds a difference, 2 on invalid input, which includes an instance with fewer
than N feasible candidates. --out writes nothing on invalid input.
"""


class _Solved(NamedTuple):
    instance: Instance
    solution: Solution


def main(arguments: Sequence[str] | None = None, prog: str = "python -m oracle") -> int:
    """Run the command line; returns 0, 1 if a stored label differs, or 2 on invalid input."""
    options = _parser(prog).parse_args(arguments)
    try:
        dataset = Dataset.open(options.dataset)
        levels = _levels(dataset, options.level)
        solved = {level: list(_solved(dataset, level)) for level in levels}
        if options.check:
            return _check(dataset, solved)
        if options.out is not None:
            _write(dataset, solved, options.out)
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    _summarise(solved)
    return 0


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Labels a data set: solves its instances, and writes or checks their gold.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "dataset",
        metavar="DIR",
        type=Path,
        nargs="?",
        default=COMMITTED,
        help="folder with worlds/ and instances/ (default: the data of this repository)",
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=LEVELS,
        action="append",
        help="solve only this level; repeatable (default: every level in the folder)",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--out", metavar="DIR", type=Path, help="write the labels to DIR/oracles/")
    action.add_argument("--check", action="store_true", help="compare with the labels in the folder's oracles/")
    return parser


def _levels(dataset: Dataset, wanted: list[Level] | None) -> list[Level]:
    levels = sorted(set(wanted or dataset.levels))
    for level in levels:
        if level not in dataset.levels:
            raise DataError(f"{dataset.folder / instances_path(level)}: no such file")
    return levels


def _solved(dataset: Dataset, level: Level) -> Iterator[_Solved]:
    world, instances = dataset.world(level), dataset.instances(level)
    for instance in tqdm(instances, desc=f"level {level}", unit="instance", disable=None, leave=False):
        path = dataset.folder / instances_path(level)
        try:
            problem = resolve(world, instance)
        except UnresolvedError as error:
            raise DataError(f"{path}: {error}") from None
        solution = solve(problem)
        if solution.feasible < problem.count:
            raise DataError(
                f"{path}: {instance.instance_id}: {solution.feasible} feasible candidates, {problem.count} wanted"
            )
        yield _Solved(instance, solution)


def _write(dataset: Dataset, solved: dict[Level, list[_Solved]], out: Path) -> None:
    texts = {}
    for level, solutions in solved.items():
        path = dataset.folder / labels_path(level)
        stored = {label.instance_id: label for _, label in read_jsonl(path, Label)} if path.exists() else {}
        texts[labels_path(level)] = to_jsonl_text(
            _label(instance, solution, stored.get(instance.instance_id)) for instance, solution in solutions
        )
    write_files(out, texts)


def _label(instance: Instance, solution: Solution, stored: Label | None) -> Label:
    known = stored if stored is not None and _difference(stored, solution) is None else None
    return Label(
        generator_version=instance.generator_version,
        seed=instance.seed,
        instance_id=instance.instance_id,
        level=instance.level,
        gold=solution.gold,
        sources=known.sources if known else (),
        records=known.records if known else (),
        requirements=known.requirements if known else (),
        counts=solution.counts,
        digest=solution.digest,
        certificate=known.certificate if known else None,
    )


def _check(dataset: Dataset, solved: dict[Level, list[_Solved]]) -> int:
    differences = []
    for level, solutions in solved.items():
        labels = dataset.labels(level)
        for instance, solution in solutions:
            difference = _difference(labels[instance.instance_id], solution)
            if difference is not None:
                differences.append(f"{instance.instance_id}: {difference}")
    checked = sum(map(len, solved.values()))
    print("\n".join([*differences, f"{checked - len(differences)} of {checked} labels match the oracle"]))
    return 1 if differences else 0


def _difference(label: Label, solution: Solution) -> str | None:
    """The first difference between a stored label and the oracle's answer, in words; None if they match."""
    for place, (stored, solved) in enumerate(zip(label.gold, solution.gold, strict=False)):
        for field, value in solved.model_dump(mode="json").items():
            other = stored.model_dump(mode="json")[field]
            if value != other:
                return f"gold[{place}].{field} is {other} in the label, {value} by the oracle"
    pairs = [("the length of gold", len(label.gold), len(solution.gold))]
    for stage, remaining in solution.counts.model_dump().items():
        pairs.append((f"counts.{stage}", label.counts.model_dump()[stage], remaining))
    for field, labelled, actual in pairs:
        if labelled != actual:
            return f"{field} is {labelled} in the label, {actual} by the oracle"
    if label.digest != solution.digest:
        return f"digest is {label.digest} in the label, {solution.digest} by the oracle"
    return None


def _summarise(solved: dict[Level, list[_Solved]]) -> None:
    print("level  instances  feasible: fewest  median    most")
    for level, solutions in solved.items():
        feasible = [solution.feasible for _, solution in solutions]
        fewest, middle, most = (min(feasible), median(feasible), max(feasible)) if feasible else (0, 0, 0)
        print(f"{level:>5}  {len(solutions):>9}  {fewest:>16}  {middle:>6g}  {most:>6}")


if __name__ == "__main__":
    sys.exit(main())
