"""Episodes on committed instances with answers that are made here, and the searches behind their diagnoses."""

from collections.abc import Iterator, Sequence
from typing import Any

from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.masks import everything
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.mistakes.reading import readings, written
from mpcbench.evaluation.diagnosis.mistakes.variants import variants
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.search import Search
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.resolve import statements
from mpcbench.oracle.solve import Choice, filtered_slots, room_masks
from mpcbench.schema import Candidate, Instance
from mpcbench.schema.cause import Cause, Diagnosis, Reason, is_observed
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import AnswerCandidate, Episode, Outcome, Scores, ToolCall
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

EVERY = 10
"""One instance in so many is looked at."""


def dataset() -> Dataset:
    return DATASET


def instances(level: Level, every: int = EVERY) -> tuple[Instance, ...]:
    return dataset().instances(level)[::every]


def problem_of(instance: Instance) -> Problem:
    return resolve(dataset().world(instance.level), instance)


def shown(instance: Instance) -> tuple[str, ...]:
    """Every required record, and the other policies of their documents, which a careless agent may apply as well."""
    label = dataset().labels(instance.level)[instance.instance_id]
    documents = (
        [f"policy:{one.policy_id}" for one in each.sections] for each in dataset().world(instance.level).documents
    )
    return (*label.records, *(one for policies in documents if {*policies} & {*label.records} for one in policies))


def episode(instance: Instance, choices: Sequence[Choice], **more: Any) -> Episode:
    """An episode of an agent that has seen everything needed and proposes these candidates."""
    zone = dataset().world(instance.level).zone
    answer = tuple(
        AnswerCandidate(to_datetime(one.start, zone), to_datetime(one.end, zone), one.room_id) for one in choices
    )
    call = ToolCall(turn=1, name="all", arguments={}, result="", is_error=False, records=shown(instance))
    told: dict[str, Any] = {
        "instance_id": instance.instance_id,
        "level": instance.level,
        "model": "planted",
        "outcome": Outcome.FAILED,
        "paraphrase": 1,
        "tags": "hidden",
        "system_prompt": "",
        "task": "",
        "reply": None,
        "tool_calls": (call,),
        "answer": answer,
        "answer_status": "parsed",
        "gold": (),
        "scores": Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False),
        "seconds": 0,
    }
    return Episode(**{**told, **more})


def diagnosed(instance: Instance, choices: Sequence[Choice], **more: Any) -> Diagnosis:
    found = diagnose(dataset().exam(instance.instance_id), episode(instance, choices, **more))
    assert found is not None
    return found


def feasible(problem: Problem) -> list[Choice]:
    """Every feasible candidate, by start and room ID."""
    origin = problem.window.start
    return sorted(
        Choice(origin + start, origin + start + problem.duration, None if room is None else room.room_id)
        for room, mask in room_masks(problem, filtered_slots(problem)[0])
        for start in members(mask)
    )


def alternatives(causes: Sequence[Cause]) -> list[set[str]]:
    """The reasons of each explanation; the same reasons by other records once. What is only observed explains nothing."""
    by_number: dict[int, set[str]] = {}
    for cause in causes:
        reason = Reason.UNEXPLAINED.value if is_observed(cause.reason) else cause.reason
        by_number.setdefault(cause.alternative, set()).add(reason)
    return [reasons for place, reasons in enumerate(by_number.values()) if reasons not in [*by_number.values()][:place]]


def search(instance: Instance, choices: Sequence[Choice]) -> Search:
    """The search for an answer of an agent that has seen every policy and the required calendars."""
    world, told, problem = (
        dataset().world(instance.level),
        Provenance(statements(dataset().world(instance.level), instance)),
        problem_of(instance),
    )
    candidates = [
        Candidate(start=to_datetime(one.start, world.zone), end=to_datetime(one.end, world.zone), room_id=one.room_id)
        for one in choices
    ]
    answer = written(candidates, problem.window)
    assert answer is not None
    return Search(
        Attempts(
            world, told, everything, variants(world, instance, problem, told, ()), readings(answer, world.zone, {})
        ),
        Hypotheses(
            policies=None,
            calendars={record.partition(":")[2] for record in shown(instance) if record.startswith("calendar:")},
        ),
    )


def frame(instance: Instance) -> Frame:
    return search(instance, ()).attempts.frame()


def chosen(instance: Instance, numbers: Sequence[int]) -> Iterator[Choice]:
    """Feasible candidates by their places, counted round and round."""
    every = feasible(problem_of(instance))
    yield from dict.fromkeys(every[number % len(every)] for number in numbers)
