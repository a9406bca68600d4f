"""The final answer at level 4: options of a single meeting, or a plan of several meetings."""

from collections.abc import Collection, Iterable
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, WithJsonSchema

from mpcbench.evaluation.scoring.answer import (
    MAX_CANDIDATES,
    Moment,
    Rationale,
    RoomAnswer,
    RoomText,
    known_name,
    local_moment,
    read_answer,
    room_ids,
    room_key,
    schema_of,
)
from mpcbench.schema import Candidate, Room
from mpcbench.schema.episode import GoldCandidate, Traits
from mpcbench.schema.level4.dataset import LadderExam
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.untrusted_text import ModelText

_MeetingText = Annotated[
    ModelText | None, WithJsonSchema({"type": "string", "description": "the full name of the meeting"})
]


class _PlannedSlot(BaseModel):
    # Not required by the parser, like the room: without a name a candidate is wrong, but the answer can be read.
    meeting: _MeetingText = None
    start: Moment
    end: Moment
    room_id: RoomText = None


class _PlanAnswer(BaseModel):
    candidates: list[_PlannedSlot] = Field(
        description="one option for each meeting of the plan", max_length=MAX_CANDIDATES
    )
    rationale: Rationale = None


@dataclass(frozen=True, slots=True)
class LadderAnswerCandidate:
    """A candidate of an answer; its times are in the world's zone and need not make sense."""

    start: datetime
    end: datetime
    room_id: str | None
    meeting: str | None = None
    """In a plan."""


@dataclass(frozen=True, slots=True)
class LadderAnswer:
    """A parsed answer: candidates in its own order, repeated ones included."""

    candidates: tuple[LadderAnswerCandidate, ...]
    rationale: str | None = None


def agenda_of(label: LadderLabel) -> tuple[str, ...]:
    """The full names of the meetings of a plan, in the order of the agenda; empty for a single meeting."""
    return tuple(one.meeting for one in label.gold if one.meeting is not None)


def gold_of(label: LadderLabel) -> tuple[GoldCandidate, ...]:
    """The gold as episodes store it."""
    return tuple(
        one if one.meeting is not None else Candidate(start=one.start, end=one.end, room_id=one.room_id)
        for one in label.gold
    )


def traits_of(exam: LadderExam) -> Traits:
    """What kind of instance it is."""
    certificate = exam.label.certificate
    return Traits(
        rung=exam.instance.rung,
        load=exam.label.load,
        mechanisms=exam.instance.mechanisms,
        plan_calls=None if certificate is None else len(certificate.steps),
        plan_characters=None if certificate is None else certificate.result_characters,
    )


def ladder_answer_schema(*, plan: bool) -> dict[str, Any]:
    """The JSON Schema of the final answer for a single meeting or for a plan, without references."""
    return deepcopy(_schema(plan))


@cache
def _schema(plan: bool) -> dict[str, Any]:
    return schema_of(_PlanAnswer if plan else RoomAnswer)


def check_ladder_answer(text: str, *, plan: bool) -> None:
    """Check that a final message gives an answer; raises `AnswerError`."""
    read_answer(text, _PlanAnswer if plan else RoomAnswer)


def parse_ladder_answer(
    text: str, zone: tzinfo, rooms: Iterable[Room] = (), agenda: Collection[str] = ()
) -> LadderAnswer:
    """The answer that a final message gives, found and read as `parse_answer` does.

    A meeting is known by its full name, in which case and white space do not matter; any other name is kept as it is
    written.

    Args:
        text: The final message.
        zone: Of times without an offset.
        rooms: Those of the world.
        agenda: The full names of the meetings of a plan; empty for a single meeting.

    Raises:
        AnswerError: there is no answer, or it cannot be read.
    """
    answer = read_answer(text, _PlanAnswer) if agenda else read_answer(text, RoomAnswer)
    ids = room_ids(rooms)
    names = {room_key(name): name for name in agenda}
    return LadderAnswer(
        tuple(
            LadderAnswerCandidate(
                local_moment(slot.start, zone),
                local_moment(slot.end, zone),
                known_name(slot.room_id, ids),
                known_name(slot.meeting, names) if isinstance(slot, _PlannedSlot) else None,
            )
            for slot in answer.candidates
        ),
        answer.rationale,
    )
