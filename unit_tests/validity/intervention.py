"""Whether a deduced cause is the cause: the agent is handed what the cause names, and answers again."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any, Final

from mpcbench.benchmark.agents.flawed.flaw import FlawedAgent as OwnAgent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.oracle.resolve import statements
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanWindow,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    Instance,
    NotBefore,
    OptionCount,
    Participants,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    Site,
    TieBreak,
    Window,
    World,
)
from mpcbench.schema.cause import Cause, Diagnosis, Stage
from mpcbench.schema.episode import Outcome
from unit_tests.validity.bench import Bench, Right
from unit_tests.validity.judge import is_claim
from unit_tests.validity.kit import FlawedAgent
from unit_tests.validity.kit.core import Mind

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "duration": ("length",),
    "option_count": ("count",),
    "window": ("window",),
    "daily_hours": ("window",),
    "weekdays": ("window",),
    "deadline": ("deadline",),
    "not_before": ("not_before",),
    "ban_window": ("bans",),
    "required_window": ("required",),
    "after_event": ("after",),
    "participant": ("people",),
    "guests": ("guests",),
    "capacity": ("guests", "people"),
    "equipment": ("equipment",),
    "site": ("site",),
    "tie_break": ("room_order",),
    "order": ("latest",),
    "latest_first": ("latest",),
    "earliest_first": ("latest",),
}
"""The fields of a request that hold the value of a detail."""

_STATED: Final[Mapping[type, str]] = {
    Duration: "length",
    OptionCount: "count",
    Window: "window",
    Deadline: "deadline",
    NotBefore: "not_before",
    BanWindow: "bans",
    RequiredWindow: "required",
    AfterEvent: "after",
    Participants: "people",
    AddParticipant: "people",
    RemoveParticipant: "people",
    Guests: "guests",
    Equipment: "equipment",
    Site: "site",
    TieBreak: "room_order",
    Ranking: "latest",
    CallPolicy: "policies",
}
"""The field of a request that a kind of statement goes into."""

_SOURCES: Final[Mapping[str, frozenset[str]]] = {
    "threads": frozenset(_STATED.values()),
    "directory": frozenset({"people", "calendars", "after_ends"}),
    "calendar": frozenset({"calendars", "after_ends"}),
    "policy": frozenset({"policies", "rules"}),
    "rooms": frozenset({"rooms", "bookings"}),
}
_POLICIES: Final = frozenset(
    {"policy", "buffer_min", "buffer_side", "work_hours", "lunch_block", "ban_dow_time", "room_turnaround"}
)


def is_mended(bench: Bench, agent: Agent, instance: Instance, diagnosis: Diagnosis) -> bool | None:
    """Whether an agent gives the gold once it is handed the records and values that its diagnosis names.

    Of several explanations the first is tried. None if it names none that can be handed over, as a habit or a slip, or
    if the agent is of a kind that cannot be handed anything.
    """
    causes = [cause for cause in diagnosis.explanations[0] if is_claim(cause)]
    handed = {one for cause in causes for one in _named(cause, instance, bench.dataset.world(instance.level))}
    mended = _mended(agent, handed, bench.right(instance)) if handed else None
    if mended is None:
        return None
    try:
        return bench.episode(mended, instance).outcome is Outcome.PASSED
    except RuntimeError:  # what it still lacks makes the rest impossible
        return False


def _named(cause: Cause, instance: Instance, world: World) -> Iterator[str]:
    """What a cause names: fields of a request or of the facts, or one calendar or room's bookings."""
    reason, _, detail = cause.reason.partition(":")
    if cause.stage is Stage.INTEGRATION:
        yield from _FIELDS.get(detail, ())
        if detail in _POLICIES:
            yield from ("policies", "rules")
    elif cause.stage is Stage.DECOMPOSITION:
        yield from _SOURCES.get(detail, ())
    if detail in {"offset", "week", "touching"} or reason == "integration.count":
        return
    for record in {one.record for one in cause.evidence if one.record is not None}:
        yield from _of_record(record, cause.stage, instance, world)


def _of_record(record: str, stage: Stage | None, instance: Instance, world: World) -> Iterator[str]:
    kind, _, owner = record.partition(":")
    if kind in {"calendar", "person"}:
        yield record.replace("person:", "calendar:")
        yield "after_ends"
    elif kind == "room_calendar":
        yield record
    elif kind == "room":
        yield "rooms"
        yield f"room_calendar:{owner}"
    elif kind == "policy":
        yield from ("policies", "rules")
    elif kind == "thread" and stage is not Stage.INTEGRATION:
        told = [one.statement for one in statements(world, instance) if one.key.thread == owner]
        yield from (_STATED[type(statement)] for statement in told)


def _mended(agent: Agent, handed: Iterable[str], right: Right) -> Agent | None:
    """The agent with what it is handed in place of what it knew."""
    given = frozenset(handed)

    def asked(request: Request) -> Request:
        fields = {name: value for name, value in vars(right.facts.request).items() if name in given}
        return replace(request, **fields)

    def known(facts: Facts) -> Facts:
        request = asked(facts.request)
        names = {name: name for name in right.facts.calendars}
        names |= {right.owners[name]: name for name in names}
        calendars = {names[one]: right.facts.calendars[names[one]] for one in _owners(given, "calendar", names)}
        rooms = _owners(given, "room_calendar", right.facts.bookings)
        kept = {one: busy for one, busy in facts.calendars.items() if "people" not in given or one in names}
        changes: dict[str, Any] = {
            "calendars": right.facts.calendars if "calendars" in given else kept | calendars,
            "bookings": right.facts.bookings
            if "bookings" in given
            else facts.bookings | {one: right.facts.bookings[one] for one in rooms},
        }
        for name, field in (("rules", "rules"), ("rooms", "rooms"), ("after_ends", "after")):
            if name in given:
                changes[field] = getattr(right.facts, field)
        return replace(facts, request=request, **changes)

    if isinstance(agent, OwnAgent):
        return _own(agent, asked, known)
    if isinstance(agent, FlawedAgent):
        return _of_kit(agent, asked, known)
    return None


def _owners(given: Iterable[str], kind: str, known: Container[str]) -> list[str]:
    owners = [record.partition(":")[2] for record in given if record.startswith(f"{kind}:")]
    return [owner for owner in owners if owner in known]


def _own(agent: OwnAgent, asked: Callable[[Request], Request], known: Callable[[Facts], Facts]) -> OwnAgent:
    stages = agent.stages

    def fetch(desk: Desk, request: Request, zone: tzinfo) -> Facts:
        return known(stages.acquire(desk, request, zone))

    return replace(
        agent, stages=replace(stages, understand=lambda heard: asked(stages.understand(heard)), acquire=fetch)
    )


def _of_kit(agent: FlawedAgent, asked: Callable[[Request], Request], known: Callable[[Facts], Facts]) -> FlawedAgent:
    plan = agent.plan

    def request(mind: Mind, found: Request) -> Request:
        return asked(found if plan.request is None else plan.request(mind, found))

    def facts(mind: Mind, found: Facts) -> Facts:
        return known(found if plan.facts is None else plan.facts(mind, found))

    return replace(agent, plan=replace(plan, request=request, facts=facts))
