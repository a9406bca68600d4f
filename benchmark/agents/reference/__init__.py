"""The reference agent: no language model, only tools, text, a grammar and arithmetic."""

from mpcbench.benchmark.agents.reference.agent import StagedAgent, reference
from mpcbench.benchmark.agents.reference.lexicon import ReadingError

__all__ = ["ReadingError", "StagedAgent", "reference"]
