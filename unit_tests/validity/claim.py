"""How the diagnosis explains random answers, which no mistake has caused."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.agents.reference.agent import answer_text
from mpcbench.benchmark.agents.reference.facts import Request
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Instance
from mpcbench.schema.cause import Reason
from mpcbench.schema.episode import Outcome, Reply
from unit_tests.validity.bench import Bench, explanations


class Claim(NamedTuple):
    """The diagnosis of a random answer."""

    kind: str
    instance_id: str
    explanations: tuple[frozenset[str], ...]

    @property
    def is_false(self) -> bool:
        """Whether the diagnosis names a reason."""
        return self.explanations != (frozenset({Reason.UNEXPLAINED.value}),)


def _any_slots(bench: Bench, instance: Instance, rng: Random) -> list[Choice]:
    problem = resolve(bench.dataset.world(instance.level), instance)
    starts = [*members(slot_mask(problem))]
    rooms = [None] if problem.rooms is None else [room.room_id for room in problem.rooms.rooms]
    origin = problem.window.start
    return [
        Choice(origin + start, origin + start + problem.duration, rng.choice(rooms))
        for start in rng.sample(starts, min(problem.count, len(starts)))
    ]


def _every_feasible(bench: Bench, instance: Instance) -> list[Choice]:
    problem = resolve(bench.dataset.world(instance.level), instance)
    origin = problem.window.start
    return [
        Choice(origin + start, origin + start + problem.duration, None if room is None else room.room_id)
        for room, mask in room_masks(problem, filtered_slots(problem)[0])
        for start in members(mask)
    ]


def _feasible(bench: Bench, instance: Instance, rng: Random) -> list[Choice]:
    every = _every_feasible(bench, instance)
    return rng.sample(every, min(len(_gold(bench, instance)), len(every)))


def _gold(bench: Bench, instance: Instance) -> list[Choice]:
    return gold_choices(resolve(bench.dataset.world(instance.level), instance))


def _gold_but_one(bench: Bench, instance: Instance, rng: Random) -> list[Choice]:
    gold = _gold(bench, instance)
    return [*rng.sample(gold, len(gold) - 1), rng.choice(_any_slots(bench, instance, rng))]


def _gold_but_one_feasible(bench: Bench, instance: Instance, rng: Random) -> list[Choice]:
    gold = _gold(bench, instance)
    others = sorted({*_every_feasible(bench, instance)} - {*gold})
    return [*rng.sample(gold, len(gold) - 1), rng.choice(others)] if others else gold


RANDOM: Final[dict[str, Callable[[Bench, Instance, Random], list[Choice]]]] = {
    "any slots of the window": _any_slots,
    "any feasible candidates": _feasible,
    "the gold with one candidate replaced by any slot": _gold_but_one,
    "the gold with one candidate replaced by a feasible one": _gold_but_one_feasible,
}


def claims(bench: Bench) -> Iterator[Claim]:
    """The diagnoses of random answers by an agent that has seen every needed record."""
    for kind, draw in RANDOM.items():
        for level in bench.dataset.levels:
            zone = bench.dataset.world(level).zone
            for instance in bench.instances(level):
                chosen = draw(bench, instance, Random(f"{kind} {instance.instance_id}"))
                options = [
                    Option(to_datetime(one.start, zone), to_datetime(one.end, zone), one.room_id) for one in chosen
                ]
                text = answer_text(Request(), sorted(options))

                def agent(task: Task, tools: Toolbox, budget: Budget, text: str = text) -> Reply:
                    return reference(task, tools, budget).model_copy(update={"text": text})

                episode = bench.episode(agent, instance)
                if episode.outcome is Outcome.FAILED:
                    assert episode.diagnosis is not None
                    yield Claim(kind, instance.instance_id, explanations(episode.diagnosis))
