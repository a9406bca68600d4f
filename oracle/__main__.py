"""`python -m oracle`: label a data set, or check its labels. The only module of the package with I/O."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tqdm import tqdm

from mpcbench.oracle.level4.changes import UnknownRecordError, knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import solve as solve_ladder
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.oracle.resolve import resolve
from mpcbench.oracle.solve import solve
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.dataset import (
    ALL_LEVELS,
    COMMITTED,
    DataError,
    Dataset,
    instances_path,
    labels_path,
    read_jsonl,
    to_jsonl_text,
    write_files,
)
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.model import LADDER, AnyLevel

_EPILOG = """\
The oracle reads worlds/world_levelL.json and instances/instances_levelL.jsonl in a folder and finds the feasible
candidates of every instance: all slots (at levels 3 and 4, slots with a room) that satisfy every constraint. The first
N in ranking order are the gold; of a plan (level 4) it is the first plan. It reads tags, never text.

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


_BY_GENERATION = ("load", "sources", "records", "requirements", "certificate")
"""The fields of labels that the oracle copies."""


class _Solved(NamedTuple):
    label: Label | LadderLabel
    """Without what only generation knows."""

    feasible: int
    """How many candidates there are; those of a plan's meetings add up."""


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
        choices=ALL_LEVELS,
        action="append",
        help="solve only this level; repeatable (default: every level in the folder)",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--out", metavar="DIR", type=Path, help="write the labels to DIR/oracles/")
    action.add_argument("--check", action="store_true", help="compare with the labels in the folder's oracles/")
    return parser


def _levels(dataset: Dataset, wanted: list[AnyLevel] | None) -> list[AnyLevel]:
    levels = sorted(set(wanted or dataset.all_levels))
    for level in levels:
        if level not in dataset.all_levels:
            raise DataError(f"{dataset.folder / instances_path(level)}: no such file")
    return levels


def _solved(dataset: Dataset, level: AnyLevel) -> Iterator[_Solved]:
    path = dataset.folder / instances_path(level)
    if level == LADDER:
        ladder, indexed = dataset.ladder, known(dataset.ladder.world)
        for one in tqdm(ladder.instances, desc="level 4", unit="instance", disable=None, leave=False):
            yield _solved_ladder(ladder.world, one, indexed, path)
        return
    world, instances = dataset.world(level), dataset.instances(level)
    for instance in tqdm(instances, desc=f"level {level}", unit="instance", disable=None, leave=False):
        yield _solved_instance(world, instance, path)


def _solved_instance(world: World, instance: Instance, path: Path) -> _Solved:
    try:
        problem = resolve(world, instance)
    except UnresolvedError as error:
        raise DataError(f"{path}: {error}") from None
    solution = solve(problem)
    if solution.feasible < problem.count:
        raise DataError(
            f"{path}: {instance.instance_id}: {solution.feasible} feasible candidates, {problem.count} wanted"
        )
    label = Label(
        generator_version=instance.generator_version,
        seed=instance.seed,
        instance_id=instance.instance_id,
        level=instance.level,
        gold=solution.gold,
        sources=(),
        records=(),
        requirements=(),
        counts=solution.counts,
        digest=solution.digest,
    )
    return _Solved(label, solution.feasible)


def _solved_ladder(world: LadderWorld, instance: LadderInstance, indexed: Knowledge, path: Path) -> _Solved:
    try:
        knowledge = knowledge_of(world, instance, indexed)
        solution = solve_ladder(knowledge)
        before = () if knowledge.before is None else solve_ladder(knowledge.before).gold
    except (UnresolvedError, UnknownRecordError, SearchLimitError) as error:
        raise DataError(f"{path}: {instance.instance_id}: {error}") from None
    if len(solution.gold) < solution.wanted:
        raise DataError(f"{path}: {instance.instance_id}: {len(solution.gold)} candidates, {solution.wanted} wanted")
    label = LadderLabel(
        generator_version=instance.generator_version,
        seed=instance.seed,
        instance_id=instance.instance_id,
        rung=instance.rung,
        gold=solution.gold,
        gold_before=before,
        load=0,
        sources=(),
        records=(),
        counts=solution.counts,
        digest=solution.digest,
    )
    return _Solved(label, solution.counts.rooms)


def _write(dataset: Dataset, solved: dict[AnyLevel, list[_Solved]], out: Path) -> None:
    texts = {}
    for level, solutions in solved.items():
        path = dataset.folder / labels_path(level)
        stored: dict[str, Label | LadderLabel] = {}
        if path.exists():
            models = read_jsonl(path, LadderLabel) if level == LADDER else read_jsonl(path, Label)
            stored = {label.instance_id: label for _, label in models}
        texts[labels_path(level)] = to_jsonl_text(
            _completed(one.label, stored.get(one.label.instance_id)) for one in solutions
        )
    write_files(out, texts)


def _completed(label: Label | LadderLabel, stored: Label | LadderLabel | None) -> Label | LadderLabel:
    """The label with what only generation knows, from the stored one if it has the same answer."""
    if stored is None or _difference(stored, label) is not None:
        return label
    return label.model_copy(
        update={name: getattr(stored, name) for name in _BY_GENERATION if name in type(label).model_fields}
    )


def _check(dataset: Dataset, solved: dict[AnyLevel, list[_Solved]]) -> int:
    differences = []
    for level, solutions in solved.items():
        labels = dataset.ladder.labels if level == LADDER else dataset.labels(level)
        for one in solutions:
            difference = _difference(labels[one.label.instance_id], one.label)
            if difference is not None:
                differences.append(f"{one.label.instance_id}: {difference}")
    checked = sum(map(len, solved.values()))
    print("\n".join([*differences, f"{checked - len(differences)} of {checked} labels match the oracle"]))
    return 1 if differences else 0


def _difference(stored: Label | LadderLabel, solved: Label | LadderLabel) -> str | None:
    """The first difference between a stored label and the oracle's, in words; None if they match."""
    label, actual = stored.model_dump(mode="json"), solved.model_dump(mode="json")
    golds = [name for name in ("gold", "gold_before") if name in actual]
    for name in golds:
        for place, (one, other) in enumerate(zip(label[name], actual[name], strict=False)):
            for field, value in other.items():
                if one[field] != value:
                    return f"{name}[{place}].{field} is {one[field]} in the label, {value} by the oracle"
    pairs = [(f"the length of {name}", len(label[name]), len(actual[name])) for name in golds]
    pairs += [(f"counts.{stage}", label["counts"][stage], count) for stage, count in actual["counts"].items()]
    for field, labelled, found in (*pairs, ("digest", label["digest"], actual["digest"])):
        if labelled != found:
            return f"{field} is {labelled} in the label, {found} by the oracle"
    return None


def _summarise(solved: dict[AnyLevel, list[_Solved]]) -> None:
    print("level  instances  feasible: fewest  median    most")
    for level, solutions in solved.items():
        feasible = [one.feasible for one in solutions]
        fewest, middle, most = (min(feasible), median(feasible), max(feasible)) if feasible else (0, 0, 0)
        print(f"{level:>5}  {len(solutions):>9}  {fewest:>16}  {middle:>6g}  {most:>6}")


if __name__ == "__main__":
    sys.exit(main())
