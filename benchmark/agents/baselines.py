"""The baselines: agents that must fail if the benchmark measures what it claims to measure.

Each has an advantage: instead of reading texts, it is given the task's parameters (window, daily hours, duration, N,
ranking, all rooms), which an honest agent has to find. What it lacks is the composition of sources.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from random import Random
from typing import NamedTuple

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.scoring.answer import MAX_CANDIDATES
from mpcbench.evaluation.scoring.score import score
from mpcbench.oracle import Problem, resolve, solve
from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.resolve import statements
from mpcbench.oracle.solve import Choice
from mpcbench.schema import (
    BanWindow,
    CallPolicy,
    Candidate,
    Deadline,
    Instance,
    Label,
    NotBefore,
    References,
    RequiredWindow,
    Source,
    Thread,
    World,
)
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import AnswerCandidate, Reply
from mpcbench.schema.model import Level


@dataclass(frozen=True, slots=True)
class BaselineInput:
    """What a baseline is given of an instance."""

    world: World
    instance: Instance
    problem: Problem
    labels: dict[str, Label]
    """All labels of the level, by instance ID."""

    def slots(self) -> list[Choice]:
        """Every grid slot of the window, by start, without a room."""
        start, duration = self.problem.window.start, self.problem.duration
        return [Choice(start + place, start + place + duration, None) for place in members(slot_mask(self.problem))]

    def rooms(self) -> Sequence[str | None]:
        """The IDs of all rooms, ascending; None alone at levels 1 and 2."""
        search = self.problem.rooms
        return (None,) if search is None else sorted(room.room_id for room in search.rooms)


Picks = Sequence[Choice] | Sequence[Candidate]
Baseline = Callable[[BaselineInput], Picks]


def _noop(_: BaselineInput) -> Picks:
    return []


def _random(known: BaselineInput) -> Picks:
    # Seeded by the instance, so that every process draws the same.
    rng = Random(known.instance.instance_id)  # noqa: S311 - no secret
    slots, rooms = known.slots(), known.rooms()
    chosen = rng.sample(slots, min(known.problem.count, len(slots)))
    return [slot._replace(room_id=rng.choice(rooms)) for slot in sorted(chosen)]


def _first_slots(known: BaselineInput) -> Picks:
    return [slot._replace(room_id=known.rooms()[0]) for slot in known.slots()[: known.problem.count]]


def _most_common(known: BaselineInput) -> Picks:
    # Without the instance's own label, which would otherwise reveal a gold that no other instance shares.
    times = Counter(
        candidate
        for instance_id, label in known.labels.items()
        if instance_id != known.instance.instance_id
        for candidate in label.gold
    )
    ranked = sorted(times, key=lambda candidate: (-times[candidate], candidate.start, candidate.room_id or ""))
    return ranked[: known.problem.count]


def _everything(known: BaselineInput) -> Picks:
    rooms = known.rooms()
    return list(islice((slot._replace(room_id=room) for slot in known.slots() for room in rooms), MAX_CANDIDATES))


def _only(source: Source) -> Baseline:
    def only(known: BaselineInput) -> Picks:
        return solve(known.problem.from_source(source)).gold

    return only


def _tag_grep(known: BaselineInput) -> Picks:
    """Apply every policy, and every limit that a search turns up, whether or not it concerns the meeting."""
    word = known.instance.meeting.split()[0].casefold()
    threads = [
        _limits_as_of(thread, known.instance.meeting) for thread in known.world.threads if _mentions(thread, word)
    ]
    world = World.model_construct(
        **{name: getattr(known.world, name) for name in World.model_fields} | {"threads": tuple(threads)}
    )
    policies = tuple(CallPolicy(policy_id=policy_id) for policy_id in world.policy_by_id)
    references = References(
        statements=(*(own.statement for own in statements(known.world, known.instance)), *policies),
        threads=tuple(thread.thread_id for thread in threads),
    )
    grepped = resolve(
        world,
        known.instance.model_copy(update={"references": references}),
        hidden={f"calendar:{person.person_id}" for person in world.people},
    )
    constraints = tuple(
        constraint for constraint in grepped.constraints if constraint.source in {Source.POLICY, Source.THREADS}
    )
    return solve(replace(known.problem.from_source(Source.DIRECTORY), constraints=constraints)).gold


def _mentions(thread: Thread, word: str) -> bool:
    return any(word in message.text.casefold() for message in thread.messages)


def _limits_as_of(thread: Thread, meeting: str) -> Thread:
    limits = (BanWindow, CallPolicy, Deadline, NotBefore, RequiredWindow)
    messages = []
    for message in thread.messages:
        tags = [
            tag.model_copy(update={"meeting": meeting}) for tag in message.tags if isinstance(tag.statement, limits)
        ]
        messages.append(message.model_copy(update={"tags": tuple(tags)}))
    return thread.model_copy(update={"messages": tuple(messages)})


BASELINES: dict[str, Baseline] = {
    "noop": _noop,
    "random": _random,
    "first-slots": _first_slots,
    "most-common": _most_common,
    "everything": _everything,
    "only-calendar": _only(Source.CALENDAR),
    "only-policy": _only(Source.POLICY),
    "only-threads": _only(Source.THREADS),
    "only-directory": _only(Source.DIRECTORY),
    "only-rooms": _only(Source.ROOMS),
    "tag-grep": _tag_grep,
}
"""What each baseline proposes.

