"""Flaws in who takes part, and in what is made of one person's calendar."""

from dataclasses import replace
from functools import partial
from typing import Any

from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, Request, same_person
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import first_that_matters


def _without(kind: Kind) -> Plan:
    """Statements of a kind are not taken notice of."""

    def slip(mind: Mind, heard: list[Heard]) -> list[Heard]:
        for statement in heard:
            if statement.kind is kind:
                mind.note(record=mind.record_of(kind, statement.value), kind=str(kind), ignored=str(statement.value))
        return [statement for statement in heard if statement.kind is not kind]

    return Plan(heard=slip)


def _leaver_kept(mind: Mind, heard: list[Heard]) -> list[Heard]:
    """Keeps whoever leaves, and so reads one calendar too many."""
    leavers = [statement for statement in heard if statement.kind is Kind.LEAVES]
    for statement in leavers:
        mind.note(record=mind.record_of(Kind.LEAVES, statement.value), kept=statement.value.name)
    return [statement for statement in heard if statement not in leavers]


def _waited_for_joins(mind: Mind, request: Request) -> Request:
    """Takes the owner of the event to wait for as one more participant."""
    owners = [one.person for one in request.after if not any(same_person(one.person, who) for who in request.people)]
    if owners:
        mind.note(record=mind.record_of(Kind.AFTER), added=[one.name for one in owners])
    return replace(request, people=[*request.people, *owners], guests=request.guests - len(owners))


def _calendar_unused(mind: Mind, facts: Facts) -> Facts:
    """Leaves one participant's calendar, though read, out of the comparison."""
    slips: list[tuple[dict[str, Any], Facts]] = []
    for owner in facts.calendars:
        rest = {one: events for one, events in facts.calendars.items() if one != owner}
        slips.append(({"record": mind.calendar_record(owner)}, replace(facts, calendars=rest)))
    return first_that_matters(mind, facts, slips)


def _clock_of_one(minutes: int) -> Plan:
    """One participant's events are read as if in another time zone."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for owner, events in facts.calendars.items():
            moved = [one._replace(start=one.start + minutes, end=one.end + minutes) for one in events]
            note = {"record": mind.calendar_record(owner), "minutes": minutes}
            slips.append((note, replace(facts, calendars=facts.calendars | {owner: moved})))
        return first_that_matters(mind, facts, slips)

    return Plan(facts=slip)


_agent = partial(flawed, lead="The statement or record of the slip", levels=(3,))

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"
_OUTSIDER = "integration.constraint_added:participant"
_UNSEEN = "acquisition.record_never_seen:calendar"

AGENTS = (
    _agent(
        "joiner-ignored",
        "Ignores that a participant is added later.",
        _without(Kind.JOINS),
        (_UNSEEN, f"{_OMITTED}:participant"),
        "an ignored amendment",
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "leaver-kept",
        "Ignores that a participant leaves.",
        Plan(heard=_leaver_kept),
        (_OUTSIDER,),
        f"{_VALUE}:capacity",
        "an ignored amendment",
    ),
    _agent(
        "waited-for-joins",
        "Takes the owner of the event to wait for as a participant.",
        Plan(request=_waited_for_joins),
        (_OUTSIDER,),
    ),
    _agent(
        "calendar-unused",
        "Leaves one calendar that it read out of the comparison.",
        Plan(facts=_calendar_unused),
        (f"{_OMITTED}:busy",),
        f"{_OMITTED}:participant",
        levels=(1, 2, 3),
    ),
    _agent(
        "one-clock-hour-off",
        "Reads one person's events as an hour off, as in another time zone.",
        _clock_of_one(60),
        (),
        f"{_VALUE}:offset",
        f"{_OMITTED}:busy",
        "the times of one calendar shifted",
        levels=(1, 2, 3),
    ),
    _agent(
        "one-clock-far-off",
        "Reads one person's events as in a time zone six hours away.",
        _clock_of_one(-360),
        (),
        f"{_VALUE}:offset",
        f"{_OMITTED}:busy",
        "the times of one calendar shifted",
        levels=(1, 2, 3),
    ),
)
"""The agents of this module."""
