"""The policies of the office: those on working time, on rooms and guests, on calendars, and those of single teams."""

from collections.abc import Iterator
from datetime import date
from random import Random

from mpcbench.generate.level4.world.guideline import Guideline, archived, current
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import HARBOUR, MILL, NORTH, STATION
from mpcbench.generate.level4.world.working_time import ban, hours, working_time
from mpcbench.schema import BufferMin, RoomTurnaround
from mpcbench.schema.level4.policy import BuildingOpen, HolidaysBlock, Scope, TeamCalendarBlocks, TentativeFree


def guidelines(people: Staff, rng: Random) -> list[Guideline]:
    """All policies. Several hold for any meeting; even all together they leave every weekday but one some hours."""
    return [*working_time(rng), *_on_rooms(rng), *_on_calendars(rng), *_of_teams(people, rng)]


def _on_rooms(rng: Random) -> Iterator[Guideline]:
    turnaround = rng.choice((10, 15))
    yield Guideline(
        "turnaround harbour",
        "Meeting rooms",
        (
            current(RoomTurnaround(minutes=turnaround), scope=Scope(room_sites=(HARBOUR,))),
            current(
                RoomTurnaround(minutes=turnaround + 10),
                scope=Scope(room_sites=(HARBOUR,)),
                first=date(2027, 4, rng.choice((1, 6, 15))),
            ),
        ),
    )
    yield Guideline(
        "turnaround",
        "Meeting rooms",
        (
            archived(RoomTurnaround(minutes=15), scope=Scope(room_sites=(MILL, NORTH, STATION))),
            current(RoomTurnaround(minutes=5), scope=Scope(room_sites=(MILL, NORTH, STATION)), first=date(2027, 3, 30)),
        ),
        (("turnaround", Scope(at_most=30)),),
    )
    yield Guideline(
        "turnaround long",
        "Meeting rooms",
        (current(RoomTurnaround(minutes=30), scope=Scope(longer_than=105)),),
    )
    yield Guideline(
        "open harbour",
        "Buildings",
        (current(BuildingOpen(), scope=Scope(room_sites=(HARBOUR, STATION))),),
        (("open overseas", Scope(guests=False)),),
    )
    yield Guideline(
        "open mill",
        "Buildings",
        (
            current(
                BuildingOpen(),
                scope=Scope(room_sites=(MILL,)),
                first=date(2027, 3, rng.choice((22, 24))),
                last=date(2027, 5, rng.choice((14, 20))),
            ),
        ),
    )
    yield Guideline(
        "open overseas",
        "Buildings",
        (current(BuildingOpen(), scope=Scope(room_sites=(NORTH,))),),
    )
    yield Guideline(
        "guests hours",
        "Guests",
        (current(hours("08:30", "17:30"), scope=Scope(guests=True, longer_than=30)),),
        (("lunch mill", Scope(guests=True, at_most=60)),),
    )
    yield Guideline(
        "guests room",
        "Guests",
        (
            archived(RoomTurnaround(minutes=10), scope=Scope(guests=True)),
            current(RoomTurnaround(minutes=20), scope=Scope(guests=True), first=date(2027, 2, 1)),
        ),
        (("guests room", Scope(room_sites=(MILL,))),),
    )
    yield Guideline(
        "guests pause",
        "Guests",
        (current(BufferMin(minutes=15), scope=Scope(guests=True)),),
        (("guests pause", Scope(at_most=45)),),
    )


def _on_calendars(rng: Random) -> Iterator[Guideline]:
    yield Guideline(
        "holidays europe",
        "Public holidays",
        (current(HolidaysBlock(), people_at=(HARBOUR, MILL)),),
    )
    yield Guideline(
        "holidays north",
        "Public holidays",
        (current(HolidaysBlock(), people_at=(NORTH,)),),
        (("holidays north", Scope(guests=True)),),
    )
    yield Guideline(
        "holidays station",
        "Public holidays",
        (
            archived(HolidaysBlock(), people_at=(STATION,), scope=Scope(guests=False)),
            current(HolidaysBlock(), people_at=(STATION,), first=date(2027, 3, 25)),
        ),
        (("holidays station", Scope(at_most=30)),),
    )
    yield Guideline(
        "tentative",
        "Calendars",
        (
            current(TentativeFree(), scope=Scope(guests=True)),
            current(TentativeFree(), scope=Scope(guests=True, longer_than=30), first=date(2027, 4, 26)),
        ),
    )
    yield Guideline(
        "tentative short",
        "Calendars",
        (current(TentativeFree(), scope=Scope(longer_than=60), people_at=(HARBOUR, NORTH)),),
    )
    yield Guideline(
        "team calendars",
        "Team calendars",
        (
            current(TeamCalendarBlocks(), people_at=(MILL, STATION), scope=Scope(longer_than=30)),
            current(
                TeamCalendarBlocks(),
                people_at=(MILL, HARBOUR),
                scope=Scope(at_most=60),
                first=date(2027, 4, rng.choice((9, 19, 29))),
            ),
        ),
        (("team calendars", Scope(guests=True)),),
    )
    yield Guideline(
        "team calendars north",
        "Team calendars",
        (current(TeamCalendarBlocks(), people_at=(NORTH,), scope=Scope(guests=False, room_sites=(HARBOUR, NORTH))),),
    )


def _of_teams(people: Staff, rng: Random) -> Iterator[Guideline]:
    def some(count: int) -> tuple[str, ...]:
        return tuple(sorted(team.team_id for team in rng.sample(people.line_teams, count)))

    yield Guideline(
        "closing",
        "Finance",
        (
            archived(ban(0, "09:00", "12:00"), scope=Scope(organiser_teams=some(4)), last=date(2026, 12, 31)),
            current(
                ban(1, "09:00", "12:30"),
                ban(3, "09:00", "12:30"),
                scope=Scope(organiser_teams=some(6)),
                first=date(2027, 3, 1),
                last=date(2027, 4, 9),
            ),
        ),
    )
    yield Guideline(
        "engineers",
        "Engineering",
        (
            current(
                ban(2, "08:00", "12:00"),
                ban(4, "08:00", "11:00"),
                scope=Scope(organiser_teams=some(8)),
            ),
        ),
        (("maker pause", Scope(guests=True)),),
    )
    yield Guideline(
        "maker pause",
        "Engineering",
        (
            current(BufferMin(minutes=10), scope=Scope(organiser_teams=some(8))),
            current(BufferMin(minutes=20), scope=Scope(organiser_teams=some(7)), first=date(2027, 5, 10)),
        ),
    )
    yield Guideline(
        "customers",
        "Customers",
        (current(ban(0, "08:00", "11:00"), TentativeFree(), scope=Scope(organiser_teams=some(7))),),
        (
            ("monday", Scope(organiser_teams=some(8))),
            ("guests pause", Scope(room_sites=(HARBOUR, NORTH))),
        ),
    )
    yield Guideline(
        "deal teams",
        "Customers",
        (current(first=date(2027, 3, 8), last=date(2027, 5, 28)),),
        (
            ("turnaround harbour", Scope(at_most=60, organiser_teams=some(12))),
            ("wednesday north", Scope(organiser_teams=some(10))),
            ("hours north", Scope(guests=True, longer_than=60)),
        ),
    )
