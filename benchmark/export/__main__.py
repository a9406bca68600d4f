"""`mpcbench export`: training data from runs, from data sets and from the generator."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from mpcbench.benchmark.export.hugging_face import write_hugging_face
from mpcbench.benchmark.export.json_protocol_format import in_json_protocol
from mpcbench.benchmark.export.jsonl_files import easiest_first, provenance_file, write_jsonl, written_files
from mpcbench.benchmark.export.mistakes import check_made, checked
from mpcbench.benchmark.export.row import Row
from mpcbench.benchmark.export.rows import Kind, Recipe, demonstrated, of_runs
from mpcbench.benchmark.export.sources import (
    ExportError,
    Taken,
    check_levels,
    demonstration,
    fresh_exams,
    run_episodes,
    stored_exams,
    without_test_names,
    world_instances,
)
from mpcbench.benchmark.export.splits import Split, SplitError, worlds
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.episode_table import MissingPackageError
from mpcbench.evaluation.runs.folder import RunError, check_outside_runs
from mpcbench.generate.making import GenerationError
from mpcbench.schema.dataset import COMMITTED, LEVELS, DataError, Dataset, data_sets
from mpcbench.schema.model import Level
from mpcbench.schema.untrusted_text import printable

_COUNT = 100

_EPILOG = """\
kinds:
  sft         conversations of the reference agent, or those of runs that found the gold and all that it depends on
  preference  pairs: the demonstration against agents with one flaw, or passed against failed trials of runs
  steps       prompts cut before each step that decides, with the right next call
  episodes    all scored episodes of runs, right or wrong, in the same format
  hf          like sft, as a folder that datasets.load_dataset opens: one config a level

examples:
  mpcbench export sft --level 1 --count 1000 --rationale plan --out train.jsonl
  mpcbench export preference --level 1 --mistake over_filter --out pairs.jsonl
  mpcbench export preference runs/20270109-142501-o4-mini --out pairs.jsonl
  mpcbench export hf --level 1 --count 100 --out demonstrations
