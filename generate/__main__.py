"""`python -m generate`: generate data sets, join shards, describe a data set."""

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from mpcbench.generate.describe import describe
from mpcbench.generate.destination import OccupiedError, check_for_one_world, check_for_worlds
from mpcbench.generate.large_set import (
    WORLD_SIZE,
    folder_of,
    is_made,
    join_large,
    make_world,
    world_jobs,
)
from mpcbench.generate.level4 import making as ladder
from mpcbench.generate.level4.describe import describe as describe_ladder
from mpcbench.generate.level4.kept import Kept
from mpcbench.generate.level4.making import LadderGenerationError
from mpcbench.generate.level4.merged import MergeError
from mpcbench.generate.level4.naming import MOST_INSTANCES as MOST_LADDER_INSTANCES
from mpcbench.generate.level4.rung_wish import RUNGS, LadderWish
from mpcbench.generate.making import GenerationError, files_of, make_instances
from mpcbench.generate.option_values import mechanisms, positive, shard, world_size
from mpcbench.generate.parallel import Processes, Runner
from mpcbench.generate.ray_cluster import ClusterError, RayCluster
from mpcbench.generate.shards import index_of, join
from mpcbench.generate.world.naming import MOST_INSTANCES
from mpcbench.oracle import UnresolvedError
from mpcbench.schema.dataset import (
    ALL_LEVELS,
    COMMITTED,
    IS_CHECKOUT,
    LEVELS,
    DataError,
    Dataset,
    data_sets,
    write_files,
)
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.model import LADDER, AnyLevel, Level

Item = TypeVar("Item")

SEED = 2027
COUNT = 100

_EPILOG = """\
other commands:
  python -m generate describe [DIR]           measure a data set's worlds and instances
  python -m generate join DIR... --out DIR    join the shards of a data set

examples:
  python -m generate                          regenerate the committed data set, byte for byte
  python -m generate --level 3 --count 500 --seed 42 --out fresh
  python -m generate --level 3 --count 500 --seed 42 --shard 2/8 --out shard2
  python -m generate --level 4 --count 20 --seed 42 --rung 6 --mechanisms alias,quorum,joint --out chosen
  python -m generate --count 1000000 --seed 100000 --ray auto --out large
"""


