"""What messages and pages state about the organisation rather than about a meeting."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mpcbench.schema.level4.header import Day, RoleId, RosterId
from mpcbench.schema.model import Instant, Model
from mpcbench.schema.statements import PersonId


class _Span(Model):
    start: Instant
    end: Instant

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            msg = f"start {self.start.isoformat()} is not before end {self.end.isoformat()}"
            raise ValueError(msg)
        return self


class Definition(Model):
    """An alias and what it means; no other record defines the same alias."""

    kind: Literal["definition"] = "definition"
    alias: Annotated[str, Field(min_length=1)]
    """Without the prefix `alias:`."""

    means: Annotated[str, Field(min_length=1)]
    """A meeting's full name, a person ID, a team ID, or `alias:` and another alias."""


class Handover(Model):
    """From this day on, this person holds the role."""

    kind: Literal["handover"] = "handover"
    role: RoleId
    person_id: PersonId
    since: Day


class NewManager(Model):
    """From this day on, `manager` is the person's manager."""

    kind: Literal["new_manager"] = "new_manager"
    person_id: PersonId
    manager: PersonId
    since: Day


class Swap(Model):
    """On these days, the last included, the roster's duty is this person's. Of two swaps the later stated holds."""

    kind: Literal["swap"] = "swap"
    roster: RosterId
    first: Day
    last: Day
    person_id: PersonId


class RoomClosed(_Span):
    """The room cannot be used."""

    kind: Literal["room_closed"] = "room_closed"
    room_id: str


class SiteClosed(_Span):
    """No room of the site can be used."""

    kind: Literal["site_closed"] = "site_closed"
    site: str


class SiteOpen(_Span):
    """The building of the site is open, whatever its usual hours; matters where a policy asks for an open building."""

    kind: Literal["site_open"] = "site_open"
    site: str


Effect = Annotated[RoomClosed | SiteClosed | SiteOpen, Field(discriminator="kind")]


class Notice(Model):
    """An announcement with effects; it holds unless another notice replaces it."""

    kind: Literal["notice"] = "notice"
    notice_id: Annotated[str, Field(pattern=r"^N[0-9]{3,}$")]
    effects: tuple[Effect, ...]
    """Empty: it only takes back the notice that it replaces."""

    replaces: str | None = None
    """The ID of the notice that no longer holds."""


Fact = Annotated[Definition | Handover | NewManager | Swap | Notice, Field(discriminator="kind")]
