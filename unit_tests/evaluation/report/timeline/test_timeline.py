"""Timelines hold exactly the bars and marks that there are."""

from datetime import date
from typing import Any

import pytest

from mpcbench.evaluation.report.timeline.bars import BarKind, RowKind
from mpcbench.evaluation.report.timeline.marks import State
from mpcbench.evaluation.report.timeline.timeline import MOST_DAYS, MOST_OPEN, timeline
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import Interval, members, to_minutes
from mpcbench.oracle.local_time import grid
from mpcbench.oracle.solve import filtered_slots, room_masks
from mpcbench.schema import (
    BufferMin,
    Calendar,
    Duration,
    Instance,
    Label,
    OptionCount,
    Participants,
    RequiredWindow,
    Section,
    Statement,
    Window,
    WorkHours,
    World,
)
from mpcbench.schema.episode import Episode, Fault, WrongCandidate
from mpcbench.schema.model import Level
from mpcbench.schema.statements import CallPolicy, DailyHours
from unit_tests.builders import tiny
from unit_tests.builders.chosen_instances import windows_over
from unit_tests.builders.committed import DATASET
from unit_tests.evaluation.report.drawn import answer, bars, drawn, places

MONDAY = [
    "Window closed 00:00-08:00 task",
    "Window closed 00:00-08:00 task",
    "Window closed 18:00-24:00 task",
    "Work hours rule 00:00-09:00 policy:POL-01",
    "Work hours rule 17:00-24:00 policy:POL-01",
]
PRIYA = [
    "Priya Nair buffer 08:50-09:00 calendar:p001 policy:POL-01",
    "Priya Nair buffer 10:00-10:10 calendar:p001 policy:POL-01",
    "Priya Nair busy 09:00-10:00 calendar:p001",
    "Priya Nair buffer 13:50-14:00 calendar:p001 policy:POL-01",
    "Priya Nair buffer 15:20-15:30 calendar:p001 policy:POL-01",
    "Priya Nair busy 14:00-15:20 calendar:p001",
]
SAM = [
    "Sam Carter buffer 11:50-12:00 calendar:p002 policy:POL-01",
    "Sam Carter buffer 13:00-13:10 calendar:p002 policy:POL-01",
    "Sam Carter busy 12:00-13:00 calendar:p002",
]


def test_bars_of_level_1() -> None:
    """A day has the closed times, the rule's, and every event with its buffer on both sides."""
    found = drawn(tiny.episode(1, tiny.gold_text(1)))

    assert [*MONDAY, *PRIYA, *SAM] == bars(found.days[0], found)


def test_bars_of_an_empty_day() -> None:
    """A day without events has what closes it: window, daily hours and work hours."""
    found = drawn(tiny.episode(1, tiny.gold_text(1)))

    assert [
        "Window closed 20:00-24:00 task",
        "Window closed 00:00-08:00 task",
        "Window closed 18:00-24:00 task",
        "Work hours rule 00:00-09:00 policy:POL-01",
        "Work hours rule 17:00-24:00 policy:POL-01",
    ] == bars(found.days[1], found)


def test_bars_of_level_2() -> None:
    """What the thread says and the policy that it calls for are rules too, on the days on which they hold."""
    found = drawn(tiny.episode(2, tiny.gold_text(2)))
    rules = [
        [line for line in bars(day, found) if line.startswith(("Weekly block", "Blocked time"))] for day in found.days
    ]

    assert [
        ["Blocked time rule 10:00-11:00 thread:T0001"],
        ["Weekly block rule 09:00-10:30 policy:POL-03"],
    ] == rules


