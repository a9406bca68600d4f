"""Bounds taken strictly: what ends just at the limit, or begins just there, counts as outside."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import EndsBy, Inside, InsideHours, Outside, OutsideHours, Rule, StartsFrom
from mpcbench.schema import Window
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_USED: Final = "what only reaches the limit counts as outside"
_EVERY_DAY: Final = tuple(range(7))


def strict_bounds(frame: Frame) -> Iterator[Change]:
    """Every condition of a policy, a thread or the window with its bounds taken strictly."""
    record, _ = frame.provenance.last(Window)
    found = [(item.kind, keys[0], item.rule, item.records) for item, keys in frame.keys]
    found.append(("window", "window", Inside((frame.problem.window,)), (record,)))
    if frame.problem.daily is not None:
        found.append(("daily_hours", "daily_hours", InsideHours(*frame.problem.daily, _EVERY_DAY), (record,)))
    for kind, key, rule, records in found:
        for strict in _strict(rule):
            facts = [Fact(one, rule, _USED) for one in records]
            mistake = part(Reason.VALUE_WRONG, kind, *facts, ground=Ground.PRACTICE)
            yield Change(mistake, masks={key: partial(frame.mask, strict)}, free=partial(frame.allows, strict))


def _strict(rule: Rule) -> Iterator[Rule]:
    match rule:
        case InsideHours(start=start, end=end):
            for early, late in ((1, 1), (1, 0), (0, 1)):
                yield replace(rule, start=start + early, end=end - late)
        case OutsideHours(start=start, end=end):
            for early, late in ((1, 1), (1, 0), (0, 1)):
                yield replace(rule, start=max(0, start - early), end=min(MINUTES_PER_DAY, end + late))
        case StartsFrom(instant=instant):
            yield StartsFrom(instant + 1)
        case EndsBy(instant=instant):
            yield EndsBy(instant - 1)
        case Outside(span=span):
            yield Outside(span.widened(1))
        case Inside(spans=spans):
            yield Inside(tuple(Interval(one.start, one.end - 1) for one in spans))
