"""The certificate of level 4: what an instance must keep to enter a data set."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.generate.level4.archived import UndecidedError, archive_agrees
from mpcbench.generate.level4.minimal_plan import MinimalPlan, UnreachableError, minimal_plan
from mpcbench.generate.level4.readable import (
    UnreadableTextError,
    check_agent,
    check_page,
    check_records,
    check_task,
    check_thread,
)
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.level4.setting import OfficeSetting
from mpcbench.generate.level4.shortcuts import shortcut_to, shortcuts_of
from mpcbench.generate.sampling.sample import Check, Rejected
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.changes import changed, knowledge_of
from mpcbench.oracle.level4.facts import facts
from mpcbench.oracle.level4.hidden import hidden, records_touched
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.load import Gold, ignorable, load_bearing, misread_effects, needed_of
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import LadderSolution, solve
from mpcbench.oracle.level4.stage import stage
from mpcbench.oracle.level4.touched import touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.level4.instance import LadderInstance, MessageSent, PagePosted
from mpcbench.schema.level4.label import LadderCertificate, LadderLabel, LoadBearing, MisreadEffect
from mpcbench.schema.level4.mechanism import LadderSource, Mechanism, source_of
from mpcbench.schema.level4.world import LadderPage, LadderThread, LadderWorld


def certify(
    setting: OfficeSetting,
    instance: LadderInstance,
    threads: Sequence[LadderThread],
    pages: Sequence[LadderPage],
    rejected: Mapping[str, int],
    bearing: tuple[LoadBearing, ...] | None = None,
) -> LadderLabel:
    """The label of an instance with its certificate, which depends on the office and the instance alone.

    Args:
        setting: The office.
        instance: The task, its texts included.
        threads: Those that the instance adds.
        pages: The same.
        rejected: How many samples were discarded before it, by check; stored in the certificate.
        bearing: Its load-bearing facts, where they have been worked out before.

    Raises:
        Rejected: the instance fails a check; the message says what failed.
    """
    world = setting.world_with(threads, pages)
    knowledge = knowledge_of(world, instance, known(world, setting.indexed))
    solution = _solved(knowledge)
    before = None if knowledge.before is None else _solved(knowledge.before)
    if not is_total(knowledge):
        raise Rejected(Check.UNIQUE, "two candidates rank alike")
    effects = misread_effects(knowledge)
    check_mechanisms(instance.mechanisms, effects)
    check_ignorance(knowledge, instance.mechanisms, rung_of(instance.rung).found)
    shortcuts = shortcuts_of(knowledge)
    found_by = shortcut_to(shortcuts, solution.wanted)
    if found_by is not None:
        raise Rejected(Check.NO_SHORTCUT, f"{found_by} finds the gold")
    bearing = load_bearing(knowledge) if bearing is None else bearing
    records = required_records(knowledge, bearing)
    if not records:
        raise Rejected(Check.LOAD_BEARING, "no record is needed")
    check_readable(setting, world, instance, threads, pages, records)
    reading = LadderRecords(world, setting.records)
    plan = _plan(reading, knowledge, instance, records)
    _check_archive(setting.json_with(threads, pages), instance, solution)
    label = LadderLabel(
        generator_version=instance.generator_version,
        seed=instance.seed,
        instance_id=instance.instance_id,
        rung=instance.rung,
        gold=solution.gold,
        gold_before=() if before is None else before.gold,
        load=len(bearing),
        sources=sources_of(records),
        records=records,
        counts=solution.counts,
        digest=solution.digest,
        certificate=LadderCertificate(
            solvable=True,
            unique=True,
            load_bearing=bearing,
            misreadings=effects,
            shortcuts=shortcuts,
            archive_agrees=True,
            readable=True,
            steps=plan.tools,
            result_characters=plan.characters,
            rejected=dict(rejected),
        ),
    )
    try:
        check_agent(reading, instance, label)
    except UnreadableTextError as error:
        raise Rejected(Check.READABLE, str(error)) from error
    return label


def _solved(knowledge: Knowledge) -> LadderSolution:
    """The solution; raises `Rejected` if it is not complete."""
    try:
        solution = solve(knowledge)
    except (UnresolvedError, SearchLimitError) as error:
        raise Rejected(Check.SOLVABLE, str(error)) from error
    if len(solution.gold) < solution.wanted:
        raise Rejected(Check.SOLVABLE, f"{len(solution.gold)} candidates of {solution.wanted}")
    return solution


def _check_archive(world: dict[str, Any], instance: LadderInstance, solution: LadderSolution) -> None:
    """Raise `Rejected` unless the archive's oracle agrees with the solution."""
    try:
        agrees = archive_agrees(world, instance, solution)
    except UndecidedError as error:
        raise Rejected(Check.TWICE_LABELLED, "the archive's oracle cannot tell whether a plan comes earlier") from error
    if not agrees:
        raise Rejected(Check.TWICE_LABELLED, "the archive's oracle disagrees")


