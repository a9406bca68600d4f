"""What the reference agent, or a mutant of it, knows during an episode."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import StagedAgent
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Heard, Request
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply
from unit_tests.validity.places import Known


class Observed:
    """An agent of which it is recorded what it has understood and fetched."""

    def __init__(self, agent: StagedAgent) -> None:
        self._agent = agent
        self.known: Known = {}
        """What it knew in its last episode; incomplete if that ended early."""

        self.facts: Facts | None = None

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        self.known, self.facts = {}, None
        return replace(self._agent, understand=self._understand, acquire=self._acquire)(task, tools, budget)

    def _understand(self, heard: Sequence[Heard]) -> Request:
        request = self._agent.understand(heard)
        self.known |= _heard(request)
        return request

    def _acquire(self, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        self.facts = facts = self._agent.acquire(desk, request, zone)
        self.known |= _fetched(facts)
        return facts


def _heard(request: Request) -> Known:
    # Texts, since the classes of a mutant's values are not those of the reference agent's.
    known = {name: _parts(value) for name, value in vars(request).items() if name != "policies"}
    return known | {"policies": tuple(sorted({call.policy_id for call in request.policies}))}


def _fetched(facts: Facts) -> Known:
    kinds = ("InsideHours", "OutsideHours", "Pause", "RoomPause")
    return {
        **{kind: _parts([rule for rule in facts.rules if type(rule).__name__ == kind]) for kind in kinds},
        "calendars": _parts((owner, event) for owner, events in facts.calendars.items() for event in events),
        "after_ends": _parts(facts.after),
        "rooms": _parts(facts.rooms or ()),
        "bookings": _parts((room, booking) for room, booked in facts.bookings.items() for booking in booked),
    }


def _parts(value: object) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(sorted(map(repr, value)))
    return (repr(value),)
