"""What was computed for one stage and holds for others that share most of its knowledge, such as all without one fact."""

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from mpcbench.oracle.level4.axis import Axis
from mpcbench.oracle.level4.brief import Brief, Reader
from mpcbench.oracle.level4.cast import Cast
from mpcbench.oracle.level4.difference import Difference
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.schema.level4.people import Invitation
from mpcbench.schema.level4.policy import Policy

if TYPE_CHECKING:
    from mpcbench.oracle.level4.attending import Attending

_ROLES = ("people", "teams", "roles", "rosters", "handovers", "new_managers", "swaps")
V = TypeVar("V")


class Memory:
    """Values by what they are computed from, as far as that is the same knowledge."""

    def __init__(
        self,
        knowledge: Knowledge,
        axis: Axis,
        reader: Reader,
        like: "Memory | None" = None,
        difference: Difference | None = None,
    ) -> None:
        """`like` is the memory of a stage with much the same knowledge, `difference` how this knowledge differs."""
        self.knowledge = knowledge
        self.axis = axis
        self.reader = reader
        shared = like if like is not None and like.axis is axis else None
        self.difference = difference if shared is not None else None
        """How the knowledge differs from that of the other stage; None if nothing is taken over."""

        people = self.keeps("sites", "holidays", "zone")
        rooms = self.rooms_alike = self.keeps("sites")
        """Whether rooms are usable when they were in the other memory, but for those that have changed."""

        casts = self.keeps(*_ROLES)
        on_days = casts and self.keeps("policies")
        self._masks: dict[tuple[str, Hashable], int] = shared._all_masks() if shared and people else {}  # noqa: SLF001 - of the same class
        self._usable: dict[tuple[str, Hashable], int] = shared._all_usable() if shared and rooms else {}  # noqa: SLF001
        self._on_days: dict[Hashable, tuple[object, object]] = shared._on_days if shared and on_days else {}  # noqa: SLF001
        self._casts: dict[Hashable, tuple[object, Cast]] = shared._casts if shared and casts else {}  # noqa: SLF001
        self._by_policies: dict[Hashable, tuple[object, object]] = shared._by_policies if shared else {}  # noqa: SLF001
        self._people_alike = people
        self._others = self.difference.people if self.difference and people else frozenset[str]()
        self._own_masks: dict[tuple[str, Hashable], int] = {}
        """When those others are available."""

        self._own_usable: dict[tuple[str, Hashable], int] = {}
        """When rooms that have changed can be used."""

        self.rooms_changed = self.difference.rooms if self.difference and rooms else frozenset[str]()
        """The rooms whose bookings or notices are others than in the other memory, or that are not the same there."""

        self.attending: dict[int | None, Attending] = shared.attending if shared else {}
        """Whether people can be chosen for meetings together, by the limit per person and day."""

    def _all_masks(self) -> dict[tuple[str, Hashable], int]:
        """When people are available, as it is here."""
        return _with_own(self._masks, self._others, self._own_masks)

    def _all_usable(self) -> dict[tuple[str, Hashable], int]:
        """When rooms can be used, as it is here."""
        return _with_own(self._usable, self.rooms_changed, self._own_usable)

    def keeps(self, *fields: str) -> bool:
        """Whether there is another memory with the very same fields of the knowledge."""
        return self.difference is not None and self.difference.fields.isdisjoint(fields)

    def leaves(self, brief: Brief, sites: Iterable[str]) -> bool:
        """Whether there is another memory in which times, people and policies of this meeting are the same."""
        return self.difference is not None and self.difference.leaves(brief, sites)

    def others(self, people: frozenset[str]) -> frozenset[str] | None:
        """Of these people those who are not known to be available when they were in the other memory.

        None if other rules may bind somebody, as sites differ.
        """
        if not self._people_alike or (self.difference and not self.difference.moved.isdisjoint(people)):
            return None
        return self._others & people

    def mask(self, person: str, key: Hashable, compute: Callable[[], int]) -> int:
        """When a person is available; the key holds all but the person and the records of people, sites and teams."""
        masks = self._own_masks if person in self._others else self._masks
        whole = (person, key)
        if whole not in masks:
            masks[whole] = compute()
        return masks[whole]

    def usable(self, room_id: str, key: Hashable, compute: Callable[[], int]) -> int:
        """When a room can be used; the key holds all but the room and the records of bookings, notices and sites."""
        usable = self._own_usable if room_id in self.rooms_changed else self._usable
        whole = (room_id, key)
        if whole not in usable:
            usable[whole] = compute()
        return usable[whole]

    def on_days(self, key: Hashable, invitations: tuple[Invitation, ...], compute: Callable[[], V]) -> V:
        """What follows from policies, roles and duties, from these invitations and from the key alone."""
        return _kept(self._on_days, (key, id(invitations)), invitations, compute)

    def cast(self, key: Hashable, invitations: tuple[Invitation, ...], compute: Callable[[], Cast]) -> Cast:
        """Who takes part of these invitations, as roles and duties have it; the key holds the day."""
        return _kept(self._casts, (key, id(invitations)), invitations, compute)

    def by_policies(self, key: Hashable, policies: tuple[Policy, ...], compute: Callable[[], V]) -> V:
        """What follows from these policies and the key alone."""
        return _kept(self._by_policies, (key, tuple(map(id, policies))), policies, compute)


def _with_own(
    shared: dict[tuple[str, Hashable], int], others: frozenset[str], own: dict[tuple[str, Hashable], int]
) -> dict[tuple[str, Hashable], int]:
    """What is shared with another memory, and for others than there what is their own; the same object if there are none."""
    return shared if not others else {key: value for key, value in shared.items() if key[0] not in others} | own


def _kept(found: dict[Hashable, tuple[object, Any]], key: Hashable, source: object, compute: Callable[[], V]) -> V:
    """What was computed for a key with the `id` of a source, or of its items, which nothing else gets as it is kept."""
    if key not in found:
        found[key] = (source, compute())
    kept: V = found[key][1]
    return kept
