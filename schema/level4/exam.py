"""The exam of an instance of whatever level."""

from typing import TypeAlias

from mpcbench.schema.dataset import Dataset
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.dataset import LadderExam

AnyExam: TypeAlias = Exam | LadderExam
"""One instance of any level with everything that an agent's answer to it is judged by."""


def any_exam(dataset: Dataset, instance_id: str) -> AnyExam:
    """An instance of any level with its world and its label; raises what `Dataset.exam` raises."""
    return dataset.ladder.exam(instance_id) if instance_id.startswith("level4-") else dataset.exam(instance_id)
