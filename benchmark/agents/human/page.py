"""The pages of the web page: the episode in play, the explanation when it is over, and the wait between two."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from mpcbench.benchmark.agents.human.answer_rows import Row
from mpcbench.benchmark.agents.human.episode import HumanEpisode
from mpcbench.benchmark.agents.human.results import Schedule, parts
from mpcbench.benchmark.agents.human.typed_argument import hint_of, kinds_of
from mpcbench.benchmark.agents.human.week_grid import DAY, HEAD, LEFT, WIDTH, weeks
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.evaluation.report.templating import ASSETS, templates
from mpcbench.evaluation.scoring.time_text import WEEKDAYS, hours_text
from mpcbench.schema.episode import ToolCall

_HERE: Final = Path(__file__).parent
_ROWS: Final = 6
"""Rows of the answer's form; more can be added."""


@cache
def style() -> str:
    """The style sheets: those of the report, then the page's own."""
    files = (ASSETS / "report.css", ASSETS / "episode.css", _HERE / "assets" / "play.css")
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def script() -> str:
    """The script; the page works without it."""
    return (_HERE / "assets" / "play.js").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """The Content-Security-Policy: this style, this script, and nothing from anywhere but this server."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashed(script())}",
            f"style-src {_hashed(style())}",
            "img-src data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def playing_page(episode: HumanEpisode, *, problem: str = "", rows: tuple[Row, ...] = (), text: str = "") -> str:
    """The episode in play.

    Args:
        episode: As far as it has been played.
        problem: Why the last thing that was asked for could not be done; empty if it could.
        rows: The answer's form as it was filled in.
        text: The answer's JSON as it was typed.
    """
    calls = [card(call, is_open=number < 2) for number, call in enumerate(reversed(episode.calls))]
    empty = (Row("", "", ""),) * max(0, _ROWS - len(rows))
    return _rendered(
        "playing.html.j2",
        title=episode.task.instance_id,
        instance_id=episode.task.instance_id,
        task=episode.task.text,
        rules=episode.task.system_prompt,
        turn=episode.turn,
        max_turns=episode.budget.max_turns,
        tools=[_form(tool) for tool in episode.tools.tools],
        notes=episode.notes,
        rows=(*rows, *empty),
        has_rooms=episode.has_rooms,
        is_plan=episode.is_plan,
        text=text,
        problem=problem,
        cards=calls,
    )


def ended_page(explanation: str) -> str:
    """The explanation, a fragment of HTML as the report has it."""
    return _rendered("ended.html.j2", title="The episode is over", explanation=Markup(explanation))  # noqa: S704


def waiting_page(told: str) -> str:
    """A page that becomes another one by itself."""
    return _rendered("waiting.html.j2", title="One moment", told=told)


def card(call: ToolCall, *, is_open: bool = True) -> Markup:
    """A call with its result."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    shown = [
        (type(part).__name__.lower(), part, list(weeks(part)) if isinstance(part, Schedule) else [])
        for part in parts(call)
    ]
    text = _template("card.html.j2").render(
        call=call, arguments=list(arguments.items()), parts=shown, is_open=is_open, days=_days, grid=_GRID
    )
    return Markup(text)  # noqa: S704 - the template escapes


_GRID: Final = {"width": WIDTH, "day": DAY, "left": LEFT, "head": HEAD}


def _days(schedule: Schedule) -> list[tuple[str, str]]:
    """Every day with its entries in words."""
    return [
        (
            f"{WEEKDAYS[day.weekday()]} {day}",
            "; ".join(f"{hours_text(first, last)} {entry.title}" for entry, first, last in schedule.on(day)) or "free",
        )
        for day in schedule.days
    ]


def _form(tool: Tool) -> dict[str, Any]:
    """A tool as a form: a field for each argument of its JSON Schema."""
    required = tool.parameters.get("required", ())
    first, _, rest = tool.description.partition("\n")
    return {
        "name": tool.name,
        "summary": first,
        "more": " ".join(rest.split()),
        "fields": [
            {
                "name": name,
                "label": name.replace("_", " "),
                "kind": "number" if "integer" in kinds_of(schema) else "text",
                "is_list": "array" in kinds_of(schema),
                "is_date": schema.get("format") == "date",
                "least": schema.get("minimum"),
                "default": schema.get("default") or None,
                "hint": hint_of(schema),
                "required": name in required,
            }
            for name, schema in tool.parameters["properties"].items()
        ],
    }


def _rendered(name: str, **values: Any) -> str:
    text: str = _template(name).render(values | {"style": Markup(style()), "script": Markup(script())})  # noqa: S704 - own files
    return text


def _template(name: str) -> Any:
    return templates(_HERE / "templates").get_template(name)


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
