"""What was computed for one stage and holds for others that share most of its knowledge, such as all without one fact."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.level4.axis import Axis
from mpcbench.oracle.level4.brief import Reader
from mpcbench.oracle.level4.cast import Cast
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.schema import Room
from mpcbench.schema.level4.facts import RoomClosed, SiteClosed, SiteOpen
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.model import to_minutes

_SAID = ("lines", "aliases", "people", "teams", "subject")
_PEOPLE = (*_SAID, "roles", "rosters", "handovers", "new_managers", "swaps")
V = TypeVar("V")


class Memory:
    """Values by what they are computed from, as far as that is the same knowledge."""

    def __init__(self, knowledge: Knowledge, axis: Axis, reader: Reader, like: "Memory | None" = None) -> None:
        """`like` is the memory of a stage with much the same knowledge."""
        self.knowledge = knowledge
        self.axis = axis
        self.reader = reader
        shared = like if like is not None and like.axis is axis else None
        self._like = shared
        people = self._people_alike = self.keeps("sites", "holidays", "zone")
        rooms = self.rooms_alike = self.keeps("notices", "sites")
        """Whether rooms are usable when they were in the other memory, but for those that have changed."""

        casts = shared is not None and self.keeps(*_PEOPLE) and reader is shared.reader
        on_days = casts and self.keeps("policies")
        self._masks: dict[Hashable, int] = shared._masks if shared and people else {}  # noqa: SLF001 - of the same class
        self._usable: dict[Hashable, int] = shared._usable if shared and rooms else {}  # noqa: SLF001
        self._on_days: dict[Hashable, object] = shared._on_days if shared and on_days else {}  # noqa: SLF001
        self._casts: dict[Hashable, Cast] = shared._casts if shared and casts else {}  # noqa: SLF001
        self._by_policies: dict[Hashable, tuple[object, object]] = shared._by_policies if shared else {}  # noqa: SLF001
        self._others = _people_changed(knowledge, shared.knowledge) if shared and people else frozenset[str]()
        self.rooms_changed = _rooms_changed(knowledge, shared.knowledge) if shared and rooms else frozenset[str]()
        """The rooms whose bookings are others than in the other memory, or that only one of the two knows."""

        self.closed: dict[str, list[Interval]] = shared.closed if shared and rooms else {}
        """When a room or site is closed, by its ID or name."""

        self.opened: dict[str, list[Interval]] = shared.opened if shared and rooms else {}
        """When a notice opens a building, by site."""

        if not rooms:
            replaced = {posted.notice.replaces for posted in knowledge.notices}
            for posted in knowledge.notices:
                if posted.notice.notice_id not in replaced:
                    for effect in posted.notice.effects:
                        self._notice(effect)

    def keeps(self, *fields: str) -> bool:
        """Whether there is another memory with the very same fields of the knowledge."""
        return self._like is not None and self._like.shares(self.knowledge, *fields)

    def keeps_people(self, people: frozenset[str]) -> bool:
        """Whether these people are available when they were in the other memory, as long as the same rules bind them."""
        return self._people_alike and self._others.isdisjoint(people)

    def shares(self, knowledge: Knowledge, *fields: str) -> bool:
        """Whether these fields of the knowledge are the very same."""
        return all(getattr(knowledge, field) is getattr(self.knowledge, field) for field in fields)

    def reads(self, knowledge: Knowledge) -> bool:
        """Whether the same is said, so that the reader holds for that knowledge, too."""
        return self.shares(knowledge, *_SAID)

    def mask(self, person: str, key: Hashable, compute: Callable[[], int]) -> int:
        """When a person is available; the key holds all but the person and the records of people, sites and teams."""
        if person in self._others:
            return compute()
        whole = (person, key)
        if whole not in self._masks:
            self._masks[whole] = compute()
        return self._masks[whole]

    def usable(self, room_id: str, key: Hashable, compute: Callable[[], int]) -> int:
        """When a room can be used; the key holds all but the room and the records of bookings, notices and sites."""
        if room_id in self.rooms_changed:
            return compute()
        whole = (room_id, key)
        if whole not in self._usable:
            self._usable[whole] = compute()
        return self._usable[whole]

    def on_days(self, key: Hashable, compute: Callable[[], V]) -> V:
        """What follows from what is said, from policies, roles and duties alone, and from the key."""
        if key not in self._on_days:
            self._on_days[key] = compute()
        return self._on_days[key]  # type: ignore[return-value]

    def cast(self, key: Hashable, compute: Callable[[], Cast]) -> Cast:
        """Who takes part, as what is said, roles and duties have it; the key holds the meeting and the day."""
        if key not in self._casts:
            self._casts[key] = compute()
        return self._casts[key]

    def by_policies(self, key: Hashable, policies: tuple[Policy, ...], compute: Callable[[], V]) -> V:
        """What follows from these policies and the key alone."""
        whole = (key, tuple(map(id, policies)))
        if whole not in self._by_policies:
            self._by_policies[whole] = (
                policies,
                compute(),
            )  # with the policies, whose `id` nothing else gets meanwhile
        return self._by_policies[whole][1]  # type: ignore[return-value]

    def _notice(self, effect: RoomClosed | SiteClosed | SiteOpen) -> None:
        span = Interval(to_minutes(effect.start), to_minutes(effect.end))
        match effect:
            case RoomClosed(room_id=room_id):
                self.closed.setdefault(room_id, []).append(span)
            case SiteClosed(site=site):
                self.closed.setdefault(site, []).append(span)
            case SiteOpen(site=site):
                self.opened.setdefault(site, []).append(span)


def _people_changed(one: Knowledge, other: Knowledge) -> frozenset[str]:
    """The people whose calendar, site, teams or teams' calendars are others."""
    teams = _changed(one.team_calendars, other.team_calendars)
    members = {member for team in teams if team in one.teams for member in one.teams[team].members}
    for team in _changed(one.teams, other.teams):
        pages = [known.teams[team].members for known in (one, other) if team in known.teams]
        members.update(*pages)
    moved = {person for person in _changed(one.people, other.people) if _site(one, person) != _site(other, person)}
    return _changed(one.calendars, other.calendars).union(members, moved)


def _site(knowledge: Knowledge, person: str) -> str | None:
    return knowledge.people[person].site if person in knowledge.people else None


def _rooms_changed(one: Knowledge, other: Knowledge) -> frozenset[str]:
    """The rooms whose bookings are others, or that only one of the two knows."""
    changed = _changed(one.bookings, other.bookings)
    if one.rooms is other.rooms:
        return changed
    return changed | _changed(_by_id(one.rooms), _by_id(other.rooms))


def _by_id(rooms: Iterable[Room]) -> dict[str, Room]:
    return {room.room_id: room for room in rooms}


def _changed(one: Mapping[str, object], other: Mapping[str, object]) -> frozenset[str]:
    """The keys whose values are not the very same."""
    if one is other:
        return frozenset()
    both = {key for key, value in one.items() if other.get(key) is not value}
    return frozenset(both | (other.keys() - one.keys()))
