"""The agent `local`: a model behind an endpoint like any other, on this machine and with a server of the run's own."""

import os
import socket
from dataclasses import replace
from urllib.parse import urlsplit

from benchmark.agents.agent import Budget, EndpointError, Task
from benchmark.agents.endpoint import EndpointAgent, EndpointOptions
from benchmark.local_model.serve import ALIAS, KEY_VARIABLE
from benchmark.local_model.server import URL_VARIABLE
from benchmark.models import ModelEntry
from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Reply

LOCAL = "local"

TIMEOUT_SECONDS = 3600.0
"""How long to wait for one message, unless the user says: those beyond the server's slots wait for their turn."""

_NOT_SERVED = "http://127.0.0.1/v1"
_PROBE_SECONDS = 60.0


class LocalAgent:
    """Runs each episode against the server that the environment names; a dead one voids it at once, without retries.

    Raises:
        OptionError: The model does not take one of the options.
    """

    def __init__(self, entry: ModelEntry, options: EndpointOptions, *, timeout_given: bool) -> None:
        # Where nothing is served, as when tests are only collected, the agent is made and never called.
        self._url = os.environ.get(URL_VARIABLE, _NOT_SERVED)
        key = KEY_VARIABLE if KEY_VARIABLE in os.environ else None
        served = entry.model_copy(update={"model": ALIAS, "base_url": self._url, "api_key_env": key})
        timeout = options.timeout_seconds if timeout_given else TIMEOUT_SECONDS
        self.endpoint = EndpointAgent(served, replace(options, base_url=None, timeout_seconds=timeout))

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode.

        Raises:
            EndpointError: The server is dead, or failed.
        """
        if self._refuses():
            raise EndpointError("the server of --model local is dead")
        try:
            return self.endpoint(task, tools, budget)
        except EndpointError as error:
            if self._refuses():
                raise EndpointError(f"the server of --model local died: {error}") from None
            raise

    def _refuses(self) -> bool:
        """Whether nobody listens any more; a server that is merely busy lets connections wait."""
        parts = urlsplit(self._url)
        try:
            with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PROBE_SECONDS):
                return False
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
