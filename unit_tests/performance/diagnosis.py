"""How long the diagnosis of one level-3 episode takes, of answers that one mistake explains and of others."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median
from time import process_time
from timeit import Timer

from evaluation.diagnosis.diagnose import diagnose
from evaluation.episode import Episode, Outcome, Scores, ToolCall
from oracle import resolve
from oracle.interval import members, to_datetime
from oracle.problem import Problem
from oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from schema import Instance, Order
from schema.dataset import Dataset
from unit_tests.performance.figure import Figure

INSTANCES = 50
_REPETITIONS = 3
_WRONG = Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False)


def figures(dataset: Dataset) -> Iterator[Figure]:
    """The median and the slowest; random feasible candidates take longest, as every pair of changes is tried."""
    instances = dataset.instances(3)
    chosen = instances[:: max(1, len(instances) // INSTANCES)][:INSTANCES]
    world, labels = dataset.world(3), dataset.labels(3)
    times = []
    gc.collect()
    gc.freeze()  # a collection of a whole world's records would be measured otherwise
    for instance in chosen:
        problem = resolve(world, instance)
        for choices in (gold_choices(replace(problem, order=Order.LATEST)), _feasible(problem, instance)):
            episode = _episode(dataset, instance, choices)
            call = partial(diagnose, world, instance, labels[instance.instance_id], episode)
            times.append(1e3 * min(Timer(call, timer=process_time).repeat(_REPETITIONS, 1)))
    gc.unfreeze()
    note = f"{len(times)} answers, the best of {_REPETITIONS} times each"
    yield Figure("diagnosis: one level-3 episode, median", f"{median(times):.1f} ms ({note})", "", None)
    yield Figure.at_most("diagnosis: one level-3 episode, slowest", max(times), 50, " ms", note)


def _feasible(problem: Problem, instance: Instance) -> list[Choice]:
    every = [
        Choice(
            problem.window.start + start,
            problem.window.start + start + problem.duration,
            None if room is None else room.room_id,
        )
        for room, mask in room_masks(problem, filtered_slots(problem)[0])
        for start in members(mask)
    ]
    return sorted(Random(instance.instance_id).sample(every, min(problem.count, len(every))))


def _episode(dataset: Dataset, instance: Instance, choices: list[Choice]) -> Episode:
    zone, label = dataset.world(3).zone, dataset.labels(3)[instance.instance_id]
    policies = (f"policy:{section.policy_id}" for section in dataset.world(3).policies)
    records = (*label.records, *policies)
    return Episode(
        instance_id=instance.instance_id,
        level=3,
        model="planted",
        outcome=Outcome.FAILED,
        paraphrase=1,
        tags="hidden",
        system_prompt="",
        task="",
        reply=None,
        tool_calls=(ToolCall(turn=1, name="all", arguments={}, result="", is_error=False, records=records),),
        answer=tuple(
            {
                "start": to_datetime(one.start, zone).isoformat(),
                "end": to_datetime(one.end, zone).isoformat(),
                "room_id": one.room_id,
            }
            for one in choices
        ),
        answer_status="parsed",
        gold=(),
        scores=_WRONG,
        seconds=0,
    )
