"""`python -m generate`: generate data sets, join shards, describe a data set."""

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from mpcbench.generate.describe import describe
from mpcbench.generate.making import GenerationError, Made, make_instances, whole_world
from mpcbench.generate.shards import index_of, join
from mpcbench.generate.world.naming import MOST_INSTANCES
from mpcbench.oracle import UnresolvedError
from mpcbench.schema.dataset import (
    COMMITTED,
    IS_CHECKOUT,
    LEVELS,
    DataError,
    Dataset,
    instances_path,
    labels_path,
    to_json_text,
    to_jsonl_text,
    world_path,
    write_files,
)
from mpcbench.schema.model import Level

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
"""


def main(arguments: Sequence[str] | None = None, prog: str = "python -m generate") -> int:
    """Run the command line; returns 0 on success, 2 on invalid input."""
    arguments = sys.argv[1:] if arguments is None else arguments
    commands = {"describe": _describe, "join": _join}
    command = commands.get(arguments[0]) if arguments else None
    try:
        return _make(arguments, prog) if command is None else command(arguments[1:], f"{prog} {arguments[0]}")
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (DataError, GenerationError, UnresolvedError, OSError) as error:
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
        choices=LEVELS,
        action="append",
        help="generate only this level; repeatable (default: all levels)",
    )
    parser.add_argument("--count", type=_count, default=COUNT, help="instances of each level (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s, the seed of the committed data")
    parser.add_argument(
        "--out", type=Path, help="folder for worlds/, instances/ and oracles/ (default: this checkout's own data)"
    )
    parser.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/K",
        help="generate every K-th instance, starting with the I-th, to join with the other shards",
    )
    parser.add_argument(
        "--workers", type=_positive, default=os.cpu_count() or 1, help="number of processes (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    if options.out is None and (options.seed, options.count, options.shard) != (SEED, COUNT, (1, 1)):
        parser.error("--out is required for any data other than the committed set")
    if options.out is None and not IS_CHECKOUT:
        parser.error("--out is required: the data of an installed package are read-only")
    if options.out is not None and options.out.exists() and not options.out.is_dir():
        parser.error(f"argument --out: not a folder: '{options.out}'")
    levels = tuple(level for level in LEVELS if options.level is None or level in options.level)
    first, step = options.shard
    texts: dict[str, str] = {}
    for level in levels:
        indices = range(first - 1, options.count, step)
        made = list(
            tqdm(
                make_instances(level, options.seed, indices, options.workers),
                total=len(indices),
                desc=f"level {level}",
                unit="instance",
                disable=None,
            )
        )
        texts |= files_of(level, options.seed, made)
    folder = options.out or COMMITTED
    write_files(folder, texts)
    print(f"{sum(len(range(first - 1, options.count, step)) for _ in levels)} certified instances written to {folder}")
    return 0


def files_of(level: Level, seed: int, made: Sequence[Made]) -> dict[str, str]:
    """The texts of a level's three files, by path relative to the data set's folder."""
    return {
        world_path(level): to_json_text(whole_world(level, seed, made)),
        instances_path(level): to_jsonl_text(item.instance for item in made),
        labels_path(level): to_jsonl_text(item.label for item in made),
    }


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
        choices=LEVELS,
        action="append",
        help="describe only this level; repeatable (default: all levels)",
    )
    options = parser.parse_args(arguments)
    dataset = Dataset.open(options.folder)
    levels = options.level or dataset.levels
    for level in levels:
        if level not in dataset.levels:
            raise DataError(f"{options.folder}: no level {level} in this data set")
    print(describe(dataset, levels))
    return 0


def _join(arguments: Sequence[str], prog: str) -> int:
    parser = argparse.ArgumentParser(
        prog=prog, description="Join the shards of a data set, possibly made on different machines."
    )
    parser.add_argument("folders", type=Path, nargs="+", help="the shards")
    parser.add_argument("--out", type=Path, required=True, help="folder for the joined data set")
    options = parser.parse_args(arguments)
    write_files(options.out, join([Dataset.open(folder) for folder in options.folders]))
    whole = Dataset.open(options.out)
    for level in whole.levels:
        numbers = [index_of(instance_id) for instance_id in whole.instance_ids(level)]
        missing = numbers[-1] + 1 - len(numbers)
        print(
            f"level {level}: {len(numbers)} instances" + (f"; {missing} before the last are missing" if missing else "")
        )
    print(f"joined in {options.out}, shards: {len(options.folders)}")
    return 0


def _positive(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


def _count(text: str) -> int:
    count = _positive(text)
    if count > MOST_INSTANCES:
        raise argparse.ArgumentTypeError(f"at most {MOST_INSTANCES} instances: {text!r}")
    return count


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if match is None or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(f"not of the form I/K with I from 1 to K: {text!r}")
    return int(match[1]), int(match[2])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the workers end, too
    sys.exit(main())
