"""Causes: the terms in which an episode stores its diagnosis."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from mpcbench.schema.model import Fraction, Model

_STORED: Final = r"^((format|decomposition|acquisition|integration)\.[a-z_]+(:[a-z_]+)?|unexplained)$"


class Stage(StrEnum):
    """Where an episode first went wrong; the stages are in the order in which they are checked."""

    FORMAT = "format"
    """No answer could be parsed."""

    DECOMPOSITION = "decomposition"
    """A needed source was never queried."""

    ACQUISITION = "acquisition"
    """The sources were queried, but a needed record was never shown."""

    INTEGRATION = "integration"
    """Everything needed was shown, and the answer is still wrong."""


class Reason(StrEnum):
    """What went wrong, without the detail: `integration.ranking` in `integration.ranking:tie_break`."""

    UNPARSABLE = "format.unparsable"
    TRUNCATED = "format.truncated"
    NO_ANSWER = "format.no_answer"
    REFUSED = "format.refused"
    SOURCE_NEVER_QUERIED = "decomposition.source_never_queried"
    """Detail: the source."""

    RECORD_NEVER_SEEN = "acquisition.record_never_seen"
    """Detail: the kind of record, such as `thread` or `room_calendar`."""

    RECORD_SEEN_IN_PART = "acquisition.record_seen_in_part"
    """A calendar was not read for all days that matter. Detail: `calendar` or `room_calendar`."""

    CONSTRAINT_OMITTED = "integration.constraint_omitted"
    """Detail: the kind of the statement or condition, such as `buffer_min`, `capacity` or `daily_hours`."""

    CONSTRAINT_ADDED = "integration.constraint_added"
    """A condition that nobody asked for. Detail: `policy`, `participant` or `weekdays`."""

    VALUE_WRONG = "integration.value_wrong"
    """A condition or parameter with another value. Detail: which one."""

    RANKING = "integration.ranking"
    """Detail: `tie_break`, `latest_first`, `earliest_first`, `one_room_per_slot` or `disjoint_slots`."""

    COUNT = "integration.count"
    """Detail: `too_few` or `too_many`."""

    OFF_GRID = "integration.off_grid"
    ROOM_MISSING = "integration.room_missing"
    UNEXPLAINED = "unexplained"
    """The answer is wrong, and no small change to the task leads to it."""


def reason_text(reason: Reason, detail: str = "") -> str:
    """The stored form of a reason: `stage.reason`, followed by `:detail` if there is one."""
    return f"{reason.value}:{detail}" if detail else reason.value


def stage_of(reason: str) -> Stage | None:
    """The stage of a stored reason; None for `unexplained`."""
    head, dot, _ = reason.partition(".")
    return Stage(head) if dot else None


class Evidence(Model):
    """Evidence for a cause."""

    record: str | None = None
    """The record that it is about; `task` is the task text."""

    values: dict[str, JsonValue] = Field(default_factory=dict)
    """The relevant values, such as the one that holds and the one that was used."""

    tool_call: int | None = None
    """The number (from 1) of the first tool call that showed the record; None if none did."""


class Cause(Model):
    """A reason with its evidence."""

    reason: Annotated[str, Field(pattern=_STORED)]
    evidence: tuple[Evidence, ...] = ()
    changes: int = 0
    """How many changes to the task together lead to the whole answer; 0 if none was needed or found."""

    alternative: int = 1
    """Causes with the same number form one explanation; each number is an explanation that fits equally well."""

    reproduces: bool | None = None
    """Whether solving the changed task gives exactly the answer; None if nothing was solved."""

    @property
    def stage(self) -> Stage | None:
        """Its stage; None for `unexplained`."""
        return stage_of(self.reason)


class Capability(Model):
    """The scores of the three capabilities, from 0 to 1; None if they cannot be determined."""

    decomposition: Fraction | None
    """The fraction of the needed sources that the agent queried."""

    acquisition: Fraction | None
    """The fraction of the needed records that tool results showed."""

    integration: Fraction | None
    """The F1 score, if every needed record was shown."""


class Diagnosis(Model):
    """Why an episode failed, deduced from its tool calls and candidates, without a model."""

    method: Literal["deduced"] = "deduced"
    stage: Stage | None
    """The first stage that failed; None for a passed episode, or if the calls are unknown."""

    causes: tuple[Cause, ...]
    """The primary cause; several if it has parts or if others fit equally well. Empty for a passed episode."""

    capability: Capability

    @property
    def explanations(self) -> list[tuple[Cause, ...]]:
        """The causes grouped by explanation."""
        by_number: dict[int, list[Cause]] = {}
        for cause in self.causes:
            by_number.setdefault(cause.alternative, []).append(cause)
        return [tuple(causes) for causes in by_number.values()]


_IN_WORDS: Final = {
    Reason.UNPARSABLE: "No answer that can be parsed",
    Reason.TRUNCATED: "Answer cut off by a token limit",
    Reason.NO_ANSWER: "No answer",
    Reason.REFUSED: "Refused to answer",
    Reason.SOURCE_NEVER_QUERIED: "Never queried the source {}",
    Reason.RECORD_NEVER_SEEN: "Never saw a needed {}",
    Reason.RECORD_SEEN_IN_PART: "Saw only some days of a {}",
    Reason.CONSTRAINT_OMITTED: "Ignored the {}",
    Reason.CONSTRAINT_ADDED: "Over-filtering by a {} nobody asked for",
    Reason.VALUE_WRONG: "Wrong {}",
    Reason.RANKING: "Wrong ranking: {}",
    Reason.COUNT: "{} options",
    Reason.OFF_GRID: "Starts off the grid",
    Reason.ROOM_MISSING: "No room named",
    Reason.UNEXPLAINED: "Unexplained",
}
_DETAILS_IN_WORDS: Final = {
    "person": "entry of the people directory",
    "busy": "busy events of a participant",
    "buffer_min": "buffer around events",
    "lunch_block": "lunch break",
    "ban_dow_time": "weekly blocked time",
    "ban_window": "blocked time",
    "after_event": "event to wait for",
    "not_before": "earliest start",
    "bookings": "room bookings",
    "daily_hours": "daily hours of the window",
    "capacity": "number of seats",
    "option_count": "number of options",
    "offset": "time-zone offset",
    "order": "order of the ranking",
}
_SPECIAL_IN_WORDS: Final = {
    "integration.constraint_omitted:participant": "Overlooked an added participant",
    "integration.constraint_added:participant": "Over-filtering by the calendar of somebody who does not take part",
    "integration.constraint_added:weekdays": "Over-filtering by leaving weekends out",
    "integration.value_wrong:buffer_side": "Buffer on one side only",
    "integration.value_wrong:touching": "Took touching events for overlapping ones",
    "integration.ranking:one_room_per_slot": "Wrong ranking: one room only for every slot",
    "integration.ranking:disjoint_slots": "Wrong ranking: overlapping slots left out",
}


def in_words(reason: str) -> str:
    """A stored reason for people, with its stage: `Ignored the lunch break (integration)`."""
    head, _, detail = reason.partition(":")
    plain = _DETAILS_IN_WORDS.get(detail, detail.replace("_", " "))
    text = _SPECIAL_IN_WORDS.get(reason) or _IN_WORDS[Reason(head)].format(plain)
    stage = stage_of(reason)
    return text[:1].upper() + text[1:] + ("" if stage is None else f" ({stage.value})")
