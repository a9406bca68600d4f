"""`mpcbench play INSTANCE`: play an episode yourself, one command a turn, or in a web page."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from mpcbench.benchmark.agents.human.agent import HUMAN
from mpcbench.benchmark.agents.human.answer_rows import RowError
from mpcbench.benchmark.agents.human.episode import OverError
from mpcbench.benchmark.environment.tools.toolbox import ToolError
from mpcbench.benchmark.harness.option_values import RUNS, SettingsError
from mpcbench.benchmark.play.commands import HELP, CommandError, Play, ended_text, over
from mpcbench.benchmark.play.session import PlaySession, play_session
from mpcbench.benchmark.port import port_number
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.evaluation.scoring.answer import AnswerError
from mpcbench.schema.dataset import DataError
from mpcbench.schema.untrusted_text import one_line, printable

_MISTAKES = (AnswerError, CommandError, DataError, OverError, RowError, RunError, ToolError)
_LONGEST = 600


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.play") -> int:
    """Run one command of an episode; the exit code is 0, 2 for what cannot be done, or 130 after Ctrl-C."""
    options = _parser(prog).parse_intermixed_args(arguments)
    given = {"max-turns": options.max_turns, "dataset": options.dataset, "paraphrase": options.paraphrase}
    given |= {"tags": options.tags, "reveal": options.reveal}
    given["agent-arg"] = None if options.name is None else [f"name={options.name}"]
    name, *words = options.command or [""]
    if words == ["-"]:
        words = [sys.stdin.read()]
    run = Path(options.run_dir) if options.run_dir else Path(RUNS, _folder_name(options.name))
    try:
        with play_session(run, options.instance, given, Path.cwd()) as session:
            command = [prog, *([f"--run-dir {shlex.quote(str(run))}"] if options.run_dir else [])]
            command += [f"--name {shlex.quote(options.name)}"] if options.name and not options.run_dir else []
            if options.web:
                text = _in_web_page(session, options.port)
            elif session.stored is not None:
                if name:
                    raise over(session, name)
                text = ended_text(session, session.stored)
            else:
                play = Play(session, session.episode(), " ".join([*command, options.instance]), options.raw)
                # Killed between answer and score: whatever is typed, the score comes first.
                text = ended_text(session, session.finish()) if play.episode.is_over else play.run(name, words)
    except _MISTAKES as error:
        print(one_line(f"{prog}: {error}", _LONGEST), file=sys.stderr)
        return 2
    except SettingsError as error:
        print(one_line(f"{prog}: {str(error).removeprefix('--instance: ')}", _LONGEST), file=sys.stderr)
        return 2
    except OSError as error:
        print(one_line(f"{prog}: {error.filename or run}: {error.strerror}", _LONGEST), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{prog}: interrupted; the same command goes on", file=sys.stderr)
        return 130
    print(printable(text))
    return 0


def _in_web_page(session: PlaySession, port: int) -> str:
    """Let the person play in a web page until the explanation has been read, too."""
    if session.stored is None:
        try:
            address = session.agent.open(session.folder.path, port=port)
        except OSError as error:
            raise CommandError(f"--port {port}: {error.strerror}") from None
        print(f"Play at {address}\nCtrl-C ends; the same command goes on where you were.", flush=True)
        session.finish()
    episode = session.stored
    assert episode is not None
    return ended_text(session, episode)


def _folder_name(name: str | None) -> str:
    """The folder of a person's run, unless another is named."""
    plain = "".join(character if character.isalnum() else "-" for character in name or "").strip("-")
    return f"{HUMAN}-{plain}" if plain else HUMAN


def _parser(prog: str) -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:15} {text}" for name, text in HELP.items())
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Play an episode yourself. Without a command the task is shown, and what to type next. Every move "
        "is kept in the run's folder, so any command goes on where the last one ended. Exit code: 0, or 2 with one line "
        "for what cannot be done; then nothing has changed.",
        epilog=f"commands:\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("instance", metavar="INSTANCE", help="such as level3-017")
    parser.add_argument(
        "command", metavar="COMMAND", nargs="*", default=[], help="see below; behind -- it may begin with a dash"
    )
    parser.add_argument("--run-dir", metavar="DIR", help=f"the run's folder (default: {RUNS}/{HUMAN}, or {HUMAN}-NAME)")
    parser.add_argument("--name", metavar="NAME", help="who plays; kept in the run")
    parser.add_argument("--raw", action="store_true", help="show results as the tools give them to a model")
    parser.add_argument("--web", action="store_true", help="play in a web page, which only this machine can open")
    parser.add_argument(
        "--port", metavar="N", type=port_number, default=0, help="port of the web page (default: a free one)"
    )
    parser.add_argument("--dataset", metavar="DIR", help="folder with worlds/, instances/ and oracles/")
    parser.add_argument("--max-turns", metavar="N", help="turn budget: a call is a turn, and so is the answer")
    parser.add_argument("--paraphrase", metavar="1|2|3", help="which wording of the task")
    parser.add_argument("--tags", metavar="hidden|shown", help="whether results also show the machine-readable tags")
    parser.add_argument("--reveal", metavar="WHAT", help="plan, records or constraints: what is handed over")
    return parser


if __name__ == "__main__":
    sys.exit(main())
