"""The agent `local`: a model behind an endpoint like any other, on this machine and with a server of the run's own."""

import os
import socket
import time
from collections.abc import Collection
from dataclasses import replace
from threading import Lock
from urllib.parse import urlsplit

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import ModelEntry
from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.local.serve import ALIAS, KEY_VARIABLE
from mpcbench.benchmark.agents.local.server import URL_VARIABLE
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task, UnusableEndpointError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply

TIMEOUT_SECONDS = 3600.0
"""How long to wait for one message, unless the user says: those beyond the server's slots wait for their turn."""

MAX_RETRIES = 2
"""How often a request is sent again, unless the user says: on one machine hardly anything passes by itself."""

_PROBE_SECONDS = 60.0
_DYING_SECONDS = 2.0


class LocalAgent(EndpointAgent):
    """Runs each episode against the server that the environment names then.

    Args:
        entry: How to talk to the model. Address and key are the server's.
        options: The user's, of which `base_url` is for other models.
        given: The names of those options that the user gave.
        model: What is served, where this process serves it.

    Raises:
        OptionError: The model does not take one of the options.
    """

    def __init__(
        self,
        entry: ModelEntry,
        options: EndpointOptions,
        given: Collection[str] = (),
        model: LocalModel | None = None,
    ) -> None:
        self._served_entry = entry.model_copy(update={"model": ALIAS, "api_key_env": KEY_VARIABLE})
        self._options = replace(
            options,
            base_url=None,
            timeout_seconds=options.timeout_seconds if "--request-timeout" in given else TIMEOUT_SECONDS,
            max_retries=options.max_retries if "--max-retries" in given else MAX_RETRIES,
        )
        self._model = model
        self._lock = Lock()
        self._served: EndpointAgent | None = None
        # The agent is made before there is a server, and describes itself without: both address and key are new
        # in every run.
        super().__init__(self._served_entry.model_copy(update={"base_url": None, "api_key_env": None}), self._options)

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode.

        Raises:
            UnusableEndpointError: The server is gone; found before the model was asked anything.
            EndpointError: The server failed, or died during the episode.
        """
        url = os.environ.get(URL_VARIABLE)
        if url is None or _refuses(url):
            raise UnusableEndpointError("the server of --model local is gone")
        try:
            return self._endpoint(url)(task, tools, budget)
        except EndpointError as error:
            if _refuses_soon(url):
                error.args = (f"the server of --model local died: {error}",)
            raise

    def described(self) -> dict[str, JsonValue]:
        """What is sent, and what answers it; `placement` changes no answer."""
        return {**super().described(), "base_url": None, **(self._model.described() if self._model else {})}

    def _endpoint(self, url: str) -> EndpointAgent:
        with self._lock:  # several episodes of a process may begin at a time
            if self._served is None:
                self._served = EndpointAgent(self._served_entry.model_copy(update={"base_url": url}), self._options)
                self.secrets = self._served.secrets
            return self._served


def _refuses_soon(url: str) -> bool:
    """Whether nobody listens; a process that was killed closes its connections before its ports."""
    end = time.monotonic() + _DYING_SECONDS
    while not _refuses(url):
        if time.monotonic() > end:
            return False
        time.sleep(_DYING_SECONDS / 20)
    return True


def _refuses(url: str) -> bool:
    """Whether nobody listens any more; a server that is merely busy lets connections wait."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    try:
        with socket.create_connection((parts.hostname, parts.port), timeout=_PROBE_SECONDS):
            return False
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
