"""Flaws in the use of policies that were read: hours, weekly blocks and buffers."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.integrate import Option, Slot
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.prose import OLD, OTHER, one_policy_misread
from unit_tests.validity.kit.tools import local, options_of, ordered_slots, policy_record, top, with_request

_HALF_DAY = 12 * 60
_EVERY_DAY = frozenset(range(7))


def rules_changed(kind: type | tuple[type, ...], change: Callable[[Rule], Rule | None]) -> Plan:
    """Rules of a kind are changed, or forgotten where the change gives None."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        new: list[Rule] = []
        for rule in facts.rules:
            changed = change(rule) if isinstance(rule, kind) else rule
            if changed != rule:
                mind.note(record=policy_record(mind, facts, type(rule)), right=str(rule), used=str(changed))
            new += [] if changed is None else [changed]
        return replace(facts, rules=new)

    return Plan(facts=slip)


def _is_lunch(rule: OutsideHours) -> bool:
    return len(rule.weekdays) > 1


def _lunch(change: Callable[[OutsideHours], Rule | None]) -> Callable[[Rule], Rule | None]:
    return lambda rule: change(rule) if isinstance(rule, OutsideHours) and _is_lunch(rule) else rule


def _block(change: Callable[[OutsideHours], Rule | None]) -> Callable[[Rule], Rule | None]:
    return lambda rule: change(rule) if isinstance(rule, OutsideHours) and not _is_lunch(rule) else rule


def _all_days(rule: Rule) -> Rule:
    assert isinstance(rule, InsideHours | OutsideHours)
    return replace(rule, weekdays=_EVERY_DAY)


def _next_weekday(rule: Rule) -> Rule:
    assert isinstance(rule, InsideHours | OutsideHours)
    return replace(rule, weekdays=frozenset((day + 1) % 7 for day in rule.weekdays))


def _end_half_day_off(rule: OutsideHours) -> Rule:
    """An hour of the block with am and pm mixed up, so far as hours remain in order."""
    start, end = rule.hours
    if start < _HALF_DAY and start + _HALF_DAY < 24 * 60 and end <= _HALF_DAY:
        return replace(rule, hours=Hours(start + _HALF_DAY, end + _HALF_DAY))
    if start >= _HALF_DAY:
        return replace(rule, hours=Hours(start - _HALF_DAY, end - _HALF_DAY))
    return replace(rule, hours=Hours(start, _HALF_DAY))


