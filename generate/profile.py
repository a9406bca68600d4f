"""Measure a level of a data set from its files and through its tools."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import SOURCE_OF_TOOL, tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.generate.certificate import MAX_TURNS, plan_of
from mpcbench.generate.world.calendars import DAY_END, DAY_START
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import Constraint, InsideHours
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema import Calendar, Instance, Label, Source, World
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model import MINUTES_PER_DAY, Level

SOURCE_WORDS: dict[Source, tuple[str, ...]] = {
    Source.CALENDAR: ("calendar",),
    Source.POLICY: ("policy", "policies", "pol-"),
    Source.THREADS: ("thread", "chat", "message", "channel"),
    Source.DIRECTORY: ("directory",),
    Source.ROOMS: ("room",),
}
"""Words that name a source in a task text."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The minimum, mean and maximum of some numbers."""

    least: float
    mean: float
    greatest: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> "Spread":
        """The spread of at least one number."""
        values = list(numbers)
        return cls(min(values), sum(values) / len(values), max(values))


@dataclass(frozen=True, slots=True)
class Profile:
    """One level of a data set in numbers."""

    level: Level
    instances: int
    people: int
    busy_share: Spread
    """The busy share of 8:00 to 18:30 on all days, over people."""

    policies: int
    words_per_document: Spread
    threads: int
    messages_per_thread: Spread | None
    rooms: int
    decoy_records: int
    sources_needed: Spread
    sources_named: Spread
    """How many of the needed sources a task text names, over all paraphrases."""

    tasks_with_source_count: int
    """How many tasks state in every paraphrase that three internal sources are needed."""

    requirements: Spread
    joined_requirements: Spread
    """Requirements per instance whose values must be joined from several sources."""

    dependent_instances: int
    """Instances with a requirement that depends on another record: an awaited event or amended participants."""

    weekend_instances: int
    """Instances whose gold would change if Saturdays and Sundays were left out."""

    kinds: Counter[str]
    """The number of instances that have a requirement, by its kind."""

    steps: Spread
    step_names: tuple[str, ...]
    tools: int
    needed_tools: int
    parameters: tuple[str, ...]
    """The names of all parameters of the level's tools, sorted."""

    formats: tuple[str, ...]
    items_per_result: Spread
    """Records per result, over the results that show any."""

    characters_per_result: Spread
    characters_per_instance: Spread
    """Of all results that the reference agent is shown in an episode."""

    participants: Spread
    options: Spread
    slots: Spread
    """Candidates before any constraint: slots, not pairs with rooms."""

    feasible: Spread
    rejected: Counter[str]


def profile(dataset: Dataset, level: Level) -> Profile:
    """Measure a level; the reference agent solves every instance once."""
    world = dataset.world(level)
    instances = dataset.instances(level)
    labels = [dataset.labels(level)[instance.instance_id] for instance in instances]
    logs = [_log(world, instance) for instance in instances]
    calls = [call for log in logs for call in log]
    plans = [plan_of(log) for log in logs]
    problems = [resolve(world, instance) for instance in instances]
    tools = tools_of_level(level)
    rejected: Counter[str] = Counter()
    for label in labels:
        if label.certificate is not None:
            rejected.update(label.certificate.rejected)
    return Profile(
        level=level,
        instances=len(instances),
        people=len(world.people),
        busy_share=Spread.of(busy_share(world, calendar) for calendar in world.calendars),
        policies=len(world.policies),
        words_per_document=Spread.of(
            sum(len(section.text.split()) for section in document.sections) for document in world.documents
        ),
        threads=len(world.threads),
        messages_per_thread=Spread.of(len(thread.messages) for thread in world.threads) if world.threads else None,
        rooms=len(world.rooms),
        decoy_records=len(world.pages),
        sources_needed=Spread.of(len(label.sources) for label in labels),
        sources_named=Spread.of(
            len(sources_named(text, label.sources))
            for instance, label in zip(instances, labels, strict=True)
            for text in instance.task
        ),
        tasks_with_source_count=sum(
            all("three" in text.lower() and "source" in text.lower() for text in instance.task)
            for instance in instances
        ),
        requirements=Spread.of(len(label.requirements) for label in labels),
        joined_requirements=Spread.of(
            sum(len(requirement.sources) > 1 for requirement in label.requirements) for label in labels
        ),
        dependent_instances=sum(
            _is_dependent(world, instance, label) for instance, label in zip(instances, labels, strict=True)
        ),
        weekend_instances=sum(_needs_weekends(problem) for problem in problems),
        kinds=Counter(kind for label in labels for kind in {requirement.kind for requirement in label.requirements}),
        steps=Spread.of(len(plan) for plan in plans),
        step_names=tuple(sorted(set().union(*plans))),
        tools=len(tools),
        needed_tools=sum(tool.name in SOURCE_OF_TOOL for tool in tools),
        parameters=tuple(sorted({name for tool in tools for name in tool.parameters.get("properties", {})})),
        formats=tuple(sorted({format_of(call.result) for call in calls})),
        items_per_result=Spread.of(len(call.records) for call in calls if call.records),
        characters_per_result=Spread.of(len(call.result) for call in calls),
        characters_per_instance=Spread.of(sum(len(call.result) for call in log) for log in logs),
        participants=Spread.of(len(problem.participants) for problem in problems),
        options=Spread.of(problem.count for problem in problems),
        slots=Spread.of(label.counts.generated for label in labels),
        feasible=Spread.of(
            label.counts.threads if label.counts.rooms is None else label.counts.rooms for label in labels
        ),
        rejected=rejected,
    )