def test_bars_of_level_3() -> None:
    """Rules of policies and threads, participants added, rooms with bookings and turnaround, and those that do not fit."""
    found = drawn(
        tiny.episode(3, answer(3, "2027-02-08 15:00-16:00 R01", "2027-02-08 16:00-17:00 R02", "2027-02-08 09:00-10:00"))
    )

    assert [
        *MONDAY[:3],
        "Work hours rule 00:00-09:00 policy:POL-01",
        "Work hours rule 17:00-24:00 policy:POL-01",
        "Lunch break rule 12:00-13:00 policy:POL-02",
        "Not before rule 00:00-08:30 thread:T0001",
        "Blocked time rule 10:00-11:00 thread:T0001",
        "Required time rule 00:00-08:00 thread:T0001",
        "After an event rule 00:00-10:00 thread:T0001 calendar:p001, hit by 3",
        "Priya Nair buffer 08:50-09:00 calendar:p001 policy:POL-01",
        "Priya Nair buffer 10:00-10:10 calendar:p001 policy:POL-01",
        "Priya Nair busy 09:00-10:00 calendar:p001, hit by 3",
        "Priya Nair buffer 13:50-14:00 calendar:p001 policy:POL-01",
        "Priya Nair buffer 15:20-15:30 calendar:p001 policy:POL-01, hit by 1",
        "Priya Nair busy 14:00-15:20 calendar:p001, hit by 1",
        *SAM,
        "Ash turnaround 14:40-15:00 room_calendar:R01 policy:POL-02",
        "Ash turnaround 16:00-16:20 room_calendar:R01 policy:POL-02",
        "Ash booking 15:00-16:00 room_calendar:R01, hit by 1",
        "Birch unsuitable 00:00-24:00 room:R02, hit by 2",
    ] == bars(found.days[0], found)


def test_rooms_in_order() -> None:
    """Rooms come by rank, unsuitable ones after them, unknown ones last."""
    found = drawn(tiny.episode(3, answer(3, "2027-02-08 15:00-16:00 R99", "2027-02-08 16:00-17:00 R02")))
    rows = [(row.name, row.detail) for row in found.days[0].rows if row.kind is RowKind.ROOM]

    assert [
        ("Ash", "R01 · seats 8"),
        ("Cedar", "R03 · seats 5"),
        ("Birch", "R02 · seats 4 of 5"),
        ("R99", "no such room"),
    ] == rows


def test_text_of_a_bar() -> None:
    """A bar says what it is and how long it lasts."""
    found = drawn(tiny.episode(3, tiny.gold_text(3)))
    texts = {bar.text for row in found.days[0].rows for bar in row.bars}

    assert texts >= {
        "outside the window Mon 2027-02-08 08:00 to Tue 2027-02-09 20:00",
        "Work hours: only 09:00-17:00 on Mon, Tue, Wed, Thu, Fri",
        "After an event: from Mon 2027-02-08 10:00 on, when Priya Nair (p001)'s 'Design review' has ended",
        "buffer of 10 min around Design review, 09:00-10:00",
        "Design review, 09:00-10:00",
    }


def test_marks() -> None:
    """Gold comes by rank, right or missed; then what was proposed and is not gold, each once."""
    text = answer(1, "2027-02-08 09:30-10:30", "2027-02-08 10:30-11:30", "2027-02-08 09:30-10:30")
    found = drawn(tiny.episode(1, text))

    assert [("missed", 1, None), ("right", 2, 2), ("wrong", None, 1)] == [*places(found)]


def test_marks_of_a_void_episode() -> None:
    """Who never answered has missed nothing."""
    found = drawn(tiny.episode(1, fault=Fault(kind="endpoint", message="gone")))

    assert [("gold", 1, None), ("gold", 2, None)] == [*places(found)]


def test_gold_is_the_episodes() -> None:
    """The gold is what the episode was judged by, also where the label has another by now."""
    episode = tiny.episode(1, "no answer")
    label = tiny.label(1)
    changed = label.model_copy(update={"gold": label.gold[:1]})
    found = timeline(tiny.world(1), tiny.instance(1), changed, episode)

    assert [("missed", 1, None), ("missed", 2, None)] == [*places(found)]


def test_candidates_off_the_days() -> None:
    """A candidate near the window has its day; one that ends before it starts, is endless or far away is listed."""
    text = (
        '{"candidates": ['
        '{"start": "2027-02-12T09:00", "end": "2027-02-12T10:00"},'
        '{"start": "2027-02-08T09:00", "end": "2027-02-08T08:00"},'
        '{"start": "2027-02-08T09:00", "end": "2027-02-11T09:00"},'
        '{"start": "2999-12-31T23:30", "end": "2999-12-31T23:45"}]}'
    )
    found = drawn(tiny.episode(1, text))

    assert [date(2027, 2, 8), date(2027, 2, 9), date(2027, 2, 12)] == [day.date for day in found.days]
    assert [2, 3, 4] == [mark.place for mark in found.undrawn]


def test_day_outside_the_window() -> None:
    """A day that only a wrong candidate has is closed as a whole."""
    found = drawn(tiny.episode(1, answer(1, "2027-02-12 09:00-10:00")))

    assert "Window closed 00:00-24:00 task, hit by 1" in bars(found.days[2], found)


