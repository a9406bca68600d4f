"""The final answer: its format, which the prompt shows, and its parser.

The JSON Schema in the prompt is derived from the pydantic model that checks the answer. The parser accepts every answer
that fits the schema and, beyond that, what is clear but written in another way: the benchmark does not measure spelling.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, WithJsonSchema

from mpcbench.evaluation.scoring.embedded_json import Decoded, objects_in
from mpcbench.schema import Room
from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.model import Level
from mpcbench.schema.untrusted_text import ModelText, one_line

MAX_CANDIDATES: Final = 30_000
"""An answer with more candidates is rejected; a list of every slot of a window is a little shorter."""

MAX_CHARACTERS: Final = 4_000_000
"""A longer final message is not read."""

_DATE = r"[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_HOUR = r"([01][0-9]|2[0-3])"
_SHOWN_TIME = rf"^{_DATE}T{_HOUR}:[0-5][0-9](:[0-5][0-9])?(Z|[+-]{_HOUR}:[0-5][0-9])?$"
_READ_TIME = re.compile(
    rf"{_DATE}[Tt ]{_HOUR}:[0-5][0-9](:[0-5][0-9](\.[0-9]{{1,9}})?)?( ?([Zz]|[+-]{_HOUR}(:?[0-5][0-9])?))?"
)


class AnswerError(ValueError):
    """The final message contains no answer in the required format; the message is one line that says why."""


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise ValueError(f"not a string but {_json_type(value)}")  # noqa: TRY004 - pydantic reports only ValueError
    if not _READ_TIME.fullmatch(value):
        raise ValueError(f"not an ISO 8601 date and time: {one_line(value, 60)!r}")
    try:
        return datetime.fromisoformat(re.sub(" (?=[Z+-])", "", value.upper()))
    except ValueError as error:
        raise ValueError(f"no such date and time: {value!r}: {error}") from None


_Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "pattern": _SHOWN_TIME, "description": "an ISO 8601 date and time"}),
]
_RoomText = Annotated[
    ModelText | None, WithJsonSchema({"type": "string", "description": "the ID of the room, such as R07"})
]
_Rationale = Annotated[
    ModelText | None,
    BeforeValidator(lambda value: value if isinstance(value, str) else None),
    Field(description="optional, not scored"),
]
_Candidates = Field(description="the options, best first", max_length=MAX_CANDIDATES)


class _Slot(BaseModel):
    start: _Moment
    end: _Moment


class _SlotInRoom(_Slot):
    # Not required by the parser: without a room a candidate is wrong, but the answer can be read.
    room_id: _RoomText = None


class _SlotAnswer(BaseModel):
    candidates: list[_Slot] = _Candidates
    rationale: _Rationale = None


class _RoomAnswer(BaseModel):
    candidates: list[_SlotInRoom] = _Candidates
    rationale: _Rationale = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed answer: candidates in its own order, repeated ones included."""

    candidates: tuple[AnswerCandidate, ...]
    rationale: str | None = None


def answer_schema(level: Level) -> dict[str, Any]:
    """The JSON Schema of the final answer at a level, without references.

    `parse_answer` accepts whatever fits it, up to `MAX_CANDIDATES` and `MAX_CHARACTERS`.
    """
    return deepcopy(_answer_schema(level))


@cache
def _answer_schema(level: Level) -> dict[str, Any]:
    schema = _model(level).model_json_schema()
    (item,) = schema.pop("$defs").values()
    item["required"] = list(item["properties"])
    candidates = schema["properties"]["candidates"]
    candidates["items"] = item
    del candidates["maxItems"]  # the parser's guard, which says nothing about how many options are asked for
    for part in (schema, item):
        part["additionalProperties"] = False
        for described in (part, *part["properties"].values()):
            described.pop("title", None)
            described.pop("default", None)
    return schema


def parse_answer(text: str, level: Level, zone: tzinfo, rooms: Iterable[Room] = ()) -> Answer:
    """The answer that a final message gives.

    It is the last JSON object in the message with the key `candidates`, but an empty list of candidates after a full
    one counts only if no word follows it. Surrounding prose, code fences, objects that wrap the answer, and keys that
    the schema does not have are ignored. Times without an offset are read in the zone: a time that a change of the
    zone's offset repeats is its first occurrence, a time that the change skips is read with the offset before it. A
    room of the world is known by its ID or by a name that no other room has; case and white space do not matter. Any
    other room is kept as it is written. Runs in linear time.

    Raises:
        AnswerError: there is no such object, or it cannot be read.
    """
    if len(text) > MAX_CHARACTERS:
        raise AnswerError(f"the final message has {len(text):,} characters, more than {MAX_CHARACTERS:,}")
    last = _last_answer(text)
    if last is None:
        raise AnswerError("the final message holds no JSON object with the key 'candidates'")
    if last.repeated_key is not None:
        raise AnswerError(f"$: the key {one_line(last.repeated_key, 60)!r} appears twice in one object")
    try:
        answer = _model(level).model_validate(last.value)
    except ValidationError as error:
        raise AnswerError(_first_problem(error)) from None
    ids = _room_ids(rooms)
    return Answer(
        candidates=tuple(
            AnswerCandidate(_local(slot.start, zone), _local(slot.end, zone), _room_id(slot, ids))
            for slot in answer.candidates
        ),
        rationale=answer.rationale,
    )


def _last_answer(text: str) -> Decoded | None:
    found = list(objects_in(text, is_answer))
    if not found:
        return None
    last = found[-1]
    if not last.value["candidates"] and re.search(r"\w", text[last.end :]):
        return next((one for one in reversed(found) if one.value["candidates"]), last)
    return last


def is_answer(value: dict[str, Any]) -> bool:
    """Whether the object is meant as an answer: the JSON Schema of one has an object under the key."""
    return "candidates" in value and not isinstance(value["candidates"], dict)


def _model(level: Level) -> type[_SlotAnswer | _RoomAnswer]:
    return _RoomAnswer if level == 3 else _SlotAnswer


def room_key(text: str) -> str:
    """A room's ID or name without what does not matter: case and white space."""
    return "".join(text.split()).casefold()


def _room_ids(rooms: Iterable[Room]) -> dict[str, str]:
    """The IDs of rooms by the keys of what they may be called."""
    rooms = tuple(rooms)
    names = Counter(room_key(room.name) for room in rooms)
    ids = {room_key(room.name): room.room_id for room in rooms if names[room_key(room.name)] == 1}
    return ids | {room_key(room.room_id): room.room_id for room in rooms}


def _room_id(slot: _Slot, ids: Mapping[str, str]) -> str | None:
    if not isinstance(slot, _SlotInRoom) or slot.room_id is None:
        return None
    return ids.get(room_key(slot.room_id), slot.room_id)


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