def _log(world: World, instance: Instance) -> Sequence[ToolCall]:
    toolbox = Toolbox(Sources(world), tools_of_level(instance.level))
    prompt = system_prompt(instance.level, world.timezone)
    reference(Task(instance.instance_id, prompt, instance.task[0]), toolbox, Budget(MAX_TURNS))
    return toolbox.log


def sources_named(text: str, sources: Iterable[Source]) -> set[Source]:
    """The sources that a task text names."""
    return {source for source in sources if any(word in text.lower() for word in SOURCE_WORDS[source])}


def format_of(result: str) -> str:
    """The format of a tool's result: `JSON`, `table` (rows of cells between bars) or `text`."""
    try:
        json.loads(result)
    except ValueError:
        lines = result.splitlines()
        return "table" if len(lines) > 1 and "-+-" in lines[1] else "text"
    return "JSON"


def busy_share(world: World, calendar: Calendar) -> float:
    """The share of 8:00 to 18:30 on all days within the period that a calendar's events occupy."""
    first = world.period.start.astimezone(world.zone).date()
    last = world.period.end.astimezone(world.zone).date()
    days = [first + timedelta(days=number) for number in range((last - first).days)]
    busy = [Interval(to_minutes(event.start), to_minutes(event.end)) for event in calendar.events]
    taken = total = 0
    position = 0
    for day in days:
        midnight = to_minutes(datetime(day.year, day.month, day.day, tzinfo=world.zone))
        hours = Interval(midnight + DAY_START, midnight + DAY_END)
        total += hours.end - hours.start
        while position < len(busy) and busy[position].end <= hours.start:
            position += 1
        ahead = position
        while ahead < len(busy) and busy[ahead].start < hours.start + MINUTES_PER_DAY:
            taken += max(0, min(busy[ahead].end, hours.end) - max(busy[ahead].start, hours.start))
            ahead += 1
    return taken / total


def _needs_weekends(problem: Problem) -> bool:
    weekdays = Constraint(Source.POLICY, "work_hours", (), InsideHours(0, MINUTES_PER_DAY, tuple(range(5))))
    without = replace(problem, constraints=(*problem.constraints, weekdays))
    return gold_choices(without) != gold_choices(problem)


def _is_dependent(world: World, instance: Instance, label: Label) -> bool:
    if any(requirement.kind == "after_event" for requirement in label.requirements):
        return True
    kinds = {
        tag.statement.kind
        for thread in instance.references.threads
        for message in world.thread_by_id[thread].messages
        for tag in message.tags
        if tag.meeting == instance.meeting
    }
    return bool(kinds & {"add_participant", "remove_participant", "guests"})