def main(arguments: Sequence[str] | None = None, prog: str = "python -m generate") -> int:
    """Run the command line; returns 0 on success, 2 on invalid input."""
    arguments = sys.argv[1:] if arguments is None else arguments
    commands = {"describe": _describe, "join": _join}
    command = commands.get(arguments[0]) if arguments else None
    try:
        return _make(arguments, prog) if command is None else command(arguments[1:], f"{prog} {arguments[0]}")
    except KeyboardInterrupt:
        print("error: interrupted; no file is half-written", file=sys.stderr)
        return 130
    except (
        ClusterError,
        DataError,
        GenerationError,
        LadderGenerationError,
        MergeError,
        OccupiedError,
        UnresolvedError,
        OSError,
    ) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _make(arguments: Sequence[str], prog: str) -> int:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Generate worlds, certified instances and their labels from a seed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=ALL_LEVELS,
        action="append",
        help="generate only this level; repeatable (default: all levels, level 4 only if they are sets of one world)",
    )
    parser.add_argument("--count", type=positive, default=COUNT, help="instances of each level (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s, the seed of the committed data")
    parser.add_argument(
        "--out",
        type=Path,
        help="folder for worlds/, instances/ and oracles/, which holds no other set (default: this checkout's own data)",
    )
    parser.add_argument(
        "--world-size",
        type=world_size,
        metavar="N",
        help="make worlds of N instances, each a data set of its own, named by its seed, in --out; they have "
        f"consecutive seeds (default: one world, or more than {MOST_INSTANCES:,} instances in worlds of {WORLD_SIZE})",
    )
    parser.add_argument(
        "--shard",
        type=shard,
        default=(1, 1),
        metavar="I/K",
        help="generate every K-th instance, or world of several, starting with the I-th, to join with the other shards",
    )
    parser.add_argument(
        "--workers", type=positive, default=os.cpu_count() or 1, help="number of processes (default: %(default)s)"
    )
    parser.add_argument(
        "--ray", metavar="ADDRESS", help="make them on a Ray cluster instead: auto, HOST:PORT, ray://HOST:PORT"
    )
    parser.add_argument(
        "--rung",
        type=positive,
        metavar="R",
        help=f"level 4: all instances on this rung, which may be above {RUNGS} (default: 1 to {RUNGS} in turn)",
    )
    parser.add_argument(
        "--mechanisms",
        type=mechanisms,
        metavar="LIST",
        help=f"level 4: all instances with these mechanisms and no others, of {', '.join(Mechanism)} (default: drawn)",
    )
    options = parser.parse_args(arguments)
    wish = LadderWish(options.rung, options.mechanisms)
    chosen = (options.seed, options.count, options.shard, options.world_size, wish)
    if options.out is None and chosen != (SEED, COUNT, (1, 1), None, LadderWish()):
        parser.error("--out is required for any data other than the committed set")
    if options.out is None and not IS_CHECKOUT:
        parser.error("--out is required: the data of an installed package are read-only")
    if options.out is not None and options.out.exists() and not options.out.is_dir():
        parser.error(f"argument --out: not a folder: '{options.out}'")
    is_large = options.world_size is not None or options.count > MOST_INSTANCES
    fits = not is_large and options.count <= MOST_LADDER_INSTANCES
    levels: Sequence[AnyLevel] = ALL_LEVELS if fits else LEVELS
    if options.level is not None:
        levels = tuple(level for level in ALL_LEVELS if level in options.level)
    for name, value in (("--rung", options.rung), ("--mechanisms", options.mechanisms)):
        if value is not None and options.level != [LADDER]:
            parser.error(f"{name} is an option of level 4 alone: add --level 4, and no other level")
    if LADDER in levels and not fits:
        parser.error(
            f"level 4 has one world of at most {MOST_LADDER_INSTANCES} instances a seed: "
            f"leave out --world-size, and give --count up to {MOST_LADDER_INSTANCES}"
        )
    plan = _Plan(
        levels=levels,
        seed=options.seed,
        count=options.count,
        shard=options.shard,
        folder=options.out or COMMITTED,
        wish=wish,
    )
    size = options.world_size or WORLD_SIZE
    if options.out is not None:
        _check_destination(plan, size if is_large else None)
    write = _write_worlds if is_large else _write_one_world
    if options.ray is None:
        write(plan, size, Processes(options.workers))
    else:
        with RayCluster.connected(options.ray) as cluster:
            write(plan, size, cluster)
    return 0


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be made."""

    levels: Sequence[AnyLevel]
    seed: int
    count: int
    shard: tuple[int, int]
    folder: Path
    wish: LadderWish

    @property
    def world_levels(self) -> Sequence[Level]:
        """Those of the levels that can have many worlds."""
        return [level for level in self.levels if level != LADDER]

    @property
    def numbers(self) -> range:
        """Those of the instances of the shard, in a data set with one world a level."""
        first, step = self.shard
        return range(first - 1, self.count, step)


def _check_destination(plan: _Plan, size: int | None) -> None:
    """Raise `OccupiedError` if the folder holds what is not made; with the size of worlds if it is to hold many."""
    if size is None:
        check_for_one_world(plan.folder, plan.levels, plan.seed, plan.numbers, plan.wish)
    else:
        check_for_worlds(plan.folder, world_jobs(plan.world_levels, plan.seed, plan.count, size))


def _write_one_world(plan: _Plan, _: int, runner: Runner) -> None:
    """Write a data set with one world a level, all files or none; until then instances of level 4 are kept."""
    indices = plan.numbers
    texts: dict[str, str] = {}
    kept = Kept(plan.folder, plan.seed, plan.wish)
    for level in plan.levels:
        if level == LADDER:
            some = ladder.make_instances(plan.seed, indices, plan.wish, runner, kept)
            found = ladder.apart(plan.seed, indices, plan.wish, _progress(some, "level 4", len(indices)))
            texts |= ladder.files_of(plan.seed, found)
        else:
            made = make_instances(level, plan.seed, indices, runner)
            texts |= files_of(level, plan.seed, list(_progress(made, f"level {level}", len(indices))))
    write_files(plan.folder, texts)
    if LADDER in plan.levels:
        kept.clear()
    print(f"{len(indices) * len(plan.levels)} certified instances written to {plan.folder}")


def _write_worlds(plan: _Plan, size: int, runner: Runner) -> None:
    """Write a data set for each world as soon as it is made; those that are there already stay."""
    jobs = list(world_jobs(plan.world_levels, plan.seed, plan.count, size, plan.shard))
    missing = [job for job in jobs if not is_made(plan.folder, job)]
    total = sum(job.instances for job in jobs)
    there = total - sum(job.instances for job in missing)
    for job, texts in _progress(runner.map(make_world, missing), "worlds", len(missing)):
        write_files(folder_of(plan.folder, job.seed), texts)
    known = f"; {there:,} were there already" if there else ""
    print(f"{total:,} certified instances in {plan.folder}, worlds: {len(jobs):,}{known}")


def _progress(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return tqdm(items, total=total, desc=what, disable=None)


def _describe(arguments: Sequence[str], prog: str) -> int:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Measure a data set: the level matrix, sizes, and how many samples failed each check of the "
        "certificate. Prints Markdown.",
    )
    parser.add_argument(
        "folder", type=Path, nargs="?", default=COMMITTED, help="the data set (default: the committed one)"
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=ALL_LEVELS,
        action="append",
        help="describe only this level; repeatable (default: all levels)",
    )
    options = parser.parse_args(arguments)
    dataset = Dataset.open(options.folder)
    levels: Sequence[AnyLevel] = options.level or dataset.all_levels
    for level in levels:
        if level not in dataset.all_levels:
            raise DataError(f"{options.folder}: no level {level} in this data set")
    others = [level for level in levels if level != LADDER]
    parts = [describe(dataset, others)] if others else []
    print("\n\n".join([*parts, describe_ladder(dataset.ladder)] if LADDER in levels else parts))
    return 0


def _join(arguments: Sequence[str], prog: str) -> int:
    parser = argparse.ArgumentParser(
        prog=prog, description="Join the shards of a data set, possibly made on different machines."
    )
    parser.add_argument("folders", type=Path, nargs="+", help="the shards")
    parser.add_argument("--out", type=Path, required=True, help="folder for the joined data set")
    options = parser.parse_args(arguments)
    if any(data_sets(folder) not in ([folder], []) for folder in options.folders):
        print(f"{join_large(options.folders, options.out):,} data sets joined in {options.out}")
        return 0
    write_files(options.out, join([Dataset.open(folder) for folder in options.folders]))
    whole = Dataset.open(options.out)
    for level in whole.all_levels:
        numbers = [index_of(instance_id) for instance_id in whole.instance_ids(level)]
        missing = numbers[-1] + 1 - len(numbers)
        print(
            f"level {level}: {len(numbers)} instances" + (f"; {missing} before the last are missing" if missing else "")
        )
    print(f"joined in {options.out}, shards: {len(options.folders)}")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the workers end, too
    sys.exit(main())
