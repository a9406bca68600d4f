"""A flaw: a change to one stage of the reference agent, and the reasons that a diagnosis should report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import StagedAgent, reference
from mpcbench.benchmark.agents.reference.any_level import is_ladder, reference_agent
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Request
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from mpcbench.schema.model import Level


@dataclass(frozen=True, slots=True)
class FlawedAgent:
    """The reference agent with replaced stages, altered tools or an altered reply."""

    stages: StagedAgent = reference
    tools: Callable[[Toolbox], Toolbox] = lambda tools: tools
    reply: Callable[[Reply], Reply] = lambda reply: reply
    levels: tuple[Level, ...] = (1, 2, 3)
    """At other levels it is the unchanged reference agent."""

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        if is_ladder(tools) or level_of(tools) not in self.levels:
            return reference_agent(task, tools, budget)
        return self.reply(self.stages(task, self.tools(tools), budget))


def level_of(tools: Toolbox) -> Level:
    """The level, as inferred from the tools on offer."""
    offered = {tool.name for tool in tools.tools}
    if "list_rooms" in offered:
        return 3
    return 2 if "read_thread" in offered else 1


Defect = Callable[[FlawedAgent], FlawedAgent]
"""Adds one defect to an agent; defects are combined by applying one after the other."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One known defect."""

    name: str
    description: str
    """What the agent does wrong, in one sentence."""

    expected: tuple[str, ...]
    """A diagnosis should report at least one of these reasons as a primary cause."""

    defect: Defect
    levels: tuple[Level, ...] = (1, 2, 3)
    """The levels at which the defect can have an effect."""

    @property
    def agent(self) -> FlawedAgent:
        """The reference agent with this defect."""
        return self.defect(FlawedAgent())


# Each of these builds a defect from a change to one stage.


def all_of(*defects: Defect) -> Defect:
    """Combine several changes into one defect."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        for change in defects:
            agent = change(agent)
        return agent

    return defect


def finding(find: Callable[[Desk, str, Sequence[str]], Sequence[str]]) -> Defect:
    """Choose among the threads found by name, and follow nothing up; `find` gets the name and the thread IDs."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.find_threads
        return _staged(
            agent,
            find_threads=lambda desk, meeting: find(desk, meeting, inner(desk, meeting)),
            follow_up=lambda _desk, _meeting, _messages: [],
        )

    return defect


def hearing(change: Callable[[list[Heard]], list[Heard]]) -> Defect:
    """Change the statements that the agent has read."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.understand
        return _staged(agent, understand=lambda heard: inner(change(list(heard))))

    return defect


def asking(edit: Callable[[Request], None]) -> Defect:
    """Edit the request in place once it is understood."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.understand

        def understand(heard: Sequence[Heard]) -> Request:
            request = inner(heard)
            edit(request)
            return request

        return _staged(agent, understand=understand)

    return defect


Acquire = Callable[[Desk, Request, tzinfo], Facts]


def acquiring(change: Callable[[Acquire, Desk, Request, tzinfo], Facts]) -> Defect:
    """Change how records are fetched; `change` gets the original `acquire` and its arguments."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.acquire
        return _staged(agent, acquire=lambda desk, request, zone: change(inner, desk, request, zone))

    return defect


def before_acquiring(edit: Callable[[Desk, Request], None]) -> Defect:
    """Edit the request in place before its records are fetched; `edit` may call tools."""

    def change(inner: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        edit(desk, request)
        return inner(desk, request, zone)

    return acquiring(change)


def knowing(edit: Callable[[Facts], None]) -> Defect:
    """Edit the facts in place once all records are fetched."""

    def change(inner: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        facts = inner(desk, request, zone)
        edit(facts)
        return facts

    return acquiring(change)


Choose = Callable[[Facts], Sequence[Option]]


def choosing(change: Callable[[Choose, Facts], Sequence[Option]]) -> Defect:
    """Change how options are chosen; `change` gets the original `choose` and the facts."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.choose
        return _staged(agent, choose=lambda facts: change(inner, facts))

    return defect


def replying(change: Callable[[Reply], Reply]) -> Defect:
    """Change the final message."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.reply
        return replace(agent, reply=lambda reply: change(inner(reply)))

    return defect


def with_tools(
    *,
    hidden: Sequence[str] = (),
    instead: Mapping[str, str] | None = None,
    rewrite: Callable[[str, Mapping[str, Any], str], str] = lambda _tool, _arguments, result: result,
) -> Defect:
    """Change how the agent sees its tools.

    Args:
        hidden: Tools that it does not see.
        instead: Results by tool name, which it makes up without calling the tool.
        rewrite: Replaces a result, given the tool, the arguments and the text.
    """

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.tools
        return replace(agent, tools=lambda tools: _AlteredTools(inner(tools), hidden, instead or {}, rewrite))

    return defect


class _AlteredTools(Toolbox):
    """Tools that hide, make up or rewrite results; the log stays that of the real tools."""

    def __init__(
        self,
        inner: Toolbox,
        hidden: Sequence[str],
        instead: Mapping[str, str],
        rewrite: Callable[[str, Mapping[str, Any], str], str],
    ) -> None:
        super().__init__(inner.sources, [tool for tool in inner.tools if tool.name not in hidden], inner.log)
        self._inner = inner
        self._instead = instead
        self._rewrite = rewrite

    def call(self, name: str, arguments: str | Mapping[str, Any], *, turn: int = 1) -> str:
        if name in self._instead:
            return self._instead[name]
        result = self._inner.call(name, arguments, turn=turn)
        return self._rewrite(name, arguments if isinstance(arguments, Mapping) else {}, result)


def _staged(agent: FlawedAgent, **stages: Any) -> FlawedAgent:
    return replace(agent, stages=replace(agent.stages, **stages))
