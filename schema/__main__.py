"""`python -m schema`: write the JSON Schema files, and check data sets against them."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tqdm import tqdm

from mpcbench.schema.dataset import (
    ALL_LEVELS,
    COMMITTED,
    IS_CHECKOUT,
    DataError,
    Dataset,
    instances_path,
    labels_path,
    read_json,
    read_json_lines,
    world_path,
    write_files,
)
from mpcbench.schema.json_schema import DATA_FILES, FOLDER, first_error, schema_texts
from mpcbench.schema.model import LADDER, AnyLevel

_EPILOG = """\
examples:
  python -m schema check              check the data of this repository
  python -m schema check /tmp/fresh   check a data set made by `python -m generate`
  python -m schema write              rewrite the *.schema.json files after a change to the models

exit code: 0 if everything is valid, 2 otherwise.
"""
_CHECK = """\
Checks worlds/world_levelL.json, instances/instances_levelL.jsonl and oracles/oracle_levelL.jsonl in a folder, for
every level L that has any of them. Each document is checked with JSON Schema, then with the pydantic models, which
also enforce what JSON Schema cannot express (a start lies before its end). Then the set is checked as a whole
(instance IDs are unique and every instance has a label). Each error is one line on standard error:
FILE:LINE: $.json.path: what is wrong
A world is a single document, so its errors have no line number.
"""


def main(arguments: Sequence[str] | None = None, prog: str = "python -m schema") -> int:
    """Run the command line; the exit code is 0, or 2 on bad input."""
    options = _parser(prog).parse_args(arguments)
    try:
        errors = _write() if options.command == "write" else _check(options.dataset)
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (DataError, OSError) as error:
        errors = [str(error)]
    for message in errors:
        print(f"error: {message}", file=sys.stderr)
    return 2 if errors else 0


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Writes the JSON Schema files of the data, and checks data sets.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="{check,write}", dest="command")
    check = commands.add_parser(
        "check",
        help="check a data set with JSON Schema and with pydantic",
        description=_CHECK,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument(
        "dataset",
        metavar="DIR",
        type=Path,
        nargs="?",
        default=COMMITTED,
        help="folder with worlds/, instances/ and oracles/ (default: the data of this repository)",
    )
    commands.add_parser(
        "write",
        help="write the JSON Schema files from the models",
        description="Writes world, instance and oracle.schema.json into the folders schema/ and schema/level4/ from the "
        "pydantic models.",
    )
    return parser


def _write() -> list[str]:
    if not IS_CHECKOUT:
        return [f"{FOLDER}: the files of an installed package are read-only; run this in a checkout"]
    texts = schema_texts()
    write_files(FOLDER, texts)
    print(f"wrote {', '.join(texts)} in {FOLDER}")
    return []


def _check(folder: Path) -> list[str]:
    dataset = Dataset(folder)
    files = {level: (world_path(level), instances_path(level), labels_path(level)) for level in ALL_LEVELS}
    levels = [level for level in files if any((folder / name).exists() for name in files[level])]
    if not levels:
        Dataset.open(folder)  # says what is missing
    errors: list[str] = []
    with tqdm(total=3 * len(levels), unit="file", disable=None, leave=False) as progress:
        for level in levels:
            found: list[str] = []
            for name, schema in zip(files[level], DATA_FILES, strict=True):
                progress.set_description(name)
                found += _document_errors(folder / name, f"level4/{schema}" if level == LADDER else schema)
                progress.update()
            errors += found or _set_errors(dataset, level)
    if not errors:
        for level in levels:
            if level == LADDER:
                instances, labels = len(dataset.ladder.instances), len(dataset.ladder.labels)
            else:
                instances, labels = len(dataset.instances(level)), len(dataset.labels(level))
            print(f"level {level}: a world, {instances} instances and {labels} labels are valid")
    return errors


def _document_errors(path: Path, schema: str) -> Iterator[str]:
    """The first JSON Schema error of each document in a file."""
    try:
        for place, document in _documents(path):
            error = first_error(document, schema)
            if error is not None:
                yield f"{place}: {error}"
    except DataError as error:
        yield str(error)


def _documents(path: Path) -> Iterator[tuple[str, object]]:
    if path.suffix == ".jsonl":
        for number, document in read_json_lines(path):
            yield f"{path}:{number}", document
    else:
        yield f"{path}", read_json(path)


def _set_errors(dataset: Dataset, level: AnyLevel) -> Iterator[str]:
    """The first error of each file that JSON Schema misses."""
    messages: dict[str, None] = {}
    for read in _reads(dataset, level):
        try:
            read()
        except DataError as error:
            messages[str(error)] = None  # reading labels also reads the instances and repeats their error
    yield from messages


def _reads(dataset: Dataset, level: AnyLevel) -> Sequence[Callable[[], object]]:
    """What reads a level's files."""
    if level == LADDER:
        ladder = dataset.ladder
        return (lambda: ladder.world, lambda: ladder.instances, lambda: ladder.labels)
    return tuple(partial(read, level) for read in (dataset.world, dataset.instances, dataset.labels))


if __name__ == "__main__":
    sys.exit(main())