def _wider(hours: Hours) -> Hours:
    """Rounded to full hours outwards."""
    return Hours(hours.start // 60 * 60, -(-hours.end // 60) * 60)


def _by_start(keep_rule: Callable[[Rule], bool], what: str) -> Plan:
    """Hours of rules are compared with the start of an option only."""

    def choose(mind: Mind, facts: Facts) -> list[Option]:
        loose = [rule for rule in facts.rules if isinstance(rule, InsideHours | OutsideHours) and keep_rule(rule)]
        if loose:
            mind.note(record=policy_record(mind, facts, type(loose[0])), what=what)
        freed = replace(facts, rules=[rule for rule in facts.rules if rule not in loose])

        def obeys(slot: Slot) -> bool:
            start = local(slot.start, facts.zone)
            minute = start.hour * 60 + start.minute
            return all(
                (start.weekday() in rule.weekdays and rule.hours.start <= minute < rule.hours.end)
                is isinstance(rule, InsideHours)
                for rule in loose
            )

        return top(facts, options_of(freed, ordered_slots(freed, obeys)))

    return Plan(choose=choose)


def _daily_by_start(mind: Mind, facts: Facts) -> list[Option]:
    """The daily hours of the window are compared with the start of an option only."""
    window = facts.request.window
    assert window is not None
    if window.hours is None:
        return top(facts, options_of(facts, ordered_slots(facts)))
    mind.note(what="daily hours compared with starts only", hours=list(window.hours))
    low, high = window.hours
    freed = with_request(facts, window=window._replace(hours=None))

    def starts_inside(slot: Slot) -> bool:
        start = local(slot.start, facts.zone)
        return low <= start.hour * 60 + start.minute < high

    return top(facts, options_of(freed, ordered_slots(freed, starts_inside)))


def _daily_forgotten(mind: Mind, facts: Facts) -> Facts:
    """The daily hours of the window are forgotten."""
    window = facts.request.window
    assert window is not None
    if window.hours is not None:
        mind.note(what="daily hours forgotten", hours=list(window.hours))
    return with_request(facts, window=window._replace(hours=None))


def _also(rule: Rule, what: str) -> Plan:
    """A condition that nobody stated is added."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        mind.note(added=str(rule), what=what)
        return replace(facts, rules=[*facts.rules, rule])

    return Plan(facts=slip)


def _cut_first(mind: Mind, facts: Facts) -> list[Option]:
    """Takes the first N options by the calendars alone and then removes those that break a policy."""
    free = replace(facts, rules=[])
    first = top(facts, options_of(free, ordered_slots(free)))
    right = set(_within(facts, first))
    mind.note(what="cut to N before the policies", wanted=facts.request.count, given=len(right))
    return [option for option in first if option in right]


def _within(facts: Facts, options: list[Option]) -> Iterator[Option]:
    wanted = set(options)
    return (option for option in options_of(facts, ordered_slots(facts)) if option in wanted)


_agent = partial(flawed, lead="The policy or condition of the slip with the value used")

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"
_ADDED = "integration.constraint_added"
_START = "only starts compared"
_HOURS = f"{_VALUE}:work_hours"
_NO_HOURS = f"{_OMITTED}:work_hours"
_BLOCK = f"{_VALUE}:ban_dow_time"
_NO_BLOCK = f"{_OMITTED}:ban_dow_time"
_LUNCH = f"{_VALUE}:lunch_block"
_NO_LUNCH = f"{_OMITTED}:lunch_block"
_BUFFER = f"{_VALUE}:buffer_min"
_ROOM_BUFFER = f"{_VALUE}:room_turnaround"
_ANY = (_HOURS, _LUNCH, _BLOCK, _BUFFER, _ROOM_BUFFER)

AGENTS = (
    _agent(
        "work-hours-all-days",
        "Applies the working hours on all days of the week.",
        rules_changed(InsideHours, _all_days),
        (_HOURS,),
        "the weekdays of the working hours",
    ),
    _agent(
        "work-hours-starts-only",
        "Compares only starts with the working hours.",
        _by_start(lambda rule: isinstance(rule, InsideHours), _START),
        (_HOURS,),
        _NO_HOURS,
        _START,
    ),
    _agent(
        "work-hours-forgotten",
        "Forgets the working hours that it read.",
        rules_changed(InsideHours, lambda _: None),
        (_NO_HOURS,),
    ),
    _agent(
        "weekly-block-all-days",
        "Applies a weekly block on all days.",
        rules_changed(OutsideHours, _block(_all_days)),
        (_BLOCK,),
        "the weekday of the block",
    ),
    _agent(
        "weekly-block-next-day",
        "Counts weekdays from another day, so that a weekly block is a day late.",
        rules_changed(OutsideHours, _block(_next_weekday)),
        (_BLOCK,),
        _NO_BLOCK,
    ),
    _agent(
        "weekly-block-half-day",
        "Reads the hours of a weekly block with am and pm mixed up.",
        rules_changed(OutsideHours, _block(_end_half_day_off)),
        (_BLOCK,),
        _NO_BLOCK,
    ),
    _agent(
        "blocks-starts-only",
        "Compares only starts with lunch and weekly blocks.",
        _by_start(lambda rule: isinstance(rule, OutsideHours), _START),
        (_LUNCH, _BLOCK),
        _NO_LUNCH,
        _NO_BLOCK,
        _START,
    ),
    _agent(
        "lunch-forgotten",
        "Forgets the lunch break that it read.",
        rules_changed(OutsideHours, _lunch(lambda _: None)),
        (_NO_LUNCH,),
    ),
    _agent(
        "lunch-full-hours",
        "Rounds the lunch break to full hours.",
        rules_changed(OutsideHours, _lunch(lambda rule: replace(rule, hours=_wider(rule.hours)))),
        (_LUNCH,),
    ),
    _agent(
        "daily-hours-starts-only",
        "Compares only starts with the daily hours of the window.",
        Plan(choose=_daily_by_start),
        (f"{_VALUE}:daily_hours",),
        f"{_OMITTED}:daily_hours",
        _START,
    ),
    _agent(
        "daily-hours-forgotten",
        "Forgets the daily hours of the window.",
        Plan(facts=_daily_forgotten),
        (f"{_OMITTED}:daily_hours",),
    ),
    _agent(
        "office-hours-assumed",
        "Assumes 9:00 to 17:00 on weekdays, which nobody stated.",
        _also(InsideHours(Hours(540, 1020), frozenset(range(5))), "office hours"),
        (_ADDED, f"{_ADDED}:policy"),
        f"{_ADDED}:weekdays",
        "hours that nobody stated",
    ),
    _agent(
        "lunch-assumed",
        "Keeps noon to 13:00 free, although nobody asked for it.",
        _also(OutsideHours(Hours(720, 780), _EVERY_DAY), "lunch"),
        (_ADDED, f"{_ADDED}:policy"),
        "a lunch break that nobody stated",
    ),
    _agent(
        "buffer-assumed",
        "Leaves a quarter of an hour around events, although nobody asked for it.",
        _also(Pause(15), "buffer"),
        (_ADDED, f"{_ADDED}:policy"),
        "a buffer that nobody stated",
        f"{_VALUE}:touching",
    ),
    _agent(
        "cut-before-policies",
        "Cuts to N before it applies the policies.",
        Plan(choose=_cut_first),
        ("integration.count:too_few",),
        "cut to N before filtering",
    ),
    _agent(
        "superseded-value",
        "Uses a former value that the policy's text mentions.",
        one_policy_misread(OLD),
        _ANY,
        "the former value of the text",
        levels=(2, 3),
    ),
    _agent(
        "other-value-of-text",
        "Uses a figure of the policy's text that concerns something else.",
        one_policy_misread(OTHER),
        _ANY,
        "the unrelated figure of the text",
        levels=(2, 3),
    ),
)
"""The agents of this module."""
