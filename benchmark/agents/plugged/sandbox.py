"""Where the processes of an agent of the user's run, and what is hidden from them there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpcbench.benchmark.agents.plugged.isolation import Isolation, best_isolation, confined, hidden_folders
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What separates an agent from the run."""

    dataset: Path
    """The folder of the run's data, hidden from the agent."""

    runs: tuple[Path, ...]
    """Folders of runs, or that hold runs, hidden from it as well."""

    @property
    def isolation(self) -> Isolation:
        """By which means; the first use tries them."""
        return best_isolation()

    def require_visible(self, model: str, files: Iterable[Path], remedy: str) -> None:
        """Raise `AgentSpecError` if the agent's own files would be hidden from it.

        Args:
            model: The agent, for the message.
            files: Its files.
            remedy: What the user can do.
        """
        if self.isolation is Isolation.NONE:
            return
        hidden = self._hidden()
        for file in files:
            for folder in hidden:
                if file.resolve().is_relative_to(folder):
                    raise AgentSpecError(
                        f"--model {model}: {file} is in {folder}, which is hidden from agents; {remedy}"
                    )

    def command(self, program: Sequence[str], scratch: Path) -> list[str]:
        """The command that runs a program, which can write to its scratch folder only."""
        return confined(program, self.isolation, scratch, self._hidden())

    def _hidden(self) -> tuple[Path, ...]:
        """What there is now: folders of runs come into being during a run."""
        return hidden_folders(self.dataset, self.runs)
