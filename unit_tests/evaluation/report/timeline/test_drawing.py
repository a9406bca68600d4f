"""Drawings put bars where the timeline has them."""

import re
from dataclasses import replace

import pytest

from mpcbench.evaluation.report.shapes import Group, pixels
from mpcbench.evaluation.report.timeline.axis import LEFT, Axis, clock_change
from mpcbench.evaluation.report.timeline.bars import RowKind
from mpcbench.evaluation.report.timeline.drawing import Strip, day_summary, mark_text, stretches, strips
from mpcbench.oracle.interval import Interval, to_minutes
from unit_tests.builders import tiny
from unit_tests.evaluation.report.drawn import answer, drawn

WRONG = answer(3, "2027-02-08 15:00-16:00 R01", "2027-02-08 16:00-17:00 R02")
PER_MINUTE = 1.2  # pixels, of ten hours


def strip(text: str = WRONG) -> Strip:
    return strips(drawn(tiny.episode(3, text)))[0]


def boxes(groups: tuple[Group, ...], look: str) -> list[tuple[float, float, str]]:
    """The rectangles of one look as minutes from 08:00, with what they tell."""
    found = []
    for group in groups:
        if group.look == look:
            for path in group.paths:
                for left, width in re.findall(r"M([\d.]+) [\d.]+h([\d.]+)", path.d):
                    start = (float(left) - LEFT) / PER_MINUTE
                    found.append((start, start + float(width) / PER_MINUTE, path.title))
    return found


def test_events() -> None:
    """Busy events are at their times: from 08:00, one and six hours on."""
    busy = [(round(start), round(end), title) for start, end, title in boxes(strip().plot, "busy")]

    assert [
        (60, 120, "Design review, 09:00-10:00"),
        (360, 440, "Supplier audit, 14:00-15:20"),
        (240, 300, "1:1, 12:00-13:00"),
    ] == busy


def test_margins() -> None:
    """The buffers of a row are one path, thin boxes before and after the events."""
    buffers = [(round(start), round(end)) for start, end, _ in boxes(strip().plot, "buffer")]

    assert [(50, 60), (120, 130), (350, 360), (440, 450), (230, 240), (300, 310)] == buffers


def test_hits() -> None:
    """Where a wrong candidate overlaps a bar, that much of it is marked, with both named."""
    hits = [(round(start), round(end), title) for start, end, title in boxes(strip().plot, "hit")]

    assert [
        (440, 450, "Priya Nair: answer 1 overlaps buffer of 10 min around Supplier audit, 14:00-15:20"),
        (420, 440, "Priya Nair: answer 1 overlaps Supplier audit, 14:00-15:20"),
        (420, 480, "Ash: answer 1 overlaps Board, 15:00-16:00"),
        (480, 540, "Birch: answer 2 overlaps Birch does not fit: seats 4 of 5; no projector; at Hill, not at Harbour"),
    ] == hits


def test_candidates() -> None:
    """Gold and answer are above the rows, told apart by a sign and a number, and again in their rooms."""
    found = strip()
    signs = [text.text for group in found.plot if group.look.startswith("mark ") for text in group.texts]
    rooms = [text.text for group in found.plot if group.look == "room" for text in group.texts]

    assert ["○ 1", "○ 2", "✗ 1", "✗ 2"] == signs
    assert ["R03", "R03", "R01", "R02"] == rooms
    assert [(450, 510), (465, 525)] == [(round(a), round(b)) for a, b, _ in boxes(found.plot, "held missed")]
    assert [(420, 480), (480, 540)] == [(round(a), round(b)) for a, b, _ in boxes(found.plot, "held wrong")]


def test_candidates_at_one_time() -> None:
    """Candidates that overlap are below one another, others side by side."""
    text = answer(1, "2027-02-08 08:00-09:00", "2027-02-08 08:30-09:30", "2027-02-08 09:00-10:00")
    found = strips(drawn(tiny.episode(1, text)))[0]
    paths = [path.d for group in found.plot if group.look == "mark wrong" for path in group.paths]
    first, second, third = (re.findall(r"M[\d.]+ ([\d.]+)h", path)[0] for path in paths)

    assert (first, True) == (third, float(second) > float(first))


def test_labels() -> None:
    """Every row has its name and what tells it from others, or that its record was never seen."""
    labels = {
        look: [text.text for _, text in sorted(texts)]
        for look, texts in ((group.look, [(float(text.y), text) for text in group.texts]) for group in strip().labels)
    }

    assert {
        "name": ["Gold", "Answer", "Possible", "Lunch break", "Sam Carter", "Sam Carter", "Cedar"],
        "detail name": ["POL-02", "p002", "p003", "R03 · seats 5"],
        "never": ["Work hours", "Not before", "Blocked time", "After an event", "Priya Nair", "Ash", "Birch"],
        "detail never": ["never seen"] * 7,
    } == labels


