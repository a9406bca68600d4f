"""`--model human`: a person plays each episode, in a local web page or beforehand in the terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from mpcbench.benchmark.agents.human.episode import HumanEpisode
from mpcbench.benchmark.agents.human.journal import Journal
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Episode, Outcome, Reply
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.run import Case, case_of

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.human.server import PlayServer

HUMAN: Final = "human"
"""The name of the model that is a person."""


class HumanArgumentError(ValueError):
    """The person is described by something else than a name; the message is one line."""


class HumanAgent:
    """A person; plays one episode at a time.

    Args:
        arguments: What is said of the person: `name`, or nothing.

    Raises:
        HumanArgumentError: something else is said.
    """

    def __init__(self, arguments: Mapping[str, JsonValue]) -> None:
        unknown = sorted(arguments.keys() - {"name"})
        if unknown:
            raise HumanArgumentError(f"--agent-arg: --model {HUMAN} takes name=NAME, not {unknown[0]}")
        name = arguments.get("name")
        self.player = None if name is None else str(name)
        """Who it is; None if unnamed."""

        self._run: Path | None = None
        self._server: PlayServer | None = None

    def described(self) -> dict[str, JsonValue]:
        """Who it is."""
        return {"player": self.player}

    def open(self, run: Path, *, port: int | None = None) -> str | None:
        """Begin a session of a run.

        Args:
            run: The folder of the run.
            port: Where to serve the web page, 0 for any free port; None for a session in the terminal.

        Returns:
            The address of the page, with its token.

        Raises:
            OSError: the port is taken.
        """
        self._run = run
        if port is None:
            return None
        # Loading the page takes time that no other agent's run should pay for.
        from mpcbench.benchmark.agents.human.server import PlayServer  # noqa: PLC0415

        self._server = PlayServer(port)
        self._server.start()
        return self._server.address

    def close(self) -> None:
        """End the session."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def episode(self, case: Case, task: Task, tools: Toolbox, budget: Budget) -> HumanEpisode:
        """The episode as far as it has been played."""
        assert self._run is not None, "no session is open"
        return HumanEpisode(task, tools, budget, Journal(self._run, case))

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Let the person play; returns when the answer is given."""
        case = Case(task.instance_id, tools.sources.world.level, HUMAN, task.trial)
        episode = self.episode(case, task, tools, budget)
        if not episode.is_over:
            assert self._server is not None, "an episode of the terminal runs once its answer is given"
            self._server.play(episode)
        return episode.reply()

    def seconds(self, case: Case) -> float | None:
        """How long the person took, sessions before this one included; None if nothing is known."""
        assert self._run is not None, "no session is open"
        return Journal(self._run, case).seconds or None

    def stored(self, exam: AnyExam, episode: Episode) -> None:
        """Show what came of the episode, and wait until the person goes on; its journal is no longer needed."""
        assert self._run is not None, "no session is open"
        if episode.outcome is not Outcome.ERROR:
            Journal(self._run, case_of(episode)).remove()
        if self._server is not None:
            from mpcbench.evaluation.report.episode.page import episode_page  # noqa: PLC0415 - as above

            self._server.show(episode_page(exam, episode))
