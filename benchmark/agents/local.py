"""The agent `local`: a model behind an endpoint like any other, on this machine and with a server of the run's own."""

import os
import socket
import time
from dataclasses import replace
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from benchmark.agents.agent import Budget, EndpointError, Task, UnusableEndpointError
from benchmark.agents.endpoint import EndpointAgent, EndpointOptions
from benchmark.local_model.model import LocalModel
from benchmark.local_model.serve import ALIAS, KEY_VARIABLE
from benchmark.local_model.server import URL_VARIABLE
from benchmark.models import ModelEntry
from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Reply

TIMEOUT_SECONDS = 3600.0
"""How long to wait for one message, unless the user says: those beyond the server's slots wait for their turn."""

_PROBE_SECONDS = 60.0
_DYING_SECONDS = 2.0


class LocalAgent:
    """Runs each episode against the server that the environment names.

    Raises:
        OptionError: The model does not take one of the options.
    """

    def __init__(
        self,
        entry: ModelEntry,
        options: EndpointOptions,
        model: LocalModel | None = None,
        *,
        timeout_given: bool = False,
    ) -> None:
        # The address and the key of every run are new, so they are no part of what the run records.
        self._entry = entry.model_copy(update={"model": ALIAS, "base_url": None, "api_key_env": None})
        timeout = options.timeout_seconds if timeout_given else TIMEOUT_SECONDS
        self._options = replace(options, base_url=None, timeout_seconds=timeout)
        self._model = model
        self._lock = Lock()
        self._endpoint: EndpointAgent | None = None
        self._unserved = EndpointAgent(self._entry, self._options)

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode.

        Raises:
            UnusableEndpointError: The server is gone; found before the model was asked anything.
            EndpointError: The server failed, or died amid the episode.
        """
        url = os.environ.get(URL_VARIABLE)
        if url is None or _refuses(url):
            raise UnusableEndpointError("the server of --model local is gone")
        try:
            return self._served(url)(task, tools, budget)
        except UnusableEndpointError:
            raise
        except EndpointError as error:
            if _refuses_soon(url):
                raise EndpointError(f"the server of --model local died: {error}") from None
            raise

    def described(self) -> dict[str, Any]:
        """What is sent, and what answers it; `placement` changes no answer."""
        describe = getattr(self._unserved, "described", dict)
        return {**describe(), **(self._model.described() if self._model else {})}

    def _served(self, url: str) -> EndpointAgent:
        with self._lock:  # several episodes of a process may begin at a time
            if self._endpoint is None:
                entry = self._entry.model_copy(update={"base_url": url, "api_key_env": KEY_VARIABLE})
                self._endpoint = EndpointAgent(entry, self._options)
            return self._endpoint


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
