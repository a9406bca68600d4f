"""Where the bars of a timeline are drawn: strips of a day each, as paths and texts in pixels for the template.

One strip has two pictures of one height, labels and plot, so that the labels stay in view while the plot scrolls.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from itertools import groupby
from typing import Final

from mpcbench.evaluation.report.shapes import Group, Path, Text, pixels
from mpcbench.evaluation.report.timeline.axis import LEFT, Axis, clock_change
from mpcbench.evaluation.report.timeline.bars import Bar, BarKind, RowKind
from mpcbench.evaluation.report.timeline.marks import Mark, State
from mpcbench.evaluation.report.timeline.timeline import Day, Timeline, TimelineRow
from mpcbench.evaluation.scoring.time_text import WEEKDAYS, local_interval
from mpcbench.oracle.interval import Interval, union
from mpcbench.schema.untrusted_text import one_line

LABEL_WIDTH: Final = 168
GLYPHS: Final = {State.RIGHT: "✓", State.WRONG: "✗", State.MISSED: "○", State.GOLD: "★"}
"""Distinguishes the states without colour; missed ones are dashed too."""

NEVER_SEEN: Final = "never seen"

_TOP = 20  # the hours
_MARK, _FREE, _GAP = 17, 8, 7
_HEIGHTS = {RowKind.RULE: 15, RowKind.PERSON: 20, RowKind.ROOM: 20}
_LETTER = 6.4  # of the labels' font, on average
_LABEL_LETTERS = 25
_SPOKEN = 12  # candidates that a text alternative names
_MARGINS = {BarKind.BUFFER, BarKind.TURNAROUND}
_ORDER = (BarKind.UNSUITABLE, BarKind.RULE, BarKind.BUFFER, BarKind.TURNAROUND, BarKind.BUSY, BarKind.BOOKING)
_COLUMNS = (State.RIGHT, State.MISSED, State.GOLD, State.WRONG)


@dataclass(frozen=True, slots=True)
class Strip:
    """The picture of one day."""

    date: str
    summary: str
    alternative: str
    """What the picture shows, for those who do not see it."""

    width: str
    height: str
    labels: tuple[Group, ...]
    plot: tuple[Group, ...]
    shown: bool
    empty: bool
    """Whether it holds no candidate."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One day, or several that follow one another and are folded together."""

    heading: str
    summary: str
    strips: tuple[Strip, ...]
    shown: bool


def stretches(timeline: Timeline) -> tuple[Stretch, ...]:
    """The days in order, those without candidates folded together."""
    found: list[Stretch] = []
    for empty, group in groupby(strips(timeline), key=lambda strip: strip.empty):
        days = tuple(group)
        if empty and len(days) > 1:
            heading = f"{days[0].date} to {days[-1].date}"
            none = "no candidates drawn" if timeline.wrong_left_out else "no candidates"
            found.append(Stretch(heading, f"{len(days)} days, {none}", days, shown=False))
        else:
            found += [Stretch(day.date, day.summary, (day,), day.shown) for day in days]
    return tuple(found)


def strips(timeline: Timeline) -> tuple[Strip, ...]:
    """The picture of every day; in folded ones the bars of a row that are of one kind are one path."""
    return tuple(_Drawing(timeline, day).strip() for day in timeline.days)


def mark_text(mark: Mark, zone: tzinfo, *, reasons: bool = True) -> str:
    """A candidate in words: what it is, when, where and why it is wrong."""
    what = {
        State.RIGHT: f"right: answer {mark.place}, gold {mark.rank}",
        State.WRONG: f"wrong: answer {mark.place}",
        State.MISSED: f"missed: gold {mark.rank}",
        State.GOLD: f"gold {mark.rank}",
    }[mark.state]
    room = "" if mark.room_id is None else f" {one_line(mark.room_id, 60)}"
    why = f" ({'; '.join(mark.reasons)})" if reasons and mark.reasons else ""
    return f"{what}, {local_interval(mark.span, zone)}{room}{why}"


def day_summary(marks: Iterable[Mark]) -> str:
    """How many candidates of each kind a day holds: `2 right, 1 wrong`."""
    states = [mark.state for mark in marks]
    return ", ".join(f"{states.count(state)} {state}" for state in State if state in states) or "no candidates"


