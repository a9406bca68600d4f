"""One episode against its run, its instance and itself."""

import json
from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from pydantic import ValidationError

from mpcbench.benchmark.agents.endpoint.prices import Price, cost_usd
from mpcbench.benchmark.environment.reveal import TITLES, revealed_text
from mpcbench.benchmark.environment.setting import prompt_of, toolbox_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.rescoring import changed_fields, rescored
from mpcbench.evaluation.statistics.attribution import STEPS, attribution, decides, named_records
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Fault, Outcome, RepairTrial, Reply, ToolCall, Usage
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam, any_exam
from mpcbench.schema.run import RunInfo
from mpcbench.schema.untrusted_text import one_line

_CALL = ("result", "is_error", "records", "source")
_FAULTS = ("endpoint", "harness", "worker")


def grading_findings(episode: Episode, dataset: Dataset, settings: Settings | None) -> Iterator[str]:
    """What was told, what each call returned, and what follows from the calls and the reply; raises `DataError`.

    Args:
        episode: The episode.
        dataset: The data that it ran on.
        settings: Those of its run; None if they could not be made.
    """
    exam = any_exam(dataset, episode.instance_id)
    died = episode.fault is not None and not (episode.system_prompt or episode.gold)
    budget = None if settings is None else settings.max_calls
    if settings is not None and not died and episode.max_calls != (None if budget is None else budget.calls(exam)):
        yield f"$.max_calls: {episode.max_calls}, and the run's option is {budget}"
    instructions = None if settings is None else settings.instructions
    if episode.system_prompt or episode.reply is not None:
        yield from _prompt_findings(episode, exam, instructions)
    tools = toolbox_of(exam, show_tags=episode.tags == "shown", max_calls=episode.max_calls)
    for number, call in enumerate(episode.tool_calls):
        arguments = call.arguments if isinstance(call.arguments, dict | str) else json.dumps(call.arguments)
        tools.call(call.name, arguments, turn=call.turn)
        for name in _CALL:
            if getattr(_stored(tools.log[-1]), name) != getattr(call, name):
                yield f"$.tool_calls[{number}].{name}: {one_line(call.name, 60)} gives something else"
    if episode.fault is None and episode.reply is None:
        yield "$.reply: missing, and there is no fault"
        return
    again = rescored(dataset, episode)
    if again.grading_version != episode.grading_version:
        yield f"$.grading_version: {episode.grading_version}, and this is {again.grading_version}"
    for name in changed_fields(episode, again):
        if not (died and name in {"gold", "records_missed"}):
            yield f"$.{name}: does not follow from the reply and the tool calls"


def setting_findings(episode: Episode, settings: Settings) -> Iterator[str]:
    """Where the episode is not what the run's settings make."""
    for name in ("paraphrase", "tags", "reveal"):
        said, wanted = getattr(episode, name), getattr(settings, name)
        if said != wanted:
            yield f"$.{name}: {one_line(str(said), 60)}, and the run's is {wanted}"
    reply = episode.reply
    if reply is not None:
        if reply.turns > settings.max_turns:
            yield f"$.reply.turns: {reply.turns}, and the run allows {settings.max_turns}"
        if reply.forced_final and not (settings.final_turn and reply.turns == settings.max_turns):
            yield "$.reply.forced_final: no final turn was forced in this run, or not after so many turns"
    if any(not 1 <= call.turn <= settings.max_turns for call in episode.tool_calls):
        yield f"$.tool_calls: a turn that is not among the run's {settings.max_turns}"
    yield from _attribution(episode, settings)


def _attribution(episode: Episode, settings: Settings) -> Iterator[str]:
    wanted = settings.attribute is not None and episode.outcome is Outcome.FAILED
    found = episode.attribution
    if wanted != (found is not None):
        yield "$.attribution: missing" if wanted else "$.attribution: not asked for, or not of a failed episode"
    if found is None:
        return
    made = [trial.reveal for trial in found.trials]
    decided = [decides(trial) for trial in found.trials]
    # Without further trials of the instance, a run ends with the first that decides.
    end = decided.index(True) + 1 if True in decided and settings.trials == 1 else len(STEPS)
    if made != list(STEPS[:end]):
        yield "$.attribution.trials: not those that the run makes"
    elif found != attribution(found.trials, found.named):
        yield "$.attribution: does not follow from its trials"
    if found.named is not None and (found.named.reveal is not None or not named_records(episode)):
        yield "$.attribution.named: the deduced cause names no records, or something else was revealed"