def test_candidate_across_midnight() -> None:
    """It is on both of its days, and those of them that hold nothing else have longer hours."""
    text = '{"candidates": [{"start": "2027-02-08T23:30", "end": "2027-02-09T00:30"}]}'
    found = drawn(tiny.episode(1, text))

    assert [[1], [1]] == [[mark.place for mark in day.marks if mark.place] for day in found.days]
    assert [(8 * 60, 24 * 60), (0, 18 * 60)] == [day.hours for day in found.days]


def test_shown_days() -> None:
    """Days with candidates are shown, gold first, up to a number; those without are folded."""
    slots = [f"2027-02-{day:02} 09:00-10:00" for day in range(1, 28)]
    found = drawn(tiny.episode(1, answer(1, *slots)))
    shown = [day.date.day for day in found.days if day.shown]

    assert [*range(1, MOST_OPEN), 8] == shown


def test_many_wrong_candidates() -> None:
    """The first fifty wrong ones are marks, the rest are counted."""
    slots = [f"2027-02-08 {9 + n // 60:02}:{n % 60:02}-{10 + n // 60:02}:{n % 60:02}" for n in range(60)]
    found = drawn(tiny.episode(1, answer(1, *slots)))

    assert (50, 10) == (sum(state == "wrong" for state, _, _ in places(found)), found.wrong_left_out)


def test_records_never_seen() -> None:
    """A row names its needed records, or those of a proposed room, that no result showed."""
    calls = (tiny.call("calendar:p001"), tiny.call("room:R01"))
    found = drawn(tiny.episode(3, answer(3, "2027-02-08 15:00-16:00 R01"), calls=calls))
    unseen = {row.name: row.unseen for row in found.days[0].rows if row.unseen}

    assert {
        "Work hours": ("policy:POL-01",),
        "Not before": ("thread:T0001",),
        "Deadline": ("thread:T0001",),
        "Blocked time": ("thread:T0001",),
        "Required time": ("thread:T0001",),
        "After an event": ("thread:T0001",),
        "Ash": ("room_calendar:R01",),
    } == unseen


@pytest.mark.parametrize("more", [{"calls": None}, {"reveal": "records"}])
def test_records_not_known_to_be_unseen(more: dict[str, Any]) -> None:
    """Nothing is said where the calls are not known or the records were handed over."""
    found = drawn(tiny.episode(1, "no answer", **more))

    assert [] == [row.name for day in found.days for row in day.rows if row.unseen]


def special(
    *said: Statement, calendars: tuple[Calendar, ...] = (), rules: tuple[WorkHours | BufferMin, ...] = ()
) -> tuple[World, Instance, Episode]:
    """A level-1 instance of its own for one person, with an episode without an answer."""
    document = tiny.world(1).documents[0]
    section = Section(policy_id="POL-01", heading="", text="", rules=rules)
    world = tiny.world(1).model_copy(
        update={"calendars": calendars, "documents": (document.model_copy(update={"sections": (section,)}),)}
    )
    given = (
        Participants(person_ids=("p001",)),
        Duration(minutes=60),
        OptionCount(count=1),
        CallPolicy(policy_id="POL-01"),
    )
    instance = tiny.instance(1)
    references = instance.references.model_copy(update={"statements": (*given, *said)})
    return world, instance.model_copy(update={"references": references}), tiny.episode(1, "no answer")


def test_event_across_midnight() -> None:
    """An event across midnight is on both days, clipped, with one buffer before it and one after it."""
    calendar = Calendar(person_id="p001", events=(tiny.event("e", "Release", "2027-02-08 23:00", "2027-02-09 01:00"),))
    window = Window(start=tiny.at("2027-02-08 00:00"), end=tiny.at("2027-02-10 00:00"))
    world, instance, episode = special(window, calendars=(calendar,), rules=(BufferMin(minutes=90),))
    found = drawn(episode, world, instance)
    person = [[line for line in bars(day, found) if line.startswith("Priya")] for day in found.days]

    assert [
        ["Priya Nair buffer 21:30-23:00 calendar:p001 policy:POL-01", "Priya Nair busy 23:00-24:00 calendar:p001"],
        ["Priya Nair buffer 01:00-02:30 calendar:p001 policy:POL-01", "Priya Nair busy 00:00-01:00 calendar:p001"],
    ] == person
    assert "Release, Mon 2027-02-08 23:00 to Tue 2027-02-09 01:00" in {
        bar.text for row in found.days[0].rows for bar in row.bars
    }


