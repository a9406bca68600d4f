"""Flaws before integration, in calendars, people and rooms: sources not asked, records not opened."""

from dataclasses import replace
from datetime import tzinfo
from functools import partial

from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.benchmark.agents.reference.integrate import Option
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.desks import (
    FewRooms,
    FirstDays,
    FirstDaysOfRooms,
    FirstPageOfRooms,
    NoBookings,
    NoCalendars,
    NoDirectory,
    NoRooms,
    OneCalendarOmitted,
    OneRoomOmitted,
    TeamCalendar,
    WrongDates,
    WrongHomonym,
)


def _without_waiting(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Does not wait for any event, as calendars are not read."""
    del mind
    return acquire(desk, replace(request, after=[]), zone)


def _without_teams(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Knows people by name only, and waits for no event, as none is in the calendars of the wrong people."""
    del mind
    people = list(dict.fromkeys(person._replace(team=None) for person in request.people))
    return acquire(desk, replace(request, people=people, after=[]), zone)


def _after_forgotten(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Does not look up the event that has to come first."""
    if request.after:
        mind.note(event=request.after[0].title, person=request.after[0].person.name)
    return acquire(desk, replace(request, after=[]), zone)


def _last_calendar_omitted(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Forgets to ask for the calendar of the participant named last."""
    assert isinstance(desk, OneCalendarOmitted | TeamCalendar)
    person = request.people[-1]
    desk.skipped = person.name
    if isinstance(desk, OneCalendarOmitted) and "search_people" in desk.offers:
        rows = desk.call_json("search_people", name=person.name)["people"]
        matching = [r for r in rows if r["name"] == person.name and person.team in (None, r["team"])]
        desk.skipped = matching[0]["person_id"] if matching else None
        mind.note(record=f"calendar:{desk.skipped}")
    return acquire(desk, request, zone)


def _homonyms(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Mixes people up who share a name, except those whose event has to come first."""
    del mind
    assert isinstance(desk, WrongHomonym)
    waited_for = {event.person.name for event in request.after}
    desk.wanted = {person.name: person.team for person in request.people if person.name not in waited_for}
    return acquire(desk, request, zone)


def _first_room_of_all(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Makes a room up."""
    mind.note(room="R01")
    return [option._replace(room_id="R01") for option in options]


_agent = partial(flawed, lead="What was never read", levels=(3,))

_NEVER = "decomposition.source_never_queried"
_UNSEEN = "acquisition.record_never_seen"
_PART = "acquisition.record_seen_in_part"
_OUTSIDER = "integration.constraint_added:participant"
_ALL = (1, 2, 3)

AGENTS = (
    _agent(
        "no-calendar",
        "Never looks a calendar up.",
        Plan(desk=NoCalendars, acquire=_without_waiting),
        (f"{_NEVER}:calendar",),
        levels=_ALL,
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "no-room-system",
        "Never uses the room system and names no room.",
        Plan(desk=NoRooms),
        (f"{_NEVER}:rooms",),
        "integration.room_missing",
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "room-made-up",
        "Never uses the room system and makes a room up.",
        Plan(desk=NoRooms, options=_first_room_of_all),
        (f"{_NEVER}:rooms",),
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "no-directory",
        "Makes person IDs up instead of looking them up.",
        Plan(desk=NoDirectory, acquire=_without_teams),
        (f"{_NEVER}:directory",),
        f"{_UNSEEN}:calendar",
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "last-calendar-omitted",
        "Forgets to ask for the calendar of the participant named last.",
        Plan(desk=OneCalendarOmitted, acquire=_last_calendar_omitted),
        (f"{_UNSEEN}:calendar",),
        f"{_PART}:calendar",
        levels=_ALL,
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "team-calendar",
        "Reads the calendar of one participant's team instead of the person's own.",
        Plan(desk=TeamCalendar, acquire=_last_calendar_omitted),
        (f"{_UNSEEN}:calendar",),
        f"{_PART}:calendar",
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "first-days-of-calendars",
        "Reads calendars only for the first days.",
        Plan(desk=FirstDays),
        (f"{_PART}:calendar",),
        levels=_ALL,
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "wrong-dates",
        "Asks for one person's calendar of a later week.",
        Plan(desk=WrongDates),
        (f"{_PART}:calendar",),
        f"{_UNSEEN}:calendar",
        levels=_ALL,
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "wrong-homonym",
        "Takes the wrong one of two people with the same name.",
        Plan(desk=WrongHomonym, acquire=_homonyms),
        (f"{_UNSEEN}:calendar", _OUTSIDER),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "event-not-looked-up",
        "Does not look up the event that has to come first.",
        Plan(acquire=_after_forgotten),
        (f"{_UNSEEN}:calendar", "integration.constraint_omitted:after_event"),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "no-bookings",
        "Never asks for bookings: every room is taken for free.",
        Plan(desk=NoBookings),
        (f"{_UNSEEN}:room_calendar",),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "one-room-unread",
        "Never asks for the bookings of one room, which is taken for free.",
        Plan(desk=OneRoomOmitted),
        (f"{_UNSEEN}:room_calendar",),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "few-rooms",
        "Stops after the bookings of three rooms and leaves the other rooms out.",
        Plan(desk=FewRooms),
        (f"{_UNSEEN}:room_calendar",),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "first-page-of-rooms",
        "Takes the first page of the list of rooms for all of it.",
        Plan(desk=FirstPageOfRooms),
        (f"{_UNSEEN}:room", f"{_UNSEEN}:room_calendar"),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "first-days-of-rooms",
        "Reads bookings only for the first days.",
        Plan(desk=FirstDaysOfRooms),
        (f"{_PART}:room_calendar",),
        stage=Stage.ACQUISITION,
    ),
)
"""The agents of this module."""
