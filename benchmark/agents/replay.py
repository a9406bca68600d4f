"""An agent that replays a stored run: the same calls to the current tools, the same final messages, no model."""

from collections.abc import Iterable
from pathlib import Path

from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.dataset import Dataset, instances_path, world_path
from mpcbench.schema.episode import Reply
from mpcbench.schema.model import AnyLevel
from mpcbench.schema.run import Case


class ReplayAgent:
    """Repeats what the agent of a stored episode did.

    Args:
        source: The folder of a run, followed by `#MODEL` if the run has several models.
        here: The folder that a relative source is resolved against.

    Raises:
        RunError: there is no run, it has no such model, or it has several and none is named.
    """

    def __init__(self, source: str, here: Path) -> None:
        path, model = _parts(source, here)
        self._folder = RunFolder.open(path)
        info = self._folder.info
        models = list(dict.fromkeys(case.model for case in info.cases))
        if model is None and len(models) != 1:
            raise RunError(f"{path}: holds {len(models)} models; name one as replay:{path}#MODEL: {', '.join(models)}")
        if model is not None and model not in models:
            raise RunError(f"{path}: has no model {model!r}; its models are {', '.join(models)}")
        self._model = models[0] if model is None else model

    def described(self) -> dict[str, object]:
        """Which run it replays."""
        info = self._folder.info
        return {"replay": info.run_id, "model": self._model, "agent": info.agents.get(self._model)}

    def holds(self, case: Case) -> bool:
        """Whether the episode that replays as this case is stored."""
        return self._folder.episode_file(case._replace(model=self._model)).is_file()

    def differing_file(self, dataset: Dataset, levels: Iterable[AnyLevel]) -> str | None:
        """A world or a list of instances of these levels that is not the one of the stored run; None if all are."""
        stored = self._folder.info.data.sha256
        asked = {path(level) for level in levels for path in (world_path, instances_path)}
        return next(
            (
                name
                for name, digest in dataset.hashes(levels).items()
                if name in asked and stored.get(name, digest) != digest
            ),
            None,
        )

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG002 - the stored run kept to its own
        """Repeat the stored calls and return the stored reply.

        Raises:
            EndpointError: the episode was an error or is not stored.
        """
        case = Case(task.instance_id, _level(task.instance_id), self._model, task.trial)
        stored = self._folder.episode(case)
        if stored is None:
            raise EndpointError(f"{self._folder.path} holds no episode {case.text}")
        for call in stored.tool_calls:
            arguments = call.arguments if isinstance(call.arguments, dict | str) else str(call.arguments)
            tools.call(call.name, arguments, turn=call.turn)
        if stored.fault is not None:
            raise EndpointError(f"replayed: {stored.fault.kind}: {stored.fault.message}")
        assert stored.reply is not None
        return stored.reply


def _parts(source: str, here: Path) -> tuple[Path, str | None]:
    """The folder and the model; a folder whose name contains `#` is taken whole."""
    whole = here / Path(source).expanduser()
    if whole.is_dir() or "#" not in source:
        return whole, None
    path, _, model = source.rpartition("#")
    return here / Path(path).expanduser(), model


def _level(instance_id: str) -> AnyLevel:
    level: AnyLevel = int(instance_id[5])  # type: ignore[assignment]  # level1-000
    return level
