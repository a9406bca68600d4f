"""The page of one episode: what the agent answered, what would have been right, why it was not, and what it did.

A fragment of HTML: no script, no styles, no IDs and no links, so that any number of them can stand in one document.
"""

from datetime import UTC, tzinfo
from typing import Any

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.report.episode import sections, transcript_sections
from mpcbench.evaluation.report.episode.transcript import transcript
from mpcbench.evaluation.report.templating import templates
from mpcbench.evaluation.report.timeline.drawing import GLYPHS, LABEL_WIDTH, mark_text, stretches
from mpcbench.evaluation.report.timeline.marks import State, marks
from mpcbench.evaluation.report.timeline.timeline import timeline
from mpcbench.oracle import UnresolvedError
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.episode import Episode
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam


def episode_page(exam: AnyExam | None, episode: Episode) -> str:
    """The page of an episode of any level, without what only the data tell if there is no exam."""
    if isinstance(exam, Exam):
        return instance_page(exam.world, exam.instance, exam.label, episode)
    if exam is None:
        return instance_page(None, None, None, episode)
    return instance_page(None, None, None, episode, zone=exam.world.zone, needed=exam.label.records)


def instance_page(
    world: World | None,
    instance: Instance | None,
    label: Label | None,
    episode: Episode,
    *,
    zone: tzinfo | None = None,
    needed: tuple[str, ...] | None = None,
) -> str:
    """The page as a fragment of HTML whose headings begin at level 2.

    Everything is escaped, control and format characters are made visible, and the same arguments always give the
    same text.

    Args:
        world: The world of the instance's level; without it there is no timeline, and times are in UTC.
        instance: The task; without it there is no timeline.
        label: Which records were needed; without it the transcript does not mark them.
        episode: What happened.
        zone: That of the times, where there is no world.
        needed: The records that were needed, where there is no label.
    """
    shown_zone: tzinfo = (zone or UTC) if world is None else world.zone
    records = needed if label is None else label.records
    told = transcript(episode, records or ())
    found = marks(episode, label)
    return (
        templates()
        .get_template("episode.html.j2")
        .render(
            head=sections.head(episode),
            verdict=sections.verdict(episode, found),
            why=sections.why(episode, shown_zone),
            proven=sections.proven(episode),
            task=sections.task(episode, instance),
            timeline=_timeline(world, instance, label, episode),
            candidates=sections.candidates(episode, label, shown_zone),
            zone=str(shown_zone),
            wrong=sections.wrong(episode, shown_zone),
            missed=[mark_text(mark, shown_zone) for mark in found.gold if mark.state is State.MISSED],
            final_text=sections.final_text(episode),
            rationale=sections.rationale(episode),
            needed=transcript_sections.needed_records(records, told, _revealed(world, instance, episode)),
            turns=transcript_sections.turns(told),
            glyphs={state.value: glyph for state, glyph in GLYPHS.items()},
            label_width=LABEL_WIDTH,
        )
    )


def _revealed(world: World | None, instance: Instance | None, episode: Episode) -> tuple[str, ...]:
    if world is None or instance is None:
        return ()
    try:
        return revealed_records(episode.reveal, world, instance)
    except UnresolvedError:
        return ()  # the data are not those of the episode


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
