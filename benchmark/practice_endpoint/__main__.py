"""Serve the reference agent as if it were a model: `python -m benchmark.practice_endpoint --port 8080`."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.port import port_number
from mpcbench.benchmark.practice_endpoint import Brain, Chaos, EndpointServer, FaultKind, Solver
from mpcbench.benchmark.practice_endpoint.fault import GROUPS, kinds_named
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.benchmark.practice_endpoint.recording import Recording
from mpcbench.schema.dataset import COMMITTED, Dataset


def main(arguments: Sequence[str] | None = None, prog: str = "python -m benchmark.practice_endpoint") -> int:
    """Print the base URL, serve until interrupted or terminated, and return 0."""
    parser = _parser(prog)
    options = parser.parse_args(arguments)
    brain: Brain = JsonSpeaking(Solver(reference_agent))
    try:
        chaos = None
        kinds = kinds_named(options.faults)
        if options.fault_rate:
            chaos = Chaos(options.fault_rate, options.fault_seed, kinds, options.fault_tries)
        if options.recording is not None:
            brain = _recording(options.recording)
        server = EndpointServer(
            brain,
            port=options.port,
            chaos=chaos,
            latency=options.latency,
            denied_after=options.deny_after,
            keeps_requests=False,
            log=options.log,
        )
    except OSError as error:
        parser.error(f"{error.filename or f'port {options.port}'}: {os.strerror(error.errno or 0)}")
    except ValueError as error:
        parser.error(str(error))
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with server:
        print(server.base_url, flush=True)
        stop.wait()
    print(f"stopped after {server.served} requests")
    return 0


def _parser(prog: str) -> argparse.ArgumentParser:
    groups = "; ".join(f"{name}: {', '.join(kinds)}" for name, kinds in GROUPS.items() if name not in {"model", "wire"})
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Serve the reference agent behind an OpenAI-compatible endpoint, under any model name.",
        epilog=f"Faults: {', '.join(FaultKind)}. Groups of them: {groups}; wire: passing and stall; model: calls and "
        "answers. Which requests fail depends on the seed and on their content, not on timing.",
    )
    option = parser.add_argument
    option("--port", type=port_number, default=0, help="the port on 127.0.0.1 (default: a free one)")
    option("--latency", type=_seconds, default=0.0, metavar="SECONDS", help="delay every answer by this (default: 0)")
    option(
        "--fault-rate", type=float, default=0.0, metavar="RATE", help="share of requests that fail, 0 to 1 (default: 0)"
    )
    option(
        "--fault-seed", type=int, default=0, metavar="SEED", help="seed that selects which requests fail (default: 0)"
    )
    option(
        "--faults",
        default="passing",
        metavar="A,B,C",
        help="the faults or groups of faults to choose from (default: passing)",
    )
    option("--fault-tries", type=int, metavar="N", help="let a request through after N tries")
    option("--deny-after", type=int, metavar="N", help="reject the key of every request after the first N")
    option("--log", type=Path, metavar="FILE", help="append a line of JSON for each request")
    option(
        "--recording",
        type=Path,
        metavar="FILE",
        help="answer from a recording of the reference agent on the committed data, with parallel tool calls and at "
        "almost no cost; the recording is made first if the file does not exist",
    )
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds from 0")
    return value


def _recording(path: Path) -> Recording:
    if not path.exists():
        Recording.of(Dataset.open(COMMITTED)).write(path)
    return Recording.read(path)


if __name__ == "__main__":
    sys.exit(main())
