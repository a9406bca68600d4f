"""The server's own process; run by its path, with its settings as JSON and the key in the environment.

It prints one line of JSON, `{"address": "http://…"}` or `{"error": "…"}`, and lives as long as anybody holds the
other end of its standard input. A process of its own, because the native server cannot be dropped with a request in
flight. It imports nothing of the project, so that it starts fast.
"""

import json
import os
import signal
import sys
import time
from typing import Any

KEY_VARIABLE = "MPCBENCH_LOCAL_KEY"
ALIAS = "local"
_PROMPT_CACHE_MIB = 256
_LOG_SECONDS = 0.2
"""For the native code to write why it failed: a thread of its own does that."""


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides when to end
    _end_with_standard_input()
    settings = json.loads(sys.argv[1])
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the native code prints is no part of the protocol
    try:
        server = _server(settings, os.environ.pop(KEY_VARIABLE))
        line = {"address": server.listening_address}
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is told in one line
        server, line = None, {"error": " ".join(str(error).split()) or type(error).__name__}
    print(json.dumps(line), file=report, flush=True)
    if server is not None:
        sys.stdin.buffer.read()
    else:
        time.sleep(_LOG_SECONDS)
    os._exit(0 if server is not None else 1)  # without the destructors of the native code, which may wait for ever


def _server(settings: dict[str, Any], key: str) -> Any:
    import xllamacpp  # noqa: PLC0415 - only this process loads the native code

    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {ALIAS}
    params.chat_template = settings["chat_template"] or ""
    params.api_keys = [key]
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any free one
    params.n_ctx = settings["context_tokens"] * settings["slots"]  # the server divides it among the slots
    params.n_parallel = settings["slots"]
    params.n_predict = settings["message_tokens"] or -1
    params.n_gpu_layers = 0
    params.fit_params = False  # the context is what the run's record says, not what memory suggests
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    params.endpoint_slots = False  # would show prompts
    params.ui = False
    return xllamacpp.Server(params)


def _end_with_standard_input() -> None:
    """Let the kernel end this process when its last holder is gone, even while native code loads the weights."""
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415 - not on Windows

    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)  # SIGIO, whose default is to end


if __name__ == "__main__":
    main()
