"""A stand-in for a model's endpoint: a real HTTP server on loopback that speaks both OpenAI APIs.

It checks requests as the real one does, and what it answers comes from a brain: a script, or any agent of the
benchmark behind a wire.
"""

from unit_tests.endpoint_server.brains import Brain, Conversation, ModelCall, ModelTurn, Scripted, Solver, Tokens
from unit_tests.endpoint_server.server import EndpointServer, Fault, Received

__all__ = [
    "Brain",
    "Conversation",
    "EndpointServer",
    "Fault",
    "ModelCall",
    "ModelTurn",
    "Received",
    "Scripted",
    "Solver",
    "Tokens",
]
