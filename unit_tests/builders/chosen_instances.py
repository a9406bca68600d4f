"""Committed instances chosen by what they are like, so that tests outlive the data."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from mpcbench.benchmark.environment.reveal_constraints import suitable_rooms
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema import Instance
from unit_tests.builders.committed import DATASET


def windows_over(day: date) -> Iterator[Instance]:
    """The instances of level 1 whose window begins before a day and ends after it."""
    world = DATASET.world(1)
    for instance in DATASET.instances(1):
        window = resolve(world, instance).window
        if to_datetime(window.start, world.zone).date() < day < to_datetime(window.end, world.zone).date():
            yield instance


def with_spare_rooms() -> Iterator[Instance]:
    """The instances of level 3 to which more rooms are suitable than have bookings that must be read."""
    world, labels = DATASET.world(3), DATASET.labels(3)
    for instance in DATASET.instances(3):
        rooms = {f"room_calendar:{room.room_id}" for room in suitable_rooms(resolve(world, instance))}
        if rooms - {*labels[instance.instance_id].records}:
            yield instance


def by_work_hours(*, matter: bool) -> Iterator[str]:
    """The instances of level 1 whose gold depends on work hours, or those whose gold does not."""
    world = DATASET.world(1)
    for instance in DATASET.instances(1):
        problem = resolve(world, instance)
        others = tuple(one for one in problem.constraints if one.kind != "work_hours")
        if matter == (gold_choices(problem) != gold_choices(replace(problem, constraints=others))):
            yield instance.instance_id
