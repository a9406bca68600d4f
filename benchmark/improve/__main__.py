"""`mpcbench improve`: from training data to better instructions or weights."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from mpcbench.benchmark.agents.local.gguf import GgufError
from mpcbench.benchmark.agents.local.weights import LocalModelError, Weights
from mpcbench.benchmark.export.splits import Split, split_of
from mpcbench.benchmark.improve.conversations import ImproveError, read_conversations
from mpcbench.benchmark.improve.examples import examples_text
from mpcbench.benchmark.improve.gguf_merging import check_architecture, merge
from mpcbench.benchmark.improve.optimiser import optimise
from mpcbench.benchmark.improve.rollouts import OWN_OPTIONS, Rollouts
from mpcbench.benchmark.improve.weights import Recipe, train
from mpcbench.benchmark.improve.writer import Writer
from mpcbench.evaluation.runs.folder import RunError, check_outside_runs
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.untrusted_text import printable

_START = "Look up everything that the options depend on before you answer."

_EPILOG = """\
examples:
  mpcbench export sft --level 1 --format json-protocol --out train.jsonl
  mpcbench improve examples train.jsonl --count 2 --out examples.txt
  mpcbench improve weights train.jsonl --steps 100 --out trained.gguf
  mpcbench generate --level 1 --count 20 --seed 100000 --out train
  mpcbench improve prompt --dataset train --writer o4-mini --out better.txt --model gpt-4o --max-turns 20

measure what came out, on other data:
  mpcbench run --dataset validation --model local --instructions examples.txt
  mpcbench run --dataset validation --model local --gguf trained.gguf
