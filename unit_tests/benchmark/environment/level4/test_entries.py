"""Calendars show their entries in words that say all that the entry says."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.environment.level4.entries import PRIVATE, entries_between, entry_json
from mpcbench.oracle.level4.timeline import occurrences
from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status
from mpcbench.schema.model import to_minutes
from unit_tests.builders.office_records import at

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COUNTED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
FREQUENCIES = {"day": Frequency.DAILY, "week": Frequency.WEEKLY, "month": Frequency.MONTHLY}
ZONES = ("Europe/Lisbon", "Europe/Berlin", "America/New_York", "Asia/Kathmandu")

moments = st.integers(0, 60 * 24 * 80).map(
    lambda minute: at("01-25 00:00").astimezone(ZoneInfo("UTC")) + timedelta(minutes=minute)
)
lengths = st.integers(1, 60 * 30).map(lambda minutes: timedelta(minutes=minutes))


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry, single or recurring, around the changes of clocks in March."""
    start = draw(moments)
    zone = draw(st.sampled_from(ZONES))
    first = start.astimezone(ZoneInfo(zone)).date()
    frequency = draw(st.sampled_from(Frequency))
    days = draw(
        st.lists(st.integers(0, 40).map(lambda number: first + timedelta(days=number)), max_size=4, unique=True)
    )
    monthly = frequency is Frequency.MONTHLY
    weekdays = draw(st.lists(st.integers(0, 6), min_size=1, max_size=3, unique=True))
    moved = draw(st.integers(0, len(days)))
    rule = Recurrence(
        timezone=zone,
        frequency=frequency,
        interval=draw(st.integers(1, 3)),
        weekdays=(weekdays[0],) if monthly else tuple(sorted(weekdays)) if frequency is Frequency.WEEKLY else (),
        nth=draw(st.sampled_from((1, 2, 3, 4, -1))) if monthly else None,
        until=first + timedelta(days=draw(st.integers(0, 50))),
        excepted=tuple(sorted(days[moved:])),
        moved=tuple(draw(_moves(day)) for day in sorted(days[:moved])),
    )
    return Entry(
        "e1",
        draw(st.sampled_from((None, "Review"))),
        start,
        start + draw(lengths),
        draw(st.sampled_from(Status)),
        draw(st.sampled_from((None, rule))),
    )


@st.composite
def _moves(draw: st.DrawFn, day: date) -> Moved:
    start = draw(moments)
    return Moved(day=day, start=start, end=start + draw(lengths), status=draw(st.sampled_from((None, *Status))))


def read(shown: dict[str, Any]) -> Entry:
    """The entry that a reader understands."""
    title = None if shown["title"] == PRIVATE else shown["title"]
    status = Status(shown["state"].replace(" ", "_"))
    if "repeats" not in shown:
        starts, ends = (datetime.fromisoformat(shown[name]) for name in ("starts", "ends"))
        return Entry(shown["entry_id"], title, starts, ends, status)
    every, _, on = shown["repeats"].partition(" on ")
    *number, unit = every.removeprefix("every ").split()
    weekdays = tuple(place for place, name in enumerate(WEEKDAYS) if name in on)
    nth = next((number for word, number in COUNTED.items() if f"the {word} " in on), None)
    zone = ZoneInfo(shown["time_zone"])
    start = (
        datetime.fromisoformat(f"{shown['first_day']}T{shown['time']}").replace(tzinfo=zone).astimezone(ZoneInfo("UTC"))
    )
    rule = Recurrence(
        timezone=shown["time_zone"],
        frequency=FREQUENCIES[unit.removesuffix("s")],
        interval=int(number[0]) if number else 1,
        weekdays=weekdays,
        nth=nth,
        until=date.fromisoformat(shown["last_day"]),
        excepted=tuple(map(date.fromisoformat, shown.get("not_on", ()))),
        moved=tuple(
            Moved(
                day=date.fromisoformat(one["instead_of"]),
                start=datetime.fromisoformat(one["starts"]),
                end=datetime.fromisoformat(one["ends"]),
                status=Status(one["state"].replace(" ", "_")),
            )
            for one in shown.get("moved", ())
        ),
    )
    return Entry(shown["entry_id"], title, start, start + timedelta(minutes=shown["minutes"]), status, rule)


@given(entries(), st.sampled_from(ZONES))
def test_what_is_shown_says_when_and_in_which_state(entry: Entry, zone: str) -> None:
    """A reader of the words finds the same occurrences in the same states, in whatever zone they are shown."""
    actual = read(entry_json(entry, ZoneInfo(zone)))

    assert list(occurrences(entry)) == list(occurrences(actual))
    assert entry.title == actual.title


@given(st.lists(entries(), max_size=5), moments, lengths)
def test_whatever_takes_place_is_listed(some: list[Entry], start: datetime, length: timedelta) -> None:
    """An entry with an occurrence that touches the span is listed, and the entries come by start."""
    shown = entries_between(some, start, start + length)
    low, high = to_minutes(start), to_minutes(start + length)
    taking_place = [entry for entry in some if any(one.start < high and low < one.end for one in occurrences(entry))]

    assert all(entry in shown for entry in taking_place)
    assert sorted(to_minutes(entry.start) for entry in shown) == [to_minutes(entry.start) for entry in shown]
    assert all(entry in taking_place for entry in shown if entry.recurrence is None)
