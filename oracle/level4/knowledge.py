"""What a solver knows: the tags and records of a world, indexed, and the task. The full knowledge gives the gold."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta, tzinfo
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Definition, Handover, NewManager, Notice, RoomClosed, Swap
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Agreed, Said
from mpcbench.schema.level4.world import Colleague, LadderPage, LadderWorld, OpeningHours, Role, Roster, Shift, Team
from mpcbench.schema.model import to_minutes
from mpcbench.schema.world import Room

_DAY = timedelta(days=1)

TASK = "task"
"""The record of what the task text says."""

K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", Handover, NewManager, Swap)


class Line(NamedTuple):
    """A tag about a meeting, with where and when it is stated. Lines sort by the order in which they are read."""

    sent: int
    thread: str
    """Empty for the task."""

    message: int
    place: int
    """The tag's place among those of its message."""

    author: str | None
    """None for the task."""

    tag: Said | Agreed

    @property
    def record(self) -> str:
        """The record that states it."""
        return f"thread:{self.thread}" if self.thread else TASK

    @property
    def where(self) -> tuple[str, int, int]:
        """The thread, the message and the tag's place there, which tell a line from all others."""
        return self[1:4]

    @property
    def key(self) -> str:
        """Its name among the facts."""
        return f"{self.tag.kind}:{self.thread or TASK}.{self.message}.{self.place}"


class Stated(NamedTuple, Generic[F]):
    """A fact about the organisation with the order in which it was stated."""

    order: tuple[int, str, int]
    """When (minutes since 1970-01-01 UTC), the record, and the place in it."""

    fact: F

    @property
    def record(self) -> str:
        """The record that states it."""
        return self.order[1]


class Place(NamedTuple):
    """A site."""

    zone: tzinfo
    country: str
    opening: tuple[OpeningHours, ...]


class Posted(NamedTuple):
    """A notice and the record that states it."""

    record: str
    notice: Notice


class Meaning(NamedTuple):
    """What an alias means, and the record that defines it."""

    record: str
    means: str