"""


def main(arguments: Sequence[str] | None = None, prog: str = "mpcbench export") -> int:
    """Run the command line; returns 0 on success, 2 on invalid input."""
    parser = _parser(prog)
    options = parser.parse_intermixed_args(arguments)
    try:
        _check(options)
        rows = _not_empty(_admitted(_rows(options), allow_test=options.allow_test), options)
        if options.format == "json-protocol":
            rows = map(in_json_protocol, rows)
        if options.curriculum:
            rows = easiest_first(rows)
        if options.kind is Kind.HF:
            count = write_hugging_face(options.out, rows)
        else:
            count = write_jsonl(options.out, rows, for_openai=options.format == "openai")
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (ExportError, SplitError, RunError, DataError, GenerationError, MissingPackageError) as error:
        print(printable(f"error: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        print(printable(f"error: {options.out}: {error}"), file=sys.stderr)
        return 2
    beside = f", their provenance to {provenance_file(options.out)}" if options.format == "openai" else ""
    print(f"{count:,} rows written to {options.out}{beside}")
    return 0


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Write training data from the episodes of runs or, without RUN, from the reference agent on fresh "
        "certified instances. The same arguments give the same bytes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", type=Kind, choices=list(Kind), metavar="KIND", help=", ".join(Kind))
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="*", help="the folders of runs")
    parser.add_argument("--out", type=Path, required=True, help="the file, or with hf the folder; must not exist")
    parser.add_argument(
        "--level", type=int, choices=LEVELS, action="append", help="repeatable (default: 1 to 3; not for level 4)"
    )
    parser.add_argument(
        "--split",
        type=Split,
        choices=list(Split),
        metavar="SPLIT",
        action="append",
        help="train, validation or test, which is the committed data (default: train; with hf, which takes several: "
        "train and validation)",
    )
    parser.add_argument(
        "--count", type=_positive, help=f"instances of each level and split (default: {_COUNT}; of --dataset: all)"
    )
    parser.add_argument("--seed", type=int, help="seed of the first world (default: the split's first)")
    parser.add_argument(
        "--dataset", type=Path, metavar="DIR", help="stored instances instead of fresh ones; with RUN: the run's data"
    )
    parser.add_argument(
        "--paraphrase", choices=("1", "2", "3"), default="1", help="which text of the task (default: 1)"
    )
    parser.add_argument(
        "--rationale", choices=("plan",), help="write the reference agent's plan before its calls and its answer"
    )
    parser.add_argument(
        "--mistake", metavar="KIND", help="for preference and steps: only pairs about a mistake, such as over_filter, "
        "integration or constraint_omitted:buffer_min",
    )  # fmt: skip
    parser.add_argument(
        "--format",
        choices=("chat", "json-protocol", "openai"),
        default="chat",
        help="chat (default): with provenance, for TRL and others; json-protocol: the same for models without native "
        "tool calls; openai: OpenAI's fine-tuning files",
    )
    parser.add_argument("--curriculum", action="store_true", help="easiest rows first, and lower levels before higher")
    parser.add_argument("--allow-test", action="store_true", help="also export test instances; every row is marked")
    parser.add_argument(
        "--workers", type=_positive, default=os.cpu_count() or 1, help="processes that generate (default: %(default)s)"
    )
    return parser


def _check(options: argparse.Namespace) -> None:
    """Raise `ExportError` for options that make no sense together, and `SplitError` for seeds of another split."""
    kind, chosen = options.kind, options.split or options.seed is not None
    of_pairs = kind is Kind.PREFERENCE or (kind is Kind.STEPS and not options.runs)
    for wrong, why in (
        (options.runs and (chosen or options.count), "--split, --count and --seed are not for RUN: its instances are chosen"),
        (
            options.seed is not None and Split.TEST in (options.split or ()),
            "--seed is not for --split test, which is the committed data",
        ),
        (options.dataset and chosen, "--split and --seed are not for --dataset: its instances are chosen"),
        (
            options.seed is not None and len(_splits(options)) > 1,
            "--seed is of one split, since splits share no seeds; choose --split train or --split validation",
        ),
        (options.runs and options.rationale, "--rationale is not for RUN: it is the plan of the reference agent"),
        (kind is Kind.PREFERENCE and options.rationale, "--rationale is not for preference: wrong messages have no plan"),
        (kind is Kind.EPISODES and not options.runs, "episodes needs RUN, the folder of a run"),
        (options.mistake is not None and not of_pairs, "--mistake is for preference, and for steps without RUN"),
        (kind is Kind.HF and options.format != "chat", f"--format {options.format} is not for hf, which writes Parquet"),
        (kind is not Kind.HF and len(options.split or ()) > 1, "--split: one split a file; hf takes several"),
        *(
            (one.exists(), f"{one}: exists; choose another place, or remove it")
            for one in written_files(options.out, for_openai=options.format == "openai")
        ),
    ):  # fmt: skip
        if wrong:
            raise ExportError(why)
    if Split.TEST in (options.split or ()) and not options.allow_test:
        raise _refused("--split test")
    if options.mistake is not None and not options.runs:
        check_made(checked(options.mistake), _levels(options))
    if not (options.runs or options.dataset):
        for split in _splits(options):
            if split is not Split.TEST:
                worlds(split, options.count or _COUNT, options.seed)
    check_outside_runs(options.out)


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    settings = Settings.from_options({"paraphrase": options.paraphrase}, Path())
    mistake = None if options.mistake is None else checked(options.mistake)
    recipe = Recipe(options.kind, settings, rationale=options.rationale is not None, mistake=mistake)
    levels = _levels(options)
    if options.runs:
        yield from of_runs(without_test_names(run_episodes(options.runs, options.dataset, levels)), recipe)
    else:
        yield from demonstrated(without_test_names(_demonstrations(options, settings, levels)), recipe)


def _demonstrations(options: argparse.Namespace, settings: Settings, levels: Sequence[Level]) -> Iterator[Taken]:
    for level in levels:
        if options.dataset:
            yield from _stored_in_all(options.dataset, level, options.count, settings)
            continue
        for split in _splits(options):
            if split is Split.TEST:
                yield from _stored(COMMITTED, level, options.count, settings)
                continue
            for world in worlds(split, options.count or _COUNT, options.seed):
                for exam in fresh_exams(level, world.seed, world.instances, options.workers):
                    yield demonstration(exam, settings, world.instances)


def _levels(options: argparse.Namespace) -> list[Level]:
    """Those asked for, or all."""
    return [level for level in LEVELS if options.level is None or level in options.level]


def _splits(options: argparse.Namespace) -> list[Split]:
    """Those asked for, or the default ones, each once."""
    default = [Split.TRAIN, Split.VALIDATION] if options.kind is Kind.HF else [Split.TRAIN]
    return list(dict.fromkeys(options.split or default))


def _stored_in_all(folder: Path, level: Level, count: int | None, settings: Settings) -> Iterator[Taken]:
    """Of a data set or of a folder of many, one after another, so that few are held at a time."""
    parts = data_sets(folder) or [folder]  # of which `_stored` says what is wrong
    return islice((one for part in parts for one in _stored(part, level, None, settings)), count)


def _stored(folder: Path, level: Level, count: int | None, settings: Settings) -> Iterator[Taken]:
    dataset = Dataset.open(folder)
    check_levels(folder, dataset.all_levels)
    if level in dataset.levels:
        size = world_instances(dataset, level)
        for exam in stored_exams(dataset, level, count):
            yield demonstration(exam, settings, size)


def _admitted(rows: Iterator[Row], *, allow_test: bool) -> Iterator[Row]:
    """The rows; raises `ExportError` at one for tests, unless those are allowed."""
    for row in rows:
        origin = row["provenance"]
        if origin["do_not_train"] and not allow_test:
            raise _refused(f"{origin['instance_id']} of seed {origin['seed']}")
        yield row


def _not_empty(rows: Iterator[Row], options: argparse.Namespace) -> Iterator[Row]:
    """The rows; raises `ExportError` if there are none, so that no empty file is written."""
    first = next(rows, None)
    if first is None:
        raise ExportError(_nothing(options))
    yield first
    yield from rows


def _nothing(options: argparse.Namespace) -> str:
    """What was looked for, and where."""
    if options.runs:
        special = {
            Kind.EPISODES: "scored episode",
            Kind.PREFERENCE: "failed trial beside a passed one of the same model",
        }
        sought = special.get(options.kind, "exact match that saw every needed record")
        where = ", ".join(map(str, options.runs))
    else:
        sought = "instance" if options.mistake is None and options.kind is not Kind.PREFERENCE else "pair"
        where = options.dataset or f"the split {' or '.join(_splits(options))}"
    mistake = "" if options.mistake is None else f" with the mistake {options.mistake}"
    levels = " or ".join(map(str, _levels(options)))
    return f"nothing to export, and nothing was written: no {sought} of level {levels}{mistake} in {where}"


def _refused(what: str) -> ExportError:
    return ExportError(
        f"{what}: these instances are for tests, and training on them spoils the benchmark; --allow-test exports them "
        "all the same, and marks every row"
    )


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
