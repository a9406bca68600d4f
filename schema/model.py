"""What all data models share: the strict base class, the header of every file, and the types of times."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from mpcbench.schema.versions import CANARY, SCHEMA_VERSION

MINUTES_PER_DAY = 24 * 60


class Model(BaseModel):
    """A frozen value of a data file; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


_INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:00(\.0+)?)?(Z|[+-][0-9]{2}:[0-9]{2})$"
_IS_INSTANT = re.compile(_INSTANT[1:-1]).fullmatch  # precompiled: a world has tens of thousands of instants


def _whole_minute(value: Any) -> Any:
    if isinstance(value, str):
        return _instant(value)
    if isinstance(value, datetime):
        _check_whole_minute(value)
    return value


@lru_cache(maxsize=2**16)
def _instant(text: str) -> datetime:
    """Cached, since calendars repeat the same moments."""
    if not _IS_INSTANT(text):
        msg = f"not a whole minute as YYYY-MM-DDTHH:MM:00+HH:MM: {text!r}"
        raise ValueError(msg)
    value = datetime.fromisoformat(text)
    _check_whole_minute(value)
    return value


def _check_whole_minute(value: datetime) -> None:
    offset = value.utcoffset() or timedelta(0)
    if value.second or value.microsecond or offset % timedelta(minutes=1):
        msg = f"not a whole minute: {value.isoformat()}"
        raise ValueError(msg)


Instant = Annotated[
    AwareDatetime,
    BeforeValidator(_whole_minute),
    PlainSerializer(lambda value: value.isoformat(), return_type=str),
    Field(
        json_schema_extra={
            "format": "date-time",
            "pattern": _INSTANT,
        }
    ),
]
"""A point in time on a whole minute, ISO 8601 with its offset."""

TimeOfDay = Annotated[str, Field(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")]
"""A local wall-clock time, `HH:MM`; `24:00` is the end of the day."""

Weekday = Annotated[int, Field(ge=0, le=6)]
"""0 is Monday."""

Level = Literal[1, 2, 3]
"""The three levels of difficulty that share one data model."""

LADDER: Final = 4
"""The level with a data model of its own, `schema.level4`."""

AnyLevel = Literal[1, 2, 3, 4]
"""A level of either kind."""

Minutes = Annotated[int, Field(ge=1, le=MINUTES_PER_DAY)]
"""A length of time."""

Fraction = Annotated[float, Field(strict=True, ge=0, le=1)]
"""A score, or another part of a whole."""


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)


def to_minutes(moment: datetime) -> int:
    """The minutes from 1970-01-01 UTC to an aware datetime, rounded down."""
    return (moment - _EPOCH) // _MINUTE


def minute_of_day(time: str) -> int:
    """The minutes from local midnight to a `TimeOfDay`, 0 to 1440."""
    return int(time[:2]) * 60 + int(time[3:])


def clock(minute: int) -> str:
    """A minute of the day as `HH:MM`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


class Header(Model):
    """The fields that every data file carries (in a JSONL file: every line)."""

    canary: Literal["MPCBench canary 6f0a1d1e-7f5c-4c1b-9a53-2b8c0f4f7e21: keep out of training corpora"] = CANARY
    schema_version: Literal["1"] = SCHEMA_VERSION
    generator_version: str
    seed: int