def value_findings(episode: Episode, info: RunInfo) -> Iterator[str]:
    """Values that no episode can have, and costs that are not those of its tokens."""
    fault, reply = episode.fault, episode.reply
    if fault is not None and fault.kind not in _FAULTS:
        yield f"$.fault.kind: {one_line(fault.kind, 60)} is none of {', '.join(_FAULTS)}"
    died = fault is not None and fault.kind == "worker"
    if episode.seconds == 0 and not died:
        yield f"$.seconds: {episode.seconds}"
    turns = [call.turn for call in episode.tool_calls]
    if turns != sorted(turns):
        yield "$.tool_calls: not in the order of their turns"
    agent = info.agents.get(episode.model)
    described = agent if isinstance(agent, dict) else {}
    if reply is not None:
        yield from _reply(reply, fault, has_endpoint="api" in described)
    usage = None if reply is None else reply.usage
    yield from _spending("$", usage, episode.cost_usd, described, info)
    found = episode.attribution
    for number, trial in enumerate(() if found is None else found.reruns):
        is_named = found is not None and trial is found.named
        place = "$.attribution.named" if is_named else f"$.attribution.trials[{number}]"
        yield from _trial(place, trial)
        yield from _spending(place, trial.usage, trial.cost_usd, described, info)


def _reply(reply: Reply, fault: Fault | None, *, has_endpoint: bool) -> Iterator[str]:
    if reply.turns < (1 if fault is None else 0):
        yield f"$.reply.turns: {reply.turns}"
    if fault is not None and reply.text.strip():
        yield "$.fault: an error with a final message"
    if has_endpoint and reply.usage is None:
        yield "$.reply.usage: missing, and the agent has an endpoint"
    elif reply.usage is not None and reply.text.strip() and 0 in (reply.usage.input_tokens, reply.usage.output_tokens):
        yield "$.reply.usage: zero tokens, and there is a final message"


def _trial(place: str, trial: RepairTrial) -> Iterator[str]:
    broken = trial.outcome is Outcome.ERROR
    passed = trial.outcome is Outcome.PASSED
    if broken != (trial.fault is not None) or broken != (trial.f1 is None) or broken != (trial.exact_match is None):
        yield f"{place}: neither an error nor scored"
    elif not broken and (trial.exact_match != passed or (trial.f1 == 1) != passed):
        yield f"{place}: its scores do not fit its outcome"


def _spending(
    place: str, usage: Usage | None, cost: float | None, agent: Mapping[str, Any], info: RunInfo
) -> Iterator[str]:
    """A cost that is none of those since the day of the run."""
    try:
        prices = [Price.model_validate(price) for price in agent.get("prices") or ()]
    except (TypeError, ValidationError):
        yield f"{place}.cost_usd: the recorded prices of the agent cannot be read"
        return
    began = info.created.date()
    days = {began} | {price.since for price in prices if price.since > began}
    possible = [cost_usd(usage, prices, day) for day in days]
    if not any(
        cost is one or (cost is not None and one is not None and isclose(cost, one, rel_tol=1e-9)) for one in possible
    ):
        yield f"{place}.cost_usd: not the cost of the tokens at the recorded prices"


def _prompt_findings(episode: Episode, exam: AnyExam, instructions: str | None) -> Iterator[str]:
    if episode.system_prompt != prompt_of(exam, instructions):
        yield "$.system_prompt: not the system prompt of this benchmark"
    if not 1 <= episode.paraphrase <= len(exam.instance.task):
        yield f"$.paraphrase: no paraphrase {episode.paraphrase}"
    elif episode.task != _task(episode, exam):
        yield "$.task: not the text of this instance's task"


def _task(episode: Episode, exam: AnyExam) -> str:
    """What the task should be: the instance's text and, unless the harness failed before, what `--reveal` adds."""
    text = exam.instance.task[episode.paraphrase - 1]
    if (
        episode.reveal is None
        or not isinstance(exam, Exam)
        or (episode.fault is not None and TITLES[episode.reveal] not in episode.task)
    ):
        return text
    return f"{text}\n\n{revealed_text(episode.reveal, exam, show_tags=episode.tags == 'shown')}"


def _stored(call: ToolCall) -> ToolCall:
    """The call as it is read back from a file."""
    return ToolCall.model_validate(call.model_dump(mode="json"))
