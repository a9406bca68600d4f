"""A practice endpoint: a real HTTP server on loopback that speaks both OpenAI APIs in place of a model.

It validates requests as the real endpoint does. Its answers come from a brain: a script, a recording, or any agent
of the benchmark.
"""

from mpcbench.benchmark.practice_endpoint.brains import (
    Brain,
    Conversation,
    ModelCall,
    ModelTurn,
    Scripted,
    Solver,
    Tokens,
)
from mpcbench.benchmark.practice_endpoint.chaos import Chaos
from mpcbench.benchmark.practice_endpoint.fault import (
    BY_THE_MODEL,
    IN_ANSWERS,
    IN_CALLS,
    ON_THE_WIRE,
    PASSING,
    Fault,
    FaultKind,
)
from mpcbench.benchmark.practice_endpoint.request_log import Logged, episode_key, logged
from mpcbench.benchmark.practice_endpoint.server import EndpointServer, Received

__all__ = [
    "BY_THE_MODEL",
    "IN_ANSWERS",
    "IN_CALLS",
    "ON_THE_WIRE",
    "PASSING",
    "Brain",
    "Chaos",
    "Conversation",
    "EndpointServer",
    "Fault",
    "FaultKind",
    "Logged",
    "ModelCall",
    "ModelTurn",
    "Received",
    "Scripted",
    "Solver",
    "Tokens",
    "episode_key",
    "logged",
]