def test_buffer_across_midnight() -> None:
    """A buffer reaches into a day that its event does not touch."""
    calendar = Calendar(person_id="p001", events=(tiny.event("e", "Release", "2027-02-07 23:00", "2027-02-07 23:50"),))
    window = Window(start=tiny.at("2027-02-08 00:00"), end=tiny.at("2027-02-09 00:00"))
    world, instance, episode = special(window, calendars=(calendar,), rules=(BufferMin(minutes=25),))
    found = drawn(episode, world, instance)

    assert ["Priya Nair buffer 00:00-00:15 calendar:p001 policy:POL-01"] == bars(found.days[0], found)


def test_day_of_23_hours() -> None:
    """On the day on which clocks go forward, rules of the wall clock skip the lost hour."""
    calendar = Calendar(person_id="p001", events=(tiny.event("e", "Release", "2027-03-28 01:30", "2027-03-28 03:30"),))
    window = Window(
        start=tiny.at("2027-03-28 00:00"),
        end=tiny.at("2027-03-29 00:00"),
        daily=DailyHours(start="01:00", end="05:00"),
    )
    rules = (BufferMin(minutes=45), WorkHours(start="02:30", end="04:00", days=(6,)))
    world, instance, episode = special(window, calendars=(calendar,), rules=rules)
    found = drawn(episode, world, instance)
    day = found.days[-1]
    lengths = [bar.span.end - bar.span.start for row in day.rows for bar in row.bars]

    assert (23 * 60, date(2027, 3, 28)) == (day.span.end - day.span.start, day.date)
    assert [
        "Window closed 00:00-01:00 task",
        "Window closed 05:00-24:00 task",
        "Work hours rule 00:00-03:00 policy:POL-01",
        "Work hours rule 04:00-24:00 policy:POL-01",
        "Priya Nair buffer 00:45-01:30 calendar:p001 policy:POL-01",
        "Priya Nair buffer 03:30-04:15 calendar:p001 policy:POL-01",
        "Priya Nair busy 01:30-03:30 calendar:p001",
    ] == bars(day, found)
    assert [60, 19 * 60, 120, 20 * 60, 45, 45, 60] == lengths


def test_day_of_25_hours() -> None:
    """On the day on which clocks go back, the hour that comes twice is in both."""
    window = Window(start=tiny.at("2026-10-25 00:00"), end=tiny.at("2026-10-26 00:00"))
    world, instance, episode = special(window, rules=(WorkHours(start="02:15", end="02:45", days=(6,)),))
    found = drawn(episode, world, instance)
    day = found.days[0]

    assert 25 * 60 == day.span.end - day.span.start
    assert [135, 30, 12 * 60 + 555] == [bar.span.end - bar.span.start for row in day.rows for bar in row.bars]


def test_lines_that_must_not_be_crossed() -> None:
    """Hours that touch at midnight, and required windows that touch, are told apart by bars of no length."""
    window = Window(
        start=tiny.at("2027-02-08 00:00"),
        end=tiny.at("2027-02-10 00:00"),
        daily=DailyHours(start="00:00", end="24:00"),
    )
    required = (
        RequiredWindow(start=tiny.at("2027-02-08 09:00"), end=tiny.at("2027-02-08 12:00")),
        RequiredWindow(start=tiny.at("2027-02-08 12:00"), end=tiny.at("2027-02-08 15:00")),
    )
    world, instance, episode = special(window, *required)
    found = drawn(episode, world, instance)

    assert [
        "Window closed 00:00-00:00 task",
        "Required time rule 00:00-09:00 task",
        "Required time rule 12:00-12:00 task",
        "Required time rule 15:00-24:00 task",
    ] == bars(found.days[0], found)


def test_long_window() -> None:
    """Of a window of many months the first days are there, and the others are counted."""
    window = Window(start=tiny.at("2027-02-08 00:00"), end=tiny.at("2027-12-01 00:00"))
    world, instance, episode = special(window)
    found = drawn(episode, world, instance)

    assert (MOST_DAYS, 296 - MOST_DAYS) == (len(found.days), found.days_left_out)


def committed(level: Level) -> list[tuple[World, Instance, Label]]:
    data = DATASET
    return [
        (data.world(level), instance, data.labels(level)[instance.instance_id])
        for instance in data.instances(level)[:: 12 if level == 3 else 6]
    ]


