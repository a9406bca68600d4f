"""Causes: the terms in which an episode stores its diagnosis."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from mpcbench.schema.model import Fraction, Model

_STORED: Final = r"^((format|decomposition|acquisition|integration|observed)\.[a-z_]+(:[a-z_]+)?|unexplained)$"
_OBSERVED: Final = "observed"


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
    """A condition that nobody asked for. Detail: `policy`, `participant`, `weekdays`, `office_hours`, `lunch`, `buffer`."""

    VALUE_WRONG = "integration.value_wrong"
    """A condition or parameter with another value. Detail: which one."""

    RECORD_OVERLOOKED = "integration.record_overlooked"
    """Single events or bookings were not taken into account. Detail: `event` or `booking`."""

    RECORD_MISREAD = "integration.record_misread"
    """An event or booking was taken for earlier, later or shorter. Detail: `event`, `booking` or `overlap`."""

    STARTS_ONLY = "integration.starts_only"
    """Only the starts of candidates were compared with a condition. Detail: the kind of the condition."""

    CANDIDATE_SLIP = "integration.candidate_slip"
    """One candidate was written down wrongly. Detail: `day`, `week`, `month`, `year`, `half_day`, `minutes`, `room`."""

    HABIT = "integration.habit"
    """A habit of choosing. Detail: such as `one_per_day`, `one_room_for_all` or `coarse_grid`."""

    RANKING = "integration.ranking"
    """Detail: `tie_break`, `latest_first`, `earliest_first`, `one_room_per_slot` or `disjoint_slots`."""

    COUNT = "integration.count"
    """Detail: `too_few` or `too_many`."""

    MECHANISM_MISREAD = "integration.mechanism_misread"
    """At level 4. Detail: the mechanism and the way, such as `role_last_holder`."""

    FACT_LOST = "integration.fact_lost"
    """At level 4: a single fact of a record that was shown was not taken into account. Detail: its kind, such as `entry`."""

    OFF_GRID = "integration.off_grid"
    ROOM_MISSING = "integration.room_missing"
    CONDITION_BROKEN = "observed.condition_broken"
    """Detail: the kind of the condition that a candidate breaks. Like all that is observed, no cause."""

    PASSED_OVER = "observed.passed_over"
    """Candidates break nothing, but better ones were passed over. Detail: `slot` or `room`."""

    ONE_WRONG = "observed.one_wrong"
    """One candidate is wrong, and the others are right."""

    WRONG_NUMBER = "observed.wrong_number"
    """Detail: `too_many`, `too_few` or `none`."""

    UNEXPLAINED = "unexplained"
    """The answer is wrong, and nothing more is known about it."""


def reason_text(reason: Reason, detail: str = "") -> str:
    """The stored form of a reason: `stage.reason`, followed by `:detail` if there is one."""
    return f"{reason.value}:{detail}" if detail else reason.value


def stage_of(reason: str) -> Stage | None:
    """The stage of a stored reason; None for `unexplained` and for what is only observed."""
    head, dot, _ = reason.partition(".")
    return Stage(head) if dot and head != _OBSERVED else None


def is_observed(reason: str) -> bool:
    """Whether a stored reason is a symptom and no cause."""
    return reason.partition(".")[0] == _OBSERVED


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
    Reason.RECORD_OVERLOOKED: "Overlooked single {}s",
    Reason.RECORD_MISREAD: "Read an {} with another time",
    Reason.STARTS_ONLY: "Compared only starts with the {}",
    Reason.MECHANISM_MISREAD: "Misread {}",
    Reason.FACT_LOST: "Overlooked a single fact: {}",
    Reason.CANDIDATE_SLIP: "One candidate off by a {}",
    Reason.HABIT: "Chose by habit: {}",
    Reason.CONDITION_BROKEN: "Observed: breaks the {}",
    Reason.PASSED_OVER: "Observed: a better {} passed over",
    Reason.ONE_WRONG: "Observed: one candidate is wrong, the others are right",
    Reason.WRONG_NUMBER: "Observed: {} options",
    Reason.VALUE_WRONG: "Wrong {}",
    Reason.RANKING: "Wrong ranking: {}",
    Reason.COUNT: "{} options",
    Reason.OFF_GRID: "Starts off the grid",
    Reason.ROOM_MISSING: "No room named",
    Reason.UNEXPLAINED: "Unexplained",
}
_DETAILS_IN_WORDS: Final = {
    "guests": "number of guests",
    "everything": "conditions",
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
    "work_hours": "work hours",
    "off_grid": "grid of starts",
    "room_turnaround": "turnaround of rooms",
}
_SPECIAL_IN_WORDS: Final = {
    "integration.record_misread:booking": "Read a booking with another time",
    "integration.record_misread:overlap": "Merged overlapping events wrongly",
    "integration.candidate_slip:room": "One candidate with the room of another or a similar ID",
    "integration.candidate_slip:half_day": "One candidate off by twelve hours",
    "integration.candidate_slip:hour": "One candidate off by an hour",
    "integration.candidate_slip:minutes": "One candidate off by some minutes",
    "integration.candidate_slip:day_and_month": "One candidate with day and month swapped",
    "integration.habit:one_per_day": "Proposed one slot a day",
    "integration.habit:one_per_gap": "Proposed one slot in each free gap",
    "integration.habit:first_day_only": "Proposed options of one day only",
    "integration.habit:days_before_times": "Ranked days and times in opposite orders",
    "integration.habit:spaced": "Left time between the options",
    "integration.habit:one_room_for_all": "Proposed the same room for all options",
    "integration.habit:room_before_time": "Chose the room first, then its times",
    "integration.habit:whole_slots": "Gave all rooms of the last slot, beyond the number asked for",
    "integration.habit:slots_counted": "Gave all rooms of as many slots as options were asked for",
    "integration.habit:coarse_grid": "Considered only starts at :00 and :30, or at :00",
    "integration.value_wrong:clock": "Read one calendar some hours off",
    "integration.value_wrong:year": "Wrote another year",
    "integration.value_wrong:day": "Wrote all dates a day off",
    "integration.value_wrong:half_day": "Wrote all times twelve hours off",
    "integration.value_wrong:day_and_month": "Swapped day and month",
    "integration.constraint_added:office_hours": "Over-filtering by office hours that nobody stated",
    "integration.constraint_added:lunch": "Over-filtering by a lunch break that nobody stated",
    "integration.constraint_added:buffer": "Over-filtering by a buffer that nobody stated",
    "observed.wrong_number:none": "Observed: no options",
    "observed.condition_broken:meeting": "Observed: breaks a condition of the meeting",
    "observed.condition_broken:busy": "Observed: overlaps an event of a participant",
    "observed.condition_broken:bookings": "Observed: overlaps a booking of the room",
    "integration.constraint_omitted:policy": "Ignored a policy as a whole",
    "integration.starts_only:everything": "Compared only starts with everything",
    "integration.record_overlooked:event": "Overlooked an event that was shown",
    "integration.record_overlooked:booking": "Overlooked a booking that was shown",
    "integration.value_wrong:week": "Wrote all dates a week off",
    "integration.value_wrong:offset": "Wrote all times with a wrong time-zone offset",
    "integration.ranking:tie_break": "Ranked the rooms of a slot wrongly",
    "integration.ranking:latest_first": "Gave the latest options instead of the earliest",
    "integration.ranking:earliest_first": "Gave the earliest options instead of the latest",
    "integration.room_missing": "Named no room for some options",
    "integration.off_grid": "Started at other minutes than :00, :15, :30 and :45",
    "integration.constraint_omitted:participant": "Overlooked an added participant",
    "integration.constraint_added:participant": "Over-filtering by the calendar of somebody who does not take part",
    "integration.constraint_added:weekdays": "Over-filtering by leaving weekdays out",
    "integration.value_wrong:buffer_side": "Buffer on one side only",
    "integration.value_wrong:touching": "Took touching events for overlapping ones",
    "integration.ranking:one_room_per_slot": "Proposed one room a slot, though others were free",
    "integration.ranking:disjoint_slots": "Left out slots that overlap one already proposed",
}


def in_words(reason: str) -> str:
    """A stored reason for people, with its stage: `Ignored the lunch break (integration)`."""
    head, _, detail = reason.partition(":")
    plain = _DETAILS_IN_WORDS.get(detail, detail.replace("_", " "))
    text = _SPECIAL_IN_WORDS.get(reason) or _IN_WORDS[Reason(head)].format(plain)
    stage = stage_of(reason)
    return text[:1].upper() + text[1:] + ("" if stage is None else f" ({stage.value})")
