"""The server of `--model local` within a run."""

from collections.abc import Iterable

from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.local.server import LocalServer
from mpcbench.benchmark.harness.settings import LOCAL, Settings
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.episode import Outcome
from mpcbench.schema.run import Case


def local_model(settings: Settings, workers: int) -> LocalModel | None:
    """What `--model local` runs; None if it is not selected. Raises `LocalModelError`."""
    if LOCAL not in settings.models:
        return None
    return LocalModel.prepare(
        settings.local,
        in_flight=workers * settings.concurrency,
        message_limited=settings.endpoint.max_tokens is not None,
    )


def start_if_needed(server: LocalServer, cases: Iterable[Case], folder: RunFolder) -> None:
    """Start the server unless every episode of the local model is stored already; raises `LocalModelError`."""
    stored = (folder.episode(case) for case in cases if case.model == LOCAL)
    try:
        needed = any(episode is None or episode.outcome is Outcome.ERROR for episode in stored)
    except RunError:  # the run itself will say what is wrong
        needed = True
    if needed:
        server.start()
