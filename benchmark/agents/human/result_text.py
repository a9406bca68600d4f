"""A tool's result for a terminal."""

import textwrap
from collections.abc import Iterator, Sequence

from mpcbench.benchmark.agents.human.results import Facts, Part, Passage, Problem, Schedule, Table, Talk, parts
from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.scoring.time_text import WEEKDAYS, hours_text
from mpcbench.schema.episode import ToolCall

WIDTH = 110


def result_text(call: ToolCall) -> str:
    """The result as lines; tables and calendars are aligned, texts are wrapped."""
    return "\n\n".join("\n".join(lines) for part in parts(call) if (lines := list(_lines(part))))


def wrapped(text: str, indent: str = "") -> list[str]:
    """The lines of a text, broken at words; its own line breaks stay."""
    return [
        line
        for paragraph in text.split("\n")
        for line in textwrap.wrap(paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent) or [""]
    ]


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Problem(text=text):
            yield f"error: {text}"
        case Facts(pairs=pairs):
            yield from wrapped(", ".join(f"{name} {value}" for name, value in pairs))
        case Table():
            yield from _table(part)
        case Schedule():
            yield from _days(part)
        case Talk(heading=heading, messages=messages):
            yield heading
            for when, author, said in messages:
                yield f"[{when}] {author}:" if author else ""
                yield from wrapped(said, "    ")
        case Passage(heading=heading, text=text):
            if heading:
                yield heading
            yield from wrapped(text, "  " if heading else "")


def _table(part: Table) -> list[str]:
    if not part.rows:
        return [f"{part.title or 'rows'}: none"]
    title = [f"{part.title}:"] if part.title else []
    lines = text_table([part.columns, *part.rows], indent="  ")
    if max(map(len, lines)) <= 2 * WIDTH:
        return [*title, *lines]
    return [*title, *(line for row in part.rows for line in _paragraph(part.columns, row))]


def _paragraph(columns: Sequence[str], row: Sequence[str]) -> list[str]:
    """A row that is too long for a line."""
    text = ", ".join(f"{name} {cell}" for name, cell in zip(columns, row, strict=True) if cell)
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _days(part: Schedule) -> Iterator[str]:
    for day in part.days:
        busy = [f"{hours_text(first, last)} {entry.title}" for entry, first, last in part.on(day)]
        yield from _listed(f"{WEEKDAYS[day.weekday()]} {day}  ", busy or ["free"])


def _listed(start: str, items: list[str]) -> Iterator[str]:
    """The items behind one another, each whole on one line."""
    line = start + items[0]
    for item in items[1:]:
        if len(line) + len(item) + 2 > WIDTH:
            yield f"{line};"
            line = " " * len(start) + item
        else:
            line += f"; {item}"
    yield line