"""


def main(arguments: Sequence[str] | None = None, prog: str = "mpcbench improve") -> int:
    """Run the command line; returns 0 on success, 2 on invalid input, 130 where it was interrupted."""
    parser = _parser(prog)
    options, rest = parser.parse_known_args(arguments)
    if rest and options.way != "prompt":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    try:
        _check_free(options.out)
        said = _WAYS[options.way](options)
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (ImproveError, GgufError, LocalModelError, DataError, RunError) as error:
        print(printable(f"error: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        print(printable(f"error: {options.out}: {error}"), file=sys.stderr)
        return 2
    print(printable(said))
    return 0


def _check_free(place: Path) -> None:
    if place.exists():
        raise ImproveError(f"{place}: exists; choose another place, or remove it")
    check_outside_runs(place)


def _examples(options: argparse.Namespace) -> str:
    text = examples_text(read_conversations(options.rows), options.count, options.characters)
    options.out.write_text(f"{text}\n", encoding="utf-8")
    return f"{options.count} examples, {len(text):,} characters, written to {options.out}; next: mpcbench run --instructions {options.out}"


def _prompt(options: argparse.Namespace) -> str:
    dataset = Dataset.open(options.dataset)
    if not dataset.levels:
        raise ImproveError(f"{options.dataset}: holds level 4 alone, and improve prompt knows levels 1 to 3 only")
    instances = [name for level in dataset.levels for name in dataset.instance_ids(level)]
    for name in instances:
        seed = dataset.exam(name).instance.seed
        if split_of(seed) is not Split.TRAIN:
            raise ImproveError(
                f"{options.dataset}: {name} of seed {seed} is in the split {split_of(seed)}, not in train"
            )
    taken = [one for one in options.rest if one.partition("=")[0] in OWN_OPTIONS]
    if taken:
        raise ImproveError(f"{taken[0]}: the optimiser itself says so to each run")
    start = _START if options.start is None else options.start.read_text(encoding="utf-8")
    runs = options.runs or options.out.with_name(f"{options.out.stem}-runs")
    _check_free(runs)
    rollouts = Rollouts(dataset, options.rest, runs)
    with closing(Writer(options.writer, options.writer_url)) as writer:
        found = optimise(rollouts, instances, start.strip(), writer, options.episodes, options.seed)
    options.out.write_text(f"{found.instructions}\n", encoding="utf-8")
    return (
        f"score {found.first_score:.3f} at first, {found.score:.3f} now, on {len(instances)} training instances; "
        f"{found.candidates} instructions tried on all of them, {found.episodes} episodes in {runs}; written to {options.out}"
    )


def _weights(options: argparse.Namespace) -> str:
    base = (Weights.of_package() if options.gguf is None else Weights.of_file(options.gguf, "--gguf")).path
    check_architecture(base)
    recipe = Recipe(options.steps, options.max_tokens, options.learning_rate, options.rank, options.bf16, options.seed)
    found = train(base, read_conversations(options.rows), recipe)
    aside = options.out.with_name(f".{options.out.name}.{os.getpid()}")
    try:
        merge(base, found.adapter, aside)
        aside.replace(options.out)
    finally:
        aside.unlink(missing_ok=True)
    return (
        f"{len(found.losses)} steps on {found.device} over {found.conversations} conversations, loss {found.losses[0]:.3f} at "
        f"first, {found.losses[-1]:.3f} at last; written to {options.out}; next: mpcbench run --model local --gguf {options.out}"
    )


_WAYS: dict[str, Callable[[argparse.Namespace], str]] = {"examples": _examples, "prompt": _prompt, "weights": _weights}


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Make a model better on training data: worked examples or optimised instructions for the system "
        "prompt (mpcbench run --instructions), or trained weights (mpcbench run --model local --gguf).",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    ways = parser.add_subparsers(dest="way", required=True, metavar="WAY")
    rows_help = "a file of mpcbench export sft or steps, with --format json-protocol"

    examples = ways.add_parser("examples", help="write worked examples for the system prompt", allow_abbrev=False)
    examples.add_argument("rows", type=Path, metavar="FILE", help=rows_help)
    examples.add_argument("--count", type=_positive, default=2, help="how many examples (default: %(default)s)")
    examples.add_argument(
        "--characters",
        type=_positive,
        default=2000,
        help="an example ends after the model's last message within so many (default: %(default)s)",
    )

    prompt = ways.add_parser(
        "prompt",
        help="optimise instructions with GEPA; further options go to mpcbench run",
        description="Optimise the instructions of a model with GEPA. All other options, such as --model, go to mpcbench run.",
        allow_abbrev=False,
    )
    prompt.add_argument("--dataset", type=Path, required=True, metavar="DIR", help="instances of the split train")
    prompt.add_argument("--writer", required=True, metavar="NAME", help="the model that writes instructions")
    prompt.add_argument(
        "--writer-url", metavar="URL", help="its endpoint (default: as for mpcbench run); chat completions"
    )
    prompt.add_argument("--start", type=Path, metavar="FILE", help="instructions to begin with (default: one sentence)")
    prompt.add_argument(
        "--episodes", type=_positive, default=100, help="about how many to spend (default: %(default)s)"
    )
    prompt.add_argument("--runs", type=Path, metavar="DIR", help="where the runs go (default: beside --out)")
    prompt.add_argument("--seed", type=int, default=0, help="of the optimiser's choices (default: %(default)s)")

    weights = ways.add_parser(
        "weights", help="fine-tune a GGUF file with TRL, on a GPU if there is one", allow_abbrev=False
    )
    weights.add_argument("rows", type=Path, metavar="FILE", help=rows_help)
    weights.add_argument("--gguf", type=Path, metavar="FILE", help="the weights (default: those of --model local)")
    weights.add_argument("--steps", type=_positive, default=100, help="one conversation each (default: %(default)s)")
    weights.add_argument(
        "--max-tokens",
        type=_positive,
        default=3000,
        help="conversations are cut after the model's last message within so many (default: %(default)s)",
    )
    weights.add_argument("--learning-rate", type=_rate, default=5e-4, help="at first (default: %(default)s)")
    weights.add_argument("--rank", type=_positive, default=16, help="of the LoRA adapter (default: %(default)s)")
    weights.add_argument(
        "--bf16",
        action="store_true",
        help="compute in bfloat16 on the CPU, too: faster where it has instructions for it",
    )
    weights.add_argument("--seed", type=int, default=0, help="of the order (default: %(default)s)")
    for way in (examples, prompt, weights):
        way.add_argument("--out", type=Path, required=True, metavar="FILE", help="the new file; must not exist")
    return parser


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"not a whole number from 1: {text!r}")
    return int(text)


def _rate(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"not a number between 0 and 1: {text!r}")
    return value


if __name__ == "__main__":
    sys.exit(main())
