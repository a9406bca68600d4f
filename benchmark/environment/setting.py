"""What an agent gets in an episode of any level: the prompt, the tools, and the schema of its answer."""

from typing import Any, Final

from mpcbench.benchmark.environment.level4.per_world import PerWorld
from mpcbench.benchmark.environment.level4.prompts import is_plan, ladder_prompt
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.benchmark.environment.level4.tools.catalogue import ladder_tools
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Tool, Toolbox
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.evaluation.scoring.ladder_answer import ladder_answer_schema
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.model import LADDER, AnyLevel

_RECORDS: Final = PerWorld(LadderRecords)
"""Level 4's indexes of the records, which take seconds to build."""


def tools_offered(level: AnyLevel) -> tuple[Tool, ...]:
    """The tools of a level, in the order in which the agent sees them."""
    return ladder_tools() if level == LADDER else tools_of_level(level)


def prompt_of(exam: AnyExam, instructions: str | None = None) -> str:
    """The system prompt of an exam, with what it says besides at its end."""
    if isinstance(exam, Exam):
        return system_prompt(exam.instance.level, exam.world.timezone, instructions)
    prompt = ladder_prompt(exam.world.timezone, plan=is_plan(exam.instance))
    return prompt if instructions is None else f"{prompt}\n\n{instructions}"


def answer_schema_of(exam: AnyExam) -> dict[str, Any]:
    """The JSON Schema of the final answer to an exam."""
    if isinstance(exam, Exam):
        return answer_schema(exam.instance.level)
    return ladder_answer_schema(plan=is_plan(exam.instance))


def toolbox_of(exam: AnyExam, *, show_tags: bool = False, max_calls: int | None = None) -> Toolbox:
    """The tools of an exam with an empty log; at level 4 tags are never shown.

    Args:
        exam: The instance with its world.
        show_tags: Whether results also show the machine-readable tags.
        max_calls: How many calls are answered; None for any number.

    Raises:
        UnshownRecordError: an instance's change waits for a record that the world does not hold.
    """
    if isinstance(exam, Exam):
        sources = Sources(exam.world, show_tags=show_tags)
        return Toolbox(sources, tools_of_level(exam.instance.level), max_calls=max_calls)
    return LadderToolbox(_RECORDS.of(exam.world), exam.instance.change, max_calls)
