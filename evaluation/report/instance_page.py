"""The page of one episode: what the agent answered, what would have been right, why it was not, and what it did.

A fragment of HTML: no script, no styles, no IDs and no links, so that any number of them can stand in one document.
"""

from datetime import UTC, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from evaluation.episode import Episode
from evaluation.model_output import printable
from evaluation.report import instance_sections as sections
from evaluation.report import transcript_sections
from evaluation.report.timeline import timeline
from evaluation.report.timeline_drawing import GLYPHS, LABEL_WIDTH, mark_text, stretches
from evaluation.report.timeline_marks import State, marks
from evaluation.report.transcript import transcript
from oracle import UnresolvedError
from schema import Instance, Label, World

if TYPE_CHECKING:
    from jinja2 import Template

STYLESHEET: Final = Path(__file__).parent / "instance.css"
"""The style sheet that the page needs, once for any number of pages."""

_TEMPLATES: Final = Path(__file__).parent / "templates"


def instance_page(world: World | None, instance: Instance | None, label: Label | None, episode: Episode) -> str:
    """The page as a fragment of HTML whose headings begin at level 2.

    Everything is escaped, control and format characters are made visible, and the same arguments always give the
    same text.

    Args:
        world: The world of the instance's level; without it there is no timeline, and times are in UTC.
        instance: The task; without it there is no timeline.
        label: Which records were needed; without it the transcript does not mark them.
        episode: What happened.
    """
    zone: tzinfo = UTC if world is None else world.zone
    told = transcript(episode, () if label is None else label.records)
    found = marks(episode, label)
    return _template().render(
        head=sections.head(episode),
        verdict=sections.verdict(episode, found),
        why=sections.why(episode),
        proven=sections.proven(episode),
        task=sections.task(episode, instance),
        timeline=_timeline(world, instance, label, episode),
        candidates=sections.candidates(episode, label, zone),
        zone=str(zone),
        wrong=sections.wrong(episode, zone),
        missed=[mark_text(mark, zone) for mark in found.gold if mark.state is State.MISSED],
        final_text=sections.final_text(episode),
        rationale=sections.rationale(episode),
        needed=transcript_sections.needed_records(label, told, episode),
        turns=transcript_sections.turns(told),
        glyphs={state.value: glyph for state, glyph in GLYPHS.items()},
        label_width=LABEL_WIDTH,
    )


def _timeline(
    world: World | None, instance: Instance | None, label: Label | None, episode: Episode
) -> dict[str, Any] | None:
    if world is None or instance is None:
        return None
    try:
        drawn = timeline(world, instance, label, episode)
    except UnresolvedError:
        return None  # the data are not those of the episode
    return {
        "stretches": stretches(drawn),
        "days_left_out": drawn.days_left_out,
        "undrawn": [mark_text(mark, drawn.zone, reasons=False) for mark in drawn.undrawn],
        "wrong_left_out": drawn.wrong_left_out,
    }


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only reports pay for it

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters["text"] = _Text.of
    return environment.get_template("instance.html.j2")


def _visible(value: Any) -> Any:
    """Every value on its way into the page; text without characters that hide or reorder what stands around."""
    return printable(value) if type(value) is str else value  # what is no plain text has been made visible already


class _Text(str):
    """The HTML of a text that stands between tags, where quotation marks need no escape."""

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> "_Text":
        return cls(printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

    def __html__(self) -> str:
        return str(self)
