"""What is made of a world once, for all of its episodes in a process."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from mpcbench.schema.level4.world import LadderWorld

T = TypeVar("T")


class PerWorld(Generic[T]):
    """Keeps what was made of the last world, as a process has one world of level 4 at a time.

    Args:
        make: Makes it.
    """

    def __init__(self, make: Callable[[LadderWorld], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._kept: tuple[LadderWorld, T] | None = None

    def of(self, world: LadderWorld) -> T:
        """What is made of the world; made only where the last call named another object."""
        with self._lock:
            if self._kept is None or self._kept[0] is not world:
                self._kept = world, self._make(world)
            return self._kept[1]
