"""Buffers and turnarounds, and policies as a whole, that were shown and are applied otherwise."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.desk import document_of
from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import (
    InsideHours,
    Pause,
    RoomPause,
    Rule,
    read_rules,
    rule_of_item,
    section_of,
)
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    ADDED,
    BROKEN,
    NUMBER,
    OMITTED,
    PASSED,
    ROOMS,
    THREADS,
    WRONG,
    agent,
    changed,
    knowing,
    ruling,
)

_FORMER_HOURS: Final = re.compile(r"(\d\d):(\d\d) to (\d\d):(\d\d)")


_PAST: Final = re.compile(r"[^.]*\b(?:[Uu]ntil|[Bb]efore|edition of|revision of) (?:19|20)\d\d\b[^.]*\.")


_LENGTH: Final = re.compile(r"(\d+) min")


def _pauses(change: Mapping[int, int]) -> Plan:
    return ruling(lambda rule: [Pause(change.get(rule.minutes, rule.minutes))] if isinstance(rule, Pause) else [rule])


def _without(kind: type[Rule], facts: Facts) -> tuple[int, Facts]:
    """The largest of the pauses of a kind, and the facts without them."""
    found = [rule.minutes for rule in facts.rules if isinstance(rule, kind) and isinstance(rule, Pause | RoomPause)]
    return max(found, default=0), replace(facts, rules=[rule for rule in facts.rules if not isinstance(rule, kind)])


def _pause(before: float, after: float, *, first_only: bool = False) -> Plan:
    """Apply the buffer to parts of it, before the meeting and after it, or to the events of one participant."""

    def step(_: Mind, facts: Facts) -> Facts:
        pause, facts = _without(Pause, facts)
        early, late = round(pause * after), round(pause * before)
        calendars = {
            owner: entries
            if first_only and place
            else changed(facts, entries, lambda busy, _: busy._replace(start=busy.start - early, end=busy.end + late))
            for place, (owner, entries) in enumerate(facts.calendars.items())
        }
        return replace(facts, calendars=calendars)

    return knowing(step)


def _turnaround_before(_: Mind, facts: Facts) -> Facts:
    pause, facts = _without(RoomPause, facts)
    bookings = {
        room: [one._replace(end=one.end + pause) for one in entries] for room, entries in facts.bookings.items()
    }
    return replace(facts, bookings=bookings)


def _turnaround_for_people(_: Mind, facts: Facts) -> Facts:
    pause, facts = _without(RoomPause, facts)
    return replace(facts, rules=[*facts.rules, *([Pause(pause)] if pause else [])])


def _buffer_for_rooms(_: Mind, facts: Facts) -> Facts:
    pause, _rest = _without(Pause, facts)
    return replace(facts, rules=[*facts.rules, *([RoomPause(pause)] if pause else [])])


def _sections(mind: Mind, facts: Facts) -> dict[str, str]:
    """The text of each policy that applies, from the documents that were shown."""
    found = {}
    for text in map(document_of, mind.results("read_policy_document")):
        for call in facts.request.policies:
            try:
                found[call.policy_id] = section_of(text, call.policy_id)
            except ReadingError:
                continue
    return found


def _by_policy(mind: Mind, facts: Facts) -> list[list[Rule]]:
    """The rules of each policy, in the order in which these were called for."""
    sections = _sections(mind, facts)
    items = {one["policy_id"]: one["rules"] for one in map(json.loads, mind.results("get_policy"))}
    return [
        read_rules(sections[one]) if one in sections else [*map(rule_of_item, items.get(one, ()))]
        for one in dict.fromkeys(call.policy_id for call in facts.request.policies)
    ]


def _last_policy(mind: Mind, facts: Facts) -> Facts:
    return replace(facts, rules=_by_policy(mind, facts)[-1] if facts.request.policies else [])


def _first_rules(mind: Mind, facts: Facts) -> Facts:
    return replace(facts, rules=[rules[0] for rules in _by_policy(mind, facts) if rules])


def _former(mind: Mind, facts: Facts) -> Facts:
    """Values that a section calls former are used in place of those in force."""
    past = " ".join(found for text in _sections(mind, facts).values() for found in _PAST.findall(text))
    hours, length = _FORMER_HOURS.search(past), _LENGTH.search(past)

    def new(rule: Rule) -> Rule:
        if isinstance(rule, InsideHours) and hours is not None:
            first, second, third, fourth = map(int, hours.groups())
            return replace(rule, hours=Hours(first * 60 + second, third * 60 + fourth))
        if isinstance(rule, Pause) and length is not None:
            return Pause(int(length[1]))
        return rule

    return replace(facts, rules=[*map(new, facts.rules)])


AGENTS = (
    agent(
        "buffer-halved",
        "Splits the buffer between the two sides of the meeting and keeps half of it on each",
        _pause(0.5, 0.5),
        f"{WRONG}:buffer_min",
        also=(f"{OMITTED}:buffer_min", f"{BROKEN}:buffer_min"),
        why="The buffer applies with half its length.",
    ),
    agent(
        "buffer-for-one",
        "Keeps the buffer only to the events of the participant who is named first",
        _pause(1, 1, first_only=True),
        f"{OMITTED}:buffer_min",
        also=(f"{WRONG}:buffer_min", f"{BROKEN}:buffer_min"),
        why="The buffer is left out for all but one participant, which the vocabulary can only call left out.",
    ),
    agent(
        "buffer-misheard",
        "Confuses 15 with 50 minutes and 20 with 10 minutes in a buffer",
        _pauses({15: 50, 20: 10, 25: 15, 10: 20, 30: 20, 5: 15}),
        f"{WRONG}:buffer_min",
        also=(f"{OMITTED}:buffer_min", f"{BROKEN}:buffer_min", PASSED, NUMBER),
        why="The buffer applies with another length.",
    ),
    agent(
        "turnaround-before-only",
        "Keeps the turnaround of a room before the meeting but not after it",
        knowing(_turnaround_before),
        *(f"{WRONG}:room_turnaround", f"{WRONG}:buffer_side"),
        also=(f"{OMITTED}:room_turnaround", f"{BROKEN}:room_turnaround"),
        why="The turnaround applies on one side only.",
        levels=ROOMS,
    ),
    agent(
        "turnaround-for-people",
        "Keeps the turnaround of rooms to the events of participants and not to bookings",
        knowing(_turnaround_for_people),
        *(f"{OMITTED}:room_turnaround", f"{ADDED}:buffer"),
        also=(f"{BROKEN}:room_turnaround", PASSED, f"{WRONG}:buffer_min"),
        why="The rule is applied to the wrong records: missing for rooms, added for people.",
        levels=ROOMS,
    ),
    agent(
        "buffer-for-rooms-too",
        "Also keeps the buffer between events to the bookings of the room",
        knowing(_buffer_for_rooms),
        f"{ADDED}:buffer",
        also=(f"{WRONG}:room_turnaround", f"{ADDED}:room_turnaround", PASSED, NUMBER),
        why="A condition on rooms that nobody asked for leaves options out.",
        levels=ROOMS,
    ),
    agent(
        "last-policy-replaces",
        "Takes each further policy to replace the one before",
        knowing(_last_policy),
        f"{OMITTED}:policy",
        also=(
            *(
                f"{OMITTED}:{kind}"
                for kind in ("work_hours", "buffer_min", "lunch_block", "ban_dow_time", "room_turnaround")
            ),
            BROKEN,
        ),
        why="Of several policies only the last one holds.",
    ),
    agent(
        "first-rule-only",
        "Stops reading a policy after its first rule",
        knowing(_first_rules),
        *(
            f"{OMITTED}:{kind}"
            for kind in ("work_hours", "buffer_min", "lunch_block", "ban_dow_time", "room_turnaround")
        ),
        also=tuple(
            f"{BROKEN}:{kind}"
            for kind in ("work_hours", "buffer_min", "lunch_block", "ban_dow_time", "room_turnaround")
        ),
        why="The second rule of a policy is left out.",
    ),
    agent(
        "former-rule-used",
        "Uses the former hours or buffer that a policy mentions in place of those in force",
        knowing(_former),
        *(f"{WRONG}:work_hours", f"{WRONG}:buffer_min"),
        also=(f"{OMITTED}:work_hours", f"{OMITTED}:buffer_min", f"{BROKEN}:work_hours", f"{BROKEN}:buffer_min", PASSED),
        why="A value that no longer holds is used.",
        levels=THREADS,
    ),
)
