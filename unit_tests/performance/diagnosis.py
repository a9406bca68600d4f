"""How long the diagnosis of one level-3 episode takes: of right, flawed, random and empty answers."""

from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median
from time import process_time
from timeit import Timer
from typing import Final

from mpcbench.benchmark.agents.flawed import flawed_agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import to_datetime
from mpcbench.schema import Instance
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import AnswerCandidate, Episode, Outcome, ToolCall
from unit_tests.performance.figure import Figure
from unit_tests.validity.bench import Bench
from unit_tests.validity.claim import DRAWS

INSTANCES: Final = 50
FLAWED: Final = (
    "no-policy",
    "half-calendar",
    "omits-capacity",
    "first-guests",
    "latest-first",
    "omits-busy+latest-first",
    "neighbouring-policy+too-few",
    "omits-after-event+one-room-per-slot",
)
"""Agents whose answers need the search for different numbers of changes."""

_REPETITIONS = 3
_MOST = 50  # milliseconds


def figures(dataset: Dataset) -> Iterator[Figure]:
    """The median of all answers, then the slowest of each kind."""
    times = _times(dataset)
    every = [one for some in times.values() for one in some]
    note = f"{len(every)} answers, the best of {_REPETITIONS} times each"
    yield Figure("diagnosis: one level-3 episode, median", f"{median(every):.1f} ms ({note})", "", None)
    for kind, own in times.items():
        yield Figure.at_most(f"diagnosis: {kind}, slowest", max(own), _MOST, " ms", f"{len(own)} answers")


def _times(dataset: Dataset) -> dict[str, list[float]]:
    """The processor time of diagnosing each answer, in milliseconds, by the kind of answer."""
    instances = dataset.instances(3)
    chosen = instances[:: max(1, len(instances) // INSTANCES)][:INSTANCES]
    bench = Bench(dataset)
    times: dict[str, list[float]] = {}
    for instance in chosen:
        for kind, episode in _episodes(bench, instance):
            call = partial(diagnose, dataset.exam(instance.instance_id), episode)
            found = 1e3 * min(Timer(call, timer=process_time).repeat(_REPETITIONS, 1))
            times.setdefault(kind, []).append(found)
    return times


def _episodes(bench: Bench, instance: Instance) -> Iterator[tuple[str, Episode]]:
    """Episodes of one instance by kind; of answers that nobody gave, with every policy and calendar read."""
    right = bench.episode(reference, instance)
    yield "right answers", right
    for name in FLAWED:
        yield "answers of flawed agents", bench.episode(flawed_agent(name), instance)
    world = bench.dataset.world(instance.level)
    records = (
        *(f"policy:{section.policy_id}" for section in world.policies),
        *(f"calendar:{person.person_id}" for person in world.people),
    )
    more = ToolCall(turn=1, name="more", arguments={}, result="", is_error=False, records=records)
    failed = right.model_copy(update={"outcome": Outcome.FAILED, "tool_calls": (*right.tool_calls, more)})
    yield "empty answers", failed.model_copy(update={"answer": ()})
    problem = resolve(world, instance)
    for kind, draw in DRAWS.items():
        drawn = draw(problem, Random(f"{kind} {instance.instance_id}"))
        rows = tuple(
            AnswerCandidate(
                start=to_datetime(one.start, world.zone),
                end=to_datetime(one.end, world.zone),
                room_id=one.room_id,
            )
            for one in sorted(drawn or ())
        )
        yield "random answers", failed.model_copy(update={"answer": rows})
