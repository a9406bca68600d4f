"""`python -m evaluation`: scoring without pytest, and what can be done with the folders of runs."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mpcbench.evaluation.commands import ERRORS, add_commands
from mpcbench.evaluation.runs.answers_file import grade_answers, read_answers
from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.statistics.summary import summarise, summary_of
from mpcbench.evaluation.statistics.summary_text import table
from mpcbench.oracle import UnresolvedError
from mpcbench.schema.dataset import COMMITTED, DataError, Dataset, to_jsonl_text, write_files
from mpcbench.schema.episode import GRADING_VERSION, Episode
from mpcbench.schema.model import LADDER
from mpcbench.schema.result import result_of
from mpcbench.schema.untrusted_text import one_line, printable

_EXAMPLE = """\
each line of ANSWERS.jsonl is one agent's answer to one instance: its final message as a string, or the
answer object itself:

  {"instance_id": "level1-000", "answer": {"candidates": [{"start": "2027-02-09T14:30:00",
   "end": "2027-02-09T15:00:00"}]}}       (on one line; at level 3 each candidate also has a "room_id")

times without an offset are read in the time zone of the instance's world. Instances that the file does not
name are reported as not answered and are not scored. exit code: 0 when every line was scored, whatever the
scores are; 2 on bad input.

example:
  python -m evaluation score answers.jsonl --model my-agent --details
"""


def main(arguments: Sequence[str] | None = None, prog: str = "python -m evaluation") -> int:
    """Run the command line; the exit code is 0, 1 where a check fails, or 2 on bad input."""
    options = _parser(prog).parse_args(arguments)
    try:
        code: int = options.command(options)
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (*ERRORS, DataError, UnresolvedError, OSError) as error:
        what = str(error)
        if isinstance(error, OSError) and error.filename and error.strerror:
            what = f"{error.filename2 or error.filename}: {error.strerror.lower()}"
        print(printable(f"error: {what}").replace("\n", " "), file=sys.stderr)
        return 2
    return code


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description="Scores agents' answers; checks and joins runs.")
    commands = parser.add_subparsers(required=True)
    score = commands.add_parser(
        "score",
        help="score a JSONL file of answers",
        description="Scores a JSONL file of answers against the gold of a data set, without running an agent.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    score.set_defaults(command=_score)
    score.add_argument("answers", metavar="ANSWERS.jsonl", type=Path, help="the answers, one JSON object a line")
    score.add_argument(
        "--dataset",
        metavar="DIR",
        type=Path,
        default=COMMITTED,
        help="folder with worlds/, instances/ and oracles/ (default: the data of this repository)",
    )
    score.add_argument(
        "--model", metavar="NAME", default="answers", help="name to show in the table (default: answers)"
    )
    score.add_argument(
        "--out", metavar="EPISODES.jsonl", type=Path, help="also write the full record of every scored instance here"
    )
    score.add_argument("--details", action="store_true", help="also print one line for every scored instance")
    score.add_argument(
        "--format", choices=("table", "json"), default="table", help="what to print (default: table); json has both"
    )
    add_commands(commands)
    return parser


def _score(options: argparse.Namespace) -> int:
    dataset = Dataset.open(options.dataset)
    given = read_answers(options.answers, dataset)
    episodes = list(grade_answers(given, dataset, options.model))
    asked = dataset.all_levels if LADDER in {one.level for one in episodes} else dataset.levels
    instances = sum(len(dataset.instance_ids(level)) for level in asked or dataset.all_levels)
    if options.out is not None:
        write_files(options.out.parent, {options.out.name: to_jsonl_text(episodes)})
    if options.format == "json":
        print(_as_json(episodes, instances))
        return 0
    if options.details and episodes:
        print(printable("\n".join(text_table([_detail(episode) for episode in episodes]))), end="\n\n")
    print(printable(table(summary_of(map(result_of, episodes)))))
    print(f"{len(episodes)} of {instances} instances answered; {instances - len(episodes)} not answered, not scored")
    return 0


def _detail(episode: Episode) -> tuple[str, ...]:
    assert episode.scores is not None
    return (
        episode.instance_id,
        episode.outcome.value,
        f"F1 {episode.scores.f1:.3f}",
        one_line(_reason(episode), 100),
    )


def _reason(episode: Episode) -> str:
    if episode.answer is None:
        return f"{episode.answer_status}: {episode.answer_error or 'the answer is empty'}"
    return ", ".join(dict.fromkeys(violation.kind for wrong in episode.violations for violation in wrong.violations))


def _as_json(episodes: list[Episode], instances: int) -> str:
    report = {
        "grading_version": GRADING_VERSION,
        "instances": instances,
        "answered": len(episodes),
        "not_answered": instances - len(episodes),
        "rows": [row.model_dump(mode="json") for row in summarise(map(result_of, episodes))],
        "episodes": [
            episode.model_dump(
                mode="json",
                include={"instance_id", "level", "outcome", "answer_status", "answer_error", "scores", "violations"},
            )
            for episode in episodes
        ],
    }
    return json.dumps(report, indent=2)


if __name__ == "__main__":
    sys.exit(main())