def unanswered(label: Label) -> Episode:
    """An episode that only has a gold."""
    return tiny.episode(1, "no answer").model_copy(update={"level": label.level, "gold": label.gold})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_bars_are_the_oracles_rules(level: Level) -> None:
    """A slot on the grid is feasible if and only if it overlaps no bar of its room."""
    for world, instance, label in committed(level):
        found = timeline(world, instance, label, unanswered(label))
        problem = resolve(world, instance)
        origin = problem.window.start
        slots = [
            Interval(origin + start, origin + start + problem.duration)
            for start in members(grid(problem.window, world.zone))
        ]
        shown = {row.room_id for row in found.days[0].rows}
        for room, mask in room_masks(problem, filtered_slots(problem)[0]):
            room_id = None if room is None else room.room_id
            if room_id in shown:
                spans = [
                    bar.span
                    for day in found.days
                    for row in day.rows
                    if row.room_id in {None, room_id}
                    for bar in row.bars
                ]
                free = [slot for slot in slots if not any(span.overlaps(slot) for span in spans)]

                assert [origin + start for start in members(mask)] == [slot.start for slot in free], (
                    instance.instance_id
                )


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_event_once_a_day(level: Level) -> None:
    """Every busy event of a participant is exactly one bar on each day of the window that it touches."""
    for world, instance, label in committed(level):
        found = timeline(world, instance, label, unanswered(label))
        expected = []
        for day in found.days:
            for person_id in resolve(world, instance).participants:
                for event in world.events_by_person[person_id]:
                    span = Interval(to_minutes(event.start), to_minutes(event.end))
                    if span.overlaps(day.span):
                        clipped = Interval(max(span.start, day.span.start), min(span.end, day.span.end))
                        expected.append((day.date, f"calendar:{person_id}", clipped))
        bars_found = [
            (day.date, bar.records[0], bar.span)
            for day in found.days
            for row in day.rows
            for bar in row.bars
            if bar.kind is BarKind.BUSY
        ]

        assert sorted(expected) == sorted(bars_found)


def test_instance_of_the_data_across_a_change_of_clocks() -> None:
    """A committed window across the end of March has a day of 23 hours, and each gold candidate lies on its own date."""
    instance = next(windows_over(date(2027, 3, 28)))
    world, label = DATASET.world(instance.level), DATASET.labels(instance.level)[instance.instance_id]
    found = timeline(world, instance, label, unanswered(label))
    dates = [day.date for day in found.days]
    window = resolve(world, instance).window

    assert [date(2027, 3, 28)] == [day.date for day in found.days if day.span.end - day.span.start == 23 * 60]
    assert {23, 24} == {(day.span.end - day.span.start) / 60 for day in found.days}
    assert sorted({*dates}) == dates
    assert found.days[0].span.start <= window.start < window.end <= found.days[-1].span.end
    assert sorted(
        (rank, one.start.astimezone(world.zone).date()) for rank, one in enumerate(label.gold, start=1)
    ) == sorted((mark.rank, day.date) for day in found.days for mark in day.marks if mark.rank is not None)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_hits_are_the_violations(level: Level) -> None:
    """The bars that a wrong candidate overlaps come from the records that its violations name."""
    rooms = [" R01", " R02", " R03", " R99"] if level == 3 else [""]
    slots = [
        f"2027-02-0{day} {hour:02}:{minute:02}-{hour + 1:02}:{minute:02}{room}"
        for day in (8, 9)
        for hour, minute in ((7, 45), (9, 45), (11, 0), (12, 15), (15, 15), (17, 15))
        for room in rooms
    ]
    episode = tiny.episode(level, answer(level, *slots))
    found = drawn(episode)
    hit: dict[int | None, set[str]] = {
        mark.place: set() for day in found.days for mark in day.marks if mark.state is State.WRONG and mark.place
    }
    for row in (row for day in found.days for row in day.rows):
        for bar in row.bars:
            for place in bar.hits:
                hit[place].update(record for record in bar.records if not record.startswith("policy:"))

    assert len(slots) - 8 < len(hit)
    assert {wrong.place: told(wrong) for wrong in episode.violations if wrong.place is not None} == hit


def told(wrong: WrongCandidate) -> set[str]:
    """The records of what can be drawn; of policies nothing, as a margin is not always reached."""
    metadata = {"capacity", "equipment", "site"}
    return {
        record
        for one in wrong.violations
        if one.kind != "ranking"
        for record in (one.records[:1] if one.kind in metadata else one.records)
        if not record.startswith("policy:")
    }