@dataclass(frozen=True)
class Knowledge:
    """Everything that can decide the gold of a task, as one solver knows it."""

    zone: tzinfo
    subject: str
    lines: Mapping[str, tuple[Line, ...]]
    """What is said, in reading order, by the name or alias that it is said about."""

    aliases: Mapping[str, Meaning]
    """By alias, without its prefix."""

    people: Mapping[str, Colleague]
    teams: Mapping[str, Team]
    roles: Mapping[str, Role]
    rosters: Mapping[str, Roster]
    handovers: tuple[Stated[Handover], ...]
    """In the order in which they were stated, as new managers and swaps are."""

    new_managers: tuple[Stated[NewManager], ...]
    swaps: tuple[Stated[Swap], ...]
    sites: Mapping[str, Place]
    holidays: Mapping[str, tuple[date, ...]]
    """By country."""

    policies: tuple[Policy, ...]
    notices: tuple[Posted, ...]
    calendars: Mapping[str, Timeline]
    team_calendars: Mapping[str, Timeline]
    rooms: tuple[Room, ...]
    bookings: Mapping[str, Timeline]
    lookahead: bool = True
    """False: plans are made greedily, each meeting first come, first served."""

    ordered: bool = True
    """False: nothing is known of the order within plans."""

    limited: bool = True
    """False: nothing is known of limits per day."""

    before: "Knowledge | None" = None
    """With a change: the knowledge before it."""

    def take_over(self, other: "Knowledge") -> None:
        """Take from other knowledge what has been worked out there and is the same here."""
        for name, sources in _SOURCES.items():
            if name in vars(other) and all(getattr(self, one) is getattr(other, one) for one in sources):
                vars(self).setdefault(name, getattr(other, name))

    def work_out(self) -> None:
        """Work out what others can take over and is otherwise worked out on first use, but for the index of the lines."""
        for name in _SOURCES.keys() - {"abouts_of"}:
            getattr(self, name)

    def having(self, **values: Any) -> "Knowledge":
        """The knowledge with other values of some fields."""
        found = replace(self, **values)
        found.take_over(self)
        return found

    def sharing(self, other: "Knowledge") -> "Knowledge":
        """The same knowledge, with the very values of other knowledge where they are equal, for stages that are `like` others."""
        shared = {one.name: _shared(getattr(self, one.name), getattr(other, one.name)) for one in fields(self)}
        return other if all(value is getattr(other, name) for name, value in shared.items()) else Knowledge(**shared)

    def saying(self, lines: Iterable[Line], subject: str | None = None) -> "Knowledge":
        """The knowledge with more lines and, if one is given, another subject."""
        every, more = dict(self.lines), tuple(lines)
        for line in more:
            every[line.tag.about] = tuple(sorted((*every.get(line.tag.about, ()), line), key=reading_order))
        found = self.having(lines=every, subject=self.subject if subject is None else subject)
        if "abouts_of" in vars(self):
            vars(found)["abouts_of"] = {**self.abouts_of, **{line.where: (line.tag.about,) for line in more}}
        return found

    def meaning(self, reference: str) -> str | None:
        """What a reference means once its aliases are resolved; None if one of them is unknown."""
        return meaning_of(reference, self.aliases)

    @cached_property
    def aliases_of(self) -> Mapping[str, tuple[str, ...]]:
        """The references with an alias that mean something, by what they mean."""
        found = defaultdict(list)
        for alias in self.aliases:
            meaning = self.meaning(ALIAS + alias)
            if meaning is not None:
                found[meaning].append(ALIAS + alias)
        return {meaning: tuple(references) for meaning, references in found.items()}

    @cached_property
    def teams_of(self) -> Mapping[str, tuple[str, ...]]:
        """The teams whose pages list a person, by person ID."""
        found = defaultdict(list)
        for team_id, team in self.teams.items():
            for member in set(team.members):
                found[member].append(team_id)
        return {person: tuple(teams) for person, teams in found.items()}

    @cached_property
    def abouts_of(self) -> Mapping[tuple[str, int, int], tuple[str, ...]]:
        """What each line is about, by where it stands; several where lines are taken to be about something else, too."""
        found: dict[tuple[str, int, int], tuple[str, ...]] = {}
        for about, some in self.lines.items():
            for line in some:
                found[line.where] = (*found.get(line.where, ()), about)
        return found

    @cached_property
    def policy_days(self) -> tuple[date, ...]:
        """The days, ascending, on which other editions may count than on the day before."""
        return tuple(sorted(set(_first_and_past(self.policies))))

    @cached_property
    def turning_days(self) -> tuple[date, ...]:
        """The days, ascending, on which somebody else may take part, or other editions count, than on the day before."""
        shifts = (shift for roster in self.rosters.values() for shift in roster.shifts)
        days = {one.fact.since for one in self.handovers} | {one.fact.since for one in self.new_managers}
        days.update(_first_and_past(one.fact for one in self.swaps), _first_and_past(shifts), self.policy_days)
        return tuple(sorted(days))

    @cached_property
    def editions(self) -> dict[int, tuple[Policy, ...]]:
        """The editions that count, by the number of policy days that have passed, as far as somebody has asked."""
        return {}

    @cached_property
    def noticed(self) -> Mapping[tuple[str, str], tuple[Interval, ...]]:
        """When the notices in force close or open something, by the kind of their effect and the room or site."""
        found = defaultdict(list)
        replaced = {posted.notice.replaces for posted in self.notices}
        for effect in (
            one for posted in self.notices if posted.notice.notice_id not in replaced for one in posted.notice.effects
        ):
            place = effect.room_id if isinstance(effect, RoomClosed) else effect.site
            found[effect.kind, place].append(Interval(to_minutes(effect.start), to_minutes(effect.end)))
        return {key: tuple(spans) for key, spans in found.items()}

    def said_about(self, meeting: str) -> list[Line]:
        """What is said about a meeting or plan, by its name or by aliases, in reading order."""
        names = (meeting, *self.aliases_of.get(meeting, ()))
        return sorted((line for name in names for line in self.lines.get(name, ())), key=reading_order)

    def said_in(self, thread: str, message: int, meeting: str) -> list[Said]:
        """What a message states about a meeting."""
        return [
            line.tag
            for line in self.said_about(meeting)
            if (line.thread, line.message) == (thread, message) and isinstance(line.tag, Said)
        ]


_SOURCES: Final = {
    "aliases_of": ("aliases",),
    "teams_of": ("teams",),
    "abouts_of": ("lines",),
    "policy_days": ("policies",),
    "turning_days": ("handovers", "new_managers", "swaps", "rosters", "policies"),
    "editions": ("policies",),
    "noticed": ("notices",),
}
"""What is worked out on first use, and the fields that it follows from."""


def _first_and_past(spans: Iterable[Policy | Swap | Shift]) -> Iterator[date]:
    """The first day of each span, and the day after its last."""
    for span in spans:
        if span.first is not None:
            yield span.first
        if span.last is not None:
            yield span.last + _DAY


