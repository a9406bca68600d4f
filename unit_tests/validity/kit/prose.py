"""Misreading a policy's prose: the figures of a former edition, or of something else that the text mentions."""

import re
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import WEEKDAYS, Hours, reduce_lengths, reduce_times
from mpcbench.benchmark.agents.reference.lexicon import Reduced, pattern
from unit_tests.validity.kit.core import Mind, Plan, Slip
from unit_tests.validity.kit.tools import first_that_matters, rules_by_policy, section_text

OLD: Final = re.compile(r"\b(?:until|before|edition of|revision of) (?:19|20)\d\d\b", re.IGNORECASE)
"""Marks sentences about a former edition."""

OTHER: Final = re.compile(
    r"\bconcerns no meetings\b|nothing to do with|\bdo not define\b|without any effect|not rooms", re.IGNORECASE
)
"""Marks sentences with figures that concern something else."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
_WEEKDAY = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
_CORE = re.compile(r"core hours|could be held|staffed", re.IGNORECASE)


def one_policy_misread(mark: re.Pattern[str]) -> Plan:
    """One rule, by chance among those that matter, gets the value of a sentence with a mark."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        slips: list[tuple[Slip, Facts]] = []
        for policy_id, rule in rules_by_policy(mind, facts.request):
            for sentence in _SENTENCE.split(section_text(mind, policy_id) or ""):
                wrong = _with_value_of(rule, sentence) if mark.search(sentence) else rule
                if wrong != rule:
                    note = {"record": f"policy:{policy_id}", "right": str(rule), "used": str(wrong)}
                    rules = [wrong if one == rule else one for one in facts.rules]
                    slips.append((note, replace(facts, rules=rules)))
        return first_that_matters(mind, facts, slips)

    return Plan(facts=slip)


def _with_value_of(rule: Rule, sentence: str) -> Rule:
    """The rule with the figures of a sentence, if they are of its kind."""
    reduced = Reduced(sentence)
    reduce_times(reduced, None)
    reduced.reduce("hours", pattern("<time> to <time>"), lambda low, high: Hours(*map(reduced.value, (low, high))))
    reduce_lengths(reduced)
    hours = [reduced.value(index) for _, (index,) in reduced.consume(pattern("<hours>"))]
    lengths = [reduced.value(index) for _, (index,) in reduced.consume(pattern("<length>"))]
    if isinstance(rule, Pause | RoomPause):
        return replace(rule, minutes=lengths[0]) if lengths else rule
    if not hours or bool(_CORE.search(sentence)) is not isinstance(rule, InsideHours):
        return rule
    named = frozenset(WEEKDAYS.index(f"{stem.lower()}day") for stem in _WEEKDAY.findall(sentence))
    weekdays = named if named and isinstance(rule, OutsideHours) else rule.weekdays
    return replace(rule, hours=hours[0], weekdays=weekdays)
