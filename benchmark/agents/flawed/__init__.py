"""Flawed agents: the reference agent with exactly one known defect each, to validate the diagnosis."""

from mpcbench.benchmark.agents.flawed.catalogue import (
    FLAWS,
    PAIRS,
    FlawError,
    any_flawed_agent,
    flawed_agent,
    flaws_named,
)
from mpcbench.benchmark.agents.flawed.flaw import Flaw, FlawedAgent

__all__ = ["FLAWS", "PAIRS", "Flaw", "FlawError", "FlawedAgent", "any_flawed_agent", "flawed_agent", "flaws_named"]
