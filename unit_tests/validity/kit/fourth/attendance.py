"""Misread people, seats, equipment and sites."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.conversation import speaking_of, threads_of
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Kind, PersonName, same_person
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, WITH_THREADS, agent, heard, told

_WRONG: Final = "integration.value_wrong"
_OMITTED: Final = "integration.constraint_omitted"
_ADDED: Final = "integration.constraint_added"
_BROKEN: Final = "observed.condition_broken"
_PASSED: Final = "observed.passed_over"
_NEVER: Final = "acquisition.record_never_seen"


def _without(*kinds: Kind) -> Plan:
    return told(lambda _, statements: [one for one in statements if one.kind not in kinds])


def _guests(change: Callable[[int, int], int]) -> Plan:
    """Another number of guests, from that of participants and that of guests."""
    return heard(lambda one: replace(one, guests=change(len(one.people), one.guests)))


def _writers_attend(mind: Mind, statements: list[Heard]) -> list[Heard]:
    """Whoever writes about the meeting is taken to attend it."""
    known = [person for kind, value in statements if kind is Kind.PEOPLE for person in value]
    joined: list[PersonName] = []
    for thread in threads_of(mind.messages):
        for message in speaking_of(mind.about, thread):
            name, _, team = (message.author or "").rstrip(")").partition(" (")
            person = PersonName(name, team or None)
            if name and not any(same_person(person, one) for one in (*known, *joined)):
                joined.append(person)
    return [*statements, *(Heard(Kind.JOINS, person) for person in joined)]


def _joiner_instead(_: Mind, statements: list[Heard]) -> list[Heard]:
    """Whoever is added is taken to come in place of the last one named."""
    taken: list[Heard] = []
    for one in statements:
        if one.kind is Kind.JOINS:
            people = [person for kind, value in taken if kind is Kind.PEOPLE for person in value]
            taken += [Heard(Kind.LEAVES, people[-1])] if len(people) > 2 else []
        taken.append(one)
    return taken


def _calendar_used_twice(mind: Mind, facts: Facts) -> Facts:
    """The events of the first participant stand for those of the last, too."""
    first, *_, last = facts.calendars
    mind.note(record=mind.calendar_record(last), in_its_place=first)
    return replace(facts, calendars={**facts.calendars, last: facts.calendars[first]})


def _more_than_needed(mind: Mind, facts: Facts) -> Facts:
    request = facts.request
    seats = len(request.people) + request.guests
    exact = [room for room in facts.rooms or () if room.capacity == seats]
    if exact:
        mind.note(rooms_left_out=[room.room_id for room in exact])
    return replace(facts, rooms=[room for room in facts.rooms or () if room not in exact])


def _first_equipment(_: Mind, statements: list[Heard]) -> list[Heard]:
    return [one._replace(value=one.value[:1]) if one.kind is Kind.EQUIPMENT else one for one in statements]


AGENTS = (
    agent(
        "leaver-attends",
        "Does not notice that somebody is taken off the list",
        _without(Kind.LEAVES),
        f"{_ADDED}:participant",
        also=(_PASSED, f"{_WRONG}:capacity"),
        why="The calendar of somebody who does not attend any more is applied.",
        levels=WITH_ROOMS,
    ),
    agent(
        "joiner-missed",
        "Does not notice that somebody is added",
        _without(Kind.JOINS),
        *(f"{_OMITTED}:participant", f"{_NEVER}:calendar"),
        also=(_NEVER, f"{_OMITTED}:busy", f"{_BROKEN}:busy"),
        why="An added participant is dropped, and the calendar never read.",
        levels=WITH_ROOMS,
    ),
    agent(
        "joiner-instead",
        "Takes whoever is added to come in place of the last one named",
        told(_joiner_instead),
        *(f"{_OMITTED}:participant", f"{_NEVER}:calendar"),
        also=(_NEVER, f"{_OMITTED}:busy", f"{_BROKEN}:busy"),
        why="Added is read as replaced, so that a participant is dropped.",
        levels=WITH_ROOMS,
    ),
    agent(
        "writers-attend",
        "Takes everybody who writes about the meeting to attend it",
        told(_writers_attend),
        f"{_ADDED}:participant",
        also=(_PASSED,),
        why="The calendar of somebody who only writes is applied.",
        levels=WITH_THREADS,
    ),
    agent(
        "calendar-used-twice",
        "Uses the events of the first participant for the last one, too",
        Plan(facts=_calendar_used_twice),
        *(f"{_OMITTED}:busy", f"{_OMITTED}:participant"),
        also=("integration.record_overlooked:event", f"{_BROKEN}:busy"),
        why="Two people are confused: one calendar was read and not used.",
    ),
    agent(
        "guests-unseated",
        "Counts seats for the participants and not for the guests",
        _guests(lambda _, __: 0),
        *(f"{_OMITTED}:guests", f"{_WRONG}:guests", f"{_WRONG}:capacity"),
        also=(f"{_OMITTED}:capacity", f"{_BROKEN}:capacity"),
        why="The number of guests is dropped.",
        levels=WITH_ROOMS,
    ),
    agent(
        "guests-only-seated",
        "Takes the number of guests for the number of seats",
        _guests(lambda people, guests: guests - people if guests else 0),
        *(f"{_WRONG}:capacity", f"{_WRONG}:guests"),
        also=(f"{_OMITTED}:capacity", f"{_OMITTED}:guests", f"{_BROKEN}:capacity"),
        why="Fewer seats are counted than needed.",
        levels=WITH_ROOMS,
    ),
    agent(
        "seat-to-spare",
        "Wants one seat more than there are people",
        Plan(facts=_more_than_needed),
        *(f"{_WRONG}:capacity", f"{_WRONG}:guests"),
        also=(_PASSED,),
        why="As many seats as people is read as more seats than people.",
        levels=WITH_ROOMS,
    ),
    agent(
        "equipment-first-piece",
        "Remembers only the first piece of equipment of each list",
        told(_first_equipment),
        *(f"{_OMITTED}:equipment", f"{_WRONG}:equipment"),
        also=(f"{_BROKEN}:equipment",),
        why="Of several pieces some are dropped.",
        levels=WITH_ROOMS,
    ),
    agent(
        "site-unheard",
        "Does not notice the site",
        _without(Kind.SITE),
        f"{_OMITTED}:site",
        also=(f"{_WRONG}:site", f"{_BROKEN}:site"),
        why="A condition is dropped.",
        levels=WITH_ROOMS,
    ),
)
