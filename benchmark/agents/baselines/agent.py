"""Baselines as agents, by name."""

import json
from dataclasses import dataclass
from functools import cache, partial

from mpcbench.benchmark.agents.baselines.known import Baseline, BaselineInput, baseline_input
from mpcbench.benchmark.agents.baselines.trivial import TRIVIAL
from mpcbench.benchmark.agents.baselines.without import WITHOUT
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.solve import Choice
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import AnswerCandidate, Reply

BASELINES: dict[str, Baseline] = {**TRIVIAL, **WITHOUT}
"""Every baseline that needs no training, by the name that `--model` takes."""


@dataclass(frozen=True)
class BaselineAgent:
    """A baseline as an agent; it calls no tools."""

    name: str
    dataset: Dataset

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Answer from the data set itself."""
        del tools, budget
        if self.name == "noop":
            return Reply(text="")
        instance = self.dataset.exam(task.instance_id).instance
        candidates = [
            {"start": candidate.start.isoformat(), "end": candidate.end.isoformat()}
            | ({} if candidate.room_id is None else {"room_id": candidate.room_id})
            for candidate in proposals(self.name, baseline_input(self.dataset, instance))
        ]
        return Reply(text=json.dumps({"candidates": candidates}))


def proposals(baseline: str, known: BaselineInput) -> list[AnswerCandidate]:
    """The candidates that a baseline proposes, in the world's zone."""
    moment = cache(partial(to_datetime, zone=known.problem.zone))
    return [
        AnswerCandidate(moment(pick.start), moment(pick.end), pick.room_id)
        if isinstance(pick, Choice)
        else AnswerCandidate(pick.start, pick.end, pick.room_id)
        for pick in BASELINES[baseline](known)
    ]
