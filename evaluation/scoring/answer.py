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
from typing import Annotated, Any, Final, TypeVar

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


M = TypeVar("M", bound=BaseModel)


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


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "pattern": _SHOWN_TIME, "description": "an ISO 8601 date and time"}),
]
RoomText = Annotated[
    ModelText | None, WithJsonSchema({"type": "string", "description": "the ID of the room, such as R07"})
]
Rationale = Annotated[
    ModelText | None,
    BeforeValidator(lambda value: value if isinstance(value, str) else None),
    Field(description="optional, not scored"),
]
CANDIDATES = Field(description="the options, best first", max_length=MAX_CANDIDATES)


class _Slot(BaseModel):
    start: Moment
    end: Moment


class SlotInRoom(_Slot):
    """A slot and a room, as an answer names them."""

    # Not required by the parser: without a room a candidate is wrong, but the answer can be read.
    room_id: RoomText = None


class _SlotAnswer(BaseModel):
    candidates: list[_Slot] = CANDIDATES
    rationale: Rationale = None


class RoomAnswer(BaseModel):
    """An answer whose options are slots in rooms."""

    candidates: list[SlotInRoom] = CANDIDATES
    rationale: Rationale = None


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
    return schema_of(_model(level))


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of an answer that a model of candidates reads, without references; every key is required."""
    schema = model.model_json_schema()
    (item,) = schema.pop("$defs").values()
    item["required"] = list(item["properties"])
    candidates = schema["properties"]["candidates"]
    candidates["items"] = item
    del candidates["maxItems"]  # the parser's guard, which says nothing about how many options are asked for
    for part in (schema, item):
        part.pop("description", None)  # the model's docstring
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
    answer = read_answer(text, _model(level))
    ids = room_ids(rooms)
    return Answer(
        candidates=tuple(
            AnswerCandidate(
                local_moment(slot.start, zone),
                local_moment(slot.end, zone),
                known_name(slot.room_id, ids) if isinstance(slot, SlotInRoom) else None,
            )
            for slot in answer.candidates
        ),
        rationale=answer.rationale,
    )


def read_answer(text: str, model: type[M]) -> M:
    """The answer that a final message gives, by a model of candidates.

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
        return model.model_validate(last.value)
    except ValidationError as error:
        raise AnswerError(_first_problem(error)) from None


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


def _model(level: Level) -> type[_SlotAnswer | RoomAnswer]:
    return RoomAnswer if level == 3 else _SlotAnswer


def room_key(text: str) -> str:
    """A room's ID or name without what does not matter: case and white space."""
    return "".join(text.split()).casefold()


def room_ids(rooms: Iterable[Room]) -> dict[str, str]:
    """The IDs of rooms by the keys of what they may be called."""
    rooms = tuple(rooms)
    names = Counter(room_key(room.name) for room in rooms)
    ids = {room_key(room.name): room.room_id for room in rooms if names[room_key(room.name)] == 1}
    return ids | {room_key(room.room_id): room.room_id for room in rooms}


def known_name(text: str | None, names: Mapping[str, str]) -> str | None:
    """What a text means among names by their keys; the text itself if it is none of them."""
    return None if text is None else names.get(room_key(text), text)


def local_moment(moment: datetime, zone: tzinfo) -> datetime:
    """The moment in the zone; one without an offset is read in it."""
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
