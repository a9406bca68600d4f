"""The baselines: agents that must fail if the benchmark measures what it claims to measure.

Each has an advantage: instead of reading texts, it is given the task's parameters (window, daily hours, duration, N,
ranking, all rooms), which an honest agent has to find. What it lacks is the composition of sources.
"""

from mpcbench.benchmark.agents.baselines.agent import BASELINES, BaselineAgent, proposals
from mpcbench.benchmark.agents.baselines.known import BaselineInput, baseline_input
from mpcbench.benchmark.agents.baselines.table import BaselineRow, baseline_markdown, baseline_table

__all__ = [
    "BASELINES",
    "BaselineAgent",
    "BaselineInput",
    "BaselineRow",
    "baseline_input",
    "baseline_markdown",
    "baseline_table",
    "proposals",
]
