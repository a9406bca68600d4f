"""Run agents on the instances of a data set, and diagnose their episodes."""

from dataclasses import dataclass
from typing import Final

from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.schema import Instance
from mpcbench.schema.cause import Diagnosis
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import Level

MAX_TURNS: Final = 100


@dataclass(frozen=True)
class Bench:
    """Runs agents on the instances of a data set, in this process."""

    dataset: Dataset
    every: int = 1

    def instances(self, level: Level) -> tuple[Instance, ...]:
        """The instances of a level to run on."""
        return self.dataset.instances(level)[:: self.every]

    def episode(self, agent: Agent, instance: Instance) -> Episode:
        """An agent's graded and diagnosed episode on an instance."""
        exam = self.dataset.exam(instance.instance_id)
        toolbox = Toolbox(Sources(exam.world), tools_of_level(instance.level))
        task = Task(instance.instance_id, system_prompt(instance.level, exam.world.timezone), instance.task[0])
        attempt = Attempt(
            model="validity",
            system_prompt=task.system_prompt,
            task=task.text,
            reply=agent(task, toolbox, Budget(max_turns=MAX_TURNS)),
            tool_calls=tuple(toolbox.log),
        )
        return grade(exam, attempt)


def explanations(diagnosis: Diagnosis) -> tuple[frozenset[str], ...]:
    """The reasons of each explanation of a diagnosis; the same reasons with other evidence count once."""
    return tuple(dict.fromkeys(frozenset(cause.reason for cause in causes) for causes in diagnosis.explanations))