def test_alternative() -> None:
    """The text alternative gives the times, the candidates and how busy people are."""
    assert (
        "Mon 2027-02-08 08:00-18:00. missed: gold 1, Mon 2027-02-08 15:30-16:30 R03; "
        "missed: gold 2, Mon 2027-02-08 15:45-16:45 R03; wrong: answer 1, Mon 2027-02-08 15:00-16:00 R01; "
        "wrong: answer 2, Mon 2027-02-08 16:00-17:00 R02. "
        "Busy events: Priya Nair 2, Sam Carter 1, Sam Carter 0."
    ) == strip().alternative


def test_folded_days_have_the_same_bars() -> None:
    """A folded day has all bars of a kind in a row in one path, which tells of each of them."""
    text = answer(1, *(f"2027-02-{day} 09:00-10:00" for day in (10, 11, 12, 15, 16, 17)))
    found = drawn(tiny.episode(1, text, calls=None))
    shown = strips(found)[0]
    folded = strips(replace(found, days=tuple(replace(day, shown=False) for day in found.days)))[0]

    assert [(a, b) for a, b, _ in boxes(shown.plot, "busy")] == [(a, b) for a, b, _ in boxes(folded.plot, "busy")]
    assert ["Design review, 09:00-10:00\nSupplier audit, 14:00-15:20", "1:1, 12:00-13:00"] == [
        path.title for group in folded.plot if group.look == "busy" for path in group.paths
    ]


def test_stretches() -> None:
    """Days without candidates are folded together, those with some stand alone."""
    found = stretches(drawn(tiny.episode(1, answer(1, "2027-02-12 09:00-10:00", "2027-02-15 09:00-10:00"))))

    assert [
        ("Mon 2027-02-08", "2 missed", True),
        ("Tue 2027-02-09", "no candidates", False),
        ("Fri 2027-02-12", "1 wrong", True),
        ("Mon 2027-02-15", "1 wrong", True),
    ] == [(one.heading, one.summary, one.shown) for one in found]


def test_texts_of_marks() -> None:
    """A candidate in words says what it is, when, where and what it breaks."""
    found = drawn(tiny.episode(3, answer(3, "2027-02-08 16:00-17:00 R02")))
    texts = [mark_text(mark, found.zone) for mark in found.days[0].marks]

    assert [
        "missed: gold 1, Mon 2027-02-08 15:30-16:30 R03",
        "missed: gold 2, Mon 2027-02-08 15:45-16:45 R03",
        (
            "wrong: answer 1, Mon 2027-02-08 16:00-17:00 R02 (room Birch seats 4, fewer than the 3 participants and "
            "2 guests; room Birch has no projector; room Birch is at Hill, not at Harbour)"
        ),
    ] == texts
    assert "1 wrong, 2 missed" == day_summary(found.days[0].marks)


@pytest.mark.parametrize(
    ("date", "hours", "change"),
    [
        ("2027-02-08", ["00:00", "01:00", "02:00", "03:00", "04:00"], ""),
        ("2027-03-28", ["00:00", "01:00", "03:00", "04:00"], "clocks change at 03:00"),
        ("2026-10-25", ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"], "clocks change at 02:00+0100"),
    ],
)
def test_hours_of_the_axis(date: str, hours: list[str], change: str) -> None:
    """The axis tells the hours that the wall clock shows, also on days on which clocks change."""
    start = to_minutes(tiny.at(f"{date} 00:00"))
    end = to_minutes(tiny.at(f"{date} 04:00"))
    day = drawn(tiny.episode(1, "?")).days[0]
    changed = replace(day, span=Interval(start, end + 20 * 60), hours=(0, 240))
    axis = Axis.of(changed, tiny.ZONE)

    assert (Interval(start, end), hours) == (axis.span, [hour for _, hour in axis.hours()])
    assert change == clock_change(changed, tiny.ZONE)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (12.0, "12"), (1.25, "1.2"), (1234.56, "1234.6"), (1e-9, "0")])
def test_lengths(value: float, text: str) -> None:
    """Lengths have one decimal place at most."""
    assert text == pixels(value)


def test_day_that_rules_close() -> None:
    """A day without candidates that the rules close as a whole shows those rules, and no rows of people or rooms."""
    found = drawn(tiny.episode(3, tiny.gold_text(3), calls=None))
    day = found.days[-1]
    rule = next(row for row in day.rows if row.kind is RowKind.RULE and row.bars)
    closing = replace(rule, bars=(replace(rule.bars[0], span=day.span),))
    closed = replace(found, days=(replace(day, rows=tuple(closing if row is rule else row for row in day.rows)),))
    open_names, closed_names = (
        {text.text for group in strips(one)[-1].labels if group.look == "name" for text in group.texts}
        for one in (found, closed)
    )

    assert () == day.marks
    assert {rule.name, "Priya Nair", "Ash"} <= open_names
    assert {"Priya Nair", "Sam Carter", "Ash", "Cedar"} & closed_names == set()
    assert rule.name in closed_names
