"""What the commands of `mpcbench play` say."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mpcbench.benchmark.agents.human.episode import HumanEpisode, OverError
from mpcbench.benchmark.agents.human.result_text import WIDTH, result_text, wrapped
from mpcbench.benchmark.agents.human.typed_argument import hint_of
from mpcbench.benchmark.play.session import PlaySession
from mpcbench.benchmark.play.typed import answer_of, arguments_of, usage
from mpcbench.evaluation.report.number_text import duration_text
from mpcbench.schema.episode import Episode, ToolCall
from mpcbench.schema.untrusted_text import one_line


class CommandError(ValueError):
    """A command was typed in a way that means nothing; the message is one line."""


HELP: Final = {
    "rules": "how options are judged, as a model is told, too",
    "tools": "the tools with what they do; `tools NAME` for one of them with its arguments",
    "TOOL VALUE...": "call a tool, which is a turn; values in the tool's order, or NAME=VALUE, or one JSON object",
    "result N": "the result of call N again",
    "note TEXT": "write a line into the notebook",
    "notes": "the notebook",
    "status": "the calls so far, the turns that are left, and the time",
    "answer ROW...": "give the answer, which ends the episode: an option is 'DATE START-END', 'DATE START-END ROOM' or, "
    "in a plan, 'DATE START-END ROOM MEETING'; or JSON as the rules describe it; or - for standard input",
    "give-up": "end the episode without an answer",
}


@dataclass(frozen=True)
class Play:
    """The commands of one episode."""

    session: PlaySession
    episode: HumanEpisode
    prog: str
    """What is typed before a command."""

    raw: bool = False
    """Whether results are shown as the tools give them."""

    def run(self, name: str, words: Sequence[str]) -> str:
        """What a command says.

        Raises:
            CommandError, ToolError, RowError, AnswerError, OverError: it cannot be done; nothing has changed.
        """
        plain: Mapping[str, Callable[[], str]] = {
            "": self.task,
            "notes": self._notes,
            "status": self._status,
            "rules": lambda: "\n".join(wrapped(self.episode.task.system_prompt)),
            "give-up": self._give_up,
        }
        if name in plain:
            if words:
                raise CommandError(f"{name} takes nothing more, not {words[0]!r}")
            return plain[name]()
        taking: Mapping[str, Callable[[Sequence[str]], str]] = {
            "tools": self._tools,
            "result": self._result,
            "note": self._note,
            "answer": self._answer,
        }
        return taking[name](words) if name in taking else self._call(name, words)

    def task(self) -> str:
        """The task, and what to type next."""
        width = max(map(len, HELP)) + 2
        lines = [
            line
            for name, text in HELP.items()
            for line in textwrap.wrap(f"  {name:{width}}{text}", WIDTH, subsequent_indent=" " * (width + 2))
        ]
        parts = [f"{self.episode.task.instance_id}: {self._turns()}", *wrapped(self.episode.task.text, "  ")]
        return "\n".join([*parts, "", f"Type {self.prog} and", *lines])

    def _tools(self, words: Sequence[str]) -> str:
        if not words:
            tools = self.episode.tools.tools
            return "\n".join(
                line for tool in tools for line in (usage(tool), *wrapped(tool.description.partition("\n")[0], "    "))
            )
        tool = self.episode.tool(words[0])
        lines = [usage(tool), *wrapped(tool.description, "    ")]
        for name, schema in tool.parameters["properties"].items():
            lines += [f"  {name}", *wrapped(hint_of(schema), "    ")]
        return "\n".join(lines)

    def _call(self, name: str, words: Sequence[str]) -> str:
        tool = self.episode.tool(name)
        call = self.episode.call(name, arguments_of(tool, words))
        return self._shown(call)

    def _result(self, words: Sequence[str]) -> str:
        calls = self.episode.calls
        if len(words) != 1 or not words[0].isdecimal() or not 1 <= int(words[0]) <= len(calls):
            raise CommandError(f"result N shows one of the {len(calls)} calls so far")
        return self._shown(calls[int(words[0]) - 1])

    def _shown(self, call: ToolCall) -> str:
        return call.result if self.raw else f"{_called(call)}\n\n{result_text(call)}"

    def _note(self, words: Sequence[str]) -> str:
        if not words:
            raise CommandError("note: what? type: note TEXT")
        self.episode.write_notes("\n".join(filter(None, [self.episode.notes, " ".join(words)])))
        return self._notes()

    def _notes(self) -> str:
        return self.episode.notes or "The notebook is empty."

    def _status(self) -> str:
        took = duration_text(self.episode.journal.seconds)
        return "\n".join([f"{self._turns()}, {took} so far", *map(_called, self.episode.calls)])

    def _turns(self) -> str:
        most = self.episode.budget.max_turns
        return f"turn {self.episode.turn} of {most}" + (", for the answer only" if self.episode.turn >= most else "")

    def _answer(self, words: Sequence[str]) -> str:
        if not words:
            raise CommandError("answer: which options? type: answer 'DATE START-END' ..., or JSON")
        self.episode.answer(answer_of(words, self.episode))
        return self._ended()

    def _give_up(self) -> str:
        self.episode.give_up()
        return self._ended()

    def _ended(self) -> str:
        return ended_text(self.session, self.session.finish())


def ended_text(session: PlaySession, episode: Episode) -> str:
    """The score of an episode, why it is what it is, and where it is stored."""
    path = session.folder.path
    took = f"Time: {duration_text(episode.seconds)}"
    return f"{session.trial.explanation(episode)}\n\n{took}\nRun: {path}\nReport: {path / 'report.html'}"


def over(session: PlaySession, name: str) -> OverError:
    """Why no command can change an episode that has a score."""
    return OverError(
        f"{session.case.instance_id} has its answer already, so {name} can do nothing; run: {session.folder.path}"
    )


def _called(call: ToolCall) -> str:
    given = call.arguments if isinstance(call.arguments, dict) else {}
    arguments = " ".join(f"{name}={value}" for name, value in given.items())
    return one_line(f"call {call.turn}: {call.name} {arguments}", 300) + (" (error)" if call.is_error else "")
