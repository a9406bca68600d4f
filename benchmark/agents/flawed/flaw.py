"""What a flaw is: a change of one stage of the reference agent, and the reasons that a diagnosis should give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import StagedAgent, reference
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Request
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from mpcbench.schema.model import Level


@dataclass(frozen=True, slots=True)
class FlawedAgent:
    """The reference agent with stages replaced, behind altered tools, its reply altered."""

    stages: StagedAgent = reference
    tools: Callable[[Toolbox], Toolbox] = lambda tools: tools
    reply: Callable[[Reply], Reply] = lambda reply: reply
    levels: tuple[Level, ...] = (1, 2, 3)
    """Elsewhere it is the reference agent as it is."""

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        if level_of(tools) not in self.levels:
            return reference(task, tools, budget)
        return self.reply(self.stages(task, self.tools(tools), budget))


def level_of(tools: Toolbox) -> Level:
    """The level whose tools are offered."""
    offered = {tool.name for tool in tools.tools}
    if "list_rooms" in offered:
        return 3
    return 2 if "read_thread" in offered else 1


Defect = Callable[[FlawedAgent], FlawedAgent]
"""Puts one defect into an agent; two defects are put in one after the other."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One known defect."""

    name: str
    description: str
    """One sentence: what the agent does wrong."""

    expected: tuple[str, ...]
    """The reasons of which a diagnosis should give at least one as the primary cause."""

    defect: Defect
    levels: tuple[Level, ...] = (1, 2, 3)
    """Where the defect can show at all."""

    @property
    def agent(self) -> FlawedAgent:
        """The reference agent with this defect."""
        return self.defect(FlawedAgent())


# Each of these makes a defect of a change of one stage.


def all_of(*defects: Defect) -> Defect:
    """Several changes that make up one defect."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        for one in defects:
            agent = one(agent)
        return agent

    return defect


def finding(find: Callable[[Desk, str, Sequence[str]], Sequence[str]]) -> Defect:
    """Choose among the threads found; gets the meeting's name and their IDs."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.find_threads
        return _staged(agent, find_threads=lambda desk, meeting: find(desk, meeting, inner(desk, meeting)))

    return defect


def hearing(heard: Callable[[list[Heard]], list[Heard]]) -> Defect:
    """Change what the agent takes for said."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.understand
        return _staged(agent, understand=lambda said: inner(heard(list(said))))

    return defect


def asking(edit: Callable[[Request], None]) -> Defect:
    """Change the request in place once it is understood."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.understand

        def understand(said: Sequence[Heard]) -> Request:
            request = inner(said)
            edit(request)
            return request

        return _staged(agent, understand=understand)

    return defect


Acquire = Callable[[Desk, Request, tzinfo], Facts]


def acquiring(change: Callable[[Acquire, Desk, Request, tzinfo], Facts]) -> Defect:
    """Change how the records are fetched; gets the way in which it was done."""

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.stages.acquire
        return _staged(agent, acquire=lambda desk, request, zone: change(inner, desk, request, zone))

    return defect


def before_acquiring(edit: Callable[[Desk, Request], None]) -> Defect:
    """Change the request in place before its records are fetched, with the tools at hand."""

    def change(inner: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        edit(desk, request)
        return inner(desk, request, zone)

    return acquiring(change)


def knowing(edit: Callable[[Facts], None]) -> Defect:
    """Change the facts in place once all records are fetched."""

    def change(inner: Acquire, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        facts = inner(desk, request, zone)
        edit(facts)
        return facts

    return acquiring(change)


Choose = Callable[[Facts], Sequence[Option]]


def choosing(change: Callable[[Choose, Facts], Sequence[Option]]) -> Defect:
    """Change the choice; gets the choice as it was, and the facts."""

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
    """Let the agent see its tools otherwise.

    Args:
        hidden: Tools that it does not know of.
        instead: Results that it makes up without calling the tool.
        rewrite: How it reads a result, given the tool, the arguments and the text.
    """

    def defect(agent: FlawedAgent) -> FlawedAgent:
        inner = agent.tools
        return replace(agent, tools=lambda tools: _AlteredTools(inner(tools), hidden, instead or {}, rewrite))

    return defect


class _AlteredTools(Toolbox):
    """Tools that hide, make up or rewrite results; the log stays that of the tools behind them."""

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