def _plan(
    reading: LadderRecords,
    knowledge: Knowledge,
    instance: LadderInstance,
    records: Collection[str],
) -> MinimalPlan:
    """The minimal plan; raises `Rejected` if not all can be read, or if the change waits for what nobody has to read."""
    awaited = () if instance.change is None else instance.change.when_shown
    if knowledge.before is not None:
        needed = needed_of(knowledge.before, awaited)
        for record in awaited:
            if record not in needed:
                why = "on which the gold before it does not depend"
                raise Rejected(Check.SOLVABLE, f"the change waits for {record}, {why}")
    try:
        return minimal_plan(reading, {*records, *awaited}, _span(knowledge), instance.change)
    except UnreachableError as error:
        raise Rejected(Check.SOLVABLE, str(error)) from error


def check_mechanisms(mechanisms: Iterable[Mechanism], effects: Iterable[MisreadEffect]) -> None:
    """Raise `Rejected` unless each mechanism is load-bearing: always misread in one of its ways, it changes the gold."""
    bearing = {effect.mechanism for effect in effects if effect.changed}
    for mechanism in mechanisms:
        if mechanism not in bearing:
            raise Rejected(Check.LOAD_BEARING, f"the gold is the same whichever way {mechanism} is misread")


def check_ignorance(knowledge: Knowledge, mechanisms: Iterable[Mechanism], most: float) -> None:
    """Raise `Rejected` if somebody who ignores one of the mechanisms altogether finds more than this share of the gold."""
    for mechanism in ignorable(Gold(knowledge), mechanisms, most):
        raise Rejected(Check.LOAD_BEARING, f"whoever ignores {mechanism} still finds more than {most:.0%} of the gold")


def required_records(knowledge: Knowledge, bearing: Collection[LoadBearing]) -> tuple[str, ...]:
    """The records without which the gold is another, in the order of `records_touched`.

    Args:
        knowledge: What is known.
        bearing: The load-bearing facts. Rooms are facts themselves, and so are threads and pages that state one thing.
    """
    gold, found = Gold(knowledge), touched(knowledge)
    stated = Counter(fact.record for fact in facts(knowledge, found))
    facts_that_bear = {fact.fact for fact in bearing}
    records_that_bear = {fact.record for fact in bearing}

    def is_required(record: str) -> bool:
        if record.startswith("room:"):
            return record in facts_that_bear
        if stated[record] == 1 and source_of(record) in {LadderSource.THREADS, LadderSource.PAGES}:
            return record in records_that_bear
        return gold.verdict(hidden(knowledge, record)).changed

    return tuple(record for record in records_touched(knowledge, found) if is_required(record))


def sources_of(records: Iterable[str]) -> tuple[LadderSource, ...]:
    """The systems that records are in, in the order of the enum."""
    found = {source_of(record) for record in records}
    return tuple(source for source in LadderSource if source in found)


def is_total(knowledge: Knowledge) -> bool:
    """Whether no start is feasible twice in one room; since the ranking ends with the room ID, it is then total."""
    for meeting in stage(knowledge).meetings:
        seen: dict[str, int] = {}
        for option in meeting.options:
            if seen.get(option.room.room_id, 0) & option.starts:
                return False
            seen[option.room.room_id] = seen.get(option.room.room_id, 0) | option.starts
    return True


def _span(knowledge: Knowledge) -> tuple[datetime, datetime]:
    """From the first to the last start that any window allows."""
    found = stage(knowledge)
    last = max(meeting.length for meeting in found.meetings)
    instants = found.axis.instants
    return to_datetime(instants[0], knowledge.zone), to_datetime(instants[-1] + last, knowledge.zone)


def check_readable(
    setting: OfficeSetting,
    world: LadderWorld,
    instance: LadderInstance,
    threads: Sequence[LadderThread],
    pages: Sequence[LadderPage],
    records: Collection[str],
) -> None:
    """Read the task, everything that the instance adds, and every text of the office that it needs.

    Raises:
        Rejected: a text does not state its tags.
    """
    resolver = setting.resolver.knowing(threads, pages, instance.references.statements)
    edit = None if instance.change is None else instance.change.edit
    try:
        if isinstance(edit, MessageSent | PagePosted):
            after = changed(world, edit)
            if isinstance(edit, PagePosted):
                resolver = resolver.knowing((), (edit.page,))
                check_page(edit.page, resolver)
            else:
                resolver = resolver.knowing((after.thread_by_id[edit.thread_id],), ())
                check_thread(after.thread_by_id[edit.thread_id], resolver)
        check_task(instance, resolver)
        own = {f"thread:{thread.thread_id}" for thread in threads}
        own |= {f"{page.collection}:{page.page_id}" for page in pages}
        check_records(world, own | set(records), resolver)
    except UnreadableTextError as error:
        raise Rejected(Check.READABLE, str(error)) from error