def _shared(value: Any, other: Any) -> Any:
    """The other value if it is equal; of mappings each value for itself."""
    if value is other or value == other:
        return other
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        return {key: _shared(one, other[key]) if key in other else one for key, one in value.items()}
    return value


def meaning_of(reference: str, aliases: Mapping[str, Meaning]) -> str | None:
    """What a reference means once its aliases are resolved; None if one is unknown, or they go in a circle."""
    seen = set()
    while reference.startswith(ALIAS):
        found = aliases.get(reference.removeprefix(ALIAS))
        if found is None or reference in seen:
            return None
        seen.add(reference)
        reference = found.means
    return reference


def reading_order(line: Line) -> tuple[int, str, int, int]:
    """The order in which lines are read: by time sent, thread, message and place."""
    return line[:4]


def known(world: LadderWorld, like: Knowledge | None = None) -> Knowledge:
    """All that a world holds, without a task; index it once for many instances.

    Args:
        world: The records.
        like: The knowledge of a world that shares most calendars; what is known of these is taken from it.
    """
    lines = defaultdict(list)
    for line in _lines(world):
        lines[line.tag.about].append(line)
    stated = sorted((to_minutes(when), record, place, fact) for place, (when, record, fact) in enumerate(world.facts()))
    facts = [((when, record, place), fact) for when, record, place, fact in stated]
    return Knowledge(
        zone=world.zone,
        subject="",
        lines={about: tuple(some) for about, some in lines.items()},
        aliases={fact.alias: Meaning(order[1], fact.means) for order, fact in facts if isinstance(fact, Definition)},
        people=world.person_by_id,
        teams={team.team_id: team for team in world.teams},
        roles={role.role_id: role for role in world.roles},
        rosters={roster.roster_id: roster for roster in world.rosters},
        handovers=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, Handover)),
        new_managers=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, NewManager)),
        swaps=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, Swap)),
        sites={site.site: Place(site.zone, site.country, site.opening) for site in world.sites},
        holidays={calendar.country: tuple(one.day for one in calendar.days) for calendar in world.holidays},
        policies=tuple(policy for _, policy in world.policies),
        notices=tuple(Posted(order[1], fact) for order, fact in facts if isinstance(fact, Notice)),
        calendars=_timelines(
            ((one.person_id, one.entries) for one in world.calendars), None if like is None else like.calendars
        ),
        team_calendars=_timelines(
            ((one.team_id, one.entries) for one in world.team_calendars), None if like is None else like.team_calendars
        ),
        rooms=world.rooms,
        bookings=_timelines(
            ((one.room_id, one.entries) for one in world.room_calendars), None if like is None else like.bookings
        ),
    )


def _timelines(
    calendars: Iterable[tuple[str, tuple[Entry, ...]]], like: Mapping[str, Timeline] | None
) -> dict[str, Timeline]:
    found = {}
    for owner, entries in calendars:
        other = None if like is None else like.get(owner)
        found[owner] = other if other is not None and other.entries is entries else Timeline(entries)
    return found


def for_task(world_knowledge: Knowledge, instance: LadderInstance) -> Knowledge:
    """The knowledge of a world, with the task; the instance's change is not applied."""
    said = enumerate(instance.references.statements)
    return world_knowledge.saying((Line(-(2**62), "", 0, place, None, one) for place, one in said), instance.subject)


def indexed(world: LadderWorld) -> Knowledge:
    """What `known` gives, with everything worked out that the knowledge of tasks takes over."""
    found = known(world)
    found.work_out()
    found.abouts_of  # noqa: B018 - is worked out when it is first looked at, and kept
    return found


def _lines(world: LadderWorld) -> Iterator[Line]:
    found: list[Line] = []
    for thread in world.threads:
        for number, message in enumerate(thread.messages):
            found += lines_of(thread.thread_id, number, to_minutes(message.sent), message.author, message.tags)
    return iter(sorted(found, key=reading_order))


def lines_of(thread: str, number: int, sent: int, author: str, tags: Iterable[object]) -> Iterator[Line]:
    """The lines of one message."""
    for place, tag in enumerate(tags):
        if isinstance(tag, Said | Agreed):
            yield Line(sent, thread, number, place, author, tag)


def notices_of(page: LadderPage) -> tuple[Posted, ...]:
    """The notices of a page, in their order."""
    return tuple(Posted(f"{page.collection}:{page.page_id}", one) for one in page.facts if isinstance(one, Notice))


def without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """The mapping without a key."""
    return {one: value for one, value in mapping.items() if one != key}
