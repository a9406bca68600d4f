"""The commands of `python -m evaluation` that read the folders of runs."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tqdm import tqdm

from mpcbench.evaluation.report.document import write_report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.building import built_aside
from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.episode_table import MissingPackageError, TableFormat, encode
from mpcbench.evaluation.runs.folder import RunError, RunFolder, check_outside_runs
from mpcbench.evaluation.runs.identity import data_of, differing_settings
from mpcbench.evaluation.runs.lock import check_idle, session_at
from mpcbench.evaluation.runs.merging import merge, missing_shards
from mpcbench.evaluation.runs.rescoring import changed_fields, rescored
from mpcbench.evaluation.runs.run_files import REPORT_FILE
from mpcbench.evaluation.runs.summary_files import run_summary, write_summary
from mpcbench.evaluation.statistics.agreement import Answers
from mpcbench.evaluation.statistics.comparison import IncomparableError, compare
from mpcbench.evaluation.statistics.comparison_text import comparison_markdown, comparison_text
from mpcbench.evaluation.statistics.summary import MixedVersionsError
from mpcbench.evaluation.statistics.summary_text import table
from mpcbench.schema.dataset import COMMITTED, LEVELS, DataError, Dataset
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.result import Result, result_of
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import one_line, printable

ERRORS = (RunError, IncomparableError, MissingPackageError, MixedVersionsError)
"""What bad input raises here, besides `DataError` and `OSError`."""

_MOST_NAMED = 50
_LONGEST = 300

Command = Callable[[argparse.Namespace], int]


def add_commands(commands: Any) -> None:
    """Add the commands to an argument parser's; each sets `command`, which returns the exit code."""
    rescore = _command(
        commands,
        "rescore",
        _rescore,
        "grade a run's episodes again and compare with what is stored",
        "Parses, scores and diagnoses every stored reply again and names every difference. Exit code: 0 if there is "
        "none, 1 if there is one, 2 on bad input.",
    )
    rescore.add_argument("run", metavar="RUN", type=Path, help="the run's folder")
    _add_dataset(rescore)
    rescore.add_argument(
        "--out", metavar="DIR", type=Path, help="also write a run with the new scores to this folder, new or empty"
    )
    verify = _command(
        commands,
        "verify",
        _verify,
        "check that a run's files are intact and reproducible",
        "Names the data; computes the gold, every tool call, score, diagnosis, summary and report again, runs agents "
        "without an endpoint again, compares transcripts with calls, episodes with settings and the plan, and names "
        "every difference. Exit code: 0 if there is none, 1 if there is one, 2 on bad input.",
    )
    verify.add_argument("run", metavar="RUN", type=Path, help="the run's folder")
    _add_dataset(verify)
    comparing = _command(
        commands,
        "compare",
        _compare,
        "compare two runs on the instances that both scored",
        "Compares run B with run A: differences with intervals, paired tests, what could be detected, flipped "
        "instances and moved causes. Runs on other data are refused. Exit code: 0 whatever the verdict, 2 on bad input.",
    )
    comparing.add_argument("a", metavar="A", type=Path, help="the folder of run A")
    comparing.add_argument("b", metavar="B", type=Path, help="the folder of run B")
    comparing.add_argument("--model-a", metavar="NAME", help="the model of run A, if it has several")
    comparing.add_argument("--model-b", metavar="NAME", help="the model of run B, if it has several")
    comparing.add_argument(
        "--detect", metavar="X", type=float, help="also say how many instances a difference of F1 of X would need"
    )
    comparing.add_argument(
        "--format", choices=("text", "json", "markdown"), default="text", help="what to print (default: text)"
    )
    exporting = _command(
        commands,
        "table",
        _table,
        "write the table of a run's episodes, one row each",
        "Writes a flat table, for example for pandas. Parquet needs pyarrow: pip install pyarrow.",
    )
    exporting.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="the runs' folders")
    exporting.add_argument(
        "--format", choices=list(TableFormat), type=TableFormat, default=TableFormat.CSV, help="default: csv"
    )
    exporting.add_argument("--out", metavar="FILE", type=Path, help="where to write it (default: standard output)")
    merging = _command(
        commands,
        "merge",
        _merge,
        "merge runs that were made in parts, such as shards",
        "Writes one run with the episodes of all parts, which must have the same settings and data. "
        "`pytest benchmark --resume DIR` then runs what is missing and reports the whole.",
    )
    merging.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="the parts' folders")
    merging.add_argument("--out", metavar="DIR", type=Path, required=True, help="the merged run's folder, new or empty")
    guessing = _command(
        commands,
        "baselines",
        _baselines,
        "measure what guessing is worth without one source",
        "Gives agents all sources but one, composed as the oracle does, and lets them guess the rest: by skipping, by "
        "the time of day, by a typical policy, by what was learned from data of another seed, and so on. Prints the "
        "best way of each, measured on the committed data and on held-out data, which are generated: about an hour on two cores. "
        "Exit code: 0, 1 where a bound is exceeded on the held-out data, 2 on bad input.",
    )
    _add_baselines(guessing)
    reporting = _command(
        commands,
        "report",
        _report,
        "write the report of one or more runs as one HTML file",
        "Writes one HTML file with tables, plots, a comparison of the runs' models, and a page for every episode with "
        "its timeline and transcript. It needs no network. Exit code: 0, or 2 on bad input.",
    )
    reporting.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="the runs' folders")
    _add_dataset(reporting)
    reporting.add_argument(
        "--out",
        metavar="FILE.html",
        type=Path,
        help=f"where to write it (default: {REPORT_FILE} in the run's folder; of several runs, in this folder)",
    )


