"""Serve the reference agent as if it were a model: `python -m unit_tests.endpoint_server --port 8080`."""

import argparse
import threading

from benchmark.agents.reference import reference
from unit_tests.endpoint_server import EndpointServer, Solver
from unit_tests.endpoint_server.json_brain import JsonSpeaking


def main() -> None:
    """Print the base URL and serve until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m unit_tests.endpoint_server",
        description="Serve the reference agent behind an OpenAI-compatible endpoint, under any model name.",
    )
    parser.add_argument("--port", type=int, default=0, help="the port on 127.0.0.1 (default: a free one)")
    port: int = parser.parse_args().port
    with EndpointServer(JsonSpeaking(Solver(reference)), port=port) as server:
        print(server.base_url, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("stopped")


if __name__ == "__main__":
    main()
