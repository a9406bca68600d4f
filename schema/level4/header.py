"""What every file of level 4 carries, and the types of its dates and identifiers."""

import re
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from mpcbench.schema.model import Model
from mpcbench.schema.versions import CANARY

SCHEMA_VERSION: Final = "2"
"""The version of the shape and the meaning of level-4 files; levels 1 to 3 keep theirs."""

ALIAS: Final = "alias:"
"""What an identifier begins with if the text uses an alias in its place; the rest is the alias, as defined."""

_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_IS_DAY = re.compile(_DAY[1:-1]).fullmatch


def _day(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not _IS_DAY(value):
        msg = f"not a day as YYYY-MM-DD: {value!r}"
        raise ValueError(msg)
    return date.fromisoformat(value)


Day = Annotated[date, BeforeValidator(_day), Field(json_schema_extra={"format": "date", "pattern": _DAY})]
"""A calendar date, ISO 8601."""

PersonRef = Annotated[str, Field(pattern=r"^(p[0-9]+|alias:.+)$")]
"""A person's ID, or an alias of the person."""

TeamId = Annotated[str, Field(pattern=r"^TEAM-[0-9]{2,}$")]
TeamRef = Annotated[str, Field(pattern=r"^(TEAM-[0-9]{2,}|alias:.+)$")]
"""A team's ID, or an alias of the team."""

MeetingRef = Annotated[str, Field(min_length=1)]
"""The full name of a meeting or plan, or `alias:` and an alias of it. Names are unique within a world."""

RoleId = Annotated[str, Field(pattern=r"^ROLE-[0-9]{2,}$")]
RosterId = Annotated[str, Field(pattern=r"^RST-[0-9]{2,}$")]
RecordId = Annotated[str, Field(pattern=r"^[a-z_]+:.+$")]


def _known_zone(value: str) -> str:
    if value not in _zones():
        msg = f"unknown IANA time zone {value!r}"
        raise ValueError(msg)
    return value


@cache
def _zones() -> frozenset[str]:
    """The zones that the package tzdata knows; a system lists others too, such as its own as `localtime`."""
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())


Zone = Annotated[str, AfterValidator(_known_zone)]
"""An IANA time zone."""


class LadderHeader(Model):
    """The fields that every level-4 file carries (in a JSONL file: every line)."""

    canary: Literal["MPCBench canary 6f0a1d1e-7f5c-4c1b-9a53-2b8c0f4f7e21: keep out of training corpora"] = CANARY
    schema_version: Literal["2"] = SCHEMA_VERSION
    generator_version: str
    seed: int
    level: Literal[4] = 4
