"""The records that each defect touches on an instance, which the evidence must name; found from the instance alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final

from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.resolve import Located, statements
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanDowTime,
    BanWindow,
    BufferMin,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    Instance,
    Label,
    LunchBlock,
    NotBefore,
    OptionCount,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    RoomTurnaround,
    Site,
    Source,
    TieBreak,
    Window,
    WorkHours,
    World,
)
from mpcbench.schema.model import Model

TASK: Final = "task"


@dataclass(frozen=True)
class Case:
    """An instance with the records that defects can touch."""

    world: World
    instance: Instance
    label: Label

    @cached_property
    def problem(self) -> Problem:
        """The instance's problem."""
        return resolve(self.world, self.instance)

    @cached_property
    def located(self) -> list[Located]:
        """The statements about the meeting, oldest first."""
        return statements(self.world, self.instance)

    def every(self, *kinds: type[Model]) -> list[str]:
        """The records that make statements of some kinds."""
        return [_record(item) for item in self.located if isinstance(item.statement, kinds)]

    def last(self, kind: type[Model]) -> set[str]:
        """The record that makes the last statement of a kind; the task if there is none."""
        return {*self.every(kind)[-1:]} or {TASK}

    @cached_property
    def called(self) -> list[str]:
        """The policies called for, in order."""
        ids = (item.statement.policy_id for item in self.located if isinstance(item.statement, CallPolicy))
        return [*dict.fromkeys(ids)]

    def policies(self, *kinds: type[Model]) -> set[str]:
        """The policies called for that have a rule of some kinds."""
        return {
            f"policy:{policy_id}"
            for policy_id in self.called
            if any(isinstance(rule, kinds) for rule in self.world.policy_by_id[policy_id].rules)
        }

    def required(self, *kinds: str) -> set[str]:
        """The required records of some kinds."""
        return {record for record in self.label.records if record.partition(":")[0] in kinds}

    def people(self, person_ids: list[str], *kinds: str) -> set[str]:
        """Records of people."""
        return {f"{kind}:{person_id}" for person_id in person_ids for kind in kinds}

    def named(self, kind: type[AddParticipant] | type[RemoveParticipant] | type[AfterEvent]) -> list[str]:
        """The people whom statements of a kind name."""
        return [item.statement.person_id for item in self.located if isinstance(item.statement, kind)]

    @property
    def namesakes(self) -> list[str]:
        """The participants who have a namesake."""
        names = [person.name for person in self.world.people]
        return [one for one in self.problem.participants if names.count(self.world.person_by_id[one].name) > 1]

    @property
    def neighbour(self) -> set[str]:
        """The policy next to the first one called for: after it, or before it if it is the last."""
        first = self.called[0]
        if self.instance.level == 1:
            number = int(first.removeprefix("POL-"))
            return {f"policy:POL-{number - 1 if number > 1 else 2:02}"}
        listed = next(ids for ids in self._documents if first in ids)
        place = listed.index(first)
        return {f"policy:{listed[place + 1 if place + 1 < len(listed) else place - 1]}"}

    @property
    def others_of_documents(self) -> set[str]:
        """The policies that nobody called for in the documents of those that are called for."""
        listed = (ids for ids in self._documents if not {*ids}.isdisjoint(self.called))
        return {f"policy:{policy_id}" for ids in listed for policy_id in ids if policy_id not in self.called}

    @property
    def _documents(self) -> Iterator[list[str]]:
        for document in self.world.documents:
            yield [section.policy_id for section in document.sections if section.policy_id is not None]

    def rooms(self, kind: str, *, small: bool) -> set[str]:
        """Records of the rooms with too few seats, or of all others."""
        assert self.problem.rooms is not None
        seats = self.problem.rooms.seats
        return {f"{kind}:{room.room_id}" for room in self.problem.rooms.rooms if (room.capacity < seats) is small}

    @property
    def kick_off(self) -> str:
        """The thread of the instance that names the meeting first."""
        sent = {
            thread: min(message.sent for message in self.world.thread_by_id[thread].messages)
            for thread in self.instance.references.threads
        }
        return min(sent, key=lambda thread: (sent[thread], thread))


def _of_source(source: Source) -> Callable[[Case], set[str]]:
    kinds = {
        Source.CALENDAR: ("calendar",),
        Source.POLICY: ("policy",),
        Source.THREADS: ("thread",),
        Source.DIRECTORY: ("person",),
        Source.ROOMS: ("room", "room_calendar"),
    }
    return lambda case: case.required(*kinds[source])