@dataclass
class _Drawing:
    """One day, drawn from top to bottom."""

    timeline: Timeline
    day: Day
    labels: dict[str, list[Text]] = field(default_factory=dict)
    plot: list[Group] = field(default_factory=list)
    bottom: float = _TOP
    lines: str = ""
    """Below every row."""

    def __post_init__(self) -> None:
        self.zone = self.timeline.zone
        self.axis = Axis.of(self.day, self.zone)

    def strip(self) -> Strip:
        gold = [mark for mark in self.day.marks if mark.rank is not None]
        answer = [mark for mark in self.day.marks if mark.place is not None]
        if gold:
            self.candidates("Gold", gold, own=True)
        if answer:
            self.candidates("Answer", answer, own=False)
        if any(map(self.axis.shows, self.day.feasible)):
            self.feasible()
        self.bottom += _GAP
        first_row = self.bottom
        rules = [row for row in self.rows(RowKind.RULE) if self.visible(row.bars)]
        for row in rules:
            self.row(row)
        self.bottom += _GAP if rules else 0
        for row in self.beyond(rules, RowKind.PERSON):
            self.row(row)
        last_row = self.bottom
        self.bottom += _GAP
        for row in self.beyond(rules, RowKind.ROOM):
            self.row(row)
        change = clock_change(self.day, self.zone)
        return Strip(
            date=f"{WEEKDAYS[self.day.date.weekday()]} {self.day.date.isoformat()}",
            summary=day_summary(self.day.marks) + (f"; {change}" if change else ""),
            alternative=self.alternative(),
            width=pixels(self.axis.right + LEFT),
            height=pixels(self.bottom + 2),
            labels=tuple(Group(look, texts=tuple(texts)) for look, texts in self.labels.items()),
            plot=(*self.backdrop(rules, first_row, last_row), *self.plot),
            shown=self.day.shown,
            empty=not self.day.marks,
        )

    def rows(self, kind: RowKind) -> list[TimelineRow]:
        return [row for row in self.day.rows if row.kind is kind]

    def beyond(self, rules: Sequence[TimelineRow], kind: RowKind) -> list[TimelineRow]:
        """The rows of people or rooms; none where no candidate lies and the rules close the whole day without them."""
        bars = (bar for row in (*self.rows(RowKind.WINDOW), *rules) for bar in row.bars)
        parts = union(bar.span for bar in bars)
        closed = any(part.start <= self.axis.span.start and self.axis.span.end <= part.end for part in parts)
        return [] if closed and not self.day.marks else self.rows(kind)

    def visible(self, bars: Iterable[Bar]) -> list[Bar]:
        return [bar for bar in bars if self.axis.shows(bar.span)]

    def label(self, y: float, name: str, detail: str = "", look: str = "name") -> None:
        name = _shortened(one_line(name, 60), _LABEL_LETTERS)
        self.labels.setdefault(look, []).append(Text("0", pixels(y), name))
        room = _LABEL_LETTERS - len(name)
        if detail and room > 3:
            short = _shortened(one_line(detail, 60), room)
            self.labels.setdefault(f"detail {look}", []).append(Text(pixels(LABEL_WIDTH - 4), pixels(y), short))

    def candidates(self, name: str, marks: Sequence[Mark], *, own: bool) -> None:
        """The gold's lanes or the answer's: as many as there are candidates at one time."""
        top = self.bottom
        free_from: list[float] = []
        for mark in sorted(marks, key=lambda mark: (mark.span, mark.rank or 0, mark.place or 0)):
            left, right = self.axis.x(mark.span.start), self.axis.x(mark.span.end)
            room = _shortened(one_line(mark.room_id or "", 60), 10)
            end = max(right, left + 3) + (4 + _LETTER * len(room) if room else 0)
            lane = next((lane for lane, free in enumerate(free_from) if free <= left), len(free_from))
            free_from[lane : lane + 1] = [end]
            y = top + lane * _MARK
            text = f"{GLYPHS[mark.state]} {mark.rank if own else mark.place}"
            if right - left < len(text) * _LETTER + 4:
                text = GLYPHS[mark.state]
            path = Path(self.axis.box(mark.span, y + 1, _MARK - 3), mark_text(mark, self.zone))
            inside = Text(pixels((left + right) / 2), pixels(y + _MARK - 5), text)
            self.plot.append(Group(f"mark {mark.state}", (path,), (inside,)))
            if room:
                beside = Text(pixels(right + 4), pixels(y + _MARK - 5), room)
                self.plot.append(Group("room", texts=(beside,)))
        self.label(top + _MARK - 5, name)
        self.bottom = top + len(free_from) * _MARK + 2

    def feasible(self) -> None:
        self.label(self.bottom + _FREE, "Possible")
        spans = [span for span in self.day.feasible if self.axis.shows(span)]
        paths = [
            Path(
                self.axis.box(span, self.bottom + 3, _FREE - 3),
                f"the meeting fits in {local_interval(span, self.zone)}",
            )
            for span in spans
        ]
        self.plot.append(Group("feasible", tuple(paths)))
        self.bottom += _FREE + 4

    def row(self, row: TimelineRow) -> None:
        top, height = self.bottom, _HEIGHTS[row.kind]
        if row.unseen:
            self.label(top + height - 6, row.name, NEVER_SEEN, "never")
        else:
            self.label(top + height - 6, row.name, row.detail)
        bars = self.visible(row.bars)
        self.lines += f"M{LEFT} {pixels(top + height)}H{pixels(self.axis.right)}"
        for kind in _ORDER:
            same = [bar for bar in bars if bar.kind is kind]
            if same:
                self.plot.append(Group(kind.value, tuple(self.paths(same, top, height))))
        self.plot += [group for bar in bars if bar.hits for group in self.hits(bar, row, top, height)]
        for mark in self.day.marks:
            if row.room_id is not None and mark.room_id == row.room_id:
                self.plot.append(Group(f"held {mark.state}", (Path(self.axis.box(mark.span, top + 1, height - 2)),)))
        self.bottom = top + height

    def paths(self, same: Sequence[Bar], top: float, height: float) -> Iterator[Path]:
        """The bars of one kind in a row: one path for each where they are to be told apart."""
        inset, thick = _thickness(same[0].kind, height)
        if self.day.shown and same[0].kind not in _MARGINS:
            for bar in same:
                yield Path(self.axis.box(bar.span, top + inset, thick), bar.text)
        else:
            titles = [] if same[0].kind in _MARGINS else dict.fromkeys(bar.text for bar in same)
            yield Path(self.axis.boxes(union(bar.span for bar in same), top + inset, thick), "\n".join(titles))

    def hits(self, bar: Bar, row: TimelineRow, top: float, height: float) -> Iterator[Group]:
        """Where wrong candidates overlap the bar; with the sign of wrong ones where there is room."""
        inset, thick = _thickness(bar.kind, height)
        wrong = [
            Interval(max(mark.span.start, bar.span.start), min(mark.span.end, bar.span.end))
            for mark in self.day.marks
            if mark.place in bar.hits
        ]
        title = f"{row.name}: answer {', '.join(map(str, bar.hits))} overlaps {bar.text}"
        for span in union(wrong):
            left, right = self.axis.x(span.start), self.axis.x(span.end)
            fits = right - left > 1.5 * _LETTER and bar.kind not in _MARGINS
            sign = Text(pixels((left + right) / 2), pixels(top + height / 2 + 4), GLYPHS[State.WRONG])
            yield Group("hit", (Path(self.axis.box(span, top + inset, thick), title),), (sign,) if fits else ())

    def backdrop(self, rules: Sequence[TimelineRow], first_row: float, last_row: float) -> Iterator[Group]:
        """What lies behind the rows: closed times, rules, hours, and the columns of the candidates."""
        axis, height = self.axis, self.bottom - _TOP
        closed = self.visible(bar for row in self.rows(RowKind.WINDOW) for bar in row.bars)
        if closed:
            title = "\n".join(dict.fromkeys(bar.text for bar in closed))
            yield Group("closed", (Path(axis.boxes(union(bar.span for bar in closed), _TOP, height), title),))
        shades = union(bar.span for row in rules for bar in self.visible(row.bars))
        if shades:
            yield Group("shade", (Path(axis.boxes(shades, first_row, self.bottom - first_row)),))
        below = last_row if self.rows(RowKind.ROOM) else self.bottom
        slots: dict[Interval, State] = {}
        for mark in sorted(self.day.marks, key=lambda mark: _COLUMNS.index(mark.state)):
            slots.setdefault(mark.span, mark.state)  # a slot with one right room is a right slot
        for span, state in slots.items():
            yield Group(f"column {state}", (Path(axis.box(span, first_row, below - first_row)),))
        hours = [(pixels(axis.x(instant)), name) for instant, name in axis.hours()]
        ticks = "".join(f"M{x} {_TOP - 4}V{pixels(self.bottom)}" for x, _ in hours)
        yield Group("line", (Path(ticks + self.lines),))
        yield Group("hour", texts=tuple(Text(x, pixels(_TOP - 7), name) for x, name in hours))

    def alternative(self) -> str:
        marks = [mark_text(mark, self.zone, reasons=False) for mark in self.day.marks]
        more = f"; and {len(marks) - _SPOKEN} more" if len(marks) > _SPOKEN else ""
        held = "; ".join(marks[:_SPOKEN]) or "no candidates"
        rows = ", ".join(
            f"{row.name} {sum(bar.kind is BarKind.BUSY for bar in row.bars)}" for row in self.rows(RowKind.PERSON)
        )
        return f"{local_interval(self.axis.span, self.zone)}. {held}{more}. Busy events: {rows}."


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _thickness(kind: BarKind, height: float) -> tuple[float, float]:
    """How far from the top of its row a bar begins, and how high it is: margins are thin."""
    return (height * 0.3, height * 0.4) if kind in _MARGINS else (2, height - 4)
