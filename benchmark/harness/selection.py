"""The cases of a run: which instances, with which models, in which order and under which names."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote

from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.replay import ReplayAgent
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.statistics.staircase import Climb, climbs
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.model import LADDER, AnyLevel
from mpcbench.schema.run import Case

T = TypeVar("T")

_ADVICE = "; make one with generate --level 4, and name its folder with --dataset"

MOST_CASES = 1_000_000
"""Of a run: as many as can be planned and reported within minutes."""

_SAFE = " !#$&'()*+,/:;=?@[]^`{|}~"  # every printable ASCII character but the backslash, which pytest escapes


def case_id(case: Case) -> str:
    """The readable ID of a case's test, such as `level2-017-o4-mini`; of characters that pytest leaves as they are."""
    return quote(case.text, safe=_SAFE)


def select(dataset: Dataset, settings: Settings) -> tuple[Case, ...]:
    """The cases that the settings ask for, by level, then number of the instance, then model as given, then trial.

    Reads no more than the instances' IDs, and the instances of level 4 if rungs or a limit choose among them.

    Raises:
        SettingsError: the data set lacks a level or an instance that the settings name, or the cases are too many.
        DataError: a data file is missing or wrong.
    """
    cases: list[Case] = []
    unknown = set(settings.instances)
    for level in levels_of(dataset, settings):
        if level not in dataset.all_levels:
            raise SettingsError(f"--level: {dataset.folder} has no level {level}{_ADVICE if level == LADDER else ''}")
        numbers: dict[str, int] = {}
        for instance_id in dataset.instance_ids(level):
            match = re.fullmatch(r"level([1-4])-(\d{3,})", instance_id)
            if match is None or match[1] != str(level):
                raise DataError(f"{dataset.folder}: {instance_id!r} is no ID of an instance of level {level}")
            if instance_id in numbers:
                raise DataError(f"{dataset.folder}: instance {instance_id!r} appears twice")
            numbers[instance_id] = int(match[2])
        wanted = [
            name for name in sorted(numbers, key=numbers.__getitem__) if name in unknown or not settings.instances
        ]
        unknown -= numbers.keys()
        chosen = _of_ladder(wanted, dataset, settings) if level == LADDER else spread(wanted, settings.limit)
        number = len(cases) + len(chosen) * len(settings.models) * settings.trials
        if number > MOST_CASES:
            raise SettingsError(f"--trials: a run of {number:,} episodes; at most {MOST_CASES:,} are possible")
        cases += [
            Case(name, level, model, trial)
            for name in chosen
            for model in settings.models
            for trial in range(1, settings.trials + 1)
        ]
    if unknown:
        where = f"{dataset.folder}" if settings.levels is None else f"the chosen levels of {dataset.folder}"
        raise SettingsError(f"--instance: no {min(unknown)!r} in {where}")
    return tuple(_part(cases, dataset, settings))


def _part(cases: list[Case], dataset: Dataset, settings: Settings) -> list[Case]:
    """The cases that a staircase may ask for, or those of a shard; else all. Raises `SettingsError` for equal names."""
    texts = Counter(case.text for case in cases)
    if len(texts) < len(cases):
        raise SettingsError(f"--model: two cases would be called {texts.most_common(1)[0][0]!r}")
    if settings.adaptive:
        return [case for climb in climbs_of(cases, dataset, settings).values() for case in climb.order()]
    return cases if settings.shard is None else cases[settings.shard.number - 1 :: settings.shard.shards]


def climbs_of(cases: Sequence[Case], dataset: Dataset, settings: Settings) -> dict[str, Climb]:
    """The staircase of every model over the chosen instances.

    Raises:
        SettingsError: there is nothing to climb, or another option leaves no room for it.
    """
    for option, given in (
        ("trials", settings.trials > 1),
        ("shard", settings.shard),
        ("concurrency", settings.concurrency > 1),
    ):
        if given:
            raise SettingsError(
                f"--{option}: not together with --adaptive, where one episode decides which is the next"
            )
    found = climbs(cases, dataset.ladder.rungs, settings.limit)
    if not all(climb.can_climb for climb in found.values()):
        raise SettingsError("--adaptive: two rungs with an instance each are needed, and a --limit of two or more")
    return found


def levels_of(dataset: Dataset, settings: Settings) -> tuple[AnyLevel, ...]:
    """The levels that the settings ask for, ascending; without a choice level 4 only where something else asks for it.

    Raises:
        SettingsError: rungs or a staircase are asked for, and level 4 is not chosen.
    """
    if settings.adaptive and settings.levels not in (None, (LADDER,)):
        raise SettingsError("--adaptive: only level 4 has rungs; choose it alone with --level 4")
    if settings.rungs is not None and LADDER not in (settings.levels or (LADDER,)):
        raise SettingsError("--rung: only level 4 has rungs; choose it with --level 4")
    if settings.levels is not None:
        return settings.levels
    if settings.rungs is not None or settings.adaptive:
        return (LADDER,)
    named = any(name.startswith(f"level{LADDER}-") for name in settings.instances)
    return dataset.all_levels if named else dataset.levels or dataset.all_levels


def _of_ladder(wanted: Sequence[str], dataset: Dataset, settings: Settings) -> list[str]:
    """Of the instances of level 4, in order, those on the chosen rungs; a limit is spread over the rungs."""
    limit = None if settings.adaptive else settings.limit
    if settings.rungs is None and limit is None:
        return list(wanted)
    rungs = dataset.ladder.rungs
    missing = set(settings.rungs or ()) - set(rungs.values())
    if missing:
        raise SettingsError(f"--rung: {dataset.folder} has no rung {min(missing)}")
    on_rungs = [name for name in wanted if settings.rungs is None or rungs[name] in settings.rungs]
    if limit is None:
        return on_rungs
    chosen = {*spread(sorted(on_rungs, key=rungs.__getitem__), limit)}
    return [name for name in on_rungs if name in chosen]


def with_planned(cases: Sequence[Case], planned: Sequence[Case]) -> tuple[Case, ...]:
    """The cases, and behind them, in the order of `select`, what sessions with other choices planned besides."""
    chosen = set(cases)
    return *cases, *sorted((case for case in planned if case not in chosen), key=lambda case: case.place)


def replayable(cases: Sequence[Case], agents: Mapping[str, Agent], dataset: Dataset) -> tuple[Case, ...]:
    """Of the cases, those that a replayed run holds, and all of other agents.

    Raises:
        SettingsError: a replayed run holds none of its cases, or ran on other data: their answers would be judged by a gold
            that was never asked for.
    """
    left = []
    for name, agent in agents.items():
        own = [case for case in cases if case.model == name]
        held = [case for case in own if agent.holds(case)] if isinstance(agent, ReplayAgent) else own
        if own and not held:
            raise SettingsError(f"--model: {name!r} holds none of the episodes that were asked for")
        if isinstance(agent, ReplayAgent):
            other = agent.differing_file(dataset, sorted({case.level for case in held}))
            if other is not None:
                raise SettingsError(f"--model: {name!r} ran on other data: its {other} is not that of {dataset.folder}")
        left += held
    kept = set(left)
    return tuple(case for case in cases if case in kept)


def spread(items: Sequence[T], limit: int | None) -> list[T]:
    """At most limit of the items, evenly spread over them, in order; the same ones every time."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place * len(items) // limit] for place in range(limit)]
