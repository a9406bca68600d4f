"""The cases of a run: which instances, with which models, in which order and under which names."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import quote

from benchmark.settings import Settings, SettingsError
from evaluation.run_folder import CaseName
from schema.dataset import DataError, Dataset

T = TypeVar("T")

_SAFE = " !#$&'()*+,/:;=?@[]^`{|}~"  # every printable ASCII character but the backslash, which pytest escapes


def case_id(case: CaseName) -> str:
    """The readable ID of a case's test, such as `level2-017-o4-mini`; of characters that pytest leaves as they are."""
    return quote(case.text, safe=_SAFE)


def select(dataset: Dataset, settings: Settings) -> tuple[CaseName, ...]:
    """The cases that the settings ask for, by level, then number of the instance, then model as given, then trial.

    Reads no more than the instances' IDs.

    Raises:
        SettingsError: the data set lacks a level or an instance that the settings name.
        DataError: a data file is missing or wrong.
    """
    cases: list[CaseName] = []
    unknown = set(settings.instances)
    for level in dataset.levels if settings.levels is None else settings.levels:
        if level not in dataset.levels:
            raise SettingsError(f"--level: {dataset.folder} has no level {level}")
        numbers: dict[str, int] = {}
        for instance_id in dataset.instance_ids(level):
            match = re.fullmatch(r"level([123])-(\d{3,})", instance_id)
            if match is None or match[1] != str(level):
                raise DataError(f"{dataset.folder}: {instance_id!r} is no ID of an instance of level {level}")
            if instance_id in numbers:
                raise DataError(f"{dataset.folder}: instance {instance_id!r} stands twice")
            numbers[instance_id] = int(match[2])
        wanted = [
            name for name in sorted(numbers, key=numbers.__getitem__) if name in unknown or not settings.instances
        ]
        unknown -= numbers.keys()
        cases += [
            CaseName(name, level, model, trial)
            for name in spread(wanted, settings.limit)
            for model in settings.models
            for trial in range(1, settings.trials + 1)
        ]
    if unknown:
        where = f"{dataset.folder}" if settings.levels is None else f"the chosen levels of {dataset.folder}"
        raise SettingsError(f"--instance: no {min(unknown)!r} in {where}")
    texts = Counter(case.text for case in cases)
    if len(texts) < len(cases):
        raise SettingsError(f"--model: two cases would be called {texts.most_common(1)[0][0]!r}")
    if settings.shard is not None:
        cases = cases[settings.shard.number - 1 :: settings.shard.shards]
    return tuple(cases)


def with_planned(cases: Sequence[CaseName], planned: Sequence[CaseName]) -> tuple[CaseName, ...]:
    """The cases, and behind them, in the order of `select`, what sessions with other choices planned besides."""
    chosen = set(cases)
    return *cases, *sorted((case for case in planned if case not in chosen), key=lambda case: case.place)


def spread(items: Sequence[T], limit: int | None) -> list[T]:
    """At most limit of the items, evenly spread over them, in order; the same ones every time."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place * len(items) // limit] for place in range(limit)]