def _participants(case: Case) -> set[str]:
    return case.people([*case.problem.participants], "calendar")


def _of_task(_: Case) -> set[str]:
    return {TASK}


def _last_participant(case: Case) -> set[str]:
    return case.people([case.problem.participants[-1]], "calendar", "person")


def _room_calendars(case: Case) -> set[str]:
    return case.rooms("room_calendar", small=False)


TOUCHED: Final[Mapping[str, Callable[[Case], set[str]]]] = MappingProxyType(
    {
        "no-calendar": _of_source(Source.CALENDAR),
        "no-policy": _of_source(Source.POLICY),
        "no-threads": _of_source(Source.THREADS),
        "no-directory": _of_source(Source.DIRECTORY),
        "no-rooms": _of_source(Source.ROOMS),
        "search-results-only": _of_source(Source.THREADS),
        "first-page": lambda case: case.required("room", "room_calendar", "thread"),
        "kick-off-only": lambda case: case.required("thread") - {f"thread:{case.kick_off}"},
        "misses-new-participant": lambda case: case.people(case.named(AddParticipant), "calendar", "person"),
        "wrong-homonym": lambda case: case.people(case.namesakes, "calendar"),
        "skips-calendar": _last_participant,
        "half-calendar": lambda case: case.required("calendar", "room_calendar"),
        "skips-event": lambda case: case.people(case.named(AfterEvent), "calendar", "person"),
        "policy-titles-only": _of_source(Source.POLICY),
        "archived-policy": _of_source(Source.POLICY),
        "skips-bookings": lambda case: case.required("room_calendar"),
        "omits-busy": _last_participant,
        "omits-buffer": lambda case: case.policies(BufferMin),
        "omits-work-hours": lambda case: case.policies(WorkHours),
        "omits-lunch-block": lambda case: case.policies(LunchBlock),
        "omits-ban-dow-time": lambda case: case.policies(BanDowTime),
        "omits-daily-hours": lambda case: case.last(Window),
        "omits-deadline": lambda case: case.last(Deadline),
        "omits-not-before": lambda case: case.last(NotBefore),
        "omits-ban-window": lambda case: {*case.every(BanWindow)},
        "omits-required-window": lambda case: {*case.every(RequiredWindow)},
        "omits-after-event": lambda case: {
            *case.every(AfterEvent),
            *case.people(case.named(AfterEvent), "calendar"),
        },
        "omits-guests": lambda case: case.last(Guests),
        "omits-capacity": lambda case: case.rooms("room", small=True),
        "omits-equipment": lambda case: {*case.every(Equipment)},
        "omits-site": lambda case: case.last(Site),
        "omits-bookings": _room_calendars,
        "omits-room-turnaround": lambda case: case.policies(RoomTurnaround),
        "neighbouring-policy": lambda case: case.neighbour,
        "whole-document": lambda case: case.others_of_documents,
        "keeps-participant": lambda case: {
            *case.every(RemoveParticipant),
            *case.people(case.named(RemoveParticipant), "calendar"),
        },
        "first-duration": lambda case: case.last(Duration),
        "first-guests": lambda case: case.last(Guests),
        "deadline-day-late": lambda case: case.last(Deadline),
        "buffer-before-only": lambda case: case.policies(BufferMin),
        "buffer-after-only": lambda case: case.policies(BufferMin),
        "touching-overlaps": _participants,
        "local-as-utc": _of_task,
        "hour-late": _of_task,
        "wrong-week": _of_task,
        "ignores-tie-break": lambda case: case.last(TieBreak),
        "opposite-tie-break": lambda case: case.last(TieBreak),
        "latest-first": lambda case: case.last(Ranking),
        "earliest-first": lambda case: case.last(Ranking),
        "one-room-per-slot": _of_task,
        "disjoint-slots": _of_task,
        "too-few": lambda case: case.last(OptionCount),
        "too-many": lambda case: case.last(OptionCount),
        "five-minute-grid": _of_task,
        "starts-at-five-past": _of_task,
        "no-room-named": _of_task,
    }
)
"""By the name of a flaw, the records of which some, and no others, have to be named; none for those of the format."""


def _record(item: Located) -> str:
    return TASK if item.key.thread is None else f"thread:{item.key.thread}"