def _command(commands: Any, name: str, run: Command, text: str, description: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=description)
    parser.set_defaults(command=run)
    return parser


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dataset", metavar="DIR", type=Path, help="the data that the run ran on (default: where they were)"
    )


def _add_baselines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=int,
        default=9001,
        help="of the held-out data; those of the next seed are learned from (default: %(default)s)",
    )
    parser.add_argument(
        "--count", type=_positive, default=300, help="instances of each level to generate (default: %(default)s)"
    )
    parser.add_argument(
        "--level", type=int, choices=LEVELS, action="append", help="measure only this level; repeatable (default: all)"
    )
    parser.add_argument("--train", metavar="DIR", type=Path, help="learn from these data; none are generated for it")
    parser.add_argument("--test", metavar="DIR", type=Path, help="the held-out data; none are generated for it")
    parser.add_argument(
        "--workers", type=_positive, default=os.cpu_count() or 1, help="number of processes (default: %(default)s)"
    )
    parser.add_argument("--all", action="store_true", help="print every way of guessing, not only the best")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")


def _positive(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


def _rescore(options: argparse.Namespace) -> int:
    if options.out is not None:
        check_outside_runs(options.out)
    folder = _opened(options.run)
    dataset = data_of(folder.info, options.dataset, COMMITTED)
    results, changed = [], []
    info = folder.info.model_copy(update={"grading_version": GRADING_VERSION})
    with nullcontext() if options.out is None else built_aside(options.out, info) as out:
        for stored in _watched(folder.episodes(), folder, "rescoring"):
            episode = rescored(dataset, stored)
            results.append(result_of(episode))
            if names := changed_fields(stored, episode):
                changed.append(f"{case_of(episode).text}: {', '.join(names)}")
            if out is not None:
                out.write_episode(case_of(episode), episode.model_dump_json())
        if out is not None:
            write_summary(out, results)
    print(printable(table(run_summary(folder.info, results))))
    _print_some(changed)
    print(f"{len(results)} episodes rescored; {len(changed) or 'none'} differ from what is stored")
    return 1 if changed else 0


def _verify(options: argparse.Namespace) -> int:
    from mpcbench.evaluation.verify.verification import Verification  # noqa: PLC0415 - it loads the whole benchmark

    folder = RunFolder.open(options.run)
    check_idle(folder.path)
    check = Verification(folder, data_of(folder.info, options.dataset, COMMITTED))
    print(one_line(printable(f"data: {check.data}"), _LONGEST))
    findings = list(check.findings())
    _print_some(findings)
    _print_some([f"note: {note}" for note in check.notes()])
    said = f"{check.episodes} episodes, {check.tool_calls:,} tool calls, {', '.join(check.files) or 'no other file'} checked"
    missing = len(folder.info.cases) - check.episodes
    if missing > 0:
        said = f"{said}, {missing} planned episodes are not there"
    print(f"{said}: {len(findings)} finding{'s'[: len(findings) > 1]}" if findings else f"{said}: all as it should be")
    return 1 if findings else 0


def _merge(options: argparse.Namespace) -> int:
    parts = [RunFolder.open(path) for path in options.runs]
    for part in parts:
        check_idle(part.path)
    if len({part.path.resolve() for part in parts}) < len(parts):
        raise RunError(f"{options.runs[0]}: the same run is given twice")
    merged = merge(parts, options.out)
    stored, planned = len(merged.cases()), len(merged.info.cases)
    print(printable(table(run_summary(merged.info, merged.results()))))
    print(printable(f"{merged.path}: {stored} of {planned} planned episodes"))
    missing = missing_shards(parts)
    if missing:
        shards = ", ".join(missing[:_MOST_NAMED]) + (" and others" if len(missing) > _MOST_NAMED else "")
        print(f"not among the parts: shard {shards}; pytest benchmark --resume runs their episodes")
    return 0


def _compare(options: argparse.Namespace) -> int:
    a, b = _opened(options.a), _opened(options.b)
    (results_a, answers_a), (results_b, answers_b) = _answered(a), _answered(b)
    comparison = compare(
        results_a,
        results_b,
        hashes_a=a.info.data.sha256,
        hashes_b=b.info.data.sha256,
        names=(a.info.run_id, b.info.run_id),
        models=(options.model_a, options.model_b),
        answers=(answers_a, answers_b),
        target=options.detect,
    )
    settings = differing_settings((a.info, comparison.a.model), (b.info, comparison.b.model))
    comparison = comparison.model_copy(update={"differing": {**comparison.differing, **settings}})
    match options.format:
        case "json":
            print(json.dumps(comparison.model_dump(mode="json"), indent=1))
        case "markdown":
            print(printable(comparison_markdown(comparison)))
        case _:
            print(printable(comparison_text(comparison)))
    return 0


def _answered(folder: RunFolder) -> tuple[list[Result], Answers]:
    """The results of a run and its answers, read together."""
    results, answers = [], {}
    for episode in folder.episodes():
        results.append(result_of(episode))
        if episode.answer is not None:
            answers[case_of(episode)] = frozenset(episode.answer)
    return results, answers


def _table(options: argparse.Namespace) -> int:
    if options.out is not None:
        check_outside_runs(options.out)
    folders = [_opened(path) for path in options.runs]
    content = encode([result for folder in folders for result in folder.results()], options.format)
    if options.out is None and sys.stdout.isatty() and options.format is not TableFormat.PARQUET:
        print(printable(content.decode()), end="")
    elif options.out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        _write(options.out, content)
    return 0


def _report(options: argparse.Namespace) -> int:
    folders = [_opened(path) for path in options.runs]
    if len({folder.path.resolve() for folder in folders}) < len(folders):
        raise RunError(f"{options.runs[0]}: the same run is given twice")
    runs = [ReportedRun.read(folder, _data_if_at_hand(folder, options.dataset)) for folder in folders]
    for run in runs:
        if not run.results:
            raise RunError(f"{run.folder.path}: no episodes to report")
    out = options.out or (folders[0].path / REPORT_FILE if len(folders) == 1 else Path(REPORT_FILE))
    own = folders[0].path / REPORT_FILE
    is_own = len(folders) == 1 and out.resolve() == own.resolve()
    if is_own:
        check_idle(folders[0].path)
        folders[0].sums()  # if they are damaged, nothing is written
    else:
        check_outside_runs(out)
    write_report(runs, out)
    if is_own:
        folders[0].renew_sum(REPORT_FILE)  # the sums of other files say what these were when the run ended
    print(printable(f"{out}: {sum(len(run.results) for run in runs):,} episodes, {out.stat().st_size / 1e6:.1f} MB"))
    return 0


def _baselines(options: argparse.Namespace) -> int:
    from mpcbench.evaluation.battery import print_battery  # noqa: PLC0415 - it loads the generator

    return print_battery(
        [level for level in LEVELS if options.level is None or level in options.level],
        train=options.train,
        test=options.test,
        seed=options.seed,
        count=options.count,
        workers=options.workers,
        markdown=options.markdown,
        every=options.all,
    )


def _opened(path: Path) -> RunFolder:
    """The run in a folder; where a session of it lives, a note says that its episodes are not all there yet."""
    folder = RunFolder.open(path)
    held_by = session_at(path)
    if held_by is not None:
        print(printable(f"{path}: in use by {held_by}; only the episodes stored so far are read"), file=sys.stderr)
    return folder


def _data_if_at_hand(folder: RunFolder, dataset: Path | None) -> Dataset | None:
    """The data that a run ran on; None, with a note on standard error, if they are missing and were not named."""
    try:
        return data_of(folder.info, dataset, COMMITTED)
    except DataError as error:
        if dataset is not None:
            raise
        print(printable(f"no timelines for {folder.path}: {error}"), file=sys.stderr)
        return None


def _write(out: Path, content: bytes) -> None:
    """Write a file whole or not at all; what is no file, such as a pipe, is written to."""
    if out.exists() and not out.is_file():
        out.write_bytes(content)
    else:
        write_durably(out.resolve(), content)


def _watched(episodes: Any, folder: RunFolder, what: str) -> Any:
    return tqdm(episodes, total=len(folder.info.cases), desc=what, unit="episode", disable=not sys.stderr.isatty())


def _print_some(lines: list[str]) -> None:
    for line in lines[:_MOST_NAMED]:
        print(one_line(printable(line), _LONGEST))
    if len(lines) > _MOST_NAMED:
        print(f"... and {len(lines) - _MOST_NAMED} more")
