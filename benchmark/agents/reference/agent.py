"""The reference agent: plans, calls the tools, parses their text with its own grammar, and computes the options.

It knows no more than a language model would: the task text, the system prompt, the tools' schemas and results.
Its stages are functions over plain values, so that a variant can replace one and keep the others.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference.acquire import acquire, find_threads, follow_up, read_threads
from mpcbench.benchmark.agents.reference.conversation import announced, statements_about
from mpcbench.benchmark.agents.reference.desk import Desk, OutOfTurnsError
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Message, Request, request_of
from mpcbench.benchmark.agents.reference.grammar_task import read_task, read_zone
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from mpcbench.benchmark.agents.reference.mentions import Meeting
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Finish, Reply


@dataclass(frozen=True, slots=True)
class StagedAgent:
    """An agent in replaceable stages; raises `ReadingError` for text that it cannot parse."""

    find_threads: Callable[[Desk, str], Sequence[str]] = find_threads
    follow_up: Callable[[Desk, Meeting, Sequence[Message]], Sequence[Message]] = follow_up
    understand: Callable[[Sequence[Heard]], Request] = request_of
    acquire: Callable[[Desk, Request, tzinfo], Facts] = acquire
    choose: Callable[[Facts], Sequence[Option]] = choose

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        desk = Desk(tools, budget)
        zone = ZoneInfo(read_zone(task.system_prompt))
        try:
            name, asked = read_task(task.text)
            messages = read_threads(desk, self.find_threads(desk, name))
            meeting = announced(name, asked, messages)
            messages = [*messages, *self.follow_up(desk, meeting, messages)]
            request = self.understand([*asked, *statements_about(meeting, messages)])
            options = self.choose(self.acquire(desk, request, zone))
        except OutOfTurnsError:
            return Reply(text="", finish=Finish.TURNS, turns=budget.max_turns)
        return Reply(text=answer_text(request, options), turns=desk.turn + 1)


def answer_text(request: Request, options: Sequence[Option]) -> str:
    """The final message: one JSON object."""
    candidates = [
        {"start": option.start.isoformat(), "end": option.end.isoformat()}
        | ({} if option.room_id is None else {"room_id": option.room_id})
        for option in options
    ]
    order = "latest" if request.latest else "earliest"
    policies = ", ".join(dict.fromkeys(call.policy_id for call in request.policies)) or "no policy"
    rationale = f"The {order} times of {request.length} minutes for {len(request.people)} people under {policies}."
    return json.dumps({"candidates": candidates, "rationale": rationale}, ensure_ascii=False)


reference = StagedAgent()
"""The agent of `--model reference`."""
