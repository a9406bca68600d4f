"""Describe level 4 of a data set in Markdown: its world, its rungs, its mechanisms, and what its instances need."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean
from typing import NamedTuple

from mpcbench.generate.level4.sampling.chains import longest_chain
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import known
from mpcbench.schema.level4.dataset import LadderDataset
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.mechanism import LadderSource, Mechanism

_FAR = 3
DASH = "\N{EN DASH}"


class _Case(NamedTuple):
    instance: LadderInstance
    label: LadderLabel
    chain: int
    """Through how many other records in a row the needed record that lies furthest off is found."""

    @property
    def calls(self) -> int:
        return 0 if self.label.certificate is None else len(self.label.certificate.steps)

    @property
    def characters(self) -> int:
        return 0 if self.label.certificate is None else self.label.certificate.result_characters

    @property
    def rejected(self) -> int:
        return 0 if self.label.certificate is None else sum(self.label.certificate.rejected.values())


def describe(dataset: LadderDataset) -> str:
    """Three tables: the rungs, the mechanisms and sources, and the world."""
    cases = _cases(dataset)
    return "\n\n".join(
        (
            f"## The rungs of level 4\n\n{_rungs(cases)}",
            f"## The mechanisms and sources of level 4\n\n{_needs(cases)}",
            f"## The world of level 4\n\n{_world(dataset)}",
        )
    )


def _cases(dataset: LadderDataset) -> list[_Case]:
    indexed = known(dataset.world)
    cases = []
    for instance in dataset.instances:
        label = dataset.labels[instance.instance_id]
        chain = longest_chain(knowledge_of(dataset.world, instance, indexed), label.records)
        cases.append(_Case(instance, label, chain))
    return cases


def _rungs(cases: Iterable[_Case]) -> str:
    """A row for each rung: least to greatest, and the mean where there is room for it."""
    by_rung: dict[int, list[_Case]] = {}
    for case in cases:
        by_rung.setdefault(case.instance.rung, []).append(case)
    heads = [["rung", *(name for name, _ in _COLUMNS)], ["---:"] * (len(_COLUMNS) + 1)]
    rows = [[f"{rung}", *(value(by_rung[rung]) for _, value in _COLUMNS)] for rung in sorted(by_rung)]
    return _table([*heads, *rows])


def _span(numbers: Iterable[int]) -> str:
    values = list(numbers)
    least, greatest = min(values), max(values)
    return f"{least:,}" if least == greatest else f"{least:,}{DASH}{greatest:,} (mean {mean(values):,.0f})"


_COLUMNS: Sequence[tuple[str, Callable[[Sequence[_Case]], str]]] = (
    ("instances", lambda cases: f"{len(cases)}"),
    ("composition load", lambda cases: _span(case.label.load for case in cases)),
    ("mechanisms", lambda cases: _span(len(case.instance.mechanisms) for case in cases)),
    ("required records", lambda cases: _span(len(case.label.records) for case in cases)),
    ("records in a row to the furthest", lambda cases: _span(case.chain for case in cases)),
    ("calls of the minimal plan", lambda cases: _span(case.calls for case in cases)),
    ("characters of its results", lambda cases: _span(case.characters for case in cases)),
    ("candidates in the gold", lambda cases: _span(len(case.label.gold) for case in cases)),
    ("rejected samples", lambda cases: f"{sum(case.rejected for case in cases):,}"),
)


def _needs(cases: Sequence[_Case]) -> str:
    mechanisms = Counter(mechanism for case in cases for mechanism in case.instance.mechanisms)
    sources = Counter(source for case in cases for source in case.label.sources)
    rows = [["mechanism or source", "instances"], ["---", "---:"]]
    rows += [[f"`{mechanism}`", f"{mechanisms[mechanism]}"] for mechanism in Mechanism]
    rows += [[f"records of {source}", f"{sources[source]}"] for source in LadderSource]
    rows.append(
        [f"a record found through {_FAR} others in a row, or more", f"{sum(case.chain >= _FAR for case in cases)}"]
    )
    return _table(rows)


def _world(dataset: LadderDataset) -> str:
    world = dataset.world
    entries = sum(len(calendar.entries) for calendar in world.calendars)
    messages = sum(len(thread.messages) for thread in world.threads)
    rows = [["what", "how many"], ["---", "---:"]]
    rows += [
        [name, f"{count:,}"]
        for name, count in (
            ("people", len(world.people)),
            ("teams", len(world.teams)),
            ("roles", len(world.roles)),
            ("rosters", len(world.rosters)),
            ("sites", len(world.sites)),
            ("rooms", len(world.rooms)),
            ("policy documents", len(world.documents)),
            ("editions of policies", sum(1 for _ in world.policies)),
            ("threads", len(world.threads)),
            ("messages", messages),
            ("pages", len(world.pages)),
            ("entries of people's calendars", entries),
            ("bookings of rooms", sum(len(room.entries) for room in world.room_calendars)),
        )
    ]
    return _table(rows)


def _table(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