- noop: nothing; as an agent it answers with an empty message.
- random: N random grid slots of the window, seeded by the instance ID; at level 3 each with a random room.
- first-slots: the first N grid slots of the window; at level 3 each with the room of the lowest ID.
- most-common: the N candidates that are gold most often among the level's other instances, ties by time.
- everything: every grid slot of the window; at level 3 each with every room; cut at the parser's limit.
- only-SOURCE: the top N under the constraints of that source alone. The directory has none.
- tag-grep: the top N under the policies of all documents and the time limits of every thread that a search for the
  first word of the meeting's name finds, whichever meeting they concern; without calendars or room conditions.
"""


@dataclass(frozen=True)
class BaselineAgent:
    """A baseline as an agent; it calls no tools."""

    name: str
    dataset: Dataset

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Answer from the data set itself."""
        del tools, budget
        if self.name == "noop":
            return Reply(text="")
        instance = self.dataset.exam(task.instance_id).instance
        candidates = [
            {"start": candidate.start.isoformat(), "end": candidate.end.isoformat()}
            | ({} if candidate.room_id is None else {"room_id": candidate.room_id})
            for candidate in proposals(self.name, baseline_input(self.dataset, instance))
        ]
        return Reply(text=json.dumps({"candidates": candidates}))


class BaselineRow(NamedTuple):
    """The scores of a baseline on one level: means over its instances."""

    level: Level
    baseline: str
    exact_match: float
    f1: float


def baseline_table(dataset: Dataset) -> list[BaselineRow]:
    """The scores of all baselines, level by level."""
    return [row for level in dataset.levels for row in _rows(dataset, level)]


def baseline_markdown(rows: Sequence[BaselineRow]) -> str:
    """A Markdown table with one line per baseline: exact-match rate and mean F1 on each level."""
    levels = list(dict.fromkeys(row.level for row in rows))
    scores = {(row.baseline, row.level): f"{row.exact_match:.0%} | {row.f1:.3f}" for row in rows}
    names = list(dict.fromkeys(row.baseline for row in rows))
    lines = [
        " | ".join(["baseline", *(f"level {level}: exact match | F1" for level in levels)]),
        " | ".join(["---", *("---: | ---:" for _ in levels)]),
        *(" | ".join([f"`{name}`", *(scores[name, level] for level in levels)]) for name in names),
    ]
    return "\n".join(f"| {line} |" for line in lines)


def _rows(dataset: Dataset, level: Level) -> Iterator[BaselineRow]:
    inputs = [baseline_input(dataset, instance) for instance in dataset.instances(level)]
    for name in BASELINES:
        scores = [score(proposals(name, known), known.labels[known.instance.instance_id].gold) for known in inputs]
        yield BaselineRow(
            level,
            name,
            exact_match=sum(item.exact_match for item in scores) / len(scores),
            f1=sum(item.f1 for item in scores) / len(scores),
        )


def proposals(baseline: str, known: BaselineInput) -> list[AnswerCandidate]:
    """The candidates that a baseline proposes, in the world's zone."""
    moment = cache(partial(to_datetime, zone=known.problem.zone))
    return [
        AnswerCandidate(moment(pick.start), moment(pick.end), pick.room_id)
        if isinstance(pick, Choice)
        else AnswerCandidate(pick.start, pick.end, pick.room_id)
        for pick in BASELINES[baseline](known)
    ]


def baseline_input(dataset: Dataset, instance: Instance) -> BaselineInput:
    """What the baselines are given of an instance."""
    world = dataset.world(instance.level)
    return BaselineInput(world, instance, resolve(world, instance), dataset.labels(instance.level))
