"""Who attends and how many seats they need, misread or looked up wrongly."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo

from mpcbench.benchmark.agents.reference.acquire import acquire, calendar
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request, same_person
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import ADDED, BROKEN, NEVER, NUMBER, OMITTED, PASSED, WRONG, agent, organiser
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, heard

_SEATS = (f"{WRONG}:capacity", f"{WRONG}:guests")
_UNSEEN = f"{NEVER}:room_calendar"
_PORTABLE = {"flip chart", "whiteboard"}


def _guests(change: Callable[[Mind, Request], int], kind: Kind = Kind.GUESTS) -> Plan:
    """Taking another number of guests to need seats."""

    def step(mind: Mind, request: Request) -> Request:
        guests = max(0, change(mind, request))
        if guests != request.guests:
            mind.note(record=mind.record_of(kind), guests=request.guests, taken_for=guests)
        return replace(request, guests=guests)

    return Plan(request=step)


def _said(mind: Mind, kind: Kind) -> int:
    return sum(one.kind is kind for one, _ in mind.said)


def _organiser_missed(mind: Mind, request: Request) -> Request:
    """Whoever says "me" in the list of participants is not counted among them."""
    who = organiser(mind)
    others = [person for person in request.people if who is None or not same_person(person, who)]
    if not others or len(others) == len(request.people):
        return request
    mind.note(missed=who.name if who else "")
    return replace(request, people=others)


def _both_namesakes(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Whoever has the name of a participant is asked, too."""
    facts = acquire(desk, request, zone)
    assert request.window is not None
    names = {person.name for person in request.people}
    rows = [row for result in mind.results("search_people") for row in json.loads(result)["people"]]
    for row in rows:
        if row["name"] in names and row["person_id"] not in facts.calendars:
            desk.next_turn()
            facts.calendars[row["person_id"]] = calendar(desk, row["person_id"], request.window)
            mind.note(asked_too=f"calendar:{row['person_id']}")
    return facts


AGENTS = (
    agent(
        "organiser-missed",
        'Misses the organiser, who says "me" in the list of participants',
        Plan(request=_organiser_missed),
        *(f"{NEVER}:calendar", f"{OMITTED}:participant"),
        also=(NEVER, f"{BROKEN}:busy", f"{OMITTED}:busy"),
        why="The calendar of one participant is never asked for.",
        stage=Stage.ACQUISITION,
        levels=WITH_ROOMS,
    ),
    agent(
        "both-namesakes-asked",
        "Asks for the calendars of all who share the name of a participant",
        Plan(acquire=_both_namesakes),
        f"{ADDED}:participant",
        also=(PASSED,),
        why="The calendar of somebody who does not attend is applied.",
        levels=WITH_ROOMS,
    ),
    agent(
        "joiner-unseated",
        "Counts no seat for those who are added later",
        _guests(lambda mind, request: request.guests - _said(mind, Kind.JOINS), Kind.JOINS),
        *_SEATS,
        also=(f"{OMITTED}:capacity", f"{OMITTED}:guests", f"{BROKEN}:capacity"),
        why="Too few seats are asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "leaver-seated",
        "Still counts a seat for those who are taken off the list",
        _guests(lambda mind, request: request.guests + _said(mind, Kind.LEAVES), Kind.LEAVES),
        *_SEATS,
        also=(PASSED, _UNSEEN, f"{ADDED}:capacity"),
        why="Too many seats are asked for, so that rooms that are just large enough do not count.",
        levels=WITH_ROOMS,
    ),
    agent(
        "guests-counted-twice",
        "Counts the guests twice",
        _guests(lambda _, request: 2 * request.guests),
        *_SEATS,
        also=(PASSED, _UNSEEN, f"{ADDED}:capacity", NUMBER),
        why="Too many seats are asked for, perhaps more than any room has.",
        levels=WITH_ROOMS,
    ),
    agent(
        "half-of-guests",
        "Expects half of the guests to come",
        _guests(lambda _, request: request.guests // 2),
        *_SEATS,
        also=(f"{OMITTED}:capacity", f"{OMITTED}:guests", f"{BROKEN}:capacity"),
        why="Too few seats are asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "portable-equipment",
        "Does not look for a flip chart or a whiteboard in the room, since one can be brought along",
        heard(lambda one: replace(one, equipment=[item for item in one.equipment if item not in _PORTABLE])),
        *(f"{OMITTED}:equipment", f"{WRONG}:equipment"),
        also=(f"{BROKEN}:equipment",),
        why="A piece of equipment that was asked for is not looked for.",
        levels=WITH_ROOMS,
    ),
)
