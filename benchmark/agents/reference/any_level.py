"""The reference agent of `--model reference`: one agent for levels 1 to 3, another for level 4."""

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference.agent import reference
from mpcbench.benchmark.agents.reference.level4.agent import LadderAgent
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply

_LADDER = LadderAgent()


def is_ladder(tools: Toolbox) -> bool:
    """Whether the tools are those of level 4."""
    return any(tool.name == "list_rosters" for tool in tools.tools)


def reference_agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
    """Run one episode of any level; raises `ReadingError` for text that cannot be parsed."""
    return (_LADDER if is_ladder(tools) else reference)(task, tools, budget)
