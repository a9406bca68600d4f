"""Run agents on the instances of a data set, and diagnose their episodes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.agents.reference.facts import Facts
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
from unit_tests.validity.observed import Observed
from unit_tests.validity.places import Known

MAX_TURNS: Final = 100


class Right(NamedTuple):
    """What the reference agent knows of an instance, and answers."""

    text: str
    known: Known
    facts: Facts
    owners: dict[str, str]
    """By the key of each calendar among the facts, the owner's ID."""


@dataclass(frozen=True)
class Bench:
    """Runs agents on the instances of a data set, in this process."""

    dataset: Dataset
    _right: dict[str, Right] = field(default_factory=dict, repr=False)

    def drawn(self, lot: str, levels: Sequence[Level], most: int | None = None) -> Iterator[Instance]:
        """The instances of levels in an order by lot, at most so many."""
        every = [instance for level in levels for instance in self.dataset.instances(level)]
        return islice(iter(Random(lot).sample(every, len(every))), most)

    def attempt(self, agent: Agent, instance: Instance) -> Attempt:
        """What an agent does on an instance, ungraded."""
        exam = self.dataset.exam(instance.instance_id)
        toolbox = Toolbox(Sources(exam.world), tools_of_level(instance.level))
        task = Task(instance.instance_id, system_prompt(instance.level, exam.world.timezone), instance.task[0])
        return Attempt(
            model="validity",
            system_prompt=task.system_prompt,
            task=task.text,
            reply=agent(task, toolbox, Budget(max_turns=MAX_TURNS)),
            tool_calls=tuple(toolbox.log),
        )

    def graded(self, instance: Instance, attempt: Attempt) -> Episode:
        """The graded and diagnosed episode of an attempt."""
        return grade(self.dataset.exam(instance.instance_id), attempt)

    def episode(self, agent: Agent, instance: Instance) -> Episode:
        """An agent's graded and diagnosed episode on an instance."""
        return self.graded(instance, self.attempt(agent, instance))

    def right(self, instance: Instance) -> Right:
        """What the reference agent knows of an instance, and answers."""
        if instance.instance_id not in self._right:
            agent = Observed(reference)
            reply = self.attempt(agent, instance).reply
            assert reply is not None
            assert agent.facts is not None
            self._right[instance.instance_id] = Right(
                reply.text, agent.known, agent.facts, self._owners(instance, agent.facts)
            )
        return self._right[instance.instance_id]

    def _owners(self, instance: Instance, facts: Facts) -> dict[str, str]:
        ids = {person.name: person.person_id for person in self.dataset.world(instance.level).people}
        return {key: ids.get(key, key) for key in facts.calendars}


def explanations(diagnosis: Diagnosis) -> tuple[frozenset[str], ...]:
    """The reasons of each explanation of a diagnosis; the same reasons with other evidence count once."""
    return tuple(dict.fromkeys(frozenset(cause.reason for cause in causes) for causes in diagnosis.explanations))
