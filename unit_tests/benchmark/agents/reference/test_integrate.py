"""The reference agent's arithmetic agrees with the engine, across changes of the clock too."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Heard, Kind, PersonName, Room, Window, request_of
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment, instant
from mpcbench.benchmark.agents.reference.integrate import choose
from mpcbench.oracle import Problem, RoomOption, RoomSearch, solve
from mpcbench.oracle import problem as engine
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.schema import Order, Source, TieBreakKey

PLACES = (
    ("Europe/London", date(2027, 3, 27)),
    ("America/New_York", date(2027, 3, 12)),
    ("Europe/Berlin", date(2027, 10, 30)),
    ("Australia/Lord_Howe", date(2027, 4, 3)),
    ("UTC", date(2027, 1, 1)),
)
KEYS = {
    "capacity": TieBreakKey.CAPACITY_ASCENDING,
    "-capacity": TieBreakKey.CAPACITY_DESCENDING,
    "floor": TieBreakKey.FLOOR_ASCENDING,
    "-floor": TieBreakKey.FLOOR_DESCENDING,
    "name": TieBreakKey.NAME_ASCENDING,
}
ROOMS = (
    Room("R01", "Oak", "Hill", 1, 4, ("projector",)),
    Room("R02", "Elm", "Hill", 0, 6, ("projector", "whiteboard")),
    Room("R03", "Ash", "Harbour", 0, 6, ("projector",)),
    Room("R04", "Fir", "Hill", 2, 2, ()),
)


@st.composite
def hours(draw: st.DrawFn) -> Hours:
    """A part of the day, on any minute."""
    start, end = sorted(draw(st.lists(st.integers(0, 1440), min_size=2, max_size=2, unique=True)))
    return Hours(start, end)


@st.composite
def facts(draw: st.DrawFn) -> Facts:
    """The facts about a meeting of one to three days, often on the day on which the clock changes."""
    name, first = draw(st.sampled_from(PLACES))
    zone = ZoneInfo(name)
    days = Days(first, first + timedelta(days=draw(st.integers(0, 2))))
    midnight = to_minutes(instant(Moment(days.first, 0), zone))
    request = request_of(
        [
            Heard(Kind.PEOPLE, [PersonName("Ada Byron"), PersonName("Ben Cole")]),
            Heard(Kind.LENGTH, 15 * draw(st.integers(1, 12))),
            Heard(Kind.COUNT, draw(st.integers(1, 20))),
            Heard(Kind.WINDOW, Window(days, draw(st.none() | hours()))),
            Heard(Kind.GUESTS, draw(st.integers(0, 3))),
            Heard(Kind.LATEST, draw(st.booleans())),
            Heard(Kind.ROOM_ORDER, tuple(draw(st.lists(st.sampled_from(sorted(KEYS)), max_size=2)))),
            Heard(Kind.EQUIPMENT, draw(st.sampled_from(([], ["projector"])))),
        ]
    )
    weekdays = st.sets(st.integers(0, 6), min_size=1).map(frozenset)
    rules = st.one_of(
        st.builds(InsideHours, hours(), weekdays),
        st.builds(OutsideHours, hours(), weekdays),
        st.builds(Pause, st.integers(1, 90)),
        st.builds(RoomPause, st.integers(1, 90)),
    )
    spans = st.builds(
        lambda start, length: Busy(midnight + start, midnight + start + length, "Busy"),
        st.integers(-600, 3 * 1440),
        st.integers(1, 600),
    )
    return Facts(
        zone,
        request,
        rules=draw(st.lists(rules, max_size=2)),
        calendars={name: draw(st.lists(spans, max_size=4)) for name in ("Ada Byron", "Ben Cole")},
        after=draw(st.lists(st.integers(midnight - 60, midnight + 2000), max_size=1)),
        rooms=draw(st.sampled_from((None, list(ROOMS)))),
        bookings={room.room_id: draw(st.lists(spans, max_size=2)) for room in ROOMS},
    )


def problem_of(known: Facts) -> Problem:
    """The same facts for the engine."""
    request = known.request
    assert request.window is not None
    assert request.length is not None
    assert request.count is not None
    days, daily = request.window
    rules: list[engine.Rule] = [
        engine.Busy(name, tuple(Interval(busy.start, busy.end) for busy in events))
        for name, events in known.calendars.items()
    ]
    rules += [engine.StartsFrom(end) for end in known.after]
    for rule in known.rules:
        match rule:
            case InsideHours(hours=open_hours, weekdays=weekdays):
                rules.append(engine.InsideHours(*open_hours, tuple(weekdays)))
            case OutsideHours(hours=closed_hours, weekdays=weekdays):
                rules.append(engine.OutsideHours(*closed_hours, tuple(weekdays)))
            case Pause(minutes=minutes):
                rules.append(engine.Buffer(minutes))
    rooms = known.rooms and RoomSearch(
        rooms=tuple(
            RoomOption(
                *room[:5],
                frozenset(room.equipment),
                tuple(Interval(busy.start, busy.end) for busy in known.bookings[room.room_id]),
            )
            for room in known.rooms
        ),
        seats=len(request.people) + request.guests,
        equipment=frozenset(request.equipment),
        site=None,
        turnarounds=tuple(
            engine.Turnaround(rule.minutes, "policy:POL-01") for rule in known.rules if isinstance(rule, RoomPause)
        ),
    )
    return Problem(
        level=3,
        zone=known.zone,
        participants=tuple(known.calendars),
        window=Interval(
            to_minutes(instant(Moment(days.first, 0), known.zone)),
            to_minutes(instant(Moment(days.last, 1440), known.zone)),
        ),
        daily=None if daily is None else (daily.start, daily.end),
        duration=request.length,
        count=request.count,
        constraints=tuple(engine.Constraint(Source.POLICY, "any", (), rule) for rule in rules),
        rooms=rooms or None,
        order=Order.LATEST if request.latest else Order.EARLIEST,
        tie_break=tuple(KEYS[key] for key in request.room_order),
    )


@given(facts())
def test_the_choice_is_the_gold(known: Facts) -> None:
    """Agent and engine share no code and choose the same options in the same order."""
    gold = solve(problem_of(known)).gold

    assert [(one.start, one.end, one.room_id) for one in gold] == [tuple(option) for option in choose(known)]
