"""How the diagnosis explains answers that no agent gave: the gold with one slip, and random answers."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.agents.reference.agent import answer_text
from mpcbench.benchmark.agents.reference.facts import Request
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Instance
from mpcbench.schema.episode import Outcome, Reply
from unit_tests.validity.bench import Bench, explanations
from unit_tests.validity.finding import Finding, Group
from unit_tests.validity.judge import Expected, judge

SLIP: Final = "integration.candidate_slip"
"""The reason expected for the slip of one candidate; its detail says what slipped."""

Slip = Callable[[Problem, Choice, Random], Choice | None]
"""Another candidate in place of one of the gold; None if there is none."""

Draw = Callable[[Problem, Random], list[Choice] | None]
"""Invents a wrong answer to a problem; None if the problem allows none of this kind."""


def _moved(minutes: int) -> Slip:
    return lambda _problem, one, _rng: one._replace(start=one.start + minutes, end=one.end + minutes)


def _any_slot(problem: Problem, _: Choice, rng: Random) -> Choice | None:
    return rng.choice(_any_slots(problem, rng))


def _any_feasible(problem: Problem, _: Choice, rng: Random) -> Choice | None:
    others = sorted({*_every_feasible(problem)} - {*gold_choices(problem)})
    return rng.choice(others) if others else None


def _other_room(problem: Problem, one: Choice, rng: Random) -> Choice | None:
    rooms = () if problem.rooms is None else problem.rooms.rooms
    others = [room.room_id for room in rooms if room.room_id != one.room_id]
    return one._replace(room_id=rng.choice(others)) if others else None


_HOUR: Final = 60
_DAY: Final = 24 * _HOUR

NEAR: Final[dict[str, tuple[Slip, Expected]]] = {
    "another slot of the window": (_any_slot, Expected((SLIP,))),
    "another feasible candidate": (_any_feasible, Expected((SLIP,))),
    "another room": (_other_room, Expected((f"{SLIP}:room",))),
    "a quarter of an hour later": (_moved(15), Expected((f"{SLIP}:minutes",))),
    "five minutes later": (_moved(5), Expected((f"{SLIP}:minutes", "integration.off_grid"))),
    "an hour earlier": (_moved(-_HOUR), Expected((f"{SLIP}:hour",))),
    "12 hours later": (_moved(12 * _HOUR), Expected((f"{SLIP}:half_day",))),
    "a day later": (_moved(_DAY), Expected((f"{SLIP}:day",))),
    "a week later": (_moved(7 * _DAY), Expected((f"{SLIP}:week",))),
    "an end a quarter of an hour late": (
        lambda _problem, one, _rng: one._replace(end=one.end + 15),
        Expected((f"{SLIP}:minutes",), ("integration.value_wrong:duration",)),
    ),
}
"""The gold with one candidate replaced: by what, and what a diagnosis should say."""


def _any_slots(problem: Problem, rng: Random) -> list[Choice]:
    starts = [*members(slot_mask(problem))]
    rooms = [None] if problem.rooms is None else [room.room_id for room in problem.rooms.rooms]
    origin = problem.window.start
    return [
        Choice(origin + start, origin + start + problem.duration, rng.choice(rooms))
        for start in rng.sample(starts, min(problem.count, len(starts)))
    ]


def _every_feasible(problem: Problem) -> list[Choice]:
    origin = problem.window.start
    return [
        Choice(origin + start, origin + start + problem.duration, None if room is None else room.room_id)
        for room, mask in room_masks(problem, filtered_slots(problem)[0])
        for start in members(mask)
    ]


def _feasible(problem: Problem, rng: Random) -> list[Choice]:
    every = _every_feasible(problem)
    return rng.sample(every, min(len(gold_choices(problem)), len(every)))


RANDOM: Final[dict[str, Draw]] = {
    "any slots of the window": _any_slots,
    "any feasible candidates": _feasible,
}


def _near_miss(slip: Slip) -> Draw:
    def draw(problem: Problem, rng: Random) -> list[Choice] | None:
        gold = gold_choices(problem)
        place = rng.randrange(len(gold))
        new = slip(problem, gold[place], rng)
        return None if new is None or new in gold else [*gold[:place], new, *gold[place + 1 :]]

    return draw


DRAWS: Final[dict[str, Draw]] = {**RANDOM, **{kind: _near_miss(slip) for kind, (slip, _) in NEAR.items()}}
"""Every kind of answer that no agent gave."""


def near_misses(bench: Bench, kind: str, most: int | None) -> Iterator[Finding]:
    """The diagnoses of the gold with one candidate replaced, by an agent that has seen every needed record."""
    return _diagnosed(bench, Group.NEAR, kind, NEAR[kind][1], most)


def random_answers(bench: Bench, kind: str, most: int | None) -> Iterator[Finding]:
    """The diagnoses of random answers by an agent that has seen every needed record."""
    return _diagnosed(bench, Group.RANDOM, kind, Expected(()), most)


def _diagnosed(bench: Bench, group: Group, kind: str, expected: Expected, most: int | None) -> Iterator[Finding]:
    found = 0
    for instance in bench.drawn(kind, bench.dataset.levels):
        problem = resolve(bench.dataset.world(instance.level), instance)
        chosen = DRAWS[kind](problem, Random(f"{kind} {instance.instance_id}"))
        episode = None if chosen is None else bench.episode(_answering(bench, instance, chosen), instance)
        if episode is None or episode.outcome is not Outcome.FAILED:
            continue
        assert episode.diagnosis is not None
        verdict = judge(episode.diagnosis, expected)
        yield Finding(group, kind, instance.instance_id, verdict, explanations(episode.diagnosis))
        found += 1
        if found == most:
            return


def _answering(bench: Bench, instance: Instance, chosen: Sequence[Choice]) -> Agent:
    """An agent that reads all that is needed and gives these candidates."""
    zone = bench.dataset.world(instance.level).zone
    options = [Option(to_datetime(one.start, zone), to_datetime(one.end, zone), one.room_id) for one in chosen]
    text = answer_text(Request(), sorted(options))

    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        return reference(task, tools, budget).model_copy(update={"text": text})

    return agent
