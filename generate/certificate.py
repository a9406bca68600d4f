"""The certificate: six checks that an instance must pass to enter a data set."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from mpcbench.archive.v1 import legacy_oracle
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import ReadingError, reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.scoring.answer import parse_answer
from mpcbench.evaluation.scoring.score import score
from mpcbench.generate.sampling.sample import Check, Rejected
from mpcbench.generate.sampling.setting import every_policy, slot_constraints
from mpcbench.generate.sampling.variants import guessed_ends, needs, room_variants
from mpcbench.oracle import Problem, Solution, UnresolvedError, resolve, solve
from mpcbench.oracle.interval import members
from mpcbench.oracle.masks import DIRECT, Masks, SharedMasks
from mpcbench.oracle.problem import Busy, Constraint, StartsFrom
from mpcbench.oracle.resolve import Located, policy_constraint, statements
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks, room_rank
from mpcbench.schema import (
    GENERATOR_VERSION,
    AddParticipant,
    AfterEvent,
    BanWindow,
    BufferMin,
    CallPolicy,
    Candidate,
    Certificate,
    Effect,
    Equipment,
    Instance,
    Label,
    LunchBlock,
    RemoveParticipant,
    RequiredWindow,
    Requirement,
    ShortcutCheck,
    Source,
    WorkHours,
    World,
)
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model import Level

SOURCES: dict[Level, tuple[Source, ...]] = {
    1: (Source.CALENDAR, Source.POLICY),
    2: (Source.CALENDAR, Source.POLICY, Source.THREADS),
    3: tuple(Source),
}
"""The sources that every instance of a level needs."""

_WEEKDAYS = (0, 1, 2, 3, 4)
USUAL_POLICIES: dict[str, tuple[WorkHours | LunchBlock | BufferMin, ...]] = {
    **{f"a buffer of {minutes}": (BufferMin(minutes=minutes),) for minutes in (10, 15, 30, 45, 60)},
    "lunch from 12 to 13": (LunchBlock(start="12:00", end="13:00", days=_WEEKDAYS),),
    "9 to 17 on weekdays": (WorkHours(start="09:00", end="17:00", days=_WEEKDAYS),),
    "8 to 18 on weekdays": (WorkHours(start="08:00", end="18:00", days=_WEEKDAYS),),
}
"""What an agent may take for the policy if it does not look it up."""

MAX_TURNS = 100
_ADDS_UP = (AddParticipant, RemoveParticipant, CallPolicy, BanWindow, RequiredWindow, AfterEvent, Equipment)


def certify(world: World, instance: Instance, rejected: Mapping[str, int]) -> Label:
    """The label of an instance with its certificate.

    Args:
        world: A world that holds the instance's threads.
        instance: The instance.
        rejected: How many samples were discarded before it, by check; stored in the certificate.

    Raises:
        Rejected: the instance fails a check.
    """
    problem = resolve(world, instance)
    solution = solve(problem)
    masks = SharedMasks()
    if len(solution.gold) < problem.count:
        raise Rejected(Check.SOLVABLE, f"{len(solution.gold)} candidates of {problem.count}")
    if not is_total(problem):
        raise Rejected(Check.UNIQUE, "two candidates rank alike")
    effects = effects_of_dropping(world, instance, problem, masks)
    for effect in effects:
        if not effect.ranking_changed:
            raise Rejected(Check.LOAD_BEARING, f"without {effect.dropped} the gold is the same")
    shortcuts = shortcuts_of(world, problem, masks)
    for shortcut in shortcuts:
        if shortcut.shared == problem.count:
            raise Rejected(Check.NO_SHORTCUT, f"{shortcut.shortcut} finds the gold")
    if not archive_agrees(world, instance, solution):
        raise Rejected(Check.TWICE_LABELLED, "the archive's oracle disagrees")
    records = tuple(effect.dropped for effect in effects if is_record(effect.dropped))
    return Label(
        generator_version=GENERATOR_VERSION,
        seed=instance.seed,
        instance_id=instance.instance_id,
        level=instance.level,
        gold=solution.gold,
        sources=SOURCES[instance.level],
        records=records,
        requirements=tuple(requirements(problem)),
        counts=solution.counts,
        digest=solution.digest,
        certificate=Certificate(
            solvable=True,
            unique=True,
            load_bearing=effects,
            shortcuts=shortcuts,
            archive_agrees=True,
            readable=True,
            steps=steps_from_text(world, instance, solution, records),
            rejected=dict(rejected),
        ),
    )


def shortcuts_of(world: World, problem: Problem, masks: Masks = DIRECT) -> tuple[ShortcutCheck, ...]:
    """How many gold candidates the obvious guesses without a needed source find."""
    gold = set(gold_choices(problem, masks))
    found: dict[str, int] = {}
    for name, variant in _shortcuts(world, problem):
        found[name] = max(found.get(name, 0), len(gold & set(gold_choices(variant, masks))))
    slots = filtered_slots(problem_without(problem, Source.POLICY), masks)[0]
    if problem.rooms is None:
        starts = [problem.window.start + start for start in members(slots)]
        chosen = {choice.start for choice in gold}
        runs = (chosen.intersection(starts[place : place + len(chosen)]) for place in range(len(starts)))
        found["without policy, any slots in a row"] = max(map(len, runs), default=0)
    return tuple(ShortcutCheck(shortcut=name, shared=shared) for name, shared in found.items())


def _shortcuts(world: World, problem: Problem) -> Iterator[tuple[str, Problem]]:
    for source in SOURCES[problem.level]:
        yield source.value, problem.from_source(source)
    for source in SOURCES[problem.level][:2]:
        yield f"without {source}", problem_without(problem, source)
    without_policy = problem_without(problem, Source.POLICY)
    yield "every policy", replace(problem.from_source(Source.POLICY), constraints=every_policy(world))
    for name, rules in USUAL_POLICIES.items():
        guess = tuple(policy_constraint("policy", rule) for rule in rules)
        yield name, replace(without_policy, constraints=(*without_policy.constraints, *guess))
    called = {record for constraint in problem.constraints for record in constraint.records}
    for section in world.policies:
        if f"policy:{section.policy_id}" not in called and (others := slot_constraints(section)):
            yield "another policy", replace(without_policy, constraints=(*without_policy.constraints, *others))


def problem_without(problem: Problem, source: Source) -> Problem:
    """The problem without the constraints on the slot that are unknown without a source."""
    kept = tuple(constraint for constraint in problem.constraints if not needs(constraint, source))
    return replace(problem, constraints=kept)


def is_record(name: str) -> bool:
    """Whether the name of what was dropped is a record ID."""
    return name.partition(":")[0] in {"calendar", "policy", "thread", "person", "room", "room_calendar"}


def is_total(problem: Problem) -> bool:
    """Whether no two feasible candidates share a sort key; none should, since keys end with the room ID."""
    slots, _ = filtered_slots(problem)
    ranks = [
        (start, () if room is None else room_rank(room, problem.tie_break))
        for room, mask in room_masks(problem, slots)
        for start in members(mask)
    ]
    return len(set(ranks)) == len(ranks)


class Dropped(NamedTuple):
    """A problem with something dropped; None if it can no longer be solved."""

    dropped: str
    problem: Problem | None


def effects_of_dropping(
    world: World, instance: Instance, problem: Problem, masks: Masks = DIRECT
) -> tuple[Effect, ...]:
    """The effect on the gold of dropping each required record, constraint, statement and room condition."""
    variants = [
        *_without_records(world, instance, problem),
        *_without_constraints(problem),
        *_without_statements(world, instance),
        *_guessed(world, problem),
    ]
    gold = gold_choices(problem, masks)
    chosen = set(gold)
    rooms = sorted({choice.room_id for choice in gold if choice.room_id is not None})
    variants += [_hide(world, instance, f"room:{room_id}") for room_id in rooms]
    effects = [_effect(variant, chosen, masks) for variant in variants]
    for room in [] if problem.rooms is None else problem.rooms.rooms:
        if problem.rooms is not None and problem.rooms.suits(room):
            effect = _effect(_hide(world, instance, f"room_calendar:{room.room_id}"), chosen, masks)
            if effect.ranking_changed:
                effects.append(effect)
    return tuple(effects)


def _effect(variant: Dropped, gold: set[Choice], masks: Masks) -> Effect:
    if variant.problem is None:
        return Effect(dropped=variant.dropped, gold_lost=None, ranking_changed=True)
    other = set(gold_choices(variant.problem, masks))
    return Effect(dropped=variant.dropped, gold_lost=len(gold - other), ranking_changed=gold != other)


def _hide(world: World, instance: Instance, record: str) -> Dropped:
    try:
        return Dropped(record, resolve(world, instance, hidden={record}))
    except UnresolvedError:
        return Dropped(record, None)


def _without_records(world: World, instance: Instance, problem: Problem) -> Iterator[Dropped]:
    stated = [item.statement for item in statements(world, instance)]
    owners = [statement.person_id for statement in stated if isinstance(statement, AfterEvent)]
    people = tuple(dict.fromkeys((*problem.participants, *owners)))
    records = [f"calendar:{person}" for person in people]
    records += [f"policy:{statement.policy_id}" for statement in stated if isinstance(statement, CallPolicy)]
    records += [f"thread:{thread}" for thread in instance.references.threads]
    if instance.level == 3:
        records += [f"person:{person}" for person in people]
    return (_hide(world, instance, record) for record in records)


def _without_constraints(problem: Problem) -> Iterator[Dropped]:
    for constraint in problem.constraints:
        if constraint.source is not Source.CALENDAR:
            yield Dropped(f"{constraint.kind} of {constraint.records[0]}", problem.without(constraint))
    for name, variant in room_variants(problem):
        yield Dropped(name, variant)
    search = problem.rooms
    if search is not None:
        yield Dropped("the bookings", replace(problem, rooms=replace(search, use_bookings=False)))
        if search.turnarounds:
            yield Dropped("the room turnaround", replace(problem, rooms=replace(search, turnarounds=())))


def _guessed(world: World, problem: Problem) -> Iterator[Dropped]:
    """Guess the end of each awaited event, and take each participant for a namesake."""
    for constraint in problem.constraints:
        if constraint.kind == "after_event":
            assert isinstance(constraint.rule, StartsFrom)
            for name, instant in guessed_ends(constraint.rule.instant, problem.zone):
                guess = replace(constraint, rule=StartsFrom(instant))
                yield Dropped(f"after_event guessed to end at {name}", _with(problem, constraint, guess))
        elif isinstance(constraint.rule, Busy):
            person = world.person_by_id[constraint.rule.person_id]
            for other in world.people:
                if other.name == person.name and other.person_id not in problem.participants:
                    events = world.busy[other.person_id].intervals
                    guess = replace(constraint, rule=Busy(other.person_id, events))
                    yield Dropped(f"{person.person_id} taken for {other.person_id}", _with(problem, constraint, guess))


def _with(problem: Problem, constraint: Constraint, other: Constraint) -> Problem:
    constraints = (other if one is constraint else one for one in problem.constraints)
    return replace(problem, constraints=tuple(constraints))


def _without_statements(world: World, instance: Instance) -> Iterator[Dropped]:
    """Drop each statement of a thread that no later one replaces."""
    located = statements(world, instance)
    for place, item in enumerate(located):
        if item.key.thread is not None and not _superseded(item, located[place + 1 :]):
            name = f"{item.statement.kind} in message {item.key.message + 1} of thread:{item.key.thread}"
            try:
                yield Dropped(name, resolve(world, instance, unsaid={item.key}))
            except UnresolvedError:
                yield Dropped(name, None)


def _superseded(item: Located, later: Collection[Located]) -> bool:
    kind = type(item.statement)
    return kind not in _ADDS_UP and any(isinstance(other.statement, kind) for other in later)


def archive_agrees(world: World, instance: Instance, solution: Solution) -> bool:
    """Whether the archived oracle finds the same gold, counts and feasible set.

    It is given all records that it reads, which excludes the threads of other meetings.
    """
    threads = [world.thread_by_id[thread].model_dump(mode="json") for thread in instance.references.threads]
    slow = legacy_oracle.label(world.json_but_threads | {"threads": threads}, instance.model_dump(mode="json"))
    gold = tuple(Candidate.model_validate(candidate) for candidate in slow["gold"])
    return (
        gold == solution.gold
        and slow["counts"] == solution.counts.model_dump()
        and slow["digest"] == solution.digest
        and slow["feasible"] == solution.feasible
    )


def steps_from_text(world: World, instance: Instance, solution: Solution, records: Collection[str]) -> tuple[str, ...]:
    """Let the reference agent solve every paraphrase of the task from text alone; returns the tools of its plan, sorted.

    Raises:
        Rejected: it does not find the gold in order, or no result showed it a required record.
    """
    toolbox = Toolbox(Sources(world), tools_of_level(instance.level))
    prompt = system_prompt(instance.level, world.timezone)
    for text in instance.task:
        task = Task(instance_id=instance.instance_id, system_prompt=prompt, text=text)
        try:
            reply = reference(task, toolbox, Budget(max_turns=MAX_TURNS))
            answer = parse_answer(reply.text, instance.level, world.zone)
        except (ReadingError, ValueError) as error:
            raise Rejected(Check.READABLE, f"{type(error).__name__}: {error}") from error
        if not score(answer.candidates, solution.gold).ranked_match:
            raise Rejected(Check.READABLE, "the reading agent finds other candidates")
    unseen = set(records) - {record for call in toolbox.log for record in call.records}
    if unseen:
        raise Rejected(Check.READABLE, f"{min(unseen)} was not shown")
    return plan_of(toolbox.log)


def plan_of(calls: Iterable[ToolCall]) -> tuple[str, ...]:
    """The tools of the plan that some calls follow, sorted.

    A plan that lists threads needs no search besides, since the list shows every thread.
    """
    called = {call.name for call in calls}
    return tuple(sorted(called - {"search_threads"} if "list_threads" in called else called))


def requirements(problem: Problem) -> Iterator[Requirement]:
    """The constraints that must be looked up, with the sources and records of their values."""
    for constraint in problem.constraints:
        if constraint.source is Source.CALENDAR:
            continue
        reads_calendar = any(record.startswith("calendar:") for record in constraint.records)
        joined = (Source.CALENDAR,) if reads_calendar else ()
        yield Requirement(kind=constraint.kind, sources=(constraint.source, *joined), records=constraint.records)
    search = problem.rooms
    if search is None:
        return
    for turnaround in search.turnarounds:
        yield Requirement(kind="room_turnaround", sources=(Source.POLICY, Source.ROOMS), records=(turnaround.record,))
    for kind, is_required in (("capacity", True), ("equipment", search.equipment), ("site", search.site)):
        if is_required:
            yield Requirement(kind=kind, sources=(Source.THREADS, Source.ROOMS), records=())
    yield Requirement(kind="bookings", sources=(Source.ROOMS,), records=())
