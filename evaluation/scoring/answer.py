"""The final answer: its format, which the prompt shows, and the parser that enforces it.

The JSON Schema in the prompt is derived from the pydantic model that checks the answer.
"""

import re
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from mpcbench.evaluation.scoring.embedded_json import objects_in
from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.model import Level
from mpcbench.schema.untrusted_text import ModelText, one_line

MAX_CANDIDATES: Final = 30_000
"""An answer with more candidates is rejected; a list of every slot of a window is a little shorter."""

MAX_CHARACTERS: Final = 4_000_000
"""A longer final message is not read."""

_TIME = (
    r"[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9]"
    r"(:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?"
)


class AnswerError(ValueError):
    """The final message contains no answer in the required format; the message is one line that says why."""


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise ValueError(f"not a string but {_json_type(value)}")  # noqa: TRY004 - pydantic reports only ValueError
    if not re.fullmatch(_TIME, value):
        raise ValueError(f"not an ISO 8601 date and time: {one_line(value, 60)!r}")
    try:
        return datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"no such date and time: {value!r}: {error}") from None


_Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^{_TIME}$",
            "description": "ISO 8601 date and time, such as 2027-02-09T14:30:00 (the organisation's local time) "
            "or with an offset, such as 2027-02-09T14:30:00+01:00",
        }
    ),
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Slot(_Strict):
    start: _Moment
    end: _Moment


class _SlotInRoom(_Slot):
    room_id: ModelText | None = Field(
        default=None, description="the ID of the room, such as R07; a candidate without a room is wrong"
    )


_Rationale = Annotated[ModelText | None, Field(description="optional, not scored")]
_DESCRIPTION = "the options, best first"


class _SlotAnswer(_Strict):
    candidates: list[_Slot] = Field(description=_DESCRIPTION, max_length=MAX_CANDIDATES)
    rationale: _Rationale = None


class _RoomAnswer(_Strict):
    candidates: list[_SlotInRoom] = Field(description=_DESCRIPTION, max_length=MAX_CANDIDATES)
    rationale: _Rationale = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed answer: candidates in its own order, repeated ones included."""

    candidates: tuple[AnswerCandidate, ...]
    rationale: str | None = None


def answer_schema(level: Level) -> dict[str, Any]:
    """The JSON Schema of the final answer at a level, without references; what `parse_answer` enforces."""
    return deepcopy(_answer_schema(level))


@cache
def _answer_schema(level: Level) -> dict[str, Any]:
    schema = _model(level).model_json_schema()
    (item,) = schema.pop("$defs").values()
    schema["properties"]["candidates"]["items"] = item
    for part in (schema, item):
        part.pop("title")
        for described in part["properties"].values():
            described.pop("title", None)
    return schema


def parse_answer(text: str, level: Level, zone: tzinfo) -> Answer:
    """The answer that a final message gives.

    It is the last JSON object in the message with the key `candidates`. Surrounding prose, code fences and objects
    that wrap it are ignored. Times without an offset are read in the zone: a time that a change of the zone's offset
    repeats is its first occurrence, a time that the change skips is read with the offset before it. Runs in linear
    time.

    Raises:
        AnswerError: there is no such object, or it does not fit the level's schema.
    """
    if len(text) > MAX_CHARACTERS:
        raise AnswerError(f"the final message has {len(text):,} characters, more than {MAX_CHARACTERS:,}")
    last = None
    for last in objects_in(text, is_answer):  # noqa: B007 - the last one counts
        pass
    if last is None:
        raise AnswerError("the final message holds no JSON object with the key 'candidates'")
    if last.repeated_key is not None:
        raise AnswerError(f"$: the key {one_line(last.repeated_key, 60)!r} appears twice in one object")
    try:
        answer = _model(level).model_validate(last.value)
    except ValidationError as error:
        raise AnswerError(_first_problem(error)) from None
    return Answer(
        candidates=tuple(
            AnswerCandidate(_local(slot.start, zone), _local(slot.end, zone), getattr(slot, "room_id", None))
            for slot in answer.candidates
        ),
        rationale=answer.rationale,
    )


def is_answer(value: dict[str, Any]) -> bool:
    """Whether the object is meant as an answer: the JSON Schema of one has an object under the key."""
    return "candidates" in value and not isinstance(value["candidates"], dict)


def _model(level: Level) -> type[_SlotAnswer | _RoomAnswer]:
    return _RoomAnswer if level == 3 else _SlotAnswer


def _local(moment: datetime, zone: tzinfo) -> datetime:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    # Via UTC, because only that turns a wall-clock time that a change of offset skips into a real one.
    return moment.astimezone(UTC).astimezone(zone)


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return one_line(f"${place}: {first['msg'].removeprefix('Value error, ')}", 300)


def _json_type(value: Any) -> str:
    return {dict: "an object", list: "an array", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
